//! [`LockError`]: errors of the Lock/Unlock layer.

use std::fmt;

use crate::node::NodeId;
use crate::step::StepError;
use crate::world::Violation;

/// Errors of a call to the Lock/Unlock layer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LockError {
    /// The node has already called Lock, and has not been unlocked since.
    NotIdle(NodeId),
    /// The node has not called Lock.
    NotAsked(NodeId),
    /// The call is not possible: the node does not exist, or the port of a pair carries no edge.
    Refused(StepError),
    /// The Lock cannot succeed before another grant is returned: a member of its lock set is held by another holder.
    /// The request stays pending, and the caller can wait for it again.
    Blocked {
        /// The waiting node.
        node: NodeId,
        /// The holder of a node that the Lock needs.
        holder: NodeId,
    },
    /// The node is not inside, so it cannot leave.
    NotInside(NodeId),
    /// The node holds a grant, so it leaves when the grant is passed to `unlock`.
    ByGrant(NodeId),
    /// The bounds on the nodes inside do not allow the change now. No message is in transit, and the node can enter or
    /// leave only after others do. Its call stays pending, and the caller can wait for it again.
    AtBound(NodeId),
    /// No node can act: the published rules deadlock.
    Stuck(NodeId),
    /// The layer stopped waiting after many turns: the scheduler is unfair, or the rules are the published ones. The
    /// request stays pending, and the caller can wait for it again.
    OutOfPatience {
        /// The waiting node.
        node: NodeId,
        /// The number of turns of this wait.
        turns: u64,
    },
    /// A promise of the lock layer was broken (under the published rules only).
    Violated(Violation),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotIdle(node) => {
                write!(f, "node {node} has called Lock already and has not been unlocked since")
            }
            Self::NotAsked(node) => {
                write!(f, "node {node} has not called Lock: call `request` or `lock` first")
            }
            Self::Refused(error) => error.fmt(f),
            Self::Blocked { node, holder } => {
                write!(f, "node {node} cannot lock before node {holder} unlocks: their lock sets overlap")
            }
            Self::NotInside(node) => write!(f, "node {node} is not inside: call `enter` first"),
            Self::ByGrant(node) => {
                write!(f, "node {node} holds a grant: leave by passing the grant to `unlock`")
            }
            Self::AtBound(node) => {
                write!(
                    f,
                    "node {node} must wait for others to change their state: the number of nodes inside is at a bound"
                )
            }
            Self::Stuck(node) => write!(f, "node {node} waits forever: no action is enabled"),
            Self::OutOfPatience { node, turns } => {
                write!(
                    f,
                    "node {node} still waits after {turns} turns; its call stays pending, so the caller may wait again"
                )
            }
            Self::Violated(violation) => violation.fmt(f),
        }
    }
}

impl std::error::Error for LockError {}
