//! Graphs as the engine stores them: lattices by arithmetic, everything else as port tables.

mod lattice;
mod table;

pub use lattice::{Lattice, LatticeError, LatticeKind};
pub use table::{PortTable, TableError};

/// Who is behind a port.
///
/// Implementations are small and inlined: the engine asks for every port of every active node.
pub trait Network: Sync {
    /// Whether every node has an edge on each of the ports `1..=Δ`, always: then no port need be asked for.
    const FULL: bool;

    /// The number of nodes.
    fn nodes(&self) -> u32;

    /// Δ: ports are `1..=Δ`.
    fn ports(&self) -> u16;

    /// The neighbour on a port in `1..=Δ` and its port for the same edge; `None` without an edge.
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)>;

    /// The bytes that the storage of edges takes.
    fn bytes(&self) -> u64;

    /// No neighbour of the node is on a port above this.
    #[inline(always)]
    fn room(&self, _node: u32) -> u16 {
        self.ports()
    }

    /// Who is behind the ports `1..=room` of a node, in order: what [`link`](Self::link) says, for all at once.
    #[inline(always)]
    fn peers(&self, node: u32) -> impl Iterator<Item = Option<u32>> {
        (1..=self.room(node)).map(move |port| self.link(node, port).map(|(peer, _)| peer))
    }

    /// The number of neighbours. Cost: O(Δ) unless the network knows.
    #[inline(always)]
    fn degree(&self, node: u32) -> u16 {
        if Self::FULL { self.ports() } else { self.peers(node).flatten().count() as u16 }
    }

    /// Asks for what [`link`](Self::link) will read about the node soon.
    #[inline(always)]
    fn prefetch(&self, _node: u32) {}

    /// The torus that the network is, if it is one.
    #[inline(always)]
    fn lattice(&self) -> Option<&Lattice> {
        None
    }
}

impl Network for Lattice {
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
