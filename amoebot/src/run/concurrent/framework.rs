//! The concurrency framework: A′, line by line.
//!
//! Source: Daymude, Richa, Scheideler, "The canonical amoebot model: algorithms and concurrency control", DISC 2021,
//! Algorithm 2. Every amoebot has two more public Booleans, `act` (true at the start) and `awaken` (false). A′ has one
//! action with the guard `act`:
//!
//! | step | lines | what |
//! |---|---|---|
//! | Lock | 1 | L := Lock(); on failure abort |
//! | Evaluate | 2 to 7 | if awaken: act of all in L := true, awaken := false, unlock, abort. Evaluate the guards of A on L; if none holds: act := false, unlock, abort. Choose one, compute its writes and its movement |
//! | Expand | 8, 9 | if the movement is an expansion: do it, awaken := true; on failure unlock, abort |
//! | Write | 10, 11 | act of all in L := true; do the writes, awaken of all that are written := true |
//! | Release | 12 | a contraction or a pull: awaken of the pulled; unlock those who lose the link |
//! | Move | 12 | the contraction or the handover |
//! | Unlock | 12 | unlock the rest |
//!
//! Each step is atomic, and steps of different amoebots come in any order that an [`Adversary`] names. Two of them can
//! fail: Lock and Expand. Until Expand has succeeded nothing but `act` and `awaken` has changed, so an aborted action
//! has no effect. A run has terminated when no amoebot is inside an action and `act` is false everywhere.

use std::hash::Hash;
use std::sync::Arc;

use crate::model::id::AmoebotId;
use acrasin_runtime::Digest;
use acrasin_runtime::choice::{Choices, Decision, Recorded, pick_index};

use super::counts::Counts;
use super::locks::{Lock, Locks};
use super::log::{Completed, Entry, Log};
use super::standing::{Decided, Held, Stage, Standing, Write};
use super::stepped::Stepped;
use crate::algorithm::{ActionError, Algorithm, FailedAction, Portion, View, enabled_actions};
use crate::model::body::End;
use crate::model::operation::{Movement, OperationError};
use crate::model::system::System;
use crate::run::enabled::EnabledSet;
use crate::run::execution::Adversary;

/// A run of the concurrent form of an algorithm.
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
/// // One after the other, in the order of the locks, the same actions lead to the same system.
/// assert_eq!(&run.log().replay(&Hexagon, start_of_run)?, run.system());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Concurrent<'a, A: Algorithm, L> {
    algorithm: &'a A,
    locks: L,
    /// Most steps leave it as it is: copies of the run share it.
    system: Arc<System<A::Memory>>,
    standings: Vec<Standing<A::Memory>>,
    /// Those who may do something now or later without being woken.
    busy: EnabledSet,
    /// Those whom the round waits for.
    pending: EnabledSet,
    inside: usize,
    /// For each amoebot the number of its last Lock; none without a log.
    tickets: Vec<u64>,
    log: Log,
    /// The first action that failed; none without a log.
    failed: Option<FailedAction>,
    /// The first amoebot that has written and whose movement failed.
    unmoved: Option<AmoebotId>,
    counts: Counts,
}

