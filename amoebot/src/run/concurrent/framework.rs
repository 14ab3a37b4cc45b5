//! The concurrent form A′ of an algorithm, as the concurrency framework defines it, line by line.
//!
//! Source: Daymude, Richa, Scheideler, "The canonical amoebot model: algorithms and concurrency control", DISC 2021,
//! Algorithm 2. Every amoebot has two more public Booleans, `act` (true at the start) and `awaken` (false). A′ has one
//! action with the guard `act`:
//!
//! | step | lines | contents |
//! |---|---|---|
//! | Lock | 1 | L := Lock(); on failure abort |
//! | Evaluate | 2 to 7 | if awaken: act of all in L := true, awaken := false, unlock, abort. Evaluate the guards of A on L; if none holds: act := false, unlock, abort. Choose one, compute its writes and its movement |
//! | Expand | 8, 9 | if the movement is an expansion: do it, awaken := true; on failure unlock, abort |
//! | Write | 10, 11 | act of all in L := true; do the writes, awaken of all written amoebots := true |
//! | Release | 12 | a contraction or a pull: awaken of the pulled; unlock the amoebots that lose the link |
//! | Move | 12 | the contraction or the handover |
//! | Unlock | 12 | unlock the rest |
//!
//! Each step is atomic, and steps of different amoebots interleave in any order that an [`Adversary`] names.
//! Only Lock and Expand can fail. Until Expand has succeeded only `act` and `awaken` have changed, so an aborted
//! action has no effect. A run has terminated when no amoebot is inside an action and `act` is false everywhere.

use std::hash::Hash;
use std::sync::Arc;

use crate::model::id::AmoebotId;
use acrasin_runtime::Digest;
use acrasin_runtime::choice::{Choices, Decision, Recorded, pick_index};
use acrasin_runtime::pack::{Pack as _, PackError, Saved as _, unpack_list};

use super::control::{ActionStage, ControlState, Decided, HeldLocks, MemoryCodec, Write};
use super::counts::ConcurrentCounts;
use super::locks::{LockOutcome, Locks, SavedLocks};
use super::log::{ActionLog, Completed, LogCursor, LogEntry};
use super::stepped::Stepped;
use crate::algorithm::{ActionError, Algorithm, FailedAction, Portion, View, enabled_actions};
use crate::model::body::End;
use crate::model::operation::{Movement, OperationError};
use crate::model::system::System;
use crate::run::enabled::EnabledSet;
use crate::run::execution::Adversary;

/// An execution of the concurrent form A′ of an algorithm.
///
/// ```
/// use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
/// use acrasin_amoebot::run::execution::UniformEnabled;
/// use acrasin_amoebot::{Cell, Direction, Hexagon, start};
/// use acrasin_runtime::Seeded;
///
/// let line = start::line(Cell::ORIGIN, Direction::West, 7)?;
/// let start_of_run = Hexagon::start(&line, 0, &[])?;
/// let mut run = Concurrent::new(&Hexagon, start_of_run.clone(), TryLocks::new(7));
/// assert!(run.run(100_000, &mut UniformEnabled, &mut Seeded::new(1)));
/// let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, 7)?;
/// hexagon.sort();
/// assert_eq!(run.system().cells(), hexagon);
/// // Replayed sequentially in the order of the locks, the same actions lead to the same system.
/// assert_eq!(&run.log().replay(&Hexagon, start_of_run)?, run.system());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Concurrent<'a, A: Algorithm, L> {
    algorithm: &'a A,
    locks: L,
    /// The current system. Copies of the execution share it, since most steps leave it unchanged.
    system: Arc<System<A::Memory>>,
    controls: Vec<ControlState<A::Memory>>,
    /// The amoebots that are inside an action, or whose `act` is true: they may act without being woken first.
    busy: EnabledSet,
    /// The amoebots for which the round waits.
    pending: EnabledSet,
    inside: usize,
    /// The number of each amoebot's last Lock; empty without a log.
    tickets: Vec<u64>,
    log: ActionLog,
    /// The first action that failed; `None` without a log.
    failed: Option<FailedAction>,
    /// The first amoebot that has written but whose movement failed.
    unmoved: Option<AmoebotId>,
    counts: ConcurrentCounts,
}

