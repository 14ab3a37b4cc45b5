//! Amoebots, as the simulator tells them apart.

use std::fmt;

/// An amoebot of a system, counted from 0 in the order of the start.
///
/// The *simulator* knows amoebots; they do not. What an amoebot sees of another is its memory and its shape, through ports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AmoebotId(pub u32);

impl AmoebotId {
    /// The amoebot as an index into an array that has one entry an amoebot.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for AmoebotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for AmoebotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "amoebot {}", self.0)
    }
}
