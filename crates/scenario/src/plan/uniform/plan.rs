//! [`UniformPlan`]: a scenario of uniform pairs, bound and checked.

use acrasin_catalogue::counted;
use std::path::Path;

use acrasin_engine::Rung;
use acrasin_process::{Measure, StopBound};
use acrasin_protocols::Table;
use acrasin_protocols::locked::Way;
use acrasin_protocols::uniform::{FaultKind, GraphPopulation, MAX_AGENTS, Population, Silent, TorusShape};
use acrasin_report::value::Value;

use super::super::build::{defaults, restless};
use super::super::goal::{self, GoalContext, PlanGoal, PlanStopRule};
use super::super::initial::{self, PopulationStart};
use super::super::interaction_graph::{GraphSource, InteractionGraph, memory_size};
use super::super::topology::ChosenTopology;
use super::super::transitions::{self, Transitions};
use super::faults;
use super::law::{EncounterGraph, Encounters, Law};
use crate::document::Scenario;
use crate::document::edges::{EdgeWeights, Initiator};
use crate::document::lock::{LockSettings, PortCount};
use crate::document::protocol::ProtocolSource;
use crate::document::quantity::Count;
use crate::document::scheduler::FairnessSetting;
use crate::document::stop::SampleInterval;
use crate::document::work::{Partners, Work};
use crate::memory::{RunMemory, RunSize, readable};
use crate::node_names::NodeNames;
use crate::run::{PAIRS_UNRECORDED, PlanHeader, present};
use crate::{Catalogue, Document, DocumentError};

/// The maximum number of agents for which the engine that stores all states in an array can be the fastest. A state
/// takes one or two bytes.
const ARRAY_AGENTS: u64 = 1 << 27;

/// The maximum number of agents with faults, whose interactions are simulated one by one.
const ENCOUNTERS_MAX: u64 = 1 << 31;

/// A scenario of uniform pairs whose parts fit together. It is made by [`UniformPlan::within`].
///
/// A plan is read-only: any number of runs, on any number of threads, can start from it. A run needs memory for the
/// counts, and for up to 2^27 agents also one or two bytes per agent.
#[derive(Debug)]
pub struct UniformPlan {
    pub(crate) header: PlanHeader,
    pub(super) table: Table,
    pub(super) silent: Silent,
    pub(super) site: InteractionModel,
    /// The number of agents; for a random graph, the number in the graph that was built to validate the plan.
    agents: u64,
    pub(super) rule: PlanStopRule,
    /// The distance between two samples of the counts, in interactions, or in rounds if time is counted in rounds.
    pub(super) every: SampleInterval,
    pub(super) has_mean_field: bool,
}

/// The interaction model with the initial states.
#[derive(Debug)]
pub(super) enum InteractionModel {
    /// Any two agents interact. The population is the initial one, which every run copies and starts with its own seed.
    Complete(Box<Population>),
    /// The two ends of a random edge interact.
    Graph(Box<(GraphSource, PopulationStart)>),
    /// Agents on a ring or torus, without a list of edges.
    Torus(TorusShape, PopulationStart),
    /// Interactions one after another, for faults, weights, directions or contacts.
    Encounters(Box<Encounters>),
    /// Rounds of random matchings of all agents, from these initial counts.
    Matched(Vec<u64>),
    /// Random matchings on a graph.
    MatchedGraph(Box<(GraphSource, PopulationStart)>),
}

impl InteractionModel {
    /// Whether a single run uses several threads: only runs of many agents do.
    fn uses_threads(&self, agents: u64) -> bool {
        match self {
            Self::Complete(start) => Population::uses_threads(start.agents()),
            Self::Torus(..) | Self::Graph(_) => GraphPopulation::uses_threads(agents),
            Self::Encounters(_) | Self::Matched(_) | Self::MatchedGraph(_) => false,
        }
    }

    /// The estimated nanoseconds per interaction at the start, from operation counts; `None` if there is no estimate.
    fn nanoseconds(&self) -> Option<f64> {
        if let Self::Complete(start) = self { Some(start.nanoseconds()) } else { None }
    }
}

