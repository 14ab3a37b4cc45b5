//! Reactions of nodes with their neighbours, and spontaneous changes of nodes, in continuous time.

use std::collections::BTreeMap;

use super::clock::CompensatedTime;
use super::error::{ReactionError, SCALES, VesselError, shown};
use super::expression::{EvaluationPoint, Expression};
use super::expression_text::check_parameters;
use super::gillespie::{RunEnd, StopReason};
use super::network::{MAX_REACTIONS, Rate, WrittenRate, WrittenReaction, numbered, read_both, read_side};
use super::propensity::Propensities;
use super::schedule::{GraphEvent, TimedParts, VesselFault};
use super::text::Term;
use super::timed::TimedProcess as _;
use super::varying::{NodeReaction, ReactionPlaces, Varying, VaryingRate, places};
use crate::uniform::InitiatorEnd;
use crate::uniform::draws::{RandomDraws, StreamPurpose};
use crate::uniform::saved::{SavedError, SavedKind, SavedReader, Writer, plan_digest};
use acrasin_runtime::Digest;

/// The maximum number of states of nodes. It is limited because there is a table over all pairs of states.
pub const MAX_NODE_STATES: usize = 1024;

/// Reactions that keep the number of nodes: `A -> B` and `A + B -> C + D`, each with its rate.
///
/// The first product is the new state of the first reactant, the second that of the second reactant.
///
/// ```
/// use acrasin_protocols::reactions::{GraphRules, NodeReaction};
///
/// let sir = GraphRules::new(&["S", "I", "R"], &[("S + I -> I + I", 2.0), ("I -> R", 1.0)])?;
/// assert_eq!(sir.reactions()[1], NodeReaction::Alone { states: [1, 2], rate: 1.0 });
/// # Ok::<(), acrasin_protocols::reactions::ReactionError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GraphRules {
    species: Vec<String>,
    reactions: Vec<NodeReaction>,
    /// The reactions whose rates change with counts or time; all others are in the tables.
    varying: Vec<VaryingRate>,
    /// For each state: the next states, each with its rate.
    alone: Vec<NextStates<u16>>,
    /// For each pair of initiator and responder: 1 plus the index in `pairs`, or 0 if the two states do not react.
    index: Vec<u32>,
    pairs: Vec<NextStates<[u16; 2]>>,
}

/// The possible next states, each with its rate, and the sum of the rates.
#[derive(Clone, PartialEq, Debug)]
struct NextStates<T> {
    outcomes: Vec<(T, f64)>,
    total: f64,
}

impl<T: Copy> NextStates<T> {
    const NONE: Self = Self { outcomes: Vec::new(), total: 0.0 };

    fn push(&mut self, outcome: T, rate: f64) {
        if rate > 0.0 {
            self.outcomes.push((outcome, rate));
            self.total += rate;
        }
    }

    /// The outcome selected by a ticket from 0 to the total.
    fn pick(&self, mut ticket: f64) -> T {
        let last = self.outcomes.len() - 1;
        for &(outcome, rate) in &self.outcomes[..last] {
            if ticket < rate {
                return outcome;
            }
            ticket -= rate;
        }
        self.outcomes[last].0
    }
}

impl GraphRules {
    /// Parses reactions that are written as `A + B -> C + D` or `A -> B`, each with its rate.
    ///
    /// # Errors
    ///
    /// The faults that [`ReactionNetwork::new`](super::ReactionNetwork::new) refuses; a reaction that does not have one
    /// reactant and one product, or two of each; more than [`MAX_NODE_STATES`] species.
    pub fn new<S: AsRef<str>, T: AsRef<str>>(
        species: &[S],
        reactions: &[(T, f64)],
    ) -> Result<Self, ReactionError> {
        let written = reactions.iter().map(|(text, rate)| WrittenReaction {
            text: text.as_ref(),
            rate: WrittenRate::Constant(*rate),
            reverse: None,
        });
        Self::with_rates(species, &[] as &[(&str, f64)], &written.collect::<Vec<_>>())
    }

