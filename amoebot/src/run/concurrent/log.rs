//! The log of a concurrent run, and its sequential replay.

use std::collections::BTreeMap;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Scripted;
use acrasin_runtime::{Pack as _, PackError, pack_fields};

use crate::algorithm::{ActionError, Algorithm, Portion, View, enabled_actions};
use crate::model::operation::Movement;
use crate::model::sort::sort_while;
use crate::model::system::System;

/// A completed action in a log.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LogEntry {
    /// The number of the action's Lock; Locks are numbered in the order in which they were granted.
    pub(crate) ticket: u64,
    pub(crate) id: AmoebotId,
    /// The position of the action in the algorithm's list.
    pub(crate) action: usize,
    /// The random draws of the action.
    pub(crate) picks: Vec<u32>,
    /// The amoebots that the actor had locked.
    pub(crate) lock_set: Vec<AmoebotId>,
}

pack_fields!(LogEntry { ticket, id, action, picks, lock_set });

/// A completed action with the data that a replay needs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Completed {
    /// The amoebot that acted.
    pub id: AmoebotId,
    /// The position of the action in the algorithm's list.
    pub action: usize,
    /// The values of the action's random draws.
    pub picks: Vec<u32>,
    /// The amoebots that the actor had locked; the actor saw only these. `None` if it saw every amoebot.
    pub lock_set: Option<Vec<AmoebotId>>,
    /// The portion of the action that was carried out.
    pub portion: Portion,
}

impl From<LogEntry> for Completed {
    fn from(LogEntry { id, action, picks, lock_set, .. }: LogEntry) -> Self {
        Self { id, action, picks, lock_set: Some(lock_set), portion: Portion::Whole }
    }
}

impl Completed {
    /// Replays the action, or the portion that was carried out. The action must be enabled when the actor sees all
    /// amoebots. `at` is the position of the action, for errors. Returns the movement.
    ///
    /// # Errors
    ///
    /// The action is not enabled, fails, or draws other random values; or there is no such amoebot or action. The
    /// system is then unchanged.
    pub fn replay<A: Algorithm>(
        &self,
        at: usize,
        algorithm: &A,
        system: &mut System<A::Memory>,
    ) -> Result<Option<Movement>, SerialReplayError> {
        let Self { id, action, picks, lock_set, portion } = self;
        let is_there = id.index() < system.len() && *action < algorithm.actions().len();
        let sees_others = lock_set.iter().flatten().all(|other| other.index() < system.len());
        if !is_there || !sees_others {
            return Err(SerialReplayError::NotEnabled { at, id: *id });
        }
        replay_one((at, *portion), algorithm, system, *id, *action, picks, lock_set.as_deref())
    }
}

/// Replays one action of a log, on the system after the earlier actions.
fn replay_one<A: Algorithm>(
    (at, portion): (usize, Portion),
    algorithm: &A,
    system: &mut System<A::Memory>,
    id: AmoebotId,
    action: usize,
    picks: &[u32],
    lock_set: Option<&[AmoebotId]>,
) -> Result<Option<Movement>, SerialReplayError> {
    let action = algorithm.actions()[action];
    if enabled_actions(algorithm, View::new(system, id)).all(|enabled| enabled != action) {
        return Err(SerialReplayError::NotEnabled { at, id });
    }
    let mut draws = Scripted::new(picks);
    let view = match lock_set {
        Some(lock_set) => View::with_lock_set(system, id, lock_set),
        None => View::new(system, id),
    };
    let effects = algorithm.execute(action, &view, &mut draws);
    if draws.fault().is_some() {
        return Err(SerialReplayError::OtherDraws { at, id });
    }
    let effects = effects.map_err(|error| SerialReplayError::Aborted { at, id, error })?.portion(portion);
    let movement = effects.movement();
    let applied = effects.apply(system, id);
    applied.map_err(|error| SerialReplayError::Aborted { at, id, error: error.into() })?;
    Ok(movement)
}

/// The completed actions of a concurrent run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ActionLog {
    entries: Vec<LogEntry>,
    /// The number of entries that were removed from the log.
    taken: u64,
}

