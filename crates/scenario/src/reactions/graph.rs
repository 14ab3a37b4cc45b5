//! The graph on which nodes react.

use acrasin_catalogue::counted;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use acrasin_graphs::{Family, Graph, NodeLabels, read};
use acrasin_protocols::reactions::{
    CountChange, GraphEdges, GraphEvent, GraphRules, GraphVessel, VesselError,
};
use acrasin_runtime::choice::derived_seed;

use super::ReactionDocument;
use super::scenario::ReactionStart;
use super::start::{counts_of, events_of, species};
use crate::DocumentError;
use crate::document::TopologySource;
use crate::document::edges::{EdgeWeights, Initiator};
use crate::document::quantity::NodeName;
use crate::memory::readable;
use crate::node_names::NodeNames;
use crate::plan::arrange;
use crate::plan::interaction_graph::{format_of, unreadable};
use crate::plan::topology::{self, ChosenTopology};
use crate::run::RunError;

/// The index of the random stream that graphs are drawn from, the same as for population protocols.
const GRAPH_SEED: u64 = 1 << 32;

/// Bytes of a node or an edge: both ends, the states, partial sums of propensities, its weight.
const NODE_BYTES: u128 = 64;
const EDGE_BYTES: u128 = 96;

/// Additional bytes of a node or an edge for each kind of event with a varying rate.
const VARYING_BYTES: u128 = 32;

/// Nodes and their reacting pairs.
#[derive(Clone, Debug)]
struct PairEdges {
    nodes: u32,
    /// The ends of each edge; if edges have directions, the first reactant comes first.
    ends: Vec<[u32; 2]>,
    weights: Option<Vec<f64>>,
    /// The names of nodes in the graph file.
    labels: Option<NodeLabels>,
}

/// The states of nodes at the start.
#[derive(Clone, Debug)]
enum StartStates {
    /// Counts by state, which are placed on random nodes, and the state of all other nodes, if others are allowed.
    Drawn(Vec<u64>, Option<u16>),
    /// The state of each node.
    Fixed(Vec<u16>),
}

/// A graph with the initial states of its nodes.
#[derive(Clone, Debug)]
pub(super) struct ReactionGraph {
    /// The family from which each seed draws its own graph.
    drawn: Option<Family>,
    /// The graph for `seed`, or for every seed if nothing is drawn.
    built: PairEdges,
    seed: u64,
    weights: EdgeWeights,
    initiator: Initiator,
    start: StartStates,
    events: Vec<GraphEvent>,
}

impl PairEdges {
    /// The edges of a simple graph, each from its lower to its higher end.
    fn of_graph(graph: &Graph, weights: EdgeWeights, initiator: Initiator) -> Self {
        let degrees = if weights == EdgeWeights::DegreeProduct { graph.degrees() } else { Vec::new() };
        let degree = |node: u32| f64::from(degrees[node as usize]);
        let products = graph.edges().iter().map(|&(u, v)| degree(u) * degree(v));
        Self {
            nodes: graph.nodes(),
            labels: graph.labels().cloned(),
            weights: (weights == EdgeWeights::DegreeProduct).then(|| products.collect()),
            ends: graph.edges().iter().map(|&(u, v)| initiator.ends([u, v])).collect(),
        }
    }

    fn edges(&self, initiator: Initiator) -> GraphEdges<'_> {
        GraphEdges { ends: &self.ends, weights: self.weights.as_deref(), direction: initiator.direction() }
    }

    /// Refuses a graph that takes more than this memory, in bytes.
    fn check(&self, document: &ReactionDocument, memory: u64) -> Result<(), DocumentError> {
        fits(document, u128::from(self.nodes), self.ends.len() as u128, memory)
    }
}

/// Refuses a graph whose nodes and edges take more than this memory, in bytes.
fn fits(document: &ReactionDocument, nodes: u128, edges: u128, memory: u64) -> Result<(), DocumentError> {
    let bytes = nodes * NODE_BYTES + edges.saturating_mul(EDGE_BYTES);
    if bytes <= memory.into() {
        return Ok(());
    }
    let message = format!("{nodes} nodes and about {edges} edges need about {} of memory", readable(bytes));
    let accepted = format!("a graph that needs at most {}", readable(memory.into()));
    Err(document.error("topology", message).accepting(accepted))
}

