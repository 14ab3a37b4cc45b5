//! Many amoebots at once, on every core: waves of disjoint lock sets.
//!
//! A wave is what the [concurrency framework](crate::run::concurrent) does if every amoebot calls Lock at the same
//! moment, in shared memory:
//!
//! 1. Every amoebot that was woken evaluates its guards. Who has no enabled action rests until a neighbour changes.
//! 2. Each of the others draws a priority, by (seed, wave, amoebot), and claims itself and its neighbours. Who holds all
//!    its claims has locked its closed neighbourhood; the lock sets of a wave are disjoint. The others try again.
//! 3. Those who hold their locks execute their actions on what they saw at the start of the wave. Who expands claims the
//!    cell: locks on amoebots do not cover it.
//! 4. The effects are done. Of several who expand into one cell the one with the best priority does; the others fail and
//!    try again.
//! 5. Every amoebot next to an amoebot that has changed is woken.
//!
//! In a wide wave steps 1 to 3 run on all threads of the current rayon pool, claims by atomic minima, and with them what 4 and 5
//! have to find out: what the effects come to, and who is near to those whom they change. One thread then writes it down, in the
//! order of the list. Who was changed by another action of the wave, and so may be near no longer, is woken by that one; so
//! those who are woken are the same as if effects were found one after the other. A narrow wave is one thread's. All results are functions of the start and
//! the seed, for any number of threads. The actions in the order in which they were done are a [`Log`]: replayed one
//! after the other they lead to the same system, if the algorithm does not mind who arrives while it acts (the
//! framework's monotonicity).
//!
//! What counts free cells, as algorithm A of compression does, does mind, and it looks at amoebots beyond its neighbours. An
//! algorithm that says so ([`Looks::Beyond`](crate::algorithm::Looks::Beyond)) locks everybody within four cells: nobody of another lock set then enters or leaves a
//! cell that it looks at.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::id::AmoebotId;
use acrasin_engine::Draws;
use acrasin_runtime::choice::{Decision, Recorded, pick_index};
use rayon::prelude::*;

use crate::algorithm::{
    Algorithm, Effects, FailedAction, Order, Resolved, View, enabled_actions, first_enabled_action,
};
use crate::model::lattice::Cell;
use crate::model::operation::Movement;
use crate::model::system::System;
use crate::run::concurrent::log::Entry;
use crate::run::concurrent::{Completed, Log};
use crate::run::overlap::{Overlap, in_two};

mod lots;
mod targets;

use lots::{Drawn, WAVES_PER_AGE};
use targets::Targets;

pub(crate) use lots::{Lots, each_locked, lock_set};

/// Amoebots that one task looks at.
const CHUNK: usize = 256;

/// With fewer amoebots in a wave the other threads are not asked: waking them takes longer than the work.
const PARALLEL_MIN: usize = 2 * CHUNK;

/// What happened so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// Waves.
    pub waves: u64,
    /// Evaluations of somebody's guards.
    pub activations: u64,
    /// Locks that were held.
    pub locks: u64,
    /// Lock-failures: an amoebot near had a better priority.
    pub lock_failures: u64,
    /// Completed actions.
    pub actions: u64,
    /// Movements; a handover is two.
    pub moves: u64,
    /// Expansions that lost a collision.
    pub expand_failures: u64,
    /// Aborts that a valid algorithm never has.
    pub invalid: u64,
    /// The most lock sets in a wave.
    pub width: u64,
    /// The lock sets of the last wave.
    pub last_width: u64,
    /// Finished asynchronous rounds: a round ends once every amoebot that was awake at its start has completed an action, or
    /// had none enabled.
    pub rounds: u64,
}

/// A run in waves.
///
/// ```
/// use acrasin_amoebot::run::parallel::Waves;
/// use acrasin_amoebot::{Cell, Direction, Hexagon, start};
///
/// let line = start::line(Cell::ORIGIN, Direction::West, 100)?;
/// let mut waves = Waves::new(&Hexagon, Hexagon::start(&line, 0, &[])?, 1);
/// assert!(waves.run(100_000));
/// let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, 100)?;
/// hexagon.sort();
/// assert_eq!(waves.system().cells(), hexagon);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Waves<'a, A: Algorithm> {
    algorithm: &'a A,
    system: System<A::Memory>,
    draws: Draws,
    /// Those who were woken, each once.
    queue: Vec<AmoebotId>,
    /// The queue of the wave before, to be filled again.
    spare: Vec<AmoebotId>,
    is_queued: Vec<bool>,
    /// Whom the round waits for: some of those in the queue.
    is_pending: Vec<bool>,
    pending: usize,
    /// For each amoebot the best claim on it: waves, from 2^24 down, then the priority.
    claims: Vec<AtomicU64>,
    /// The best claims on the cells that an amoebot expands into.
    targets: Targets,
    /// With fewer amoebots a wave is narrow.
    parallel_min: usize,
    /// Claims are those of locks: a variant for tests claims too little.
    claims_all: bool,
    checks: bool,
    overlap: Option<Overlap>,
    /// Who is woken by the action in work.
    affected: Vec<AmoebotId>,
    log: Option<Log>,
    failed: Option<FailedAction>,
    counts: Counts,
}

