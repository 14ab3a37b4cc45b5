//! Every order of the steps of small systems, exhaustively.

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
pub struct ConcurrentExploration<M> {
    /// Distinct states.
    pub states: usize,
    /// Steps from one state to another or to itself; a draw with two outcomes counts twice.
    pub transitions: usize,
    /// The distinct systems in which a run has terminated.
    pub finals: Vec<System<M>>,
    /// States from which no run terminates.
    pub hopeless: usize,
    /// States in which lock sets are not disjoint.
    pub overlapping: usize,
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
}

/// Explores all orders of the steps of A′ from some systems. The time and the memory grow with the number of states.
///
/// # Errors
///
/// More than `states_max` states.
pub fn explore_concurrent<'a, A: Algorithm, L: Locks + Clone + Hash>(
    algorithm: &'a A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    locks: impl Fn(&System<A::Memory>) -> L,
    states_max: usize,
) -> Result<ConcurrentExploration<A::Memory>, ExploreError> {
    let mut numbers: HashMap<Digest, u32, FixedHasher> = HashMap::default();
    let mut border = Vec::new();
    // From where each state is reached.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut ends = Vec::new();
    let mut found = ConcurrentExploration {
        states: 0,
        transitions: 0,
        finals: Vec::new(),
        hopeless: 0,
        overlapping: 0,
        invalid: 0,
        lock_failures: 0,
        expand_failures: 0,
        width: 0,
        aborts_with_effect: 0,
    };
    let mut number = |run: Concurrent<'a, A, L>, border: &mut Vec<_>| {
        let next = numbers.len();
        if next >= states_max.min(u32::MAX as usize) {
            return Err(ExploreError::TooManyStates { limit: states_max });
        }
        let number = *numbers.entry(run.digest()).or_insert_with(|| {
            border.push((next as u32, run));
            next as u32
        });
        Ok(number)
    };
    for start in starts {
        let locks = locks(&start);
        number(Concurrent::new(algorithm, start, locks), &mut border)?;
    }
    while let Some((at, state)) = border.pop() {
        found.states += 1;
        found.overlapping += usize::from(!state.lock_sets_are_disjoint());
        found.width = found.width.max(state.inside());
        if state.has_terminated() {
            ends.push(at);
            if !found.finals.contains(state.system()) {
                found.finals.push(state.system().clone());
            }
        }
        let busy: Vec<NodeId> = state.busy().ids().to_vec();
        for id in busy {
            let mut outcomes = Enumerated::new();
            loop {
                let mut next = state.clone();
                let stepped = next.step(id, &mut outcomes);
                found.count(stepped, next.system() != state.system());
                let to = number(next, &mut border)?;
                edges.push((to, at));
                if !outcomes.advance() {
                    break;
                }
            }
        }
    }
    found.transitions = edges.len();
    found.hopeless = found.states - reaching(edges, ends, found.states);
    Ok(found)
}

impl<M> ConcurrentExploration<M> {
    fn count(&mut self, stepped: Stepped, changed: bool) {
        let (aborted, count) = match stepped {
            Stepped::Invalid(_) => (true, &mut self.invalid),
            Stepped::MoveFailed(_) => (false, &mut self.invalid),
            Stepped::LockFailed => (true, &mut self.lock_failures),
            Stepped::ExpandFailed(_) => (true, &mut self.expand_failures),
            _ => return,
        };
        *count += 1;
        self.aborts_with_effect += usize::from(aborted && changed);
    }
}

/// From how many states some of `ends` can be reached, along edges that are given from their end to their start.
fn reaching(mut edges: Vec<(u32, u32)>, ends: Vec<u32>, states: usize) -> usize {
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
    reaches.into_iter().filter(|reaches| *reaches).count()
}
