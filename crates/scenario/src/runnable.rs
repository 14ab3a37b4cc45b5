//! The interface that plans of every kind share.

use std::panic::{AssertUnwindSafe, catch_unwind};

use acrasin_verify::replay::{self, ReplayFile};

use crate::plan::{
    Finished, Job, JobReplayError, LazyPlan, Plan, Proceed, Progress, RunControl, RunError, UniformPlan,
};
use crate::run::{CheckpointKeeper, PlanHeader};
use crate::{AmoebotPlan, ReactionPlan};

/// A plan of any kind: population protocols, under locks or of uniform pairs; reactions; or amoebots.
pub trait Runnable: Sync {
    /// The facts that are known before a run.
    fn header(&self) -> &PlanHeader;

    /// Runs the plan so that the [observer](crate::RunControl::eye) of the run control sees every step. If nodes are
    /// indistinguishable, the observer sees the counts. Actions of amoebots are recorded first, and observed in a
    /// replay. The result is that of [`run`](Self::run), unless the observer [needs no further
    /// steps](crate::TraceObserver::is_done) earlier.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run); a failed replay of the recording is a defect.
    fn run_seen(&self, job: Job<'_>) -> Result<Finished, JobReplayError> {
        Ok(self.run(job)?)
    }

    /// Runs the plan. The same plan and seed give the same result on any number of threads.
    ///
    /// # Errors
    ///
    /// The graph or start drawn from the seed is not accepted, the steps cannot be recorded, or the run cannot be saved
    /// or continue from its checkpoint.
    fn run(&self, job: Job<'_>) -> Result<Finished, RunError>;

    /// The number of runs that one thread should make together, so that the cost per run is lowest.
    fn together(&self) -> usize {
        1
    }

    /// Makes several runs and returns for each, in order, the result of [`run`](Self::run).
    fn run_together(&self, jobs: Vec<Job<'_>>) -> Vec<Result<Finished, RunError>> {
        jobs.into_iter().map(|job| self.run(job)).collect()
    }
}

impl Runnable for Plan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        possible(job, |job| self.run(job))
    }
}

/// The maximum number of characters of a panic message that an error quotes. Only its first line is quoted.
const PANIC_WIDTH: usize = 200;

/// Runs a job. If it panics after it was restored from a checkpoint, the checkpoint is refused. Restoring checks the
/// form of a state, but not everything that runs ensure, such as the order of messages of an algorithm.
fn possible<'a>(
    job: Job<'a>,
    run: impl FnOnce(Job<'a>) -> Result<Finished, RunError>,
) -> Result<Finished, RunError> {
    if job.watch.checkpoints().and_then(CheckpointKeeper::resumed).is_none() {
        return run(job);
    }
    catch_unwind(AssertUnwindSafe(|| run(job))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        let text: String = text.lines().next().unwrap_or_default().chars().take(PANIC_WIDTH).collect();
        Err(RunError::resumed(format!(
            "it leads to a state that no run of this scenario reaches ({text}); \
             if acrasin wrote it, this is a bug in acrasin: please report it"
        )))
    })
}

/// Makes a run and records its steps.
fn recorded(
    job: &Job<'_>,
    run: impl FnOnce(Job<'_>) -> Result<Finished, RunError>,
) -> Result<(Finished, Vec<u8>), RunError> {
    let mut steps = Vec::new();
    let watch = Blind(job.watch);
    let Job { seed, repetition, .. } = *job;
    let finished = run(Job { seed, repetition, record: Some(Box::new(&mut steps)), watch: &watch })?;
    Ok((finished, steps))
}

/// Delegates to a run control, but hides its observer.
struct Blind<'a>(&'a dyn RunControl);

impl RunControl for Blind<'_> {
    fn begin(&self) {
        self.0.begin();
    }

    fn look(&self, at: &Progress) -> Proceed {
        self.0.look(at)
    }

    fn verdict(&self) -> Proceed {
        self.0.verdict()
    }

    fn is_stop_requested(&self) -> bool {
        self.0.is_stop_requested()
    }

    fn has_time(&self) -> bool {
        self.0.has_time()
    }

    fn leaves_memory(&self) -> bool {
        self.0.leaves_memory()
    }
}

impl Runnable for UniformPlan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        possible(job, |job| self.run(&job))
    }

    fn together(&self) -> usize {
        self.together()
    }

    fn run_together(&self, jobs: Vec<Job<'_>>) -> Vec<Result<Finished, RunError>> {
        self.run_together(&jobs)
    }
}

impl Runnable for LazyPlan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        possible(job, |job| self.run(&job))
    }
}

impl Runnable for ReactionPlan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        possible(job, |job| self.run(&job))
    }
}

impl Runnable for AmoebotPlan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    /// Actions are recorded and then observed in a replay. Rounds, steps of chains, and actions under message-passing
    /// locks are observed directly.
    fn run_seen(&self, job: Job<'_>) -> Result<Finished, JobReplayError> {
        if self.has_checkpoints() || self.is_concurrent() {
            return Ok(Runnable::run(self, job)?);
        }
        let watch = job.watch;
        let (finished, steps) = recorded(&job, |job| Runnable::run(self, job))?;
        let file = ReplayFile::open("the actions of the run", &*steps).map_err(replay::ReplayError::from)?;
        self.clone().replay(file, watch)?;
        Ok(finished)
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        possible(job, |mut job| {
            let sink = job.record.take();
            self.run_recorded(&job, sink)
        })
    }
}
