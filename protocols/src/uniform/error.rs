//! Errors of creating a population.

use acrasin_catalogue::counted;

/// The largest number of agents. Numbers up to this one are exact in floating point.
pub const MAX_AGENTS: u64 = 1 << 53;

/// Errors of creating a population.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// The number of counts differs from the number of states.
    #[error(
        "given: {} for {} (accepted: one count per state)",
        counted(*.given, "count"),
        counted(*.states, "state")
    )]
    WrongLength {
        /// The number of given counts.
        given: usize,
        /// The number of states.
        states: usize,
    },
    /// There are fewer than 2 agents, or more than [`MAX_AGENTS`].
    #[error("a population of {} (accepted: 2 to {MAX_AGENTS})", counted(*.agents, "agent"))]
    WrongSize {
        /// The number of given agents.
        agents: u128,
    },
    /// There is no edge, or an edge leads from an agent to itself or to an agent that does not exist.
    #[error(
        "no edges, or an edge that does not join two agents (accepted: at least one, each between two agents)"
    )]
    WrongEdges,
}
