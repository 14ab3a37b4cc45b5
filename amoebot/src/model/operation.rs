//! The movement operations of amoebots, and their failures.

use crate::model::body::{AmoebotPort, End};

/// A movement operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Movement {
    /// Leaves one of the two nodes.
    Contract(End),
    /// Also occupies the empty node at a port. That node becomes the new head.
    Expand(AmoebotPort),
    /// A handover: the amoebot gives up the node from which the port leaves, and the contracted neighbour at the port
    /// expands into it.
    Pull(AmoebotPort),
    /// The reverse of Pull: the amoebot expands into the node to which the port leads, and the expanded neighbour there
    /// leaves it.
    Push(AmoebotPort),
}

acrasin_runtime::pack_variants!(Movement { Contract(end), Expand(port), Pull(port), Push(port) });

impl Movement {
    /// The port that the movement uses; `None` for a contraction.
    #[must_use]
    pub const fn port(self) -> Option<AmoebotPort> {
        match self {
            Self::Contract(_) => None,
            Self::Expand(port) | Self::Pull(port) | Self::Push(port) => Some(port),
        }
    }

    /// The number of movements in the counters: a handover counts as two, an expansion and a contraction.
    #[must_use]
    pub const fn moves(self) -> u64 {
        match self {
            Self::Contract(_) | Self::Expand(_) => 1,
            Self::Pull(_) | Self::Push(_) => 2,
        }
    }
}

/// Failures of an operation. A failed operation changes nothing.
///
/// They are the failures that are possible when one amoebot acts at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperationError {
    /// Read, Write, Pull, Push: no amoebot is connected at the port, or there is no such port.
    #[error("no amoebot is connected at port {port}")]
    NotConnected {
        /// The port at which no amoebot is connected.
        port: AmoebotPort,
    },
    /// Expand: an amoebot occupies the node at the port.
    #[error("the node at port {port} is occupied")]
    Occupied {
        /// The port that leads to the occupied node.
        port: AmoebotPort,
    },
    /// Expand: the node at the port belongs to the object.
    #[error("the node at port {port} belongs to the object: no amoebot can enter it")]
    Object {
        /// The port that leads to the object.
        port: AmoebotPort,
    },
    /// Contract, Pull: the caller is contracted.
    #[error("a contracted amoebot can neither contract nor pull")]
    Contracted,
    /// Expand, Push: the caller is expanded.
    #[error("an expanded amoebot can neither expand nor push")]
    Expanded,
    /// Push: the neighbour is contracted.
    #[error("the neighbour at port {port} is contracted: it cannot be pushed")]
    NeighbourContracted {
        /// The port that leads to the neighbour.
        port: AmoebotPort,
    },
    /// Pull: the neighbour is expanded.
    #[error("the neighbour at port {port} is expanded: it cannot be pulled")]
    NeighbourExpanded {
        /// The port that leads to the neighbour.
        port: AmoebotPort,
    },
    /// Expand: the amoebot has no such port, or the port leads beyond the limit of the lattice.
    #[error("port {port} leads to no node")]
    NoNode {
        /// The port that leads to no node.
        port: AmoebotPort,
    },
    /// The action contains a second movement.
    #[error("the action moves twice (accepted: at most one movement)")]
    MovesAgain,
}
