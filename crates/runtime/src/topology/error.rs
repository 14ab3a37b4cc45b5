//! [`TopologyError`]: changes that the graph does not allow.

use std::fmt;

use crate::node::NodeId;
use crate::port::Port;

/// Errors of a change that the graph does not allow. The graph is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TopologyError {
    /// The node does not exist.
    NoSuchNode {
        /// The requested node.
        node: NodeId,
        /// The graph has nodes `0..nodes`.
        nodes: u32,
    },
    /// The port is not in 1..Δ.
    NoSuchPort {
        /// The node whose port was requested.
        node: NodeId,
        /// The requested port.
        port: Port,
        /// The number of ports of a node, Δ.
        ports: u16,
    },
    /// The port carries an edge already.
    PortTaken {
        /// The node with the occupied port.
        node: NodeId,
        /// The occupied port.
        port: Port,
    },
    /// The port carries no edge.
    PortOpen {
        /// The node with the open port.
        node: NodeId,
        /// The port without an edge.
        port: Port,
    },
    /// Both ends are the same node.
    SelfLoop {
        /// The node at both ends.
        node: NodeId,
    },
    /// The nodes are adjacent already, and the graph is simple: with two edges between a pair no Lock ever
    /// succeeds.
    Adjacent {
        /// One of the two nodes.
        a: NodeId,
        /// The other node.
        b: NodeId,
    },
    /// A node has more neighbours than ports.
    DegreeAboveDelta {
        /// The node with too many neighbours.
        node: NodeId,
        /// The degree of the node.
        degree: u32,
        /// The number of ports of a node, Δ.
        ports: u16,
    },
    /// Too many nodes, or too many port slots in total.
    TooLarge {
        /// The requested number.
        asked: u64,
        /// The largest number allowed.
        limit: u64,
    },
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoSuchNode { node, nodes } => {
                write!(f, "there is no node {node}: nodes are 0 to {}", nodes - 1)
            }
            Self::NoSuchPort { node, port, ports } => {
                write!(f, "node {node} has no port {port}: ports are 1 to {ports}")
            }
            Self::PortTaken { node, port } => write!(f, "port {port} of node {node} carries an edge already"),
            Self::PortOpen { node, port } => write!(f, "port {port} of node {node} carries no edge"),
            Self::SelfLoop { node } => write!(f, "node {node} cannot be its own neighbour"),
            Self::Adjacent { a, b } => {
                write!(f, "nodes {a} and {b} are adjacent already: the graph is simple")
            }
            Self::DegreeAboveDelta { node, degree, ports } => {
                let word = if ports == 1 { "port" } else { "ports" };
                write!(f, "node {node} has {degree} neighbours but only {ports} {word}")
            }
            Self::TooLarge { asked, limit } => {
                write!(f, "{asked} nodes or ports requested; the limit is {limit}")
            }
        }
    }
}

impl std::error::Error for TopologyError {}
