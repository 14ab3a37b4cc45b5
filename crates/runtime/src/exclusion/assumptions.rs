//! [`Assumptions`] of an algorithm about the graph, the channels and the initial knowledge, and the errors if they do
//! not hold.

use std::fmt;

use super::{Bounds, Given, InitialKnowledge};
use crate::node::NodeId;
use crate::topology::Topology;

/// The requirements of an algorithm on graph, channels and initial knowledge. A world, exploration or plan that does
/// not meet them is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// The graphs on which the algorithm is correct.
    pub network: RequiredGraph,
    /// The order in which messages in one direction of an edge arrive.
    pub channels: Channels,
    /// The knowledge that a node needs at the start.
    pub given: Given,
}

impl Assumptions {
    /// The weakest assumptions: anonymous nodes without initial knowledge, any graph that changes at any time, and
    /// messages that may overtake each other.
    pub const NONE: Self =
        Self { network: RequiredGraph::Dynamic, channels: Channels::Unordered, given: Given::NOTHING };

    /// Whether messages in one direction of an edge arrive in the order in which they were sent.
    #[inline]
    #[must_use]
    pub fn is_fifo(&self) -> bool {
        matches!(self.channels, Channels::Fifo)
    }

    /// Checks that the algorithm accepts a graph that changes.
    ///
    /// # Errors
    ///
    /// [`AssumptionError::Changes`] if it assumes a static graph.
    pub fn check_changes(&self) -> Result<(), AssumptionError> {
        if self.network == RequiredGraph::Dynamic { Ok(()) } else { Err(AssumptionError::Changes) }
    }

    /// Checks that a graph and the initial knowledge of its nodes are as assumed.
    ///
    /// # Errors
    ///
    /// The first assumption that does not hold.
    pub fn check_start(
        &self,
        topology: &Topology,
        knowledge: &InitialKnowledge,
    ) -> Result<(), AssumptionError> {
        if self.network == RequiredGraph::Complete {
            let others = topology.node_count().saturating_sub(1);
            let node = topology.nodes().find(|&node| u32::from(topology.degree(node)) != others);
            node.map_or(Ok(()), |node| Err(AssumptionError::NotComplete { node }))?;
        }
        match (&knowledge.tree, self.given.tree) {
            (None, true) => return Err(AssumptionError::NoTree),
            (Some(tree), true) => {
                if tree.node_count() != topology.node_count() {
                    return Err(AssumptionError::OtherNodes {
                        given: tree.node_count(),
                        nodes: topology.node_count(),
                    });
                }
                for node in topology.nodes() {
                    if let Some(father) = tree.father(node).filter(|&father| !topology.adjacent(node, father))
                    {
                        return Err(AssumptionError::NoTreeEdge { node, father });
                    }
                }
            }
            (_, false) => {}
        }
        let bounds = knowledge.bounds.len() as u32;
        let nodes = topology.node_count();
        if self.given.bounds && bounds != nodes {
            return Err(AssumptionError::NoBounds { given: bounds, nodes });
        }
        let inside = knowledge.inside.len() as u32;
        if self.given.start && inside != 0 && inside != nodes {
            return Err(AssumptionError::NoStart { given: inside, nodes });
        }
        if let Some(leader) = knowledge.leader.filter(|leader| self.given.leader && leader.0 >= nodes) {
            return Err(AssumptionError::NoSuchLeader { leader });
        }
        Ok(())
    }
}

/// The graphs on which an algorithm is correct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequiredGraph {
    /// Any graph; it may change while the algorithm runs.
    Dynamic,
    /// Any graph that does not change.
    Static,
    /// A complete graph, which does not change.
    Complete,
}

/// The order in which messages in one direction of an edge arrive. Delays are arbitrary in either case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channels {
    /// Messages in one direction of an edge may overtake each other.
    Unordered,
    /// Messages arrive in the order in which they were sent.
    Fifo,
}

/// An assumption of an algorithm that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AssumptionError {
    /// The graph may change during the run.
    Changes,
    /// The graph is not complete.
    NotComplete {
        /// A node that is not adjacent to all others.
        node: NodeId,
    },
    /// No tree is given.
    NoTree,
    /// The tree and the graph have different numbers of nodes.
    OtherNodes {
        /// The number of nodes of the tree.
        given: u32,
        /// The number of nodes of the graph.
        nodes: u32,
    },
    /// A node and its father in the tree are not adjacent.
    NoTreeEdge {
        /// The node that is not adjacent to its father.
        node: NodeId,
        /// The father that the node was given.
        father: NodeId,
    },
    /// Not every node has bounds.
    NoBounds {
        /// The number of bounds given.
        given: u32,
        /// The number of nodes of the graph.
        nodes: u32,
    },
    /// Not every node has an initial state.
    NoStart {
        /// The number of states given.
        given: u32,
        /// The number of nodes of the graph.
        nodes: u32,
    },
    /// The leader is not a node.
    NoSuchLeader {
        /// The given number of the leader.
        leader: NodeId,
    },
    /// The bounds of a node do not fit its neighbourhood, the start or the algorithm.
    Bounds {
        /// The node with these bounds.
        node: NodeId,
        /// The bounds of the node.
        bounds: Bounds,
        /// The size of the node's closed neighbourhood.
        members: u32,
        /// The reason for refusing the bounds.
        why: BoundsError,
    },
}

