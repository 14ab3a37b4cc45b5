//! Rings and tori without a list of their edges.

/// A ring, or a torus in which each node has four neighbours. Edges are computed from their numbers.
///
/// Nodes of a torus are numbered row by row. Edges are numbered as in the sorted list of pairs `[lower, higher]`, so
/// that a drawn number means the same edge with and without a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TorusShape {
    /// A ring, in which every agent has two neighbours.
    Ring {
        /// The number of nodes, at least 3.
        nodes: u32,
    },
    /// A torus, in which every agent has four neighbours.
    Torus {
        /// The number of rows, at least 3.
        rows: u32,
        /// The number of columns, at least 3.
        columns: u32,
    },
}

impl TorusShape {
    /// The maximum number of nodes. Numbers of edges then fit in 32 bits.
    pub const NODES_MAX: u64 = 1 << 31;

    /// The number of nodes.
    #[must_use]
    pub fn nodes(self) -> u64 {
        match self {
            Self::Ring { nodes } => nodes.into(),
            Self::Torus { rows, columns } => u64::from(rows) * u64::from(columns),
        }
    }

    /// The number of edges.
    #[must_use]
    pub fn edge_count(self) -> u64 {
        match self {
            Self::Ring { .. } => self.nodes(),
            Self::Torus { .. } => 2 * self.nodes(),
        }
    }

    /// Whether no side is below 3, and the number of nodes is at most [`TorusShape::NODES_MAX`].
    #[must_use]
    pub fn is_sound(self) -> bool {
        let shortest = match self {
            Self::Ring { nodes } => nodes,
            Self::Torus { rows, columns } => rows.min(columns),
        };
        shortest >= 3 && self.nodes() <= Self::NODES_MAX
    }
}

/// Finds the ends of edges by number, without a division.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeNumbers {
    shape: TorusShape,
    /// 2^64 divided by the number of edges of an inner row, rounded up. The upper half of a product with this value is
    /// the quotient of a division by that number of edges.
    inverse: u64,
}

impl EdgeNumbers {
    pub(super) fn new(shape: TorusShape) -> Self {
        let inverse = match shape {
            TorusShape::Ring { .. } => 0,
            TorusShape::Torus { columns, .. } => u64::MAX / (2 * u64::from(columns)) + 1,
        };
        Self { shape, inverse }
    }

    pub(super) fn shape(&self) -> TorusShape {
        self.shape
    }

    /// The ends of an edge, lower first. The number is below [`TorusShape::edge_count`].
    #[inline]
    pub(super) fn ends(&self, edge: u32) -> [u32; 2] {
        match self.shape {
            // The first two edges are those of node 0.
            TorusShape::Ring { .. } if edge >= 2 => [edge - 1, edge],
            TorusShape::Ring { nodes } => [0, if edge == 0 { 1 } else { nodes - 1 }],
            TorusShape::Torus { rows, columns } => {
                // As if every row had two edges per node, and the first row came after as many more.
                let shifted = edge.wrapping_sub(columns);
                let row = ((u128::from(shifted) * u128::from(self.inverse)) >> 64) as u32;
                let place = shifted.wrapping_sub(row.wrapping_mul(2 * columns));
                // Inner nodes of inner rows have two edges each; before them come three of the first node, after them
                // one of the last.
                if edge >= 3 * columns && row < rows - 1 && place >= 3 && place + 1 < 2 * columns {
                    let node = row * columns + (place - 1) / 2;
                    return [node, node + if place & 1 == 1 { 1 } else { columns }];
                }
                Self::border([rows, columns], edge)
            }
        }
    }

    /// The ends of an edge in the first or last row or column, in which edges wrap around.
    #[cold]
    fn border([rows, columns]: [u32; 2], edge: u32) -> [u32; 2] {
        // Edges of the first node, and of each one after it, to higher nodes.
        let (row, place, first, each) = if edge < 3 * columns {
            (0, edge, 4, 3)
        } else {
            let row = (edge - columns) / (2 * columns);
            let place = edge - columns - row * 2 * columns;
            if row == rows - 1 { (row, place, 2, 1) } else { (row, place, 3, 2) }
        };
        let (column, nth) =
            if place < first { (0, place) } else { (1 + (place - first) / each, (place - first) % each) };
        let node = row * columns + column;
        let higher = [
            (column + 1 < columns).then_some(node + 1),
            (column == 0).then_some(node + columns - 1),
            (row + 1 < rows).then_some(node + columns),
            (row == 0).then(|| node + (rows - 1) * columns),
        ];
        let end = higher.into_iter().flatten().nth(nth as usize).expect("the edge is below the edge count");
        [node, end]
    }
}

#[cfg(test)]
mod tests {
    use super::{EdgeNumbers, TorusShape};

    /// All edges, sorted; each joins a node to the next node in its row or column.
    fn listed(shape: TorusShape) -> Vec<[u32; 2]> {
        let mut edges = Vec::new();
        let mut add = |u: u32, v: u32| edges.push([u.min(v), u.max(v)]);
        match shape {
            TorusShape::Ring { nodes } => (0..nodes).for_each(|node| add(node, (node + 1) % nodes)),
            TorusShape::Torus { rows, columns } => {
                for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                    add(row * columns + column, row * columns + (column + 1) % columns);
                    add(row * columns + column, (row + 1) % rows * columns + column);
                }
            }
        }
        edges.sort_unstable();
        edges
    }

    #[test]
    fn numbers_are_those_of_the_sorted_list() {
        let tori = (3..9).flat_map(|rows| (3..9).map(move |columns| TorusShape::Torus { rows, columns }));
        let rings = (3..9).map(|nodes| TorusShape::Ring { nodes });
        for shape in tori.chain(rings).chain([TorusShape::Torus { rows: 331, columns: 1009 }]) {
            let numbers = EdgeNumbers::new(shape);
            let found: Vec<_> = (0..shape.edge_count() as u32).map(|edge| numbers.ends(edge)).collect();
            assert_eq!(found, listed(shape), "{shape:?}");
        }
    }

    /// The quotient that is computed by a product is exact for all edge numbers, for any sides.
    #[test]
    fn the_largest_tori_have_their_last_edges() {
        for (rows, columns) in [(3, 715_827_882), (715_827_882, 3), (46_340, 46_340)] {
            let shape = TorusShape::Torus { rows, columns };
            assert!(shape.is_sound());
            let numbers = EdgeNumbers::new(shape);
            let last = shape.nodes() as u32 - 1;
            // The last edge but `columns` leads down to the last node.
            assert_eq!(
                numbers.ends((shape.edge_count() - u64::from(columns) - 1) as u32),
                [last - columns, last]
            );
            assert_eq!(numbers.ends((shape.edge_count() - 1) as u32), [last - 1, last]);
        }
        assert!(!TorusShape::Torus { rows: 2, columns: 9 }.is_sound());
        assert!(!TorusShape::Torus { rows: 1 << 16, columns: (1 << 15) + 1 }.is_sound());
    }
}
