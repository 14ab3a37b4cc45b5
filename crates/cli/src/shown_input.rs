//! The input of commands that show runs: a scenario, a recording, or a folder of results.

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use acrasin_report::record::{Ending, Exit, ReplayFinding, RunRecord};
use acrasin_report::rows::Rows;
use acrasin_scenario::film::ObservingControl;
use acrasin_scenario::plan::{JobReplayError, UniformPlan};
use acrasin_scenario::{
    AmoebotPlan, Catalogue, DataFile, Job, Plan, RunControl, Runnable, ScenarioFile, TraceObserver,
};
use acrasin_verify::replay::{ReplayFile, open};

use crate::destination::RECORD;
use crate::output::Verbosity;
use crate::progress::ProgressLine;
use crate::run::{inputs, made_for, read, runnable};
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, memory, setup};

/// The input that `acrasin view` or `acrasin replay --at` shows.
pub(crate) enum ShownInput {
    /// A scenario or a folder of results: the plan is run with this seed.
    Run { plan: Arc<dyn Runnable + Send>, seed: u64, inputs: Vec<PathBuf> },
    /// A recording, whose steps are replayed.
    Recording { path: PathBuf, plan: RecordingKind, seed: u64, inputs: Vec<PathBuf> },
}

/// The kind of run that was recorded, with its plan.
pub(crate) enum RecordingKind {
    Population(Box<Plan>),
    Interactions(Box<UniformPlan>),
    Amoebots(Box<AmoebotPlan>),
}

/// The path of the input, and the flags that change how it is read.
pub(crate) struct InputPath<'a> {
    pub(crate) path: &'a Path,
    pub(crate) set: &'a [(String, String)],
    pub(crate) base: Option<&'a Path>,
    pub(crate) seed: Option<u64>,
    pub(crate) max_time: Option<Duration>,
}

impl ShownInput {
    /// Reads the input. All errors in it are reported here, before anything is shown.
    pub(crate) fn read(
        named: &InputPath<'_>,
        catalogue: &Catalogue,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        let InputPath { path, set, base, seed, max_time } = *named;
        if path.is_file() && is_recording(path)? {
            return Self::recording(named, catalogue, verbosity);
        }
        let inside = path.join("scenario.ron");
        if path.is_dir() && !inside.is_file() {
            return Err(Failure::usage(format_args!("{} has no scenario.ron", path.display()))
                .accepting("a scenario, a recording, or a folder that `acrasin run -o` has written"));
        }
        let scenario = if path.is_dir() { &inside } else { path };
        let (document, folder) = read(Some(scenario), set)?;
        setup::begin(made_for(&document), max_time);
        let base = base.unwrap_or(&folder);
        let inputs = inputs(Some(scenario), document.files(), base);
        if path.is_dir() {
            say_changed_files(&recorded_files(path, &document.data_files(base)), &document, base, verbosity);
        }
        let plan = runnable(&document, base, catalogue)?;
        let seed = seed.or(plan.header().seed).unwrap_or(1);
        if plan.header().seed.is_none() && named.seed.is_none() {
            verbosity.say(format_args!("note: the scenario has no seed; --seed {seed} is assumed"));
        }
        Ok(Self::Run { plan, seed, inputs })
    }

    fn recording(
        named: &InputPath<'_>,
        catalogue: &Catalogue,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        let path = named.path;
        let name = path.display().to_string();
        let reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
        let file = ReplayFile::open(&name, reader)?;
        let header = file.header();
        if named.seed.is_some() {
            return Err(Failure::usage("a recording has a fixed seed").accepting("no --seed"));
        }
        let inside = format!("the scenario in {name}");
        let scenario = ScenarioFile::parse(&header.scenario, &inside, named.set)?;
        let base = named.base.map_or_else(|| scenario.base_of_recording(path, header), Path::to_owned);
        say_changed_files(&header.files, &scenario, &base, verbosity);
        let inputs = inputs(Some(path), scenario.files(), &base);
        setup::begin(format!("the graph or trace of {inside}"), named.max_time);
        let plan =
            match &scenario {
                ScenarioFile::Population(document) if UniformPlan::is_meant(catalogue, document) => {
                    let plan = UniformPlan::within(catalogue, document, &base, memory::bytes())?;
                    RecordingKind::Interactions(Box::new(plan))
                }
                ScenarioFile::Population(document) => RecordingKind::Population(Box::new(Plan::within(
                    catalogue,
                    document,
                    &base,
                    memory::bytes(),
                )?)),
                ScenarioFile::Amoebots(document) => RecordingKind::Amoebots(Box::new(
                    AmoebotPlan::of_recording(catalogue, (document, header), &base, memory::bytes())?,
                )),
                ScenarioFile::Reactions(document) => {
                    return Err(document
                        .error("reactions", "reactions have no steps of nodes that could be recorded")
                        .into());
                }
            };
        Ok(Self::Recording { path: path.to_owned(), plan, seed: header.seed, inputs })
    }

