//! [`SizedClaim`], the form of a claim for the search: states that can occur, transitions on multisets, and the sides
//! of the claim.

use std::collections::{BTreeMap, BTreeSet};

use acrasin_protocols::predicate::{LinearFormula, LinearSide};
use acrasin_protocols::{Table, analysis};

use crate::bound::{Ratio, reduced};
use crate::fault::PlantedFault;

/// A claim about a protocol on the complete graph, for every population size.
#[derive(Clone, Debug)]
pub struct SizedClaim {
    pub(crate) names: Vec<String>,
    pub(crate) goal: SizedGoal,
    pub(crate) given: Option<LinearFormula>,
    /// The input states, in the order of the claim.
    pub(crate) inputs: Vec<usize>,
    /// The states that can occur, in increasing order.
    pub(crate) occurring: Vec<usize>,
    pub(crate) transitions: Vec<MultisetTransition>,
    /// The probability of each transition, if two agents in the states before it meet in a random order.
    pub(crate) chances: Vec<Ratio>,
    #[cfg(test)]
    pub(crate) fault: Option<PlantedFault>,
}

/// The condition that a claim imposes on the end of a fair execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SizedGoal {
    /// All agents answer with the value of the predicate for the input.
    Computes {
        /// The predicate on the input.
        predicate: LinearFormula,
        /// The states whose output means yes.
        yes: Vec<usize>,
        /// The states whose output means no.
        no: Vec<usize>,
    },
    /// The condition holds for the final configuration.
    Eventually(LinearFormula),
}

/// A predicate of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimPart {
    /// The predicate on the input, or the condition on the end.
    Goal,
    /// The condition on the inputs that the claim covers.
    Given,
}

/// A transition on unordered pairs: the sorted states of two agents before and after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MultisetTransition {
    /// The states of the two agents before the transition, in increasing order.
    pub before: [usize; 2],
    /// The new states of the two agents, in increasing order.
    pub after: [usize; 2],
}

impl MultisetTransition {
    /// The change of a state's count by the transition, from -2 to 2.
    pub(crate) fn change(&self, state: usize) -> i64 {
        let count = |pair: &[usize; 2]| pair.iter().filter(|&&member| member == state).count() as i64;
        count(&self.after) - count(&self.before)
    }

    /// The states whose counts change, each with the change.
    pub(crate) fn changes(&self) -> Vec<(usize, i64)> {
        let mut states = [self.before, self.after].concat();
        states.sort_unstable();
        states.dedup();
        states.into_iter().map(|state| (state, self.change(state))).filter(|change| change.1 != 0).collect()
    }

    pub(crate) fn takes(&self, set: &[bool]) -> bool {
        self.before.iter().any(|&state| set[state])
    }

    pub(crate) fn puts(&self, set: &[bool]) -> bool {
        self.after.iter().any(|&state| set[state])
    }

    /// The transition with before and after exchanged.
    pub(crate) fn reversed(&self) -> Self {
        Self { before: self.after, after: self.before }
    }
}

impl SizedClaim {
    /// A claim about the protocol of a table, for all inputs over these states that `given` covers.
    ///
    /// # Panics
    ///
    /// Panics if `inputs` has a state that is not in the table.
    #[must_use]
    pub fn new(table: &Table, inputs: &[u16], goal: SizedGoal, given: Option<LinearFormula>) -> Self {
        let reached = analysis::reachable_states(table, inputs);
        let occurring: Vec<usize> = (0..reached.len()).filter(|&state| reached[state]).collect();
        let mut transitions = Vec::new();
        for &a in &occurring {
            for &b in &occurring {
                for outcome in table.outcomes(a as u16, b as u16) {
                    let mut before = [a, b];
                    let mut after = [usize::from(outcome.initiator), usize::from(outcome.responder)];
                    before.sort_unstable();
                    after.sort_unstable();
                    if before != after {
                        transitions.push(MultisetTransition { before, after });
                    }
                }
            }
        }
        transitions.sort_unstable();
        transitions.dedup();
        let inputs = inputs.iter().map(|&state| usize::from(state)).collect();
        let chances = transitions.iter().map(|transition| chance(table, transition)).collect();
        Self {
            names: table.state_names().to_vec(),
            goal,
            given,
            inputs,
            occurring,
            transitions,
            chances,
            #[cfg(test)]
            fault: None,
        }
    }

    /// The transitions, in the order of their numbers in certificates.
    #[must_use]
    pub fn transitions(&self) -> &[MultisetTransition] {
        &self.transitions
    }

    /// The names of all states of the table.
    #[must_use]
    pub fn state_names(&self) -> &[String] {
        &self.names
    }

