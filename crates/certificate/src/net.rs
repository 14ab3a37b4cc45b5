//! A protocol as transitions on multisets of states.

use std::collections::BTreeSet;

use acrasin_protocols::Table;
use acrasin_protocols::analysis::reachable_states;

use crate::format::StatePair;

/// A transition: two agents in the states `pre` change to the states `post`. The two multisets differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NetTransition {
    pub(crate) pre: StatePair,
    pub(crate) post: StatePair,
}

impl NetTransition {
    /// The change of the count of a state: from -2 to 2.
    pub(crate) fn change(&self, state: u16) -> i128 {
        times(self.post, state) - times(self.pre, state)
    }

    /// The states in `pre` or `post`, without repetition.
    pub(crate) fn states(&self) -> impl Iterator<Item = u16> + use<> {
        let [a, b] = self.pre;
        let [c, d] = self.post;
        let mut states = [a, b, c, d];
        states.sort_unstable();
        let mut last = None;
        states.into_iter().filter(move |&state| last.replace(state) != Some(state))
    }

    pub(crate) fn takes_from(&self, set: &[bool]) -> bool {
        self.pre.iter().any(|&state| set[usize::from(state)])
    }

    pub(crate) fn puts_into(&self, set: &[bool]) -> bool {
        self.post.iter().any(|&state| set[usize::from(state)])
    }

    pub(crate) fn reversed(self) -> Self {
        Self { pre: self.post, post: self.pre }
    }
}

/// The number of occurrences of a state in a pair.
pub(crate) fn times(pair: StatePair, state: u16) -> i128 {
    pair.iter().filter(|&&member| member == state).count() as i128
}

/// The states that can occur if agents start in given input states, and the transitions between them.
#[derive(Clone, Debug)]
pub(crate) struct ClaimNet {
    /// The number of states of the table.
    pub(crate) state_count: usize,
    /// The input states in the order of the claim.
    pub(crate) inputs: Vec<u16>,
    /// The states that can occur, in increasing order.
    pub(crate) occurring: Vec<u16>,
    /// All transitions, sorted, without repetition.
    pub(crate) transitions: Vec<NetTransition>,
    /// The transitions that change the count of each state, by state.
    pub(crate) changing: Vec<Vec<u32>>,
    /// The pairs of states before the transitions, sorted, without repetition.
    pub(crate) pres: Vec<StatePair>,
    /// The index in `pres` of the pair before each transition.
    pub(crate) pre_of: Vec<u32>,
    /// For each state, the pairs that contain it: the other state, and the index of the pair in `pres`.
    pub(crate) partners: Vec<Vec<(u16, u32)>>,
}

impl ClaimNet {
    /// Collects the transitions among the states that can occur. Cost: one step for each pair of these states.
    pub(crate) fn new(table: &Table, inputs: &[u16]) -> Self {
        let state_count = usize::from(table.state_count());
        let reached = reachable_states(table, inputs);
        let occurring: Vec<u16> = table.states().filter(|&state| reached[usize::from(state)]).collect();
        let mut transitions = BTreeSet::new();
        for &a in &occurring {
            for &b in &occurring {
                // Weights are positive, and weights do not matter for what is possible.
                for outcome in table.outcomes(a, b) {
                    let (pre, post) = (sorted([a, b]), sorted([outcome.initiator, outcome.responder]));
                    if pre != post {
                        transitions.insert(NetTransition { pre, post });
                    }
                }
            }
        }
        let transitions: Vec<NetTransition> = transitions.into_iter().collect();
        let mut changing = vec![Vec::new(); state_count];
        for (number, transition) in (0..).zip(&transitions) {
            for state in transition.states().filter(|&state| transition.change(state) != 0) {
                changing[usize::from(state)].push(number);
            }
        }
        let mut pres: Vec<StatePair> = transitions.iter().map(|transition| transition.pre).collect();
        pres.dedup();
        let number_of = |pre: StatePair| pres.binary_search(&pre).expect("each pair is in the list") as u32;
        let pre_of = transitions.iter().map(|transition| number_of(transition.pre)).collect();
        let mut partners = vec![Vec::new(); state_count];
        for (number, &[a, b]) in (0..).zip(&pres) {
            partners[usize::from(a)].push((b, number));
            if a != b {
                partners[usize::from(b)].push((a, number));
            }
        }
        partners.iter_mut().for_each(|list: &mut Vec<(u16, u32)>| list.sort_unstable());
        let inputs = inputs.to_vec();
        Self { state_count, inputs, occurring, transitions, changing, pres, pre_of, partners }
    }

    /// The index in `pres` of a pair, if it is the pair before some transition.
    pub(crate) fn pre_number(&self, [a, b]: StatePair) -> Option<u32> {
        let list = &self.partners[usize::from(a)];
        list.binary_search_by_key(&b, |(other, _)| *other).ok().map(|place| list[place].1)
    }

    /// The states of a list as a set, indexed by state.
    pub(crate) fn set(&self, states: impl IntoIterator<Item = u16>) -> Vec<bool> {
        let mut set = vec![false; self.state_count];
        states.into_iter().for_each(|state| set[usize::from(state)] = true);
        set
    }
}

fn sorted(mut pair: StatePair) -> StatePair {
    pair.sort_unstable();
    pair
}