/// Reads the edges of a file. Their order and direction are kept if weights or directions come from the file.
fn from_file(
    document: &ReactionDocument,
    (base, path): (&Path, &str),
    format: Option<read::FileFormat>,
    (weights, initiator): (EdgeWeights, Initiator),
    notes: &mut Vec<String>,
) -> Result<PairEdges, DocumentError> {
    let file = base.join(path);
    let mut note = |sentences: Vec<String>| {
        notes.extend(sentences.into_iter().map(|sentence| format!("{path}: {sentence}")));
    };
    let is_directed = initiator != Initiator::Either;
    if !is_directed && weights != EdgeWeights::Column {
        let loaded = read::from_path(&file, format).map_err(|error| unreadable(document, &error))?;
        note(loaded.notes.sentences());
        return Ok(PairEdges::of_graph(&loaded.graph, weights, initiator));
    }
    let listed = read::listed_from_path(&file, format, weights == EdgeWeights::Column)
        .map_err(|error| unreadable(document, &error))?;
    note(listed.sentences(is_directed));
    let arcs = listed.decimal_arcs(is_directed);
    // Degrees are those of the simple graph, to which the graph limits apply as well.
    let simple = listed.simple(path).map_err(|error| unreadable(document, &error))?.graph;
    let degrees = simple.degrees();
    let degree = |node: u32| f64::from(degrees[node as usize]);
    let weight = |&([u, v], listed): &([u32; 2], f64)| match weights {
        EdgeWeights::DegreeProduct => degree(u) * degree(v),
        EdgeWeights::Equal | EdgeWeights::Column => listed,
    };
    Ok(PairEdges {
        nodes: simple.nodes(),
        labels: simple.labels().cloned(),
        ends: arcs.iter().map(|&(ends, _)| initiator.ends(ends)).collect(),
        weights: (weights != EdgeWeights::Equal).then(|| arcs.iter().map(weight).collect()),
    })
}

impl ReactionGraph {
    /// Draws or reads the graph that the scenario names.
    pub(super) fn new(
        document: &ReactionDocument,
        chosen: ChosenTopology,
        base: &Path,
        memory: u64,
        rules: &GraphRules,
        notes: &mut Vec<String>,
    ) -> Result<Self, DocumentError> {
        let written = &document.scenario().reactions;
        let (weights, initiator) =
            (written.weights.unwrap_or_default(), written.direction.unwrap_or_default());
        let seed = document.scenario().seed.map_or(0, |seed| seed.0);
        let is_complete = chosen.is_complete();
        if is_complete && (weights, initiator) != (EdgeWeights::Equal, Initiator::Either) {
            let place = if weights == EdgeWeights::Equal { "direction" } else { "weights" };
            let message = "weights and directions do not apply to Complete, where all pairs of nodes react at the same rate";
            let error = document.error(&format!("reactions.{place}"), message);
            return Err(error.accepting("omit this field, or another graph"));
        }
        let (drawn, built) = match chosen {
            ChosenTopology::Other(TopologySource::File { path, format }) => {
                let file = (base, &*path);
                let format = format.map(format_of);
                (None, from_file(document, file, format, (weights, initiator), notes)?)
            }
            ChosenTopology::Other(_) => {
                let message = "reactions happen in continuous time on a graph that does not change, not in the rounds of contacts";
                let error = document.error("topology", message);
                return Err(error.accepting("a graph family, or File(path: \"…\")"));
            }
            ChosenTopology::Family(..) if weights == EdgeWeights::Column => {
                let error = document.error("reactions.weights", "the edges of this graph have no weights");
                return Err(error.accepting("Equal, DegreeProduct, or topology: File(path: \"…\")"));
            }
            ChosenTopology::Family(family, own) => {
                let size = family.size();
                fits(document, size.nodes, size.edges, memory)?;
                let model = format!("a {} graph", family.entry().title);
                let graph = family.build(own.unwrap_or(derived_seed(seed, GRAPH_SEED)));
                let graph = graph.map_err(|error| topology::refused(document, &model, &error))?;
                let is_drawn = family.entry().draws && own.is_none();
                (is_drawn.then_some(family), PairEdges::of_graph(&graph, weights, initiator))
            }
        };
        built.check(document, memory)?;
        let names = NodeNames::new(built.nodes, built.labels.as_ref());
        let start = StartStates::new(document, &names)?;
        let events = events(document, &names)?;
        notes.extend(names.notes());
        start.of_run(built.nodes, seed).map_err(|message| {
            let accepted = "counts that add up to the number of nodes, or rest: with the state of all others";
            document.error("reactions.initial", message).accepting(accepted)
        })?;
        let graph = Self { drawn, built, seed, weights, initiator, start, events };
        graph.built.edges(initiator).check(rules, graph.built.nodes as usize).map_err(|error| {
            let place = match error {
                VesselError::EdgeRate { .. } if weights != EdgeWeights::Equal => "reactions.weights",
                _ => "reactions.rules",
            };
            let whole = error.to_string();
            let (message, accepted) = whole.split_once(" (accepted: ").unwrap_or((&whole, ""));
            document.error(place, message).accepting(accepted.trim_end_matches(')'))
        })?;
        // The effect of an event at time 0 can be checked before any run.
        if graph.events.iter().any(|event| event.event.at == 0.0) {
            let states = graph.start.of_run(graph.built.nodes, seed).unwrap_or_default();
            let vessel = GraphVessel::new(rules, graph.built.edges(initiator), &states, seed);
            let started = vessel.and_then(|vessel| vessel.with_events(graph.events.clone()));
            if let Err(error @ VesselError::WrongEvent { event }) = started {
                return Err(document.error(&format!("reactions.events[{event}]"), error.to_string()));
            }
        }
        Ok(graph)
    }

