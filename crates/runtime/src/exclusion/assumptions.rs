//! What an algorithm needs of its surroundings, and what is refused where they do not give it.

use std::fmt;

use super::{Given, Seating};
use crate::node::NodeId;
use crate::topology::Topology;

/// What an algorithm needs of its surroundings. A world, an exploration and a plan are refused where they ask for less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// Which graphs it runs on.
    pub network: Network,
    /// In which order messages of one direction of an edge arrive.
    pub channels: Channels,
    /// What a node must be given at the start.
    pub given: Given,
}

impl Assumptions {
    /// The weakest: anonymous nodes that are given nothing, any graph that changes at any time, messages that overtake
    /// each other.
    pub const NONE: Self =
        Self { network: Network::Dynamic, channels: Channels::Unordered, given: Given::NOTHING };

    /// Whether messages of one direction of an edge arrive in the order in which they were sent.
    #[inline]
    #[must_use]
    pub fn is_fifo(&self) -> bool {
        matches!(self.channels, Channels::Fifo)
    }

    /// Whether the algorithm runs on a graph that changes.
    ///
    /// # Errors
    ///
    /// [`Unmet::Changes`] if it assumes a static graph.
    pub fn check_changes(&self) -> Result<(), Unmet> {
        if self.network == Network::Dynamic { Ok(()) } else { Err(Unmet::Changes) }
    }

    /// Whether a graph, with what the nodes are given, is as assumed.
    ///
    /// # Errors
    ///
    /// The first assumption that is not met.
    pub fn check_start(&self, topology: &Topology, seating: &Seating) -> Result<(), Unmet> {
        if self.network == Network::Complete {
            let others = topology.node_count().saturating_sub(1);
            let node = topology.nodes().find(|&node| u32::from(topology.degree(node)) != others);
            node.map_or(Ok(()), |node| Err(Unmet::NotComplete { node }))?;
        }
        match (&seating.tree, self.given.tree) {
            (None, true) => return Err(Unmet::NoTree),
            (Some(tree), true) => {
                if tree.node_count() != topology.node_count() {
                    return Err(Unmet::OtherNodes { given: tree.node_count(), nodes: topology.node_count() });
                }
                for node in topology.nodes() {
                    if let Some(father) = tree.father(node).filter(|&father| !topology.adjacent(node, father))
                    {
                        return Err(Unmet::NoTreeEdge { node, father });
                    }
                }
            }
            (_, false) => {}
        }
        let bounds = seating.bounds.len() as u32;
        if self.given.bounds && bounds != topology.node_count() {
            return Err(Unmet::NoBounds { given: bounds, nodes: topology.node_count() });
        }
        Ok(())
    }
}

/// Which graphs an algorithm runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// Any, and it may change while the algorithm runs.
    Dynamic,
    /// Any that does not change.
    Static,
    /// One in which every two nodes are adjacent, and which does not change.
    Complete,
}

/// In which order messages of one direction of an edge arrive. They may take any time in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channels {
    /// In any order.
    Unordered,
    /// In the order in which they were sent.
    Fifo,
}

/// An assumption of an algorithm that is not met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unmet {
    /// The graph is to change.
    Changes,
    /// Not every two nodes are adjacent.
    NotComplete {
        /// A node that misses a neighbour.
        node: NodeId,
    },
    /// No tree is given.
    NoTree,
    /// The tree is one of another number of nodes.
    OtherNodes {
        /// How many the tree has.
        given: u32,
        /// How many there are.
        nodes: u32,
    },
    /// A node and its father in the tree are not adjacent.
    NoTreeEdge {
        /// The node.
        node: NodeId,
        /// Its father.
        father: NodeId,
    },
    /// Bounds are not given for each node.
    NoBounds {
        /// For how many they are.
        given: u32,
        /// How many there are.
        nodes: u32,
    },
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changes => {
                f.write_str("the algorithm assumes a static graph: no edge may appear or vanish")
            }
            Self::NotComplete { node } => {
                write!(f, "the algorithm assumes a complete graph, but node {node} misses a neighbour")
            }
            Self::NoTree => f.write_str("the algorithm assumes a rooted tree, and none is given"),
            Self::OtherNodes { given, nodes } => {
                write!(f, "the tree has {given} nodes, but the graph has {nodes}")
            }
            Self::NoTreeEdge { node, father } => {
                write!(f, "node {node} and its father {father} in the tree are not adjacent")
            }
            Self::NoBounds { given, nodes } => {
                write!(f, "the algorithm assumes bounds for each of {nodes} nodes, and {given} are given")
            }
        }
    }
}

impl std::error::Error for Unmet {}
