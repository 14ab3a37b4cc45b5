//! The engine that makes only interactions that change a state, and draws the number of interactions skipped between
//! them.
//!
//! It is for configurations in which almost no interaction changes a state. The number of skipped interactions is drawn
//! from a geometric distribution, and then the next active interaction is drawn. The weights of initiators are kept up
//! to date. A step costs one pass over the states.

use std::sync::Arc;

use super::draws::RandomDraws;
use super::rules::TransitionRules;

/// Pairs of states whose interaction changes a state.
#[derive(Clone, Debug)]
struct ChangingPairs {
    /// For each initiator state, the responder states.
    of_initiator: Vec<Vec<u16>>,
    /// For each responder state, the initiator states.
    of_responder: Vec<Vec<u16>>,
    /// For each initiator state, whether it is itself among its responder states.
    meets_itself: Vec<bool>,
}

/// The active pairs of a configuration with their weights.
#[derive(Clone, Debug)]
pub(super) struct Skip {
    partners: Arc<ChangingPairs>,
    /// For each initiator state, the number of agents in its responder states. This includes the initiator itself if
    /// its own state is one of them.
    within: Vec<u64>,
    /// The number of interactions before the next active one, if it has been drawn.
    pub(super) next: Option<u64>,
    /// The number of active ordered pairs of agents.
    active: u128,
}

impl Skip {
    pub(super) fn new(rules: &TransitionRules) -> Self {
        let states = rules.states();
        let mut partners = ChangingPairs {
            of_initiator: vec![Vec::new(); states],
            of_responder: vec![Vec::new(); states],
            meets_itself: vec![false; states],
        };
        for &[a, b] in rules.active() {
            partners.of_initiator[usize::from(a)].push(b);
            partners.of_responder[usize::from(b)].push(a);
            partners.meets_itself[usize::from(a)] |= a == b;
        }
        Self { partners: Arc::new(partners), within: vec![0; states], next: None, active: 0 }
    }

    /// Computes the weights of initiators for these counts, and discards a drawn number of skipped interactions.
    pub(super) fn begin(&mut self, counts: &[u64]) {
        for (within, partners) in self.within.iter_mut().zip(&self.partners.of_initiator) {
            *within = partners.iter().map(|&state| counts[usize::from(state)]).sum();
        }
        self.next = None;
    }

    /// Continues from these counts. `next` is the number of interactions before the next active one, if it has been
    /// drawn.
    pub(super) fn go_on(&mut self, counts: &[u64], next: Option<u64>) {
        self.begin(counts);
        (self.next, self.active) = (next, self.active(counts));
    }

    #[inline]
    fn weight(&self, state: usize, counts: &[u64]) -> u128 {
        if counts[state] == 0 {
            return 0;
        }
        u128::from(counts[state])
            * u128::from(self.within[state] - u64::from(self.partners.meets_itself[state]))
    }

    /// The number of ordered pairs of agents whose interaction may change a state.
    pub(super) fn active(&self, counts: &[u64]) -> u128 {
        (0..counts.len()).map(|state| self.weight(state, counts)).sum()
    }

    /// The number of interactions before the next active one; `None` if no active pair is left.
    #[inline]
    pub(super) fn gap(&mut self, counts: &[u64], pairs: f64, draws: &mut RandomDraws) -> Option<u64> {
        let active = self.active(counts);
        self.active = active;
        if active == 0 {
            return None;
        }
        let none = -libm::log1p(-(active as f64 / pairs));
        // A gap beyond 64 bits exceeds every limit of interactions.
        Some((draws.exponential() / none) as u64)
    }

    /// Makes the active interaction that follows the [`gap`](Self::gap).
    #[inline]
    pub(super) fn interact(&mut self, counts: &mut [u64], rules: &TransitionRules, draws: &mut RandomDraws) {
        let [a, b] = self.pair(counts, draws);
        let after = rules.interact(a, b, draws);
        for state in [a, b] {
            self.change(counts, state, u64::MAX);
        }
        for state in after {
            self.change(counts, state, 1);
        }
    }

    /// Adds `by`, modulo 2^64, to a count and to all values that depend on it.
    #[inline]
    fn change(&mut self, counts: &mut [u64], state: u16, by: u64) {
        let state = usize::from(state);
        counts[state] = counts[state].wrapping_add(by);
        for &initiator in &self.partners.of_responder[state] {
            let within = &mut self.within[usize::from(initiator)];
            *within = within.wrapping_add(by);
        }
    }

    /// The states of a uniformly random active ordered pair of agents.
    #[inline]
    fn pair(&self, counts: &[u64], draws: &mut RandomDraws) -> [u16; 2] {
        debug_assert_eq!(self.active, self.active(counts));
        let mut ticket = draws.below_wide(self.active);
        for a in 0..counts.len() {
            let weight = self.weight(a, counts);
            if ticket >= weight {
                ticket -= weight;
                continue;
            }
            let mut place = match u64::try_from(ticket) {
                Ok(ticket) => ticket / counts[a],
                Err(_) => (ticket / u128::from(counts[a])) as u64,
            };
            for &b in &self.partners.of_initiator[a] {
                let there = counts[usize::from(b)] - u64::from(usize::from(b) == a);
                if place < there {
                    return [a as u16, b];
                }
                place -= there;
            }
        }
        unreachable!("a ticket is below the sum of the weights")
    }
}
