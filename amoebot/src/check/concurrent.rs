//! Every order of the steps of small systems, exhaustively.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};

use acrasin_explore::Moves;
use acrasin_runtime::choice::Enumerated;
use acrasin_runtime::{Digest, NodeId};
use hashbrown::HashSet;

use super::limits::{ExploreError, Limits, Questions};
use super::packed::{Form, Packing, Unpacked};
use super::search::{Halt, Met, States, search, way_on};
use super::table::{DIGEST_BYTES, Table};
use crate::FixedHasher;
use crate::algorithm::Algorithm;
use crate::model::shape::{Shape, ShapeError};
use crate::model::system::System;
use crate::run::concurrent::framework::{Concurrent, Standing, Stepped};
use crate::run::concurrent::locks::Locks;

/// What all orders of the steps of A′, and all draws, lead to.
///
/// A state is all that the future depends on: where the amoebots are, what they remember, `act` and `awaken`, the lock
/// sets, and how far each is in its action. Amoebots are told apart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConcurrentExploration<M> {
    /// Distinct initial states.
    pub initial: usize,
    /// Distinct states.
    pub states: usize,
    /// Steps from one state to another or to itself; a draw with two outcomes counts twice.
    pub transitions: usize,
    /// The distinct systems in which a run has terminated.
    pub finals: Vec<System<M>>,
    /// Which of those reach the goal.
    reach_goal: Vec<bool>,
    /// How many of those do not reach the goal.
    pub wrong_ends: usize,
    /// States from which no run terminates.
    pub hopeless: usize,
    /// States in which lock sets are not disjoint.
    pub overlapping: usize,
    /// States in which the amoebots do not hang together, nor by the object if there is one.
    pub disconnected: usize,
    /// States with nobody inside an action in which there is a [fault](Questions::fault).
    pub faults: usize,
    /// The nearest fault: that at the end of its way.
    pub fault: Option<String>,
    /// Steps that aborted an action for another reason than a lock-failure or a failed expansion.
    pub invalid: usize,
    /// Lock-failures.
    pub lock_failures: usize,
    /// Failed expansions.
    pub expand_failures: usize,
    /// The most amoebots that are inside an action at once.
    pub width: usize,
    /// Steps that were aborted, but have changed where an amoebot is or what it remembers.
    pub aborts_with_effect: usize,
    /// For each fault that there is the shortest way to it.
    pub ways: Vec<Way<M>>,
}

/// What can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// Lock sets that are not disjoint.
    Overlap,
    /// A step that was aborted, but not without effect.
    AbortWithEffect,
    /// A step that aborted an action for another reason than a lock-failure or a failed expansion.
    Invalid,
    /// A run that has terminated, and the goal is not reached.
    WrongEnd,
    /// A state from which no run terminates.
    Hopeless,
    /// Amoebots that do not hang together.
    Disconnected,
    /// What should be at no moment, and nobody is inside an action.
    Broken,
}

/// A shortest run to a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Way<M> {
    /// What is wrong at its end.
    pub fault: Fault,
    /// The initial system.
    pub start: System<M>,
    /// Who took a step, and what it did.
    pub steps: Vec<(NodeId, Stepped)>,
    /// The system at the end.
    pub end: System<M>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overlap => "lock sets that overlap",
            Self::AbortWithEffect => "an aborted action with an effect",
            Self::Invalid => "an action that locks should have kept possible, and that is aborted",
            Self::WrongEnd => "an end without the goal",
            Self::Hopeless => "a state from which no run ends",
            Self::Disconnected => "a state in which the amoebots do not hang together",
            Self::Broken => "a state in which something is that should be at no moment",
        })
    }
}

