//! Rounds on the complete graph in which every agent is matched with another agent, simulated by counts.

use super::super::draws::{RandomDraws, StreamPurpose};
use super::super::error::{MAX_AGENTS, SizeError};
use super::super::hypergeometric::take;
use super::super::rules::TransitionRules;
use super::super::saved::{SavedError, SavedKind, SavedReader, Writer, plan_digest};
use super::AT_ONCE;
use crate::table::Table;
use acrasin_process::Condition;
use acrasin_runtime::Digest;

/// The number of kinds of pairs whose draws cost as much as shuffling one agent.
const CELL: u64 = 8;

/// The maximum number of agents that are shuffled.
const MOST_SHUFFLED: u64 = 1 << 27;

/// The methods of computing a round. Both have the same distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matched {
    /// Draws the number of pairs of each kind.
    ByCounts,
    /// Shuffles the list of agents; adjacent agents in it are paired.
    Shuffled,
}

/// Agents that interact in rounds. In each round a uniformly random matching pairs every agent with another agent. Each
/// agent of a pair is the initiator with probability 1/2. All pairs interact at the same time. If the number of agents
/// is odd, a uniformly random agent stays alone.
///
/// Time is counted in rounds. Exact for up to 2^53 agents. The method is chosen from counts, so a run is a function of
/// table, counts and seed. It does not depend on where it is stopped. Cost of a round: the square of the number of
/// present states, or the number of agents.
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
    rules: TransitionRules,
    seed: u64,
    agents: u64,
    counts: Vec<u64>,
    rounds: u64,
    forced: Option<Matched>,
    steps: u64,
    /// The unfinished round: its draws and its current stage; `None` between rounds.
    round: Option<(RandomDraws, RoundStage)>,
}

/// The stages of a round, each with its data.
#[derive(Clone, Debug)]
enum RoundStage {
    Cells(PairMatrix),
    /// Agents in a list; the agents before this index are still to be shuffled.
    Shuffle(Vec<u16>, usize),
    /// Shuffled agents; the agents before this index have interacted, and are counted by state.
    Pairs(Vec<u16>, usize, Vec<u64>),
}

/// Numbers of pairs by the states of both agents.
#[derive(Clone, Debug)]
struct PairMatrix {
    initiators: Vec<u64>,
    /// Agents without a partner, by state.
    responders: Vec<u64>,
    left: u64,
    /// The state whose initiators are paired next.
    next: usize,
    /// The counts of the agents that have interacted, with the agent that stays alone.
    counts: Vec<u64>,
}

impl MatchedPopulation {
    /// Creates a population with `counts[s]` agents in state `s` of the table.
    ///
    /// # Errors
    ///
    /// The number of counts differs from the number of states; fewer than 2 agents, or more than [`MAX_AGENTS`].
    pub fn new(table: &Table, counts: &[u64], seed: u64) -> Result<Self, SizeError> {
        let states = usize::from(table.state_count());
        if counts.len() != states {
            return Err(SizeError::WrongLength { given: counts.len(), states });
        }
        let agents: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        if !(2..=u128::from(MAX_AGENTS)).contains(&agents) {
            return Err(SizeError::WrongSize { agents });
        }
        let rules = TransitionRules::new(table);
        Ok(Self {
            rules,
            seed,
            agents: agents as u64,
            counts: counts.to_vec(),
            rounds: 0,
            forced: None,
            steps: 0,
            round: None,
        })
    }

    /// Always uses one method. Only for tests and comparisons.
    #[must_use]
    pub fn with_method(self, matched: Matched) -> Self {
        Self { forced: Some(matched), ..self }
    }