    /// Parses reactions that may be reversible. Their rates may be expressions of parameters, of the counts of the
    /// whole graph, and of time. Such a rate applies to each node or edge.
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new) and of [`ReactionNetwork::with_rates`](super::ReactionNetwork::with_rates); a
    /// rate that is written as a propensity.
    pub fn with_rates<S: AsRef<str>, P: AsRef<str>>(
        species: &[S],
        parameters: &[(P, f64)],
        written: &[WrittenReaction<'_>],
    ) -> Result<Self, ReactionError> {
        let names: Vec<String> = species.iter().map(|name| name.as_ref().to_owned()).collect();
        let numbers = numbered(&names)?;
        check_parameters(parameters, &names)?;
        let side = |terms: &[Term<'_>]| -> Result<Vec<u16>, ReactionError> {
            let side = read_side(terms, &numbers, &names)?;
            // Three are enough to exceed the limit of two.
            Ok(side.into_iter().flat_map(|(state, times)| (0..times.min(3)).map(move |_| state)).collect())
        };
        let (mut reactions, mut varying) = (Vec::new(), Vec::new());
        for (index, one) in written.iter().enumerate() {
            let read = read_both(one, &names, parameters, |before, after, rate| {
                let rate = match node_rate(rate)? {
                    NodeRate::Constant(rate) => rate,
                    NodeRate::Varying(rate) => {
                        varying.push(VaryingRate { reaction: reactions.len(), rate });
                        1.0
                    }
                };
                reactions.push(match (&side(before)?[..], &side(after)?[..]) {
                    (&[from], &[to]) => NodeReaction::Alone { states: [from, to], rate },
                    (&[a, b], &[c, d]) => NodeReaction::Pair { from: [a, b], to: [c, d], rate },
                    (from, to) => {
                        let message = format!("{} become {}", nodes(from.len()), nodes(to.len()));
                        let accepted =
                            "on a graph nodes change state, and no node is added or removed: A -> B, A + B -> C + D";
                        return Err(ReactionError::new(message, accepted).at_column(1));
                    }
                });
                Ok(())
            });
            read.map_err(|error| error.of_reaction(index))?;
        }
        Self::of_rates(&names, &reactions, varying)
    }

    /// Creates the rules from reactions whose states are given by their numbers.
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new) that can occur without text.
    ///
    /// # Panics
    ///
    /// If a reaction has a state that is not the number of a species.
    pub fn of<S: AsRef<str>>(species: &[S], reactions: &[NodeReaction]) -> Result<Self, ReactionError> {
        Self::of_rates(species, reactions, Vec::new())
    }

    fn of_rates<S: AsRef<str>>(
        species: &[S],
        reactions: &[NodeReaction],
        mut varying: Vec<VaryingRate>,
    ) -> Result<Self, ReactionError> {
        let names: Vec<String> = species.iter().map(|name| name.as_ref().to_owned()).collect();
        numbered(&names)?;
        let states = names.len();
        if states > MAX_NODE_STATES {
            let message = format!("nodes have {states} states");
            return Err(ReactionError::new(message, format!("at most {MAX_NODE_STATES} on a graph")));
        }
        if reactions.len() > MAX_REACTIONS {
            let message = format!("there are {} reactions", reactions.len());
            return Err(ReactionError::new(message, format!("at most {MAX_REACTIONS}")));
        }
        let mut alone = vec![NextStates::NONE; states];
        let mut pairs: BTreeMap<[u16; 2], NextStates<[u16; 2]>> = BTreeMap::new();
        for (index, reaction) in reactions.iter().enumerate() {
            let (NodeReaction::Alone { rate, .. } | NodeReaction::Pair { rate, .. }) = *reaction;
            if !(0.0..=f64::MAX).contains(&rate) {
                let message = format!("the rate of a reaction is {rate}");
                let error = ReactionError::new(message, "a finite number, 0 or above");
                return Err(error.of_rate().of_reaction(index));
            }
            let is_steady = reaction.changes() && varying.iter().all(|rate| rate.reaction != index);
            match *reaction {
                NodeReaction::Alone { states: [from, to], .. } => {
                    assert!(
                        usize::from(from.max(to)) < states,
                        "a state of a node is the number of a species"
                    );
                    if is_steady {
                        alone[usize::from(from)].push(to, rate);
                    }
                }
                NodeReaction::Pair { from, to, .. } => {
                    let highest = from.into_iter().chain(to).max().unwrap_or(0);
                    assert!(usize::from(highest) < states, "a state of a node is the number of a species");
                    if is_steady {
                        pairs.entry(from).or_insert(NextStates::NONE).push(to, rate);
                    }
                }
            }
        }
        let mut index = vec![0; states * states];
        for (place, [a, b]) in pairs.keys().enumerate() {
            index[usize::from(*a) * states + usize::from(*b)] = place as u32 + 1;
        }
        let pairs = pairs.into_values().collect();
        varying.retain(|rate| reactions[rate.reaction].changes());
        Ok(Self { species: names, reactions: reactions.to_vec(), varying, alone, index, pairs })
    }

    /// The names of the states, by number.
    #[must_use]
    pub fn species(&self) -> &[String] {
        &self.species
    }

    /// The reactions, in the order in which they were given.
    #[must_use]
    pub fn reactions(&self) -> &[NodeReaction] {
        &self.reactions
    }

    /// The expression of the rate of a reaction, if it changes with counts or time.
    #[must_use]
    pub fn varying_rate(&self, reaction: usize) -> Option<&Expression> {
        self.varying.iter().find(|rate| rate.reaction == reaction).map(|rate| &rate.rate)
    }

    /// The numbers of distinct sets of nodes, and of edges, for which a run stores weights because of varying rates.
    /// Each set takes 16 to 32 bytes per node or edge.
    #[must_use]
    pub fn varying_places(&self) -> [usize; 2] {
        let all = places(&self.reactions, &self.varying);
        let nodes = all.iter().filter(|place| matches!(place, ReactionPlaces::Nodes(_))).count();
        [nodes, all.len() - nodes]
    }

    fn pair(&self, initiator: u16, responder: u16) -> Option<&NextStates<[u16; 2]>> {
        let place = self.index[usize::from(initiator) * self.species.len() + usize::from(responder)];
        place.checked_sub(1).map(|place| &self.pairs[place as usize])
    }

    fn pair_rate(&self, initiator: u16, responder: u16) -> f64 {
        self.pair(initiator, responder).map_or(0.0, |choice| choice.total)
    }

    /// The largest total rate of a single node, and of an edge of weight 1.
    fn fastest(&self) -> [f64; 2] {
        let alone = self.alone.iter().map(|choice| choice.total).fold(0.0, f64::max);
        let pair = self.pairs.iter().map(|choice| choice.total).fold(0.0, f64::max);
        [alone, 2.0 * pair]
    }

    /// The smallest total rate above 0 of a single node, and of an edge of weight 1; infinite if there is none.
    fn slowest(&self) -> [f64; 2] {
        let alone = self.alone.iter().flat_map(|choice| &choice.outcomes).map(|&(_, rate)| rate);
        let pair = self.pairs.iter().flat_map(|choice| &choice.outcomes).map(|&(_, rate)| rate);
        [alone.fold(f64::INFINITY, f64::min), pair.fold(f64::INFINITY, f64::min)]
    }
}

