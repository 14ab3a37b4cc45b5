//! Rates of nodes and edges that change with the counts of the graph or with time.
//!
//! All nodes in a state react at the same rate. All edges between two states react at the same rate times their
//! weights. So a reaction of rate f has the total propensity f · W. Here W is the number of nodes at which it can
//! happen, or the sum of the weights of such edges. W is updated by every reaction. The rate f is computed after each
//! reaction, or bounded over a window of time.

use super::expression::{EvaluationPoint, Expression};
use super::interval::Interval;
use super::propensity::Propensities;
use super::schedule::{MAX_PROPENSITY, VesselFault};
use crate::uniform::InitiatorEnd;

/// The value of `volume` in expressions on a graph, which has no volume.
const VOLUME: f64 = 1.0;

/// A reaction of a single node, or of two neighbours.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NodeReaction {
    /// A node in the first state changes to the second state at this rate, independent of its degree.
    Alone {
        /// The states of the node before and after.
        states: [u16; 2],
        /// The rate of each node in the state; 1 if it is an expression of counts or time.
        rate: f64,
    },
    /// Two neighbours change at this rate along each edge between them.
    Pair {
        /// The states of initiator and responder before.
        from: [u16; 2],
        /// The states of both afterwards, in the same order.
        to: [u16; 2],
        /// The rate of each edge of weight 1; 1 if it is an expression of counts or time.
        rate: f64,
    },
}

impl NodeReaction {
    /// Whether the reaction changes a state.
    pub(super) fn changes(&self) -> bool {
        match self {
            Self::Alone { states: [from, to], .. } => from != to,
            Self::Pair { from, to, .. } => from != to,
        }
    }
}

/// A reaction whose rate depends on counts or time.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct VaryingRate {
    /// The number of the reaction among all reactions.
    pub(super) reaction: usize,
    /// The rate of a node, or of an edge of weight 1.
    pub(super) rate: Expression,
}

/// The nodes or edges at which a reaction can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReactionPlaces {
    Nodes(u16),
    /// The edges whose ends are in these states of initiator and responder.
    Edges([u16; 2]),
}

impl ReactionPlaces {
    pub(super) fn of(reaction: &NodeReaction) -> Self {
        match *reaction {
            NodeReaction::Alone { states: [from, _], .. } => Self::Nodes(from),
            NodeReaction::Pair { from, .. } => Self::Edges(from),
        }
    }

    /// 1 if the reaction can happen along an edge between nodes in these states, otherwise 0.
    pub(super) fn edge(self, states: [u16; 2], direction: InitiatorEnd) -> f64 {
        let Self::Edges([a, b]) = self else { return 0.0 };
        let is_back = direction == InitiatorEnd::Either && states == [b, a];
        if states == [a, b] || is_back { 1.0 } else { 0.0 }
    }

    pub(super) fn node(self, state: u16) -> f64 {
        if self == Self::Nodes(state) { 1.0 } else { 0.0 }
    }
}

/// The reactions of varying rate, and the nodes or edges at which they can happen.
#[derive(Clone, Debug)]
pub(super) struct Varying {
    rates: Vec<VaryingRate>,
    /// For each rate, the index of the set of nodes or edges where its reaction can happen.
    place: Vec<usize>,
    pub(super) places: Vec<(ReactionPlaces, Propensities)>,
    /// The propensities of the rates that do not depend on time; 0 for the other rates.
    pub(super) steady: Propensities,
    /// The indices of the rates that depend on time.
    timed: Vec<u32>,
}

/// The distinct sets of nodes or edges at which the reactions of varying rate happen.
pub(super) fn places(reactions: &[NodeReaction], rates: &[VaryingRate]) -> Vec<ReactionPlaces> {
    let mut places = Vec::new();
    for rate in rates {
        let place = ReactionPlaces::of(&reactions[rate.reaction]);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

impl Varying {
    /// Creates the reactions of varying rate among `reactions`. The weights of all nodes and edges are initially 0.
    pub(super) fn new(
        (reactions, rates): (&[NodeReaction], &[VaryingRate]),
        nodes: usize,
        edges: usize,
    ) -> Self {
        let rates = rates.to_vec();
        let all = places(reactions, &rates);
        let of = |rate: &VaryingRate| {
            let place = ReactionPlaces::of(&reactions[rate.reaction]);
            all.iter().position(|&other| other == place).expect("each place is listed")
        };
        let timed = (0..).zip(&rates).filter(|(_, rate)| rate.rate.depends_on_time()).map(|(index, _)| index);
        Self {
            place: rates.iter().map(of).collect(),
            steady: Propensities::new(rates.len()),
            timed: timed.collect(),
            places: all
                .iter()
                .map(|&place| {
                    let count = if matches!(place, ReactionPlaces::Nodes(_)) { nodes } else { edges };
                    (place, Propensities::new(count))
                })
                .collect(),
            rates,
        }
    }

    pub(super) fn timed(&self) -> Vec<u32> {
        self.timed.clone()
    }

    pub(super) fn reaction(&self, index: usize) -> usize {
        self.rates[index].reaction
    }

    /// For the rate at this index, the weight of each node or edge at which its reaction can happen. Their sum times
    /// the value of the rate is the propensity of the reaction on the whole graph.
    pub(super) fn weights(&self, index: usize) -> &Propensities {
        &self.places[self.place[index]].1
    }

    /// The propensity of the reaction at a time, or the fault of its rate.
    pub(super) fn checked(&self, index: usize, counts: &[u64], time: f64) -> Result<f64, VesselFault> {
        let weight = self.weights(index).total();
        // Without a place the reaction cannot happen, whatever the value of the expression.
        if weight == 0.0 {
            return Ok(0.0);
        }
        let count = |species: u16| counts[usize::from(species)] as f64;
        let value = weight * self.rates[index].rate.evaluate(count, EvaluationPoint { time, volume: VOLUME });
        if (0.0..=MAX_PROPENSITY).contains(&value) {
            return Ok(value);
        }
        Err(VesselFault::Rate { reaction: self.reaction(index), value })
    }

    /// An upper bound of the propensity over a period of time, 0 or above.
    pub(super) fn bound(&self, index: usize, counts: &[u64], time: Interval) -> f64 {
        let weight = self.weights(index).total();
        if weight == 0.0 {
            return 0.0;
        }
        (weight * self.rates[index].rate.bounds(counts, time, VOLUME).high).max(0.0)
    }

    /// Whether the propensity is certainly 0 over a period of time, and not negative.
    pub(super) fn stays_null(&self, index: usize, counts: &[u64], time: Interval) -> bool {
        let bounds = self.rates[index].rate.bounds(counts, time, VOLUME);
        self.weights(index).total() == 0.0 || bounds.low >= 0.0 && bounds.high <= 0.0
    }

    /// Computes the propensities that do not depend on time.
    pub(super) fn refresh_steady(&mut self, counts: &[u64]) -> Result<(), VesselFault> {
        for index in 0..self.rates.len() {
            if !self.rates[index].rate.depends_on_time() {
                let value = self.checked(index, counts, 0.0)?;
                self.steady.set(index, value);
            }
        }
        Ok(())
    }
}
