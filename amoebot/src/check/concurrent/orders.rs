//! The model of all interleavings: states and successors.

use std::hash::Hash;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::id::AmoebotId;
use acrasin_explore::Moves;
use acrasin_runtime::choice::Enumerated;
use acrasin_runtime::{Digest, PackError};
use hashbrown::HashSet;

use super::found::{ConcurrencyFault, ConcurrentExploration, FAULTS, RunToFault};
use crate::FixedHasher;
use crate::algorithm::Algorithm;
use crate::check::limits::{CheckLimits, ExploreError, Questions, StateQuestions, broken};
use crate::check::packed::{Equivalence, PackedSystem, Packing};
use crate::check::route::{RetraceMoves, Retraced, Route};
use crate::check::search::{ExploredGraph, RunToWrong, SearchStop, StateModel, way_on, wrong as note};
use crate::check::table::{DIGEST_BYTES, ValueTable};
use crate::run::concurrent::control::{ControlState, MemoryCodec};
use crate::run::concurrent::framework::Concurrent;
use crate::run::concurrent::locks::SavedLocks;
use crate::run::concurrent::stepped::Stepped;

// Label bits: the faults, and the end.
const OVERLAP: u32 = 1;
const ABORT_WITH_EFFECT: u32 = 2;
const INVALID: u32 = 4;
const DISCONNECTED: u32 = 8;
const BROKEN: u32 = 16;
const END: u32 = 32;

/// The model of all interleavings.
pub(super) struct Orders<'a, A: Algorithm, L> {
    algorithm: &'a A,
    asked: StateQuestions<'a, A::Memory>,
    packing: Packing<A::Memory>,
    controls: ValueTable<ControlState<A::Memory>>,
    locks: ValueTable<L>,
    /// The number of amoebots and the locks of the first start. Saved locks are loaded into copies of these.
    first: OnceLock<(usize, L)>,
    seen: StepCounters,
}

/// Counters over all states.
#[derive(Default)]
struct StepCounters {
    invalid: AtomicU64,
    lock_failures: AtomicU64,
    expand_failures: AtomicU64,
    aborts_with_effect: AtomicU64,
    width: AtomicU64,
}

/// A step of an amoebot, and the state after it.
struct TakenStep<'r, 'a, A: Algorithm, L> {
    id: AmoebotId,
    stepped: Stepped,
    next: &'r Concurrent<'a, A, L>,
}

/// A callback for each step.
type Each<'e, 'a, A, L> = &'e mut dyn FnMut(TakenStep<'_, 'a, A, L>) -> Result<(), ExploreError>;

/// A function that executes one step, with given draws.
type Take<'t, 'a, A, L> = &'t dyn Fn(&mut Concurrent<'a, A, L>, &mut Enumerated) -> (AmoebotId, Stepped);

impl<A: Algorithm, L> TakenStep<'_, '_, A, L> {
    /// Whether the step aborted an action for a reason other than a failed Lock or a failed expansion.
    fn is_invalid(&self) -> bool {
        matches!(self.stepped, Stepped::Invalid(_) | Stepped::MoveFailed(_) | Stepped::PromiseBroken)
    }

    fn is_aborted(&self) -> bool {
        matches!(self.stepped, Stepped::Invalid(_) | Stepped::LockFailed | Stepped::ExpandFailed(_))
    }
}

impl<'a, A, L> Orders<'a, A, L>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: SavedLocks + Clone + Eq + Hash + Send + Sync,
{
    pub(super) fn new(algorithm: &'a A, questions: &Questions<'a, A::Memory>, limits: CheckLimits) -> Self {
        Self {
            algorithm,
            asked: questions.asked(),
            packing: Packing::new(Equivalence::Placed, limits.bytes_owned),
            controls: ValueTable::of_values_that_own(limits.bytes_owned),
            locks: ValueTable::of_values_that_own_each(L::bytes_owned),
            first: OnceLock::new(),
            seen: StepCounters::default(),
        }
    }

