//! [`CheckedPopulation`]: the number of agents, and the pairs that may interact.

use acrasin_catalogue::counted;
use std::fmt;

/// The maximum number of agents: a count is one byte of a configuration, and the pairs of agents have 16-bit numbers.
/// Explorations run out of memory at far fewer agents.
pub const MAX_AGENTS: u32 = 255;

/// The maximum number of directed edges: an edge number has 16 bits. All edges of [`MAX_AGENTS`] nodes fit.
const MAX_ARCS: usize = 1 << 16;

/// A number of agents, and the pairs that may interact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedPopulation {
    pub(super) agents: u32,
    /// The directed edges, initiator first; `None` for the complete graph.
    pub(super) arcs: Option<Vec<[u32; 2]>>,
}

/// Errors of building a population.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CheckedPopulationError {
    /// Fewer than 2 agents, or more than [`MAX_AGENTS`].
    Agents(u32),
    /// An edge with an end outside the graph, or from a node to itself.
    Edge([u32; 2]),
    /// There are too many edges: this number.
    Edges(usize),
}

impl fmt::Display for CheckedPopulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agents(agents) => {
                write!(f, "a population of {} (accepted: 2 to {MAX_AGENTS})", counted(*agents, "agent"))
            }
            Self::Edge([u, v]) => {
                write!(f, "an edge from node {u} to node {v} (accepted: two different nodes)")
            }
            Self::Edges(edges) => write!(
                f,
                "{edges} edges (accepted: at most {}, or {MAX_ARCS} with a direction)",
                MAX_ARCS / 2
            ),
        }
    }
}

impl std::error::Error for CheckedPopulationError {}

impl CheckedPopulation {
    /// The complete graph: any two agents may interact. A configuration is the number of agents in each state.
    ///
    /// # Errors
    ///
    /// [`CheckedPopulationError::Agents`] for too few or too many agents.
    pub fn complete(agents: u32) -> Result<Self, CheckedPopulationError> {
        Self::sized(agents)?;
        Ok(Self { agents, arcs: None })
    }

    /// A graph whose nodes are the agents. Agents interact along undirected edges, with either end as initiator. A
    /// configuration is the state of each node. The graph need not be connected.
    ///
    /// # Errors
    ///
    /// [`CheckedPopulationError`] for too few or too many agents or edges, or an edge with an invalid end.
    pub fn graph(nodes: u32, edges: Vec<[u32; 2]>) -> Result<Self, CheckedPopulationError> {
        if edges.len() > MAX_ARCS / 2 {
            return Err(CheckedPopulationError::Edges(edges.len()));
        }
        Self::directed(nodes, edges.into_iter().flat_map(|[u, v]| [[u, v], [v, u]]).collect())
    }

    /// A directed graph: the first end of each edge is the initiator.
    ///
    /// # Errors
    ///
    /// The errors of [`graph`](Self::graph).
    pub fn directed(nodes: u32, arcs: Vec<[u32; 2]>) -> Result<Self, CheckedPopulationError> {
        Self::sized(nodes)?;
        if arcs.len() > MAX_ARCS {
            return Err(CheckedPopulationError::Edges(arcs.len()));
        }
        match arcs.iter().find(|[u, v]| u == v || *u >= nodes || *v >= nodes) {
            Some(&edge) => Err(CheckedPopulationError::Edge(edge)),
            None => Ok(Self { agents: nodes, arcs: Some(arcs) }),
        }
    }

    fn sized(agents: u32) -> Result<(), CheckedPopulationError> {
        if (2..=MAX_AGENTS).contains(&agents) { Ok(()) } else { Err(CheckedPopulationError::Agents(agents)) }
    }

    /// The number of agents.
    #[must_use]
    pub fn agents(&self) -> u32 {
        self.agents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert!(CheckedPopulation::complete(2).is_ok() && CheckedPopulation::complete(MAX_AGENTS).is_ok());
        assert_eq!(CheckedPopulation::complete(1), Err(CheckedPopulationError::Agents(1)));
        assert_eq!(CheckedPopulation::complete(MAX_AGENTS + 1), Err(CheckedPopulationError::Agents(256)));
        assert_eq!(
            CheckedPopulation::graph(3, vec![[0, 1], [2, 3]]),
            Err(CheckedPopulationError::Edge([2, 3]))
        );
        assert_eq!(CheckedPopulation::graph(3, vec![[1, 1]]), Err(CheckedPopulationError::Edge([1, 1])));
        assert!(CheckedPopulation::graph(3, vec![[0, 1]; MAX_ARCS / 2]).is_ok());
        assert_eq!(
            CheckedPopulation::graph(3, vec![[0, 1]; MAX_ARCS / 2 + 1]),
            Err(CheckedPopulationError::Edges(32769))
        );
    }
}
