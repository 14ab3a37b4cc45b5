//! [`Limits`], [`SearchProgress`], early ends of an exploration ([`Truncated`]), and the error of resuming one.

use std::fmt;

/// Limits of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The memory ceiling in bytes: the exploration's allocations stay below it, including growth. If all moves
    /// are kept, memory for questions about infinite runs is also reserved.
    pub bytes: u64,
    /// The number of known configurations at which the exploration stops. It is checked once per block, so the final
    /// number may be some thousands larger.
    pub configurations: u64,
    /// Whether to keep all moves in [`Exploration::graph`](crate::Exploration::graph), at ten to twelve bytes
    /// each.
    pub keep_graph: bool,
    /// Whether to stop at the first broken property.
    pub stop_at_first: bool,
}

impl Limits {
    /// Sets a memory ceiling, and no other limit.
    #[must_use]
    pub fn bytes(bytes: u64) -> Self {
        Self { bytes, configurations: u64::MAX, keep_graph: false, stop_at_first: false }
    }

    /// Keeps all moves in [`Exploration::graph`](crate::Exploration::graph).
    #[must_use]
    pub fn with_graph(self) -> Self {
        Self { keep_graph: true, ..self }
    }
}

/// Progress of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchProgress {
    /// The number of distinct configurations so far.
    pub configurations: u64,
    /// The number of moves so far.
    pub transitions: u64,
    /// The distance of the frontier from the nearest start, in moves.
    pub depth: u32,
    /// The number of configurations of the frontier that are still to be expanded.
    pub waiting: u64,
    /// The memory that is currently in use, in bytes.
    pub bytes: u64,
}

/// Reasons why an exploration ended before it had visited everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Truncated {
    /// The memory ceiling would have been exceeded.
    Memory,
    /// The limit on the number of configurations was reached.
    Configurations,
    /// The caller stopped the exploration.
    Interrupted,
    /// A configuration has more steps, or a step more outcomes, than can be numbered.
    TooManyMoves,
    /// A property is broken, and the caller asked to stop at the first finding.
    Found,
}

impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "memory ceiling reached",
            Self::Configurations => "limit on configurations reached",
            Self::Interrupted => "interrupted",
            Self::TooManyMoves => {
                "a configuration with more than 65535 steps, or a step with more than 65535 outcomes"
            }
            Self::Found => "stopped at the first finding",
        })
    }
}

/// The error of bytes that are not the state of this search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotASearch;

impl fmt::Display for NotASearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the saved search belongs to another exploration")
    }
}

impl std::error::Error for NotASearch {}
