//! What a run at message level is made of.

use crate::draw::{Draws, Priorities};
use crate::round::{MemoryLimit, Wanting};

/// The parameters of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// All draws.
    pub draws: Draws,
    /// K.
    pub priorities: Priorities,
    /// Who calls Lock.
    pub wanting: Wanting,
    /// The memory that the run may take.
    pub memory: MemoryLimit,
}
