//! Why the graph cannot change so.

use std::fmt;

use acrasin_runtime::TopologyError;

/// A change that the graph does not allow. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChangeError {
    /// The nodes, ports or edges are not such that it can be.
    Topology(TopologyError),
    /// On a lattice only edges of the lattice come and go.
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
                f.write_str("the edge is not one of the lattice: take a port table for a graph that is none")
            }
        }
    }
}

impl std::error::Error for ChangeError {}