    /// Encodes the execution that begins in a start.
    pub(super) fn pack_start(
        &self,
        start: &Concurrent<'a, A, L>,
        into: &mut Vec<u8>,
    ) -> Result<(), ExploreError> {
        self.first.get_or_init(|| (start.system().len(), start.locks().clone()));
        self.packed(start, None, into)
    }

    pub(super) fn run(&self, mut state: &[u8]) -> Concurrent<'a, A, L> {
        let system = self.packing.unpack(&mut state).into_system();
        let locks = self.locks.unpack(&mut state);
        let controls = system.ids().map(|_| self.controls.unpack(&mut state)).collect();
        Concurrent::midway(self.algorithm, system, locks, controls)
    }

    /// Encodes an execution. `before` is the preceding system with its bytes.
    pub(super) fn packed(
        &self,
        run: &Concurrent<'a, A, L>,
        before: Option<(&Concurrent<'a, A, L>, &[u8])>,
        into: &mut Vec<u8>,
    ) -> Result<(), ExploreError> {
        // After the system come digests: of the locks, and of the control state of each amoebot.
        let digests = |packed: &'_ [u8]| packed.len() - (1 + run.system().len()) * DIGEST_BYTES;
        match before {
            Some((before, packed)) if run.shares_system_with(before) => {
                into.extend_from_slice(&packed[..digests(packed)]);
            }
            _ => {
                let unpacked = before.map(|(run, packed)| PackedSystem { system: run.system(), packed });
                self.packing.pack(run.system(), unpacked.as_ref(), into)?;
            }
        }
        match before {
            Some((before, packed)) if run.locks() == before.locks() => {
                into.extend_from_slice(&packed[digests(packed)..][..DIGEST_BYTES]);
            }
            _ => self.locks.pack(run.locks(), into),
        }
        for id in run.system().ids() {
            match before {
                Some((before, packed)) if run.control(id) == before.control(id) => {
                    let at = digests(packed) + (1 + id.index()) * DIGEST_BYTES;
                    into.extend_from_slice(&packed[at..][..DIGEST_BYTES]);
                }
                _ => self.controls.pack(run.control(id), into),
            }
        }
        Ok(())
    }

    /// Calls `each` for every possible next step, once per outcome of its random draws, in a fixed order.
    fn steps(&self, run: &Concurrent<'a, A, L>, each: Each<'_, 'a, A, L>) -> Result<(), ExploreError> {
        let mut next = run.clone();
        let mut all = |take: Take<'_, 'a, A, L>| {
            let mut outcomes = Enumerated::new();
            loop {
                next.clone_from(run);
                let (id, stepped) = take(&mut next, &mut outcomes);
                let stepped = if next.locks().keeps_its_promise() { stepped } else { Stepped::PromiseBroken };
                each(TakenStep { id, stepped, next: &next })?;
                if !outcomes.advance() {
                    return Ok::<_, ExploreError>(());
                }
            }
        };
        for &id in run.busy().ids() {
            all(&|next, outcomes| (id, next.step(id, outcomes)))?;
        }
        for way in 0..run.locks().ways() {
            all(&|next, outcomes| (next.take_way(way, outcomes), Stepped::Passed))?;
        }
        Ok(())
    }

    pub(super) fn results(
        &self,
        explored: &ExploredGraph<'_>,
    ) -> Result<ConcurrentExploration<A::Memory>, ExploreError> {
        let graph = explored.graph();
        let seen = |seen: &AtomicU64| seen.load(Ordering::Relaxed) as usize;
        let mut found = ConcurrentExploration {
            states: graph.len(),
            transitions: graph.move_count() as usize,
            depth: explored.depth(),
            overlapping: explored.labelled(OVERLAP).0,
            disconnected: explored.labelled(DISCONNECTED).0,
            faults: explored.labelled(BROKEN).0,
            invalid: seen(&self.seen.invalid),
            lock_failures: seen(&self.seen.lock_failures),
            expand_failures: seen(&self.seen.expand_failures),
            aborts_with_effect: seen(&self.seen.aborts_with_effect),
            width: seen(&self.seen.width),
            ..ConcurrentExploration::of_nothing(explored.starts().len())
        };
        let mut systems_at_ends: HashSet<Digest, FixedHasher> = HashSet::default();
        let mut wrong_end = None;
        for (number, state) in explored.kept() {
            let system = self.run(state).system().clone();
            if systems_at_ends.insert(Digest::of(&system.amoebots())) {
                let reaches_goal = (self.asked.is_goal)(&system);
                if !reaches_goal {
                    found.wrong_ends += 1;
                    wrong_end.get_or_insert(number);
                }
                found.reach_goal.push(reaches_goal);
                found.finals.push(system);
            }
        }
        let hopeless = graph.hopeless(|at| graph.label(at) & END != 0);
        found.hopeless = hopeless.len();
        let wrong = [
            (ConcurrencyFault::Overlap, explored.labelled(OVERLAP).1),
            (ConcurrencyFault::AbortWithEffect, explored.labelled(ABORT_WITH_EFFECT).1),
            (ConcurrencyFault::Invalid, explored.labelled(INVALID).1),
            (ConcurrencyFault::WrongEnd, wrong_end),
            (ConcurrencyFault::Hopeless, hopeless.first().copied()),
            (ConcurrencyFault::Disconnected, explored.labelled(DISCONNECTED).1),
            (ConcurrencyFault::Broken, explored.labelled(BROKEN).1),
        ];
        for (fault, state) in wrong {
            if let Some(state) = state {
                found.ways.push(self.way(explored, fault, state)?);
            }
        }
        let broken = found.ways.iter().find(|way| way.fault == ConcurrencyFault::Broken);
        found.fault = broken.and_then(|way| (self.asked.fault)(&way.end));
        Ok(found)
    }

    /// A digest that identifies a step, the state after it, and its description. The position in the list of steps does
    /// not identify it: equal locks can list their next steps in different orders.
    fn marked(&self, taken: &TakenStep<'_, 'a, A, L>) -> Result<(u32, Vec<u8>, String), ExploreError> {
        let mut packed = Vec::new();
        self.packed(taken.next, None, &mut packed)?;
        let what = format!("{} {:?}", taken.id, taken.stepped);
        let mark = Digest::of(&(&packed[..], what.as_str())).0 as u32;
        Ok((mark, packed, what))
    }

    /// Replays these moves from a start; `None` if a move does not exist, or if the replay is stopped.
    pub(super) fn retraced(
        &self,
        start: &Concurrent<'a, A, L>,
        (moves, is_stopped): RetraceMoves<'_>,
    ) -> Option<Vec<Retraced<A::Memory>>> {
        let mut packed = Vec::new();
        self.packed(start, None, &mut packed).ok()?;
        let mut next = |wanted: u32| {
            // Decoded from its bytes, so that amoebots are in the order of the exploration.
            let run = self.run(&packed);
            let mut found = None;
            let all = self.steps(&run, &mut |taken| {
                if is_stopped() {
                    return Err(ExploreError::Stopped { states: 0 });
                }
                let (mark, packed, what) = self.marked(&taken)?;
                if mark == wanted && found.is_none() {
                    found = Some((packed, Retraced { what, system: taken.next.system().clone() }));
                }
                Ok(())
            });
            let (next, retraced) = all.ok().and(found)?;
            packed = next;
            Some(retraced)
        };
        moves.map(&mut next).collect()
    }

    /// A shortest path to the first state with a fault. If the fault is a step, the path includes that step.
    fn way(
        &self,
        explored: &ExploredGraph<'_>,
        fault: ConcurrencyFault,
        state: u32,
    ) -> Result<RunToFault<A::Memory>, ExploreError> {
        let moves = explored.way(state);
        self.along(fault, &explored.follow(&moves)?, explored.route(&moves))
    }

    /// The run to a fault that the search has found, even if the search ended early.
    pub(super) fn run_to(&self, run: &RunToWrong<'_>) -> Result<RunToFault<A::Memory>, ExploreError> {
        let fault = FAULTS.iter().find(|fault| fault.kind() == run.broken.property);
        self.along(*fault.expect("a kind of fault"), &run.states, run.route.clone())
    }

    /// The execution along these states, with moves given by their positions. If the fault is a step, the execution
    /// includes that step.
    fn along(
        &self,
        fault: ConcurrencyFault,
        states: &[Vec<u8>],
        mut route: Route,
    ) -> Result<RunToFault<A::Memory>, ExploreError> {
        let runs: Vec<Concurrent<'a, A, L>> = states.iter().map(|state| self.run(state)).collect();
        let mut moves = std::mem::take(&mut route.moves);
        let last = runs.last().expect("it has a start");
        if let ConcurrencyFault::AbortWithEffect | ConcurrencyFault::Invalid = fault {
            let (mut position, mut wrong) = (0, None);
            self.steps(last, &mut |taken| {
                let is_wrong = match fault {
                    ConcurrencyFault::Invalid => taken.is_invalid(),
                    _ => taken.is_aborted() && taken.next.system() != last.system(),
                };
                if is_wrong {
                    wrong.get_or_insert(position);
                }
                position += 1;
                Ok(())
            })?;
            moves.push(wrong.expect("one of its steps is wrong"));
        }
        let mut end = last.system().clone();
        let mut steps = Vec::with_capacity(moves.len());
        for (run, wanted) in runs.iter().zip(&moves) {
            let mut position = 0;
            self.steps(run, &mut |taken| {
                if position == *wanted {
                    end = taken.next.system().clone();
                    route.moves.push(self.marked(&taken)?.0);
                    steps.push((taken.id, taken.stepped));
                }
                position += 1;
                Ok(())
            })?;
        }
        Ok(RunToFault { fault, start: runs[0].system().clone(), steps, end, route })
    }
}

