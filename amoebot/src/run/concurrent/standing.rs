//! [`Standing`]: where an amoebot is in its action.

use crate::model::id::AmoebotId;
use crate::model::operation::Movement;

/// What an amoebot is about to do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stage<M> {
    /// Nothing, or to call Lock.
    Rest,
    /// Wait for its Lock.
    Wait,
    /// Evaluate its guards.
    Evaluate(Held),
    /// Expand, if that is the movement.
    Expand(Held, Decided<M>),
    /// Write.
    Write(Held, Decided<M>),
    /// Unlock those who are about to lose the link.
    Release(Held, Movement),
    /// Contract, pull or push.
    Move(Held, Movement),
    /// Unlock the rest.
    Unlock(Held),
    /// Wait for its Unlock.
    Leave,
}

impl<M> Stage<M> {
    pub(super) fn held(&self) -> Option<&Held> {
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

/// The lock set, without those who are unlocked already.
pub(crate) type Held = Vec<AmoebotId>;

/// The writes and the movement of a chosen action.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Decided<M> {
    /// The position of the action in the algorithm's list.
    pub(super) action: usize,
    pub(super) picks: Vec<u32>,
    pub(super) writes: Vec<Write<M>>,
    pub(super) movement: Option<Movement>,
}

/// A write, and what was read before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Write<M> {
    pub(super) to: AmoebotId,
    pub(super) read: M,
    pub(super) written: M,
}

/// What the future depends on of one amoebot, but for the system and the locks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Standing<M> {
    pub(super) act: bool,
    pub(super) awaken: bool,
    pub(super) stage: Stage<M>,
}
