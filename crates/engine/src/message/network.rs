//! The networks on which rounds can be run.

use acrasin_runtime::pack::{PackError, Saved as _};
use acrasin_runtime::{NodeId, Port, TopologyError};

use super::change_error::ChangeError;
use super::chunk::ChunkedRounds;
use super::registers::PortLinks;
use crate::network::{Lattice, PortNetwork, PortTable};

/// A [`PortNetwork`] on which rounds can be run: [`Lattice`] or [`PortTable`].
pub trait MessageNetwork: PortNetwork + sealed::MessageParts {}

impl<N: PortNetwork + sealed::MessageParts> MessageNetwork for N {}

pub(crate) mod sealed {
    use super::{ChangeError, ChunkedRounds, NodeId, PackError, Port, PortLinks};

    /// The code of rounds that is compiled for one kind of network, for every layout.
    #[derive(Clone, Copy)]
    pub struct Compiled<'a> {
        pub(crate) short: &'a dyn ChunkedRounds<u32>,
        pub(crate) long: &'a dyn ChunkedRounds<u64>,
        pub(crate) links: &'a dyn PortLinks,
        /// The size of the inboxes, in bytes.
        pub(crate) inbox_bytes: u64,
    }

    /// The functions of a network that the driver of rounds needs.
    pub trait MessageParts {
        /// The compiled code of this kind of network.
        fn compiled(&self) -> Compiled<'_>;
        /// An upper bound on the number of other nodes within distance 2 of a node.
        fn contenders(&self) -> u32;
        /// Makes room for an edge between two open ports, if the network allows it.
        ///
        /// # Errors
        ///
        /// The network has no room for this edge.
        fn place(&mut self, a: (NodeId, Port), b: (NodeId, Port)) -> Result<(), ChangeError>;
        /// Appends the links that [`place`](Self::place) has made.
        fn save_links(&self, into: &mut Vec<u8>);
        /// Sets the links that [`save_links`](Self::save_links) wrote.
        ///
        /// # Errors
        ///
        /// The bytes do not begin with links of this network.
        fn load_links(&mut self, from: &mut &[u8]) -> Result<(), PackError>;
    }
}

impl sealed::MessageParts for Lattice {
    fn compiled(&self) -> sealed::Compiled<'_> {
        sealed::Compiled { short: self, long: self, links: self, inbox_bytes: 0 }
    }
    fn contenders(&self) -> u32 {
        Self::contenders(*self)
    }
    fn place(&mut self, a: (NodeId, Port), b: (NodeId, Port)) -> Result<(), ChangeError> {
        if self.link(a.0.0, a.1.0) == Some((b.0.0, b.1.0)) {
            Ok(())
        } else {
            Err(ChangeError::NotOfTheLattice)
        }
    }
    fn save_links(&self, _into: &mut Vec<u8>) {}
    fn load_links(&mut self, _from: &mut &[u8]) -> Result<(), PackError> {
        Ok(())
    }
}

impl PortLinks for Lattice {
    fn peer(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        self.link(node, port)
    }
    fn room(&self, _node: u32) -> u16 {
        self.ports()
    }
    fn owning_ports(&self) -> u16 {
        self.ports() / 2
    }
    fn owns(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        self.link(node, port)
    }
}

impl sealed::MessageParts for PortTable {
    fn compiled(&self) -> sealed::Compiled<'_> {
        sealed::Compiled { short: self, long: self, links: self, inbox_bytes: self.slot_count() as u64 }
    }
    fn contenders(&self) -> u32 {
        let delta = (0..self.nodes()).map(|node| u32::from(self.degree(node))).max().unwrap_or(0);
        delta.saturating_mul(delta).min(self.nodes().saturating_sub(1))
    }
    fn place(&mut self, a: (NodeId, Port), b: (NodeId, Port)) -> Result<(), ChangeError> {
        for (node, port) in [a, b] {
            let ports = self.room(node.0);
            if port.0 > ports {
                return Err(TopologyError::NoSuchPort { node, port, ports }.into());
            }
        }
        self.set(a.0.0, a.1.0, Some((b.0.0, b.1.0)));
        self.set(b.0.0, b.1.0, Some((a.0.0, a.1.0)));
        Ok(())
    }
    fn save_links(&self, into: &mut Vec<u8>) {
        self.save(into);
    }
    fn load_links(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.load(from)
    }
}

impl PortLinks for PortTable {
    fn peer(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        self.link(node, port)
    }
    fn room(&self, node: u32) -> u16 {
        self.room(node)
    }
    fn owning_ports(&self) -> u16 {
        self.ports()
    }
    fn owns(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        // The port that a slot leads to may have another edge by now.
        let link = self.link(node, port).filter(|&link| (node, port) < link)?;
        (self.link(link.0, link.1) == Some((node, port))).then_some(link)
    }
}