/// An amoebot with an enabled action.
struct Candidate<L> {
    id: AmoebotId,
    action: L,
    claim: u64,
}

/// An amoebot that has executed its action under its locks.
struct Executed<M> {
    id: AmoebotId,
    claim: u64,
    /// The cell that it expands into.
    target: Option<Cell>,
    /// For the log, if there is one; without its number.
    entry: Option<Entry>,
    /// Whom it moves, and what it does.
    effects: Result<(Option<Movement>, Resolved<M>), FailedAction>,
    /// Who is woken by it, some more than once, if the wave is wide; otherwise they are found when it is done.
    affected: Vec<AmoebotId>,
}

impl<'a, A> Waves<'a, A>
where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
    A::Action: Send + Sync,
{
    /// At the start: every amoebot is awake. O(n).
    #[must_use]
    pub fn new(algorithm: &'a A, system: System<A::Memory>, seed: u64) -> Self {
        Self {
            algorithm,
            draws: Draws::new(seed),
            queue: system.ids().collect(),
            spare: Vec::new(),
            is_queued: vec![true; system.len()],
            is_pending: vec![true; system.len()],
            pending: system.len(),
            claims: system.ids().map(|_| AtomicU64::new(u64::MAX)).collect(),
            targets: Targets::default(),
            parallel_min: PARALLEL_MIN,
            claims_all: true,
            checks: cfg!(debug_assertions),
            overlap: None,
            affected: Vec::new(),
            log: None,
            failed: None,
            counts: Counts::default(),
            system,
        }
    }

    /// The same run with a log of all actions: some 120 bytes each.
    #[must_use]
    pub fn with_log(self) -> Self {
        Self { log: Some(Log::default()), ..self }
    }

    /// The same run, in which every wave is checked: no amoebot is in two of its lock sets. Debug builds always check.
    #[must_use]
    pub fn checked(self) -> Self {
        Self { checks: true, ..self }
    }

    /// The same with waves that are wide from so many amoebots on: the results are the same, as a test shows.
    #[doc(hidden)]
    #[must_use]
    pub fn wide_from(self, amoebots: usize) -> Self {
        Self { parallel_min: amoebots, ..self }
    }

    /// The same with claims on oneself alone: lock sets overlap, as a test shows.
    #[doc(hidden)]
    #[must_use]
    pub fn without_neighbours(self) -> Self {
        Self { claims_all: false, ..self }
    }

    /// The first overlap of lock sets that was found, if it is [checked](Self::checked): there is none.
    #[must_use]
    pub fn overlap(&self) -> Option<Overlap> {
        self.overlap
    }

    /// Takes what is in the log out of it, in order; nothing is lost if it is asked after every wave.
    pub fn take_completed(&mut self) -> Vec<Completed> {
        self.log.as_mut().map_or_else(Vec::new, Log::take_completed)
    }

    /// The system now.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// What was done so far, if it is logged.
    #[must_use]
    pub fn log(&self) -> Option<&Log> {
        self.log.as_ref()
    }

    /// What happened so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The first action that failed under its locks.
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// Whether every amoebot rests: nothing will happen any more.
    #[must_use]
    pub fn has_terminated(&self) -> bool {
        self.queue.is_empty()
    }

    /// The bytes that the run takes, without its log.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.system.bytes()
            + (self.queue.capacity() + self.spare.capacity()) * size_of::<AmoebotId>()
            + self.is_queued.capacity()
            + self.is_pending.capacity()
            + self.claims.capacity() * size_of::<AtomicU64>()
            + self.targets.bytes()
    }

    /// Runs until every amoebot rests or an action [has failed](Self::failed), but at most so many waves; tells whether every
    /// amoebot rests.
    pub fn run(&mut self, most: u64) -> bool {
        for _ in 0..most {
            if self.has_terminated() || self.failed.is_some() {
                break;
            }
            self.wave();
        }
        self.has_terminated()
    }

    /// Awake are only these, each once; the first wave is the next one, and what was done before is not known.
    pub(crate) fn midway(algorithm: &'a A, system: System<A::Memory>, queue: Vec<AmoebotId>) -> Self {
        let mut waves = Self::new(algorithm, system, 0);
        waves.is_queued.fill(false);
        for id in &queue {
            waves.is_queued[id.index()] = true;
        }
        waves.queue = queue;
        waves
    }

    /// Those who are awake: they evaluate their guards in the next wave.
    pub(crate) fn awake(&self) -> &[AmoebotId] {
        &self.queue
    }

    /// One wave.
    pub fn wave(&mut self) {
        let (draws, wave) = (self.draws, self.counts.waves);
        self.wave_with(&Drawn::new(draws, wave));
    }

    /// One wave, in which the lots say what is left open.
    pub(crate) fn wave_with(&mut self, lots: &impl Lots) {
        let wave = self.counts.waves;
        if wave > 0 && wave.is_multiple_of(WAVES_PER_AGE) {
            for claim in &mut self.claims {
                *claim.get_mut() = u64::MAX;
            }
        }
        let spare = std::mem::take(&mut self.spare);
        let mut queue = std::mem::replace(&mut self.queue, spare);
        for id in &queue {
            self.is_queued[id.index()] = false;
        }
        let least = self.parallel_min;
        let is_alone = queue.len() < least;
        let candidates = each_chunk(&queue, least, |ids, found| self.claim(lots, ids, is_alone, found));
        let is_wide = candidates.len() >= least;
        let executed =
            each_chunk(&candidates, least, |candidates, done| self.execute(lots, candidates, is_wide, done));
        self.targets.clear(executed.iter().filter(|done| done.target.is_some()).count());
        let _: Vec<()> = each_chunk(&executed, least, |executed, _| {
            for done in executed {
                if let Some(cell) = done.target {
                    self.targets.claim(cell, done.claim);
                }
            }
        });

        if self.checks && self.overlap.is_none() {
            let id = in_two(executed.iter().map(|done| self.members(done.id)));
            self.overlap = id.map(|id| Overlap { step: wave, id });
        }

        self.counts.waves += 1;
        self.counts.activations += queue.len() as u64;
        self.counts.locks += executed.len() as u64;
        self.counts.lock_failures += (candidates.len() - executed.len()) as u64;
        self.counts.last_width = executed.len() as u64;
        self.counts.width = self.counts.width.max(self.counts.last_width);
        let mut winners = executed.iter().map(|done| done.id).peekable();
        let mut enabled = candidates.iter().map(|candidate| candidate.id).peekable();
        for id in queue.drain(..) {
            if enabled.next_if_eq(&id).is_none() {
                self.settle(id);
            } else if winners.next_if_eq(&id).is_none() {
                self.wake(id);
            }
        }
        self.spare = queue;
        for done in executed {
            self.finish(done, is_wide);
        }
        if self.pending == 0 {
            self.counts.rounds += 1;
            self.pending = self.queue.len();
            for id in &self.queue {
                self.is_pending[id.index()] = true;
            }
        }
    }

    /// The round need not wait for this amoebot any more.
    fn settle(&mut self, id: AmoebotId) {
        self.pending -= usize::from(std::mem::take(&mut self.is_pending[id.index()]));
    }

    /// Steps 1 and 2 for some amoebots.
    fn claim(
        &self,
        lots: &impl Lots,
        ids: &[AmoebotId],
        is_alone: bool,
        found: &mut Vec<Candidate<A::Action>>,
    ) {
        for &id in ids {
            let Some(action) = self.enabled_action(lots, id) else { continue };
            let claim = lots.claim(id);
            let place = |member: AmoebotId| {
                let best = &self.claims[member.index()];
                if !is_alone {
                    // The best claim is the same in whatever order they come.
                    best.fetch_min(claim, Ordering::Relaxed);
                } else if claim < best.load(Ordering::Relaxed) {
                    best.store(claim, Ordering::Relaxed);
                }
            };
            place(id);
            if self.claims_all {
                lots.each_locked(&self.system, id, self.algorithm.looks(), place);
            }
            found.push(Candidate { id, action, claim });
        }
    }

    /// What an amoebot would do.
    fn enabled_action(&self, lots: &impl Lots, id: AmoebotId) -> Option<A::Action> {
        let view = View::of(&self.system, id);
        if self.algorithm.order() == Order::AsListed {
            return first_enabled_action(self.algorithm, &view);
        }
        let enabled: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
        match enabled.len() {
            0 | 1 => enabled.first().copied(),
            count => Some(enabled[pick_index(&mut lots.action(id), count, Decision::Action)?]),
        }
    }

    /// Step 3 for some amoebots.
    fn execute(
        &self,
        lots: &impl Lots,
        candidates: &[Candidate<A::Action>],
        is_wide: bool,
        done: &mut Vec<Executed<A::Memory>>,
    ) {
        for &Candidate { id, action, claim } in candidates {
            let holds = |member: AmoebotId| self.claims[member.index()].load(Ordering::Relaxed) == claim;
            let mut holds_all = holds(id);
            if self.claims_all {
                let looks = self.algorithm.looks();
                lots.each_locked(&self.system, id, looks, |member| holds_all &= holds(member));
            }
            if !holds_all {
                continue;
            }
            let mut draws = Recorded::new(lots.section(id));
            let effects = self.algorithm.execute(action, &View::of(&self.system, id), &mut draws);
            let entry = self.log.as_ref().map(|_| {
                let position = self.algorithm.actions().iter().position(|listed| *listed == action);
                let action = position.expect("an enabled action is in the list");
                Entry { ticket: 0, id, action, picks: draws.take(), lock_set: self.members(id) }
            });
            let target = effects.as_ref().ok().and_then(|effects| self.target(id, effects));
            let effects = effects.and_then(|effects| {
                let movement = effects.movement();
                Ok((movement, effects.resolved(&self.system, id)?))
            });
            let effects = effects.map_err(|error| FailedAction::of(&self.system, id, action, error));
            let mut affected = Vec::new();
            if let (true, Ok((_, effects))) = (is_wide, &effects) {
                self.each_affected(effects, |near| affected.push(near));
            }
            done.push(Executed { id, claim, target, entry, effects, affected });
        }
    }

    /// The cell that an amoebot expands into.
    fn target(&self, id: AmoebotId, effects: &Effects<A::Memory>) -> Option<Cell> {
        let Some(Movement::Expand(port)) = effects.movement() else { return None };
        self.system.body(id).leads_to(port, self.system.amoebot(id).orientation)
    }

    fn members(&self, id: AmoebotId) -> Vec<AmoebotId> {
        lock_set(&self.system, id, self.algorithm.looks())
    }

    /// Those whom effects change, and their neighbours before and after.
    fn each_affected(&self, effects: &Resolved<A::Memory>, mut tell: impl FnMut(AmoebotId)) {
        for who in effects.changed() {
            tell(who);
            self.system.each_near(who, &mut tell);
        }
        if let Some((who, cell)) = effects.entered() {
            self.system.each_next_to(cell, who, tell);
        }
    }

    /// Steps 4 and 5 for one amoebot.
    fn finish(&mut self, done: Executed<A::Memory>, is_wide: bool) {
        let Executed { id, claim, target, entry, effects, mut affected } = done;
        if target.is_some_and(|cell| !self.targets.holds(cell, claim)) {
            self.counts.expand_failures += 1;
            return self.wake(id);
        }
        self.settle(id);
        let (movement, effects) = match effects {
            Ok(possible) => possible,
            Err(failed) => {
                self.counts.invalid += 1;
                self.failed.get_or_insert(failed);
                return;
            }
        };
        if !is_wide {
            affected = std::mem::take(&mut self.affected);
            self.each_affected(&effects, |near| affected.push(near));
        }
        for near in affected.drain(..) {
            self.wake(near);
        }
        self.affected = affected;
        effects.apply(&mut self.system);
        if let Some((log, entry)) = self.log.as_mut().zip(entry) {
            log.push_next(entry);
        }
        self.counts.actions += 1;
        self.counts.moves += movement.map_or(0, Movement::moves);
    }

    fn wake(&mut self, id: AmoebotId) {
        if !std::mem::replace(&mut self.is_queued[id.index()], true) {
            self.queue.push(id);
        }
    }
}

/// Runs `run` on pieces of a list, at the same time if it is long; what they add is joined in the order of the list.
fn each_chunk<T: Sync, R: Send>(
    list: &[T],
    parallel_min: usize,
    run: impl Fn(&[T], &mut Vec<R>) + Sync,
) -> Vec<R> {
    if list.len() < parallel_min {
        let mut results = Vec::new();
        run(list, &mut results);
        return results;
    }
    const ALONE: &str = "each part is locked by one thread";
    // Locks that nobody waits for: one takes some nanoseconds, a part some microseconds.
    let parts: Vec<Mutex<Vec<R>>> = (0..list.len().div_ceil(CHUNK)).map(|_| Mutex::default()).collect();
    each_index(parts.len(), &|index| {
        let chunk = &list[index * CHUNK..list.len().min((index + 1) * CHUNK)];
        let mut results = parts[index].lock().expect(ALONE);
        results.reserve_exact(chunk.len());
        run(chunk, &mut results);
    });
    let mut results = Vec::with_capacity(list.len());
    for part in parts {
        results.append(&mut part.into_inner().expect(ALONE));
    }
    results
}

/// Handed over by reference: what rayon makes of it is compiled once, and not for every algorithm.
fn each_index(count: usize, run: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(run);
}
