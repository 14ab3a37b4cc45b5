//! What a plan of either kind is to whoever runs it.

use acrasin_engine::Rung;
use acrasin_verify::replay::{self, ReplayFile};

use crate::plan::{
    At, Finished, Job, Plan, Proceed, ReplayError, RunError, UniformPlan, UntabledPlan, Watch,
};
use crate::{AmoebotPlan, ReactionPlan};

/// What is known of the work of a run before it.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Foreseen {
    /// What is counted, and how many of it end a run whatever else happens: interactions, rounds, steps, Locks.
    pub bounds: Vec<(&'static str, u64)>,
    /// Nanoseconds of processor time that an interaction takes at the start, from counts of operations; `None` where no such
    /// count is made.
    pub nanoseconds: Option<f64>,
}

/// A plan of population protocols, under locks or of uniform pairs, or of amoebots.
pub trait Runnable: Sync {
    /// One line for the report.
    fn title(&self) -> &str;

    /// The seed, if it is written.
    fn seed(&self) -> Option<u64>;

    /// What the words of the scenario came to: names and values.
    fn parameters(&self) -> Vec<(String, String)>;

    /// What the user should know.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// The effective transition table, if there is one.
    fn protocol_table(&self) -> Option<String> {
        None
    }

    /// What is counted over time.
    fn counted(&self) -> &str {
        "nodes"
    }

    /// Whether one run has work for several threads.
    fn uses_threads(&self) -> bool {
        false
    }

    /// Bytes that a run takes, estimated from above.
    fn bytes(&self) -> u128;

    /// What a run can come to at most, as far as the scenario says.
    fn foreseen(&self) -> Foreseen {
        Foreseen::default()
    }

    /// Why its steps cannot be recorded, and what would be accepted; `None` if they can.
    fn why_not_recorded(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Runs it so that the [eye](crate::Watch::eye) of the watch sees every step: a run that can be recorded is recorded and
    /// done again; of nodes that are not kept apart it sees the counts. The result is that of [`run`](Self::run), unless the eye has [seen enough](crate::Eye::is_done) before.
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
    fn title(&self) -> &str {
        self.title()
    }

    fn seed(&self) -> Option<u64> {
        self.seed()
    }

    fn parameters(&self) -> Vec<(String, String)> {
        self.parameters()
    }

    fn notes(&self) -> &[String] {
        self.notes()
    }

    fn protocol_table(&self) -> Option<String> {
        self.protocol_table()
    }

    /// The rungs of the engine have, the `World` has not.
    fn uses_threads(&self) -> bool {
        self.rung() != Rung::F4
    }

    fn bytes(&self) -> u128 {
        self.bytes()
    }

    fn foreseen(&self) -> Foreseen {
        Foreseen { bounds: self.bounds(), nanoseconds: None }
    }

    /// On rung F4 steps are seen when they are done again; on others the states after each round.
    fn run_seen(&self, job: Job<'_>) -> Result<Finished, ReplayError> {
        if self.rung() != Rung::F4 {
            return Ok(self.run(job)?);
        }
        let watch = job.watch;
        let (finished, steps) = recorded(&job, |job| self.run(job))?;
        let file = ReplayFile::open("the steps of the run", &*steps).map_err(replay::ReplayError::from)?;
        self.replay(file, watch)?;
        Ok(finished)
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

    fn look(&self, at: &At) -> Proceed {
        self.0.look(at)
    }
}

impl Runnable for UniformPlan {
    fn title(&self) -> &str {
        self.title()
    }

    fn seed(&self) -> Option<u64> {
        self.seed()
    }

    fn parameters(&self) -> Vec<(String, String)> {
        self.parameters()
    }

    fn notes(&self) -> &[String] {
        self.notes()
    }

    fn protocol_table(&self) -> Option<String> {
        Some(self.protocol_table().to_owned())
    }

    fn uses_threads(&self) -> bool {
        self.uses_threads()
    }

    fn bytes(&self) -> u128 {
        self.bytes()
    }

    fn foreseen(&self) -> Foreseen {
        Foreseen { bounds: self.bounds(), nanoseconds: self.nanoseconds() }
    }

    fn why_not_recorded(&self) -> Option<(&'static str, &'static str)> {
        Some((
            "--record keeps the steps of runs under locks and of amoebots",
            "no --record for uniform pairs: their seed gives the run again",
        ))
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
    fn title(&self) -> &str {
        self.title()
    }

    fn seed(&self) -> Option<u64> {
        self.seed()
    }

    fn parameters(&self) -> Vec<(String, String)> {
        self.parameters()
    }

    fn notes(&self) -> &[String] {
        self.notes()
    }

    fn bytes(&self) -> u128 {
        self.bytes()
    }

    fn foreseen(&self) -> Foreseen {
        Foreseen { bounds: self.bounds(), nanoseconds: None }
    }

    fn why_not_recorded(&self) -> Option<(&'static str, &'static str)> {
        Some((
            "--record keeps the steps of runs under locks and of amoebots",
            "no --record for uniform pairs: their seed gives the run again",
        ))
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        self.run(&job)
    }
}

impl Runnable for ReactionPlan {
    fn title(&self) -> &str {
        self.title()
    }

    fn seed(&self) -> Option<u64> {
        self.seed()
    }

    fn parameters(&self) -> Vec<(String, String)> {
        self.parameters()
    }

    fn counted(&self) -> &str {
        "molecules"
    }

    fn bytes(&self) -> u128 {
        self.bytes()
    }

    fn why_not_recorded(&self) -> Option<(&'static str, &'static str)> {
        Some((
            "--record keeps the steps of runs under locks and of amoebots",
            "no --record for reactions: their seed gives the run again",
        ))
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        self.run(&job)
    }
}

impl Runnable for AmoebotPlan {
    fn title(&self) -> &str {
        self.title()
    }

    fn seed(&self) -> Option<u64> {
        self.seed()
    }

    fn parameters(&self) -> Vec<(String, String)> {
        self.parameters()
    }

    fn counted(&self) -> &str {
        self.counted()
    }

    fn uses_threads(&self) -> bool {
        self.uses_threads()
    }

    fn bytes(&self) -> u128 {
        self.bytes()
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
