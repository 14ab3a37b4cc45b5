//! [`Plan`]: a scenario bound to implementations and checked.

use std::path::Path;

use acrasin_catalogue::parameter::{Parameter, ParameterKind};
use acrasin_engine::{Lattice, Rung};
use acrasin_protocols::Table;
use acrasin_protocols::locked::Way;
use acrasin_report::value::Value;
use acrasin_runtime::exclusion::Exclusion as _;
use acrasin_runtime::{Demand, LockSetRule, Timing};

use super::assumptions;
use super::goal::{self, GoalContext, PlanGoal, PlanStopRule};
use super::initial::PopulationStart;
use super::interaction_graph::{GraphSource, InteractionGraph, memory_size};
use super::locking::{self, ChosenExclusion, Locking};
use super::rung;
use super::schedule::{self, ChosenScheduler, FairnessBound};
use super::topology::ChosenTopology;
use super::transitions::{self, Transitions};
use crate::document::protocol::ProtocolSource;
use crate::document::quantity::{Count, NodeName};
use crate::document::scheduler::Disturbance;
use crate::document::stop::SampleInterval;
use crate::document::work::{Repeats, Work};
use crate::exclusion::ResolvedExclusion;
use crate::limits::MEMORY_BYTES;
use crate::memory::{RunMemory, readable};
use crate::node_names::NodeNames;
use crate::run::{PlanHeader, present};
use crate::scheduler::Schedule;
use crate::{Catalogue, Document, DocumentError};

/// A scenario whose parts fit together, bound to implementations. A plan is made by [`Plan::new`].
///
/// A plan is read-only: any number of runs, on any number of threads, can start from it.
#[derive(Debug)]
pub struct Plan {
    pub(crate) header: PlanHeader,
    pub(super) terrain: GraphSource,
    pub(super) locking: Locking,
    pub(super) exclusion: ResolvedExclusion,
    pub(super) rung: Rung,
    /// The torus on which rung F2 runs; `None` on other rungs.
    pub(super) lattice: Option<Lattice>,
    pub(super) schedule: Schedule,
    pub(super) bound: FairnessBound,
    pub(super) disturbances: Vec<Disturbance>,
    pub(super) labour: NodeWork,
    pub(super) rule: PlanStopRule,
    pub(super) every: SampleInterval,
    /// The memory limit of a run in bytes.
    pub(super) memory: u64,
}

/// The work of the nodes.
#[derive(Debug)]
pub(super) enum NodeWork {
    Interactions {
        table: Table,
        way: Way,
        start: PopulationStart,
    },
    /// The number of Locks of each node.
    Locks {
        demands: Vec<Demand>,
    },
}

impl Plan {
    /// Binds and checks everything that `document` says. Paths in it are relative to the folder `base`.
    ///
    /// Graphs and contacts that do not depend on the seed are read or built here. A graph that depends on the seed is
    /// built once as a check, and again for every run with another seed.
    ///
    /// # Errors
    ///
    /// The first mistake, with its position:
    ///
    /// - a file that cannot be read, with the position in that file;
    /// - parameters out of range, unknown names, nodes that do not exist, counts that do not add up;
    /// - a claim of conservation that a transition violates;
    /// - an adversary without a bound, or a run without an end;
    /// - a field that the rung does not support;
    /// - an estimate of memory above [`MEMORY_BYTES`].
    pub fn new(document: &Document, base: &Path) -> Result<Self, DocumentError> {
        Self::with_catalogue(&Catalogue::shipped(), document, base)
    }

