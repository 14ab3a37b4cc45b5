//! [`Stepped`]: what an amoebot did in a step.

use crate::algorithm::ActionError;
use crate::model::operation::OperationError;

/// What a step of an amoebot did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stepped {
    /// It rests, or waits for its Lock or its Unlock.
    Nothing,
    /// Lock failed; nothing has changed.
    LockFailed,
    /// It has called Lock, and waits.
    Called,
    /// It has its lock set.
    Locked,
    /// It was to awaken its neighbours, and has.
    Awakened,
    /// No guard holds: it will not act until a neighbour wakes it.
    Disabled,
    /// It has chosen an action and computed.
    Decided,
    /// The action is not defined by the algorithm here, or a read failed: aborted.
    Invalid(ActionError),
    /// Expand failed; nothing has changed.
    ExpandFailed(OperationError),
    /// It has expanded, if that was the movement.
    Expanded,
    /// It has written.
    Written,
    /// It has unlocked those who lose the link.
    Released,
    /// It has moved.
    Moved,
    /// A contraction or handover failed: impossible under locks.
    MoveFailed(OperationError),
    /// It has called Unlock.
    Unlocked,
    /// A step of its node in the world of the locks, such as to receive a message.
    Passed,
    /// After this step the locks have not kept what they promise.
    PromiseBroken,
}