/// A position in a log whose actions are handed out to a caller in the order in which their locks were granted.
#[derive(Clone, Debug)]
pub struct LogCursor {
    /// The number of log entries that were examined.
    seen: usize,
    /// The positions of the examined entries that have not been handed out, each under the number of its Lock.
    waiting: BTreeMap<u64, usize>,
}

impl LogCursor {
    /// A cursor on a log whose first `count` actions in lock order have been handed out.
    #[must_use]
    pub fn after(log: &ActionLog, count: usize) -> Self {
        let mut cursor = Self { seen: 0, waiting: BTreeMap::new() };
        cursor.look(log);
        if let Some((&first, _)) = cursor.waiting.iter().nth(count) {
            cursor.waiting = cursor.waiting.split_off(&first);
        } else {
            cursor.waiting.clear();
        }
        cursor
    }

    /// The number of log entries that the cursor has not examined.
    pub(crate) fn unseen(&self, log: &ActionLog) -> usize {
        log.len() - self.seen
    }

    fn look(&mut self, log: &ActionLog) {
        let positions = self.seen..log.len();
        self.waiting.extend(positions.map(|position| (log.entries[position].ticket, position)));
        self.seen = log.len();
    }

    /// Hands out the actions whose Locks have numbers below `bound`.
    pub(crate) fn take(&mut self, log: &ActionLog, bound: u64) -> Vec<Completed> {
        self.look(log);
        let rest = self.waiting.split_off(&bound);
        let taken = std::mem::replace(&mut self.waiting, rest);
        taken.into_values().map(|position| log.entries[position].clone().into()).collect()
    }
}

/// Errors of a sequential replay: the run was not equivalent to a sequential one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SerialReplayError {
    /// The action is not enabled.
    #[error("action {at} in lock order, by amoebot {id}, is not enabled if no other amoebot acts")]
    NotEnabled {
        /// The position in the order of the locks, from 0.
        at: usize,
        /// The actor of the action.
        id: AmoebotId,
    },
    /// The action is aborted.
    #[error("action {at} in lock order, by amoebot {id}, is aborted: {error}")]
    Aborted {
        /// The position in the order of the locks, from 0.
        at: usize,
        /// The actor of the action.
        id: AmoebotId,
        /// The reason why the action was aborted.
        error: ActionError,
    },
    /// The action draws other random values than in the run.
    #[error("action {at} in lock order, by amoebot {id}, makes different random draws than before")]
    OtherDraws {
        /// The position in the order of the locks, from 0.
        at: usize,
        /// The actor of the action.
        id: AmoebotId,
    },
}

pack_fields!(ActionLog { entries, taken });

impl ActionLog {
    /// Replaces the log by a saved log, of a run with this many amoebots and actions.
    pub(crate) fn load(
        &mut self,
        (amoebots, actions): (usize, usize),
        from: &mut &[u8],
    ) -> Result<(), PackError> {
        self.unpack_into(from)?;
        let is_entry = |entry: &LogEntry| {
            let mut known = entry.lock_set.iter().chain([&entry.id]);
            entry.action < actions && known.all(|id| id.index() < amoebots)
        };
        if self.entries.iter().all(is_entry) { Ok(()) } else { Err(PackError) }
    }

    /// Loads a saved log if the run keeps one; otherwise checks that no log was saved.
    pub(crate) fn load_kept(
        log: &mut Option<Self>,
        known: (usize, usize),
        from: &mut &[u8],
    ) -> Result<(), PackError> {
        if bool::unpack(from)? != log.is_some() {
            return Err(PackError);
        }
        log.as_mut().map_or(Ok(()), |log| log.load(known, from))
    }

    pub(crate) fn push(&mut self, entry: LogEntry) {
        self.entries.push(entry);
    }

    /// Adds an entry, and numbers it as the next Lock.
    pub(crate) fn push_next(&mut self, entry: LogEntry) {
        self.entries.push(LogEntry { ticket: self.taken + self.entries.len() as u64, ..entry });
    }

    /// Removes all entries and returns them, in order. The log can then no longer be replayed from the start.
    pub(crate) fn take_completed(&mut self) -> Vec<Completed> {
        self.taken += self.entries.len() as u64;
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable();
        entries.into_iter().map(Completed::from).collect()
    }