    /// Creates a plan with the entries of `catalogue`.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn with_catalogue(
        catalogue: &Catalogue,
        document: &Document,
        base: &Path,
    ) -> Result<Self, DocumentError> {
        Self::within(catalogue, document, base, MEMORY_BYTES)
    }

    /// Creates a plan for a process that may take `memory` bytes.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), with this limit in place of [`MEMORY_BYTES`].
    pub fn within(
        catalogue: &Catalogue,
        document: &Document,
        base: &Path,
        memory: u64,
    ) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let mut notes = Vec::new();
        let (topology, topology_written) = ChosenTopology::new(document, catalogue)?;
        let scheduler = ChosenScheduler::new(document, catalogue)?;
        if scenario.observe.mean_field {
            let message = "the mean-field limit is not available for runs under locks";
            return Err(document
                .error("observe.mean_field", message)
                .accepting("false, or scheduler: UniformPairs"));
        }
        if !scenario.faults.is_empty() {
            let message = "faults happen between interactions, one after another";
            return Err(document
                .error("faults", message)
                .accepting("omit this field; or scheduler: UniformPairs"));
        }
        let locking = Locking::new(document)?;
        let exclusion = ChosenExclusion::new(document, catalogue)?;
        let rung = rung::rung(document, &topology, &scheduler)?;
        // A table is checked before a large graph is built.
        let transitions = match &scenario.work {
            Work::Interactions { protocol, .. } => {
                Some(Transitions::new(catalogue, document, protocol, base)?)
            }
            Work::Locks { .. } | Work::Idle => None,
        };
        let table = transitions.as_ref().map(|transitions| &transitions.table);
        let is_trace = topology.is_trace();
        let scene = GoalContext {
            table,
            is_trace,
            is_disturbed: !scenario.disturbances.is_empty(),
            tells_stability: false,
        };
        let (goals, stop_written) = goal::goals(document, catalogue, &scene)?;
        let rule = goal::rule(document, goals, &scene)?;
        let every = sampling(document, table.is_some())?;
        let disturbance_words = schedule::disturbance_words(document, is_trace)?;
        let terrain = GraphSource::new(
            document,
            &topology,
            base,
            RunMemory { bytes: memory, rung: scenario.rung.into() },
            &mut notes,
        )?;
        let sample = terrain.sample();
        let (nodes, names) = (sample.nodes(), sample.node_names());
        let scheduler_written = scheduler.written.clone();
        let schedule = scheduler.schedule(document, &names)?;
        let (exclusion, exclusion_written) = locking::exclusion(document, exclusion, base, &names)?;
        let exclusion = match scenario.work {
            Work::Interactions { .. } => exclusion.for_interactions(),
            Work::Locks { .. } | Work::Idle => exclusion,
        };
        assert!(schedule.runs_on(rung), "rung {rung} does not run what its entry says: {}", schedule.words());
        let bound = FairnessBound::new(document, &schedule)?;
        let mut protocol_table = None;
        let mut protocol_file = None;
        let labour = match (&scenario.work, transitions) {
            (Work::Interactions { protocol, way, initial }, Some(transitions)) => {
                let table = &transitions.table;
                let way = locking::way(*way);
                let start = PopulationStart::new(document, initial, table, &names)?;
                let reachable = transitions::reachable(table, way, &start.counts(table));
                transitions.check_claims(way, &reachable)?;
                protocol_table = Some(transitions::describe(table, way, &reachable));
                if topology.is_complete() {
                    notes.push(OTHER_LAW.to_owned());
                }
                notes.extend(restless(table, &reachable, &rule.goals));
                if let (ProtocolSource::File { path }, Some(digest)) =
                    (protocol, transitions.digest_of_file())
                {
                    protocol_file = Some((path, digest));
                }
                NodeWork::Interactions { table: transitions.table, way, start }
            }
            (work, _) => NodeWork::Locks { demands: demands(document, work, &names)? },
        };
        notes.extend(names.notes());
        let ports = sample.ports(terrain.written_ports()).expect("checked with the terrain");
        if exclusion.is_local() {
            assumptions::check(&locking.algorithm(ports).assumes(), document, sample)?;
        } else {
            assumptions::check_seated(&exclusion, &schedule, document, (sample, ports))?;
        }
        let contenders = match &labour {
            NodeWork::Interactions { .. } => u64::from(nodes),
            NodeWork::Locks { demands } => {
                demands.iter().filter(|&&demand| demand != Demand::Times(0)).count() as u64
            }
        };
        match &labour {
            _ if exclusion.is_local() => notes.extend(locking.note(ports, contenders)),
            NodeWork::Locks { demands }
                if exclusion.may_leave_waiting() && demands.iter().any(|&d| d != Demand::Forever) =>
            {
                notes.push(SOME_STOP.to_owned());
            }
            _ => {}
        }
        let mut unwritten = defaults(catalogue, &scenario.work);
        if let Some((_, digest)) = &protocol_file {
            unwritten.push(("work.protocol.digest".to_owned(), Value::Text(digest.clone())));
        }
        let resolved =
            [("topology", topology_written), ("scheduler", scheduler_written), ("stop", stop_written)];
        let resolved = resolved.into_iter().chain(exclusion_written.map(|fields| ("exclusion", fields)));
        let header = PlanHeader {
            notes,
            bytes: memory_size(terrain.sample(), ports).bytes(rung),
            protocol_table,
            bounds: rule.least_counts(),
            // F4 makes one step after another; the other rungs use all threads.
            uses_threads: rung != Rung::F4,
            ..PlanHeader::of_population(document, base, resolved, unwritten)
        };
        let mut plan = Self {
            header,
            terrain,
            locking,
            exclusion,
            rung,
            lattice: topology.lattice().filter(|_| rung == Rung::F2),
            schedule,
            bound,
            disturbances: scenario.disturbances.clone(),
            labour,
            rule,
            every,
            memory,
        };
        plan.header.parameters = plan.resolved(ports, disturbance_words);
        let said = protocol_file.map(|(path, digest)| format!("{path}, digest {digest}"));
        plan.header.parameters.extend(said.map(|file| ("protocol file".to_owned(), file)));
        Ok(plan)
    }

    /// Whether, under the scheduler of the plan, messages leave one by one while the graph changes.
    #[must_use]
    pub fn is_asynchronous(&self) -> bool {
        self.schedule.timing() == Timing::OneByOne
    }

    /// The rung: the level of detail at which the lock algorithm is executed.
    #[must_use]
    pub fn rung(&self) -> Rung {
        self.rung
    }

    fn resolved(&self, ports: u16, disturbances: Vec<String>) -> Vec<(String, String)> {
        let graph = self.terrain.sample();
        let drawn = self.terrain.drawn_note();
        let mut list: Vec<(String, String)> = Vec::new();
        let mut say = |name: &str, value: String| list.push((name.to_owned(), value));
        say("nodes", graph.nodes().to_string());
        match graph {
            InteractionGraph::Fixed(graph) => say("edges", format!("{}{drawn}", graph.edges().len())),
            InteractionGraph::Complete(_) => say("edges", graph.edges_max().to_string()),
            InteractionGraph::Contacts(contacts) => {
                say("contacts", format!("{} of {} pairs{drawn}", contacts.begins, contacts.pairs));
                say("records", contacts.records.to_string());
                say("steps", format!("{} of {} s", contacts.steps, contacts.resolution));
                say("rounds of the trace", contacts.end.to_string());
                say("edges at one time", format!("up to {}", contacts.edges_max));
            }
        }
        match graph {
            InteractionGraph::Complete(_) => say("ports", graph.degree_max().to_string()),
            _ => say("ports", format!("{ports}{drawn}")),
        }
        say("rung", format!("{}: {}", self.rung, self.rung.summary()));
        if self.rung == Rung::F1 {
            let stricter = match self.locking.lock_set {
                LockSetRule::Neighbourhood => "",
                LockSetRule::Pair => ", which contains the pair: stricter than a lock of the pair",
            };
            match graph {
                InteractionGraph::Complete(_) => say("lock set", "pair".to_owned()),
                _ => say("lock set", format!("closed neighbourhood{stricter}")),
            }
            say("scheduler", self.schedule.words().to_owned());
        } else {
            if self.exclusion.is_local() {
                say("priorities", format!("{}{drawn}", self.locking.priorities(ports, self.rung)));
                say("lock", self.locking.rules());
                say("lock set", self.locking.lock_set_words().to_owned());
                say("messages of a node to itself", self.locking.self_messages_words().to_owned());
            } else {
                say("exclusion", self.exclusion.words().to_owned());
            }
            match (self.rung, self.schedule.rounds()) {
                (Rung::F2 | Rung::F3, Some(activation)) => {
                    say("scheduler", schedule::macro_words(activation));
                }
                _ => say("scheduler", self.schedule.words().to_owned()),
            }
            let bound =
                self.bound.turns(self.schedule.is_stepwise(), graph.nodes(), graph.edges_max(), ports);
            let fairness = bound.map(|turns| format!("within {turns} turns"));
            say("fairness", fairness.unwrap_or_else(|| "with probability 1".to_owned()));
        }
        for words in disturbances {
            say("disturbance", words);
        }
        match &self.labour {
            NodeWork::Interactions { table, way, start } => {
                let words = match way {
                    Way::AnyLocked => "with any locked neighbour",
                    Way::PickedPair => "with a neighbour picked before the lock",
                    Way::Group => "of all locked nodes",
                };
                say("interactions", words.to_owned());
                say("start", present(table.state_names(), &start.counts(table)));
            }
            NodeWork::Locks { demands } => {
                let callers = demands.iter().filter(|&&demand| demand != Demand::Times(0)).count();
                say("nodes that lock", callers.to_string());
            }
        }
        say("memory", format!("at most about {}", readable(self.header.bytes)));
        list
    }
}

