//! The graph on which nodes react.

use std::borrow::Cow;

use acrasin_graphs::{Family, Graph};
use acrasin_protocols::reactions::{GraphEdges, GraphRules, GraphVessel};
use acrasin_protocols::uniform::Direction;
use acrasin_runtime::choice::derived_seed;

use super::ReactionDocument;
use crate::document::ScenarioFields;
use crate::memory::readable;
use crate::plan::arrange;
use crate::plan::topology::{self, ChosenTopology};
use crate::run::RunError;
use crate::{Catalogue, DocumentError};

/// The part of an experiment that random graphs draw from: that of population protocols.
const GRAPH_SEED: u64 = 1 << 32;

/// Bytes of a node and of an edge: its ends twice, the states, partial sums of propensities.
const NODE_BYTES: u128 = 64;
const EDGE_BYTES: u128 = 96;

/// A graph with the states of its nodes at the start.
#[derive(Clone, Debug)]
pub(super) struct ReactionGraph {
    family: Family,
    /// The graph of `seed`, or of every seed if nothing is drawn.
    built: Graph,
    seed: Option<u64>,
    /// The state of the nodes that `counts` leaves.
    rest: Option<u16>,
}

impl ReactionGraph {
    /// Draws what the scenario names, with everything that could have been written.
    pub(super) fn new(
        document: &ReactionDocument,
        catalogue: &Catalogue,
        memory: u64,
        counts: &[u64],
        rest: Option<u16>,
    ) -> Result<(Self, ScenarioFields), DocumentError> {
        let (chosen, written) = ChosenTopology::new(document, catalogue)?;
        let ChosenTopology::Family(family, own) = chosen else {
            let message = "nodes react on the graphs of families, not of files or contacts";
            let families = catalogue.families().entries();
            let names: Vec<&str> = families.iter().map(acrasin_catalogue::Entry::name).collect();
            return Err(document.error("topology", message).accepting(names.join(", ")));
        };
        let size = family.size();
        let bytes = size.nodes * NODE_BYTES + size.edges.saturating_mul(EDGE_BYTES);
        if bytes > memory.into() {
            let message = format!(
                "{} nodes and about {} edges need about {} of memory",
                size.nodes,
                size.edges,
                readable(bytes)
            );
            let accepted = format!("a graph that needs at most {}", readable(memory.into()));
            return Err(document.error("topology", message).accepting(accepted));
        }
        let seed = document.scenario().seed.map_or(0, |seed| seed.0);
        let model = format!("a {} graph", family.entry().title);
        let built = family.build(own.unwrap_or(derived_seed(seed, GRAPH_SEED)));
        let built = built.map_err(|error| topology::refused(document, &model, &error))?;
        let is_drawn = family.entry().draws && own.is_none();
        let graph = Self { family, built, seed: is_drawn.then_some(seed), rest };
        graph.states(counts, graph.built.nodes()).map_err(|message| {
            let accepted = "counts that add up to the number of nodes, or rest: with the state of all others";
            document.error("reactions.initial", message).accepting(accepted)
        })?;
        Ok((graph, written))
    }

    /// Nodes and edges, and what they take.
    pub(super) fn bytes(&self) -> u128 {
        let edges = self.built.edges().len() as u128;
        u128::from(self.built.nodes()) * NODE_BYTES + edges * EDGE_BYTES
    }

    pub(super) fn text(&self) -> String {
        let drawn = if self.seed.is_some() { ", another for each seed" } else { "" };
        format!("{} nodes, {} edges{drawn}", self.built.nodes(), self.built.edges().len())
    }

    /// How many nodes start in each state.
    pub(super) fn counts(&self, counts: &[u64]) -> Vec<u64> {
        let mut all = counts.to_vec();
        if let Some(rest) = self.rest {
            let named: u64 = counts.iter().sum();
            all[usize::from(rest)] += u64::from(self.built.nodes()).saturating_sub(named);
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
        let graph = match self.seed {
            Some(built) if built != seed => {
                let graph = self.family.build(derived_seed(seed, GRAPH_SEED));
                Cow::Owned(graph.map_err(|error| drawn(error.to_string()))?)
            }
            _ => Cow::Borrowed(&self.built),
        };
        let mut states = self.states(counts, graph.nodes()).map_err(drawn)?;
        arrange(&mut states, seed);
        let ends: Vec<[u32; 2]> = graph.edges().iter().map(|&(u, v)| [u, v]).collect();
        let edges = GraphEdges { ends: &ends, weights: None, direction: Direction::Either };
        GraphVessel::new(rules, edges, &states, seed).map_err(|error| drawn(error.to_string()))
    }
}
