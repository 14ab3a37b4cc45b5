//! [`Network`]: agents that build a network of active edges.

use acrasin_runtime::choice::Seeded;

use super::constructor::Constructor;
use super::links::Links;
use crate::uniform::saved::{SavedError, SavedReader, Writer};
use crate::uniform_pairs::{PopulationError, ordered_pair};

/// The maximum number of agents; the bits of all edges then take 64 MiB.
pub const MAX_AGENTS: usize = 1 << 15;

/// Agents on the complete graph, one bit per edge, under the sequential uniform scheduler: a uniformly random ordered
/// pair of distinct agents interacts at each step.
///
/// A run is a function of constructor, number of agents and seed. It does not depend on where it is stopped.
#[derive(Clone, Debug)]
pub struct Network<'a, P: Constructor> {
    constructor: &'a P,
    states: Vec<P::State>,
    links: Links,
    interactions: u64,
    choices: Seeded,
}

impl<'a, P: Constructor> Network<'a, P> {
    /// Creates a network with all agents in the initial state and without active edges.
    ///
    /// # Errors
    ///
    /// Fewer than 2 agents, or more than [`MAX_AGENTS`].
    pub fn new(constructor: &'a P, agents: usize, seed: u64) -> Result<Self, PopulationError> {
        if !(2..=MAX_AGENTS).contains(&agents) {
            return Err(PopulationError::WrongSize { agents });
        }
        Ok(Self {
            constructor,
            states: vec![constructor.start(); agents],
            links: Links::none(agents),
            interactions: 0,
            choices: Seeded::new(seed),
        })
    }

    /// The seed of the random choices.
    pub(crate) fn seed(&self) -> u64 {
        self.choices.seed()
    }

    /// Writes the complete state of the run, with states as indices into the list `all`. Size: one byte per agent, and
    /// one byte per eight pairs of agents.
    ///
    /// # Panics
    ///
    /// Panics if an agent has a state that is not in the list.
    pub(crate) fn save(&self, all: &[P::State], writer: &mut Writer) {
        let place =
            |state| all.iter().position(|other| other == state).expect("all states are listed") as u32;
        writer.number(self.interactions);
        writer.choices(&self.choices);
        writer.indices(all.len(), self.states.iter().map(place));
        writer.numbers(self.links.words());
    }

    /// Restores the network that [`save`](Self::save) wrote, for the same constructor and seed.
    pub(crate) fn restored(&self, all: &[P::State], mut reader: SavedReader<'_>) -> Result<Self, SavedError> {
        let agents = self.states.len();
        let interactions = reader.counter()?;
        let mut choices = self.choices.clone();
        reader.choices(&mut choices)?;
        let places: Vec<u32> = reader.indices(all.len(), "states")?;
        SavedError::unless(places.len() == agents, "agents")?;
        let links = Links::of_words(agents, reader.numbers()?).ok_or(SavedError::impossible("edges"))?;
        reader.finish()?;
        let states = places.into_iter().map(|place| all[place as usize]).collect();
        Ok(Self { constructor: self.constructor, states, links, interactions, choices })
    }

    /// The state of each agent.
    #[must_use]
    pub fn states(&self) -> &[P::State] {
        &self.states
    }

    /// The active edges of the network.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// The number of interactions so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.interactions
    }

    /// Advances to a total of `interactions`; does nothing if at least that many were already made.
    pub fn run_to(&mut self, interactions: u64) {
        while self.interactions < interactions {
            self.step();
        }
    }

    /// Advances until `goal` first holds, or to a total of `limit` interactions; returns whether it holds. The goal is
    /// evaluated at once and after every interaction that changes a state or an edge.
    pub fn run_until(&mut self, goal: impl Fn(&Self) -> bool, limit: u64) -> bool {
        let mut holds = goal(self);
        while !holds && self.interactions < limit {
            if self.step() {
                holds = goal(self);
            }
        }
        holds
    }

    /// Makes one interaction; returns whether it changed anything.
    fn step(&mut self) -> bool {
        // At most MAX_AGENTS.
        let (initiator, responder) = ordered_pair(self.states.len() as u32, &mut self.choices);
        let [one, other] = [initiator.index(), responder.index()];
        let before = (self.states[one], self.states[other], self.links.bit(one, other));
        let after = self.constructor.transition(before.0, before.1, before.2);
        self.interactions += 1;
        (self.states[one], self.states[other]) = (after.0, after.1);
        if after.2 != before.2 {
            self.links.turn(one, other);
        }
        before != after
    }

    /// Whether no interaction can change a state or an edge. Cost: one step per agent, per active edge, and per ordered
    /// pair of present states.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let mut present: Vec<(P::State, u64)> = Vec::new();
        let mut class = Vec::with_capacity(self.states.len());
        for &state in &self.states {
            let known = present.iter().position(|&(other, _)| other == state);
            let known = known.unwrap_or_else(|| {
                present.push((state, 0));
                present.len() - 1
            });
            present[known].1 += 1;
            class.push(known);
        }
        let states = present.len();
        // The number of active edges between two states, the smaller number first.
        let mut active = vec![0_u64; states * states];
        for ends in self.links.active() {
            let [a, b] = ends.map(|end| class[end]);
            active[a.min(b) * states + a.max(b)] += 1;
        }
        let is_null = |a: usize, b: usize, is_active: bool| {
            let before = (present[a].0, present[b].0, is_active);
            self.constructor.transition(before.0, before.1, before.2) == before
        };
        (0..states).all(|a| {
            (a..states).all(|b| {
                let pairs =
                    if a == b { present[a].1 * (present[a].1 - 1) / 2 } else { present[a].1 * present[b].1 };
                let active = active[a * states + b];
                let is_null = |is_active| is_null(a, b, is_active) && is_null(b, a, is_active);
                (active == 0 || is_null(true)) && (active == pairs || is_null(false))
            })
        })
    }

    /// Whether no interaction changes an edge in this configuration. Interactions may still change the states of
    /// agents. Cost: one step per ordered pair of agents.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        let agents = 0..self.states.len();
        agents.clone().all(|one| {
            agents.clone().filter(|&other| other != one).all(|other| {
                let active = self.links.bit(one, other);
                self.constructor.transition(self.states[one], self.states[other], active).2 == active
            })
        })
    }
}
