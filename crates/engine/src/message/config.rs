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
    /// The demand of idle nodes.
    pub wanting: Wanting,
    /// The memory limit of the run.
    pub memory: MemoryLimit,
}
