//! Parallel execution in waves of disjoint lock sets, on every core.
//!
//! A wave executes the [concurrency framework](crate::run::concurrent) in shared memory, with every amoebot calling
//! Lock at the same moment:
//!
//! 1. Every awake amoebot evaluates its guards. An amoebot without an enabled action rests until a neighbour changes.
//! 2. Each of the others draws a priority, by (seed, wave, amoebot), and claims itself and its neighbours. An amoebot
//!    that holds all its claims has locked its closed neighbourhood. So the lock sets of a wave are disjoint. Amoebots
//!    that lost a claim try again in the next wave.
//! 3. The lock holders execute their actions on the system at the start of the wave. An amoebot that expands
//!    also claims the cell, since locks on amoebots do not cover it.
//! 4. The effects are applied. Of several amoebots that expand into one cell, the one with the best priority succeeds.
//!    The actions of the others fail, and they try again in the next wave.
//! 5. Every amoebot next to a changed amoebot is woken.
//!
//! In a wide wave steps 1 to 3 run on all threads of the current rayon pool, and claims are atomic minima. These
//! threads also prepare steps 4 and 5: they resolve the effects and list the amoebots near the changed ones. One thread
//! then applies the results in list order. A listed amoebot that another action of the wave moves may no longer be
//! near, but that action wakes it anyway. So the same amoebots are woken as if effects were resolved one after the
//! other. A narrow wave runs on one thread. All results are functions of the start and the seed, for any number of
//! threads. The actions in the order of application form an [`ActionLog`]. Replaying it sequentially leads to the same
//! system if the algorithm is monotone: amoebots that arrive next to an actor do not change its action.
//!
//! An algorithm that counts free cells, as algorithm A of compression does, is not monotone, and looks beyond
//! neighbours. If it declares this ([`Looks::Beyond`](crate::algorithm::Looks::Beyond)), each amoebot locks all others
//! within four cells. No amoebot of another lock set then enters or leaves a cell that the locking amoebot reads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::model::id::AmoebotId;
use acrasin_engine::Draws;
use acrasin_runtime::choice::{Decision, Recorded, pick_index};
use acrasin_runtime::pack::{Pack, PackError, pack_bits};
use acrasin_runtime::pack_fields;
use rayon::prelude::*;

use crate::algorithm::{
    ActionOrder, Algorithm, Effects, FailedAction, Resolved, View, enabled_actions, first_enabled_action,
};
use crate::model::lattice::Cell;
use crate::model::operation::Movement;
use crate::model::system::System;
use crate::run::awake::load_awake;
use crate::run::concurrent::log::LogEntry;
use crate::run::concurrent::{ActionLog, Completed};
use crate::run::overlap::{Overlap, in_two};

mod decisions;
mod targets;

use decisions::{DrawnDecisions, WAVES_PER_AGE};
use targets::Targets;

pub(crate) use decisions::{WaveDecisions, each_locked, lock_set};

/// The number of amoebots that one task processes.
const CHUNK: usize = 256;

/// Waves with fewer amoebots run on one thread: waking other threads takes longer than the work.
const PARALLEL_MIN: usize = 2 * CHUNK;

/// Counters of a run in waves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WaveCounts {
    /// The number of completed waves.
    pub waves: u64,
    /// The number of evaluations of an amoebot's guards.
    pub activations: u64,
    /// The number of lock sets that were held.
    pub locks: u64,
    /// The number of lock failures: an amoebot nearby had a better priority.
    pub lock_failures: u64,
    /// The number of completed actions.
    pub actions: u64,
    /// The number of movements; a handover is two.
    pub moves: u64,
    /// The number of expansions that failed because another amoebot expanded into the same cell.
    pub expand_failures: u64,
    /// The number of aborted actions; 0 for a valid algorithm.
    pub invalid: u64,
    /// The maximum number of lock sets in a wave.
    pub width: u64,
    /// The number of lock sets in the last wave.
    pub last_width: u64,
    /// The number of completed asynchronous rounds: a round ends once every amoebot that was awake at its start has
    /// completed an action, or had no enabled action.
    pub rounds: u64,
}

