//! Every order of the steps of small systems, exhaustively.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::rc::Rc;

use acrasin_runtime::choice::Enumerated;
use acrasin_runtime::{Digest, NodeId};
use hashbrown::{HashMap, HashSet};

use super::limits::{ExploreError, Limits, Meter, Questions, broken};
use crate::FixedHasher;
use crate::algorithm::Algorithm;
use crate::model::shape::{Shape, ShapeError};
use crate::model::system::System;
use crate::run::concurrent::framework::{Concurrent, Stepped};
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
    /// The most steps that the shortest way to a state has.
    pub depth: usize,
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
pub fn explore_concurrent<A: Algorithm, L: Locks + Clone + Hash>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    locks: impl Fn(&System<A::Memory>) -> L,
    is_goal: impl Fn(&System<A::Memory>) -> bool,
    states_max: usize,
) -> Result<ConcurrentExploration<A::Memory>, ExploreError> {
    let limits = Limits { states_max, ..Limits::default() };
    explore_concurrent_within(algorithm, starts, locks, &Questions::of_goal(&is_goal), limits)
}

/// The same with all questions and limits. Starts are taken one by one.
///
/// # Errors
///
/// More states, bytes or outcomes than the limits allow, or a stop.
pub fn explore_concurrent_within<A: Algorithm, L: Locks + Clone + Hash>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    locks: impl Fn(&System<A::Memory>) -> L,
    questions: &Questions<'_, A::Memory>,
    limits: Limits,
) -> Result<ConcurrentExploration<A::Memory>, ExploreError> {
    let mut states = States {
        numbers: HashMap::default(),
        from: Vec::new(),
        initial: Vec::new(),
        meter: Meter::new(limits),
    };
    let mut border = VecDeque::new();
    for start in starts {
        states.meter.go_on(questions.is_stopped)?;
        let locks = locks(&start);
        let run = Concurrent::new(algorithm, start, locks).without_log();
        let known = states.from.len();
        if states.number(&run, None)? as usize == known {
            // It is kept to the end.
            states.meter.take(states.bytes_of(&run))?;
            let run = Rc::new(run);
            states.initial.push(Rc::clone(&run));
            border.push_back(run);
        }
    }
    let mut found = ConcurrentExploration::of_nothing(states.initial.len());
    // From where each state is reached.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut ends = Vec::new();
    let mut systems_at_ends: HashSet<Digest, FixedHasher> = HashSet::default();
    let mut faults: Vec<First> = Vec::new();
    // Breadth first, so that states come in the order of their numbers and the first fault is the nearest one.
    let mut at = 0;
    while let Some(state) = border.pop_front() {
        states.meter.go_on(questions.is_stopped)?;
        let mut fault = |fault: Fault, is_one: bool, step| {
            if is_one && faults.iter().all(|known| known.fault != fault) {
                faults.push(First { fault, state: at, step });
                if fault != Fault::Broken {
                    (questions.told)(&fault.to_string(), state.system());
                }
            }
            usize::from(is_one)
        };
        found.width = found.width.max(state.inside());
        found.overlapping += fault(Fault::Overlap, !state.lock_sets_are_disjoint(), None);
        found.disconnected += fault(Fault::Disconnected, !state.system().is_connected_with_object(), None);
        if state.inside() == 0
            && let Some(what) = (questions.fault)(state.system())
        {
            found.faults += fault(Fault::Broken, true, None);
            (questions.told)(&broken(&what), state.system());
            found.fault.get_or_insert(what);
        }
        if state.has_terminated() {
            ends.push(at);
            if systems_at_ends.insert(Digest::of(&state.system().amoebots())) {
                states.meter.take(state.system().bytes() + states.meter.owned(state.system().len()))?;
                found.finals.push(state.system().clone());
                let is_wrong = !(questions.is_goal)(state.system());
                found.wrong_ends += fault(Fault::WrongEnd, is_wrong, None);
                found.reach_goal.push(!is_wrong);
            }
        }
        let mut ways_on = 0;
        for id in state.busy().ids() {
            let mut outcomes = Enumerated::new();
            loop {
                ways_on += 1;
                states.meter.outcomes(ways_on)?;
                let mut next = Concurrent::clone(&state);
                let stepped = next.step(*id, &mut outcomes);
                let changed = next.system() != state.system();
                let known = states.from.len();
                let to = states.number(&next, Some((at, *id)))?;
                if to as usize == known {
                    states.meter.take(states.bytes_of(&next))?;
                    border.push_back(Rc::new(next));
                }
                edges.push((to, at));
                let is_invalid = matches!(stepped, Stepped::Invalid(_) | Stepped::MoveFailed(_));
                let is_aborted =
                    matches!(stepped, Stepped::Invalid(_) | Stepped::LockFailed | Stepped::ExpandFailed(_));
                found.lock_failures += usize::from(stepped == Stepped::LockFailed);
                found.expand_failures += usize::from(matches!(stepped, Stepped::ExpandFailed(_)));
                let step = Some((*id, to));
                found.invalid += fault(Fault::Invalid, is_invalid, step);
                found.aborts_with_effect += fault(Fault::AbortWithEffect, is_aborted && changed, step);
                if !outcomes.advance() {
                    break;
                }
            }
        }
        states.meter.take(ways_on * size_of::<(u32, u32)>())?;
        if at as usize >= found.initial {
            states.meter.give_back(states.bytes_of(&state));
        }
        at += 1;
    }
    found.states = states.from.len();
    found.transitions = edges.len();
    found.depth = states.depth();
    let hope = reaching(edges, ends, found.states);
    found.hopeless = hope.iter().filter(|hope| !**hope).count();
    if let Some(nearest) = hope.iter().position(|hope| !hope) {
        faults.push(First { fault: Fault::Hopeless, state: nearest as u32, step: None });
    }
    faults.sort_unstable_by_key(|first| first.fault);
    found.ways = faults.into_iter().map(|first| states.way(first)).collect();
    Ok(found)
}

