//! Identities by which the simulator tells amoebots apart.

use std::fmt;

/// An amoebot of a system, counted from 0 in the order of the start configuration.
///
/// Only the *simulator* uses identities: amoebots are anonymous. An amoebot sees the memory and shape of a neighbour
/// through its ports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AmoebotId(pub u32);

impl AmoebotId {
    /// The identity as an index into an array with one entry per amoebot.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

acrasin_runtime::pack_fields!(AmoebotId { 0 });

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