/// The rate of a node or an edge.
enum NodeRate {
    Constant(f64),
    Varying(Expression),
}

fn node_rate(rate: Rate) -> Result<NodeRate, ReactionError> {
    match rate {
        Rate::Constant(rate) => Ok(NodeRate::Constant(rate)),
        Rate::MassAction(expression) if expression.species().is_empty() && !expression.depends_on_time() => {
            let rate = expression.value(&[], EvaluationPoint { time: 0.0, volume: 1.0 });
            if (0.0..=f64::MAX).contains(&rate) {
                return Ok(NodeRate::Constant(rate));
            }
            let message = format!("the rate {} is {rate}", shown(expression.text()));
            Err(ReactionError::new(message, "a finite number, 0 or above").of_rate().at_column(1))
        }
        Rate::MassAction(expression) => Ok(NodeRate::Varying(expression)),
        Rate::Propensity(expression) => {
            let message = format!(
                "{} in quotes without MassAction is the propensity of a whole vessel, which does not say how often each node or edge reacts",
                shown(expression.text())
            );
            let accepted = "the rate of a node or an edge, as a number or as MassAction(\"...\"); its expression may use \
                            parameters, counts and time";
            Err(ReactionError::new(message, accepted).of_rate().at_column(1))
        }
    }
}

