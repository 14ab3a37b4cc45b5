//! Why an instance is not explored.

use std::fmt;

use acrasin_runtime::TopologyError;
use acrasin_runtime::exclusion::Unmet;

use super::reduction::ReductionError;

/// Why an instance is not explored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RefusedInstance {
    /// There is no such graph, or it is too large.
    Topology(TopologyError),
    /// The algorithm assumes what is not so.
    Unmet(Unmet),
    /// A reduction does not hold there.
    Reduction(ReductionError),
}

impl fmt::Display for RefusedInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Topology(error) => error.fmt(f),
            Self::Unmet(unmet) => unmet.fmt(f),
            Self::Reduction(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RefusedInstance {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Topology(error) => Some(error),
            Self::Unmet(unmet) => Some(unmet),
            Self::Reduction(error) => Some(error),
        }
    }
}

impl From<TopologyError> for RefusedInstance {
    fn from(error: TopologyError) -> Self {
        Self::Topology(error)
    }
}

impl From<ReductionError> for RefusedInstance {
    fn from(error: ReductionError) -> Self {
        Self::Reduction(error)
    }
}

impl From<Unmet> for RefusedInstance {
    fn from(unmet: Unmet) -> Self {
        Self::Unmet(unmet)
    }
}