    /// All files from which the input is read: the scenario or recording, and the data files that it names.
    pub(crate) fn inputs(&self) -> &[PathBuf] {
        match self {
            Self::Run { inputs, .. } | Self::Recording { inputs, .. } => inputs,
        }
    }

    /// The title of the run.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Run { plan, .. } => plan.header().title.as_str(),
            Self::Recording { plan: RecordingKind::Population(plan), .. } => plan.header().title.as_str(),
            Self::Recording { plan: RecordingKind::Interactions(plan), .. } => plan.header().title.as_str(),
            Self::Recording { plan: RecordingKind::Amoebots(plan), .. } => plan.header().title.as_str(),
        }
    }

    /// The seed of the run.
    pub(crate) fn seed(&self) -> u64 {
        match self {
            Self::Run { seed, .. } | Self::Recording { seed, .. } => *seed,
        }
    }

    /// Shows every step to an observer. Returns the record of the run, and for a recording also the end that is written
    /// in its file.
    pub(crate) fn show<E: TraceObserver + 'static>(
        &self,
        eye: E,
        max_time: Option<Duration>,
        verbosity: Verbosity,
    ) -> Result<(E, RunRecord, Option<String>), Failure> {
        let supervisor = Supervisor::new(max_time, ProgressLine::new(1, verbosity));
        let filming = ObservingControl::new(&supervisor, eye);
        let filming = if matches!(self, Self::Recording { .. }) { filming.to_the_end() } else { filming };
        let watch: &dyn RunControl = &filming;
        interrupt::a_run_begins();
        let (finished, end) = match self {
            Self::Run { plan, seed, .. } => {
                let job = Job { seed: *seed, repetition: 0, watch, record: None };
                (plan.run_seen(job).map_err(not_shown)?, None)
            }
            Self::Recording { path, plan, .. } => {
                let name = path.display().to_string();
                let reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
                let file = ReplayFile::open(&name, reader)?;
                let shown = match plan {
                    RecordingKind::Population(plan) => plan.replay(file, watch),
                    RecordingKind::Interactions(plan) => plan.replay(file, watch),
                    RecordingKind::Amoebots(plan) => (**plan).clone().replay(file, watch),
                };
                let (finished, end) = shown.map_err(not_shown)?;
                let ending = finished.record.ending();
                if is_another_run(ending) {
                    let message = format!("{name} is not reproduced: {ending}");
                    return Err(Failure::of_machine(message));
                }
                (finished, end)
            }
        };
        supervisor.progress().finish();
        let end = end.map(|end| end.outcome);
        Ok((filming.into_eye(), finished.record, end))
    }
}

/// The digests of these data files in the record of a folder of results, by the path of the value that names the file.
fn recorded_files(folder: &Path, files: &[DataFile]) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(folder.join(RECORD)).unwrap_or_default();
    let Ok(rows) = Rows::read(&text) else { return BTreeMap::new() };
    let digest = |file: &DataFile| {
        let columns = rows.columns(&[&format!("scenario.{}", file.parameter())]).ok()?;
        Some((file.place.to_owned(), columns[0].first()?.to_plain()?))
    };
    files.iter().filter_map(digest).collect()
}

/// Warns about data files that have changed since the run: the run that is shown may then differ.
pub(crate) fn say_changed_files(
    recorded: &BTreeMap<String, String>,
    scenario: &ScenarioFile,
    base: &Path,
    verbosity: Verbosity,
) {
    for DataFile { place, path, digest } in scenario.data_files(base) {
        if recorded.get(place).is_some_and(|recorded| *recorded != digest) {
            let path = base.join(path);
            let what = if path.exists() {
                "has changed since this was recorded: the run may differ"
            } else {
                "is missing; --base names another folder"
            };
            verbosity.say(format_args!("note: {} ({place}) {what}", path.display()));
        }
    }
}

/// The exit status of a command if the user asked it to stop; otherwise `None`.
pub(crate) fn is_interrupted() -> Option<Exit> {
    interrupt::is_asked_to_stop().then_some(Exit::Interrupted)
}

fn not_shown(error: JobReplayError) -> Failure {
    match error {
        JobReplayError::Run(_) => Failure::usage(error),
        error => error.into(),
    }
}

/// Whether a file begins like a recording.
fn is_recording(path: &Path) -> Result<bool, Failure> {
    let mut reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
    let begins = reader.fill_buf().map_err(|error| Failure::of_path(path, "read", &error))?;
    Ok(begins.trim_ascii_start().first() == Some(&b'{'))
}

/// Whether a replay ended differently from the recorded run.
pub(crate) fn is_another_run(ending: &Ending) -> bool {
    matches!(ending, Ending::Replayed(ReplayFinding::NotReproduced, _))
}
