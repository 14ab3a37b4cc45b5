//! The configurations that a start can reach, and the probabilities of the steps between them.

use acrasin_catalogue::counted;
use std::collections::BTreeMap;

use crate::table::Table;

/// The maximum number of configurations of a chain: solving the chain takes a matrix with one 64-bit number per pair of
/// configurations, at most 128 MiB.
pub const MAX_CONFIGURATIONS: usize = 4096;

/// The maximum number of agents. The number of ordered pairs of agents stays far below 2^53, so `f64` represents it and
/// its small multiples exactly.
pub const MAX_AGENTS: u32 = 1 << 20;

/// Errors of building or solving a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// The start does not have one count per state.
    #[error("{given} counts were given for {states} states (accepted: one count per state)")]
    WrongLength {
        /// The number of given counts.
        given: usize,
        /// The number of states.
        states: usize,
    },
    /// The start has fewer than 2 agents, or more than [`MAX_AGENTS`].
    #[error("a population of {} (accepted: 2 to {MAX_AGENTS})", counted(*.agents, "agent"))]
    WrongPopulation {
        /// The number of given agents.
        agents: u64,
    },
    /// The start reaches more than [`MAX_CONFIGURATIONS`] configurations.
    #[error("the start reaches more than {MAX_CONFIGURATIONS} configurations; take fewer agents or states")]
    TooManyConfigurations,
    /// The target is not reached with probability 1: some configuration reachable before it has no path to it.
    #[error("the target is not reached with probability 1, so its mean time is infinite")]
    NotCertain,
}

/// The Markov chain on counts from one start. Configuration 0 is the start.
#[derive(Clone, Debug)]
pub struct ExactChain {
    configurations: Vec<Vec<u32>>,
    /// For each configuration, the other configurations to which one interaction leads, with their probabilities.
    pub(super) steps: Vec<Vec<(usize, f64)>>,
}

impl ExactChain {
    /// Enumerates the configurations reachable from `start` (one count per state).
    ///
    /// Cost: one step per configuration and pair of present states.
    ///
    /// # Errors
    ///
    /// A start of the wrong length or size, or too many configurations.
    pub fn explore(table: &Table, start: &[u32]) -> Result<Self, ExactError> {
        let states = usize::from(table.state_count());
        if start.len() != states {
            return Err(ExactError::WrongLength { given: start.len(), states });
        }
        let agents: u64 = start.iter().map(|&count| u64::from(count)).sum();
        if !(2..=u64::from(MAX_AGENTS)).contains(&agents) {
            return Err(ExactError::WrongPopulation { agents });
        }
        let ordered_pairs = (agents * (agents - 1)) as f64;
        let mut configurations = vec![start.to_vec()];
        let mut number_of = BTreeMap::from([(start.to_vec(), 0_usize)]);
        let mut steps = Vec::new();
        while let Some(counts) = configurations.get(steps.len()).cloned() {
            let mut row: BTreeMap<usize, f64> = BTreeMap::new();
            for (next, pairs) in successors(table, &counts) {
                let number = match number_of.get(&next) {
                    Some(&known) => known,
                    None if configurations.len() == MAX_CONFIGURATIONS => {
                        return Err(ExactError::TooManyConfigurations);
                    }
                    None => {
                        number_of.insert(next.clone(), configurations.len());
                        configurations.push(next);
                        configurations.len() - 1
                    }
                };
                *row.entry(number).or_insert(0.0) += pairs / ordered_pairs;
            }
            steps.push(row.into_iter().collect());
        }
        Ok(Self { configurations, steps })
    }

    /// All configurations, the start first. A configuration has one count per state.
    #[must_use]
    pub fn configurations(&self) -> &[Vec<u32>] {
        &self.configurations
    }

    /// The probability of each configuration after `interactions` interactions, in the order of
    /// [`configurations`](Self::configurations). Cost: interactions times possible steps.
    #[must_use]
    pub fn distribution_after(&self, interactions: u64) -> Vec<f64> {
        let mut now = vec![0.0; self.configurations.len()];
        now[0] = 1.0;
        for _ in 0..interactions {
            let mut next = vec![0.0; now.len()];
            for (from, row) in self.steps.iter().enumerate() {
                let leaves: f64 = row.iter().map(|&(_, probability)| probability).sum();
                next[from] += now[from] * (1.0 - leaves);
                for &(to, probability) in row {
                    next[to] += now[from] * probability;
                }
            }
            now = next;
        }
        now
    }
}

/// The configurations other than `counts` to which one interaction leads. The weight of each is the number of ordered
/// pairs of agents that lead to it, times the probability of the outcome if the outcome is random. A configuration may
/// be listed twice.
fn successors(table: &Table, counts: &[u32]) -> Vec<(Vec<u32>, f64)> {
    let present = || table.states().filter(|&state| counts[usize::from(state)] > 0);
    let mut found = Vec::new();
    for (a, b) in present().flat_map(|a| present().map(move |b| (a, b))) {
        let others = counts[usize::from(b)] - u32::from(a == b);
        let pairs = f64::from(counts[usize::from(a)]) * f64::from(others);
        if others == 0 {
            continue;
        }
        let total: u64 = table.outcomes(a, b).map(|outcome| u64::from(outcome.weight)).sum();
        for outcome in table.outcomes(a, b) {
            let mut next = counts.to_vec();
            for state in [a, b] {
                next[usize::from(state)] -= 1;
            }
            for state in [outcome.initiator, outcome.responder] {
                next[usize::from(state)] += 1;
            }
            if next != counts {
                found.push((next, pairs * f64::from(outcome.weight) / total as f64));
            }
        }
    }
    found
}
