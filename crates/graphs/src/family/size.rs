//! Checks of the sizes of generated graphs.

use crate::graph::{Graph, GraphError};
use crate::limits::{EDGES_MAX, NODES_MAX};
use crate::parameter::GraphParameterError;

/// The number of nodes, if it is between `min` and the limit.
pub(super) fn node_count(family: &'static str, nodes: u64, min: u32) -> Result<u32, GraphParameterError> {
    u32::try_from(nodes)
        .ok()
        .filter(|nodes| (min..=NODES_MAX).contains(nodes))
        .ok_or_else(|| GraphParameterError::new(family, "nodes", nodes, format!("{min} to {NODES_MAX}")))
}

/// The number of edges, if it is within the limit.
pub(super) fn edge_count(family: &'static str, edges: u128) -> Result<usize, GraphParameterError> {
    if edges > u128::from(EDGES_MAX) {
        let accepted = format!("up to {EDGES_MAX} edges ({} MiB)", EDGES_MAX >> 17);
        return Err(GraphParameterError::new(
            family,
            "edges",
            format!("{edges} ({} MiB)", edges >> 17),
            accepted,
        ));
    }
    Ok(edges as usize)
}

/// Unwraps the graph of a generator.
///
/// # Panics
///
/// Panics if its edges are not a simple graph, which is a defect of the generator.
pub(super) fn built(graph: Result<Graph, GraphError>) -> Graph {
    graph.unwrap_or_else(|error| panic!("a generator made {error}"))
}
