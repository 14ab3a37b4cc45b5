//! Configurations and interactions, and their text in reports.

use acrasin_protocols::Table;
use serde::{Deserialize, Serialize};

use acrasin_explore::{Model, MoveId};

/// The states of all agents at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PopulationConfiguration {
    /// The number of agents in each state of the table.
    pub counts: Vec<u64>,
    /// The state of each node; `None` on the complete graph, where only the counts matter.
    pub nodes: Option<Vec<u16>>,
}

impl PopulationConfiguration {
    /// The configuration as text: `2 A, 1 b`, or on a graph the states of nodes 0, 1, …: `[A, b, A]`.
    #[must_use]
    pub fn describe(&self, table: &Table) -> String {
        let Some(nodes) = &self.nodes else { return counts_text(table, &self.counts) };
        let names: Vec<&str> = nodes.iter().map(|&state| table.state_name(state)).collect();
        format!("[{}]", names.join(", "))
    }

    /// The number of agents with each output, as text: `2 yes, 1 no`.
    #[must_use]
    pub fn describe_outputs(&self, table: &Table) -> String {
        use acrasin_protocols::Protocol as _;
        let mut outputs = vec![0_u64; usize::from(table.output_count())];
        for (state, count) in (0_u16..).zip(&self.counts) {
            outputs[usize::from(table.output(state))] += count;
        }
        list(outputs.iter().zip(table.output_names()))
    }
}

/// Counts as text: `2 A, 1 b`.
pub(super) fn counts_text(table: &Table, counts: &[u64]) -> String {
    list(counts.iter().zip(table.state_names()))
}

fn list<'t>(counts: impl Iterator<Item = (&'t u64, &'t String)>) -> String {
    let parts: Vec<String> =
        counts.filter(|(count, _)| **count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    if parts.is_empty() { "no agents".to_owned() } else { parts.join(", ") }
}

/// An interaction: the two agents that meet, and their new states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PopulationInteraction {
    /// The states of initiator and responder before the interaction.
    pub before: [u16; 2],
    /// The states of initiator and responder after the interaction.
    pub after: [u16; 2],
    /// The two nodes, initiator first; `None` on the complete graph.
    pub nodes: Option<[u32; 2]>,
}

impl PopulationInteraction {
    /// The interaction as text, initiator first: `A + B -> U + U`. On a graph the text includes the nodes.
    #[must_use]
    pub fn describe(&self, table: &Table) -> String {
        let [a, b] = self.before.map(|state| table.state_name(state));
        let [c, d] = self.after.map(|state| table.state_name(state));
        match self.nodes {
            None => format!("{a} + {b} -> {c} + {d}"),
            Some([u, v]) => format!("node {u} + node {v}: {a} + {b} -> {c} + {d}"),
        }
    }
}

/// Label bit: no interaction changes the configuration.
pub(super) const SILENT: u32 = 4;

/// A population model that converts the explorer's bytes to configurations and interactions.
pub(super) trait Configurations: Model {
    /// Calls `found` for each interaction that changes the configuration, in the order of the model's moves, with the
    /// packed configuration that results.
    fn interactions(&self, packed: &[u8], found: &mut dyn FnMut(MoveId, PopulationInteraction, &[u8]));

    /// Converts the explorer's bytes to a configuration.
    fn unpacked(&self, packed: &[u8]) -> PopulationConfiguration;
}

/// The states that can occur, numbered consecutively.
#[derive(Clone, Debug)]
pub(super) struct Occurring {
    /// The states that can occur, in the order of the table.
    pub(super) states: Vec<u16>,
    /// The consecutive number of each state of the table; `None` for a state that cannot occur.
    pub(super) places: Vec<Option<u16>>,
}

impl Occurring {
    pub(super) fn new(table: &Table, inputs: &[u16]) -> Self {
        let reached = acrasin_protocols::analysis::reachable_states(table, inputs);
        let states: Vec<u16> = table.states().filter(|&state| reached[usize::from(state)]).collect();
        let mut places = vec![None; reached.len()];
        for (place, &state) in (0_u16..).zip(&states) {
            places[usize::from(state)] = Some(place);
        }
        Self { states, places }
    }

    pub(super) fn place(&self, state: u16) -> u16 {
        self.places[usize::from(state)].expect("outcomes of states that occur occur")
    }
}