    /// The number of rounds so far.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of interactions so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.rounds.saturating_mul(self.agents / 2)
    }

    /// The number of steps so far, including those of the unfinished round: agents shuffled, agents paired, and kinds
    /// of pairs drawn.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of agents in each state after the last finished round.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Advances to a total of `rounds` rounds; does nothing if at least that many were already made.
    pub fn run_to(&mut self, rounds: u64) {
        while self.rounds < rounds {
            self.go_on(usize::MAX);
        }
    }

    /// Advances until `condition` holds, or to a total of `limit` rounds; returns whether it holds. The condition is
    /// evaluated at once and after every round.
    pub fn run_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        while !condition.holds(&self.counts) {
            if self.rounds >= limit {
                return false;
            }
            self.go_on(usize::MAX);
        }
        true
    }

    /// Advances until `condition` holds, to a total of `limit` rounds, or by about [`AT_ONCE`] steps, whichever is
    /// first; returns whether the condition holds. The last step may be within a round. The condition is evaluated at
    /// once and after every round.
    pub(in crate::uniform) fn run_some(&mut self, condition: Option<&dyn Condition>, limit: u64) -> bool {
        let mut left = AT_ONCE;
        loop {
            if condition.is_some_and(|condition| condition.holds(&self.counts)) {
                return true;
            }
            if self.rounds >= limit || left == 0 {
                return false;
            }
            left = left.saturating_sub(self.go_on(left));
        }
    }

    /// Advances within a round by at most about `most` steps; returns their number.
    fn go_on(&mut self, most: usize) -> usize {
        let (mut draws, stage) = self.round.take().unwrap_or_else(|| self.begun());
        let (steps, next) = match stage {
            RoundStage::Cells(cells) => self.draw_cells(cells, &mut draws, most),
            RoundStage::Shuffle(states, end) => shuffle(states, end, &mut draws, most, self.counts.len()),
            RoundStage::Pairs(states, begin, counts) => self.pair(states, (begin, counts), &mut draws, most),
        };
        self.steps = self.steps.saturating_add(steps as u64);
        self.rounds += u64::from(next.is_none());
        self.round = next.map(|stage| (draws, stage));
        steps
    }

    /// The complete state of the run as bytes. Between rounds it takes 8 bytes per state; within a round up to 32 per
    /// state, or one or two per agent.
    pub(in crate::uniform) fn saved(&self) -> Vec<u8> {
        let mut writer = Writer::new(SavedKind::Matched, self.plan());
        writer.numbers(&self.counts);
        writer.number(self.rounds);
        writer.number(self.steps);
        let Some((draws, stage)) = &self.round else {
            writer.byte(0);
            return writer.finish();
        };
        let agents = |states: &[u16]| states.iter().map(|&state| state.into()).collect::<Vec<u32>>();
        let mut list = |number, states: &[u16], place: usize| {
            writer.byte(number);
            writer.stream(draws);
            writer.indices(self.counts.len(), agents(states).into_iter());
            writer.number(place as u64);
        };
        match stage {
            RoundStage::Shuffle(states, end) => list(1, states, *end),
            RoundStage::Pairs(states, begin, _) => list(2, states, *begin),
            RoundStage::Cells(PairMatrix { initiators, responders, next, counts, .. }) => {
                writer.byte(3);
                writer.stream(draws);
                writer.number(*next as u64);
                // Initiators that are paired already do not matter.
                writer.numbers(&initiators[*next..]);
                writer.numbers(responders);
                writer.numbers(counts);
            }
        }
        writer.finish()
    }

    /// Continues from saved bytes of a run of this plan.
    pub(in crate::uniform) fn continue_from(&mut self, bytes: &[u8]) -> Result<(), SavedError> {
        let mut reader = SavedReader::new(bytes, SavedKind::Matched, self.plan())?;
        let states = self.counts.len();
        let total = |counts: &[u64]| counts.iter().map(|&count| u128::from(count)).sum::<u128>();
        let counts = reader.numbers()?;
        let is_possible = counts.len() == states && total(&counts) == self.agents.into();
        SavedError::unless(is_possible, "counts")?;
        let (rounds, steps) = (reader.counter()?, reader.number()?);
        let stage = reader.byte()?;
        let round = match stage {
            0 => None,
            1 | 2 => {
                let draws = reader.stream()?;
                let agents = reader.states(states)?;
                let place = reader.index(agents.len() + 1, "rounds")?;
                let tally = |agents: &[u16]| {
                    let mut tally = vec![0; states];
                    agents.iter().for_each(|&state| tally[usize::from(state)] += 1);
                    tally
                };
                let is_possible = match stage {
                    1 => place >= 2 && tally(&agents) == counts,
                    _ => place % 2 == 0 && place < agents.len(),
                };
                SavedError::unless(is_possible && agents.len() as u64 == self.agents, "rounds")?;
                Some((
                    draws,
                    if stage == 1 {
                        RoundStage::Shuffle(agents, place)
                    } else {
                        let met = tally(&agents[..place]);
                        RoundStage::Pairs(agents, place, met)
                    },
                ))
            }
            3 => {
                let draws = reader.stream()?;
                let next = reader.index(states, "rounds")?;
                let mut initiators = vec![0; next];
                initiators.extend(reader.numbers()?);
                let (responders, after) = (reader.numbers()?, reader.numbers()?);
                let left = total(&responders);
                let is_possible = [&initiators, &responders, &after].iter().all(|list| list.len() == states)
                    && total(&initiators) == left
                    && total(&after) + 2 * left == self.agents.into();
                SavedError::unless(is_possible, "rounds")?;
                let left = left as u64;
                let matrix = PairMatrix { initiators, responders, left, next, counts: after };
                Some((draws, RoundStage::Cells(matrix)))
            }
            _ => return Err(SavedError::impossible("rounds")),
        };
        reader.finish()?;
        (self.counts, self.rounds, self.steps, self.round) = (counts, rounds, steps, round);
        Ok(())
    }

    fn plan(&self) -> Digest {
        plan_digest(&(self.rules.digest(), self.seed, self.agents), &self.forced)
    }

    fn begun(&self) -> (RandomDraws, RoundStage) {
        let Self { seed, agents, counts, rounds, forced, .. } = self;
        let mut draws = RandomDraws::new(*seed, StreamPurpose::Matchings, *rounds);
        let present = counts.iter().filter(|&&count| count > 0).count() as u64;
        let matched = forced.unwrap_or({
            let is_costly = present * present * CELL > *agents && *agents <= MOST_SHUFFLED;
            if is_costly { Matched::Shuffled } else { Matched::ByCounts }
        });
        if matched == Matched::Shuffled {
            let mut states = Vec::with_capacity(*agents as usize);
            for (state, &count) in (0_u16..).zip(counts) {
                states.resize(states.len() + count as usize, state);
            }
            let end = states.len();
            return (draws, RoundStage::Shuffle(states, end));
        }
        // The initiators are a sample, and the responders a sample of the others.
        let (pairs, mut left) = (*agents / 2, counts.clone());
        let (mut initiators, mut responders) = (vec![0; counts.len()], vec![0; counts.len()]);
        take(&mut left, &mut initiators, *agents, pairs, &mut draws);
        take(&mut left, &mut responders, *agents - pairs, pairs, &mut draws);
        (draws, RoundStage::Cells(PairMatrix { initiators, responders, left: pairs, next: 0, counts: left }))
    }

    /// Draws the numbers of pairs of each kind: the partners of the initiators of a state are a random sample of the
    /// responders. Returns the number of steps, and the next stage if the round is not finished.
    fn draw_cells(
        &mut self,
        mut cells: PairMatrix,
        draws: &mut RandomDraws,
        most: usize,
    ) -> (usize, Option<RoundStage>) {
        let PairMatrix { initiators, responders, left, next, counts } = &mut cells;
        let states = counts.len();
        let mut steps = 0;
        while *next < states && steps < most {
            let (a, sample) = (*next, initiators[*next]);
            *next += 1;
            if sample == 0 {
                continue;
            }
            steps += states;
            let mut partners = vec![0; states];
            take(responders, &mut partners, *left, sample, draws);
            *left -= sample;
            for (b, &times) in partners.iter().enumerate().filter(|&(_, &times)| times > 0) {
                self.rules.interact_often(a as u16, b as u16, times, draws, |after, times| {
                    for state in after {
                        counts[usize::from(state)] += times;
                    }
                });
            }
        }
        if *next < states {
            return (steps, Some(RoundStage::Cells(cells)));
        }
        self.counts = cells.counts;
        (steps, None)
    }

    fn pair(
        &mut self,
        mut states: Vec<u16>,
        (begin, mut counts): (usize, Vec<u64>),
        draws: &mut RandomDraws,
        most: usize,
    ) -> (usize, Option<RoundStage>) {
        // A whole number of pairs; if the number is odd, the last agent stays alone.
        let end = begin.saturating_add(most.saturating_add(1) & !1).min(states.len());
        for pair in states[begin..end].chunks_exact_mut(2) {
            pair.copy_from_slice(&self.rules.interact(pair[0], pair[1], draws));
        }
        for &state in &states[begin..end] {
            counts[usize::from(state)] += 1;
        }
        if end < states.len() {
            return (end - begin, Some(RoundStage::Pairs(states, end, counts)));
        }
        self.counts = counts;
        (end - begin, None)
    }
}

