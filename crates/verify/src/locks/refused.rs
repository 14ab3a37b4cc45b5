//! [`RefusedInstance`]: errors of building the model of an instance.

use std::fmt;

use acrasin_runtime::TopologyError;
use acrasin_runtime::exclusion::AssumptionError;

use super::reduction::ReductionError;

/// Errors of building the model of an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RefusedInstance {
    /// The edges are not a graph, or the graph is too large.
    Topology(TopologyError),
    /// An assumption of the algorithm does not hold.
    Assumption(AssumptionError),
    /// A reduction cannot be applied.
    Reduction(ReductionError),
}

impl fmt::Display for RefusedInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Topology(error) => error.fmt(f),
            Self::Assumption(unmet) => unmet.fmt(f),
            Self::Reduction(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RefusedInstance {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Topology(error) => Some(error),
            Self::Assumption(unmet) => Some(unmet),
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

impl From<AssumptionError> for RefusedInstance {
    fn from(unmet: AssumptionError) -> Self {
        Self::Assumption(unmet)
    }
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::exclusion::local::Local;
    use acrasin_runtime::{Demand, LockOnly};

    use super::*;
    use crate::locks::{Instance, LockModel, Reductions};
    use crate::properties;

    #[test]
    fn unsupported_explorations_are_refused() {
        let local = Local::new(1).with_priorities(2).unwrap();
        let edge = Instance::new(local, LockOnly, &[(0, 1)], vec![Demand::Times(1); 2]);
        let properties = properties::all();
        let far = Instance { edges: vec![(0, 7)], ..edge.clone() };
        let large = LockModel::new(far, &properties).err();
        assert!(matches!(large, Some(RefusedInstance::Topology(_))));
        // Eight equal nodes without edges have 8! symmetries.
        let alike = Instance { nodes: 8, edges: Vec::new(), states: vec![Demand::Times(1); 8], ..edge };
        let symmetric = Reductions { symmetry: true, ..Reductions::NONE };
        assert!(LockModel::new(alike, &properties).unwrap().with_reductions(symmetric).is_err());
    }
}