fn nodes(count: usize) -> String {
    match count {
        0 => "no nodes".to_owned(),
        1 => "1 node".to_owned(),
        3.. => "3 nodes or more".to_owned(),
        count => format!("{count} nodes"),
    }
}

/// The edges along which neighbours react.
#[derive(Clone, Copy, Debug)]
pub struct GraphEdges<'a> {
    /// The ends of each edge. An edge that is listed several times counts as several edges.
    pub ends: &'a [[u32; 2]],
    /// The weight of each edge, by which rates along it are multiplied; `None` if all weights are 1.
    pub weights: Option<&'a [f64]>,
    /// Whether only the first end can be the initiator.
    pub direction: InitiatorEnd,
}

impl GraphEdges<'_> {
    /// Checks that these rules can run on this number of nodes.
    ///
    /// # Errors
    ///
    /// The ends of an edge are not two different nodes, or weights are negative, not finite, or not one per edge. Or
    /// the sum of the rates exceeds the range of floating point, or a rate is too small.
    pub fn check(&self, rules: &GraphRules, nodes: usize) -> Result<(), VesselError> {
        let nodes = u32::try_from(nodes).map_err(|_| VesselError::TooLarge)?;
        u32::try_from(self.ends.len()).map_err(|_| VesselError::TooLarge)?;
        if let Some(edge) = self.ends.iter().position(|&[u, v]| u == v || u.max(v) >= nodes) {
            return Err(VesselError::WrongEdge { edge, ends: self.ends[edge] });
        }
        let total = match self.weights {
            None => self.ends.len() as f64,
            Some(weights) if weights.len() != self.ends.len() => {
                return Err(VesselError::WrongWeights { given: weights.len(), edges: self.ends.len() });
            }
            Some(weights) => {
                let is_wrong = |weight: &f64| !(0.0..=f64::MAX).contains(weight);
                if let Some(edge) = weights.iter().position(is_wrong) {
                    return Err(VesselError::WrongWeight { edge, weight: weights[edge] });
                }
                weights.iter().sum()
            }
        };
        let [alone, pair] = rules.fastest();
        // Rounding of partial sums adds far less than a factor of two.
        if !(2.0 * (alone * f64::from(nodes) + pair * total)).is_finite() || total.is_infinite() {
            return Err(VesselError::TooFast);
        }
        let [alone, pair] = rules.slowest();
        if alone < *SCALES.start() {
            return Err(VesselError::NodeRate { rate: alone });
        }
        let weights = self.weights.unwrap_or(if self.ends.is_empty() { &[] } else { &[1.0] });
        let lost = |&weight: &f64| weight > 0.0 && weight * pair < *SCALES.start();
        match weights.iter().position(lost) {
            Some(edge) => Err(VesselError::EdgeRate { edge, weight: weights[edge], rate: pair }),
            None => Ok(()),
        }
    }
}

/// The nodes of a graph, which react in continuous time.
///
/// A node changes alone at the rate of its reaction, independent of its degree. Two neighbours react along each edge
/// between them, at the rate of their reaction times the weight of the edge. With [`InitiatorEnd::Either`] an edge
/// reacts like one pair of molecules: `A + B` fires whichever end is in A. For `A + A` each end is the first reactant
/// with probability 1/2. With [`InitiatorEnd::FirstInitiates`] the first end of the edge is the first reactant.
///
/// Exact: Gillespie's direct method on nodes and edges, with thinning for rates that depend on time. Cost of a
/// reaction: one evaluation of each rate that is an expression, and for each edge of the changed nodes the logarithm of
/// the number of nodes and edges. A run is a function of rules, graph, states, events and seed. It does not depend on
/// where it is stopped.
///
/// ```
/// use acrasin_protocols::reactions::{GraphEdges, GraphRules, GraphVessel, RunEnd};
/// use acrasin_protocols::uniform::InitiatorEnd;
///
/// let sir = GraphRules::new(&["S", "I", "R"], &[("S + I -> I + I", 2.0), ("I -> R", 1.0)])?;
/// let path = GraphEdges { ends: &[[0, 1], [1, 2]], weights: None, direction: InitiatorEnd::Either };
/// let mut vessel = GraphVessel::new(&sir, path, &[1, 0, 0], 7)?;
/// vessel.run(&RunEnd::time(100.0));
/// assert!(vessel.is_silent() && vessel.states()[0] == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphVessel {
    rules: GraphRules,
    pub(super) ends: Vec<[u32; 2]>,
    weights: Option<Vec<f64>>,
    direction: InitiatorEnd,
    seed: u64,
    /// The edges of node `u` are `incident[first[u]..first[u + 1]]`.
    first: Vec<usize>,
    incident: Vec<u32>,
    pub(super) states: Vec<u16>,
    pub(super) counts: Vec<u64>,
    /// Propensities of reactions of constant rate: of single nodes first, then of edges.
    propensities: Propensities,
    pub(super) varying: Varying,
    pub(super) timed: TimedParts,
    pub(super) events: Vec<GraphEvent>,
    pub(super) fault: Option<VesselFault>,
    pub(super) clock: CompensatedTime,
    pub(super) reactions: u64,
    /// The time of the next reaction, if it has been drawn.
    pub(super) next: Option<CompensatedTime>,
    pub(super) draws: RandomDraws,
}

