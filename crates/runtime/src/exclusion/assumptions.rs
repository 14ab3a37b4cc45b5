//! What an algorithm needs of its surroundings, and what is refused where they do not give it.

use std::fmt;

use super::{Bounds, Given, Seating};
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
        let nodes = topology.node_count();
        if self.given.bounds && bounds != nodes {
            return Err(Unmet::NoBounds { given: bounds, nodes });
        }
        let inside = seating.inside.len() as u32;
        if self.given.start && inside != 0 && inside != nodes {
            return Err(Unmet::NoStart { given: inside, nodes });
        }
        if let Some(leader) = seating.leader.filter(|leader| self.given.leader && leader.0 >= nodes) {
            return Err(Unmet::NoSuchLeader { leader });
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
    /// The start is not given for each node.
    NoStart {
        /// For how many it is.
        given: u32,
        /// How many there are.
        nodes: u32,
    },
    /// The leader is no node.
    NoSuchLeader {
        /// What is given.
        leader: NodeId,
    },
    /// The bounds of a node do not fit its neighbourhood, the start or the algorithm.
    Bounds {
        /// The node.
        node: NodeId,
        /// Its bounds.
        bounds: Bounds,
        /// How many are in its closed neighbourhood.
        members: u32,
        /// What is wrong.
        why: Misfit,
    },
}

/// Why bounds (l, k) do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Misfit {
    /// l > k.
    Crossed,
    /// A bound that the algorithm does not keep.
    NotKept,
    /// k is larger than the closed neighbourhood.
    MostTooLarge,
    /// l is as large as the closed neighbourhood, or larger: none could ever leave.
    LeastTooLarge,
    /// k is above 1, and sections are to touch neighbours.
    NotAlone,
    /// k is 0.
    NoneMayEnter,
    /// At the start fewer than l or more than k are inside.
    UnsafeStart {
        /// How many are.
        inside: u32,
    },
    /// At the start l are inside, or k, and one is to leave, or to enter: none can.
    NotStrictlyInside {
        /// How many are inside.
        inside: u32,
    },
    /// l = k: no single process can ever change its state.
    NoRoom,
    /// At most two edges from the leader k - l must be 3 at least.
    NoRoomNearLeader,
    /// Whatever an algorithm does, and whoever else changes, the node can never change its state.
    Frozen {
        /// Whether it is inside at the start.
        inside: bool,
        /// The neighbour, or the node itself, whose bounds it would break.
        of: NodeId,
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
            Self::NoStart { given, nodes } => {
                write!(
                    f,
                    "{given} states at the start are given for {nodes} nodes (accepted: one a node, or none: all outside)"
                )
            }
            Self::NoSuchLeader { leader } => write!(f, "the leader is node {leader}, which is no node"),
            Self::Bounds { node, bounds: Bounds { least, most }, members, why } => {
                write!(
                    f,
                    "node {node}, of whose closed neighbourhood of {members} at least {least} and at most {most} may be inside: "
                )?;
                match why {
                    Misfit::Crossed => f.write_str("the lower bound is above the upper one"),
                    Misfit::NotKept => f.write_str("mutual inclusion keeps the lower bound alone, mutual exclusion the upper one"),
                    Misfit::MostTooLarge => write!(f, "the upper bound is above {members}"),
                    Misfit::LeastTooLarge => write!(f, "none could ever leave (accepted: lower bounds up to {})", members - 1),
                    Misfit::NotAlone => f.write_str(
                        "an interaction touches neighbours, which others inside may touch, too (accepted: at most 1 inside everywhere)",
                    ),
                    Misfit::NoneMayEnter => f.write_str("none could ever enter (accepted: upper bounds from 1)"),
                    Misfit::UnsafeStart { inside } => write!(f, "{inside} are inside at the start"),
                    Misfit::NotStrictlyInside { inside } => {
                        write!(f, "{inside} are inside at the start, which is not strictly between the bounds: some node could never change")
                    }
                    Misfit::NoRoom => f.write_str("no single node can ever change its state (accepted: bounds that differ)"),
                    Misfit::NoRoomNearLeader => {
                        f.write_str("the leader is at most two edges away (accepted there: bounds that differ by 3 or more)")
                    }
                    Misfit::Frozen { inside, of } => {
                        let (change, bound) = if *inside { ("leave", "lower") } else { ("enter", "upper") };
                        write!(
                            f,
                            "it can never {change} from this start on, under any algorithm, for the {bound} bound of node {of} (accepted: \
                             wider bounds there, or another start)"
                        )
                    }
                }
            }
        }
    }
}

impl std::error::Error for Unmet {}
