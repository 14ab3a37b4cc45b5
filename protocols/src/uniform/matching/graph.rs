//! A maximal matching of a graph in each round.

use super::super::draws::{Draws, Purpose};
use super::super::error::SizeError;
use super::super::rules::Rules;
use crate::table::Table;
use acrasin_process::Condition;

/// Agents on a graph that interact in rounds: in each, the edges are looked at in uniformly random order, and the ends of an edge are
/// matched if neither is yet. All pairs interact at the same time, each in a random direction.
///
/// The matching is maximal: of two agents that share an edge one is matched at least. Time is counted in rounds. A run is a function of
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
    rules: Rules,
    seed: u64,
    states: Vec<u16>,
    counts: Vec<u64>,
    edges: Vec<[u32; 2]>,
    /// The order of the last round, from which that of the next is shuffled.
    order: Vec<u32>,
    matched: Vec<bool>,
    rounds: u64,
    interactions: u64,
}

impl MatchedGraph {
    /// A population with these states on the graph with these edges.
    ///
    /// # Errors
    ///
    /// Fewer than 2 agents, or more than 2^32; no edge, more than 2^32, or one that joins an agent to itself or to no agent.
    ///
    /// # Panics
    ///
    /// Panics if a state is not of the table.
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
        Ok(Self {
            table: table.clone(),
            rules: Rules::new(table),
            seed,
            states: states.to_vec(),
            counts,
            order: (0..edges.len() as u64).map(|edge| edge as u32).collect(),
            edges,
            matched: vec![false; agents],
            rounds: 0,
            interactions: 0,
        })
    }

    /// How many rounds there were.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// How many interactions there were.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.interactions
    }

    /// How many agents are in each state.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The state of each agent.
    #[must_use]
    pub fn states(&self) -> &[u16] {
        &self.states
    }

    /// How many edges there are.
    #[must_use]
    pub fn edge_count(&self) -> u64 {
        self.edges.len() as u64
    }

    /// Whether no interaction along an edge changes anything any more.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let state = |agent: u32| self.states[agent as usize];
        self.edges.iter().all(|&[u, v]| self.table.pair_is_null(state(u), state(v)))
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
        self.matched.fill(false);
        for place in 0..self.order.len() {
            let other = place + draws.below((self.order.len() - place) as u64) as usize;
            self.order.swap(place, other);
            let [u, v] = self.edges[self.order[place] as usize];
            if self.matched[u as usize] || self.matched[v as usize] {
                continue;
            }
            (self.matched[u as usize], self.matched[v as usize]) = (true, true);
            let [i, j] = if draws.below(2) == 0 { [u, v] } else { [v, u] };
            let before = [self.states[i as usize], self.states[j as usize]];
            let after = self.rules.interact(before[0], before[1], &mut draws);
            for (agent, state) in [i, j].into_iter().zip(after) {
                self.counts[usize::from(self.states[agent as usize])] -= 1;
                self.counts[usize::from(state)] += 1;
                self.states[agent as usize] = state;
            }
            self.interactions += 1;
        }
        self.rounds += 1;
    }
}
