//! Plans of every kind, as their callers see them.

use acrasin_verify::replay::{self, ReplayFile};

use crate::plan::{
    Finished, Job, Plan, Proceed, Progress, ReplayError, RunError, UniformPlan, UntabledPlan, Watch,
};
use crate::run::PlanHeader;
use crate::{AmoebotPlan, ReactionPlan};

/// A plan of population protocols, under locks or of uniform pairs, of reactions, or of amoebots.
pub trait Runnable: Sync {
    /// What is known before a run.
    fn header(&self) -> &PlanHeader;

    /// Runs it so that the [eye](crate::Watch::eye) of the watch sees every step; of nodes that are not kept apart it sees the counts.
    /// Recorded actions of amoebots are seen when they are applied again. The result is that of [`run`](Self::run), unless the eye has
    /// [seen enough](crate::Eye::is_done) before.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); what was recorded cannot be done again, which is a defect.
    fn run_seen(&self, job: Job<'_>) -> Result<Finished, ReplayError> {
        Ok(self.run(job)?)
    }

    /// Runs it. The same plan and seed give the same, on any number of threads.
    ///
    /// # Errors
    ///
    /// What is drawn from the seed does not fit, or the steps cannot be recorded.
    fn run(&self, job: Job<'_>) -> Result<Finished, RunError>;

    /// How many runs are made at a time, by one thread, with the least work for each.
    fn together(&self) -> usize {
        1
    }

    /// Runs several, and tells of each in turn what [`run`](Self::run) does.
    fn run_together(&self, jobs: Vec<Job<'_>>) -> Vec<Result<Finished, RunError>> {
        jobs.into_iter().map(|job| self.run(job)).collect()
    }
}

impl Runnable for Plan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        self.run(job)
    }
}

/// A run and its steps.
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

/// Watches without an eye.
struct Blind<'a>(&'a dyn Watch);

impl Watch for Blind<'_> {
    fn begin(&self) {
        self.0.begin();
    }

    fn look(&self, at: &Progress) -> Proceed {
        self.0.look(at)
    }

    fn verdict(&self) -> Proceed {
        self.0.verdict()
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
        self.run(&job)
    }

    fn together(&self) -> usize {
        self.together()
    }

    fn run_together(&self, jobs: Vec<Job<'_>>) -> Vec<Result<Finished, RunError>> {
        self.run_together(&jobs)
    }
}

impl Runnable for UntabledPlan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        self.run(&job)
    }
}

impl Runnable for ReactionPlan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        self.run(&job)
    }
}

impl Runnable for AmoebotPlan {
    fn header(&self) -> &PlanHeader {
        &self.header
    }

    /// Actions are seen when they are done again; rounds, steps of chains, and those of amoebots and locks as they happen.
    fn run_seen(&self, job: Job<'_>) -> Result<Finished, ReplayError> {
        if self.has_checkpoints() || self.is_concurrent() {
            return Ok(Runnable::run(self, job)?);
        }
        let watch = job.watch;
        let (finished, steps) = recorded(&job, |job| Runnable::run(self, job))?;
        let file = ReplayFile::open("the actions of the run", &*steps).map_err(replay::ReplayError::from)?;
        self.clone().replay(file, watch)?;
        Ok(finished)
    }

    fn run(&self, mut job: Job<'_>) -> Result<Finished, RunError> {
        let sink = job.record.take();
        self.run_recorded(&job, sink)
    }
}