impl<A, L> StateModel for Orders<'_, A, L>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: SavedLocks + Clone + Eq + Hash + Send + Sync,
{
    fn expand(&self, state: &[u8], stop: &SearchStop<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let run = self.run(state);
        let mut label = 0;
        let mut wrong = |bit: u32, is_so: bool| label |= if is_so { bit } else { 0 };
        wrong(OVERLAP, !run.lock_sets_are_disjoint());
        wrong(DISCONNECTED, !run.system().is_connected_with_object());
        let fault = if run.inside() == 0 { (self.asked.fault)(run.system()) } else { None };
        wrong(BROKEN, fault.is_some());
        wrong(END, run.has_terminated());
        if run.has_terminated() {
            moves.keep();
        }
        let StepCounters { invalid, lock_failures, expand_failures, aborts_with_effect, width } = &self.seen;
        let mut count = |seen: &AtomicU64, bit, is_so: bool| {
            if is_so {
                seen.fetch_add(u64::from(stop.is_first()), Ordering::Relaxed);
                wrong(bit, true);
            }
        };
        width.fetch_max(run.inside() as u64, Ordering::Relaxed);
        let mut listed = 0;
        self.steps(&run, &mut |taken| {
            stop.outcomes(listed + 1)?;
            way_on(moves, listed, (self, stop), |into| self.packed(taken.next, Some((&run, state)), into))?;
            listed += 1;
            let changes = || taken.next.system() != run.system();
            count(invalid, INVALID, taken.is_invalid());
            count(lock_failures, 0, taken.stepped == Stepped::LockFailed);
            count(expand_failures, 0, matches!(taken.stepped, Stepped::ExpandFailed(_)));
            count(aborts_with_effect, ABORT_WITH_EFFECT, taken.is_aborted() && changes());
            Ok(())
        })?;
        moves.label(label);
        for (bit, fault) in [
            (OVERLAP, ConcurrencyFault::Overlap),
            (DISCONNECTED, ConcurrencyFault::Disconnected),
            (INVALID, ConcurrencyFault::Invalid),
            (ABORT_WITH_EFFECT, ConcurrencyFault::AbortWithEffect),
        ] {
            if label & bit != 0 {
                note(moves, fault.kind(), fault.to_string());
            }
        }
        if let Some(fault) = fault {
            note(moves, ConcurrencyFault::Broken.kind(), broken(&fault));
        }
        if run.has_terminated() && !(self.asked.is_goal)(run.system()) {
            note(moves, ConcurrencyFault::WrongEnd.kind(), ConcurrencyFault::WrongEnd.to_string());
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packing.bytes() + self.controls.bytes() + self.locks.bytes()
    }

    fn counters(&self) -> Vec<&AtomicU64> {
        let StepCounters { invalid, lock_failures, expand_failures, aborts_with_effect, width } = &self.seen;
        vec![invalid, lock_failures, expand_failures, aborts_with_effect, width]
    }

    fn save_values(&self, into: &mut Vec<u8>) -> bool {
        let save = |memory: &A::Memory, into: &mut Vec<u8>| self.algorithm.save_memory(memory, into);
        let codec = MemoryCodec { save: &save, load: &|_| Err(PackError) };
        self.packing.save(self.algorithm, into)
            && self.controls.save(&|control, into| control.save(&codec, into), into)
            && self.locks.save(&L::save, into)
    }

    fn load_values(&self, from: &mut &[u8]) -> Result<(), PackError> {
        let (amoebots, locks) = self.first.get().ok_or(PackError)?;
        let load = |from: &mut &[u8]| self.algorithm.load_memory(from);
        let codec = MemoryCodec { save: &|_, _| false, load: &load };
        let sizes = (*amoebots, self.algorithm.actions().len());
        self.packing.load(self.algorithm, from)?;
        self.controls.load(&|from| ControlState::load(sizes, &codec, from), from)?;
        let load_locks = |from: &mut &[u8]| {
            let mut locks = locks.clone();
            locks.load(from)?;
            Ok(locks)
        };
        self.locks.load(&load_locks, from)
    }
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::Seeded;
    use acrasin_runtime::choice::{Decision, pick_index};

    use super::*;
    use crate::library::hexagon::Hexagon;
    use crate::model::lattice::{Cell, Direction};
    use crate::run::concurrent::locks::TryLocks;
    use crate::start;

    /// An execution that is encoded and decoded after every step equals the same execution without encoding.
    #[test]
    fn a_run_continues_from_its_bytes() {
        let questions = Questions::from_goal(&Hexagon::is_finished);
        let orders = Orders::new(&Hexagon, &questions, CheckLimits::default());
        let line = start::line(Cell::ORIGIN, Direction::East, 5).unwrap();
        let mut choices = Seeded::new(3);
        let mut run = Concurrent::new(&Hexagon, Hexagon::start(&line, 2, &[]).unwrap(), TryLocks::new(5));
        let mut bytes = Vec::new();
        orders.packed(&run, None, &mut bytes).unwrap();
        let (mut steps, mut widest) = (0, 0);
        while !run.has_terminated() {
            let from_bytes = orders.run(&bytes);
            assert_eq!((from_bytes.digest(), from_bytes.inside()), (run.digest(), run.inside()));
            assert!(
                from_bytes.busy().ids().is_sorted()
                    && from_bytes.busy().ids().len() == run.busy().ids().len()
            );
            widest = widest.max(run.inside());
            let at = pick_index(&mut choices, from_bytes.busy().ids().len(), Decision::Action).unwrap();
            let id = from_bytes.busy().ids()[at];
            let mut next = from_bytes.clone();
            assert_eq!(next.step(id, &mut Seeded::new(steps)), run.step(id, &mut Seeded::new(steps)));
            let (mut copied, mut repacked) = (Vec::new(), Vec::new());
            orders.packed(&next, Some((&from_bytes, &bytes)), &mut copied).unwrap();
            orders.packed(&next, None, &mut repacked).unwrap();
            assert_eq!(copied, repacked);
            bytes = copied;
            steps += 1;
        }
        assert!(steps > 100 && widest > 1, "{steps} steps, {widest} at once");
    }
}