/// Shuffles the agents before index `end`, at most `most` of them. Returns the number of steps and the next stage.
fn shuffle(
    mut agents: Vec<u16>,
    end: usize,
    draws: &mut RandomDraws,
    most: usize,
    states: usize,
) -> (usize, Option<RoundStage>) {
    let begin = end.saturating_sub(most).max(1);
    for last in (begin..end).rev() {
        agents.swap(last, draws.below(last as u64 + 1) as usize);
    }
    let next = if begin > 1 {
        RoundStage::Shuffle(agents, begin)
    } else {
        RoundStage::Pairs(agents, 0, vec![0; states])
    };
    (end - begin, Some(next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::OneWayEpidemic;

    /// Regression: a round of many agents or many states was one call, so an interruption took effect only after
    /// seconds.
    #[test]
    fn a_call_makes_few_steps_and_shows_finished_rounds_alone() {
        let table = Table::compile(&OneWayEpidemic).unwrap();
        let agents = 2 * AT_ONCE as u64 + 5;
        for forced in [Matched::Shuffled, Matched::ByCounts] {
            let population =
                || MatchedPopulation::new(&table, &[agents - 1000, 1000], 3).unwrap().with_method(forced);
            let (mut parts, mut whole) = (population(), population());
            for round in 0..3 {
                whole.run_to(round);
                let mut calls = 0;
                while parts.rounds() == round {
                    assert_eq!(
                        (parts.counts(), parts.interactions()),
                        (whole.counts(), whole.interactions())
                    );
                    let steps = parts.steps();
                    assert!(!parts.run_some(None, round + 1));
                    assert!((1..=AT_ONCE as u64 + 1).contains(&(parts.steps() - steps)));
                    calls += 1;
                }
                // Each agent is shuffled (all but one), and paired.
                assert_eq!(calls, if forced == Matched::Shuffled { 5 } else { 1 });
            }
            whole.run_to(3);
            assert_eq!(parts.counts(), whole.counts());
            assert_eq!(parts.counts().iter().sum::<u64>(), agents);
            assert!(parts.counts()[1] > 3000 || parts.counts()[0] > 3000);
        }
    }

    /// With few steps per call, the kinds of pairs are drawn in parts, with the same result as at once.
    #[test]
    fn kinds_of_pairs_are_drawn_a_few_at_a_time() {
        let table = Table::compile(&crate::library::Averaging::new(40).unwrap()).unwrap();
        let counts: Vec<u64> = (0..=40).map(|state| 1000 + state).collect();
        let population =
            || MatchedPopulation::new(&table, &counts, 5).unwrap().with_method(Matched::ByCounts);
        let (mut parts, mut whole) = (population(), population());
        whole.run_to(2);
        let mut calls = 0;
        while parts.rounds() < 2 {
            assert!(parts.go_on(50) <= 50 + 41);
            calls += 1;
        }
        assert_eq!((parts.counts(), calls), (whole.counts(), 2 * 21));
    }
}
