//! Lock and Unlock, as the concurrency framework calls them.

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

/// What came of a call of Lock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Lock {
    /// The lock set: the caller and the neighbours that are locked for it, in increasing order.
    Granted(Vec<AmoebotId>),
    /// A lock-failure: nothing is locked.
    Failed,
    /// It will be granted later.
    Waits,
}

/// Lock and Unlock for amoebots.
pub trait Locks {
    /// Whether lock sets are disjoint. If not, there is no isolation.
    const ISOLATES: bool;

    /// Amoebot `id`, whose neighbours these are, calls Lock.
    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], choices: &mut dyn Choices) -> Lock;

    /// The lock set of a call that waited, if it is granted by now.
    fn granted(&self, id: AmoebotId) -> Option<Vec<AmoebotId>>;

    /// The holder unlocks these members of its lock set, which are about to lose the link to it.
    fn release(&mut self, holder: AmoebotId, members: &[AmoebotId]);

    /// The holder unlocks these members, all that are still locked for it.
    fn unlock(&mut self, holder: AmoebotId, members: &[AmoebotId], choices: &mut dyn Choices);

    /// Whether a call of Unlock is complete.
    fn is_unlocked(&self, id: AmoebotId) -> bool;

    /// These amoebots have moved; `neighbours` says who is next to whom now.
    fn moved(
        &mut self,
        ids: &[AmoebotId],
        neighbours: &dyn Fn(AmoebotId) -> Vec<AmoebotId>,
        choices: &mut dyn Choices,
    );

    /// Goes on with its own work by a step, such as passing a message; false if there is none to do.
    fn advance(&mut self, choices: &mut dyn Choices) -> bool;

    /// How many steps of its own could be next where nobody decides between them: all are explored. None of locks that send no
    /// messages.
    fn ways(&self) -> usize {
        0
    }

    /// Takes one of these steps; tells whose it is.
    fn take(&mut self, way: usize, _choices: &mut dyn Choices) -> AmoebotId {
        unreachable!("step {way} of none")
    }

    /// The bytes that it owns outside of itself, for the limits of explorations.
    fn bytes_owned(&self) -> usize {
        0
    }

    /// Whether what it promises has held so far.
    fn keeps_its_promise(&self) -> bool {
        true
    }

    /// For whom this amoebot is locked.
    fn holder(&self, id: AmoebotId) -> Option<AmoebotId>;
}

/// Lock as the framework's authors assume it: it fails if an amoebot of the closed neighbourhood is locked, else it locks
/// all of them at once. Among those who try at least one succeeds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TryLocks {
    holders: Vec<Option<AmoebotId>>,
}

impl TryLocks {
    /// No amoebot is locked.
    #[must_use]
    pub fn new(amoebots: usize) -> Self {
        Self { holders: vec![None; amoebots] }
    }
}

impl Locks for TryLocks {
    const ISOLATES: bool = true;

    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], _: &mut dyn Choices) -> Lock {
        let mut set = neighbours.to_vec();
        set.push(id);
        if set.iter().any(|member| self.holders[member.index()].is_some()) {
            return Lock::Failed;
        }
        for member in &set {
            self.holders[member.index()] = Some(id);
        }
        set.sort_unstable();
        Lock::Granted(set)
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

/// No locks: every amoebot acts when it likes. For algorithms that need none, and to see what happens to those that do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NoLocks;

impl Locks for NoLocks {
    const ISOLATES: bool = false;

    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], _: &mut dyn Choices) -> Lock {
        let mut set = neighbours.to_vec();
        set.push(id);
        set.sort_unstable();
        Lock::Granted(set)
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