impl GraphVessel {
    /// Creates nodes with these states, by number, at time 0.
    ///
    /// # Errors
    ///
    /// A state that is not the number of a species, or an error of [`GraphEdges::check`].
    pub fn new(
        rules: &GraphRules,
        edges: GraphEdges<'_>,
        states: &[u16],
        seed: u64,
    ) -> Result<Self, VesselError> {
        let mut counts = vec![0; rules.species.len()];
        for (node, &state) in states.iter().enumerate() {
            let count = counts.get_mut(usize::from(state)).ok_or(VesselError::WrongState { node, state })?;
            *count += 1;
        }
        edges.check(rules, states.len())?;
        let mut first = vec![0; states.len() + 1];
        edges.ends.iter().flatten().for_each(|&end| first[end as usize + 1] += 1);
        for node in 0..states.len() {
            first[node + 1] += first[node];
        }
        let mut free = first.clone();
        let mut incident = vec![0; 2 * edges.ends.len()];
        for (edge, ends) in edges.ends.iter().enumerate() {
            for &end in ends {
                incident[free[end as usize]] = edge as u32;
                free[end as usize] += 1;
            }
        }
        let varying = Varying::new((&rules.reactions, &rules.varying), states.len(), edges.ends.len());
        let mut vessel = Self {
            rules: rules.clone(),
            ends: edges.ends.to_vec(),
            weights: edges.weights.map(<[f64]>::to_vec),
            direction: edges.direction,
            seed,
            first,
            incident,
            states: states.to_vec(),
            counts,
            propensities: Propensities::new(0),
            timed: TimedParts::new(varying.timed()),
            varying,
            events: Vec::new(),
            fault: None,
            clock: CompensatedTime::at(0.0),
            reactions: 0,
            next: None,
            draws: RandomDraws::new(seed, StreamPurpose::GraphReactions, 0),
        };
        vessel.refresh_all();
        Ok(vessel)
    }

    /// The complete state of the run as bytes: one or two per node, and 8 per event.
    pub(super) fn saved(&self) -> Vec<u8> {
        let mut writer = Writer::new(SavedKind::GraphVessel, self.plan());
        writer.indices(self.counts.len(), self.states.iter().map(|&state| state.into()));
        writer.number(self.reactions);
        self.clock.save(&mut writer);
        writer.byte(self.next.is_some().into());
        self.next.iter().for_each(|next| next.save(&mut writer));
        writer.stream(&self.draws);
        self.timed.save(&mut writer);
        VesselFault::save(self.fault, &mut writer);
        writer.finish()
    }