/// The reason for this refusal: the leader raises a request when all nodes around it wait, but a node that has
/// completed its Locks no longer waits.
const SOME_STOP: &str = "the scheme Leader assumes that every node continues: after a number of Locks the \
                         remaining nodes may wait forever, and the run then ends as `left waiting` \
                         (accepted: each: Forever with a stop condition, or scheme: Home)";

/// A warning for locked runs on the complete graph, whose parallel time is easily mistaken for that of the textbook
/// model.
const OTHER_LAW: &str = "parallel time under locks is not comparable with that of uniform pairs on the \
                         complete graph (scheduler: UniformPairs)";

/// The default values of the parameters of a library protocol that the scenario omits.
pub(super) fn defaults(catalogue: &Catalogue, work: &Work) -> Vec<(String, Value)> {
    let Work::Interactions { protocol: ProtocolSource::Library { name, .. }, .. } = work else {
        return Vec::new();
    };
    let listed = catalogue.protocols().find(name).map(|entry| entry.parameters);
    let lazy = || catalogue.lazy_protocols().find(name).map(|entry| entry.parameters);
    let listed = listed.or_else(lazy).unwrap_or_default();
    let value = |parameter: &Parameter| match parameter.kind {
        ParameterKind::Whole { default, .. } => {
            Some((format!("work.protocol.parameters.{}", parameter.name), Value::Signed(default)))
        }
        _ => None,
    };
    listed.iter().filter_map(value).collect()
}

