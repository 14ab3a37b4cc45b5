//! Tilings of networks whose nodes have their neighbours close by.

use std::ops::Range;

use crate::network::{Lattice, PortNetwork};

/// The maximum number of nodes in the middle of a tile. With four bytes per node they fit in the first-level cache.
const CELLS_MAX: u32 = 1 << 13;
/// The minimum number of nodes in the middle of a tile. In smaller tiles the last, incomplete batch of the order would
/// cost too much.
const CELLS_MIN: u32 = 1 << 9;
/// The desired number of tiles of a network: two for each of 16 threads.
const TILES_WANTED: u32 = 32;
/// The minimum number of tiles. With fewer tiles, too little would run in parallel.
const TILES_MIN: u32 = 8;
/// The maximum share of nodes with a neighbour out of reach, in percent. Such nodes act one after another.
const FAR_PERCENT: u64 = 3;

/// A division of the cyclic sequence of nodes into tiles of whole units (a row of a torus, or one node).
///
/// Except for `far` nodes, the neighbours of a node are within `reach` units of its own unit. A tile has at least four
/// times `reach` units. So the neighbours of a node in the middle of a tile are in the tile. The neighbours of a node
/// within `reach` of a border are within twice the reach of the border, and these ranges are disjoint.
///
/// The tiling is a function of the network alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tiling {
    /// The number of nodes of a unit.
    pub(super) unit: u32,
    /// The number of units.
    pub(super) units: u32,
    /// The maximum distance between neighbours, except for far nodes, in units.
    pub(super) reach: u32,
    /// The number of tiles, at least 2.
    pub(super) tiles: u32,
    /// The number of units of every tile except the last, which also has the remaining units.
    tile: u32,
    /// The nodes with a neighbour out of reach, in increasing order.
    pub(super) far: Vec<u32>,
    /// One bit per node, set for far nodes; empty if no node is far.
    far_bits: Vec<u64>,
}

/// The range of nodes that have turns in a tile (or at a border), and the range of nodes that it holds. Nodes are
/// counted cyclically from the first unit of the first tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TileRange {
    /// The nodes to which the tile has exclusive access.
    pub(super) held: Range<u64>,
    /// The nodes that have their turns in this tile or at this border.
    pub(super) turns: Range<u64>,
}

impl Tiling {
    /// Divides a torus into strips of rows; `None` if there are too few rows.
    pub(super) fn of_lattice(lattice: &Lattice, cells: Option<u32>) -> Option<Self> {
        Self::cut(lattice.width(), lattice.height(), 1, lattice.nodes(), cells)
    }

    /// Divides a network into blocks of consecutive nodes; `None` unless most nodes have all their neighbours close by.
    /// Cost: O(edges).
    pub(super) fn of_indices<N: PortNetwork>(network: &N, cells: Option<u32>) -> Option<Self> {
        let nodes = network.nodes();
        let limit = if cells.is_some() { nodes / 8 } else { nodes / (4 * TILES_MIN) };
        let reach_of = |node: u32| {
            let distances = network.peers(node).flatten().map(|peer| node.abs_diff(peer));
            distances.map(|distance| distance.min(nodes - distance)).max().unwrap_or(0)
        };
        let (mut reach, mut far) = (1, Vec::new());
        for node in 0..nodes {
            match reach_of(node) {
                distance if distance <= limit => reach = reach.max(distance),
                _ => far.push(node),
            }
            if far.len() as u64 * 100 > u64::from(nodes) * FAR_PERCENT {
                return None;
            }
        }
        let mut tiling = Self::cut(1, nodes, reach, nodes, cells)?;
        if !far.is_empty() {
            tiling.far_bits = vec![0; nodes.div_ceil(64) as usize];
            for &node in &far {
                tiling.far_bits[node as usize / 64] |= 1 << (node % 64);
            }
        }
        tiling.far = far;
        Some(tiling)
    }

    fn cut(unit: u32, units: u32, reach: u32, nodes: u32, cells: Option<u32>) -> Option<Self> {
        let wanted = (nodes / TILES_WANTED).max(1);
        let cells = cells.unwrap_or((1 << wanted.ilog2()).clamp(CELLS_MIN, CELLS_MAX));
        let middle = (cells / unit).max(2 * reach);
        let tile = middle.saturating_add(2 * reach);
        // A rest that is too small for a tile joins the last tile. Tiles of one size have middles of one size, and
        // sizes that are powers of two are read fastest.
        let tiles = units / tile + u32::from(units % tile >= 4 * reach);
        (tiles >= 2).then(|| Self { unit, units, reach, tiles, tile, far: Vec::new(), far_bits: Vec::new() })
    }

    /// The first unit of a tile, or the end of the last tile.
    fn begin(&self, tile: u32) -> u64 {
        u64::from(if tile == self.tiles { self.units } else { tile * self.tile })
    }

    fn in_nodes(&self, units: Range<u64>) -> Range<u64> {
        let unit = u64::from(self.unit);
        units.start * unit..units.end * unit
    }

    /// The middle of a tile, as a range of nodes.
    pub(super) fn middle(&self, tile: u32) -> TileRange {
        let (begin, end) = (self.begin(tile), self.begin(tile + 1));
        let reach = u64::from(self.reach);
        TileRange { held: self.in_nodes(begin..end), turns: self.in_nodes(begin + reach..end - reach) }
    }

    /// Both sides of the border before a tile. Nodes are counted from a node that is twice the reach before the first
    /// tile.
    pub(super) fn border(&self, tile: u32) -> TileRange {
        let (begin, reach) = (self.begin(tile), u64::from(self.reach));
        TileRange {
            held: self.in_nodes(begin..begin + 4 * reach),
            turns: self.in_nodes(begin + reach..begin + 3 * reach),
        }
    }

    /// Whether a neighbour of the node is out of reach.
    #[inline(always)]
    pub(super) fn is_far(&self, node: u32) -> bool {
        match self.far_bits.get(node as usize / 64) {
            None => false,
            Some(word) => word >> (node % 64) & 1 == 1,
        }
    }

    /// Whether any node is far.
    #[inline(always)]
    pub(super) fn has_far(&self) -> bool {
        !self.far_bits.is_empty()
    }

    /// The memory of the lists of far nodes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.far.capacity() * size_of::<u32>() + self.far_bits.capacity() * size_of::<u64>()) as u64
    }
}
