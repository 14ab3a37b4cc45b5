//! Inputs and results of a run.

use std::fmt;
use std::io::{self, Write};
use std::sync::Mutex;

use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::start::Drawing;
use acrasin_engine::Rung;
use acrasin_process::Progress;
use acrasin_report::record::{Manifest, RunRecord};
use acrasin_report::series::Series;
use acrasin_report::spans::Spans;
use acrasin_verify::replay;

use super::checkpoint::CheckpointKeeper;
use super::filmed::TraceObserver;
use super::proceed::Proceed;

/// One run of a plan.
pub struct Job<'a> {
    /// The seed of all draws of the run.
    pub seed: u64,
    /// The number of the repetition, from 0. It is written into the record and does not affect draws.
    pub repetition: u32,
    /// The observer of the run, which may end it.
    pub watch: &'a dyn RunControl,
    /// The destination of recorded steps; it should be buffered. Protocols are recorded on rung F4 only, amoebots in
    /// every execution that is a sequence of actions.
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
    /// The number of steps in the recording of a run that continues from a checkpoint: its beginning is not written
    /// again. `None` if the run starts.
    pub(crate) fn recorded_before(&self) -> Option<u64> {
        let checkpoints = self.watch.checkpoints()?;
        checkpoints.resumed().map(|_| checkpoints.recorded_steps())
    }
}

/// Observes a run and can end it. Only the answers of a watch affect the run.
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

    /// Called within a long turn, when there is no progress to report. The answer can end the run there.
    fn verdict(&self) -> Proceed {
        Proceed::Continue
    }

    /// Whether the run was asked to end, at any time. Unlike the verdict, this says nothing about its limits.
    fn is_stop_requested(&self) -> bool {
        false
    }

    /// Whether there is time for optional figures that take long to compute. There is not, soon after the run was asked
    /// to end.
    fn has_time(&self) -> bool {
        true
    }

    /// The checkpoints of the run, if it is saved or continues from one.
    fn checkpoints(&self) -> Option<&dyn CheckpointKeeper> {
        None
    }

    /// Whether the memory of a finished run is left to the operating system. If the program ends next, that is faster:
    /// freeing millions of nodes one by one takes seconds.
    fn leaves_memory(&self) -> bool {
        false
    }
}

/// Whether there is time for figures that take long to compute, at the end of a run. A run that ended by itself has it
/// until a stop is requested, even when its time is over.
pub(crate) fn has_time_for_figures(watch: &dyn RunControl, is_cut_short: bool) -> bool {
    !(is_cut_short || watch.is_stop_requested()) || watch.has_time()
}

/// Frees the memory of a run, unless its watch leaves that to the system.
pub(crate) fn free<T>(made: T, watch: &dyn RunControl) {
    if watch.leaves_memory() {
        std::mem::forget(made);
    }
}

/// No observer; the run advances to its end.
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
    /// All figures.
    pub record: RunRecord,
    /// The number of nodes in each state over time, if there are states.
    pub series: Option<Series>,
    /// The last configuration in the terms of the paper, after a deadlock, a broken promise or a violated property. It
    /// is cut to [`CONFIGURATION_BYTES`](crate::limits::CONFIGURATION_BYTES).
    pub report_configuration: Option<String>,
    /// For a protocol whose states are discovered during the run: the part of its transition table that occurred.
    pub met: Option<String>,
    /// The intervals in which each node was inside, if they are kept.
    pub inside: Option<Spans>,
    /// For amoebots: the configuration at the start, at the moments that the scenario chooses, and at the end; then
    /// the moments that the run did not reach.
    pub snapshots: Vec<Snapshot>,
    /// Whether a stop was requested after the last step, so that figures or drawings may be left out.
    pub is_incomplete: bool,
}

/// The amoebots at some moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// `start`, `end`, or `step-1000`.
    pub name: String,
    /// False for a moment after the end of the run, which has neither picture nor drawing.
    pub is_reached: bool,
    /// A picture, unless there are too many amoebots to be visible, or they are too far apart.
    pub picture: Option<Picture>,
    /// The reason why a requested picture is missing.
    pub undrawn: Option<String>,
    /// A drawing; `None` if its area would be too large, or between start and end if there is no picture.
    pub drawing: Option<Drawing>,
}

impl Snapshot {
    /// A moment after the end of the run.
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

    /// Whether the steps could not be written. Other errors are requests that do not fit: a graph drawn from the seed,
    /// a recording on a rung without single steps, or a checkpoint.
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
    /// The world of the recorded seed cannot be made.
    Run(RunError),
    /// The file is malformed, or its steps lead to another configuration.
    Replay(replay::ReplayError),
    /// The control has ended the replay before the recorded run of a check was rebuilt.
    Stopped(Proceed),
}

impl JobReplayError {
    /// Whether the file is at fault, not the run.
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
