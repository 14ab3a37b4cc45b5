//! Parameters of a message-level run.

use crate::draw::{Draws, Priorities};
use crate::round::{MemoryLimit, Wanting};

/// Parameters of a message-level run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// The source of all draws.
    pub draws: Draws,
    /// The distribution of priorities, with K values.
    pub priorities: Priorities,
    /// The rule by which idle nodes call Lock.
    pub wanting: Wanting,
    /// The memory limit of the run.
    pub memory: MemoryLimit,
}
