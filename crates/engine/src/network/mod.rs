//! Graphs of the engine: lattices, whose edges are computed, and port tables for all other graphs.

mod lattice;
mod table;

pub use lattice::{Lattice, LatticeError, LatticeKind};
pub use table::{PortTable, PortTableError};

/// A graph with ports: the neighbour on each port of each node.
///
/// Implementations are small and inlined, because the engine queries every port of every active node.
pub trait PortNetwork: Sync {
    /// Whether every node has an edge on each of the ports `1..=Δ` at all times. If so, ports need not be checked.
    const FULL: bool;

    /// The number of nodes.
    fn nodes(&self) -> u32;

    /// Δ: ports are `1..=Δ`.
    fn ports(&self) -> u16;

    /// The neighbour on a port in `1..=Δ` and its port for the same edge; `None` without an edge.
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)>;

    /// The storage of the edges, in bytes.
    fn bytes(&self) -> u64;

    /// An upper bound on the ports with edges of this node.
    #[inline(always)]
    fn room(&self, _node: u32) -> u16 {
        self.ports()
    }

    /// The neighbours on the ports `1..=room` of a node, in order: those that [`link`](Self::link) returns, in one
    /// call.
    #[inline(always)]
    fn peers(&self, node: u32) -> impl Iterator<Item = Option<u32>> {
        (1..=self.room(node)).map(move |port| self.link(node, port).map(|(peer, _)| peer))
    }

    /// The number of neighbours of a node. Cost: O(Δ), unless the implementation stores it.
    #[inline(always)]
    fn degree(&self, node: u32) -> u16 {
        if Self::FULL { self.ports() } else { self.peers(node).flatten().count() as u16 }
    }

    /// Prefetches the memory that [`link`](Self::link) will read for this node.
    #[inline(always)]
    fn prefetch(&self, _node: u32) {}

    /// The torus, if this network is one.
    #[inline(always)]
    fn lattice(&self) -> Option<&Lattice> {
        None
    }
}

impl PortNetwork for Lattice {
    const FULL: bool = true;

    fn nodes(&self) -> u32 {
        self.width * self.height
    }

    fn ports(&self) -> u16 {
        self.kind.degree()
    }

    #[inline]
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        Some((self.neighbour(node, port), self.kind.reverse(port)))
    }

    fn bytes(&self) -> u64 {
        0
    }

    #[inline(always)]
    fn lattice(&self) -> Option<&Lattice> {
        Some(self)
    }
}
