//! [`ControlState`]: the progress of an amoebot through its action.

use acrasin_runtime::{Pack, PackError};

use crate::model::id::AmoebotId;
use crate::model::operation::Movement;

/// The next step of an amoebot in its action.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum ActionStage<M> {
    /// Rest, or call Lock if the amoebot may act.
    Rest,
    /// Wait until the Lock of this amoebot is granted.
    Wait,
    /// Evaluate its guards.
    Evaluate(HeldLocks),
    /// Expand, if the movement is an expansion.
    Expand(HeldLocks, Decided<M>),
    /// Write to the memories.
    Write(HeldLocks, Decided<M>),
    /// Unlock the members that are about to lose their link to this amoebot.
    Release(HeldLocks, Movement),
    /// Contract, pull or push.
    Move(HeldLocks, Movement),
    /// Unlock the remaining members of the lock set.
    Unlock(HeldLocks),
    /// Wait until the Unlock of this amoebot is complete.
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

/// Control state of one amoebot in the concurrency framework. The control states, the system and the locks together
/// determine the possible futures.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ControlState<M> {
    pub(super) act: bool,
    pub(super) awaken: bool,
    pub(super) stage: ActionStage<M>,
}

/// Functions that append and read memories, for control states that contain some.
pub(crate) struct MemoryCodec<'c, M> {
    /// Appends a memory; `false` if memories cannot be saved.
    pub(crate) save: &'c dyn Fn(&M, &mut Vec<u8>) -> bool,
    /// Reads a memory.
    pub(crate) load: &'c dyn Fn(&mut &[u8]) -> Result<M, PackError>,
}

impl<M> ControlState<M> {
    pub(crate) fn save(&self, codec: &MemoryCodec<'_, M>, into: &mut Vec<u8>) -> bool {
        (self.act, self.awaken).pack(into);
        let number: u8 = match &self.stage {
            ActionStage::Rest => 0,
            ActionStage::Wait => 1,
            ActionStage::Leave => 2,
            ActionStage::Evaluate(_) => 3,
            ActionStage::Unlock(_) => 4,
            ActionStage::Release(..) => 5,
            ActionStage::Move(..) => 6,
            ActionStage::Expand(..) => 7,
            ActionStage::Write(..) => 8,
        };
        number.pack(into);
        if let Some(held) = self.stage.held() {
            held.pack(into);
        }
        match &self.stage {
            ActionStage::Release(_, movement) | ActionStage::Move(_, movement) => movement.pack(into),
            ActionStage::Expand(_, decided) | ActionStage::Write(_, decided) => {
                let Decided { action, picks, writes, movement } = decided;
                action.pack(into);
                picks.pack(into);
                movement.pack(into);
                writes.len().pack(into);
                return writes.iter().all(|Write { to, read, written }| {
                    to.pack(into);
                    (codec.save)(read, into) && (codec.save)(written, into)
                });
            }
            _ => {}
        }
        true
    }

    /// Reads the control state of an amoebot, in a run of this many amoebots and actions.
    pub(crate) fn load(
        (amoebots, actions): (usize, usize),
        codec: &MemoryCodec<'_, M>,
        from: &mut &[u8],
    ) -> Result<Self, PackError> {
        let (act, awaken, number) = <(bool, bool, u8)>::unpack(from)?;
        let is_known = |id: &AmoebotId| id.index() < amoebots;
        let held = |from: &mut &[u8]| {
            let held = HeldLocks::unpack(from)?;
            if held.iter().all(is_known) { Ok(held) } else { Err(PackError) }
        };
        let decided = |from: &mut &[u8]| {
            let (action, picks, movement) = <(usize, Vec<u32>, Option<Movement>)>::unpack(from)?;
            let mut writes = Vec::new();
            for _ in 0..usize::unpack(from)? {
                let to = AmoebotId::unpack(from)?;
                let (read, written) = ((codec.load)(from)?, (codec.load)(from)?);
                writes.push(Write { to, read, written });
            }
            let is_possible = action < actions && writes.iter().all(|write| is_known(&write.to));
            if is_possible { Ok(Decided { action, picks, writes, movement }) } else { Err(PackError) }
        };
        let stage = match number {
            0 => ActionStage::Rest,
            1 => ActionStage::Wait,
            2 => ActionStage::Leave,
            3 => ActionStage::Evaluate(held(from)?),
            4 => ActionStage::Unlock(held(from)?),
            5 => ActionStage::Release(held(from)?, Pack::unpack(from)?),
            6 => ActionStage::Move(held(from)?, Pack::unpack(from)?),
            7 => ActionStage::Expand(held(from)?, decided(from)?),
            8 => ActionStage::Write(held(from)?, decided(from)?),
            _ => return Err(PackError),
        };
        Ok(Self { act, awaken, stage })
    }
}
