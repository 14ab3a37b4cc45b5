//! What a protocol without a table is to whoever runs it.

use std::fmt::Debug;

use acrasin_runtime::digest::DigestWriter;
use acrasin_runtime::node::NodeId;

use crate::uniform::Condition;
use crate::uniform_pairs::PopulationError;

/// How agents start, and who may meet whom.
#[derive(Clone, Debug)]
pub struct Start {
    /// How each agent starts: its position among [`Model::starts`].
    pub agents: Vec<u16>,
    /// Pairs that may meet; `None`: everybody everybody else.
    pub edges: Option<Vec<[NodeId; 2]>>,
}

/// A protocol without a table, as far as it is counted.
pub trait Model: Debug + Send + Sync {
    /// The names of the classes of states that are counted, each once.
    fn classes(&self) -> &[String];

    /// What an agent of each class answers.
    fn outputs(&self) -> &[String];

    /// The names of the states in which agents can start, each once.
    fn starts(&self) -> &[&'static str];

    /// Whether everybody must be able to meet everybody: edges have states of their own.
    fn needs_everybody(&self) -> bool {
        false
    }

    /// Whether it can be told that what the protocol is for is reached and stays.
    fn tells_stability(&self) -> bool {
        false
    }

    /// Runs from a start, by the uniform scheduler: `drive` is given the agents. The same start and seed give the same, whatever
    /// is asked on the way.
    ///
    /// # Errors
    ///
    /// Those of [`UniformPairs`](crate::UniformPairs).
    fn run(
        &self,
        start: &Start,
        seed: u64,
        drive: &mut dyn FnMut(&mut dyn Agents),
    ) -> Result<(), PopulationError>;
}

/// Agents while they run.
pub trait Agents {
    /// How many interactions there were.
    fn interactions(&self) -> u64;

    /// How many agents are in each class.
    fn counts(&self) -> &[u64];

    /// Goes on to the first interaction after which the condition holds, but at most until there were `to` in all; tells whether
    /// it holds. It is asked now and whenever the counts change.
    fn go_on(&mut self, condition: Option<&dyn Condition>, to: u64) -> bool;

    /// Whether what the protocol is for is reached and stays; `false` where that cannot be told. O(agents + edges), of agents whose
    /// edges have states O(agents^2) where the shape is right.
    fn is_stable(&self) -> bool {
        false
    }

    /// How many states were met.
    fn states_met(&self) -> usize;

    /// How many edges are active, where edges have states.
    fn active_edges(&self) -> Option<u64> {
        None
    }

    /// The transition table as far as it was met, at most so many lines of it.
    fn table(&self, lines: usize) -> String;

    /// Writes the state of every agent, and of every edge that has one.
    fn write(&self, writer: &mut DigestWriter);
}
