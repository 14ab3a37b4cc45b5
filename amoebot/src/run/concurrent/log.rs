//! What was done concurrently, and the same one after the other.

use std::fmt;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Scripted;

use crate::algorithm::{ActionError, Algorithm, Portion, View, enabled_actions};
use crate::model::operation::Movement;
use crate::model::system::System;

/// One completed action.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Entry {
    /// The number of its Lock: locks are numbered as they are granted.
    pub(crate) ticket: u64,
    pub(crate) id: AmoebotId,
    /// The position of the action in the algorithm's list.
    pub(crate) action: usize,
    /// What the action drew.
    pub(crate) picks: Vec<u32>,
    /// Whom it had locked.
    pub(crate) lock_set: Vec<AmoebotId>,
}

/// An action that was completed, as it can be done again.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Completed {
    /// Whose action.
    pub id: AmoebotId,
    /// The position of the action in the algorithm's list.
    pub action: usize,
    /// What the action drew.
    pub picks: Vec<u32>,
    /// The amoebots that it had locked and so saw; `None` if it saw all.
    pub lock_set: Option<Vec<AmoebotId>>,
    /// The part of the action that was done.
    pub portion: Portion,
}

impl From<Entry> for Completed {
    fn from(Entry { id, action, picks, lock_set, .. }: Entry) -> Self {
        Self { id, action, picks, lock_set: Some(lock_set), portion: Portion::Whole }
    }
}

impl Completed {
    /// Does it again, or as much of it as was done: it must be enabled in full view of every amoebot. `at` is its position, for
    /// errors. Returns how the amoebot moved.
    ///
    /// # Errors
    ///
    /// It is not enabled, or fails, or draws other numbers; there is no such amoebot or action. The system is as before then.
    pub fn again<A: Algorithm>(
        &self,
        at: usize,
        algorithm: &A,
        system: &mut System<A::Memory>,
    ) -> Result<Option<Movement>, ReplayError> {
        let Self { id, action, picks, lock_set, portion } = self;
        let is_there = id.index() < system.len() && *action < algorithm.actions().len();
        let sees_others = lock_set.iter().flatten().all(|other| other.index() < system.len());
        if !is_there || !sees_others {
            return Err(ReplayError::NotEnabled { at, id: *id });
        }
        again((at, *portion), algorithm, system, *id, *action, picks, lock_set.as_deref())
    }
}

/// One action, after those before it.
fn again<A: Algorithm>(
    (at, portion): (usize, Portion),
    algorithm: &A,
    system: &mut System<A::Memory>,
    id: AmoebotId,
    action: usize,
    picks: &[u32],
    lock_set: Option<&[AmoebotId]>,
) -> Result<Option<Movement>, ReplayError> {
    let action = algorithm.actions()[action];
    if enabled_actions(algorithm, View::of(system, id)).all(|enabled| enabled != action) {
        return Err(ReplayError::NotEnabled { at, id });
    }
    let mut draws = Scripted::new(picks);
    let view = match lock_set {
        Some(lock_set) => View::within(system, id, lock_set),
        None => View::of(system, id),
    };
    let effects = algorithm.execute(action, &view, &mut draws);
    if draws.fault().is_some() {
        return Err(ReplayError::OtherDraws { at, id });
    }
    let effects = effects.map_err(|error| ReplayError::Aborted { at, id, error })?.portion(portion);
    let movement = effects.movement();
    let applied = effects.apply(system, id);
    applied.map_err(|error| ReplayError::Aborted { at, id, error: error.into() })?;
    Ok(movement)
}

/// The completed actions of a concurrent run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    /// How many were taken out.
    taken: u64,
}

