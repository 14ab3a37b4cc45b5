//! [`ExactLaw`]: probabilities and expected rounds over all outcomes of coins.

use std::collections::BTreeMap;

use super::coins::Coins;
use super::run::{CircuitRun, RunTrouble};
use super::table::RoundTable;

/// The maximum number of coins of a round, since all outcomes are listed.
const COINS_MAX: u32 = 20;

/// The law of a small system: all states that some outcome of coins reaches.
///
/// A state consists of the memories and rounds of all amoebots, so the structure must not move. The law is a Markov
/// chain, solved by iteration up to an error of about 1e-12.
#[derive(Clone, Debug)]
pub struct ExactLaw<A: RoundTable> {
    states: Vec<CircuitRun<A>>,
    /// The successors of each state with their probabilities; empty for an end.
    next: Vec<Vec<(usize, f64)>>,
}

/// Errors of an exact law.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExactLawError {
    /// There are more states than the limit.
    #[error("more than {states} states")]
    States {
        /// The accepted number of states.
        states: usize,
    },
    /// A round has so many coins that their outcomes cannot be listed.
    #[error("more than {COINS_MAX} coins in a round")]
    Coins,
    /// The movements of a round are not possible.
    #[error("a conflict of movements")]
    Conflict,
    /// The algorithm names a pin twice, or a pin that an amoebot does not have.
    #[error("sets of the algorithm name a pin wrongly")]
    Configuration,
}

impl<A: RoundTable + Clone> ExactLaw<A> {
    /// The law of all states that are reachable from the start of a run.
    ///
    /// # Errors
    ///
    /// There are more than `limit` states, a round has too many coins, or movements are not possible.
    pub fn of(start: &CircuitRun<A>, limit: usize) -> Result<Self, ExactLawError> {
        let mut numbers = BTreeMap::from([(Self::key(start), 0)]);
        let mut law = Self { states: vec![start.clone()], next: Vec::new() };
        while let Some(state) = law.states.get(law.next.len()).cloned() {
            let mut next: BTreeMap<usize, f64> = BTreeMap::new();
            if state.rounds().iter().any(Option::is_some) {
                for (outcome, probability) in Self::outcomes(&state)? {
                    let number = *numbers.entry(Self::key(&outcome)).or_insert_with(|| {
                        law.states.push(outcome);
                        law.states.len() - 1
                    });
                    *next.entry(number).or_default() += probability;
                }
                if law.states.len() > limit {
                    return Err(ExactLawError::States { states: limit });
                }
            }
            law.next.push(next.into_iter().collect());
        }
        Ok(law)
    }

    fn key(run: &CircuitRun<A>) -> String {
        format!("{:?} {:?}", run.memories(), run.rounds())
    }

    /// The states after one round with their probabilities.
    fn outcomes(state: &CircuitRun<A>) -> Result<Vec<(CircuitRun<A>, f64)>, ExactLawError> {
        let mut count = 0;
        loop {
            let with = |bits: u64| {
                let coins = (0..count).map(|bit| bits >> bit & 1 == 1).collect();
                let mut run = state.clone().with_coins(Coins::listed(coins));
                run.round().map(|_| run)
            };
            // The number of coins does not depend on their outcomes.
            match with(0) {
                Err(RunTrouble::Coins { .. }) if count < COINS_MAX => count += 1,
                Err(RunTrouble::Coins { .. }) => return Err(ExactLawError::Coins),
                Err(RunTrouble::Conflict { .. }) => return Err(ExactLawError::Conflict),
                Err(RunTrouble::Configuration { .. }) => return Err(ExactLawError::Configuration),
                Ok(_) => {
                    let probability = 0.5_f64.powi(count as i32);
                    let all = (0..1_u64 << count).map(|bits| {
                        with(bits).map(|run| (run, probability)).map_err(|_| ExactLawError::Conflict)
                    });
                    return all.collect();
                }
            }
        }
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The probability that a run ends with memories for which `is` returns true.
    pub fn probability(&self, is: impl Fn(&[A::Memory]) -> bool) -> f64 {
        let ends = self.states.iter().zip(&self.next);
        let ends: Vec<f64> =
            ends.map(|(run, next)| f64::from(u8::from(next.is_empty() && is(run.memories())))).collect();
        self.solve(&ends)
    }

    /// The expected sum of `cost` over all rounds: 1 for each round gives the expected number of rounds.
    pub fn expected(&self, cost: impl Fn(A::RoundName) -> f64) -> f64 {
        let costs = self
            .states
            .iter()
            .map(|run| run.rounds().iter().flatten().next().map_or(0.0, |&round| cost(round)));
        self.solve(&costs.collect::<Vec<f64>>())
    }

    /// The value of state 0, where the value of a state is its entry in `own` plus the mean of the values of its
    /// successors.
    fn solve(&self, own: &[f64]) -> f64 {
        let mut values = own.to_vec();
        loop {
            let mut change = 0.0_f64;
            for state in (0..values.len()).rev() {
                if self.next[state].is_empty() {
                    continue;
                }
                // If a state may repeat, the equation is solved for its own value.
                let (mut sum, mut stays) = (own[state], 0.0);
                for &(next, probability) in &self.next[state] {
                    if next == state {
                        stays += probability;
                    } else {
                        sum += probability * values[next];
                    }
                }
                let value = sum / (1.0 - stays);
                change = change.max((value - values[state]).abs());
                values[state] = value;
            }
            if change < 1e-13 {
                return values[0];
            }
        }
    }
}
