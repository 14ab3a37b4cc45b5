//! Everybody is matched with somebody, by counts.

use super::super::draws::{Draws, Purpose};
use super::super::error::{MAX_AGENTS, SizeError};
use super::super::hypergeometric::take;
use super::super::rules::Rules;
use crate::table::Table;
use acrasin_process::Condition;

/// Cells that cost as much as shuffling an agent.
const CELL: u64 = 8;

/// Most agents that are shuffled.
const MOST_SHUFFLED: u64 = 1 << 27;

/// How a round is computed. Both have the same law.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matched {
    /// How many pairs there are of each kind is drawn.
    ByCounts,
    /// Agents are shuffled, and stand in pairs.
    Shuffled,
}

/// Agents that interact in rounds: in each, a uniformly random matching pairs everybody with somebody, one of each pair is the
/// initiator with probability 1/2, and all pairs interact at the same time. Of an odd number one agent, any, stays alone.
///
/// Time is counted in rounds. Exact for any number of agents up to 2^53; whether a round is drawn by counts or by a shuffle is decided
/// from counts, so a run is a function of table, counts and seed, whatever it is stopped at on the way. Cost of a round: the square
/// of the number of states that are present, or the number of agents.
///
/// ```
/// use acrasin_protocols::uniform::{MatchedPopulation, Silent};
/// use acrasin_protocols::{Table, library::OneWayEpidemic};
///
/// let table = Table::compile(&OneWayEpidemic)?;
/// let mut population = MatchedPopulation::new(&table, &[999_999_999, 1], 1)?;
/// assert!(population.run_until(&Silent::new(&table), 1000));
/// // At first, one in two rounds each infects another: about 2 log(10^9) rounds and as many again.
/// assert!((50..150).contains(&population.rounds()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MatchedPopulation {
    rules: Rules,
    seed: u64,
    agents: u64,
    counts: Vec<u64>,
    rounds: u64,
    forced: Option<Matched>,
}

impl MatchedPopulation {
    /// A population with `counts[s]` agents in state `s` of the table.
    ///
    /// # Errors
    ///
    /// Not one count a state; fewer than 2 agents, or more than [`MAX_AGENTS`].
    pub fn new(table: &Table, counts: &[u64], seed: u64) -> Result<Self, SizeError> {
        let states = usize::from(table.state_count());
        if counts.len() != states {
            return Err(SizeError::WrongLength { given: counts.len(), states });
        }
        let agents: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        if !(2..=u128::from(MAX_AGENTS)).contains(&agents) {
            return Err(SizeError::WrongSize { agents });
        }
        let rules = Rules::new(table);
        Ok(Self { rules, seed, agents: agents as u64, counts: counts.to_vec(), rounds: 0, forced: None })
    }

    /// Stays with one way of computing. For tests and comparisons.
    #[must_use]
    pub fn forced(self, matched: Matched) -> Self {
        Self { forced: Some(matched), ..self }
    }

    /// How many rounds there were.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// How many interactions there were.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.rounds.saturating_mul(self.agents / 2)
    }

    /// How many agents are in each state.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Goes on until there were `rounds` rounds in all.
    pub fn run_to(&mut self, rounds: u64) {
        while self.rounds < rounds {
            self.round();
        }
    }

    /// Goes on until `condition` holds after a round, or now, but at most until there were `limit` rounds in all; tells whether it
    /// holds.
    pub fn run_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        while !condition.holds(&self.counts) {
            if self.rounds >= limit {
                return false;
            }
            self.round();
        }
        true
    }

    fn round(&mut self) {
        let mut draws = Draws::new(self.seed, Purpose::Matchings, self.rounds);
        let present = self.counts.iter().filter(|&&count| count > 0).count() as u64;
        let matched = self.forced.unwrap_or({
            let is_costly = present * present * CELL > self.agents && self.agents <= MOST_SHUFFLED;
            if is_costly { Matched::Shuffled } else { Matched::ByCounts }
        });
        match matched {
            Matched::ByCounts => self.draw_cells(&mut draws),
            Matched::Shuffled => self.shuffle(&mut draws),
        }
        self.rounds += 1;
    }

    /// The initiators are a sample, the responders another of those who are left, and who of these is whose partner is a sample for
    /// each state of an initiator.
    fn draw_cells(&mut self, draws: &mut Draws) {
        let Self { rules, agents, counts, .. } = self;
        let states = counts.len();
        let pairs = *agents / 2;
        let (mut initiators, mut responders) = (vec![0; states], vec![0; states]);
        take(counts, &mut initiators, *agents, pairs, draws);
        take(counts, &mut responders, *agents - pairs, pairs, draws);
        let mut left = pairs;
        // Who stays alone is in the counts.
        for (a, &sample) in initiators.iter().enumerate().filter(|&(_, &sample)| sample > 0) {
            let mut partners = vec![0; states];
            take(&mut responders, &mut partners, left, sample, draws);
            left -= sample;
            for (b, &times) in partners.iter().enumerate().filter(|&(_, &times)| times > 0) {
                rules.interact_often(a as u16, b as u16, times, draws, |after, times| {
                    for state in after {
                        counts[usize::from(state)] += times;
                    }
                });
            }
        }
    }

    fn shuffle(&mut self, draws: &mut Draws) {
        let Self { rules, counts, .. } = self;
        let each = (0_u16..).zip(counts.iter());
        let mut states: Vec<u16> =
            each.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize)).collect();
        for last in (1..states.len()).rev() {
            states.swap(last, draws.below(last as u64 + 1) as usize);
        }
        for pair in states.chunks_exact_mut(2) {
            pair.copy_from_slice(&rules.interact(pair[0], pair[1], draws));
        }
        counts.fill(0);
        for state in states {
            counts[usize::from(state)] += 1;
        }
    }
}