pack_fields!(WaveCounts {
    waves,
    activations,
    locks,
    lock_failures,
    actions,
    moves,
    expand_failures,
    invalid,
    width,
    last_width,
    rounds,
});

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
    /// The awake amoebots, each once.
    queue: Vec<AmoebotId>,
    /// The queue of the previous wave, kept for its allocation.
    spare: Vec<AmoebotId>,
    is_queued: Vec<bool>,
    /// For each amoebot, whether the round waits for it. All such amoebots are in the queue.
    is_pending: Vec<bool>,
    pending: usize,
    /// For each amoebot the best claim on it: 24 bits that count waves down, then the priority. Claims of later waves
    /// are smaller, so the array need not be cleared.
    claims: Vec<AtomicU64>,
    /// The best claims on the cells into which amoebots expand.
    targets: Targets,
    /// A wave with fewer amoebots is narrow: it runs on one thread.
    parallel_min: usize,
    /// Whether claims cover whole lock sets; false only in a deliberately wrong variant for tests.
    claims_all: bool,
    checks: bool,
    overlap: Option<Overlap>,
    /// The amoebots that the current action wakes.
    affected: Vec<AmoebotId>,
    log: Option<ActionLog>,
    failed: Option<FailedAction>,
    counts: WaveCounts,
}

/// An amoebot with an enabled action.
struct WaveCandidate<L> {
    id: AmoebotId,
    action: L,
    claim: u64,
}

/// An amoebot that has executed its action under its locks.
struct Executed<M> {
    id: AmoebotId,
    claim: u64,
    /// The cell that the amoebot expands into; `None` if it does not expand.
    target: Option<Cell>,
    /// The log entry of the action, not yet numbered; `None` if the run has no log.
    entry: Option<LogEntry>,
    /// The movement and the resolved effects of the action, or the reason why it failed.
    effects: Result<(Option<Movement>, Resolved<M>), FailedAction>,
    /// The amoebots that the action wakes, possibly with duplicates. Empty in a narrow wave, which finds them when it
    /// applies the effects.
    affected: Vec<AmoebotId>,
}

