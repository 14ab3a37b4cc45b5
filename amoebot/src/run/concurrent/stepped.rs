//! [`Stepped`]: the result of an amoebot's step.

use crate::algorithm::ActionError;
use crate::model::operation::OperationError;

/// The result of an amoebot's step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stepped {
    /// Nothing: the amoebot rests, or waits for its Lock or its Unlock.
    Nothing,
    /// Lock failed; nothing has changed.
    LockFailed,
    /// The amoebot called Lock, and waits.
    Called,
    /// The amoebot got its lock set.
    Locked,
    /// The amoebot woke its neighbours, because its `awaken` was set.
    Awakened,
    /// No guard holds: the amoebot does not act until a neighbour wakes it.
    Disabled,
    /// The amoebot chose an action and computed its effects.
    Decided,
    /// The action was aborted: the algorithm does not define the step, or a read failed.
    Invalid(ActionError),
    /// Expand failed and changed nothing.
    ExpandFailed(OperationError),
    /// The amoebot expanded, if the movement was an expansion.
    Expanded,
    /// The amoebot carried out its writes.
    Written,
    /// The amoebot unlocked the members that lose their link to it.
    Released,
    /// The amoebot contracted, pulled or pushed.
    Moved,
    /// A contraction or handover failed. This is impossible under locks.
    MoveFailed(OperationError),
    /// The amoebot called Unlock.
    Unlocked,
    /// The node of the amoebot executed a step of the lock algorithm, such as receiving a message.
    Passed,
    /// The locks broke their guarantee in this step.
    PromiseBroken,
}
