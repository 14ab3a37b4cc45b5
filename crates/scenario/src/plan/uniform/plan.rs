//! [`UniformPlan`]: a scenario of uniform pairs, bound and checked.

use std::path::Path;
use std::sync::Arc;

use acrasin_engine::Rung;
use acrasin_protocols::Table;
use acrasin_protocols::locked::Way;
use acrasin_protocols::uniform::MAX_AGENTS;
use acrasin_report::value::Value;

use super::super::build::{defaults, restless};
use super::super::goal::{self, Goal, Scene};
use super::super::initial;
use super::super::topology::ChosenTopology;
use super::super::transitions::{self, Transitions};
use crate::document::protocol::Protocol;
use crate::document::quantity::Count;
use crate::document::stop::Every;
use crate::document::work::{Partners, Work};
use crate::document::{Written, parameters};
use crate::memory::readable;
use crate::run::Source;
use crate::scheduler::uniform_pairs;
use crate::{Catalogue, Document, DocumentError};

/// The law that time has here.
pub(super) const LAW: &str =
    "uniform pairs: each interaction is of a uniformly random ordered pair of agents";

/// Up to so many agents an array of states may be the cheapest way: a byte or two each.
const ARRAY_AGENTS: u64 = 1 << 27;

/// A scenario of uniform pairs whose parts fit together. Only [`UniformPlan::within`] makes one.
///
/// It is read only: any number of runs, on any number of threads, come from one. Memory is that of the counts, for up to 2^27
/// agents also of a byte or two each.
#[derive(Debug)]
pub struct UniformPlan {
    pub(super) title: String,
    seed: Option<u64>,
    pub(super) source: Source,
    notes: Vec<String>,
    parameters: Vec<(String, String)>,
    protocol_table: String,
    pub(super) table: Table,
    /// How many agents start in each state.
    pub(super) counts: Vec<u64>,
    pub(super) agents: u64,
    pub(super) goals: Vec<Goal>,
    pub(super) limit: Option<u64>,
    /// Interactions between two samples of the counts.
    pub(super) distance: u64,
    bytes: u128,
}

impl UniformPlan {
    /// Whether the document names the scheduler of uniform pairs.
    #[must_use]
    pub fn is_meant(document: &Document) -> bool {
        document.choice("scheduler").is_one_of(&[uniform_pairs::NAME])
    }

