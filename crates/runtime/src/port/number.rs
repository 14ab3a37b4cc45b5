//! [`Port`]: the number of a port.

use std::fmt;
use std::num::NonZeroU16;

/// A port of a node. [`Port::SELF`] (port 0) is the node itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub u16);

impl Port {
    /// Port 0: the node itself.
    pub const SELF: Self = Self(0);

    /// Whether this is port 0.
    #[inline]
    #[must_use]
    pub const fn is_self(self) -> bool {
        self.0 == 0
    }

    /// The port as a link port, `None` for port 0.
    #[inline]
    #[must_use]
    pub const fn link(self) -> Option<LinkPort> {
        NonZeroU16::new(self.0)
    }
}

/// A port that can carry an edge: 1..Δ.
pub type LinkPort = NonZeroU16;

impl From<LinkPort> for Port {
    #[inline]
    fn from(port: LinkPort) -> Self {
        Self(port.get())
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}
