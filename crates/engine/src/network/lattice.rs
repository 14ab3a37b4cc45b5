//! Tori whose edges are computed instead of stored.

use std::fmt;

use acrasin_runtime::port::Port;
use acrasin_runtime::{NodeId, Topology, TopologyError};

/// The kind of lattice: the neighbourhood of a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LatticeKind {
    /// Four neighbours. Ports 1 to 4: east, north, west, south.
    Square,
    /// Six neighbours, axial coordinates. Ports 1 to 6, counterclockwise: (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1),
    /// (1, -1).
    Triangular,
}

impl LatticeKind {
    /// The offsets (dx, dy) of the neighbours by port, starting with port 1.
    #[must_use]
    pub const fn directions(self) -> &'static [(i32, i32)] {
        match self {
            Self::Square => &[(1, 0), (0, 1), (-1, 0), (0, -1)],
            Self::Triangular => &[(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)],
        }
    }

    /// The number of neighbours of a cell.
    #[must_use]
    pub const fn degree(self) -> u16 {
        self.directions().len() as u16
    }

    /// The neighbour's port for the edge on `port`: the port of the opposite direction.
    #[inline]
    #[must_use]
    pub const fn reverse(self, port: u16) -> u16 {
        let degree = self.degree();
        (port - 1 + degree / 2) % degree + 1
    }
}

/// A torus: `width * height` cells that wrap around on both sides. Cell (x, y) is node `y * width + x`.
///
/// ```
/// use acrasin_engine::{Lattice, LatticeKind};
/// let torus = Lattice::new(LatticeKind::Triangular, 8, 4)?;
/// assert_eq!(torus.neighbour(0, 4), 7); // west of (0, 0) is (7, 0)
/// # Ok::<(), acrasin_engine::network::LatticeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lattice {
    pub(super) kind: LatticeKind,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Errors of constructing a [`Lattice`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LatticeError {
    /// A side is below 3, so a cell would be its own neighbour or have one neighbour on two ports.
    TooNarrow {
        /// The number of cells in a row.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// The torus has more cells than the limit.
    TooLarge {
        /// The requested number of cells.
        nodes: u64,
        /// The limit, [`Lattice::NODES_MAX`].
        limit: u64,
    },
}

impl fmt::Display for LatticeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooNarrow { width, height } => {
                write!(f, "a torus of {width} by {height} cells: each side must be at least 3")
            }
            Self::TooLarge { nodes, limit } => write!(f, "a torus of {nodes} cells: at most {limit}"),
        }
    }
}

impl std::error::Error for LatticeError {}

impl Lattice {
    /// The largest number of cells. Node numbers and word offsets have 32 bits; the limit is half of that range, as bit
    /// planes require.
    pub const NODES_MAX: u64 = 1 << 31;

    /// Creates a torus of `width * height` cells.
    ///
    /// # Errors
    ///
    /// A side is below 3, or there are more than [`NODES_MAX`](Self::NODES_MAX) cells.
    pub fn new(kind: LatticeKind, width: u32, height: u32) -> Result<Self, LatticeError> {
        if width < 3 || height < 3 {
            return Err(LatticeError::TooNarrow { width, height });
        }
        let nodes = u64::from(width) * u64::from(height);
        if nodes > Self::NODES_MAX {
            return Err(LatticeError::TooLarge { nodes, limit: Self::NODES_MAX });
        }
        Ok(Self { kind, width, height })
    }

    /// The kind of lattice: the neighbourhood of a cell.
    #[must_use]
    pub fn kind(self) -> LatticeKind {
        self.kind
    }

    /// The number of cells in a row.
    #[must_use]
    pub fn width(self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(self) -> u32 {
        self.height
    }

    /// The cell next to `node` in the direction of `port` (`1..=degree`).
    #[inline]
    #[must_use]
    pub fn neighbour(self, node: u32, port: u16) -> u32 {
        let (dx, dy) = self.kind.directions()[usize::from(port) - 1];
        let (x, y) = (node % self.width, node / self.width);
        let wrap = |at: u32, step: i32, side: u32| match step {
            1 => {
                if at + 1 == side {
                    0
                } else {
                    at + 1
                }
            }
            -1 => {
                if at == 0 {
                    side - 1
                } else {
                    at - 1
                }
            }
            _ => at,
        };
        wrap(y, dy, self.height) * self.width + wrap(x, dx, self.width)
    }

    /// The number of other cells within distance 2: the possible competitors of a node in a competition trial.
    #[must_use]
    pub fn contenders(self) -> u32 {
        match self.kind {
            LatticeKind::Square => 12,
            LatticeKind::Triangular => 18,
        }
    }

    /// The lattice as a [`Topology`] with the same ports.
    ///
    /// # Errors
    ///
    /// The lattice has more nodes than a [`Topology`] can have.
    pub fn topology(self) -> Result<Topology, TopologyError> {
        let mut topology = Topology::with_all_slots(self.width * self.height, self.kind.degree())?;
        for node in 0..self.width * self.height {
            for port in 1..=self.kind.degree() / 2 {
                let (a, b) = (NodeId(node), NodeId(self.neighbour(node, port)));
                topology.connect(a, Port(port), b, Port(self.kind.reverse(port)))?;
            }
        }
        Ok(topology)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::PortNetwork as _;

    #[test]
    fn links_are_mutual_and_distinct() {
        for kind in [LatticeKind::Square, LatticeKind::Triangular] {
            for (width, height) in [(3, 3), (5, 4), (64, 3)] {
                let lattice = Lattice::new(kind, width, height).unwrap();
                for node in 0..lattice.nodes() {
                    let mut seen = vec![node];
                    for port in 1..=lattice.ports() {
                        let (peer, back) = lattice.link(node, port).unwrap();
                        assert_eq!(lattice.link(peer, back), Some((node, port)));
                        assert!(!seen.contains(&peer));
                        seen.push(peer);
                    }
                }
                let topology = lattice.topology().unwrap();
                assert_eq!(topology.edge_count(), u64::from(lattice.nodes()) * u64::from(kind.degree()) / 2);
                for node in topology.nodes() {
                    for (port, link) in topology.links(node) {
                        let expected = lattice.link(node.0, port.get());
                        assert_eq!(expected, Some((link.peer.0, link.peer_port.get())));
                    }
                }
            }
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Lattice::new(LatticeKind::Square, 2, 9).is_err());
        let error = Lattice::new(LatticeKind::Square, 1 << 20, 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), "a torus of 1099511627776 cells: at most 2147483648");
    }
}
