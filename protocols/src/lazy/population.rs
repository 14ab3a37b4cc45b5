//! A population whose states are found on the way.

use acrasin_runtime::choice::Seeded;
use acrasin_runtime::node::NodeId;

use super::discovery::Discovery;
use crate::protocol::Protocol;
use crate::uniform_pairs::{Interaction, PopulationError, UniformPairs};

/// Agents with states of a [`Discovery`], under the sequential uniform scheduler.
///
/// A run is a function of protocol, states, edges and seed, whatever it is stopped at on the way and whatever else ran on the same
/// discovery (the numbers of states may differ then, the states do not). It is the run of [`UniformPairs`] with the
/// draws of [`Seeded`]: with the complete table of a protocol, where one fits and outcomes are listed in the order of
/// its states, it comes to the same states.
///
/// Cost: one look-up an interaction of a pair that is remembered; otherwise a call of the protocol, and of its hash.
#[derive(Debug)]
pub struct Population<'a, P: Protocol> {
    discovery: &'a Discovery<'a, P>,
    pairs: UniformPairs<'a, Discovery<'a, P>>,
    choices: Seeded,
    counts: Vec<u64>,
}

impl<'a, P: Protocol> Population<'a, P> {
    /// Everybody may meet everybody; one state an agent.
    ///
    /// # Errors
    ///
    /// Those of [`UniformPairs::complete`].
    pub fn complete(
        discovery: &'a Discovery<'a, P>,
        states: &[P::State],
        seed: u64,
    ) -> Result<Self, PopulationError> {
        let pairs = UniformPairs::complete(discovery, numbered(discovery, states))?;
        Ok(Self::of(discovery, pairs, seed))
    }

    /// Two agents may meet if they share an edge. An edge that is listed twice is chosen twice as often.
    ///
    /// # Errors
    ///
    /// Those of [`UniformPairs::on_edges`].
    pub fn on_edges(
        discovery: &'a Discovery<'a, P>,
        states: &[P::State],
        edges: Vec<[NodeId; 2]>,
        seed: u64,
    ) -> Result<Self, PopulationError> {
        let pairs = UniformPairs::on_edges(discovery, numbered(discovery, states), edges)?;
        Ok(Self::of(discovery, pairs, seed))
    }

    fn of(discovery: &'a Discovery<'a, P>, pairs: UniformPairs<'a, Discovery<'a, P>>, seed: u64) -> Self {
        let mut population = Self { discovery, pairs, choices: Seeded::new(seed), counts: Vec::new() };
        for place in 0..population.pairs.states().len() {
            let state = population.pairs.states()[place];
            *population.count_of(state) += 1;
        }
        population
    }

    fn count_of(&mut self, state: u32) -> &mut u64 {
        let place = state as usize;
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        &mut self.counts[place]
    }

    /// How many interactions there were.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.pairs.interactions()
    }

    /// How many agents are in each state, by the numbers of the discovery. States with numbers past the end have none.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The state of each agent.
    pub fn states(&self) -> impl Iterator<Item = P::State> + '_ {
        self.pairs.states().iter().map(|&number| self.discovery.state(number))
    }

    /// How many agents have a property. Cost: one call a state that was met.
    #[must_use]
    pub fn count(&self, property: impl Fn(P::State) -> bool) -> u64 {
        let has = |number: &u32| property(self.discovery.state(*number));
        (0_u32..)
            .zip(&self.counts)
            .filter(|(number, count)| **count > 0 && has(number))
            .map(|(_, count)| count)
            .sum()
    }

    /// Whether no interaction changes a state any more. Cost: see [`silence_cost`](Self::silence_cost); far less where one does.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let is_null = |a: u32, b: u32| {
            let (one, other) = (self.discovery.state(a), self.discovery.state(b));
            let outcomes = self.discovery.protocol().outcomes(one, other);
            outcomes.iter().all(|&(weight, after)| weight == 0 || after == (one, other))
        };
        let Some(edges) = self.pairs.edges() else {
            let there = (0_u32..).zip(&self.counts).filter(|&(_, &count)| count > 0);
            let mut pairs = there.clone().flat_map(|one| there.clone().map(move |other| (one, other)));
            return pairs.all(|((a, &count), (b, _))| (a == b && count == 1) || is_null(a, b));
        };
        edges.iter().all(|edge| {
            let [a, b] = edge.map(|end| self.pairs.states()[end.index()]);
            is_null(a, b) && is_null(b, a)
        })
    }

    /// Calls of the protocol to see that no interaction changes a state: ordered pairs of states, or edges in both directions.
    #[must_use]
    pub fn silence_cost(&self) -> u64 {
        let there = self.counts.iter().filter(|&&count| count > 0).count() as u64;
        self.pairs.edges().map_or(there * there, |edges| 2 * edges.len() as u64)
    }

    /// Goes on until there were `interactions` in all. Nothing happens if there were as many.
    pub fn run_to(&mut self, interactions: u64) {
        while self.interactions() < interactions {
            self.step();
        }
    }

    /// Goes on until `goal` holds for the first time, but at most until there were `limit` interactions in all; tells whether
    /// it holds. It is asked now and after every interaction that changes a state.
    pub fn run_until(&mut self, goal: impl Fn(&Self) -> bool, limit: u64) -> bool {
        let mut holds = goal(self);
        while !holds && self.interactions() < limit {
            let interaction = self.step();
            if interaction.before != interaction.after {
                holds = goal(self);
            }
        }
        holds
    }

    /// [`run_until`](Self::run_until), with a goal about how many agents have a property, which is counted on the way: that costs
    /// four calls of `property` an interaction, not one a state.
    pub fn run_until_count(
        &mut self,
        property: impl Fn(P::State) -> bool,
        goal: impl Fn(u64) -> bool,
        limit: u64,
    ) -> bool {
        let mut count = self.count(&property);
        while !goal(count) {
            if self.interactions() >= limit {
                return false;
            }
            let Interaction { before, after, .. } = self.step();
            let has = |number| u64::from(property(self.discovery.state(number)));
            count = count + has(after.0) + has(after.1) - has(before.0) - has(before.1);
        }
        true
    }

    /// One interaction.
    pub fn step(&mut self) -> Interaction<u32> {
        let interaction = self.pairs.step(&mut self.choices);
        let Interaction { before, after, .. } = interaction;
        if before != after {
            for state in [before.0, before.1] {
                *self.count_of(state) -= 1;
            }
            for state in [after.0, after.1] {
                *self.count_of(state) += 1;
            }
        }
        interaction
    }
}

fn numbered<P: Protocol>(discovery: &Discovery<'_, P>, states: &[P::State]) -> Vec<u32> {
    states.iter().map(|&state| discovery.number(state)).collect()
}