    /// Binds and checks everything that `document` says, for a process that may take `memory` bytes. Paths in it are
    /// relative to the folder `base`.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit, at its place: whatever is about locks, messages, rounds or changes of the
    /// graph, another graph than the complete one, fewer than 2 agents or more than 2^53; else as
    /// [`Plan::new`](crate::Plan::new).
    pub fn within(
        catalogue: &Catalogue,
        document: &Document,
        base: &Path,
        memory: u64,
    ) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let (agents, topology_written) = agents(document, catalogue)?;
        let choice = document.choice("scheduler");
        let refused = |failure| document.refused(failure);
        let entry = choice.find(catalogue.schedulers().entries(), &[]).map_err(refused)?;
        let chosen = choice.chosen(entry, &[]).map_err(refused)?;
        let scheduler_written = Written::named(entry.name, chosen.fields);
        without_locks(document)?;
        let Work::Interactions { protocol, initial, way } = &scenario.work else {
            let message = "uniform pairs interact, and no protocol runs here";
            return Err(document.error("work", message).accepting("Interactions(protocol: …, initial: …)"));
        };
        if *way != Partners::AnyLocked {
            let message = "uniform pairs are drawn, not locked";
            return Err(document.error("work.way", message).accepting("AnyLocked, or nothing here"));
        }
        let transitions = Transitions::new(catalogue, document, protocol, base)?;
        let table = &transitions.table;
        let scene = Scene { table: Some(table), is_trace: false, is_disturbed: false };
        let goals = goal::goals(document, &scene)?;
        for (index, goal) in goals.iter().enumerate() {
            if matches!(goal, Goal::Rounds(_) | Goal::Locks(_)) {
                let message = "uniform pairs have neither rounds nor Locks";
                let accepted = "OutputsAgree, Silent, Counts(\"…\") or Interactions(…)";
                return Err(document.error(&format!("stop[{index}]"), message).accepting(accepted));
            }
        }
        let limit = goal::limits(document, &goals, &scene)?.interactions;
        let distance = distance(document, agents)?;
        let counts = initial::counts(document, initial, table, agents)?;
        let way = Way::AnyLocked;
        let reachable = transitions::reachable(table, way, &counts);
        transitions.check_claims(way, &reachable)?;
        let protocol_table = transitions::describe(table, way, &reachable);
        let mut unwritten = defaults(catalogue, &scenario.work);
        let mut file = None;
        if let (Protocol::File { path }, Some(digest)) = (protocol, transitions.digest_of_file()) {
            file = Some(format!("{path}, digest {digest}"));
            unwritten.push(("work.protocol.digest".to_owned(), Value::Text(digest)));
        }
        let notes = restless(table, &reachable, &goals).into_iter().collect();
        let written =
            Written::of(scenario).with("topology", topology_written).with("scheduler", scheduler_written);
        let states = u128::from(table.state_count());
        let each = if states <= 256 { 1 } else { 2 };
        let array = if agents <= ARRAY_AGENTS { u128::from(agents) * each } else { 0 };
        let bytes = array + states * states * 16 + states * 256 + (1 << 20);
        if bytes > memory.into() {
            let message =
                format!("{agents} agents with {states} states need about {} of memory", readable(bytes));
            return Err(document.error("topology", message).accepting(readable(memory.into())));
        }
        let mut plan = Self {
            title: scenario.title.clone().unwrap_or_else(|| document.file().to_owned()),
            seed: scenario.seed.map(|seed| seed.0),
            source: Source {
                file: document.file().to_owned(),
                text: document.text().to_owned(),
                digest: document.digest(),
                parameters: Arc::new(parameters::section(written, unwritten)),
            },
            notes,
            parameters: Vec::new(),
            protocol_table,
            table: transitions.table,
            counts,
            agents,
            goals,
            limit,
            distance,
            bytes,
        };
        plan.parameters = plan.resolved();
        plan.parameters.extend(file.map(|file| ("protocol file".to_owned(), file)));
        Ok(plan)
    }

    fn resolved(&self) -> Vec<(String, String)> {
        let shown = self.table.states().filter(|&state| self.counts[usize::from(state)] > 0).take(20);
        let start: Vec<String> = shown
            .map(|state| format!("{} {}", self.table.state_name(state), self.counts[usize::from(state)]))
            .collect();
        [
            ("nodes", self.agents.to_string()),
            ("rung", format!("{}: {}", Rung::F0, Rung::F0.summary())),
            ("time", LAW.to_owned()),
            ("start", start.join(", ")),
            ("memory", format!("at most about {}", readable(self.bytes))),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// The title of the scenario, or the name of its file.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The seed that is written, if one is.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// What the user should know before the run.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What the words of the scenario came to, as (name, value).
    #[must_use]
    pub fn parameters(&self) -> Vec<(String, String)> {
        self.parameters.clone()
    }

    /// The protocol as it will run: effective table, class, conserved quantities, states that cannot occur.
    #[must_use]
    pub fn protocol_table(&self) -> &str {
        &self.protocol_table
    }

    /// Bytes that a run takes, estimated from above.
    #[must_use]
    pub fn bytes(&self) -> u128 {
        self.bytes
    }
}

/// How many agents there are, if the graph is the complete one.
fn agents(document: &Document, catalogue: &Catalogue) -> Result<(u64, Written), DocumentError> {
    let (topology, written) = ChosenTopology::new(document, catalogue)?;
    let family = match &topology {
        ChosenTopology::Family(family, _) if family.entry().name == "Complete" => family,
        ChosenTopology::Family(..) | ChosenTopology::Other(_) => {
            let message = "uniform pairs are of the complete graph: everybody meets everybody";
            let accepted = "Complete(nodes: …); or a scheduler with locks, which runs on every graph";
            return Err(document.error("topology", message).accepting(accepted));
        }
    };
    match u64::try_from(family.size().nodes) {
        Ok(agents @ 2..=MAX_AGENTS) => Ok((agents, written)),
        _ => {
            let message = format!("{} agents", family.size().nodes);
            Err(document.error("topology.nodes", message).accepting(format!("2 to {MAX_AGENTS}")))
        }
    }
}

/// Refuses what is written about locks, messages, rounds and changes of the graph.
fn without_locks(document: &Document) -> Result<(), DocumentError> {
    for field in ["ports", "lock", "fairness", "disturbances", "limits.rounds", "limits.steps"] {
        if document.locate(field).is_some() {
            let message = "uniform pairs have no locks, no messages, no rounds and no changes of the graph";
            return Err(document.error(field, message).accepting("nothing here; or another scheduler"));
        }
    }
    let rung = Rung::from(document.scenario().rung);
    if document.locate("rung").is_some() && rung != Rung::F0 {
        let message = format!("uniform pairs run on rung F0, and the rung here is {rung}");
        return Err(document.error("rung", message).accepting("F0, or nothing here"));
    }
    Ok(())
}

/// Interactions between two samples: one an agent if nothing is written.
fn distance(document: &Document, agents: u64) -> Result<u64, DocumentError> {
    let place = "observe.counts_every";
    match document.scenario().observe.counts_every {
        None => Ok(agents),
        Some(Every::Interactions(Count(0))) => {
            Err(document.error(place, "a distance of 0 between two samples").accepting("1 or more"))
        }
        Some(Every::Interactions(Count(distance))) => Ok(distance),
        Some(Every::Rounds(_) | Every::Steps(_)) => {
            let message = "uniform pairs have neither rounds nor steps";
            Err(document.error(place, message).accepting("Interactions(…)"))
        }
    }
}
