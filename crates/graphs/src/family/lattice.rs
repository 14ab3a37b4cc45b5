//! Square lattices: grid and torus.

use acrasin_catalogue::parameter::{Parameter, ParameterKind, Values};

use super::entry::{FamilyEntry, FamilyForm, FamilySize};
use super::size::{built, edge_count, node_count};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The parameters of a lattice in a scenario.
pub(super) const SIDES: &[Parameter] = &[
    Parameter::required("rows", ParameterKind::Count, "number of rows"),
    Parameter::required("columns", ParameterKind::Count, "number of columns"),
];

/// The catalogue entry of [`grid`].
pub const GRID: FamilyEntry = FamilyEntry {
    name: "Grid",
    title: "grid",
    summary: "square lattice, open boundary, degree up to 4",
    parameters: SIDES,
    draws: false,
    size: |values| Sides::of(values).size(2),
    make: |values, _| grid(Sides::of(values)),
    form: FamilyForm::Rows { is_triangular: false, is_torus: false },
    points: None,
};

/// The catalogue entry of [`torus`].
pub const TORUS: FamilyEntry = FamilyEntry {
    name: "Torus",
    title: "torus",
    summary: "square lattice without boundary, degree 4; sides at least 3",
    parameters: SIDES,
    draws: false,
    size: |values| Sides::of(values).size(2),
    make: |values, _| torus(Sides::of(values)),
    form: FamilyForm::Rows { is_triangular: false, is_torus: true },
    points: None,
};

/// The sides of a lattice. Node `(row, column)` has number `row * columns + column`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sides {
    /// The number of rows.
    pub rows: u64,
    /// The number of columns.
    pub columns: u64,
}

impl Sides {
    pub(super) fn of(values: &Values) -> Self {
        Self { rows: values.count_of("rows"), columns: values.count_of("columns") }
    }

    pub(super) fn size(self, edges_per_node: u128) -> FamilySize {
        let nodes = u128::from(self.rows) * u128::from(self.columns);
        FamilySize { nodes, edges: nodes.saturating_mul(edges_per_node) }
    }

    /// The sides, checked: at least `min`, with a product within the limit of nodes.
    pub(super) fn checked(self, family: &'static str, min: u64) -> Result<(u32, u32), GraphParameterError> {
        for (parameter, side) in [("rows", self.rows), ("columns", self.columns)] {
            if side < min {
                return Err(GraphParameterError::new(family, parameter, side, format!("{min} or more")));
            }
        }
        let product = u64::try_from(u128::from(self.rows) * u128::from(self.columns)).unwrap_or(u64::MAX);
        if node_count(family, product, 1).is_err() {
            let accepted = format!("a product of at most {} nodes", crate::limits::NODES_MAX);
            let found = format!("{} * {}", self.rows, self.columns);
            return Err(GraphParameterError::new(family, "rows * columns", found, accepted));
        }
        Ok((self.rows as u32, self.columns as u32))
    }
}

/// The grid with open boundary: each node is adjacent to the next one in its row and in its column.
///
/// # Errors
///
/// Refuses a side of 0, and a product of the sides above [`NODES_MAX`](crate::limits::NODES_MAX).
pub fn grid(sides: Sides) -> Result<Graph, GraphParameterError> {
    let (rows, columns) = sides.checked("grid", 1)?;
    lattice("grid", (rows, columns), |row, column, edges| {
        let node = row * columns + column;
        if column + 1 < columns {
            edges.push((node, node + 1));
        }
        if row + 1 < rows {
            edges.push((node, node + columns));
        }
    })
}

/// The torus: a grid whose opposite sides are adjacent. Every node has degree 4.
///
/// # Errors
///
/// Refuses a side below 3 (it would have parallel edges), and a product of the sides above
/// [`NODES_MAX`](crate::limits::NODES_MAX).
pub fn torus(sides: Sides) -> Result<Graph, GraphParameterError> {
    let (rows, columns) = sides.checked("torus", 3)?;
    lattice("torus", (rows, columns), |row, column, edges| {
        let node = row * columns + column;
        edges.push((node, row * columns + (column + 1) % columns));
        edges.push((node, (row + 1) % rows * columns + column));
    })
}

/// Builds a lattice. `edges_of(row, column, edges)` adds at most three edges for each node.
pub(super) fn lattice(
    family: &'static str,
    (rows, columns): (u32, u32),
    edges_of: impl Fn(u32, u32, &mut Vec<(u32, u32)>),
) -> Result<Graph, GraphParameterError> {
    let nodes = u64::from(rows) * u64::from(columns);
    let mut counted = Vec::with_capacity(3);
    let mut edges = Vec::new();
    // An inner node has the most edges, which bounds the edges of all nodes.
    edges_of(rows / 2, columns / 2, &mut counted);
    edges.reserve(edge_count(family, u128::from(nodes) * counted.len() as u128)?);
    for row in 0..rows {
        for column in 0..columns {
            edges_of(row, column, &mut edges);
        }
    }
    Ok(built(Graph::from_unsorted(nodes, edges)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adjacent nodes differ by one in exactly one coordinate, in the `distance` of this boundary.
    fn check(graph: &Graph, sides: Sides, distance: impl Fn(u64, u64, u64) -> u64) {
        let place = |node: u64| (node / sides.columns, node % sides.columns);
        let nodes = sides.rows * sides.columns;
        let mut expected = Vec::new();
        for u in 0..nodes {
            for v in u + 1..nodes {
                let ((row, column), (other_row, other_column)) = (place(u), place(v));
                if distance(row, other_row, sides.rows) + distance(column, other_column, sides.columns) == 1 {
                    expected.push((u as u32, v as u32));
                }
            }
        }
        assert_eq!(graph.edges(), expected);
    }

    #[test]
    fn adjacent_means_distance_one() {
        for rows in 1..6 {
            for columns in 1..6 {
                let sides = Sides { rows, columns };
                check(&grid(sides).unwrap(), sides, |a, b, _| a.abs_diff(b));
                if rows >= 3 && columns >= 3 {
                    let torus = torus(sides).unwrap();
                    check(&torus, sides, |a, b, side| a.abs_diff(b).min(side - a.abs_diff(b)));
                    assert!(torus.degrees().iter().all(|&degree| degree == 4));
                }
            }
        }
    }

    #[test]
    fn refused_sides() {
        for (graph, message) in [
            (grid(Sides { rows: 0, columns: 3 }), "grid: rows = 0; accepted: 1 or more"),
            (torus(Sides { rows: 3, columns: 2 }), "torus: columns = 2; accepted: 3 or more"),
            (
                grid(Sides { rows: 1 << 13, columns: (1 << 13) + 1 }),
                "grid: rows * columns = 8192 * 8193; accepted: a product of at most 67108864 nodes",
            ),
            (
                torus(Sides { rows: u64::MAX, columns: u64::MAX }),
                "torus: rows * columns = 18446744073709551615 * 18446744073709551615; \
                 accepted: a product of at most 67108864 nodes",
            ),
        ] {
            assert_eq!(graph.unwrap_err().to_string(), message);
        }
        // The sides are accepted at the limit. A lattice of that size would take a gigabyte, so only the check runs.
        assert_eq!(Sides { rows: 1 << 13, columns: 1 << 13 }.checked("grid", 1), Ok((1 << 13, 1 << 13)));
    }
}
