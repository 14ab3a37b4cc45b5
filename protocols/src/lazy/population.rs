//! A population whose states are discovered while running.

use acrasin_runtime::choice::Seeded;
use acrasin_runtime::node::NodeId;

use super::discovery::Discovery;
use crate::protocol::Protocol;
use crate::uniform::saved::{SavedError, SavedReader, Writer};
use crate::uniform_pairs::{Interaction, PopulationError, UniformPairs};

/// Agents with states of a [`Discovery`], under the sequential uniform scheduler.
///
/// A run is a function of protocol, states, edges and seed. The run does not depend on where it is stopped, or on other
/// runs on the same discovery, which only change the numbers of states. It equals the run of [`UniformPairs`] with the
/// draws of [`Seeded`] on the complete table of the protocol, if the table lists outcomes in the same order.
///
/// Cost of an interaction: one look-up if the result of the pair is remembered; otherwise a call of the protocol, and
/// the hash of its states.
#[derive(Debug)]
pub struct LazyPopulation<'a, P: Protocol> {
    discovery: &'a Discovery<'a, P>,
    pairs: UniformPairs<'a, Discovery<'a, P>>,
    choices: Seeded,
    counts: Vec<u64>,
}

/// The result of a search for an interaction that changes a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangeSearch {
    /// The interaction at this position changes a state.
    Found(u64),
    /// No interaction before this position changes a state. The search can continue here.
    Open(u64),
    /// No interaction changes a state.
    None,
}

impl<'a, P: Protocol> LazyPopulation<'a, P> {
    /// Creates agents with these states. Each agent can meet every other agent.
    ///
    /// # Errors
    ///
    /// The errors of [`UniformPairs::complete`].
    pub fn complete(
        discovery: &'a Discovery<'a, P>,
        states: &[P::State],
        seed: u64,
    ) -> Result<Self, PopulationError> {
        let pairs = UniformPairs::complete(discovery, numbered(discovery, states))?;
        Ok(Self::of(discovery, pairs, seed))
    }

    /// Creates agents with these states. Two agents may meet if they share an edge. An edge that is listed twice is
    /// chosen twice as often.
    ///
    /// # Errors
    ///
    /// The errors of [`UniformPairs::on_edges`].
    pub fn on_edges(
        discovery: &'a Discovery<'a, P>,
        states: &[P::State],
        edges: Vec<[NodeId; 2]>,
        seed: u64,
    ) -> Result<Self, PopulationError> {
        let pairs = UniformPairs::on_edges(discovery, numbered(discovery, states), edges)?;
        Ok(Self::of(discovery, pairs, seed))
    }

    /// Writes the run. Returns `None` if a discovered state cannot be derived again from earlier ones. Size: 1, 2 or 4
    /// bytes per agent, 24 per discovered state, 4 per remembered pair.
    pub(crate) fn save(&self, writer: &mut Writer) -> Option<()> {
        self.discovery.save(writer)?;
        writer.number(self.interactions());
        writer.choices(&self.choices);
        writer.indices(self.discovery.state_count(), self.pairs.states().iter().copied());
        Some(())
    }

    /// Continues a run of the same protocol, start and seed that [`save`](Self::save) wrote. `from` is the position at
    /// which [`look_for_change`](Self::look_for_change) continues.
    pub(crate) fn restore(&mut self, from: u64, mut reader: SavedReader<'_>) -> Result<(), SavedError> {
        let found = self.discovery.read(&mut reader)?;
        let interactions = reader.counter()?;
        let mut choices = self.choices.clone();
        reader.choices(&mut choices)?;
        let states: Vec<u32> = reader.indices(found.states.len(), "states")?;
        SavedError::unless(states.len() == self.pairs.states().len(), "agents")?;
        let mut counts = vec![0; found.states.len()];
        states.iter().for_each(|&state| counts[state as usize] += 1);
        SavedError::unless(from <= self.silence_places(&counts), "places")?;
        reader.finish()?;
        self.discovery.replace(found);
        self.pairs.continue_from(states, interactions);
        (self.choices, self.counts) = (choices, counts);
        Ok(())
    }

    /// The seed of the random choices.
    pub(crate) fn seed(&self) -> u64 {
        self.choices.seed()
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

    /// The number of interactions so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.pairs.interactions()
    }

