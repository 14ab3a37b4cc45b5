//! The graph on which nodes react.

use std::borrow::Cow;
use std::path::Path;

use acrasin_graphs::{Family, Graph, read};
use acrasin_protocols::reactions::{GraphEdges, GraphRules, GraphVessel, VesselError};
use acrasin_runtime::choice::derived_seed;

use super::ReactionDocument;
use crate::DocumentError;
use crate::document::Topology;
use crate::document::edges::{Initiator, Weights};
use crate::memory::readable;
use crate::plan::arrange;
use crate::plan::interaction_graph::{format_of, unreadable};
use crate::plan::topology::{self, ChosenTopology};
use crate::run::RunError;

/// The part of an experiment that random graphs draw from: that of population protocols.
const GRAPH_SEED: u64 = 1 << 32;

/// Bytes of a node and of an edge: its ends twice, the states, partial sums of propensities, its weight.
const NODE_BYTES: u128 = 64;
const EDGE_BYTES: u128 = 96;

/// Nodes, and pairs of them that react.
#[derive(Clone, Debug)]
struct PairEdges {
    nodes: u32,
    /// The end first that is the first reactant, if edges have directions.
    ends: Vec<[u32; 2]>,
    weights: Option<Vec<f64>>,
}

/// A graph with the states of its nodes at the start.
#[derive(Clone, Debug)]
pub(super) struct ReactionGraph {
    /// The family that each seed has a graph of its own of.
    drawn: Option<Family>,
    /// The graph of `seed`, or of every seed if nothing is drawn.
    built: PairEdges,
    seed: u64,
    weights: Weights,
    initiator: Initiator,
    /// The state of the nodes that `counts` leaves.
    rest: Option<u16>,
}

impl PairEdges {
    /// The edges of a simple graph, each from its lower end to the higher.
    fn of_graph(graph: &Graph, weights: Weights, initiator: Initiator) -> Self {
        let degrees = if weights == Weights::DegreeProduct { graph.degrees() } else { Vec::new() };
        let degree = |node: u32| f64::from(degrees[node as usize]);
        let products = graph.edges().iter().map(|&(u, v)| degree(u) * degree(v));
        Self {
            nodes: graph.nodes(),
            weights: (weights == Weights::DegreeProduct).then(|| products.collect()),
            ends: graph.edges().iter().map(|&(u, v)| initiator.ends([u, v])).collect(),
        }
    }

    fn edges(&self, initiator: Initiator) -> GraphEdges<'_> {
        GraphEdges { ends: &self.ends, weights: self.weights.as_deref(), direction: initiator.direction() }
    }

    /// Refuses what takes more than this memory.
    fn check(&self, document: &ReactionDocument, memory: u64) -> Result<(), DocumentError> {
        fits(document, u128::from(self.nodes), self.ends.len() as u128, memory)
    }
}

/// Refuses a graph whose nodes and edges take more than this memory.
fn fits(document: &ReactionDocument, nodes: u128, edges: u128, memory: u64) -> Result<(), DocumentError> {
    let bytes = nodes * NODE_BYTES + edges.saturating_mul(EDGE_BYTES);
    if bytes <= memory.into() {
        return Ok(());
    }
    let message = format!("{nodes} nodes and about {edges} edges need about {} of memory", readable(bytes));
    let accepted = format!("a graph that needs at most {}", readable(memory.into()));
    Err(document.error("topology", message).accepting(accepted))
}

/// Reads the edges of a file: as they are listed there, if its weights or directions are meant.
fn from_file(
    document: &ReactionDocument,
    (base, path): (&Path, &str),
    format: Option<read::Format>,
    (weights, initiator): (Weights, Initiator),
    notes: &mut Vec<String>,
) -> Result<PairEdges, DocumentError> {
    let file = base.join(path);
    let mut note = |sentences: Vec<String>| {
        notes.extend(sentences.into_iter().map(|sentence| format!("{path}: {sentence}")));
    };
    let is_directed = initiator != Initiator::Either;
    if !is_directed && weights != Weights::Column {
        let loaded = read::from_path(&file, format).map_err(|error| unreadable(document, &error))?;
        note(loaded.notes.sentences());
        return Ok(PairEdges::of_graph(&loaded.graph, weights, initiator));
    }
    let listed = read::listed_from_path(&file, format, weights == Weights::Column)
        .map_err(|error| unreadable(document, &error))?;
    note(listed.sentences(is_directed));
    let arcs = listed.decimal_arcs(is_directed);
    // Degrees are those of the simple graph, which also has the limits of graphs.
    let simple = listed.simple(path).map_err(|error| unreadable(document, &error))?.graph;
    let degrees = simple.degrees();
    let degree = |node: u32| f64::from(degrees[node as usize]);
    let weight = |&([u, v], listed): &([u32; 2], f64)| match weights {
        Weights::DegreeProduct => degree(u) * degree(v),
        Weights::Equal | Weights::Column => listed,
    };
    Ok(PairEdges {
        nodes: simple.nodes(),
        ends: arcs.iter().map(|&(ends, _)| initiator.ends(ends)).collect(),
        weights: (weights != Weights::Equal).then(|| arcs.iter().map(weight).collect()),
    })
}