    /// Bytes of the nodes and edges.
    pub(super) fn bytes(&self, rules: &GraphRules) -> u128 {
        let [nodes, edges] = rules.varying_places().map(|places| VARYING_BYTES * places as u128);
        u128::from(self.built.nodes) * (NODE_BYTES + nodes)
            + self.built.ends.len() as u128 * (EDGE_BYTES + edges)
    }

    /// The number of distinct events.
    pub(super) fn events(&self) -> usize {
        self.events.len()
    }

    pub(super) fn text(&self) -> String {
        let drawn = if self.drawn.is_some() { ", another for each seed" } else { "" };
        let edge = if self.initiator == Initiator::Either { "edge" } else { "directed edge" };
        let [nodes, edges] = [counted(self.built.nodes, "node"), counted(self.built.ends.len(), edge)];
        format!("{nodes}, {edges}{drawn}")
    }

    /// The words about weights and directions in the description of the rates.
    pub(super) fn law(&self) -> String {
        let weights = match self.weights {
            EdgeWeights::Equal => "",
            EdgeWeights::Column => ", times its weight",
            EdgeWeights::DegreeProduct => ", times the product of the degrees of its ends",
        };
        let direction = match self.initiator {
            Initiator::Either => "",
            Initiator::Tail => "; the end that an edge leads from is the first reactant",
            Initiator::Head => "; the end that an edge leads to is the first reactant",
        };
        format!("{weights}{direction}")
    }

    /// The number of nodes that start in each state.
    pub(super) fn counts(&self, species: usize) -> Vec<u64> {
        let mut counts = vec![0; species];
        for state in self.start.of_run(self.built.nodes, self.seed).unwrap_or_default() {
            counts[usize::from(state)] += 1;
        }
        counts
    }

    /// The reacting system of a run with this seed; counts are placed on random nodes.
    pub(super) fn start(&self, rules: &GraphRules, seed: u64) -> Result<GraphVessel, RunError> {
        let drawn = |message: String| RunError::drawn(seed, message);
        let graph = match &self.drawn {
            Some(family) if self.seed != seed => {
                let graph = family.build(derived_seed(seed, GRAPH_SEED));
                let graph = graph.map_err(|error| drawn(error.to_string()))?;
                Cow::Owned(PairEdges::of_graph(&graph, self.weights, self.initiator))
            }
            _ => Cow::Borrowed(&self.built),
        };
        let states = self.start.of_run(graph.nodes, seed).map_err(drawn)?;
        let vessel = GraphVessel::new(rules, graph.edges(self.initiator), &states, seed);
        vessel
            .and_then(|vessel| vessel.with_events(self.events.clone()))
            .map_err(|error| drawn(error.to_string()))
    }
}

impl StartStates {
    fn new(document: &ReactionDocument, names: &NodeNames<'_>) -> Result<Self, DocumentError> {
        let written = &document.scenario().reactions;
        let states = &written.species;
        let rest = written.rest.as_ref().map(|name| species(document, states, "reactions.rest", name));
        let rest = rest.transpose()?;
        match &written.initial {
            ReactionStart::Counts(counts) => Ok(Self::Drawn(counts_of(document, counts)?, rest)),
            ReactionStart::Nodes(named) => {
                if rest.is_some() {
                    let message = "the state of all other nodes is written twice";
                    let error = document.error("reactions.rest", message);
                    return Err(error.accepting("`rest` only in Nodes(...)"));
                }
                let rest = species(document, states, "reactions.initial.rest", &named.rest)?;
                let mut all = vec![rest; names.nodes() as usize];
                for (node, state) in named_states(document, "reactions.initial.states", &named.states, names)?
                {
                    all[node as usize] = state;
                }
                Ok(Self::Fixed(all))
            }
        }
    }

