//! [`PortNames`]: new numbers for the ports of a node.

use super::{Port, PortSet, PortsRef};

/// The new numbers of the ports of one node.
#[derive(Clone, Copy, Debug)]
pub struct PortNames<'a>(&'a [Port]);

impl<'a> PortNames<'a> {
    /// Creates a renaming in which port p becomes `ports[p]`; ports beyond the list keep their numbers.
    #[must_use]
    pub const fn new(ports: &'a [Port]) -> Self {
        Self(ports)
    }

    /// The new number of a port.
    #[inline]
    #[must_use]
    pub fn port(self, port: Port) -> Port {
        self.0.get(usize::from(port.0)).copied().unwrap_or(port)
    }

    /// The new numbers of the ports of a set.
    #[must_use]
    pub fn set<'p>(self, ports: impl Into<PortsRef<'p>>) -> PortSet {
        ports.into().iter().map(|port| self.port(port)).collect()
    }
}