impl ReactionGraph {
    /// Draws or reads what the scenario names. `counts` and the state of the rest are the start.
    pub(super) fn new(
        document: &ReactionDocument,
        chosen: ChosenTopology,
        base: &Path,
        memory: u64,
        rules: &GraphRules,
        (counts, rest): (&[u64], Option<u16>),
        notes: &mut Vec<String>,
    ) -> Result<Self, DocumentError> {
        let written = &document.scenario().reactions;
        let (weights, initiator) =
            (written.weights.unwrap_or_default(), written.direction.unwrap_or_default());
        let seed = document.scenario().seed.map_or(0, |seed| seed.0);
        let is_complete = chosen.is_complete();
        if is_complete && (weights, initiator) != (Weights::Equal, Initiator::Either) {
            let place = if weights == Weights::Equal { "direction" } else { "weights" };
            let message = "every pair of nodes reacts alike on Complete";
            let error = document.error(&format!("reactions.{place}"), message);
            return Err(error.accepting("nothing here, or another graph"));
        }
        let (drawn, built) = match chosen {
            ChosenTopology::Other(Topology::File { path, format }) => {
                let file = (base, &*path);
                let format = format.map(format_of);
                (None, from_file(document, file, format, (weights, initiator), notes)?)
            }
            ChosenTopology::Other(_) => {
                let message = "reactions happen in continuous time on a graph that does not change, not in the rounds of contacts";
                let error = document.error("topology", message);
                return Err(error.accepting("a graph family, or File(path: \"…\")"));
            }
            ChosenTopology::Family(..) if weights == Weights::Column => {
                let error = document.error("reactions.weights", "only a graph file has weights of edges");
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
        let graph = Self { drawn, built, seed, weights, initiator, rest };
        graph.states(counts, graph.built.nodes).map_err(|message| {
            let accepted = "counts that add up to the number of nodes, or rest: with the state of all others";
            document.error("reactions.initial", message).accepting(accepted)
        })?;
        graph.built.edges(initiator).check(rules, graph.built.nodes as usize).map_err(|error| {
            let place = match error {
                VesselError::EdgeRate { .. } if weights != Weights::Equal => "reactions.weights",
                _ => "reactions.rules",
            };
            let whole = error.to_string();
            let (message, accepted) = whole.split_once(" (accepted: ").unwrap_or((&whole, ""));
            document.error(place, message).accepting(accepted.trim_end_matches(')'))
        })?;
        Ok(graph)
    }

    /// Nodes and edges, and what they take.
    pub(super) fn bytes(&self) -> u128 {
        u128::from(self.built.nodes) * NODE_BYTES + self.built.ends.len() as u128 * EDGE_BYTES
    }

    pub(super) fn text(&self) -> String {
        let drawn = if self.drawn.is_some() { ", another for each seed" } else { "" };
        let directed = if self.initiator == Initiator::Either { "" } else { "directed " };
        format!("{} nodes, {} {directed}edges{drawn}", self.built.nodes, self.built.ends.len())
    }

    /// What weights and directions add to the law of the time.
    pub(super) fn law(&self) -> String {
        let weights = match self.weights {
            Weights::Equal => "",
            Weights::Column => ", times its weight",
            Weights::DegreeProduct => ", times the product of the degrees of its ends",
        };
        let direction = match self.initiator {
            Initiator::Either => "",
            Initiator::Tail => "; the end that an edge leads from is the first reactant",
            Initiator::Head => "; the end that an edge leads to is the first reactant",
        };
        format!("{weights}{direction}")
    }

    /// How many nodes start in each state.
    pub(super) fn counts(&self, counts: &[u64]) -> Vec<u64> {
        let mut all = counts.to_vec();
        if let Some(rest) = self.rest {
            let named: u64 = counts.iter().sum();
            all[usize::from(rest)] += u64::from(self.built.nodes).saturating_sub(named);
        }
        all
    }

    /// States in the order of their numbers.
    fn states(&self, counts: &[u64], nodes: u32) -> Result<Vec<u16>, String> {
        let named: u64 = counts.iter().sum();
        let rest = u64::from(nodes).checked_sub(named).filter(|&rest| rest == 0 || self.rest.is_some());
        let Some(rest) = rest else {
            return Err(format!("{named} nodes start in a state, and the graph has {nodes}"));
        };
        let mut all = counts.to_vec();
        if let Some(state) = self.rest {
            all[usize::from(state)] += rest;
        }
        let states = (0_u16..).zip(all).flat_map(|(state, count)| std::iter::repeat_n(state, count as usize));
        Ok(states.collect())
    }

    /// The nodes of a run with this seed: counts are placed at random.
    pub(super) fn start(
        &self,
        rules: &GraphRules,
        counts: &[u64],
        seed: u64,
    ) -> Result<GraphVessel, RunError> {
        let drawn = |message: String| RunError::drawn(seed, message);
        let graph = match &self.drawn {
            Some(family) if self.seed != seed => {
                let graph = family.build(derived_seed(seed, GRAPH_SEED));
                let graph = graph.map_err(|error| drawn(error.to_string()))?;
                Cow::Owned(PairEdges::of_graph(&graph, self.weights, self.initiator))
            }
            _ => Cow::Borrowed(&self.built),
        };
        let mut states = self.states(counts, graph.nodes).map_err(drawn)?;
        arrange(&mut states, seed);
        GraphVessel::new(rules, graph.edges(self.initiator), &states, seed)
            .map_err(|error| drawn(error.to_string()))
    }
}