/// Explores all orders of the steps of A′ from some systems. The time and the memory grow with the number of states.
///
/// # Errors
///
/// More than `states_max` states.
pub fn explore_concurrent<A, L>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    locks: impl Fn(&System<A::Memory>) -> L,
    is_goal: impl Fn(&System<A::Memory>) -> bool + Sync,
    states_max: usize,
) -> Result<ConcurrentExploration<A::Memory>, ExploreError>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: Locks + Clone + Hash + Send + Sync,
{
    let limits = Limits { states_max, ..Limits::default() };
    explore_concurrent_within(algorithm, starts, locks, &Questions::of_goal(&is_goal), limits)
}

/// The same with all questions and limits. Starts are taken one by one.
///
/// # Errors
///
/// More states, bytes or outcomes than the limits allow, or a stop.
pub fn explore_concurrent_within<A, L>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    locks: impl Fn(&System<A::Memory>) -> L,
    questions: &Questions<'_, A::Memory>,
    limits: Limits,
) -> Result<ConcurrentExploration<A::Memory>, ExploreError>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: Locks + Clone + Hash + Send + Sync,
{
    let orders = Orders {
        algorithm,
        questions,
        packing: Packing::new(Form::Placed, limits.bytes_owned),
        standings: Table::of_values_that_own(limits.bytes_owned),
        locks: Table::of_values_that_own(0),
        seen: Seen::default(),
    };
    let halt = Halt::new(questions.is_stopped, limits);
    let starts = starts.into_iter().map(|start| {
        let locks = locks(&start);
        Concurrent::new(algorithm, start, locks).without_log()
    });
    let met = search(&orders, starts, &halt)?;
    orders.told(&met)
}

// Bits of a label: what is wrong, and the end.
const OVERLAP: u32 = 1;
const ABORT_WITH_EFFECT: u32 = 2;
const INVALID: u32 = 4;
const DISCONNECTED: u32 = 8;
const BROKEN: u32 = 16;
const END: u32 = 32;

/// All orders of the steps.
struct Orders<'a, A: Algorithm, L> {
    algorithm: &'a A,
    questions: &'a Questions<'a, A::Memory>,
    packing: Packing<A::Memory>,
    standings: Table<Standing<A::Memory>>,
    locks: Table<L>,
    seen: Seen,
}

/// What was seen in all states.
#[derive(Default)]
struct Seen {
    invalid: AtomicUsize,
    lock_failures: AtomicUsize,
    expand_failures: AtomicUsize,
    aborts_with_effect: AtomicUsize,
    width: AtomicUsize,
}

/// A step of an amoebot, and where it leads.
struct Taken<'a, A: Algorithm, L> {
    id: NodeId,
    stepped: Stepped,
    next: Concurrent<'a, A, L>,
}

impl<A: Algorithm, L> Taken<'_, A, L> {
    /// It aborted an action for another reason than a lock-failure or a failed expansion.
    fn is_invalid(&self) -> bool {
        matches!(self.stepped, Stepped::Invalid(_) | Stepped::MoveFailed(_))
    }

    fn is_aborted(&self) -> bool {
        matches!(self.stepped, Stepped::Invalid(_) | Stepped::LockFailed | Stepped::ExpandFailed(_))
    }
}