    /// Continues from saved bytes of a run of these rules, graph, events and seed.
    pub(super) fn continue_from(&mut self, bytes: &[u8]) -> Result<(), SavedError> {
        let mut reader = SavedReader::new(bytes, SavedKind::GraphVessel, self.plan())?;
        let states = reader.states(self.counts.len())?;
        SavedError::unless(states.len() == self.states.len(), "nodes")?;
        let (reactions, clock) = (reader.counter()?, CompensatedTime::restored(&mut reader)?);
        let next = reader.flag()?.then(|| CompensatedTime::restored(&mut reader)).transpose()?;
        let draws = reader.stream()?;
        let timed = self.timed.restored(&mut reader)?;
        let sizes = [self.rules.reactions.len(), timed.events.len(), self.counts.len()];
        let fault = VesselFault::restored(&mut reader, sizes)?;
        reader.finish()?;
        self.counts.fill(0);
        states.iter().for_each(|&state| self.counts[usize::from(state)] += 1);
        (self.states, self.reactions, self.clock) = (states, reactions, clock);
        (self.next, self.draws, self.timed) = (next, draws, timed);
        self.fault = fault;
        self.refresh_all();
        Ok(())
    }

    fn plan(&self) -> Digest {
        let weights = self.weights.iter().flatten().map(|weight| weight.to_bits()).collect::<Vec<_>>();
        plan_digest(
            &(self.seed, self.states.len(), &self.ends, weights, self.direction),
            &(&self.rules, &self.events),
        )
    }

    /// The reactions of the nodes.
    #[must_use]
    pub fn rules(&self) -> &GraphRules {
        &self.rules
    }