impl<'a, A> Waves<'a, A>
where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
    A::Action: Send + Sync,
{
    /// Starts a run from this system with every amoebot awake. O(n).
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
            counts: WaveCounts::default(),
            system,
        }
    }

    /// Turns on the log of all actions: about 120 bytes per action.
    #[must_use]
    pub fn with_log(self) -> Self {
        Self { log: Some(ActionLog::default()), ..self }
    }

    /// Checks in every wave that no amoebot is in two lock sets. Debug builds always check.
    #[must_use]
    pub fn with_checks(self) -> Self {
        Self { checks: true, ..self }
    }

    /// Sets the number of amoebots from which a wave runs on several threads. It does not affect the results, as a test
    /// shows.
    #[doc(hidden)]
    #[must_use]
    pub fn wide_from(self, amoebots: usize) -> Self {
        Self { parallel_min: amoebots, ..self }
    }

    /// Makes amoebots claim only themselves, so that lock sets overlap: a planted fault that a test must detect.
    #[doc(hidden)]
    #[must_use]
    pub fn without_neighbours(self) -> Self {
        Self { claims_all: false, ..self }
    }

    /// The first overlap of lock sets that a [check](Self::with_checks) has found. Correct runs have none.
    #[must_use]
    pub fn overlap(&self) -> Option<Overlap> {
        self.overlap
    }

    /// Removes all actions from the log and returns them, in order. To get all actions, call this after every wave.
    pub fn take_completed(&mut self) -> Vec<Completed> {
        self.log.as_mut().map_or_else(Vec::new, ActionLog::take_completed)
    }

    /// Appends the state. Returns `false` if memories cannot be saved, or if an action has failed, since the run is
    /// then over.
    pub fn save(&self, into: &mut Vec<u8>) -> bool {
        (self.draws.seed(), self.pending).pack(into);
        self.counts.pack(into);
        self.queue.pack(into);
        pack_bits(&self.is_pending, into);
        self.overlap.pack(into);
        self.log.pack(into);
        let mut memory = |memory: &A::Memory, into: &mut Vec<u8>| self.algorithm.save_memory(memory, into);
        self.failed.is_none() && self.system.save(&mut memory, into)
    }

    /// Restores the state that [`save`](Self::save) wrote for a run from the same start with the same seed.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state. The run is then unusable until a load succeeds.
    pub fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let seed: u64;
        (seed, self.pending) = Pack::unpack(from)?;
        self.counts.unpack_into(from)?;
        load_awake((&mut self.queue, &mut self.is_queued), (self.pending, &mut self.is_pending), from)?;
        self.overlap.unpack_into(from)?;
        if seed != self.draws.seed() {
            return Err(PackError);
        }
        ActionLog::load_kept(&mut self.log, (self.system.len(), self.algorithm.actions().len()), from)?;
        // Later waves win over claims of earlier ones, and over none.
        self.claims.iter_mut().for_each(|claim| *claim.get_mut() = u64::MAX);
        self.system.load(&mut |from| self.algorithm.load_memory(from), from)
    }

    /// The amoebots in their current state.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// The log of actions so far; `None` unless [turned on](Self::with_log).
    #[must_use]
    pub fn log(&self) -> Option<&ActionLog> {
        self.log.as_ref()
    }

    /// The counters so far.
    #[must_use]
    pub fn counts(&self) -> WaveCounts {
        self.counts
    }

    /// The first action that failed under its locks; `None` for a run without errors.
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// Whether every amoebot rests: the run is over.
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

    /// Runs at most `most` waves, until every amoebot rests or an action [has failed](Self::failed). Returns whether
    /// every amoebot rests.
    pub fn run(&mut self, most: u64) -> bool {
        self.run_while(most, &|| true)
    }

    /// Like [`run`](Self::run), but also ends once `goes_on` returns false, which every thread calls between chunks of
    /// a wave. The wave in progress is then discarded.
    pub fn run_while(&mut self, most: u64, goes_on: &(dyn Fn() -> bool + Sync)) -> bool {
        for _ in 0..most {
            if self.has_terminated() || self.failed.is_some() {
                break;
            }
            let decisions = DrawnDecisions::new(self.draws, self.counts.waves);
            if !self.wave_while(&decisions, goes_on) {
                break;
            }
        }
        self.has_terminated()
    }

    /// Resumes a run with only these amoebots awake, each once. Waves and counters start from zero.
    pub(crate) fn midway(algorithm: &'a A, system: System<A::Memory>, queue: Vec<AmoebotId>) -> Self {
        let mut waves = Self::new(algorithm, system, 0);
        waves.is_queued.fill(false);
        for id in &queue {
            waves.is_queued[id.index()] = true;
        }
        waves.queue = queue;
        waves
    }

    /// The awake amoebots, which evaluate their guards in the next wave.
    pub(crate) fn awake(&self) -> &[AmoebotId] {
        &self.queue
    }

    /// Executes one wave.
    pub fn wave(&mut self) {
        let (draws, wave) = (self.draws, self.counts.waves);
        self.wave_with(&DrawnDecisions::new(draws, wave));
    }

    /// Executes one wave with the given [decisions](WaveDecisions).
    pub(crate) fn wave_with(&mut self, decisions: &impl WaveDecisions) {
        self.wave_while(decisions, &|| true);
    }

    /// Executes one wave. Returns `false`, with nothing changed, once `goes_on` returns false.
    fn wave_while(&mut self, decisions: &impl WaveDecisions, goes_on: &(dyn Fn() -> bool + Sync)) -> bool {
        let wave = self.counts.waves;
        // The counter of waves in a claim starts again, so old claims would win against new ones.
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
        let is_cut = AtomicBool::new(false);
        let proceeds = || {
            let proceeds = goes_on();
            is_cut.fetch_or(!proceeds, Ordering::Relaxed);
            proceeds
        };
        let candidates = each_chunk(&queue, least, |ids, found| {
            if proceeds() {
                self.claim(decisions, ids, is_alone, found);
            }
        });
        let is_wide = candidates.len() >= least;
        let executed = each_chunk(&candidates, least, |candidates, done| {
            if proceeds() {
                self.execute(decisions, candidates, is_wide, done);
            }
        });
        if is_cut.load(Ordering::Relaxed) {
            // The claims stay: this wave makes the same ones when it is repeated.
            for id in &queue {
                self.is_queued[id.index()] = true;
            }
            self.spare = std::mem::replace(&mut self.queue, queue);
            return false;
        }
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
        // Both lists have the order of the queue, so one pass finds the amoebots that were disabled or lost.
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
        true
    }

    /// Removes an amoebot from the set for which the round waits.
    fn settle(&mut self, id: AmoebotId) {
        self.pending -= usize::from(std::mem::take(&mut self.is_pending[id.index()]));
    }

    /// Steps 1 and 2 of a wave, for some amoebots: evaluates their guards and makes their claims.
    fn claim(
        &self,
        decisions: &impl WaveDecisions,
        ids: &[AmoebotId],
        is_alone: bool,
        found: &mut Vec<WaveCandidate<A::Action>>,
    ) {
        for &id in ids {
            let Some(action) = self.enabled_action(decisions, id) else { continue };
            let claim = decisions.claim(id);
            let place = |member: AmoebotId| {
                let best = &self.claims[member.index()];
                if !is_alone {
                    // The minimum does not depend on the order of the threads.
                    best.fetch_min(claim, Ordering::Relaxed);
                } else if claim < best.load(Ordering::Relaxed) {
                    best.store(claim, Ordering::Relaxed);
                }
            };
            place(id);
            if self.claims_all {
                decisions.each_locked(&self.system, id, self.algorithm.looks(), place);
            }
            found.push(WaveCandidate { id, action, claim });
        }
    }

    /// The action that an amoebot would execute now; `None` if no action is enabled.
    fn enabled_action(&self, decisions: &impl WaveDecisions, id: AmoebotId) -> Option<A::Action> {
        let view = View::new(&self.system, id);
        if self.algorithm.order() == ActionOrder::AsListed {
            return first_enabled_action(self.algorithm, &view);
        }
        let enabled: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
        match enabled.len() {
            0 | 1 => enabled.first().copied(),
            count => Some(enabled[pick_index(&mut decisions.action(id), count, Decision::Action)?]),
        }
    }

    /// Step 3 of a wave, for some amoebots: computes the effects of their actions.
    fn execute(
        &self,
        decisions: &impl WaveDecisions,
        candidates: &[WaveCandidate<A::Action>],
        is_wide: bool,
        done: &mut Vec<Executed<A::Memory>>,
    ) {
        for &WaveCandidate { id, action, claim } in candidates {
            let holds = |member: AmoebotId| self.claims[member.index()].load(Ordering::Relaxed) == claim;
            let mut holds_all = holds(id);
            if self.claims_all {
                let looks = self.algorithm.looks();
                decisions.each_locked(&self.system, id, looks, |member| holds_all &= holds(member));
            }
            if !holds_all {
                continue;
            }
            let mut draws = Recorded::new(decisions.section(id));
            let effects = self.algorithm.execute(action, &View::new(&self.system, id), &mut draws);
            let entry = self.log.as_ref().map(|_| {
                let position = self.algorithm.actions().iter().position(|listed| *listed == action);
                let action = position.expect("an enabled action is in the list");
                LogEntry { ticket: 0, id, action, picks: draws.take(), lock_set: self.members(id) }
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

    /// The cell into which an amoebot expands; `None` if it does not expand.
    fn target(&self, id: AmoebotId, effects: &Effects<A::Memory>) -> Option<Cell> {
        let Some(Movement::Expand(port)) = effects.movement() else { return None };
        self.system.body(id).leads_to(port, self.system.amoebot(id).orientation)
    }

    fn members(&self, id: AmoebotId) -> Vec<AmoebotId> {
        lock_set(&self.system, id, self.algorithm.looks())
    }

    /// Calls `tell` for the amoebots that these effects change, and their neighbours before and after the action.
    fn each_affected(&self, effects: &Resolved<A::Memory>, mut tell: impl FnMut(AmoebotId)) {
        for who in effects.changed() {
            tell(who);
            self.system.each_near(who, &mut tell);
        }
        if let Some((who, cell)) = effects.entered() {
            self.system.each_next_to(cell, who, tell);
        }
    }

    /// Steps 4 and 5 of a wave, for one amoebot: applies its effects and wakes the amoebots nearby.
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

/// Runs `run` on chunks of a list, in parallel if it is long. The results are joined in list order.
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
    // These mutexes are never contended: taking one costs nanoseconds, a chunk microseconds.
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

/// Calls `run` for each index, in parallel. Takes a trait object, so that rayon's code is compiled once, not for every
/// algorithm.
fn each_index(count: usize, run: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(run);
}
