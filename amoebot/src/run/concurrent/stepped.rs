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
    /// It called Lock, and waits.
    Called,
    /// It got its lock set.
    Locked,
    /// It awakened its neighbours, as requested by `awaken`.
    Awakened,
    /// No guard holds: it does not act until a neighbour wakes it.
    Disabled,
    /// It chose an action and computed its effects.
    Decided,
    /// The action was aborted: the algorithm does not define the step, or a read failed.
    Invalid(ActionError),
    /// Expand failed and changed nothing.
    ExpandFailed(OperationError),
    /// It expanded, if the movement was an expansion.
    Expanded,
    /// It carried out its writes.
    Written,
    /// It unlocked the members that lose their link.
    Released,
    /// It contracted, pulled or pushed.
    Moved,
    /// A contraction or handover failed. This is impossible under locks.
    MoveFailed(OperationError),
    /// It called Unlock.
    Unlocked,
    /// Its node executed a step of the lock algorithm, such as receiving a message.
    Passed,
    /// The locks broke their guarantee in this step.
    PromiseBroken,
}
