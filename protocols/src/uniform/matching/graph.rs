//! Rounds with a maximal matching of a graph.

use super::super::draws::{RandomDraws, StreamPurpose};
use super::super::error::SizeError;
use super::super::rules::TransitionRules;
use super::super::saved::{SavedError, SavedKind, SavedReader, Writer, plan_digest};
use super::AT_ONCE;
use crate::table::Table;
use acrasin_process::Condition;
use acrasin_runtime::Digest;

/// Agents on a graph that interact in rounds. In each round the edges are examined in uniformly random order, and the
/// ends of an edge are matched if neither is matched yet. All pairs interact at the same time, each in a random
/// direction.
///
/// The matching is maximal: at least one end of each edge is matched. Time is counted in rounds. A run is a function of
/// table, states, edges and seed. Cost of a round: the number of edges.
///
/// ```
/// use acrasin_protocols::uniform::{MatchedGraph, Silent};
/// use acrasin_protocols::{Table, library::OneWayEpidemic};
///
/// let table = Table::compile(&OneWayEpidemic)?;
/// let path = vec![[0, 1], [1, 2], [2, 3]];
/// let mut population = MatchedGraph::new(&table, &[1, 0, 0, 0], path, 1)?;
/// assert!(population.run_until(&Silent::new(&table), 1000));
/// assert_eq!(population.counts(), [0, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MatchedGraph {
    table: Table,
    rules: TransitionRules,
    seed: u64,
    edges: Vec<[u32; 2]>,
    /// The order of the edges in the last round, which is shuffled again for the next round.
    order: Vec<u32>,
    matched: Vec<bool>,
    rounds: u64,
    /// The agents after the last finished round.
    agents: MatchingAgents,
    /// The agents in the unfinished round.
    next: MatchingAgents,
    /// The draws of an unfinished round; `None` between rounds.
    draws: Option<RandomDraws>,
    /// The number of edges examined in the unfinished round.
    place: usize,
}

/// The part of a population that rounds change.
#[derive(Clone, Debug)]
struct MatchingAgents {
    states: Vec<u16>,
    counts: Vec<u64>,
    interactions: u64,
}

impl MatchedGraph {
    /// Creates a population with these states on the graph with these edges.
    ///
    /// # Errors
    ///
    /// There are fewer than 2 agents or more than 2^32. There is no edge, or there are more than 2^32. Or an edge leads
    /// from an agent to itself or to an agent that does not exist.
    ///
    /// # Panics
    ///
    /// Panics if a state is not in the table.
    pub fn new(table: &Table, states: &[u16], edges: Vec<[u32; 2]>, seed: u64) -> Result<Self, SizeError> {
        let agents = states.len();
        if !(2..=1 << 32).contains(&(agents as u64)) {
            return Err(SizeError::WrongSize { agents: agents as u128 });
        }
        let is_sound = |[u, v]: &[u32; 2]| u != v && (*u as usize) < agents && (*v as usize) < agents;
        if edges.is_empty() || !edges.iter().all(is_sound) || edges.len() as u64 > 1 << 32 {
            return Err(SizeError::WrongEdges);
        }
        let mut counts = vec![0; usize::from(table.state_count())];
        for &state in states {
            counts[usize::from(state)] += 1;
        }
        let start = MatchingAgents { states: states.to_vec(), counts, interactions: 0 };
        Ok(Self {
            table: table.clone(),
            rules: TransitionRules::new(table),
            seed,
            order: (0..edges.len() as u64).map(|edge| edge as u32).collect(),
            edges,
            matched: vec![false; agents],
            rounds: 0,
            next: start.clone(),
            agents: start,
            draws: None,
            place: 0,
        })
    }