    /// The time, in units of the rates.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.clock.time
    }

    /// The number of reactions so far.
    #[must_use]
    pub fn reactions(&self) -> u64 {
        self.reactions
    }

    /// The number of nodes in each state.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The state of each node.
    #[must_use]
    pub fn states(&self) -> &[u16] {
        &self.states
    }

    /// Whether no further reaction is possible, and no event is left.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.is_at_rest()
    }

    /// The reason why the run cannot continue, after [`StopReason::Fault`]; otherwise `None`.
    #[must_use]
    pub fn fault(&self) -> Option<VesselFault> {
        self.fault
    }

    /// Advances until the first bound of `until` is reached, or to the reaction after which the nodes are silent. If
    /// the nodes are silent already, advances to the time of `until` if that is finite.
    pub fn run(&mut self, until: &RunEnd<'_>) -> StopReason {
        loop {
            if let Some(halt) = self.run_for(until, u64::MAX) {
                return halt;
            }
        }
    }

    /// Like [`run`](Self::run), but returns `None` after this number of steps if no bound is reached before. A step is
    /// a reaction. If rates depend on time, a candidate for a reaction, a window of time and an event are steps as
    /// well. An event at many nodes counts as many steps. The run does not depend on where it was interrupted.
    pub fn run_for(&mut self, until: &RunEnd<'_>, steps: u64) -> Option<StopReason> {
        self.advance(until, steps)
    }

    /// The sum of the propensities that do not depend on time.
    pub(super) fn steady(&self) -> f64 {
        self.propensities.total() + self.varying.steady.total()
    }

    /// Performs the reaction selected by a ticket from 0 to the sum of [`steady`](Self::steady).
    pub(super) fn fire_steady(&mut self, ticket: f64) {
        let constant = self.propensities.total();
        if ticket < constant || self.varying.steady.total() == 0.0 {
            self.fire(self.propensities.find(ticket));
        } else {
            self.fire_varying(self.varying.steady.find(ticket - constant));
        }
    }

    /// Performs a reaction of varying rate at a random node or edge.
    pub(super) fn fire_varying(&mut self, index: usize) {
        self.reactions += 1;
        let weights = self.varying.weights(index);
        let place = weights.find(self.draws.unit() * weights.total());
        match self.rules.reactions[self.varying.reaction(index)] {
            NodeReaction::Alone { states: [_, to], .. } => {
                self.change(place as u32, to);
                self.refresh(place as u32);
            }
            NodeReaction::Pair { from: [a, b], to, .. } => {
                let [mut u, mut v] = self.ends[place];
                let is_back = if self.direction != InitiatorEnd::Either {
                    false
                } else if a == b {
                    self.draws.unit() >= 0.5
                } else {
                    self.states[u as usize] != a
                };
                if is_back {
                    (u, v) = (v, u);
                }
                self.change_pair([u, v], [a, b], to);
            }
        }
        self.refresh_rates();
    }

    fn fire(&mut self, place: usize) {
        self.reactions += 1;
        let Some(edge) = place.checked_sub(self.states.len()) else {
            let choice = &self.rules.alone[usize::from(self.states[place])];
            let to = choice.pick(self.draws.unit() * choice.total);
            self.change(place as u32, to);
            self.refresh(place as u32);
            self.refresh_rates();
            return;
        };
        let [mut u, mut v] = self.ends[edge];
        let [a, b] = [u, v].map(|end| self.states[end as usize]);
        if self.direction == InitiatorEnd::Either {
            let (there, back) = (self.rules.pair_rate(a, b), self.rules.pair_rate(b, a));
            if back > 0.0 && self.draws.unit() * (there + back) >= there {
                (u, v) = (v, u);
            }
        }
        let [a, b] = [u, v].map(|end| self.states[end as usize]);
        let choice = self.rules.pair(a, b).expect("an edge whose rate is above 0 has a reaction");
        let to = choice.pick(self.draws.unit() * choice.total);
        self.change_pair([u, v], [a, b], to);
        self.refresh_rates();
    }

    fn change_pair(&mut self, [u, v]: [u32; 2], [a, b]: [u16; 2], [to_a, to_b]: [u16; 2]) {
        self.change(u, to_a);
        self.change(v, to_b);
        // If one end keeps its state, the edges that change are those of the other end.
        if a != to_a {
            self.refresh(u);
        }
        if b != to_b {
            self.refresh(v);
        }
    }

    pub(super) fn change(&mut self, node: u32, to: u16) {
        let state = &mut self.states[node as usize];
        self.counts[usize::from(*state)] -= 1;
        self.counts[usize::from(to)] += 1;
        *state = to;
    }

    /// Recomputes the propensities of a node and its edges.
    fn refresh(&mut self, node: u32) {
        let node = node as usize;
        self.propensities.set(node, self.alone(node));
        for place in self.first[node]..self.first[node + 1] {
            let edge = self.incident[place] as usize;
            self.propensities.set(self.states.len() + edge, self.pair(edge));
        }
        for number in 0..self.varying.places.len() {
            let place = self.varying.places[number].0;
            if let ReactionPlaces::Nodes(_) = place {
                self.varying.places[number].1.set(node, place.node(self.states[node]));
                continue;
            }
            for incident in self.first[node]..self.first[node + 1] {
                let edge = self.incident[incident] as usize;
                let weight = self.weight(place, edge);
                self.varying.places[number].1.set(edge, weight);
            }
        }
    }

    /// The weight of an edge for a reaction of varying rate.
    fn weight(&self, place: ReactionPlaces, edge: usize) -> f64 {
        let states = self.ends[edge].map(|end| self.states[end as usize]);
        let weight = self.weights.as_ref().map_or(1.0, |weights| weights[edge]);
        place.edge(states, self.direction) * weight
    }

    /// Recomputes the rates that depend on counts.
    fn refresh_rates(&mut self) {
        if let Err(fault) = self.varying.refresh_steady(&self.counts) {
            self.fault = self.fault.or(Some(fault));
        }
    }

    /// Recomputes all propensities.
    pub(super) fn refresh_all(&mut self) {
        let all = (0..self.states.len()).map(|node| self.alone(node));
        let all = all.chain((0..self.ends.len()).map(|edge| self.pair(edge)));
        self.propensities = Propensities::of(&all.collect::<Vec<_>>());
        for number in 0..self.varying.places.len() {
            let place = self.varying.places[number].0;
            let weights: Vec<f64> = match place {
                ReactionPlaces::Nodes(_) => self.states.iter().map(|&state| place.node(state)).collect(),
                ReactionPlaces::Edges(_) => {
                    (0..self.ends.len()).map(|edge| self.weight(place, edge)).collect()
                }
            };
            self.varying.places[number].1 = Propensities::of(&weights);
        }
        self.refresh_rates();
    }

    fn alone(&self, node: usize) -> f64 {
        self.rules.alone[usize::from(self.states[node])].total
    }

    fn pair(&self, edge: usize) -> f64 {
        let [a, b] = self.ends[edge].map(|end| self.states[end as usize]);
        let mut rate = self.rules.pair_rate(a, b);
        if self.direction == InitiatorEnd::Either && a != b {
            rate += self.rules.pair_rate(b, a);
        }
        self.weights.as_ref().map_or(rate, |weights| rate * weights[edge])
    }
}