    /// The actor of each completed action, in the order of completion.
    pub fn actors(&self) -> impl Iterator<Item = AmoebotId> + '_ {
        self.entries.iter().map(|entry| entry.id)
    }

    /// The actions in the order in which their locks were granted.
    pub fn completed(&self) -> impl Iterator<Item = Completed> + '_ {
        let mut entries: Vec<&LogEntry> = self.entries.iter().collect();
        entries.sort_unstable();
        entries.into_iter().map(|entry| entry.clone().into())
    }

    /// The actions after the first `count`, in the order of completion. In waves and tiles this is also the lock order.
    pub fn completed_after(&self, count: usize) -> impl Iterator<Item = Completed> + '_ {
        self.entries.iter().skip(count).map(|entry| entry.clone().into())
    }

    /// The position in the algorithm's list of the last logged action; `None` for an empty log.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        self.entries.last().map(|entry| entry.action)
    }

    /// The position in the algorithm's list of the last action of an amoebot; `None` if no action of it is logged.
    pub(crate) fn last_of(&self, id: AmoebotId) -> Option<usize> {
        self.entries.iter().rfind(|entry| entry.id == id).map(|entry| entry.action)
    }

    /// The number of logged actions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no action is logged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Executes the logged actions sequentially, in the order in which their locks were granted. Each action must be
    /// enabled when its actor sees all amoebots. An algorithm that picks "some neighbour" picks among the locked
    /// neighbours, as in the run. Returns the final system.
    ///
    /// # Errors
    ///
    /// An action is not enabled in the replay, fails, or draws other random values.
    ///
    /// # Panics
    ///
    /// Panics if the log is of another algorithm or of a system with more amoebots.
    pub fn replay<A: Algorithm>(
        &self,
        algorithm: &A,
        system: System<A::Memory>,
    ) -> Result<System<A::Memory>, SerialReplayError> {
        self.replay_while(algorithm, system, &|| true).map(|end| end.expect("there is time for it"))
    }

    /// Like [`replay`](Self::replay), but returns `None` once `has_time`, which is called every few milliseconds,
    /// returns false. A log of a million actions takes a second.
    ///
    /// # Errors
    ///
    /// As for [`replay`](Self::replay).
    ///
    /// # Panics
    ///
    /// Panics if the log is of another algorithm or of a system with more amoebots.
    pub fn replay_while<A: Algorithm>(
        &self,
        algorithm: &A,
        system: System<A::Memory>,
        has_time: &dyn Fn() -> bool,
    ) -> Result<Option<System<A::Memory>>, SerialReplayError> {
        self.replay_in(algorithm, system, |entry| Some(&entry.lock_set), has_time)
    }

    /// Like [`replay`](Self::replay), but each action is also executed with all amoebots visible. An algorithm may then
    /// pick a neighbour that was not locked in the run, so the replay may differ.
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
    ) -> Result<System<A::Memory>, SerialReplayError> {
        let end = self.replay_in(algorithm, system, |_| None, &|| true)?;
        Ok(end.expect("there is time for it"))
    }

    fn replay_in<A: Algorithm>(
        &self,
        algorithm: &A,
        mut system: System<A::Memory>,
        seen: impl Fn(&LogEntry) -> Option<&[AmoebotId]>,
        has_time: &dyn Fn() -> bool,
    ) -> Result<Option<System<A::Memory>>, SerialReplayError> {
        const AT_ONCE: usize = 1 << 10;
        let mut entries: Vec<&LogEntry> = self.entries.iter().collect();
        if sort_while(&mut entries, |entry| *entry, has_time).is_none() {
            return Ok(None);
        }
        for (at, entry) in entries.into_iter().enumerate() {
            if at % AT_ONCE == 0 && !has_time() {
                return Ok(None);
            }
            let LogEntry { id, action, picks, .. } = entry;
            replay_one((at, Portion::Whole), algorithm, &mut system, *id, *action, picks, seen(entry))?;
        }
        Ok(Some(system))
    }
}
