//! Inputs and results of a run.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::start::Drawing;
use acrasin_engine::Rung;
use acrasin_process::{Progress, Ranks};
use acrasin_report::record::{Manifest, RunRecord};
use acrasin_report::series::Series;
use acrasin_report::spans::Spans;
use acrasin_verify::replay;

use super::checkpoint::CheckpointKeeper;
use super::filmed::TraceObserver;
use super::proceed::Proceed;

/// The inputs of one run of a plan.
pub struct Job<'a> {
    /// The seed of all draws of the run.
    pub seed: u64,
    /// The number of the repetition, from 0. It is written into the record and does not affect draws.
    pub repetition: u32,
    /// The control of the run: it is shown the progress, and may end the run.
    pub watch: &'a dyn RunControl,
    /// The destination of recorded steps; it should be buffered. Protocols can be recorded on rung F4 only, amoebots in
    /// every execution.
    pub record: Option<Box<dyn Write + 'a>>,
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, repetition, record, .. } = self;
        let mut shown = f.debug_struct("Job");
        shown.field("seed", seed).field("repetition", repetition).field("recorded", &record.is_some());
        shown.finish_non_exhaustive()
    }
}

impl Job<'_> {
    /// For a run that continues from a checkpoint, the number of steps that the recording already has, so that they are
    /// not written again. `None` for a new run.
    pub(crate) fn recorded_before(&self) -> Option<u64> {
        let checkpoints = self.watch.checkpoints()?;
        checkpoints.resumed().map(|_| checkpoints.recorded_steps())
    }
}

/// Observes a run and can end it. It affects a run only by its answers.
pub trait RunControl: Sync {
    /// Called once per run, before the first turn.
    fn begin(&self) {}

    /// Called between turns, about once in [`LOOK_STEPS`](crate::limits::LOOK_STEPS) steps (a round of many nodes is
    /// one turn).
    fn look(&self, progress: &Progress) -> Proceed;

    /// The observer of every step, if there is one. The run then advances step by step.
    fn eye(&self) -> Option<&Mutex<dyn TraceObserver>> {
        None
    }

    /// Called within a long turn, when there is no progress to report. The answer can end the run within the turn.
    fn verdict(&self) -> Proceed {
        Proceed::Continue
    }

    /// Whether a caller has asked the run to end. Unlike [`verdict`](Self::verdict), this does not depend on time
    /// limits.
    fn is_stop_requested(&self) -> bool {
        false
    }

    /// Whether there is time for optional figures that take long to compute. Returns false soon after the run was asked
    /// to end.
    fn has_time(&self) -> bool {
        true
    }

    /// The checkpoints of the run, if it is saved or continues from one.
    fn checkpoints(&self) -> Option<&dyn CheckpointKeeper> {
        None
    }

    /// The processes that make this run together, if there are several. Each of them calls this run control at the same
    /// moments, and must get the same answers.
    fn ranks(&self) -> Option<Arc<dyn Ranks>> {
        None
    }

    /// Whether the memory of a finished run is not freed. If the program ends next, this is faster: freeing millions of
    /// nodes one by one takes seconds.
    fn leaves_memory(&self) -> bool {
        false
    }
}

/// Whether there is time for figures that take long to compute, at the end of a run. If the run ended by itself, there
/// is time until a stop is requested, even after its time limit.
pub(crate) fn has_time_for_figures(watch: &dyn RunControl, is_cut_short: bool) -> bool {
    !(is_cut_short || watch.is_stop_requested()) || watch.has_time()
}

/// Frees the memory of a run, unless its run control says that memory is not freed.
pub(crate) fn free<T>(made: T, watch: &dyn RunControl) {
    if watch.leaves_memory() {
        std::mem::forget(made);
    }
}

/// No run control: the run advances to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unwatched;

impl RunControl for Unwatched {
    fn look(&self, _: &Progress) -> Proceed {
        Proceed::Continue
    }
}

/// The results of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The record with all figures.
    pub record: RunRecord,
    /// The number of nodes in each state over time, if there are states.
    pub series: Option<Series>,
    /// The last configuration in the terms of the paper, after a deadlock or the violation of an invariant or property.
    /// It is cut to [`CONFIGURATION_BYTES`](crate::limits::CONFIGURATION_BYTES).
    pub report_configuration: Option<String>,
    /// For a protocol without a table: the transitions that occurred in the run, as text.
    pub met: Option<String>,
    /// The spans of time in which each node was in its critical section, if they are kept.
    pub inside: Option<Spans>,
    /// For amoebots: the configurations at the start, after the steps that the scenario lists, and at the end. Then
    /// follow entries for listed steps that the run did not reach.
    pub snapshots: Vec<Snapshot>,
    /// Whether a stop was requested after the last step, so that figures or drawings may be missing.
    pub is_incomplete: bool,
}

