//! [`Violation`]: a broken promise.

use std::fmt;

use crate::exclusion::{Bounds, Role};
use crate::node::NodeId;
use crate::port::{Port, PortSet};

/// A broken promise of the lock layer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Violation {
    /// Mutual exclusion: two holders hold one node.
    CommonNode {
        /// The node that both hold.
        node: NodeId,
        /// The first holder.
        first: NodeId,
        /// The second holder.
        second: NodeId,
    },
    /// A Lock returned ports that are not exactly the node and its persistent neighbours.
    WrongLockSet {
        /// The node whose Lock returned.
        node: NodeId,
        /// The ports that the Lock returned.
        returned: PortSet,
        /// The neighbours connected without interruption since Lock was called, and the node itself.
        persistent: PortSet,
    },
    /// A Lock returned a port whose neighbour has not set its lock for the holder.
    MemberNotLocked {
        /// The node whose Lock returned the port.
        node: NodeId,
        /// The holder's port to that neighbour.
        port: Port,
    },
    /// A critical section was given access to a node that its holder does not hold.
    StrangerInSection {
        /// The holder that runs the section.
        node: NodeId,
        /// The port of the node towards the stranger.
        port: Port,
    },
    /// A node changed its lock while a holder held it.
    HeldNodeChangedLock {
        /// The node that changed its lock.
        node: NodeId,
        /// The holder of the node.
        holder: NodeId,
    },
    /// Two messages of one initiator's Lock were in transit on one edge, or an action sent two messages of one role on
    /// one port.
    TooManyMessages {
        /// The sender of the messages.
        node: NodeId,
        /// The port of the sender.
        port: Port,
        /// The side on which the message travels.
        role: Role,
    },
    /// A release-lock came from a node that does not own the lock.
    ForeignRelease {
        /// The node that received the release-lock.
        node: NodeId,
    },
    /// A process returned a grant that its arbiter has not given. The rules define no further behaviour.
    NoSuchGrant {
        /// The arbiter that received the grant.
        node: NodeId,
    },
    /// The leader must raise a request, but no request may be raised. The rules define no further behaviour.
    NothingToRaise {
        /// The leader.
        node: NodeId,
    },
    /// A request, or a token that is passed on, was sent to a node without a physical link.
    OffLink {
        /// The sender.
        node: NodeId,
    },
    /// Two nodes are inside at once, although at most one may be.
    TwoHolders {
        /// The first node inside.
        first: NodeId,
        /// The second node inside.
        second: NodeId,
    },
    /// Too few or too many nodes of a closed neighbourhood are inside.
    OutsideBounds {
        /// The centre of the neighbourhood.
        node: NodeId,
        /// The number of nodes of the neighbourhood that are inside.
        inside: u32,
        /// The bounds on that number.
        bounds: Bounds,
    },
}

/// Recordings contain these sentences, and replays compare them, so they do not change.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommonNode { node, first, second } => {
                write!(f, "mutual exclusion violated: nodes {first} and {second} both hold node {node}")
            }
            Self::WrongLockSet { node, returned, persistent } => write!(
                f,
                "Lock of node {node} returned {returned}, but its persistent closed neighbourhood is {persistent}"
            ),
            Self::MemberNotLocked { node, port } => {
                write!(f, "Lock of node {node} returned port {port}, whose owner is not locked by it")
            }
            Self::StrangerInSection { node, port } => {
                write!(
                    f,
                    "the critical section of node {node} reached a node by port {port} that it does not hold"
                )
            }
            Self::HeldNodeChangedLock { node, holder } => {
                write!(f, "node {node} changed its lock while node {holder} holds it")
            }
            Self::TooManyMessages { node, port, role } => write!(
                f,
                "node {node} sent a second {} message on port {port} before the first was answered",
                match role {
                    Role::Initiator => "initiator's",
                    Role::Participant => "participant's",
                }
            ),
            Self::ForeignRelease { node } => {
                write!(f, "node {node} received release-lock from a node that does not own its lock")
            }
            Self::NoSuchGrant { node } => {
                write!(f, "the arbiter at node {node} got a grant back that it has not given")
            }
            Self::NothingToRaise { node } => {
                write!(f, "the leader, node {node}, is to raise the smallest of no requests")
            }
            Self::OffLink { node } => {
                write!(f, "node {node} sent a request or a token on its way out to a node without a link")
            }
            Self::TwoHolders { first, second } => {
                write!(f, "mutual exclusion violated: nodes {first} and {second} are both inside")
            }
            Self::OutsideBounds { node, inside, bounds: Bounds { least, most } } => {
                write!(
                    f,
                    "{inside} nodes of the closed neighbourhood of node {node} are inside: at least {least} and at most {most} may be"
                )
            }
        }
    }
}

impl std::error::Error for Violation {}