/// Where a fault was found first.
#[derive(Clone, Copy)]
struct First {
    fault: Fault,
    state: u32,
    /// If a step is wrong and not the state: who takes it, and to which state it leads.
    step: Option<(NodeId, u32)>,
}

/// The states so far, by number.
struct States<'a, A: Algorithm, L> {
    numbers: HashMap<Digest, u32, FixedHasher>,
    /// From which state, and by whose step, each was reached first.
    from: Vec<Option<(u32, NodeId)>>,
    initial: Vec<Rc<Concurrent<'a, A, L>>>,
    meter: Meter,
}

impl<'a, A: Algorithm, L: Locks + Clone + Hash> States<'a, A, L> {
    /// The number of a state; a new one has the number of those known before.
    fn number(
        &mut self,
        run: &Concurrent<'a, A, L>,
        from: Option<(u32, NodeId)>,
    ) -> Result<u32, ExploreError> {
        let next = self.from.len();
        let number = *self.numbers.entry(run.digest()).or_insert(next as u32);
        if number as usize == next {
            let entry = size_of::<(Digest, u32)>() + size_of::<Option<(u32, NodeId)>>() + 8;
            self.meter.state(entry)?;
            self.from.push(from);
        }
        Ok(number)
    }

    /// Bytes of a state that waits to be looked at.
    fn bytes_of(&self, run: &Concurrent<'a, A, L>) -> usize {
        run.bytes() + self.meter.owned(run.system().len())
    }

    /// The most steps that the shortest way to a state has: those to the last one, as states come breadth first.
    fn depth(&self) -> usize {
        let last = self.from.len().checked_sub(1);
        let ways_back = std::iter::successors(last, |&at| self.from[at].map(|(from, _)| from as usize));
        ways_back.count().saturating_sub(1)
    }

    /// Goes again from the start to a fault.
    fn way(&self, first: First) -> Way<A::Memory> {
        let mut back: Vec<(NodeId, u32)> = first.step.into_iter().collect();
        let mut at = first.state;
        while let Some((from, id)) = self.from[at as usize] {
            back.push((id, at));
            at = from;
        }
        // Initial states have the first numbers.
        let mut run = Concurrent::clone(&self.initial[at as usize]);
        let start = run.system().clone();
        let steps = back.into_iter().rev().map(|(id, to)| {
            let mut outcomes = Enumerated::new();
            loop {
                let mut next = run.clone();
                let stepped = next.step(id, &mut outcomes);
                if self.numbers[&next.digest()] == to {
                    run = next;
                    return (id, stepped);
                }
                assert!(outcomes.advance(), "the same step has the same outcomes");
            }
        });
        let steps = steps.collect();
        Way { fault: first.fault, start, steps, end: run.system().clone() }
    }
}

impl<M> ConcurrentExploration<M> {
    const fn of_nothing(initial: usize) -> Self {
        Self {
            initial,
            states: 0,
            transitions: 0,
            depth: 0,
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

/// From which states some of `ends` can be reached, along edges that are given from their end to their start.
fn reaching(mut edges: Vec<(u32, u32)>, ends: Vec<u32>, states: usize) -> Vec<bool> {
    edges.sort_unstable();
    let mut reaches = vec![false; states];
    for end in &ends {
        reaches[*end as usize] = true;
    }
    let mut border = ends;
    while let Some(state) = border.pop() {
        let first = edges.partition_point(|edge| edge.0 < state);
        for &(_, from) in edges[first..].iter().take_while(|edge| edge.0 == state) {
            if !std::mem::replace(&mut reaches[from as usize], true) {
                border.push(from);
            }
        }
    }
    reaches
}