    /// The number of rounds so far.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of interactions in all rounds so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.agents.interactions
    }

    /// The number of edges examined, including those of an unfinished round.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.rounds.saturating_mul(self.edge_count()).saturating_add(self.place as u64)
    }

    /// The number of agents in each state after the last finished round.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.agents.counts
    }

    /// The state of each agent after the last finished round.
    #[must_use]
    pub fn states(&self) -> &[u16] {
        &self.agents.states
    }

    /// The number of edges.
    #[must_use]
    pub fn edge_count(&self) -> u64 {
        self.edges.len() as u64
    }

    /// Whether no interaction along an edge can change a state.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let state = |agent: u32| self.agents.states[agent as usize];
        self.edges.iter().all(|&[u, v]| self.table.pair_is_null(state(u), state(v)))
    }

    /// Advances to a total of `rounds` rounds; does nothing if at least that many were already made.
    pub fn run_to(&mut self, rounds: u64) {
        while self.rounds < rounds {
            self.look(usize::MAX);
        }
    }

    /// Advances until `condition` holds, or to a total of `limit` rounds; returns whether it holds. The condition is
    /// evaluated at once and after every round.
    pub fn run_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        while !condition.holds(self.counts()) {
            if self.rounds >= limit {
                return false;
            }
            self.look(usize::MAX);
        }
        true
    }

    /// Advances until `condition` holds, to a total of `limit` rounds, or by [`AT_ONCE`] examined edges, whichever is
    /// first; returns whether the condition holds. The last edge may be within a round. The condition is evaluated at
    /// once and after every round.
    pub(in crate::uniform) fn run_some(&mut self, condition: Option<&dyn Condition>, limit: u64) -> bool {
        let mut left = AT_ONCE;
        loop {
            if condition.is_some_and(|condition| condition.holds(self.counts())) {
                return true;
            }
            if self.rounds >= limit || left == 0 {
                return false;
            }
            left -= self.look(left);
        }
    }

    /// The complete state of the run as bytes: one, two or four per edge, and one or two per agent; within a round
    /// twice as many per agent.
    pub(in crate::uniform) fn saved(&self) -> Vec<u8> {
        let mut writer = Writer::new(SavedKind::MatchedGraph, self.plan());
        writer.number(self.rounds);
        writer.number(self.agents.interactions);
        writer.indices(self.order.len(), self.order.iter().copied());
        // 0 between two rounds.
        writer.number(self.place as u64);
        let list = |writer: &mut Writer, agents: &MatchingAgents| {
            writer.indices(agents.counts.len(), agents.states.iter().map(|&state| state.into()));
        };
        list(&mut writer, &self.agents);
        if let Some(draws) = &self.draws {
            list(&mut writer, &self.next);
            writer.stream(draws);
        }
        writer.finish()
    }

    /// Continues from saved bytes of a run of this plan.
    pub(in crate::uniform) fn continue_from(&mut self, bytes: &[u8]) -> Result<(), SavedError> {
        let mut reader = SavedReader::new(bytes, SavedKind::MatchedGraph, self.plan())?;
        let (rounds, interactions) = (reader.counter()?, reader.counter()?);
        let order: Vec<u32> = reader.indices(self.edges.len(), "edges")?;
        let mut is_listed = vec![false; self.edges.len()];
        order.iter().for_each(|&edge| is_listed[edge as usize] = true);
        SavedError::unless(order.len() == is_listed.len() && !is_listed.contains(&false), "edges")?;
        let states = self.agents.counts.len();
        let list = |reader: &mut SavedReader<'_>, interactions| {
            let states_of = reader.states(states)?;
            SavedError::unless(states_of.len() == self.matched.len(), "agents")?;
            let mut counts = vec![0; states];
            states_of.iter().for_each(|&state| counts[usize::from(state)] += 1);
            Ok(MatchingAgents { states: states_of, counts, interactions })
        };
        let place = reader.index(order.len(), "rounds")?;
        let agents = list(&mut reader, interactions)?;
        // The matching is a function of the edges examined so far.
        let mut matched = vec![false; self.matched.len()];
        let mut pairs = 0;
        for &edge in &order[..place] {
            let ends = self.edges[edge as usize].map(|end| end as usize);
            if ends.iter().all(|&end| !matched[end]) {
                ends.iter().for_each(|&end| matched[end] = true);
                pairs += 1;
            }
        }
        let (next, draws) = if place > 0 {
            (list(&mut reader, interactions + pairs)?, Some(reader.stream()?))
        } else {
            (agents.clone(), None)
        };
        reader.finish()?;
        (self.order, self.matched, self.rounds, self.place) = (order, matched, rounds, place);
        (self.agents, self.next, self.draws) = (agents, next, draws);
        Ok(())
    }

    fn plan(&self) -> Digest {
        plan_digest(&(self.rules.digest(), self.seed, self.matched.len(), &self.edges), &())
    }

    /// Examines at most `most` edges of a round; returns the number of examined edges.
    fn look(&mut self, most: usize) -> usize {
        let Self { rules, seed, edges, order, matched, rounds, agents, next, .. } = self;
        let mut draws = self.draws.take().unwrap_or_else(|| {
            matched.fill(false);
            next.clone_from(agents);
            RandomDraws::new(*seed, StreamPurpose::Matchings, *rounds)
        });
        let begin = self.place;
        let end = order.len().min(begin.saturating_add(most));
        for place in begin..end {
            let other = place + draws.below((order.len() - place) as u64) as usize;
            order.swap(place, other);
            let [u, v] = edges[order[place] as usize];
            if matched[u as usize] || matched[v as usize] {
                continue;
            }
            (matched[u as usize], matched[v as usize]) = (true, true);
            let [i, j] = if draws.below(2) == 0 { [u, v] } else { [v, u] };
            let before = [next.states[i as usize], next.states[j as usize]];
            let after = rules.interact(before[0], before[1], &mut draws);
            for (agent, state) in [i, j].into_iter().zip(after) {
                next.counts[usize::from(next.states[agent as usize])] -= 1;
                next.counts[usize::from(state)] += 1;
                next.states[agent as usize] = state;
            }
            next.interactions += 1;
        }
        if end == order.len() {
            std::mem::swap(agents, next);
            *rounds += 1;
            self.place = 0;
        } else {
            (self.draws, self.place) = (Some(draws), end);
        }
        end - begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::OneWayEpidemic;

    fn ring(agents: u32) -> MatchedGraph {
        let table = Table::compile(&OneWayEpidemic).unwrap();
        let states: Vec<u16> = (0..agents).map(|agent| u16::from(agent % 10 != 0)).collect();
        let edges = (0..agents).map(|agent| [agent, (agent + 1) % agents]).collect();
        MatchedGraph::new(&table, &states, edges, 7).unwrap()
    }

    /// Regression: a round of ten million edges was one call, so an interruption took effect only after seconds.
    #[test]
    fn a_call_looks_at_few_edges_and_shows_finished_rounds_alone() {
        let agents = 5 * AT_ONCE as u32 / 2;
        let (mut parts, mut whole) = (ring(agents), ring(agents));
        for round in 0..2 {
            whole.run_to(round);
            for call in 1..=3 {
                assert_eq!((parts.rounds(), parts.interactions()), (round, whole.interactions()));
                assert_eq!((parts.states(), parts.counts()), (whole.states(), whole.counts()));
                assert!(!parts.run_some(None, round + 1));
                let looks = call * AT_ONCE as u64;
                assert_eq!(parts.looks(), round * u64::from(agents) + looks.min(agents.into()));
            }
        }
        whole.run_to(2);
        assert_eq!((parts.states(), parts.interactions()), (whole.states(), whole.interactions()));
        assert!(whole.counts()[0] < ring(agents).counts()[0], "a round that changes nothing shows nothing");
    }
}