/// The sampling of counts; every round by default.
fn sampling(document: &Document, has_states: bool) -> Result<SampleInterval, DocumentError> {
    let place = "observe.counts_every";
    let written = document.scenario().observe.counts_every;
    let (SampleInterval::Rounds(Count(distance))
    | SampleInterval::Steps(Count(distance))
    | SampleInterval::Interactions(Count(distance))) = written.unwrap_or(SampleInterval::Rounds(Count(1)));
    if distance == 0 {
        return Err(document.error(place, "a distance of 0 between two samples").accepting("1 or more"));
    }
    if written.is_some() && !has_states {
        let message = "there are no states to count, because no protocol runs";
        return Err(document.error(place, message).accepting("omit this field, or work: Interactions(…)"));
    }
    Ok(written.unwrap_or(SampleInterval::Rounds(Count(1))))
}

/// The number of Locks of each node.
fn demands(document: &Document, work: &Work, names: &NodeNames<'_>) -> Result<Vec<Demand>, DocumentError> {
    let nodes = names.nodes();
    let Work::Locks { each, callers } = work else {
        return Ok(vec![Demand::Times(0); nodes as usize]);
    };
    let demand = match each {
        Repeats::Forever => Demand::Forever,
        Repeats::Times(times) => Demand::Times(u32::try_from(*times).map_err(|_| {
            let accepted = format!("Forever, or 0 to {}", u32::MAX);
            document.error("work.each", format!("{times} Locks each")).accepting(accepted)
        })?),
    };
    let Some(callers) = callers else {
        return Ok(vec![demand; nodes as usize]);
    };
    let mut called = vec![false; nodes as usize];
    let listed: Vec<(String, &NodeName)> = callers
        .iter()
        .enumerate()
        .map(|(index, caller)| (format!("work.callers[{index}]"), caller))
        .collect();
    for ((place, caller), number) in listed.iter().zip(names.numbers(document, &listed)?) {
        if std::mem::replace(&mut called[number as usize], true) {
            let message = format!("node {} is listed twice", caller.text());
            return Err(document.error(place, message).accepting("each caller once"));
        }
    }
    Ok(called.into_iter().map(|calls| if calls { demand } else { Demand::Times(0) }).collect())
}

/// The reason why a run with the goal of silence never becomes silent: two agents in the same state always change, for
/// every reachable state.
pub(super) fn restless(table: &Table, reachable: &[bool], goals: &[PlanGoal]) -> Option<String> {
    let wants_silence = goals.iter().any(|goal| matches!(goal, PlanGoal::Silent));
    let reached = || table.states().filter(|&state| reachable[usize::from(state)]);
    let restless = reached().all(|state| !table.pair_is_null(state, state));
    (wants_silence && restless).then(|| {
        format!(
            "this protocol never becomes silent with more than {} agents that can all meet: two agents in \
             the same state always react",
            reached().count()
        )
    })
}
