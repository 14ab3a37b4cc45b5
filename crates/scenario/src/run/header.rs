//! [`PlanHeader`]: the facts about a plan that are known before a run.

use std::path::Path;

use acrasin_engine::Rung;
use acrasin_process::Measure;
use acrasin_report::record::{Figure, Manifest};
use acrasin_report::value::Value;

use super::source::ScenarioSource;
use crate::document::{Document, ScenarioFields};

/// The facts about a plan that are known before a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanHeader {
    /// The title of the scenario. The default is the name of its file, or for amoebots the name of the algorithm.
    pub title: String,
    /// The seed of the scenario, if it names one.
    pub seed: Option<u64>,
    /// Notes for the user, one sentence each. Examples: omitted or merged data, contacts that will find no open port,
    /// too few priorities, a protocol that never becomes silent.
    pub notes: Vec<String>,
    /// The parameters of the scenario with defaults: names and values.
    pub parameters: Vec<(String, String)>,
    /// A description of the protocol as it will run: effective table, class, conserved quantities, and states that
    /// cannot occur. `None` without a table.
    pub protocol_table: Option<String>,
    /// An upper bound on the bytes of a run. For a protocol without a table it holds for runs with up to a few thousand
    /// states.
    pub bytes: u128,
    /// The counters for which goals or limits set a bound, each with its lowest bound.
    pub bounds: Vec<(Measure, u64)>,
    /// Nanoseconds of processor time per interaction at the start, estimated from operation counts; `None` if there is
    /// no estimate.
    pub nanoseconds: Option<f64>,
    /// The plural noun for the entities that are counted over time.
    pub counted: &'static str,
    /// Whether a single run uses several threads.
    pub uses_threads: bool,
    /// Whether several [ranks](super::RunControl::ranks) can share a single run.
    pub is_for_ranks: bool,
    /// The reason why the steps of a run cannot be recorded, and the accepted alternative. `None` if they can be
    /// recorded.
    pub unrecorded: Option<(&'static str, &'static str)>,
    /// The scenario file.
    pub(crate) source: ScenarioSource,
}

impl PlanHeader {
    /// A header that says that steps can be recorded and that a run uses one thread. The caller fills in the other
    /// fields.
    pub(crate) fn new(title: String, seed: Option<u64>, source: ScenarioSource) -> Self {
        Self {
            title,
            seed,
            notes: Vec::new(),
            parameters: Vec::new(),
            protocol_table: None,
            bytes: 0,
            bounds: Vec::new(),
            nanoseconds: None,
            counted: "nodes",
            uses_threads: false,
            is_for_ranks: false,
            unrecorded: None,
            source,
        }
    }

    /// The header of a plan of a population. Its parameters are all fields of the scenario. `resolved` are the fields
    /// of catalogue entries, with defaults, by path; `unwritten` are fields that a file does not have.
    pub(crate) fn of_population(
        document: &Document,
        base: &Path,
        resolved: impl IntoIterator<Item = (&'static str, ScenarioFields)>,
        unwritten: Vec<(String, Value)>,
    ) -> Self {
        let scenario = document.scenario();
        let written = resolved
            .into_iter()
            .fold(ScenarioFields::of(scenario), |all, (path, fields)| all.with(path, fields));
        let title = scenario.title.clone().unwrap_or_else(|| document.file().to_owned());
        let source = ScenarioSource::new(document, base, written.section(unwritten));
        Self::new(title, scenario.seed.map(|seed| seed.0), source)
    }

    /// The manifest of a run with this seed.
    pub(crate) fn manifest(&self, seed: u64) -> Manifest {
        self.source.manifest(&self.title, seed)
    }

    /// The manifest of a run with this seed, with the rung that executes it.
    pub(crate) fn manifest_on(&self, rung: Rung, seed: u64) -> Manifest {
        let mut manifest = self.manifest(seed);
        manifest.further.push(Figure::new("rung", "rung", rung.to_string()));
        manifest.further.push(Figure::new("executed", "executed", rung.summary()));
        manifest
    }
}

/// The reason why steps of uniform pairs are not recorded, and the accepted alternative.
pub(crate) const PAIRS_UNRECORDED: (&str, &str) = (
    "runs of uniform pairs cannot be recorded",
    "no --record for uniform pairs: their seed gives the run again",
);
