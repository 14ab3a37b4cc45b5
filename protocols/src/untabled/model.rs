//! The interface between a protocol without a table and its drivers.

use std::fmt::Debug;

use acrasin_process::Process;
use acrasin_runtime::node::NodeId;

use crate::uniform_pairs::PopulationError;

/// Most pairs that are looked at in one call to see that nothing changes any more: about a tenth of a second.
pub(super) const SILENCE_PAIRS: u64 = 1 << 24;

/// The initial states, and the pairs that may interact.
#[derive(Clone, Debug)]
pub struct Start {
    /// The initial state of each agent: its position among [`Model::starts`].
    pub agents: Vec<u16>,
    /// Pairs that may meet; `None`: every agent and every other agent.
    pub edges: Option<Vec<[NodeId; 2]>>,
}

/// A protocol without a table, as far as it is counted.
pub trait Model: Debug + Send + Sync {
    /// The names of the classes of states that are counted, each once.
    fn classes(&self) -> &[String];

    /// The output of an agent of each class.
    fn outputs(&self) -> &[String];

    /// The names of the states in which agents can start, each once.
    fn starts(&self) -> &[&'static str];

    /// Whether every agent must be able to meet every other: edges have states of their own.
    fn needs_complete_graph(&self) -> bool {
        false
    }

    /// Whether it can be told that what the protocol is for is reached and stays.
    fn tells_stability(&self) -> bool {
        false
    }

    /// Runs from a start, by the uniform scheduler: `drive` is given the agents. The same start and seed give the same,
    /// whatever is asked on the way.
    ///
    /// # Errors
    ///
    /// The errors of [`UniformPairs`](crate::UniformPairs).
    fn run(
        &self,
        start: &Start,
        seed: u64,
        drive: &mut dyn FnMut(&mut dyn Process),
    ) -> Result<(), PopulationError>;
}
