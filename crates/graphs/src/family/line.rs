//! Path, ring, star and complete graph.

use super::entry::{FamilyEntry, FamilyForm, FamilySize, NODES};
use super::size::{built, edge_count, node_count};
use crate::graph::Graph;
use crate::parameter::GraphParameterError;

/// The catalogue entry of [`path`].
pub const PATH: FamilyEntry = FamilyEntry {
    name: "Path",
    title: "path",
    summary: "nodes in a line",
    parameters: &[NODES],
    draws: false,
    size: |values| FamilySize::of(values.count_of("nodes"), 1),
    make: |values, _| path(values.count_of("nodes")),
    form: FamilyForm::Path,
    points: None,
};

/// The catalogue entry of [`ring`].
pub const RING: FamilyEntry = FamilyEntry {
    name: "Ring",
    title: "ring",
    summary: "nodes in a circle; at least 3",
    parameters: &[NODES],
    draws: false,
    size: |values| FamilySize::of(values.count_of("nodes"), 1),
    make: |values, _| ring(values.count_of("nodes")),
    form: FamilyForm::Ring,
    points: None,
};

/// The catalogue entry of [`star`].
pub const STAR: FamilyEntry = FamilyEntry {
    name: "Star",
    title: "star",
    summary: "node 0 is adjacent to all others; at least 2 nodes",
    parameters: &[NODES],
    draws: false,
    size: |values| FamilySize::of(values.count_of("nodes"), 1),
    make: |values, _| star(values.count_of("nodes")),
    form: FamilyForm::Star,
    points: None,
};

/// The catalogue entry of [`complete`].
pub const COMPLETE: FamilyEntry = FamilyEntry {
    name: "Complete",
    title: "complete",
    summary: "every two nodes are adjacent; at most 16384 nodes",
    parameters: &[NODES],
    draws: false,
    size: |values| FamilySize::of_pairs(values.count_of("nodes"), 1.0),
    make: |values, _| complete(values.count_of("nodes")),
    form: FamilyForm::Complete,
    points: None,
};

/// The path `0 - 1 - ... - (nodes - 1)`.
///
/// # Errors
///
/// Refuses 0 nodes, and more than [`NODES_MAX`](crate::limits::NODES_MAX).
pub fn path(nodes: u64) -> Result<Graph, GraphParameterError> {
    let nodes = node_count("path", nodes, 1)?;
    Ok(built(Graph::new(nodes.into(), (1..nodes).map(|v| (v - 1, v)).collect())))
}

/// The ring: a path whose ends are adjacent.
///
/// # Errors
///
/// Refuses fewer than 3 nodes (a ring of two would have parallel edges, a ring of one a self-loop), and more than
/// [`NODES_MAX`](crate::limits::NODES_MAX).
pub fn ring(nodes: u64) -> Result<Graph, GraphParameterError> {
    let nodes = node_count("ring", nodes, 3)?;
    let mut edges = Vec::with_capacity(nodes as usize);
    edges.extend([(0, 1), (0, nodes - 1)]);
    edges.extend((2..nodes).map(|v| (v - 1, v)));
    Ok(built(Graph::new(nodes.into(), edges)))
}

/// The star: node 0 is adjacent to all others.
///
/// # Errors
///
/// Refuses fewer than 2 nodes (no leaf), and more than [`NODES_MAX`](crate::limits::NODES_MAX).
pub fn star(nodes: u64) -> Result<Graph, GraphParameterError> {
    let nodes = node_count("star", nodes, 2)?;
    Ok(built(Graph::new(nodes.into(), (1..nodes).map(|v| (0, v)).collect())))
}

/// The complete graph: every two nodes are adjacent.
///
/// # Errors
///
/// Refuses 0 nodes, and more than 16 384: the edges, `nodes (nodes - 1) / 2`, are limited by
/// [`EDGES_MAX`](crate::limits::EDGES_MAX).
pub fn complete(nodes: u64) -> Result<Graph, GraphParameterError> {
    let nodes = node_count("complete", nodes, 1)?;
    let mut edges = Vec::with_capacity(edge_count("complete", pairs(nodes))?);
    edges.extend((0..nodes).flat_map(|u| (u + 1..nodes).map(move |v| (u, v))));
    Ok(built(Graph::new(nodes.into(), edges)))
}

/// The number of unordered pairs of nodes.
pub(super) fn pairs(nodes: u32) -> u128 {
    let nodes = u128::from(nodes);
    nodes * (nodes - 1) / 2
}

#[cfg(test)]
mod tests {
    use petgraph::graph::UnGraph;
    use rustworkx_core::generators;

    use super::*;

    fn edges_of(reference: &UnGraph<(), ()>) -> Graph {
        let edges = reference.raw_edges().iter();
        let edges = edges.map(|edge| (edge.source().index() as u32, edge.target().index() as u32)).collect();
        Graph::from_unsorted(reference.node_count() as u64, edges).unwrap()
    }

    #[test]
    fn equal_to_an_independent_library() {
        for nodes in 3..20 {
            let n = Some(nodes as usize);
            let unit = || ();
            let reference = generators::path_graph(n, None, unit, unit, false).unwrap();
            assert_eq!(path(nodes).unwrap(), edges_of(&reference));
            let reference = generators::cycle_graph(n, None, unit, unit, false).unwrap();
            assert_eq!(ring(nodes).unwrap(), edges_of(&reference));
            let reference = generators::star_graph(n, None, unit, unit, false, false).unwrap();
            assert_eq!(star(nodes).unwrap(), edges_of(&reference));
            let reference = generators::complete_graph(n, None, unit, unit).unwrap();
            assert_eq!(complete(nodes).unwrap(), edges_of(&reference));
        }
    }

    #[test]
    fn the_smallest_of_each_and_one_smaller() {
        assert_eq!(path(1).unwrap().edges(), []);
        assert_eq!(ring(3).unwrap().edges(), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(star(2).unwrap().edges(), [(0, 1)]);
        assert_eq!(complete(1).unwrap().edges(), []);
        for refused in [path(0), ring(2), star(1), complete(0)] {
            let error = refused.unwrap_err();
            assert_eq!(error.parameter(), "nodes");
            assert!(error.accepted().ends_with(" to 67108864"), "{error}");
        }
    }

    #[test]
    fn one_past_the_limit_is_refused_before_allocation() {
        assert_eq!(path((1 << 26) + 1).unwrap_err().found(), "67108865");
        assert_eq!(ring(u64::MAX).unwrap_err().found(), u64::MAX.to_string());
        assert_eq!(edge_count("complete", pairs(16_384)), Ok(134_209_536));
        assert_eq!(complete(16_385).unwrap_err().to_string(), {
            "complete: edges = 134225920 (1024 MiB); accepted: up to 134217728 edges (1024 MiB)"
        });
    }
}