/// Why a sequential replay is not possible: the run was not equal to a sequential one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// The action is not enabled.
    NotEnabled {
        /// The position in the order of the locks, from 0.
        at: usize,
        /// Whose action.
        id: AmoebotId,
    },
    /// The action is aborted.
    Aborted {
        /// The position in the order of the locks, from 0.
        at: usize,
        /// Whose action.
        id: AmoebotId,
        /// Why.
        error: ActionError,
    },
    /// The action draws other numbers.
    OtherDraws {
        /// The position in the order of the locks, from 0.
        at: usize,
        /// Whose action.
        id: AmoebotId,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnabled { at, id } => {
                write!(
                    f,
                    "action {at} in the order of the locks, of amoebot {id}, is not enabled if no other amoebot acts"
                )
            }
            Self::Aborted { at, id, error } => {
                write!(f, "action {at} in the order of the locks, of amoebot {id}, is aborted: {error}")
            }
            Self::OtherDraws { at, id } => {
                write!(
                    f,
                    "action {at} in the order of the locks, of amoebot {id}, does not draw what it drew"
                )
            }
        }
    }
}

impl std::error::Error for ReplayError {}

impl Log {
    pub(crate) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// One more, with the next number.
    pub(crate) fn push_next(&mut self, entry: Entry) {
        self.entries.push(Entry { ticket: self.taken + self.entries.len() as u64, ..entry });
    }

    /// Takes all of them out, in order. A log that was taken from cannot be replayed from the start.
    pub(crate) fn take_completed(&mut self) -> Vec<Completed> {
        self.taken += self.entries.len() as u64;
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable();
        entries.into_iter().map(Completed::from).collect()
    }

    /// Who has completed an action, in the order in which they did.
    pub fn actors(&self) -> impl Iterator<Item = AmoebotId> + '_ {
        self.entries.iter().map(|entry| entry.id)
    }

    /// The actions in the order in which their locks were granted.
    pub fn completed(&self) -> impl Iterator<Item = Completed> + '_ {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_unstable();
        entries.into_iter().map(|entry| entry.clone().into())
    }

    /// The action that was written down last, by its position in the algorithm's list.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        self.entries.last().map(|entry| entry.action)
    }

    /// The last action of an amoebot, by its position in the algorithm's list.
    pub(crate) fn last_of(&self, id: AmoebotId) -> Option<usize> {
        self.entries.iter().rfind(|entry| entry.id == id).map(|entry| entry.action)
    }

    /// How many actions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Executes the same actions one after the other, in the order in which their locks were granted. Each must be
    /// enabled in full view of every amoebot. Where the algorithm says "some neighbour", it is one of those that were
    /// locked, as it was in the run. Returns the system at the end.
    ///
    /// # Errors
    ///
    /// An action that is not enabled then, or fails, or draws other numbers.
    ///
    /// # Panics
    ///
    /// Panics if the log is of another algorithm or of a system with more amoebots.
    pub fn replay<A: Algorithm>(
        &self,
        algorithm: &A,
        system: System<A::Memory>,
    ) -> Result<System<A::Memory>, ReplayError> {
        self.replay_in(algorithm, system, |entry| Some(&entry.lock_set))
    }

    /// The same, but each action is executed in full view of every amoebot, too: so newcomers may be the neighbour that an
    /// algorithm takes for "some neighbour", and then the run goes on differently.
    ///
    /// # Errors
    ///
    /// As for [`replay`](Self::replay).
    ///
    /// # Panics
    ///
    /// Panics if the log is of another algorithm or of a system with more amoebots.
    pub fn replay_in_full_view<A: Algorithm>(
        &self,
        algorithm: &A,
        system: System<A::Memory>,
    ) -> Result<System<A::Memory>, ReplayError> {
        self.replay_in(algorithm, system, |_| None)
    }

    fn replay_in<A: Algorithm>(
        &self,
        algorithm: &A,
        mut system: System<A::Memory>,
        seen: impl Fn(&Entry) -> Option<&[AmoebotId]>,
    ) -> Result<System<A::Memory>, ReplayError> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_unstable();
        for (at, entry) in entries.into_iter().enumerate() {
            let Entry { id, action, picks, .. } = entry;
            again((at, Portion::Whole), algorithm, &mut system, *id, *action, picks, seen(entry))?;
        }
        Ok(system)
    }
}
