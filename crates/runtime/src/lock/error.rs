//! Why a call to the Lock/Unlock layer failed.

use std::fmt;

use crate::node::NodeId;
use crate::step::StepError;
use crate::world::Violation;

/// Why a call to the layer failed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LockError {
    /// The node has called Lock before and has not been unlocked since.
    NotIdle(NodeId),
    /// The node did not ask for a lock.
    NotAsked(NodeId),
    /// The call is not possible: no such node, or no neighbour on the port of a pair.
    Refused(StepError),
    /// The Lock cannot succeed before a grant is given back: a member of the lock set is in that of another holder.
    /// The request stays, and can be waited for again.
    Blocked {
        /// Who waits.
        node: NodeId,
        /// Who holds a node of its lock set.
        holder: NodeId,
    },
    /// The node is not inside, so it cannot leave.
    NotInside(NodeId),
    /// The node is inside by a grant, and leaves when that is given back.
    ByGrant(NodeId),
    /// Where the promise is who may be inside: no message is on its way, and the node changes its state when others have changed
    /// theirs. Its call stays, and can be waited for again.
    AtBound(NodeId),
    /// No node can act: a deadlock of the published rules.
    Stuck(NodeId),
    /// The wait went on for so many turns that it was given up: an unfair scheduler, or the published rules. The
    /// request stays, and can be waited for again.
    OutOfPatience {
        /// Who waits.
        node: NodeId,
        /// How many turns it has waited for this time.
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
                write!(f, "node {node} cannot lock before node {holder} unlocks: their lock sets meet")
            }
            Self::NotInside(node) => write!(f, "node {node} is not inside: call `enter` first"),
            Self::ByGrant(node) => write!(f, "node {node} is inside by a grant: give it to `unlock`"),
            Self::AtBound(node) => {
                write!(
                    f,
                    "node {node} can change its state when others have: as many are inside as may be, or must be"
                )
            }
            Self::Stuck(node) => write!(f, "node {node} waits for ever: no action is enabled"),
            Self::OutOfPatience { node, turns } => {
                write!(f, "node {node} has waited for {turns} turns; it can be waited for again")
            }
            Self::Violated(violation) => violation.fmt(f),
        }
    }
}

impl std::error::Error for LockError {}
