//! What is to be looked at: a scenario, a recording, or a folder of results.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use acrasin_report::record::{Exit, RunRecord};
use acrasin_scenario::film::Filming;
use acrasin_scenario::plan::ReplayError;
use acrasin_scenario::{AmoebotPlan, Catalogue, Eye, Job, Plan, Runnable, ScenarioFile, Watch};
use acrasin_verify::replay::{ReplayFile, open};

use crate::output::Verbosity;
use crate::progress::Progress;
use crate::run::{folder_of, made_for, read, runnable};
use crate::watch::Supervisor;
use crate::{Failure, interrupt, memory, setup};

/// What is to be looked at.
pub(crate) enum Subject {
    /// A run of this plan with this seed.
    Run { plan: Arc<dyn Runnable + Send>, seed: u64 },
    /// The steps of a file.
    Recording { path: PathBuf, plan: Recorded, seed: u64 },
}

/// What a recording is of.
pub(crate) enum Recorded {
    Population(Box<Plan>),
    Amoebots(Box<AmoebotPlan>),
}

/// Where the subject is, and what is said of it.
pub(crate) struct Named<'a> {
    pub(crate) path: &'a Path,
    pub(crate) set: &'a [(String, String)],
    pub(crate) base: Option<&'a Path>,
    pub(crate) seed: Option<u64>,
}

impl Subject {
    /// Reads it. Whatever is wrong with it is said now.
    pub(crate) fn read(
        named: &Named<'_>,
        catalogue: &Catalogue,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        let Named { path, set, base, seed } = *named;
        if path.is_file() && is_recording(path)? {
            return Self::recording(named, catalogue);
        }
        let inside = path.join("scenario.ron");
        if path.is_dir() && !inside.is_file() {
            return Err(Failure::usage(format_args!("{} has no scenario.ron", path.display()))
                .accepting("a scenario, a recording, or a folder that `acrasin run -o` has written"));
        }
        let (document, folder) = read(Some(if path.is_dir() { &inside } else { path }), set)?;
        setup::begin(made_for(&document), None);
        let plan = runnable(&document, base.unwrap_or(&folder), catalogue)?;
        let seed = seed.or(plan.seed()).unwrap_or(1);
        if plan.seed().is_none() && named.seed.is_none() {
            verbosity.say(format_args!("note: no seed is written: --seed {seed}"));
        }
        Ok(Self::Run { plan, seed })
    }

    fn recording(named: &Named<'_>, catalogue: &Catalogue) -> Result<Self, Failure> {
        let path = named.path;
        let name = path.display().to_string();
        let reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
        let file = ReplayFile::open(&name, reader)?;
        let header = file.header();
        if named.seed.is_some() {
            return Err(Failure::usage("a recording has its seed").accepting("no --seed"));
        }
        let inside = format!("the scenario in {name}");
        let scenario = ScenarioFile::parse(&header.scenario, &inside, named.set)?;
        let base = named.base.map_or_else(|| folder_of(path), Path::to_owned);
        setup::begin(format!("the graph or trace of {inside}"), None);
        let plan = match &scenario {
            ScenarioFile::Population(document) => {
                Recorded::Population(Box::new(Plan::within(catalogue, document, &base, memory::bytes())?))
            }
            ScenarioFile::Amoebots(document) => Recorded::Amoebots(Box::new(AmoebotPlan::within(
                catalogue,
                document,
                &base,
                memory::bytes(),
            )?)),
            ScenarioFile::Reactions(document) => {
                return Err(document
                    .error("reactions", "reactions have no steps of nodes that could be recorded")
                    .into());
            }
        };
        Ok(Self::Recording { path: path.to_owned(), plan, seed: header.seed })
    }

    /// What it is called.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Run { plan, .. } => plan.title(),
            Self::Recording { plan: Recorded::Population(plan), .. } => plan.title(),
            Self::Recording { plan: Recorded::Amoebots(plan), .. } => plan.title(),
        }
    }

    /// The seed.
    pub(crate) fn seed(&self) -> u64 {
        match self {
            Self::Run { seed, .. } | Self::Recording { seed, .. } => *seed,
        }
    }

    /// Shows every step to an eye. The record is that of the run; of a recording, what its file says of the end.
    pub(crate) fn show<E: Eye + 'static>(
        &self,
        eye: E,
        verbosity: Verbosity,
    ) -> Result<(E, RunRecord, Option<String>), Failure> {
        let supervisor = Supervisor::new(None, Progress::new(1, verbosity));
        let filming = Filming::new(&supervisor, eye);
        let watch: &dyn Watch = &filming;
        interrupt::a_run_begins();
        let (finished, end) = match self {
            Self::Run { plan, seed } => {
                let job = Job { seed: *seed, repetition: 0, watch, record: None };
                (plan.run_seen(job).map_err(|error| not_shown(&error))?, None)
            }
            Self::Recording { path, plan, .. } => {
                let name = path.display().to_string();
                let reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
                let file = ReplayFile::open(&name, reader)?;
                let shown = match plan {
                    Recorded::Population(plan) => plan.replay(file, watch),
                    Recorded::Amoebots(plan) => (**plan).clone().replay(file, watch),
                };
                shown.map_err(|error| not_shown(&error))?
            }
        };
        supervisor.progress().finish();
        let end = end.map(|end| end.outcome);
        Ok((filming.into_eye(), finished.record, end))
    }
}

/// How a command ends whose run was asked to stop.
pub(crate) fn is_interrupted() -> Option<Exit> {
    interrupt::is_asked_to_stop().then_some(Exit::Interrupted)
}

fn not_shown(error: &ReplayError) -> Failure {
    match error {
        ReplayError::Run(_) => Failure::usage(error),
        error if error.is_malformed() => Failure::usage(error),
        error => Failure::of_machine(error),
    }
}

/// Whether a file begins as a recording does.
fn is_recording(path: &Path) -> Result<bool, Failure> {
    let mut reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
    let begins = reader.fill_buf().map_err(|error| Failure::of_path(path, "read", &error))?;
    Ok(begins.trim_ascii_start().first() == Some(&b'{'))
}