    /// The initial state of each node, in a run with this seed.
    fn of_run(&self, nodes: u32, seed: u64) -> Result<Vec<u16>, String> {
        let (counts, rest) = match self {
            Self::Drawn(counts, rest) => (counts, rest),
            Self::Fixed(states) if states.len() == nodes as usize => return Ok(states.clone()),
            Self::Fixed(states) => {
                return Err(format!(
                    "states are given by name for {}, but the graph has {nodes}",
                    counted(states.len(), "node")
                ));
            }
        };
        let named: u64 = counts.iter().sum();
        let others = u64::from(nodes).checked_sub(named).filter(|&others| others == 0 || rest.is_some());
        let Some(others) = others else {
            return Err(format!(
                "states at the start are given for {}, but the graph has {nodes}",
                counted(named, "node")
            ));
        };
        let mut all = counts.clone();
        if let Some(state) = rest {
            all[usize::from(*state)] += others;
        }
        let states = (0_u16..).zip(all).flat_map(|(state, count)| std::iter::repeat_n(state, count as usize));
        let mut states: Vec<u16> = states.collect();
        arrange(&mut states, seed);
        Ok(states)
    }
}

/// The nodes that are named at a path of the scenario, each with its state.
fn named_states(
    document: &ReactionDocument,
    place: &str,
    written: &BTreeMap<String, Vec<NodeName>>,
    names: &NodeNames<'_>,
) -> Result<Vec<(u32, u16)>, DocumentError> {
    let (mut listed, mut states) = (Vec::new(), Vec::new());
    for (name, members) in written {
        let place = format!("{place}[{name:?}]");
        let state = species(document, &document.scenario().reactions.species, &place, name)?;
        states.extend(std::iter::repeat_n(state, members.len()));
        listed.extend(members.iter().enumerate().map(|(index, node)| (format!("{place}[{index}]"), node)));
    }
    let numbers = names.numbers(document, &listed)?;
    let mut given = BTreeMap::new();
    for (((place, node), number), &state) in listed.iter().zip(numbers).zip(&states) {
        if given.insert(number, state).is_some_and(|before| before != state) {
            let message = format!("node {} is given two states", node.text());
            return Err(document.error(place, message).accepting("each node once"));
        }
    }
    Ok(given.into_iter().collect())
}

/// The changes of nodes at given times.
fn events(document: &ReactionDocument, names: &NodeNames<'_>) -> Result<Vec<GraphEvent>, DocumentError> {
    let written = &document.scenario().reactions;
    let mut events = Vec::new();
    for (index, (event, written)) in events_of(document)?.into_iter().zip(&written.events).enumerate() {
        let place = format!("reactions.events[{index}]");
        let states = &document.scenario().reactions.species;
        let rest_place = format!("{place}.rest");
        let rest =
            written.rest.as_ref().map(|name| species(document, states, &rest_place, name)).transpose()?;
        if let Some(rest) = rest
            && event.changes.iter().any(|&(state, _)| state == rest)
        {
            let message = format!(
                "`{}` is changed, but is also the state that takes the difference",
                states[usize::from(rest)]
            );
            return Err(document.error(&rest_place, message).accepting("another state"));
        }
        let accepted =
            "changes by `add` that add up to 0, or rest: with the state that gives or takes the difference";
        let sets = event.changes.iter().any(|(_, change)| matches!(change, CountChange::Set(_)));
        let added: i128 = event
            .changes
            .iter()
            .map(|&(_, change)| if let CountChange::Add(by) = change { by.into() } else { 0_i128 })
            .sum();
        if rest.is_none() && (sets || added != 0) {
            let message = if sets {
                "the number of nodes is fixed, but no state is given that takes the difference".to_owned()
            } else {
                format!("the number of nodes is fixed, but the changes add up to {added}")
            };
            return Err(document.error(&place, message).accepting(accepted));
        }
        let nodes = named_states(document, &format!("{place}.nodes"), &written.nodes, names)?;
        events.push(GraphEvent { event, rest, nodes });
    }
    Ok(events)
}
