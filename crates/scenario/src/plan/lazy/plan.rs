//! [`LazyPlan`]: a scenario of a protocol without a table, bound and checked.

use acrasin_catalogue::counted;
use std::collections::BTreeMap;
use std::path::Path;

use acrasin_engine::Rung;
use acrasin_process::{Measure, StopBound};
use acrasin_protocols::lazy_library::{LazyEntry, LazyModel};
use acrasin_protocols::network::MAX_AGENTS;
use acrasin_protocols::{Missing, Table, TableSpec};

use super::super::build::defaults;
use super::super::goal::{self, GoalContext, PlanGoal, PlanStopRule};
use super::super::initial::PopulationStart;
use super::super::interaction_graph::{GraphSource, InteractionGraph};
use super::super::topology::ChosenTopology;
use super::super::transitions;
use super::super::uniform::{Law, complete_size, every, without_locks};
use crate::document::protocol::ProtocolSource;
use crate::document::stop::SampleInterval;
use crate::document::work::{Partners, Work};
use crate::memory::{RunMemory, readable};
use crate::node_names::NodeNames;
use crate::run::{PAIRS_UNRECORDED, PlanHeader, present};
use crate::{Catalogue, Document, DocumentError};

/// The maximum number of agents; each has its own state.
const AGENTS_MAX: u64 = 1 << 27;

/// The bytes of an agent, and the bytes of all states that occur during a run with their transitions.
const BYTES: [u128; 2] = [8, 1 << 26];

/// A checked scenario of a protocol without a table, made by [`LazyPlan::within`].
#[derive(Debug)]
pub struct LazyPlan {
    pub(crate) header: PlanHeader,
    pub(super) model: Box<dyn LazyModel>,
    /// The counted classes, as the states of a table without rules.
    pub(super) classes: Table,
    pub(super) site: LazyPairs,
    pub(super) start: PopulationStart,
    agents: u64,
    pub(super) rule: PlanStopRule,
    pub(super) every: SampleInterval,
}

/// The pairs that interact.
#[derive(Debug)]
pub(super) enum LazyPairs {
    Complete,
    Graph(Box<GraphSource>),
}

/// A table of these states without transitions. Stop conditions and initial states refer to its names.
fn named(states: &[String], outputs: &[String]) -> Table {
    let outputs: BTreeMap<String, String> = states.iter().cloned().zip(outputs.iter().cloned()).collect();
    let spec =
        TableSpec { states: states.into(), outputs, default: Some(Missing::Null), ..TableSpec::default() };
    spec.build().expect("models name their classes and starts well")
}