impl<'a, A, L> Orders<'a, A, L>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: Locks + Clone + Hash + Send + Sync,
{
    fn run(&self, mut state: &[u8]) -> Concurrent<'a, A, L> {
        let system = self.packing.unpack(&mut state).into_system();
        let locks = self.locks.unpack(&mut state);
        let standings: Vec<_> = system.ids().map(|_| self.standings.unpack(&mut state)).collect();
        Concurrent::midway(self.algorithm, system, locks, standings)
    }

    /// `before` has the bytes of the run before the step.
    fn packed(
        &self,
        run: &Concurrent<'a, A, L>,
        before: Option<(&Concurrent<'a, A, L>, &[u8])>,
        into: &mut Vec<u8>,
    ) -> Result<(), ExploreError> {
        let unpacked = before.map(|(run, packed)| Unpacked { system: run.system(), packed });
        self.packing.pack(run.system(), unpacked.as_ref(), into)?;
        self.locks.pack(run.locks(), into);
        for id in run.system().ids() {
            match before {
                Some((before, packed)) if run.stands_as_in(before, id) => {
                    // They come last.
                    let from_end = (run.system().len() - id.index()) * DIGEST_BYTES;
                    into.extend_from_slice(&packed[packed.len() - from_end..][..DIGEST_BYTES]);
                }
                _ => self.standings.pack(&run.standing(id), into),
            }
        }
        Ok(())
    }

    /// Every step that can be taken next, in a fixed order.
    fn steps(
        &self,
        run: &Concurrent<'a, A, L>,
        each: &mut dyn FnMut(Taken<'a, A, L>) -> Result<(), ExploreError>,
    ) -> Result<(), ExploreError> {
        for &id in run.busy().ids() {
            let mut outcomes = Enumerated::new();
            loop {
                let mut next = run.clone();
                let stepped = next.step(id, &mut outcomes);
                each(Taken { id, stepped, next })?;
                if !outcomes.advance() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn told(&self, met: &Met<'_, Self>) -> Result<ConcurrentExploration<A::Memory>, ExploreError> {
        let graph = met.graph();
        let seen = |seen: &AtomicUsize| seen.load(Ordering::Relaxed);
        let mut found = ConcurrentExploration {
            states: graph.len(),
            transitions: graph.move_count() as usize,
            overlapping: met.labelled(OVERLAP).0,
            disconnected: met.labelled(DISCONNECTED).0,
            faults: met.labelled(BROKEN).0,
            invalid: seen(&self.seen.invalid),
            lock_failures: seen(&self.seen.lock_failures),
            expand_failures: seen(&self.seen.expand_failures),
            aborts_with_effect: seen(&self.seen.aborts_with_effect),
            width: seen(&self.seen.width),
            ..ConcurrentExploration::of_nothing(met.starts().len())
        };
        let mut systems_at_ends: HashSet<Digest, FixedHasher> = HashSet::default();
        let mut wrong_end = None;
        for (number, state) in met.kept() {
            let system = self.run(state).system().clone();
            if systems_at_ends.insert(Digest::of(&system.amoebots())) {
                let reaches_goal = (self.questions.is_goal)(&system);
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
            (Fault::Overlap, met.labelled(OVERLAP).1),
            (Fault::AbortWithEffect, met.labelled(ABORT_WITH_EFFECT).1),
            (Fault::Invalid, met.labelled(INVALID).1),
            (Fault::WrongEnd, wrong_end),
            (Fault::Hopeless, hopeless.first().copied()),
            (Fault::Disconnected, met.labelled(DISCONNECTED).1),
            (Fault::Broken, met.labelled(BROKEN).1),
        ];
        for (fault, state) in wrong {
            if let Some(state) = state {
                found.ways.push(self.way(met, fault, state)?);
            }
        }
        let broken = found.ways.iter().find(|way| way.fault == Fault::Broken);
        found.fault = broken.and_then(|way| (self.questions.fault)(&way.end));
        Ok(found)
    }

    /// Goes again to the first state in which there is a fault, and if it is a step that is wrong, takes that, too.
    fn way(&self, met: &Met<'_, Self>, fault: Fault, state: u32) -> Result<Way<A::Memory>, ExploreError> {
        let mut moves = met.way(state);
        let states = met.follow(&moves)?;
        let runs: Vec<Concurrent<'a, A, L>> = states.iter().map(|state| self.run(state)).collect();
        let last = runs.last().expect("it has a start");
        if let Fault::AbortWithEffect | Fault::Invalid = fault {
            let (mut position, mut wrong) = (0, None);
            self.steps(last, &mut |taken| {
                let is_wrong = match fault {
                    Fault::Invalid => taken.is_invalid(),
                    _ => taken.is_aborted() && taken.next.system() != last.system(),
                };
                if is_wrong {
                    wrong.get_or_insert(position);
                }
                position += 1;
                Ok(())
            })?;
            moves.moves.push(wrong.expect("one of its steps is wrong"));
        }
        let mut end = last.system().clone();
        let mut steps = Vec::with_capacity(moves.moves.len());
        for (run, wanted) in runs.iter().zip(&moves.moves) {
            let mut position = 0;
            self.steps(run, &mut |taken| {
                if position == *wanted {
                    end = taken.next.system().clone();
                    steps.push((taken.id, taken.stepped));
                }
                position += 1;
                Ok(())
            })?;
        }
        Ok(Way { fault, start: runs[0].system().clone(), steps, end })
    }
}

impl<'a, A, L> States for Orders<'a, A, L>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: Locks + Clone + Hash + Send + Sync,
{
    type Start = Concurrent<'a, A, L>;

    fn pack(&self, start: &Self::Start, into: &mut Vec<u8>) -> Result<(), ExploreError> {
        self.packed(start, None, into)
    }

    fn expand(&self, state: &[u8], halt: &Halt<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let run = self.run(state);
        let mut label = 0;
        let mut wrong = |bit: u32, is_so: bool| label |= if is_so { bit } else { 0 };
        wrong(OVERLAP, !run.lock_sets_are_disjoint());
        wrong(DISCONNECTED, !run.system().is_connected_with_object());
        wrong(BROKEN, run.inside() == 0 && (self.questions.fault)(run.system()).is_some());
        wrong(END, run.has_terminated());
        if run.has_terminated() {
            moves.keep();
        }
        let Seen { invalid, lock_failures, expand_failures, aborts_with_effect, width } = &self.seen;
        let mut count = |seen: &AtomicUsize, bit, is_so: bool| {
            if is_so {
                seen.fetch_add(1, Ordering::Relaxed);
                wrong(bit, true);
            }
        };
        width.fetch_max(run.inside(), Ordering::Relaxed);
        let mut listed = 0;
        self.steps(&run, &mut |taken| {
            halt.outcomes(listed + 1)?;
            way_on(moves, listed, |into| self.packed(&taken.next, Some((&run, state)), into))?;
            listed += 1;
            let changed = taken.next.system() != run.system();
            count(invalid, INVALID, taken.is_invalid());
            count(lock_failures, 0, taken.stepped == Stepped::LockFailed);
            count(expand_failures, 0, matches!(taken.stepped, Stepped::ExpandFailed(_)));
            count(aborts_with_effect, ABORT_WITH_EFFECT, taken.is_aborted() && changed);
            Ok(())
        })?;
        moves.label(label);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packing.bytes() + self.standings.bytes() + self.locks.bytes()
    }
}

impl<M> ConcurrentExploration<M> {
    const fn of_nothing(initial: usize) -> Self {
        Self {
            initial,
            states: 0,
            transitions: 0,
            finals: Vec::new(),
            reach_goal: Vec::new(),
            wrong_ends: 0,
            hopeless: 0,
            overlapping: 0,
            disconnected: 0,
            faults: 0,
            fault: None,
            invalid: 0,
            lock_failures: 0,
            expand_failures: 0,
            width: 0,
            aborts_with_effect: 0,
            ways: Vec::new(),
        }
    }

    /// Whether every run can end, all ends reach the goal, lock sets are disjoint at every instant, nothing is aborted but by
    /// failures of Lock and Expand, aborts have no effect, and there is no fault.
    #[must_use]
    pub fn always_succeeds(&self) -> bool {
        self.wrong_ends == 0
            && self.hopeless == 0
            && self.overlapping == 0
            && self.invalid == 0
            && self.aborts_with_effect == 0
            && self.faults == 0
    }

    /// The shapes in which runs end that reach the goal.
    ///
    /// # Errors
    ///
    /// Ends too wide for a shape.
    pub fn final_shapes(&self) -> Result<BTreeSet<Shape>, ShapeError> {
        let ends = self.finals.iter().zip(&self.reach_goal);
        ends.filter(|(_, reaches)| **reaches).map(|(system, _)| system.shape()).collect()
    }
}
