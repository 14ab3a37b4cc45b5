//! How far an exploration may go, how far it is, and why it ended early.

use std::fmt;

/// How far an exploration may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The memory ceiling in bytes: what the exploration allocates, growth included, stays below; if all moves are
    /// kept, what questions about infinite runs take is set aside too.
    pub bytes: u64,
    /// Stop when so many configurations are known (checked once a block, so some thousands more may be).
    pub configurations: u64,
    /// Whether to keep all moves: [`Exploration::graph`](crate::Exploration::graph). Ten to twelve bytes a move.
    pub keep_graph: bool,
    /// Whether to stop at the first broken property.
    pub stop_at_first: bool,
}

impl Limits {
    /// Everything, within a memory ceiling.
    #[must_use]
    pub fn bytes(bytes: u64) -> Self {
        Self { bytes, configurations: u64::MAX, keep_graph: false, stop_at_first: false }
    }

    /// The same limits; all moves are kept.
    #[must_use]
    pub fn with_graph(self) -> Self {
        Self { keep_graph: true, ..self }
    }
}

/// How far an exploration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchProgress {
    /// Different configurations so far.
    pub configurations: u64,
    /// Moves so far.
    pub transitions: u64,
    /// How far the frontier is from the start.
    pub depth: u32,
    /// Configurations of the frontier that are still to be expanded.
    pub waiting: u64,
    /// Memory held now, in bytes.
    pub bytes: u64,
}

/// Why an exploration ended before everything was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Truncated {
    /// The memory ceiling would have been passed.
    Memory,
    /// The limit on the number of configurations was reached.
    Configurations,
    /// The caller asked for it.
    Interrupted,
    /// A configuration has more steps, or a step more outcomes, than can be numbered.
    TooManyMoves,
    /// Something is wrong, and the caller wanted no more than that.
    Found,
}

impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "memory ceiling reached",
            Self::Configurations => "limit on configurations reached",
            Self::Interrupted => "interrupted",
            Self::TooManyMoves => "more steps in a configuration or outcomes of a step than 65535",
            Self::Found => "stopped at the first finding",
        })
    }
}
