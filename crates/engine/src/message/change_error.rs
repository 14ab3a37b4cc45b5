//! Errors of changing the graph.

use std::fmt;

use acrasin_runtime::TopologyError;

/// The error of a change that the graph does not allow. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChangeError {
    /// There is no such node, port or edge, or the port is taken.
    Topology(TopologyError),
    /// The edge is not an edge of the lattice. Only edges of the lattice can appear and vanish.
    NotOfTheLattice,
}

impl From<TopologyError> for ChangeError {
    fn from(error: TopologyError) -> Self {
        Self::Topology(error)
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Topology(error) => error.fmt(f),
            Self::NotOfTheLattice => {
                f.write_str("the edge is not one of the lattice: take a port table for any other graph")
            }
        }
    }
}

impl std::error::Error for ChangeError {}