/// Reasons why bounds (l, k) are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoundsError {
    /// l is above k.
    Crossed,
    /// The bounds contain a limit that the algorithm does not enforce.
    NotKept,
    /// k is larger than the closed neighbourhood.
    MostTooLarge,
    /// l is at least the size of the closed neighbourhood: no node could ever leave.
    LeastTooLarge,
    /// k is above 1, but sections touch neighbours.
    NotAlone,
    /// k is 0, so no node may ever be inside.
    NoneMayEnter,
    /// Fewer than l or more than k nodes are inside at the start.
    UnsafeStart {
        /// The number of nodes inside.
        inside: u32,
    },
    /// Exactly l or exactly k nodes are inside at the start, so some node could never change its state.
    NotStrictlyInside {
        /// The number of nodes inside at the start.
        inside: u32,
    },
    /// l = k: no single node can ever change its state.
    NoRoom,
    /// k - l is below 3, although the leader is at most two edges away.
    NoRoomNearLeader,
    /// From this start the node can never change its state, under any algorithm and any behaviour of other nodes.
    Frozen {
        /// Whether the node is inside at the start.
        inside: bool,
        /// The neighbour, or the node itself, whose bounds the change would violate.
        of: NodeId,
    },
}

impl fmt::Display for AssumptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changes => {
                f.write_str("the algorithm assumes a static graph: no edge may appear or vanish")
            }
            Self::NotComplete { node } => {
                write!(
                    f,
                    "the algorithm assumes a complete graph, but node {node} is not adjacent to all other nodes"
                )
            }
            Self::NoTree => f.write_str("the algorithm assumes a rooted tree, but none is given"),
            Self::OtherNodes { given, nodes } => {
                write!(f, "the tree has {given} nodes, but the graph has {nodes}")
            }
            Self::NoTreeEdge { node, father } => {
                write!(f, "node {node} and its father {father} in the tree are not adjacent")
            }
            Self::NoBounds { given, nodes } => {
                write!(f, "the algorithm assumes bounds for each of {nodes} nodes, but {given} are given")
            }
            Self::NoStart { given, nodes } => {
                write!(
                    f,
                    "{given} states at the start are given for {nodes} nodes (accepted: one per node, or none: all outside)"
                )
            }
            Self::NoSuchLeader { leader } => write!(f, "the leader is node {leader}, which does not exist"),
            Self::Bounds { node, bounds: Bounds { least, most }, members, why } => {
                write!(
                    f,
                    "node {node}, with bounds {least} to {most} on the nodes inside its closed neighbourhood of {members}: "
                )?;
                match why {
                    BoundsError::Crossed => f.write_str("the lower bound is above the upper one"),
                    BoundsError::NotKept => f.write_str("both bounds are given, but mutual inclusion keeps only the lower one, and mutual exclusion only the upper one"),
                    BoundsError::MostTooLarge => write!(f, "the upper bound is above {members}"),
                    BoundsError::LeastTooLarge => write!(f, "no node could ever leave (accepted: lower bounds up to {})", members - 1),
                    BoundsError::NotAlone => f.write_str(
                        "an interaction touches neighbours, which other nodes inside may also touch (accepted: at most 1 inside everywhere)",
                    ),
                    BoundsError::NoneMayEnter => f.write_str("no node could ever enter (accepted: upper bounds from 1)"),
                    BoundsError::UnsafeStart { inside } => write!(f, "{inside} are inside at the start"),
                    BoundsError::NotStrictlyInside { inside } => {
                        write!(f, "{inside} are inside at the start, which is not strictly between the bounds: some node could never change")
                    }
                    BoundsError::NoRoom => f.write_str("no single node can ever change its state (accepted: bounds that differ)"),
                    BoundsError::NoRoomNearLeader => {
                        f.write_str("the leader is at most two edges away (accepted there: bounds that differ by 3 or more)")
                    }
                    BoundsError::Frozen { inside, of } => {
                        let (change, bound) = if *inside { ("leave", "lower") } else { ("enter", "upper") };
                        write!(
                            f,
                            "it can never {change} from this start on, under any algorithm, because of the {bound} bound of node {of} (accepted: \
                             wider bounds there, or another start)"
                        )
                    }
                }
            }
        }
    }
}

impl std::error::Error for AssumptionError {}
