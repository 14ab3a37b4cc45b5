//! Errors of creating a population.

use acrasin_catalogue::counted;
use std::fmt;

/// The largest number of agents: all numbers of agents are exact in floating point.
pub const MAX_AGENTS: u64 = 1 << 53;

/// Errors of making a population.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SizeError {
    /// The number of counts is not that of states.
    WrongLength {
        /// The number of given counts.
        given: usize,
        /// The number of states.
        states: usize,
    },
    /// Fewer than 2 agents, or more than [`MAX_AGENTS`].
    WrongSize {
        /// The number of given agents.
        agents: u128,
    },
    /// No edge, or one that joins an agent to itself or to no agent.
    WrongEdges,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { given, states } => {
                write!(
                    f,
                    "given: {} for {} (accepted: one count a state)",
                    counted(*given, "count"),
                    counted(*states, "state")
                )
            }
            Self::WrongSize { agents } => {
                write!(f, "a population of {} (accepted: 2 to {MAX_AGENTS})", counted(*agents, "agent"))
            }
            Self::WrongEdges => {
                f.write_str("no edges, or unsound ones (accepted: at least one, each between two agents)")
            }
        }
    }
}

impl std::error::Error for SizeError {}