impl UniformPlan {
    /// Whether the document names a scheduler that draws pairs of agents, without locks.
    #[must_use]
    pub fn is_meant(catalogue: &Catalogue, document: &Document) -> bool {
        let scheduler = document.choice("scheduler").find(catalogue.schedulers().entries(), &[]);
        scheduler.is_ok_and(|scheduler| scheduler.pairs.is_some())
    }

    /// Binds and checks everything that `document` says, for a process that may take `memory` bytes. Paths in it are
    /// relative to the folder `base`.
    ///
    /// # Errors
    ///
    /// The first mistake, with its position:
    ///
    /// - fields about locks, messages, rounds or changes of the graph;
    /// - a graph without an edge;
    /// - fewer than 2 agents or more than 2^53 (2^32 on a graph, 2^31 with faults);
    /// - mistakes as for [`Plan::new`](crate::Plan::new).
    pub fn within(
        catalogue: &Catalogue,
        document: &Document,
        base: &Path,
        memory: u64,
    ) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let room = RunMemory { bytes: memory, rung: Rung::F0 };
        let (topology, topology_written) = ChosenTopology::new(document, catalogue)?;
        let choice = document.choice("scheduler");
        let refused = |failure| document.refused(failure);
        let entry = choice.find(catalogue.schedulers().entries(), &[]).map_err(refused)?;
        let chosen = choice.chosen(entry, &[]).map_err(refused)?;
        let scheduler_written = chosen.fields();
        let Some(law) = Law::of(&chosen) else {
            let message = "this scheduler needs locks";
            return Err(document.error("scheduler", message).accepting("UniformPairs or RandomMatchings"));
        };
        let has_rounds = law == Law::Matchings || topology.is_trace();
        law.check(document, &topology)?;
        without_locks(document, has_rounds)?;
        let Work::Interactions { protocol, initial, way } = &scenario.work else {
            let message = "this scheduler pairs the agents of a protocol, but no protocol runs here";
            return Err(document.error("work", message).accepting("Interactions(protocol: …, initial: …)"));
        };
        if *way != Partners::AnyLocked {
            let message = "this scheduler uses no locks, so `way` does not apply";
            return Err(document.error("work.way", message).accepting("AnyLocked, or omit this field"));
        }
        let transitions = Transitions::new(catalogue, document, protocol, base)?;
        let table = &transitions.table;
        let scene = GoalContext {
            table: Some(table),
            is_trace: topology.is_trace(),
            is_disturbed: false,
            tells_stability: false,
        };
        let (goals, stop_written) = goal::goals(document, catalogue, &scene)?;
        for (index, goal) in goals.iter().enumerate() {
            let place = format!("stop[{index}]");
            let (message, accepted) = match goal {
                PlanGoal::Bound(StopBound::Count(Measure::Rounds, _)) if !has_rounds => (
                    "uniform pairs have neither rounds nor Locks",
                    "OutputsAgree, OutputsStable, Silent, Counts(\"…\") or Interactions(…)",
                ),
                PlanGoal::Bound(StopBound::Count(Measure::Locks, _)) => {
                    ("uniform pairs have no Locks", "OutputsAgree, OutputsStable, Silent or Counts(\"…\")")
                }
                PlanGoal::Bound(StopBound::Count(Measure::Interactions, _)) if law == Law::Matchings => (
                    "random matchings are counted in rounds",
                    "OutputsAgree, OutputsStable, Silent, Counts(\"…\") or Rounds(…)",
                ),
                _ => continue,
            };
            return Err(document.error(&place, message).accepting(accepted));
        }
        let mut rule = goal::rule(document, goals, &scene)?;
        if law == Law::Matchings && scenario.limits.interactions.is_some() {
            let message = "random matchings are counted in rounds";
            return Err(document.error("limits.interactions", message).accepting("limits: (rounds: …)"));
        }
        let is_complete = complete_size(document, &topology)?;
        let faults = faults::faults(document, table, is_complete.is_some())?;
        if law == Law::Matchings && !faults.is_empty() {
            let message = "faults happen between interactions, one after another";
            return Err(document
                .error("faults", message)
                .accepting("omit this field; or scheduler: UniformPairs"));
        }
        let is_plain = law.is_plain() && faults.is_empty() && !topology.is_trace();
        let mut notes = Vec::new();
        let encounters = |place| {
            let (weights, direction, rate) = match law {
                Law::Pairs { weights, direction, rate } => (weights, direction, rate),
                Law::Matchings => unreachable!("matchings are rounds"),
            };
            InteractionModel::Encounters(Box::new(Encounters {
                place,
                weights,
                direction,
                rate,
                faults: faults.clone(),
            }))
        };
        let (site, agents, counts) = match (is_complete, topology.torus_shape()) {
            (Some(agents), _) => {
                let counts = initial::counts(document, initial, table, agents)?;
                let site = match law {
                    Law::Matchings => InteractionModel::Matched(counts.clone()),
                    Law::Pairs { .. } if is_plain => {
                        let population = Population::new(table, &counts, 0);
                        let population =
                            population.map_err(|error| document.error("work.initial", error.to_string()))?;
                        InteractionModel::Complete(Box::new(population))
                    }
                    Law::Pairs { .. } if agents <= ENCOUNTERS_MAX => {
                        encounters(EncounterGraph::Complete(counts.clone()))
                    }
                    Law::Pairs { .. } => {
                        let message = format!("{agents} agents with faults");
                        let accepted = format!("2 to {ENCOUNTERS_MAX}");
                        return Err(document.error("topology.nodes", message).accepting(accepted));
                    }
                };
                (site, agents, counts)
            }
            (None, Some(shape)) if is_plain => {
                without_edges(shape).check(document, room)?;
                let names = NodeNames::new(shape.nodes() as u32, None);
                let start = PopulationStart::new(document, initial, table, &names)?;
                let counts = start.counts(table);
                (InteractionModel::Torus(shape, start), shape.nodes(), counts)
            }
            (None, _) => {
                let mut of_graph = Vec::new();
                let terrain = GraphSource::new(document, &topology, base, room, &mut of_graph)?;
                let graph = terrain.sample();
                if graph.edges_max() == 0 {
                    let message = "the graph has no edges, so no agents ever interact";
                    return Err(document.error("topology", message).accepting("a graph with an edge"));
                }
                rule.trace_end = graph.contacts().map(|contacts| contacts.end);
                let names = graph.node_names();
                let start = PopulationStart::new(document, initial, table, &names)?;
                let (agents, counts) = (graph.nodes().into(), start.counts(table));
                let arcs = match graph {
                    InteractionGraph::Fixed(graph) => law.arcs(document, &topology, base, graph)?,
                    InteractionGraph::Contacts(_) | InteractionGraph::Complete(_) => None,
                };
                // Notes about the simple graph do not apply to edges in listed order.
                let (arcs, of_arcs) = arcs.map_or((None, of_graph), |(arcs, notes)| (Some(arcs), notes));
                notes.extend(of_arcs);
                notes.extend(names.notes());
                let site = match (law, arcs) {
                    (Law::Matchings, _) => InteractionModel::MatchedGraph(Box::new((terrain, start))),
                    (Law::Pairs { .. }, Some(arcs)) => {
                        if arcs.iter().all(|arc| arc.weight == 0) {
                            let message = "all weights are 0: no two agents ever interact";
                            return Err(document
                                .error("topology.path", message)
                                .accepting("a weight above 0"));
                        }
                        encounters(EncounterGraph::Arcs(arcs, start, Box::new(terrain)))
                    }
                    (Law::Pairs { .. }, None) if is_plain => {
                        InteractionModel::Graph(Box::new((terrain, start)))
                    }
                    (Law::Pairs { .. }, None) => encounters(EncounterGraph::Graph(Box::new(terrain), start)),
                };
                (site, agents, counts)
            }
        };
        let is_swept =
            matches!(&site, InteractionModel::Torus(shape, _) if GraphPopulation::has_strips(table, *shape));
        if scenario.observe.mean_field && !matches!(site, InteractionModel::Complete(_)) {
            let message = "the mean-field limit is not available here: it needs uniform pairs on Complete, without faults";
            return Err(document.error("observe.mean_field", message).accepting("false, or omit this field"));
        }
        let every = every(document, agents, is_swept, has_rounds.then_some(rule.trace_end))?;
        let way = Way::AnyLocked;
        let mut present = counts.clone();
        for fault in &faults {
            match &fault.kind {
                FaultKind::Crash | FaultKind::Leave => {}
                FaultKind::Join { state } => present[usize::from(*state)] += 1,
                FaultKind::Corrupt { states } => {
                    states.iter().for_each(|&state| present[usize::from(state)] += 1);
                }
            }
        }
        let reachable = transitions::reachable(table, way, &present);
        transitions.check_claims(way, &reachable)?;
        let protocol_table = transitions::describe(table, way, &reachable);
        let mut unwritten = defaults(catalogue, &scenario.work);
        let mut file = None;
        if let (ProtocolSource::File { path }, Some(digest)) = (protocol, transitions.digest_of_file()) {
            file = Some(format!("{path}, digest {digest}"));
            unwritten.push(("work.protocol.digest".to_owned(), Value::Text(digest)));
        }
        if is_complete.is_some() {
            notes.extend(restless(table, &reachable, &rule.goals));
        }
        let states = u128::from(table.state_count());
        let each = if states <= 256 { 1 } else { 2 };
        let array = match &site {
            InteractionModel::Complete(_) if agents > ARRAY_AGENTS => 0,
            InteractionModel::Complete(_) => u128::from(agents) * each,
            InteractionModel::Graph(graph) => memory_size(graph.0.sample(), 1).bytes(Rung::F0),
            InteractionModel::Torus(shape, _) => without_edges(*shape).bytes(Rung::F0),
            InteractionModel::Matched(_) => u128::from(agents.min(1 << 27)) * 2,
            InteractionModel::MatchedGraph(graph) => 3 * memory_size(graph.0.sample(), 1).bytes(Rung::F0),
            InteractionModel::Encounters(site) => match &site.place {
                EncounterGraph::Complete(_) => u128::from(agents) * 16,
                EncounterGraph::Arcs(arcs, ..) => u128::from(agents) * 16 + 80 * arcs.len() as u128,
                EncounterGraph::Graph(terrain, _) => {
                    let graph = terrain.sample();
                    let changes = graph.contacts().map_or(0, |contacts| contacts.change_count() as u128);
                    u128::from(agents) * 16 + 80 * u128::from(graph.edges_max()) + 24 * changes
                }
            },
        };
        let bytes = array + states * states * 16 + states * 256 + (1 << 20);
        if bytes > memory.into() {
            let message =
                format!("{agents} agents with {states} states need about {} of memory", readable(bytes));
            return Err(document.error("topology", message).accepting(readable(memory.into())));
        }
        let resolved =
            [("topology", topology_written), ("scheduler", scheduler_written), ("stop", stop_written)];
        let header = PlanHeader {
            notes,
            bytes,
            protocol_table: Some(protocol_table),
            bounds: rule.least_counts(),
            nanoseconds: site.nanoseconds(),
            uses_threads: site.uses_threads(agents),
            is_for_ranks: is_swept,
            unrecorded: Some(PAIRS_UNRECORDED),
            ..PlanHeader::of_population(document, base, resolved, unwritten)
        };
        let mut plan = Self {
            header,
            silent: Silent::new(&transitions.table),
            table: transitions.table,
            site,
            agents,
            rule,
            every,
            has_mean_field: scenario.observe.mean_field,
        };
        plan.header.parameters = plan.resolved(&counts);
        plan.header.parameters.extend(file.map(|file| ("protocol file".to_owned(), file)));
        Ok(plan)
    }

    fn resolved(&self, counts: &[u64]) -> Vec<(String, String)> {
        let start = present(self.table.state_names(), counts);
        let graph = match &self.site {
            InteractionModel::Complete(_) | InteractionModel::Matched(_) => {
                "every agent meets every other".to_owned()
            }
            InteractionModel::Graph(graph) | InteractionModel::MatchedGraph(graph) => {
                let terrain = &graph.0;
                format!("{}{}", counted(terrain.sample().edges_max(), "edge"), terrain.drawn_note())
            }
            InteractionModel::Torus(shape, _) => counted(shape.edge_count(), "edge"),
            InteractionModel::Encounters(site) => match &site.place {
                EncounterGraph::Complete(_) => "every agent meets every other".to_owned(),
                EncounterGraph::Arcs(arcs, ..) => {
                    let edge = if site.direction == Initiator::Either { "edge" } else { "directed edge" };
                    format!("{} of the file", counted(arcs.len(), edge))
                }
                EncounterGraph::Graph(terrain, _) => match terrain.sample().contacts() {
                    Some(contacts) => {
                        let [begins, pairs] = [(contacts.begins, "contact"), (contacts.pairs, "pair")]
                            .map(|(count, noun)| counted(count, noun));
                        format!("{begins} of {pairs}")
                    }
                    None => counted(terrain.sample().edges_max(), "edge"),
                },
            },
        };
        [
            ("nodes", self.agents.to_string()),
            ("graph", graph),
            ("rung", format!("{}: {}", Rung::F0, Rung::F0.summary())),
            ("time", self.law()),
            ("start", start),
            ("memory", format!("at most about {}", readable(self.header.bytes))),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// The law by which pairs are drawn, in words for the record. Parallel time depends on it.
    pub(super) fn law(&self) -> String {
        const PAIRS: &str = "uniform pairs: each interaction is of a uniformly random ordered pair of agents";
        let faults =
            |site: &Encounters| if site.faults.is_empty() { "" } else { "; faults after interactions" };
        match &self.site {
            InteractionModel::Complete(_) => PAIRS.to_owned(),
            InteractionModel::Graph(_) | InteractionModel::Torus(..) => {
                "uniform edges: each interaction is of a uniformly random edge in a random direction"
                    .to_owned()
            }
            InteractionModel::Matched(_) => {
                "random matchings: in each round every agent is in a pair with another, uniformly at random"
                    .to_owned()
            }
            InteractionModel::MatchedGraph(_) => {
                "random matchings: in each round edges in random order, if neither end is matched yet"
                    .to_owned()
            }
            InteractionModel::Encounters(site) => match (&site.place, site.rate) {
                (EncounterGraph::Complete(_), _) => format!("{PAIRS}{}", faults(site)),
                (_, Some(rate)) => {
                    format!(
                        "contacts: each present contact interacts {rate} times per round on average{}",
                        faults(site)
                    )
                }
                (EncounterGraph::Graph(terrain, _), None) if terrain.sample().contacts().is_some() => {
                    format!("contacts: one uniformly random contact interacts in each round{}", faults(site))
                }
                (EncounterGraph::Arcs(..) | EncounterGraph::Graph(..), None) => {
                    let weights = match site.weights {
                        EdgeWeights::Equal => "uniformly random edge",
                        EdgeWeights::Column => "random edge by its weight",
                        EdgeWeights::DegreeProduct => "random edge by the product of its degrees",
                    };
                    let direction = site.direction.words();
                    format!("each interaction is of a {weights}, {direction}{}", faults(site))
                }
            },
        }
    }
}

/// The quantities that determine the memory of a ring or torus. Its edges are computed, not stored, so they count as 0.
fn without_edges(shape: TorusShape) -> RunSize {
    RunSize { nodes: shape.nodes().into(), edges: 0, ports: 1, state: 8, changes: 0 }
}

/// The number of agents, if every agent can interact with every other one.
pub(in super::super) fn complete_size(
    document: &Document,
    topology: &ChosenTopology,
) -> Result<Option<u64>, DocumentError> {
    let size = match topology {
        ChosenTopology::Family(family, _) if topology.is_complete() => family.size().nodes,
        ChosenTopology::Family(..) | ChosenTopology::Other(_) => return Ok(None),
    };
    match u64::try_from(size) {
        Ok(agents @ 2..=MAX_AGENTS) => Ok(Some(agents)),
        _ => {
            let accepted = format!("2 to {MAX_AGENTS}");
            Err(document.error("topology.nodes", counted(size, "agent")).accepting(accepted))
        }
    }
}

/// Refuses fields about locks, messages and changes of the graph, and about rounds if `has_rounds` is false. Fields
/// with their default value are accepted, because `--set` can replace a field but not remove it.
pub(in super::super) fn without_locks(document: &Document, has_rounds: bool) -> Result<(), DocumentError> {
    let Scenario { ports, lock, fairness, disturbances, limits, .. } = document.scenario();
    for (field, is_default, without) in [
        ("ports", *ports == PortCount::default(), "ports=Auto"),
        ("lock", *lock == LockSettings::default(), "lock=()"),
        ("fairness", *fairness == FairnessSetting::default(), "fairness=Auto"),
        ("disturbances", disturbances.is_empty(), "disturbances=[]"),
        ("limits.rounds", has_rounds || limits.rounds.is_none(), "limits=()"),
        ("limits.steps", limits.steps.is_none(), "limits=()"),
    ] {
        if document.locate(field).is_some() && !is_default {
            let message = "uniform pairs have no locks, no messages, no rounds and no changes of the graph";
            let error = document.error(field, message).accepting("omit this field; or another scheduler");
            return Err(error.hinting(format!("--set '{without}' leaves it out")));
        }
    }
    let rung = Rung::from(document.scenario().rung);
    if document.locate("rung").is_some() && rung != Rung::F0 {
        let message = format!("uniform pairs run on rung F0, but the rung here is {rung}");
        return Err(document.error("rung", message).accepting("F0, or omit this field"));
    }
    Ok(())
}

/// The hint for a sampling distance in a unit that this scheduler does not have.
const WITHOUT_OBSERVE: &str = "--set 'observe=()' leaves it out";

/// The distance between two samples. The default is parallel time 1, or 0.1 for 100,000 or more agents, unless each
/// sample visits all agents (`is_swept`). If time is counted in rounds, the default is one round; for contacts it is
/// about a thousandth of the trace.
pub(in super::super) fn every(
    document: &Document,
    agents: u64,
    is_swept: bool,
    rounds: Option<Option<u64>>,
) -> Result<SampleInterval, DocumentError> {
    let place = "observe.counts_every";
    match (document.scenario().observe.counts_every, rounds) {
        (None, None) => Ok(SampleInterval::Interactions(Count(if agents < 100_000 || is_swept {
            agents
        } else {
            agents / 10
        }))),
        (None, Some(end)) => Ok(SampleInterval::Rounds(Count(end.map_or(1, |end| (end / 1000).max(1))))),
        (Some(SampleInterval::Interactions(Count(0)) | SampleInterval::Rounds(Count(0))), _) => {
            Err(document.error(place, "a distance of 0 between two samples").accepting("1 or more"))
        }
        (Some(every @ SampleInterval::Interactions(_)), None)
        | (Some(every @ SampleInterval::Rounds(_)), Some(_)) => Ok(every),
        (Some(_), None) => {
            let message = "uniform pairs have neither rounds nor steps";
            Err(document.error(place, message).accepting("Interactions(…)").hinting(WITHOUT_OBSERVE))
        }
        (Some(_), Some(_)) => {
            let message = "time is counted in rounds here";
            Err(document.error(place, message).accepting("Rounds(…)").hinting(WITHOUT_OBSERVE))
        }
    }
}