/// The amoebots at some moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// `start`, `end`, or `step-1000`.
    pub name: String,
    /// False for an entry whose step the run did not reach; it has neither picture nor drawing.
    pub is_reached: bool,
    /// A picture, unless there are too many amoebots to be visible, or they are too far apart.
    pub picture: Option<Picture>,
    /// The reason why a requested picture is missing.
    pub undrawn: Option<String>,
    /// A drawing as text. `None` if its area would be too large. At intermediate moments also `None` if there is no
    /// picture.
    pub drawing: Option<Drawing>,
}

impl Snapshot {
    /// An entry for a step that the run did not reach.
    pub(crate) fn not_reached(step: u64) -> Self {
        let undrawn = Some("the run ends before this step".to_owned());
        Self { name: format!("step-{step}"), is_reached: false, picture: None, undrawn, drawing: None }
    }
}

impl Finished {
    /// Adds the data that only the caller has to the manifest: commit, threads, processor, settings.
    pub fn fill_manifest(&mut self, fill: impl FnOnce(&mut Manifest)) {
        fill(self.record.manifest_mut());
    }
}

/// Errors of a run whose plan is valid.
#[derive(Debug)]
pub struct RunError(JobKind);

#[derive(Debug)]
enum JobKind {
    Drawn { seed: u64, message: String },
    Recording(io::Error),
    NotRecorded(Rung),
    NotSaved(&'static str),
    Resumed(String),
}

impl RunError {
    pub(crate) fn drawn(seed: u64, message: impl Into<String>) -> Self {
        Self(JobKind::Drawn { seed, message: message.into() })
    }

    pub(crate) fn recording(error: io::Error) -> Self {
        Self(JobKind::Recording(error))
    }

    /// The process cannot be saved.
    pub(crate) fn not_saved() -> Self {
        Self(JobKind::NotSaved("the scheduler or algorithm of this run has no code that saves it"))
    }

    /// The run cannot continue from a checkpoint.
    pub(crate) fn resumed(why: impl Into<String>) -> Self {
        Self(JobKind::Resumed(why.into()))
    }

    pub(crate) fn not_recorded(rung: Rung) -> Self {
        Self(JobKind::NotRecorded(rung))
    }

    /// Whether writing the recorded steps failed. Other errors are about the input: a graph drawn from the seed, a
    /// recording on a rung without single steps, or a checkpoint.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        matches!(self.0, JobKind::Recording(_))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            JobKind::Drawn { seed, message } => write!(f, "seed {seed}: {message}"),
            JobKind::Recording(error) => write!(f, "the steps of the run cannot be written: {error}"),
            JobKind::NotRecorded(rung) => write!(
                f,
                "a recording has single steps, and rung {rung} has none: no recording is written; accepted: rung: F4"
            ),
            JobKind::NotSaved(why) => {
                write!(
                    f,
                    "--checkpoint: {why}; accepted: no --checkpoint, or a built-in scheduler and algorithm"
                )
            }
            JobKind::Resumed(why) => write!(f, "the run cannot continue from the checkpoint: {why}"),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            JobKind::Drawn { .. } | JobKind::NotRecorded(_) | JobKind::NotSaved(_) | JobKind::Resumed(_) => {
                None
            }
            JobKind::Recording(error) => Some(error),
        }
    }
}

/// Errors of replaying a recorded run.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobReplayError {
    /// The initial state for the recorded seed cannot be made.
    Run(RunError),
    /// The file is malformed, or its steps lead to another configuration.
    Replay(replay::ReplayError),
    /// The run control has ended the replay before the recorded run of a check was rebuilt.
    Stopped(Proceed),
}

impl JobReplayError {
    /// Whether the error is in the file, rather than in the run.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::Replay(error) if error.is_malformed())
    }
}

impl From<RunError> for JobReplayError {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<replay::ReplayError> for JobReplayError {
    fn from(error: replay::ReplayError) -> Self {
        Self::Replay(error)
    }
}

impl fmt::Display for JobReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(error) => error.fmt(f),
            Self::Replay(error) => error.fmt(f),
            Self::Stopped(why) => {
                let why = if *why == Proceed::OutOfTime { "the time was over" } else { "interrupted" };
                write!(f, "{why} before the recorded run was rebuilt")
            }
        }
    }
}

impl std::error::Error for JobReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Run(error) => Some(error),
            Self::Replay(error) => Some(error),
            Self::Stopped(_) => None,
        }
    }
}