impl<A: Algorithm, L: Clone> Clone for Concurrent<'_, A, L> {
    fn clone(&self) -> Self {
        Self {
            algorithm: self.algorithm,
            locks: self.locks.clone(),
            system: self.system.clone(),
            controls: self.controls.clone(),
            busy: self.busy.clone(),
            pending: self.pending.clone(),
            inside: self.inside,
            tickets: self.tickets.clone(),
            log: self.log.clone(),
            failed: self.failed.clone(),
            unmoved: self.unmoved,
            counts: self.counts,
        }
    }

    /// Reuses allocations: explorations copy a state for each step.
    fn clone_from(&mut self, other: &Self) {
        let Self {
            algorithm,
            locks,
            system,
            controls,
            busy,
            pending,
            inside,
            tickets,
            log,
            failed,
            unmoved,
            counts,
        } = self;
        (*algorithm, *inside, *counts) = (other.algorithm, other.inside, other.counts);
        *unmoved = other.unmoved;
        locks.clone_from(&other.locks);
        system.clone_from(&other.system);
        controls.clone_from(&other.controls);
        busy.clone_from(&other.busy);
        pending.clone_from(&other.pending);
        tickets.clone_from(&other.tickets);
        log.clone_from(&other.log);
        failed.clone_from(&other.failed);
    }
}

impl<'a, A: Algorithm, L: Locks> Concurrent<'a, A, L> {
    /// Starts an execution from this system: `act` is true for every amoebot, and no amoebot has begun an action. O(n).
    #[must_use]
    pub fn new(algorithm: &'a A, system: System<A::Memory>, locks: L) -> Self {
        let n = system.len();
        let mut busy = EnabledSet::none_of(n);
        for id in system.ids() {
            busy.set(id, true);
        }
        Self {
            algorithm,
            locks,
            controls: vec![ControlState { act: true, awaken: false, stage: ActionStage::Rest }; n],
            system: Arc::new(system),
            pending: busy.clone(),
            busy,
            inside: 0,
            tickets: vec![0; n],
            log: ActionLog::default(),
            failed: None,
            unmoved: None,
            counts: ConcurrentCounts::default(),
        }
    }

    /// Turns the log off from now on, so that copies of the execution stay small in explorations.
    #[must_use]
    pub fn without_log(self) -> Self {
        Self { tickets: Vec::new(), log: ActionLog::default(), ..self }
    }

    /// Resumes from a mid-run configuration; log, counters and round start are empty. O(n).
    pub(crate) fn midway(
        algorithm: &'a A,
        system: System<A::Memory>,
        locks: L,
        controls: Vec<ControlState<A::Memory>>,
    ) -> Self {
        let mut busy = EnabledSet::none_of(system.len());
        for (id, ControlState { act, stage, .. }) in system.ids().zip(&controls) {
            busy.set(id, *act || *stage != ActionStage::Rest);
        }
        let inside = controls.iter().filter(|control| control.stage.held().is_some()).count();
        Self {
            algorithm,
            locks,
            system: Arc::new(system),
            controls,
            pending: busy.clone(),
            busy,
            inside,
            tickets: Vec::new(),
            log: ActionLog::default(),
            failed: None,
            unmoved: None,
            counts: ConcurrentCounts::default(),
        }
    }

    /// Appends the state. Returns `false` if memories or locks cannot be saved, or if an action has failed, since the
    /// run is then over.
    pub fn save(&self, into: &mut Vec<u8>) -> bool
    where
        L: SavedLocks,
    {
        self.counts.pack(into);
        self.busy.save(into);
        self.pending.save(into);
        self.tickets.pack(into);
        self.log.pack(into);
        self.unmoved.pack(into);
        let save = |memory: &A::Memory, into: &mut Vec<u8>| self.algorithm.save_memory(memory, into);
        let codec = MemoryCodec { save: &save, load: &|_| Err(PackError) };
        self.failed.is_none()
            && self.controls.iter().all(|control| control.save(&codec, into))
            && self.system.save(&mut |memory, into| save(memory, into), into)
            && self.locks.save(into)
    }

