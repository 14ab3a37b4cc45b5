//! [`ControlState`]: the progress of an amoebot through its action.

use crate::model::id::AmoebotId;
use crate::model::operation::Movement;

/// The next step of an amoebot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum ActionStage<M> {
    /// Rest, or call Lock.
    Rest,
    /// Wait for its Lock.
    Wait,
    /// Evaluate its guards.
    Evaluate(HeldLocks),
    /// Expand, if that is the movement.
    Expand(HeldLocks, Decided<M>),
    /// Write to the memories.
    Write(HeldLocks, Decided<M>),
    /// Unlock the members that are about to lose their link.
    Release(HeldLocks, Movement),
    /// Contract, pull or push.
    Move(HeldLocks, Movement),
    /// Unlock the rest.
    Unlock(HeldLocks),
    /// Wait for its Unlock.
    Leave,
}

impl<M> ActionStage<M> {
    pub(super) fn held(&self) -> Option<&HeldLocks> {
        match self {
            Self::Rest | Self::Wait | Self::Leave => None,
            Self::Evaluate(held)
            | Self::Expand(held, _)
            | Self::Write(held, _)
            | Self::Release(held, _)
            | Self::Move(held, _)
            | Self::Unlock(held) => Some(held),
        }
    }
}

/// A lock set, without the members already unlocked.
pub(crate) type HeldLocks = Vec<AmoebotId>;

/// The writes and the movement of a chosen action.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Decided<M> {
    /// The position of the action in the algorithm's list.
    pub(super) action: usize,
    pub(super) picks: Vec<u32>,
    pub(super) writes: Vec<Write<M>>,
    pub(super) movement: Option<Movement>,
}

/// A write, with the value that was read before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Write<M> {
    pub(super) to: AmoebotId,
    pub(super) read: M,
    pub(super) written: M,
}

/// Control state of one amoebot in the concurrency framework. With the system and the locks it determines the
/// future.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ControlState<M> {
    pub(super) act: bool,
    pub(super) awaken: bool,
    pub(super) stage: ActionStage<M>,
}
