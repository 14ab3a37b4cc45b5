//! Lock and Unlock, as the concurrency framework calls them.

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;
use acrasin_runtime::pack::{Pack as _, PackError, unpack_list};

/// The result of a call of Lock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LockOutcome {
    /// The lock set: the caller and the neighbours that are locked for it, in increasing order.
    Granted(Vec<AmoebotId>),
    /// The Lock failed; nothing is locked for the caller.
    Failed,
    /// The lock set will be granted later.
    Waits,
}

/// Lock and Unlock operations for amoebots.
pub trait Locks {
    /// Whether lock sets are disjoint. Otherwise there is no isolation.
    const ISOLATES: bool;

    /// Calls Lock for amoebot `id` with these neighbours.
    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], choices: &mut dyn Choices) -> LockOutcome;

    /// The lock set of a waiting call if it has been granted, otherwise `None`.
    fn granted(&self, id: AmoebotId) -> Option<Vec<AmoebotId>>;

    /// Unlocks members of a lock set that are about to lose their link to the holder.
    fn release(&mut self, holder: AmoebotId, members: &[AmoebotId]);

    /// Unlocks these members: all amoebots that are still locked for the holder.
    fn unlock(&mut self, holder: AmoebotId, members: &[AmoebotId], choices: &mut dyn Choices);

    /// Whether the amoebot's last call of Unlock is complete.
    fn is_unlocked(&self, id: AmoebotId) -> bool;

    /// Records that these amoebots have moved; `neighbours` gives their current neighbours.
    fn moved(
        &mut self,
        ids: &[AmoebotId],
        neighbours: &dyn Fn(AmoebotId) -> Vec<AmoebotId>,
        choices: &mut dyn Choices,
    );

    /// Executes one internal step, such as passing a message. Returns `false` if there is no such step.
    fn advance(&mut self, choices: &mut dyn Choices) -> bool;

    /// The number of possible next internal steps that no scheduler chooses among; explorations try each of them. It is
    /// 0 for locks without messages.
    fn ways(&self) -> usize {
        0
    }

    /// Executes one of the [`ways`](Self::ways) steps; returns the amoebot that takes it.
    fn take(&mut self, way: usize, _choices: &mut dyn Choices) -> AmoebotId {
        unreachable!("step {way} of none")
    }

    /// The heap bytes that the locks own. Explorations count them towards their memory limit.
    fn bytes_owned(&self) -> usize {
        0
    }

    /// Whether the locks have kept their guarantee so far.
    fn keeps_its_promise(&self) -> bool {
        true
    }

    /// The amoebot for which this one is locked; `None` if it is unlocked.
    fn holder(&self, id: AmoebotId) -> Option<AmoebotId>;
}

/// Locks whose state can be saved.
pub trait SavedLocks: Locks {
    /// Appends the state. Returns `false` if it cannot be saved.
    fn save(&self, into: &mut Vec<u8>) -> bool;

    /// Restores the state that [`save`](Self::save) wrote for locks of the same number of amoebots.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state.
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError>;
}

impl SavedLocks for TryLocks {
    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.holders.pack(into);
        true
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        unpack_list(&mut self.holders, from)?;
        let amoebots = self.holders.len();
        let are_known = self.holders.iter().flatten().all(|holder| holder.index() < amoebots);
        if are_known { Ok(()) } else { Err(PackError) }
    }
}

impl SavedLocks for NoLocks {
    fn save(&self, _: &mut Vec<u8>) -> bool {
        true
    }

    fn load(&mut self, _: &mut &[u8]) -> Result<(), PackError> {
        Ok(())
    }
}

/// Lock as the framework's authors assume it. Lock fails if an amoebot of the closed neighbourhood is locked; otherwise
/// it locks the whole neighbourhood at once. If several amoebots contend, at least one succeeds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TryLocks {
    holders: Vec<Option<AmoebotId>>,
}

impl TryLocks {
    /// Locks for this many amoebots, none of them locked.
    #[must_use]
    pub fn new(amoebots: usize) -> Self {
        Self { holders: vec![None; amoebots] }
    }
}

impl Locks for TryLocks {
    const ISOLATES: bool = true;

    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], _: &mut dyn Choices) -> LockOutcome {
        let mut set = neighbours.to_vec();
        set.push(id);
        if set.iter().any(|member| self.holders[member.index()].is_some()) {
            return LockOutcome::Failed;
        }
        for member in &set {
            self.holders[member.index()] = Some(id);
        }
        set.sort_unstable();
        LockOutcome::Granted(set)
    }

    fn granted(&self, _: AmoebotId) -> Option<Vec<AmoebotId>> {
        None
    }

    fn release(&mut self, holder: AmoebotId, members: &[AmoebotId]) {
        for member in members {
            let locked_for = self.holders[member.index()].take();
            assert_eq!(locked_for, Some(holder), "amoebot {member} is unlocked by its holder");
        }
    }

    fn unlock(&mut self, holder: AmoebotId, members: &[AmoebotId], _: &mut dyn Choices) {
        self.release(holder, members);
    }

    fn is_unlocked(&self, _: AmoebotId) -> bool {
        true
    }

    fn moved(&mut self, _: &[AmoebotId], _: &dyn Fn(AmoebotId) -> Vec<AmoebotId>, _: &mut dyn Choices) {}

    fn advance(&mut self, _: &mut dyn Choices) -> bool {
        false
    }

    fn holder(&self, id: AmoebotId) -> Option<AmoebotId> {
        self.holders[id.index()]
    }
}

/// No locks: every amoebot acts at any time. For algorithms that need no locks, and to show how other algorithms fail
/// without them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NoLocks;

impl Locks for NoLocks {
    const ISOLATES: bool = false;

    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], _: &mut dyn Choices) -> LockOutcome {
        let mut set = neighbours.to_vec();
        set.push(id);
        set.sort_unstable();
        LockOutcome::Granted(set)
    }

    fn granted(&self, _: AmoebotId) -> Option<Vec<AmoebotId>> {
        None
    }

    fn release(&mut self, _: AmoebotId, _: &[AmoebotId]) {}

    fn unlock(&mut self, _: AmoebotId, _: &[AmoebotId], _: &mut dyn Choices) {}

    fn is_unlocked(&self, _: AmoebotId) -> bool {
        true
    }

    fn moved(&mut self, _: &[AmoebotId], _: &dyn Fn(AmoebotId) -> Vec<AmoebotId>, _: &mut dyn Choices) {}

    fn advance(&mut self, _: &mut dyn Choices) -> bool {
        false
    }

    fn holder(&self, _: AmoebotId) -> Option<AmoebotId> {
        None
    }
}