    /// Restores the state that [`save`](Self::save) wrote for an execution from the same start.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state. The execution is then unusable until a load succeeds.
    pub fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError>
    where
        L: SavedLocks,
    {
        let sizes = (self.system.len(), self.algorithm.actions().len());
        self.counts.unpack_into(from)?;
        self.busy.load(from)?;
        self.pending.load(from)?;
        unpack_list(&mut self.tickets, from)?;
        self.log.load(sizes, from)?;
        self.unmoved.unpack_into(from)?;
        let load = |from: &mut &[u8]| self.algorithm.load_memory(from);
        let codec = MemoryCodec { save: &|_, _| false, load: &load };
        for control in &mut self.controls {
            *control = ControlState::load(sizes, &codec, from)?;
        }
        self.inside = self.controls.iter().filter(|control| control.stage.held().is_some()).count();
        Arc::make_mut(&mut self.system).load(&mut |from| load(from), from)?;
        self.locks.load(from)
    }

    /// The control state of an amoebot.
    pub(crate) fn control(&self, id: AmoebotId) -> &ControlState<A::Memory> {
        &self.controls[id.index()]
    }

    fn control_mut(&mut self, id: AmoebotId) -> &mut ControlState<A::Memory> {
        &mut self.controls[id.index()]
    }