impl LazyPlan {
    /// The protocol without a table that a document names, if it names one.
    fn named<'c>(catalogue: &'c Catalogue, document: &Document) -> Option<&'c LazyEntry> {
        match &document.scenario().work {
            Work::Interactions { protocol: ProtocolSource::Library { name, .. }, .. } => {
                catalogue.lazy_protocols().find(name)
            }
            _ => None,
        }
    }

    /// Whether the document names a protocol without a table.
    #[must_use]
    pub fn is_meant(catalogue: &Catalogue, document: &Document) -> bool {
        Self::named(catalogue, document).is_some()
    }

    /// Binds and checks everything that `document` says, for a process that may take `memory` bytes. Paths in it are
    /// relative to the folder `base`.
    ///
    /// # Errors
    ///
    /// The first mistake, with its position:
    ///
    /// - a scheduler other than `UniformPairs`;
    /// - fields about locks, messages, rounds or faults;
    /// - a changing graph, or a graph other than `Complete` if edges have states;
    /// - fewer than 2 agents, or too many;
    /// - mistakes as for [`Plan::new`](crate::Plan::new).
    ///
    /// # Panics
    ///
    /// Panics if the document names no such protocol: see [`is_meant`](Self::is_meant).
    pub fn within(
        catalogue: &Catalogue,
        document: &Document,
        base: &Path,
        memory: u64,
    ) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let entry = Self::named(catalogue, document).expect("the document names one");
        let Work::Interactions {
            protocol: ProtocolSource::Library { parameters: written, .. },
            initial,
            way,
        } = &scenario.work
        else {
            unreachable!("the document names a protocol")
        };
        let values = transitions::values(document, entry.name, entry.parameters, written)?;
        let model = entry
            .build(&values)
            .map_err(|error| document.error("work.protocol.parameters", error.to_string()))?;
        let (topology, topology_written) = ChosenTopology::new(document, catalogue)?;
        let choice = document.choice("scheduler");
        let refused = |failure| document.refused(failure);
        let other = |message: &str| {
            let message = format!("{} has no transition table and {message}", entry.name);
            document.error("scheduler", message).accepting("UniformPairs")
        };
        let scheduler = choice.find(catalogue.schedulers().entries(), &[]).map_err(refused)?;
        if scheduler.pairs.is_none() {
            return Err(other("only runs under uniform pairs"));
        }
        let chosen = choice.chosen(scheduler, &[]).map_err(refused)?;
        let scheduler_written = chosen.fields();
        if !Law::of(&chosen).is_some_and(Law::is_plain) {
            return Err(other("does not support weights or directions of pairs"));
        }
        without_locks(document, false)?;
        if !scenario.faults.is_empty() {
            let message = format!("{} has no transition table, so faults are not available", entry.name);
            return Err(document.error("faults", message).accepting("omit this field"));
        }
        if scenario.observe.mean_field {
            let message = "the mean-field limit needs a protocol with a transition table";
            return Err(document.error("observe.mean_field", message).accepting("false, or omit this field"));
        }
        if *way != Partners::AnyLocked {
            let message = "this scheduler uses no locks, so `way` does not apply";
            return Err(document.error("work.way", message).accepting("AnyLocked, or omit this field"));
        }
        let mut notes = Vec::new();
        let (site, agents) = match complete_size(document, &topology)? {
            Some(agents) => (LazyPairs::Complete, agents),
            None if model.needs_complete_graph() => {
                let message = format!(
                    "the edges of {} have states, so this protocol needs the complete graph",
                    entry.name
                );
                return Err(document.error("topology", message).accepting("Complete(nodes: …)"));
            }
            None if topology.is_trace() => {
                let message = format!("{} has no transition table, so its graph must not change", entry.name);
                return Err(document.error("topology", message).accepting("a graph that does not change"));
            }
            None => {
                let terrain = GraphSource::new(
                    document,
                    &topology,
                    base,
                    RunMemory { bytes: memory, rung: Rung::F0 },
                    &mut notes,
                )?;
                let graph = terrain.sample();
                if graph.edges_max() == 0 {
                    let message = "the graph has no edges, so no agents ever interact";
                    return Err(document.error("topology", message).accepting("a graph with an edge"));
                }
                let agents = graph.nodes().into();
                (LazyPairs::Graph(Box::new(terrain)), agents)
            }
        };
        let most = if model.needs_complete_graph() { MAX_AGENTS as u64 } else { AGENTS_MAX };
        if agents > most {
            let message = counted(agents, "agent");
            return Err(document.error("topology.nodes", message).accepting(format!("2 to {most}")));
        }
        let classes = named(model.classes(), model.outputs());
        let starts: Vec<String> = model.starts().iter().map(|&start| start.to_owned()).collect();
        let starts = named(&starts, &starts);
        let names = match &site {
            LazyPairs::Complete => NodeNames::new(agents as u32, None),
            LazyPairs::Graph(terrain) => terrain.sample().node_names(),
        };
        let start = PopulationStart::new(document, initial, &starts, &names)?;
        notes.extend(names.notes());
        let scene = GoalContext {
            table: Some(&classes),
            is_trace: false,
            is_disturbed: false,
            tells_stability: model.tells_stability()
                && (model.needs_complete_graph() || matches!(site, LazyPairs::Graph(_))),
        };
        let (goals, stop_written) = goal::goals(document, catalogue, &scene)?;
        for (index, goal) in goals.iter().enumerate() {
            let accepted = "Counts(\"…\"), OutputsAgree, Settled or Interactions(…)";
            let message = match goal {
                PlanGoal::Counts { .. }
                | PlanGoal::Agreed
                | PlanGoal::Settled
                | PlanGoal::Own { .. }
                | PlanGoal::Bound(StopBound::Count(Measure::Interactions, _)) => continue,
                PlanGoal::Silent | PlanGoal::Stable => {
                    "this condition needs a transition table, and the protocol has none"
                }
                PlanGoal::Bound(_) | PlanGoal::TraceEnd => "uniform pairs have neither rounds nor Locks",
            };
            return Err(document.error(&format!("stop[{index}]"), message).accepting(accepted));
        }
        let rule = goal::rule(document, goals, &scene)?;
        let edges = match &site {
            LazyPairs::Complete => 0,
            LazyPairs::Graph(terrain) => terrain.sample().edges_max(),
        };
        let bytes = BYTES[0] * u128::from(agents) + BYTES[1] + 16 * u128::from(edges);
        if bytes > memory.into() {
            let message = format!("{agents} agents need about {} of memory", readable(bytes));
            return Err(document.error("topology", message).accepting(readable(memory.into())));
        }
        let resolved =
            [("topology", topology_written), ("scheduler", scheduler_written), ("stop", stop_written)];
        let header = PlanHeader {
            notes,
            bytes,
            bounds: rule.least_counts(),
            unrecorded: Some(PAIRS_UNRECORDED),
            ..PlanHeader::of_population(document, base, resolved, defaults(catalogue, &scenario.work))
        };
        let mut plan = Self {
            header,
            model,
            classes,
            site,
            agents,
            rule,
            every: every(document, agents, false, None)?,
            start,
        };
        plan.header.parameters = plan.resolved(entry, &starts, edges);
        Ok(plan)
    }

    fn resolved(&self, entry: &LazyEntry, starts: &Table, edges: u64) -> Vec<(String, String)> {
        let start = present(starts.state_names(), &self.start.counts(starts));
        let graph = match &self.site {
            LazyPairs::Complete => "every agent meets every other".to_owned(),
            LazyPairs::Graph(terrain) => {
                format!("{}{}", counted(edges, "edge"), terrain.drawn_note())
            }
        };
        [
            ("agents", self.agents.to_string()),
            ("graph", graph),
            ("protocol", format!("{}, without a table: states are numbered as they first occur", entry.name)),
            ("counted", entry.classes.to_owned()),
            ("start", start),
            ("memory", format!("at most about {}", readable(self.header.bytes))),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// The law by which pairs are drawn, in words for the record. Parallel time depends on it.
    pub(super) fn law(&self) -> &'static str {
        match self.site {
            LazyPairs::Complete => "uniform pairs: every ordered pair of agents is equally likely",
            LazyPairs::Graph(_) => "uniform pairs: every edge is equally likely, in either direction",
        }
    }

    /// The edges of a static graph in listed order.
    pub(super) fn edges(&self, graph: &InteractionGraph) -> Vec<[acrasin_runtime::NodeId; 2]> {
        let InteractionGraph::Fixed(graph) = graph else { unreachable!("the plan refuses other graphs") };
        graph.edges().iter().map(|&(u, v)| [u, v].map(acrasin_runtime::NodeId)).collect()
    }
}