    /// The number of agents in each state, by the numbers of the discovery. No agent is in a state whose number is
    /// beyond the end.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The state of each agent.
    pub fn states(&self) -> impl Iterator<Item = P::State> + '_ {
        self.pairs.states().iter().map(|&number| self.discovery.state(number))
    }

    /// The number of agents with a property. Cost: one call per discovered state.
    #[must_use]
    pub fn count(&self, property: impl Fn(P::State) -> bool) -> u64 {
        let has = |number: &u32| property(self.discovery.state(*number));
        (0_u32..)
            .zip(&self.counts)
            .filter(|(number, count)| **count > 0 && has(number))
            .map(|(_, count)| count)
            .sum()
    }

    /// Whether no interaction can change a state. Cost: [`silence_cost`](Self::silence_cost) at most; usually far less
    /// if an interaction can change a state.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.look_for_change(0, u64::MAX) == ChangeSearch::None
    }

    /// Searches for an interaction that changes a state among `places` pairs of states, or edges, from position `from`
    /// on. Positions are valid only until a state changes.
    pub(crate) fn look_for_change(&self, from: u64, places: u64) -> ChangeSearch {
        let is_null = |a: u32, b: u32| {
            let (one, other) = (self.discovery.state(a), self.discovery.state(b));
            let outcomes = self.discovery.protocol().outcomes(one, other);
            outcomes.iter().all(|&(weight, after)| weight == 0 || after == (one, other))
        };
        let end = self.silence_places(&self.counts);
        let to = from.saturating_add(places).min(end);
        let found = match self.pairs.edges() {
            None => {
                let there: Vec<(u32, u64)> =
                    (0_u32..).zip(self.counts.iter().copied()).filter(|&(_, count)| count > 0).collect();
                let states = there.len() as u64;
                (from..to).find(|place| {
                    let [(a, count), (b, _)] = [place / states, place % states].map(|at| there[at as usize]);
                    !((a == b && count == 1) || is_null(a, b))
                })
            }
            Some(edges) => (from..to).find(|&place| {
                let [a, b] = edges[place as usize].map(|end| self.pairs.states()[end.index()]);
                !(is_null(a, b) && is_null(b, a))
            }),
        };
        match found {
            Some(place) => ChangeSearch::Found(place),
            None if to == end => ChangeSearch::None,
            None => ChangeSearch::Open(to),
        }
    }

    /// The number of positions of a search: ordered pairs of present states, or edges in both directions.
    fn silence_places(&self, counts: &[u64]) -> u64 {
        let there = counts.iter().filter(|&&count| count > 0).count() as u64;
        self.pairs.edges().map_or(there * there, |edges| edges.len() as u64)
    }

    /// The number of protocol calls needed to establish silence: one per ordered pair of present states, or one per
    /// edge and direction.
    #[must_use]
    pub fn silence_cost(&self) -> u64 {
        let there = self.counts.iter().filter(|&&count| count > 0).count() as u64;
        self.pairs.edges().map_or(there * there, |edges| 2 * edges.len() as u64)
    }

    /// Advances to a total of `interactions`; does nothing if at least that many were already made.
    pub fn run_to(&mut self, interactions: u64) {
        while self.interactions() < interactions {
            self.step();
        }
    }

    /// Advances until `goal` first holds, or to a total of `limit` interactions; returns whether it holds. The goal is
    /// evaluated at once and after every interaction that changes a state.
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

    /// Like [`run_until`](Self::run_until), with a goal on the number of agents that have a property. The number is
    /// updated incrementally: four calls of `property` per interaction, not one for each state.
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

    /// Makes one interaction.
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

#[cfg(test)]
mod tests {
    use acrasin_runtime::node::NodeId;

    use super::{ChangeSearch, LazyPopulation};
    use crate::lazy::Discovery;
    use crate::protocol::Protocol;

    /// If the responder's state is the initiator's state plus this number, the initiator takes the responder's state.
    /// Other pairs do nothing.
    struct Near(u32);

    impl Protocol for Near {
        type State = u32;
        type Output = u32;

        fn transition(&self, initiator: u32, responder: u32) -> (u32, u32) {
            if initiator + self.0 == responder { (responder, responder) } else { (initiator, responder) }
        }

        fn output(&self, state: u32) -> u32 {
            state
        }
    }

    /// A search in parts finds the same position as a search over all pairs, or both find none.
    #[test]
    fn searches_in_parts_see_silence_as_a_look_at_all_pairs_does() {
        for difference in [1, 2, 5, 40] {
            let protocol = Near(difference);
            let states: Vec<u32> = (0..41).map(|agent| agent / 2 * 2).collect();
            let edges: Vec<[NodeId; 2]> = (1..41).map(|agent| [NodeId(agent), NodeId(agent / 3)]).collect();
            for on_edges in [false, true] {
                let discovery = Discovery::new(&protocol);
                let population = if on_edges {
                    LazyPopulation::on_edges(&discovery, &states, edges.clone(), 1).unwrap()
                } else {
                    LazyPopulation::complete(&discovery, &states, 1).unwrap()
                };
                let meet = |a: usize, b: usize| !on_edges || a / 3 == b || b / 3 == a;
                let changes =
                    |a: usize, b: usize| a != b && meet(a, b) && states[a] + difference == states[b];
                let is_silent = !(0..41).any(|a| (0..41).any(|b| changes(a, b)));
                for places in [1, 2, 7, 100_000] {
                    let (mut from, mut calls) = (0, 1);
                    let found = loop {
                        match population.look_for_change(from, places) {
                            ChangeSearch::Open(to) => {
                                assert_eq!(to, from + places);
                                (from, calls) = (to, calls + 1);
                            }
                            found => break found,
                        }
                    };
                    assert_eq!(found == ChangeSearch::None, is_silent, "{difference}, {on_edges}, {places}");
                    assert!(calls > 5 || places > 7 || !is_silent);
                    if let ChangeSearch::Found(place) = found {
                        assert_eq!(population.look_for_change(place, 1), found);
                    }
                }
                assert_eq!(population.is_silent(), is_silent);
            }
        }
    }
}
