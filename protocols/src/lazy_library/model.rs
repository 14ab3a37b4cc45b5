//! The interface between a protocol without a table and its drivers.

use std::fmt::Debug;

use acrasin_process::Process;
use acrasin_runtime::node::NodeId;

use crate::uniform_pairs::PopulationError;

/// The maximum number of pairs examined in one call of the test for silence: about a tenth of a second.
pub(super) const SILENCE_PAIRS: u64 = 1 << 24;

/// The initial states, and the pairs that may interact.
#[derive(Clone, Debug)]
pub struct LazyStart {
    /// The initial state of each agent, as an index into [`LazyModel::starts`].
    pub agents: Vec<u16>,
    /// The pairs that may meet; `None` if all pairs may meet.
    pub edges: Option<Vec<[NodeId; 2]>>,
}

/// A protocol without a table, with the classes of states that are counted.
pub trait LazyModel: Debug + Send + Sync {
    /// The names of the counted classes of states, without repetition.
    fn classes(&self) -> &[String];

    /// The output of an agent of each class.
    fn outputs(&self) -> &[String];

    /// The names of the states in which agents can start, without repetition.
    fn starts(&self) -> &[&'static str];

    /// Whether all pairs must be able to meet, because edges have states.
    fn needs_complete_graph(&self) -> bool {
        false
    }

    /// Whether runs of this model can detect that the outputs are stable, so that stability can be a stop condition.
    fn tells_stability(&self) -> bool {
        false
    }

    /// Runs from a start under the uniform scheduler, by calling `drive` with the process. A run is a function of start
    /// and seed; it does not depend on where `drive` stops and observes it.
    ///
    /// # Errors
    ///
    /// The errors of [`UniformPairs`](crate::UniformPairs).
    fn run(
        &self,
        start: &LazyStart,
        seed: u64,
        drive: &mut dyn FnMut(&mut dyn Process),
    ) -> Result<(), PopulationError>;
}