    /// Whether this execution shares its system with another one, since no step has changed the system of one of them.
    pub(crate) fn shares_system_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.system, &other.system)
    }

    /// The amoebots in their current state.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// The locks of the run.
    #[must_use]
    pub fn locks(&self) -> &L {
        &self.locks
    }

    /// The log of actions so far; empty [without a log](Self::without_log).
    #[must_use]
    pub fn log(&self) -> &ActionLog {
        &self.log
    }

    /// The counters so far.
    #[must_use]
    pub fn counts(&self) -> ConcurrentCounts {
        self.counts
    }

    /// The amoebots that are inside an action, or whose `act` is true.
    #[must_use]
    pub fn busy(&self) -> &EnabledSet {
        &self.busy
    }

    /// The first action that failed under its locks; `None` [without a log](Self::without_log).
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// The logged actions that the cursor has not handed out yet, up to the first incomplete action in lock order.
    /// Scans the run only once per n / 8 actions, since a scan takes O(n).
    pub fn settled(&self, cursor: &mut LogCursor) -> Vec<Completed> {
        if cursor.unseen(&self.log) < self.controls.len() / 8 {
            return Vec::new();
        }
        let inside = self.controls.iter().zip(&self.tickets);
        let tickets = inside.filter_map(|(control, ticket)| control.stage.held().map(|_| *ticket));
        cursor.take(&self.log, tickets.min().unwrap_or(u64::MAX))
    }

    /// All changes up to the current system that the cursor has not handed out yet, in an order in which they can be
    /// replayed. These are the logged actions, in lock order, and the completed portions of actions in progress.
    pub fn done_after(&self, cursor: &mut LogCursor) -> Vec<Completed> {
        let is_unmoved = |id: AmoebotId| {
            matches!(self.control(id).stage, ActionStage::Release(..) | ActionStage::Move(..))
                || self.unmoved == Some(id)
        };
        let mut done = cursor.take(&self.log, u64::MAX);
        for id in self.system.ids().filter(|id| is_unmoved(*id)) {
            // The amoebot has written, but its last logged action is not complete.
            let last = done.iter_mut().rfind(|completed| completed.id == id);
            last.into_iter().for_each(|completed| completed.portion = Portion::Writes);
        }
        // The cell of an expansion has no other occupant, and no nearby amoebot was granted a lock since.
        done.extend(self.system.ids().filter_map(|id| match &self.control(id).stage {
            ActionStage::Write(held, decided) if matches!(decided.movement, Some(Movement::Expand(_))) => {
                let Decided { action, picks, .. } = decided.clone();
                Some(Completed {
                    id,
                    action,
                    picks,
                    lock_set: Some(held.clone()),
                    portion: Portion::Movement,
                })
            }
            _ => None,
        }));
        done
    }

    /// The number of amoebots that have begun an action and changed nothing yet.
    #[must_use]
    pub fn without_effect(&self) -> usize {
        let has_no_effect = |id: &AmoebotId| match &self.control(*id).stage {
            ActionStage::Evaluate(_) | ActionStage::Expand(..) => true,
            ActionStage::Write(_, decided) => !matches!(decided.movement, Some(Movement::Expand(_))),
            _ => false,
        };
        self.system.ids().filter(has_no_effect).count()
    }

    /// Whether the execution has terminated: no amoebot is inside an action, and `act` is false everywhere.
    #[must_use]
    pub fn has_terminated(&self) -> bool {
        self.busy.is_empty()
    }

    /// The number of amoebots inside an action, from Lock to Unlock.
    #[must_use]
    pub fn inside(&self) -> usize {
        self.inside
    }

    /// The public Booleans of the framework: `act` and `awaken`.
    #[must_use]
    pub fn flags(&self, id: AmoebotId) -> (bool, bool) {
        let ControlState { act, awaken, .. } = self.control(id);
        (*act, *awaken)
    }

    /// The lock set of an amoebot, without members that it has already unlocked; `None` if the amoebot is not inside an
    /// action.
    #[must_use]
    pub fn lock_set(&self, id: AmoebotId) -> Option<&[AmoebotId]> {
        self.control(id).stage.held().map(Vec::as_slice)
    }

    /// Whether lock sets are disjoint, and each member is locked for its holder. O(n).
    #[must_use]
    pub fn lock_sets_are_disjoint(&self) -> bool {
        let mut holders = vec![None; self.system.len()];
        self.system.ids().all(|id| {
            let mut set = self.lock_set(id).into_iter().flatten();
            set.all(|member| {
                holders[member.index()].replace(id).is_none() && self.locks.holder(*member) == Some(id)
            })
        })
    }

    /// Executes the next step of one amoebot.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    pub fn step(&mut self, id: AmoebotId, choices: &mut dyn Choices) -> Stepped {
        self.counts.steps += 1;
        let stage = std::mem::replace(&mut self.control_mut(id).stage, ActionStage::Rest);
        let (next, stepped) = match stage {
            ActionStage::Rest if !self.control(id).act => (ActionStage::Rest, Stepped::Nothing),
            ActionStage::Rest => self.lock(id, choices),
            ActionStage::Wait => match self.locks.granted(id) {
                Some(set) => self.locked(id, set),
                None => (ActionStage::Wait, Stepped::Nothing),
            },
            ActionStage::Evaluate(held) => self.evaluate(id, held, choices),
            ActionStage::Expand(held, decided) => self.expand(id, held, decided, choices),
            ActionStage::Write(held, decided) => self.write(id, held, decided),
            ActionStage::Release(held, movement) => self.release(id, held, movement),
            ActionStage::Move(held, movement) => self.perform(id, held, movement, choices),
            ActionStage::Unlock(held) => self.unlock(id, &held, choices),
            ActionStage::Leave if self.locks.is_unlocked(id) => (ActionStage::Rest, Stepped::Nothing),
            ActionStage::Leave => (ActionStage::Leave, Stepped::Nothing),
        };
        if matches!(next, ActionStage::Wait | ActionStage::Leave) && stepped == Stepped::Nothing {
            self.counts.waits += 1;
        }
        self.busy.set(id, self.control(id).act || !matches!(next, ActionStage::Rest));
        self.control_mut(id).stage = next;
        if matches!(stepped, Stepped::Disabled | Stepped::Written) {
            self.settle(id);
        }
        stepped
    }

    /// Removes an amoebot from the set for which the round waits.
    fn settle(&mut self, id: AmoebotId) {
        self.pending.set(id, false);
        if self.pending.is_empty() {
            self.counts.rounds += 1;
            self.pending.clone_from(&self.busy);
        }
    }

    /// Line 1 of the framework: calls Lock.
    fn lock(&mut self, id: AmoebotId, choices: &mut dyn Choices) -> (ActionStage<A::Memory>, Stepped) {
        let neighbours: Vec<AmoebotId> = self.system.neighbours(id).collect();
        match self.locks.lock(id, &neighbours, choices) {
            LockOutcome::Granted(set) => self.locked(id, set),
            LockOutcome::Failed => {
                self.counts.lock_failures += 1;
                (ActionStage::Rest, Stepped::LockFailed)
            }
            LockOutcome::Waits => (ActionStage::Wait, Stepped::Called),
        }
    }

    fn locked(&mut self, id: AmoebotId, set: HeldLocks) -> (ActionStage<A::Memory>, Stepped) {
        if let Some(ticket) = self.tickets.get_mut(id.index()) {
            *ticket = self.counts.locks;
        }
        self.counts.locks += 1;
        self.inside += 1;
        self.counts.width = self.counts.width.max(self.inside);
        (ActionStage::Evaluate(set), Stepped::Locked)
    }

    /// Lines 2 to 7 of the framework: evaluates the guards and chooses an action.
    fn evaluate(
        &mut self,
        id: AmoebotId,
        held: HeldLocks,
        choices: &mut dyn Choices,
    ) -> (ActionStage<A::Memory>, Stepped) {
        if self.control(id).awaken {
            self.wake(&held);
            self.control_mut(id).awaken = false;
            self.counts.awakenings += 1;
            return (ActionStage::Unlock(held), Stepped::Awakened);
        }
        let view = if L::ISOLATES {
            View::with_lock_set(&self.system, id, &held)
        } else {
            View::new(&self.system, id)
        };
        let actions: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
        let Some(chosen) = pick_index(choices, actions.len(), Decision::Action) else {
            self.control_mut(id).act = false;
            self.counts.disabled += 1;
            return (ActionStage::Unlock(held), Stepped::Disabled);
        };
        let action = self.algorithm.actions().iter().position(|action| *action == actions[chosen]);
        let action = action.expect("an enabled action is in the list");
        let mut draws = Recorded::new(choices);
        let possible = self.algorithm.execute(actions[chosen], &view, &mut draws).and_then(|effects| {
            let (writes, movement) = effects.into_parts()?;
            let failure = movement.and_then(|movement| self.failure(id, &held, movement));
            failure.map_or(Ok((writes, movement)), |error| Err(error.into()))
        });
        match possible {
            Ok((writes, movement)) => {
                let resolved = writes.into_iter().map(|(port, written)| {
                    let to = match port {
                        None => id,
                        Some(port) => view.id_at(port).ok_or(OperationError::NotConnected { port })?,
                    };
                    Ok(Write { to, read: self.system.memory(to).clone(), written })
                });
                match resolved.collect::<Result<_, OperationError>>() {
                    Ok(writes) => {
                        let decided = Decided { action, picks: draws.take(), writes, movement };
                        (ActionStage::Expand(held, decided), Stepped::Decided)
                    }
                    Err(error) => self.abort(id, held, action, error.into()),
                }
            }
            Err(error) => self.abort(id, held, action, error),
        }
    }

    /// The error of a movement that fails whatever the amoebots outside the lock set do; `None` if the movement may
    /// succeed.
    fn failure(&self, id: AmoebotId, held: &HeldLocks, movement: Movement) -> Option<OperationError> {
        let error = self.system.moved(id, movement).err().filter(|_| L::ISOLATES)?;
        let is_stranger = |port| self.system.neighbour(id, port).is_some_and(|who| !held.contains(&who));
        match error {
            // A collision with an unlocked amoebot is decided at the expansion.
            OperationError::Occupied { port } if is_stranger(port) => None,
            error => Some(error),
        }
    }

    fn abort(
        &mut self,
        id: AmoebotId,
        held: HeldLocks,
        action: usize,
        error: ActionError,
    ) -> (ActionStage<A::Memory>, Stepped) {
        self.counts.invalid += 1;
        self.fail(id, action, error);
        (ActionStage::Unlock(held), Stepped::Invalid(error))
    }

    fn fail(&mut self, id: AmoebotId, action: usize, error: ActionError) {
        if self.failed.is_none() && !self.tickets.is_empty() {
            let action = self.algorithm.actions()[action];
            self.failed = Some(FailedAction::of(&self.system, id, action, error));
        }
    }

    /// Lines 8 and 9 of the framework: expands, if the movement is an expansion.
    fn expand(
        &mut self,
        id: AmoebotId,
        held: HeldLocks,
        decided: Decided<A::Memory>,
        choices: &mut dyn Choices,
    ) -> (ActionStage<A::Memory>, Stepped) {
        if let Some(movement @ Movement::Expand(_)) = decided.movement {
            if let Err(error) = self.change(id, movement, choices) {
                self.counts.expand_failures += 1;
                return (ActionStage::Unlock(held), Stepped::ExpandFailed(error));
            }
            self.control_mut(id).awaken = true;
        }
        (ActionStage::Write(held, decided), Stepped::Expanded)
    }

    /// Lines 10 and 11 of the framework: writes to the memories.
    fn write(
        &mut self,
        id: AmoebotId,
        held: HeldLocks,
        decided: Decided<A::Memory>,
    ) -> (ActionStage<A::Memory>, Stepped) {
        self.wake_around(id, &held);
        let Decided { action, picks, writes, movement } = decided;
        for Write { to, read, written } in writes {
            let memory = self.algorithm.after_write(&read, written, self.system.memory(to));
            Arc::make_mut(&mut self.system).set_memory(to, memory);
            self.control_mut(to).awaken = true;
        }
        self.counts.actions += 1;
        if let Some(&ticket) = self.tickets.get(id.index()) {
            self.log.push(LogEntry { ticket, id, action, picks, lock_set: held.clone() });
        }
        let next = match movement {
            None | Some(Movement::Expand(_)) => ActionStage::Unlock(held),
            Some(movement) => ActionStage::Release(held, movement),
        };
        (next, Stepped::Written)
    }

    /// Line 12 of the framework, up to the movement: unlocks the members that lose their link.
    fn release(
        &mut self,
        id: AmoebotId,
        mut held: HeldLocks,
        movement: Movement,
    ) -> (ActionStage<A::Memory>, Stepped) {
        let partner = match movement {
            Movement::Pull(port) | Movement::Push(port) => self.system.neighbour(id, port),
            Movement::Contract(_) | Movement::Expand(_) => None,
        };
        if let Some(partner) = partner {
            self.control_mut(partner).awaken = true;
        }
        let left = match movement {
            Movement::Contract(end) => Some(end),
            Movement::Pull(port) => Some(port.end()),
            Movement::Push(_) => {
                self.control_mut(id).awaken = true;
                None
            }
            Movement::Expand(_) => None,
        };
        if let Some(left) = left {
            let body = self.system.body(id);
            let kept = match left {
                End::Head => body.tail(),
                End::Tail => body.head(),
            };
            let loses_link = |member: &AmoebotId| {
                let mut cells = self.system.body(*member).cells();
                *member != id
                    && Some(*member) != partner
                    && cells.all(|cell| cell.direction_to(kept).is_none())
            };
            let lost: Vec<AmoebotId> = held.iter().copied().filter(loses_link).collect();
            held.retain(|member| !lost.contains(member));
            self.locks.release(id, &lost);
        }
        (ActionStage::Move(held, movement), Stepped::Released)
    }

    /// Line 12 of the framework, the movement: contracts, pulls or pushes.
    fn perform(
        &mut self,
        id: AmoebotId,
        held: HeldLocks,
        movement: Movement,
        choices: &mut dyn Choices,
    ) -> (ActionStage<A::Memory>, Stepped) {
        let stepped = match self.change(id, movement, choices) {
            Ok(()) => {
                if !L::ISOLATES {
                    self.wake_around(id, &held);
                }
                Stepped::Moved
            }
            Err(error) => {
                self.counts.invalid += 1;
                self.unmoved = self.unmoved.or(Some(id));
                if let Some(action) = self.log.last_of(id) {
                    self.fail(id, action, error.into());
                }
                Stepped::MoveFailed(error)
            }
        };
        (ActionStage::Unlock(held), stepped)
    }

    /// Unlocks the remaining members, at the end of line 12 or of an abort after line 1.
    fn unlock(
        &mut self,
        id: AmoebotId,
        held: &[AmoebotId],
        choices: &mut dyn Choices,
    ) -> (ActionStage<A::Memory>, Stepped) {
        self.locks.unlock(id, held, choices);
        self.inside -= 1;
        (if self.locks.is_unlocked(id) { ActionStage::Rest } else { ActionStage::Leave }, Stepped::Unlocked)
    }

    /// Executes a step of the locks themselves, such as passing a message. Returns `false` if there is no such step.
    pub fn advance_locks(&mut self, choices: &mut dyn Choices) -> bool {
        self.locks.advance(choices)
    }

    /// Takes one of the unscheduled steps of the locks; see [`Locks::ways`].
    pub(crate) fn take_way(&mut self, way: usize, choices: &mut dyn Choices) -> AmoebotId {
        self.locks.take(way, choices)
    }

    /// Wakes the lock set. Without isolation, some current neighbours may not be in the lock set; they are woken as
    /// well.
    fn wake_around(&mut self, id: AmoebotId, held: &[AmoebotId]) {
        self.wake(held);
        if !L::ISOLATES {
            let near: Vec<AmoebotId> = self.system.neighbours(id).collect();
            self.wake(&near);
        }
    }

    fn wake(&mut self, set: &[AmoebotId]) {
        for &member in set {
            self.control_mut(member).act = true;
            self.busy.set(member, true);
        }
    }

    fn change(
        &mut self,
        id: AmoebotId,
        movement: Movement,
        choices: &mut dyn Choices,
    ) -> Result<(), OperationError> {
        let moved: Vec<AmoebotId> = self.system.moved(id, movement)?.bodies().map(|(who, _)| who).collect();
        Arc::make_mut(&mut self.system).perform(id, movement)?;
        self.counts.moves += movement.moves();
        let system = &self.system;
        self.locks.moved(&moved, &|id| system.neighbours(id).collect(), choices);
        Ok(())
    }

    /// A digest of the state on which the future depends, locks included.
    #[must_use]
    pub fn digest(&self) -> Digest
    where
        L: Hash,
    {
        let controls = || self.controls.iter();
        let act: Vec<bool> = controls().map(|control| control.act).collect();
        let awaken: Vec<bool> = controls().map(|control| control.awaken).collect();
        let stages: Vec<&ActionStage<A::Memory>> = controls().map(|control| &control.stage).collect();
        Digest::of(&(self.system.amoebots(), act, awaken, stages, &self.locks))
    }

    /// Executes the next turn: a step of an amoebot, which is returned, or of the locks (`None`). While the
    /// locks have steps of their own, a fair coin decides.
    pub fn turn(
        &mut self,
        adversary: &mut impl Adversary,
        choices: &mut dyn Choices,
    ) -> Option<(AmoebotId, Stepped)> {
        const COIN: std::num::NonZeroU32 = std::num::NonZeroU32::new(2).expect("two is not zero");
        if choices.pick(COIN, Decision::Adversary) == 0 && self.advance_locks(choices) {
            return None;
        }
        let id = adversary.next(&self.busy, choices);
        Some((id, self.step(id, choices)))
    }

    /// Runs for at most `most` [turns](Self::turn), until the execution has terminated or an action [has
    /// failed](Self::failed). Returns whether it has terminated.
    pub fn run(&mut self, most: u64, adversary: &mut impl Adversary, choices: &mut dyn Choices) -> bool {
        for _ in 0..most {
            if self.has_terminated() || self.failed.is_some() {
                break;
            }
            self.turn(adversary, choices);
        }
        self.has_terminated()
    }
}
