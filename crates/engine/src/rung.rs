//! [`Rung`]: the level of detail at which the lock algorithm is executed.

use std::fmt;

/// The level of detail at which the lock algorithm is executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rung {
    /// No locks: interactions of uniformly random pairs, simulated one after another or many at once, with the same
    /// distribution.
    F0,
    /// Disjoint lock sets without messages: only the guarantee of the lock layer.
    F1,
    /// Every message, on lattices, bit-sliced: one bit of each node per word.
    F2,
    /// Every message, on any graph, static or changing, one word per node.
    F3,
    /// The runtime's `World`: one action per step, explicit registers, and every promise checked after every step.
    F4,
}

impl Rung {
    /// All rungs, from the fastest to the most detailed.
    pub const ALL: [Self; 5] = [Self::F0, Self::F1, Self::F2, Self::F3, Self::F4];

    /// A one-line description for users.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::F0 => "uniformly random pairs, without locks: population protocols at full speed",
            Self::F1 => "disjoint lock sets without messages: critical sections in parallel",
            Self::F2 => "every message, lattices, bit-sliced",
            Self::F3 => "every message, any graph, one word per node",
            Self::F4 => "every message and every action, explicit registers: the reference",
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