    /// This claim, restricted to inputs of at most this number of agents.
    #[must_use]
    pub fn up_to(&self, agents: u64) -> Self {
        let side = |factors, constant| LinearSide { factors, constant, modulus: None };
        let sum: BTreeMap<usize, i128> = self.inputs.iter().map(|&state| (state, 1)).collect();
        let bound = LinearFormula::Compare(
            side(sum, 0),
            acrasin_protocols::predicate::Comparison::LessOrEqual,
            side(BTreeMap::new(), i128::from(agents)),
        );
        let given = match &self.given {
            Some(given) => LinearFormula::All(vec![given.clone(), bound]),
            None => bound,
        };
        Self { given: Some(given), ..self.clone() }
    }

    /// The first part of the claim that counts only states in which no agent can be, or one of whose comparisons counts
    /// no state, and the states in which agents can be. Such a part or comparison is constant, usually by a mistake of
    /// the user: `1 >= 4` is meant to count a state called 1.
    #[must_use]
    pub fn constant_part(&self) -> Option<(ClaimPart, BTreeSet<usize>)> {
        let inputs = self.inputs.iter().copied().collect();
        let goal = match &self.goal {
            SizedGoal::Computes { predicate, .. } => (predicate, &inputs),
            SizedGoal::Eventually(condition) => (condition, &self.occurring.iter().copied().collect()),
        };
        let given = self.given.as_ref().map(|given| (ClaimPart::Given, (given, &inputs)));
        [(ClaimPart::Goal, goal)].into_iter().chain(given).find_map(|(part, (formula, states))| {
            let mut counted = BTreeSet::new();
            counted_states(formula, &mut counted);
            let is_constant = counted.is_disjoint(states) || has_bare_comparison(formula);
            is_constant.then(|| (part, states.clone()))
        })
    }

    pub(crate) fn is_eventual(&self) -> bool {
        matches!(self.goal, SizedGoal::Eventually(_))
    }

    /// The sides of the claim: the values of its predicate that must be proved.
    pub(crate) fn sides(&self) -> &'static [bool] {
        if self.is_eventual() { &[true] } else { &[true, false] }
    }

    /// Whether the claim covers an input.
    pub(crate) fn covers(&self, input: &[u64]) -> bool {
        self.given.as_ref().is_none_or(|given| given.holds(input))
    }

    /// The side to which an input belongs.
    pub(crate) fn value(&self, input: &[u64]) -> bool {
        match &self.goal {
            SizedGoal::Computes { predicate, .. } => predicate.holds(input),
            SizedGoal::Eventually(_) => true,
        }
    }

    /// Whether a final configuration is right on the side `value`.
    pub(crate) fn is_right(&self, counts: &[u64], value: bool) -> bool {
        match &self.goal {
            SizedGoal::Computes { yes, no, .. } => {
                let right = if value { yes } else { no };
                counts.iter().enumerate().all(|(state, &count)| count == 0 || right.contains(&state))
            }
            SizedGoal::Eventually(condition) => condition.holds(counts),
        }
    }
}

impl SizedClaim {
    /// Whether a test planted this fault in the search on the claim.
    #[cfg(test)]
    pub(crate) fn has(&self, fault: PlantedFault) -> bool {
        self.fault == Some(fault)
    }

    /// Whether a test planted this fault: always false outside tests.
    #[cfg(not(test))]
    pub(crate) const fn has(&self, _: PlantedFault) -> bool {
        false
    }
}

/// Whether some comparison counts no state.
fn has_bare_comparison(formula: &LinearFormula) -> bool {
    match formula {
        LinearFormula::All(members) | LinearFormula::Any(members) => members.iter().any(has_bare_comparison),
        LinearFormula::Compare(left, _, right) => left.factors.is_empty() && right.factors.is_empty(),
    }
}

fn counted_states(formula: &LinearFormula, into: &mut BTreeSet<usize>) {
    match formula {
        LinearFormula::All(members) | LinearFormula::Any(members) => {
            for member in members {
                counted_states(member, into);
            }
        }
        LinearFormula::Compare(left, _, right) => {
            into.extend(left.factors.keys().chain(right.factors.keys()));
        }
    }
}

/// The probability of a transition if two agents in the states before it meet: the mean over both orders.
fn chance(table: &Table, transition: &MultisetTransition) -> Ratio {
    let [a, b] = transition.before.map(|state| state as u16);
    // Weights of the outcome and of the pair.
    let of_order = |initiator, responder| {
        table.outcomes(initiator, responder).fold((0_u128, 0_u128), |(fitting, total), outcome| {
            let mut after = [usize::from(outcome.initiator), usize::from(outcome.responder)];
            after.sort_unstable();
            let weight = u128::from(outcome.weight);
            (fitting + if after == transition.after { weight } else { 0 }, total + weight)
        })
    };
    let ((first, of), (second, among)) = (of_order(a, b), of_order(b, a));
    reduced((first * among + second * of, 2 * of * among))
}
