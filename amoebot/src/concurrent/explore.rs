//! Every order of the steps of small systems, exhaustively.

use std::collections::VecDeque;
use std::fmt;
use std::hash::Hash;

use acrasin_runtime::choice::Enumerated;
use acrasin_runtime::{Digest, NodeId};
use hashbrown::HashMap;

use super::framework::{Concurrent, Stepped};
use super::locks::Locks;
use crate::FixedHasher;
use crate::algorithm::Algorithm;
use crate::explore::ExploreError;
use crate::system::System;

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
    /// How many of those do not reach the goal.
    pub wrong_ends: usize,
    /// States from which no run terminates.
    pub hopeless: usize,
    /// States in which lock sets are not disjoint.
    pub overlapping: usize,
    /// States in which the amoebots do not hang together.
    pub disconnected: usize,
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
    let mut states =
        States { numbers: HashMap::default(), from: Vec::new(), initial: Vec::new(), states_max };
    let mut border = VecDeque::new();
    for start in starts {
        let locks = locks(&start);
        let run = Concurrent::new(algorithm, start, locks);
        let known = states.from.len();
        if states.number(&run, None)? as usize == known {
            states.initial.push(run.clone());
            border.push_back(run);
        }
    }
    let mut found = ConcurrentExploration::of_nothing(states.initial.len());
    // From where each state is reached.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut ends = Vec::new();
    let mut faults: Vec<First> = Vec::new();
    // Breadth first, so that states come in the order of their numbers and the first fault is the nearest one.
    let mut at = 0;
    while let Some(state) = border.pop_front() {
        let mut fault = |fault, is_one: bool, step| {
            if is_one && faults.iter().all(|known| known.fault != fault) {
                faults.push(First { fault, state: at, step });
            }
            usize::from(is_one)
        };
        found.width = found.width.max(state.inside());
        found.overlapping += fault(Fault::Overlap, !state.lock_sets_are_disjoint(), None);
        found.disconnected += fault(Fault::Disconnected, !state.system().is_connected(), None);
        if state.has_terminated() {
            ends.push(at);
            if !found.finals.contains(state.system()) {
                found.finals.push(state.system().clone());
                found.wrong_ends += fault(Fault::WrongEnd, !is_goal(state.system()), None);
            }
        }
        for id in state.busy().ids() {
            let mut outcomes = Enumerated::new();
            loop {
                let mut next = state.clone();
                let stepped = next.step(*id, &mut outcomes);
                let changed = next.system() != state.system();
                let known = states.from.len();
                let to = states.number(&next, Some((at, *id)))?;
                if to as usize == known {
                    border.push_back(next);
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
        at += 1;
    }
    found.states = states.from.len();
    found.transitions = edges.len();
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
    initial: Vec<Concurrent<'a, A, L>>,
    states_max: usize,
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
            if next >= self.states_max.min(u32::MAX as usize) {
                return Err(ExploreError::TooManyStates { limit: self.states_max });
            }
            self.from.push(from);
        }
        Ok(number)
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
        let mut run = self.initial[at as usize].clone();
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
            finals: Vec::new(),
            wrong_ends: 0,
            hopeless: 0,
            overlapping: 0,
            disconnected: 0,
            invalid: 0,
            lock_failures: 0,
            expand_failures: 0,
            width: 0,
            aborts_with_effect: 0,
            ways: Vec::new(),
        }
    }

    /// Whether every run can end, all ends reach the goal, lock sets are disjoint at every instant, nothing is aborted but by
    /// failures of Lock and Expand, and aborts have no effect.
    #[must_use]
    pub fn always_succeeds(&self) -> bool {
        self.wrong_ends == 0
            && self.hopeless == 0
            && self.overlapping == 0
            && self.invalid == 0
            && self.aborts_with_effect == 0
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