impl<A: Algorithm, L: Clone> Clone for Concurrent<'_, A, L> {
    fn clone(&self) -> Self {
        Self {
            algorithm: self.algorithm,
            locks: self.locks.clone(),
            system: self.system.clone(),
            standings: self.standings.clone(),
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

    /// What it has allocated is used again: a step is explored from a copy.
    fn clone_from(&mut self, other: &Self) {
        let Self {
            algorithm,
            locks,
            system,
            standings,
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
        standings.clone_from(&other.standings);
        busy.clone_from(&other.busy);
        pending.clone_from(&other.pending);
        tickets.clone_from(&other.tickets);
        log.clone_from(&other.log);
        failed.clone_from(&other.failed);
    }
}

impl<'a, A: Algorithm, L: Locks> Concurrent<'a, A, L> {
    /// At the start: every amoebot is to act, no amoebot has begun. O(n).
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
            standings: vec![Standing { act: true, awaken: false, stage: Stage::Rest }; n],
            system: Arc::new(system),
            pending: busy.clone(),
            busy,
            inside: 0,
            tickets: vec![0; n],
            log: Log::default(),
            failed: None,
            unmoved: None,
            counts: Counts::default(),
        }
    }

    /// The same, but nothing is logged from now on: a copy of an explored state costs what the state takes.
    #[must_use]
    pub fn without_log(self) -> Self {
        Self { tickets: Vec::new(), log: Log::default(), ..self }
    }

    /// In the midst of a run of which nothing is known but where it is: without a log, and with counts and a round that
    /// begin here. O(n).
    pub(crate) fn midway(
        algorithm: &'a A,
        system: System<A::Memory>,
        locks: L,
        standings: Vec<Standing<A::Memory>>,
    ) -> Self {
        let mut busy = EnabledSet::none_of(system.len());
        for (id, Standing { act, stage, .. }) in system.ids().zip(&standings) {
            busy.set(id, *act || *stage != Stage::Rest);
        }
        let inside = standings.iter().filter(|standing| standing.stage.held().is_some()).count();
        Self {
            algorithm,
            locks,
            system: Arc::new(system),
            standings,
            pending: busy.clone(),
            busy,
            inside,
            tickets: Vec::new(),
            log: Log::default(),
            failed: None,
            unmoved: None,
            counts: Counts::default(),
        }
    }

    /// Where an amoebot is in its action.
    pub(crate) fn standing(&self, id: AmoebotId) -> &Standing<A::Memory> {
        &self.standings[id.index()]
    }

    fn standing_mut(&mut self, id: AmoebotId) -> &mut Standing<A::Memory> {
        &mut self.standings[id.index()]
    }

    /// Whether the system is the same as that of another run because no step has changed either.
    pub(crate) fn shares_system_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.system, &other.system)
    }

    /// The system now.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// The locks.
    #[must_use]
    pub fn locks(&self) -> &L {
        &self.locks
    }

    /// What was done so far; nothing [without a log](Self::without_log).
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// What happened so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Those who are inside an action, or are to act.
    #[must_use]
    pub fn busy(&self) -> &EnabledSet {
        &self.busy
    }

    /// The first action that failed under its locks; none [without a log](Self::without_log).
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// All that has led to the system as it is now, in an order in which it can be done again: the actions of the log, in the order
    /// in which their locks were granted, and what is done by now of those that are not completed.
    #[must_use]
    pub fn done(&self) -> Vec<Completed> {
        let is_unmoved = |id: AmoebotId| {
            matches!(self.standing(id).stage, Stage::Release(..) | Stage::Move(..))
                || self.unmoved == Some(id)
        };
        let mut done: Vec<Completed> = self.log.completed().collect();
        for id in self.system.ids().filter(|id| is_unmoved(*id)) {
            // It has written last what it has not completed.
            let last = done.iter_mut().rfind(|completed| completed.id == id);
            last.into_iter().for_each(|completed| completed.portion = Portion::Writes);
        }
        // No other amoebot is on the cell of an expansion, and no amoebot nearby has been granted a lock since.
        done.extend(self.system.ids().filter_map(|id| match &self.standing(id).stage {
            Stage::Write(held, decided) if matches!(decided.movement, Some(Movement::Expand(_))) => {
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
        let has_no_effect = |id: &AmoebotId| match &self.standing(*id).stage {
            Stage::Evaluate(_) | Stage::Expand(..) => true,
            Stage::Write(_, decided) => !matches!(decided.movement, Some(Movement::Expand(_))),
            _ => false,
        };
        self.system.ids().filter(has_no_effect).count()
    }

    /// Whether no amoebot is inside an action, and no amoebot is to act: nothing will happen any more.
    #[must_use]
    pub fn has_terminated(&self) -> bool {
        self.busy.is_empty()
    }

    /// How many amoebots are inside an action, from Lock to Unlock.
    #[must_use]
    pub fn inside(&self) -> usize {
        self.inside
    }

    /// The public Booleans of the framework: `act` and `awaken`.
    #[must_use]
    pub fn flags(&self, id: AmoebotId) -> (bool, bool) {
        let Standing { act, awaken, .. } = self.standing(id);
        (*act, *awaken)
    }

    /// The lock set of an amoebot that is inside an action, without those it has unlocked already.
    #[must_use]
    pub fn lock_set(&self, id: AmoebotId) -> Option<&[AmoebotId]> {
        self.standing(id).stage.held().map(Vec::as_slice)
    }

    /// Whether lock sets are disjoint and every amoebot in them is locked for their holder. O(n).
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

    /// The next step of one amoebot.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    pub fn step(&mut self, id: AmoebotId, choices: &mut dyn Choices) -> Stepped {
        self.counts.steps += 1;
        let stage = std::mem::replace(&mut self.standing_mut(id).stage, Stage::Rest);
        let (next, stepped) = match stage {
            Stage::Rest if !self.standing(id).act => (Stage::Rest, Stepped::Nothing),
            Stage::Rest => self.lock(id, choices),
            Stage::Wait => match self.locks.granted(id) {
                Some(set) => self.locked(id, set),
                None => (Stage::Wait, Stepped::Nothing),
            },
            Stage::Evaluate(held) => self.evaluate(id, held, choices),
            Stage::Expand(held, decided) => self.expand(id, held, decided, choices),
            Stage::Write(held, decided) => self.write(id, held, decided),
            Stage::Release(held, movement) => self.release(id, held, movement),
            Stage::Move(held, movement) => self.perform(id, held, movement, choices),
            Stage::Unlock(held) => self.unlock(id, &held, choices),
            Stage::Leave if self.locks.is_unlocked(id) => (Stage::Rest, Stepped::Nothing),
            Stage::Leave => (Stage::Leave, Stepped::Nothing),
        };
        if matches!(next, Stage::Wait | Stage::Leave) && stepped == Stepped::Nothing {
            self.counts.waits += 1;
        }
        self.busy.set(id, self.standing(id).act || !matches!(next, Stage::Rest));
        self.standing_mut(id).stage = next;
        if matches!(stepped, Stepped::Disabled | Stepped::Written) {
            self.settle(id);
        }
        stepped
    }

    /// The round need not wait for this amoebot any more.
    fn settle(&mut self, id: AmoebotId) {
        self.pending.set(id, false);
        if self.pending.is_empty() {
            self.counts.rounds += 1;
            self.pending.clone_from(&self.busy);
        }
    }

    /// Line 1.
    fn lock(&mut self, id: AmoebotId, choices: &mut dyn Choices) -> (Stage<A::Memory>, Stepped) {
        let neighbours: Vec<AmoebotId> = self.system.neighbours(id).collect();
        match self.locks.lock(id, &neighbours, choices) {
            Lock::Granted(set) => self.locked(id, set),
            Lock::Failed => {
                self.counts.lock_failures += 1;
                (Stage::Rest, Stepped::LockFailed)
            }
            Lock::Waits => (Stage::Wait, Stepped::Called),
        }
    }

    fn locked(&mut self, id: AmoebotId, set: Held) -> (Stage<A::Memory>, Stepped) {
        if let Some(ticket) = self.tickets.get_mut(id.index()) {
            *ticket = self.counts.locks;
        }
        self.counts.locks += 1;
        self.inside += 1;
        self.counts.width = self.counts.width.max(self.inside);
        (Stage::Evaluate(set), Stepped::Locked)
    }

    /// Lines 2 to 7.
    fn evaluate(
        &mut self,
        id: AmoebotId,
        held: Held,
        choices: &mut dyn Choices,
    ) -> (Stage<A::Memory>, Stepped) {
        if self.standing(id).awaken {
            self.wake(&held);
            self.standing_mut(id).awaken = false;
            self.counts.awakenings += 1;
            return (Stage::Unlock(held), Stepped::Awakened);
        }
        let view =
            if L::ISOLATES { View::within(&self.system, id, &held) } else { View::of(&self.system, id) };
        let actions: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
        let Some(chosen) = pick_index(choices, actions.len(), Decision::Action) else {
            self.standing_mut(id).act = false;
            self.counts.disabled += 1;
            return (Stage::Unlock(held), Stepped::Disabled);
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
                        (Stage::Expand(held, decided), Stepped::Decided)
                    }
                    Err(error) => self.abort(id, held, action, error.into()),
                }
            }
            Err(error) => self.abort(id, held, action, error),
        }
    }

    /// The error of a movement that is not possible under these locks, whatever the amoebots outside of the lock set do.
    fn failure(&self, id: AmoebotId, held: &Held, movement: Movement) -> Option<OperationError> {
        let error = self.system.moved(id, movement).err().filter(|_| L::ISOLATES)?;
        let is_stranger = |port| self.system.neighbour(id, port).is_some_and(|who| !held.contains(&who));
        match error {
            // A collision is decided when the amoebot expands.
            OperationError::Occupied { port } if is_stranger(port) => None,
            error => Some(error),
        }
    }

    fn abort(
        &mut self,
        id: AmoebotId,
        held: Held,
        action: usize,
        error: ActionError,
    ) -> (Stage<A::Memory>, Stepped) {
        self.counts.invalid += 1;
        self.fail(id, action, error);
        (Stage::Unlock(held), Stepped::Invalid(error))
    }

    fn fail(&mut self, id: AmoebotId, action: usize, error: ActionError) {
        if self.failed.is_none() && !self.tickets.is_empty() {
            let action = self.algorithm.actions()[action];
            self.failed = Some(FailedAction::of(&self.system, id, action, error));
        }
    }

    /// Lines 8 and 9.
    fn expand(
        &mut self,
        id: AmoebotId,
        held: Held,
        decided: Decided<A::Memory>,
        choices: &mut dyn Choices,
    ) -> (Stage<A::Memory>, Stepped) {
        if let Some(movement @ Movement::Expand(_)) = decided.movement {
            if let Err(error) = self.change(id, movement, choices) {
                self.counts.expand_failures += 1;
                return (Stage::Unlock(held), Stepped::ExpandFailed(error));
            }
            self.standing_mut(id).awaken = true;
        }
        (Stage::Write(held, decided), Stepped::Expanded)
    }

    /// Lines 10 and 11.
    fn write(
        &mut self,
        id: AmoebotId,
        held: Held,
        decided: Decided<A::Memory>,
    ) -> (Stage<A::Memory>, Stepped) {
        self.wake_around(id, &held);
        let Decided { action, picks, writes, movement } = decided;
        for Write { to, read, written } in writes {
            let memory = self.algorithm.after_write(&read, written, self.system.memory(to));
            Arc::make_mut(&mut self.system).set_memory(to, memory);
            self.standing_mut(to).awaken = true;
        }
        self.counts.actions += 1;
        if let Some(&ticket) = self.tickets.get(id.index()) {
            self.log.push(Entry { ticket, id, action, picks, lock_set: held.clone() });
        }
        let next = match movement {
            None | Some(Movement::Expand(_)) => Stage::Unlock(held),
            Some(movement) => Stage::Release(held, movement),
        };
        (next, Stepped::Written)
    }

    /// Line 12 up to the movement.
    fn release(&mut self, id: AmoebotId, mut held: Held, movement: Movement) -> (Stage<A::Memory>, Stepped) {
        let partner = match movement {
            Movement::Pull(port) | Movement::Push(port) => self.system.neighbour(id, port),
            Movement::Contract(_) | Movement::Expand(_) => None,
        };
        if let Some(partner) = partner {
            self.standing_mut(partner).awaken = true;
        }
        let left = match movement {
            Movement::Contract(end) => Some(end),
            Movement::Pull(port) => Some(port.end()),
            Movement::Push(_) => {
                self.standing_mut(id).awaken = true;
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
        (Stage::Move(held, movement), Stepped::Released)
    }

    /// The movement of line 12.
    fn perform(
        &mut self,
        id: AmoebotId,
        held: Held,
        movement: Movement,
        choices: &mut dyn Choices,
    ) -> (Stage<A::Memory>, Stepped) {
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
        (Stage::Unlock(held), stepped)
    }

    /// The end of line 12, and of every abort after line 1.
    fn unlock(
        &mut self,
        id: AmoebotId,
        held: &[AmoebotId],
        choices: &mut dyn Choices,
    ) -> (Stage<A::Memory>, Stepped) {
        self.locks.unlock(id, held, choices);
        self.inside -= 1;
        (if self.locks.is_unlocked(id) { Stage::Rest } else { Stage::Leave }, Stepped::Unlocked)
    }

    /// A step of the locks' own work, such as passing a message; false if there is none to do.
    pub fn advance_locks(&mut self, choices: &mut dyn Choices) -> bool {
        self.locks.advance(choices)
    }

    /// Takes one of the steps of the locks between which nobody decides: see [`Locks::ways`].
    pub(crate) fn take_way(&mut self, way: usize, choices: &mut dyn Choices) -> AmoebotId {
        self.locks.take(way, choices)
    }

    /// Wakes the lock set. Without isolation that is not enough: whoever is near by now may be someone else.
    fn wake_around(&mut self, id: AmoebotId, held: &[AmoebotId]) {
        self.wake(held);
        if !L::ISOLATES {
            let near: Vec<AmoebotId> = self.system.neighbours(id).collect();
            self.wake(&near);
        }
    }

    fn wake(&mut self, set: &[AmoebotId]) {
        for &member in set {
            self.standing_mut(member).act = true;
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

    /// A digest of all that the future depends on, locks included.
    #[must_use]
    pub fn digest(&self) -> Digest
    where
        L: Hash,
    {
        let standings = || self.standings.iter();
        let act: Vec<bool> = standings().map(|standing| standing.act).collect();
        let awaken: Vec<bool> = standings().map(|standing| standing.awaken).collect();
        let stages: Vec<&Stage<A::Memory>> = standings().map(|standing| &standing.stage).collect();
        Digest::of(&(self.system.amoebots(), act, awaken, stages, &self.locks))
    }

    /// The next turn: a step of an amoebot, with who it was, or of the locks (`None`). While these have work of their own, a fair
    /// coin decides.
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

    /// Continues until it has terminated or an action [has failed](Self::failed), but for at most so many [turns](Self::turn); tells
    /// whether it has terminated.
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
