//! What a family does not accept.

use std::error::Error;
use std::fmt;

use crate::graph::{Graph, GraphError};
use crate::limits::{EDGES_MAX, NODES_MAX};

/// A parameter that a graph family does not accept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FamilyError {
    family: &'static str,
    parameter: &'static str,
    found: String,
    accepted: String,
}

impl FamilyError {
    pub(crate) fn new(
        family: &'static str,
        parameter: &'static str,
        found: impl fmt::Display,
        accepted: impl Into<String>,
    ) -> Self {
        Self { family, parameter, found: found.to_string(), accepted: accepted.into() }
    }

    /// The name of the family.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.family
    }

    /// The parameter, or the product of parameters, that is refused.
    #[must_use]
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// Its value.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What would be accepted.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} = {}; accepted: {}", self.family, self.parameter, self.found, self.accepted)
    }
}

impl Error for FamilyError {}

/// The number of nodes, if it is between `min` and the limit.
pub(super) fn node_count(family: &'static str, nodes: u64, min: u32) -> Result<u32, FamilyError> {
    u32::try_from(nodes)
        .ok()
        .filter(|nodes| (min..=NODES_MAX).contains(nodes))
        .ok_or_else(|| FamilyError::new(family, "nodes", nodes, format!("{min} to {NODES_MAX}")))
}

/// The number of edges, if it is within the limit.
pub(super) fn edge_count(family: &'static str, edges: u128) -> Result<usize, FamilyError> {
    if edges > u128::from(EDGES_MAX) {
        let accepted = format!("up to {EDGES_MAX} edges ({} MiB)", EDGES_MAX >> 17);
        return Err(FamilyError::new(family, "edges", format!("{edges} ({} MiB)", edges >> 17), accepted));
    }
    Ok(edges as usize)
}

/// The graph of edges that a generator made.
///
/// # Panics
///
/// Panics if they are not a simple graph: a fault of the generator.
pub(super) fn built(graph: Result<Graph, GraphError>) -> Graph {
    graph.unwrap_or_else(|error| panic!("a generator made {error}"))
}
