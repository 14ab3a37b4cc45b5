//! The triangular lattice: an open patch and a torus.
//!
//! Node `(row, column)` is adjacent to `(row, column ± 1)`, `(row ± 1, column)`, `(row + 1, column - 1)` and `(row -
//! 1, column + 1)`. These are axial coordinates, in which a rectangle of numbers is a rhombus of the lattice.

use super::entry::{FamilyEntry, FamilyForm};
use super::lattice::{SIDES, Sides, lattice};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The catalogue entry of [`triangular`].
pub const TRIANGULAR: FamilyEntry = FamilyEntry {
    name: "Triangular",
    title: "triangular",
    summary: "rhombic patch of the triangular lattice, degree up to 6",
    parameters: SIDES,
    draws: false,
    size: |values| Sides::of(values).size(3),
    make: |values, _| triangular(Sides::of(values)),
    form: FamilyForm::Rows { is_triangular: true, is_torus: false },
    points: None,
};

/// The catalogue entry of [`triangular_torus`].
pub const TRIANGULAR_TORUS: FamilyEntry = FamilyEntry {
    name: "TriangularTorus",
    title: "triangular torus",
    summary: "triangular lattice without boundary, degree 6; sides at least 3",
    parameters: SIDES,
    draws: false,
    size: |values| Sides::of(values).size(3),
    make: |values, _| triangular_torus(Sides::of(values)),
    form: FamilyForm::Rows { is_triangular: true, is_torus: true },
    points: None,
};

/// A rhombic patch of the triangular lattice with open boundary. Inner nodes have degree 6.
///
/// # Errors
///
/// Refuses a side of 0, a product of the sides above [`NODES_MAX`](crate::limits::NODES_MAX), and three times that
/// product above [`EDGES_MAX`](crate::limits::EDGES_MAX).
pub fn triangular(sides: Sides) -> Result<Graph, GraphParameterError> {
    let (rows, columns) = sides.checked("triangular", 1)?;
    lattice("triangular", (rows, columns), |row, column, edges| {
        let node = row * columns + column;
        if column + 1 < columns {
            edges.push((node, node + 1));
        }
        if row + 1 < rows {
            edges.push((node, node + columns));
            if column > 0 {
                edges.push((node, node + columns - 1));
            }
        }
    })
}

/// The triangular lattice on a torus. Every node has degree 6.
///
/// # Errors
///
/// Refuses a side below 3 (it would have parallel edges), and the same sizes as [`triangular`].
pub fn triangular_torus(sides: Sides) -> Result<Graph, GraphParameterError> {
    let (rows, columns) = sides.checked("triangular torus", 3)?;
    lattice("triangular torus", (rows, columns), |row, column, edges| {
        let node = row * columns + column;
        let below = (row + 1) % rows * columns;
        edges.push((node, row * columns + (column + 1) % columns));
        edges.push((node, below + column));
        edges.push((node, below + (column + columns - 1) % columns));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [(i64, i64); 6] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)];

    /// Checks the neighbours of every node against the definition, with `wrap` for the boundary.
    fn check(graph: &Graph, sides: Sides, wrap: impl Fn(i64, i64) -> Option<i64>) {
        let (rows, columns) = (sides.rows as i64, sides.columns as i64);
        let adjacency = graph.adjacency();
        for row in 0..rows {
            for column in 0..columns {
                let mut expected: Vec<u32> = STEPS
                    .iter()
                    .filter_map(|(down, right)| {
                        Some((wrap(row + down, rows)? * columns + wrap(column + right, columns)?) as u32)
                    })
                    .collect();
                expected.sort_unstable();
                assert_eq!(
                    adjacency.neighbours((row * columns + column) as u32),
                    expected,
                    "({row}, {column})"
                );
            }
        }
    }

    #[test]
    fn neighbours_are_those_of_the_definition() {
        for rows in 1..7 {
            for columns in 1..7 {
                let sides = Sides { rows, columns };
                check(&triangular(sides).unwrap(), sides, |at, side| (0..side).contains(&at).then_some(at));
                if rows >= 3 && columns >= 3 {
                    let torus = triangular_torus(sides).unwrap();
                    check(&torus, sides, |at, side| Some(at.rem_euclid(side)));
                    assert!(torus.degrees().iter().all(|&degree| degree == 6));
                }
            }
        }
    }

    #[test]
    fn refused_sides() {
        assert!(triangular(Sides { rows: 3, columns: 0 }).is_err());
        assert!(triangular_torus(Sides { rows: 2, columns: 3 }).is_err());
        // 8192 * 8192 nodes are within the limit, but three times as many edges are not.
        let error = triangular(Sides { rows: 8192, columns: 8192 }).unwrap_err();
        assert_eq!(error.parameter(), "edges");
        assert_eq!(error.found(), "201326592 (1536 MiB)");
    }
}
