//! A run of a plan: its start, and who acts when.

use acrasin_amoebot::System;
use acrasin_amoebot::run::concurrent::{MessageLocks, TryLocks};
use acrasin_amoebot::run::execution;
use acrasin_runtime::choice::Seeded;

use super::AmoebotPlan;
use super::acting::{Acting, Performance};
use super::at_once::{AtOnce, below};
use super::chain;
use super::course::drive;
use super::one_by_one::{OneByOne, adversary};
use super::rounds::InRounds;
use super::scenario::{ExecutionKind, Locks};
use super::scene::Scene;
use super::tiles::InTiles;
use super::waves::InWaves;
use crate::run::{Finished, Job, RunError};
use acrasin_amoebot::algorithm::description::AnyDescription;
use acrasin_amoebot::algorithm::description::{Description, Placement};
use acrasin_amoebot::library::catalogue::{Visitor, visit};

impl AmoebotPlan {
    /// Runs the plan with the seed of the job. The same plan and seed give the same record, counts and pictures.
    ///
    /// Draws are made in the order: cells, orientations, run.
    ///
    /// # Errors
    ///
    /// A blob that dies out or that the algorithm refuses; a chain that leaves the largest grid; a job that wants every
    /// step recorded, which there is not of amoebots.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        if job.record.is_some() {
            return Err(Self::drawn(job.seed, "steps are recorded of population protocols only"));
        }
        let mut choices = Seeded::new(job.seed);
        let placement = self.placement(&mut choices).map_err(|message| Self::drawn(job.seed, message))?;
        let run = Run { plan: self, job, placement: &placement, choices: &mut choices };
        match visit(&self.algorithm, run) {
            Some(finished) => finished,
            None => chain::run(self, job, &placement, &mut choices),
        }
    }
}

struct Run<'a> {
    plan: &'a AmoebotPlan,
    job: &'a Job<'a>,
    placement: &'a Placement,
    choices: &'a mut Seeded,
}

impl Visitor for Run<'_> {
    type Output = Result<Finished, RunError>;

    fn visit<S: Description>(self, subject: &S) -> Self::Output {
        // One at a time, in waves and in tiles is run with the types of the algorithm, fast; the rest is compiled once.
        match self.plan.execution {
            ExecutionKind::Sequential { activation, fairness } => {
                let run = execution::SequentialExecution::new(subject.algorithm(), self.start(subject)?);
                let adversary = adversary(activation, fairness);
                perform(self.plan, self.job, subject, OneByOne { run, adversary, choices: self.choices })
            }
            ExecutionKind::Waves => {
                let waves = InWaves::new(subject, self.start(subject)?, self.job.seed);
                perform(self.plan, self.job, subject, waves)
            }
            ExecutionKind::Tiles => {
                let tiles = InTiles::new(subject, self.start(subject)?, self.job.seed);
                perform(self.plan, self.job, subject, tiles)
            }
            ExecutionKind::Rounds(_) | ExecutionKind::Concurrent { .. } => self.erased(&subject.any()),
        }
    }
}

impl Run<'_> {
    /// The start, or the error that the run cannot be made.
    fn start<S: Description>(&self, subject: &S) -> Result<System<S::Memory>, RunError> {
        subject.start(self.placement).map_err(|message| AmoebotPlan::drawn(self.job.seed, message))
    }

    /// Several at once.
    fn erased(self, subject: &AnyDescription<'_>) -> Result<Finished, RunError> {
        let system = self.start(subject)?;
        let Self { plan, job, choices, .. } = self;
        match plan.execution {
            ExecutionKind::Sequential { .. } | ExecutionKind::Waves | ExecutionKind::Tiles => {
                unreachable!("these know their types")
            }
            ExecutionKind::Rounds(concurrency) => {
                perform(plan, job, subject, InRounds::new(subject, system, concurrency, choices))
            }
            ExecutionKind::Concurrent { locks: Locks::TryLocks } => {
                let locks = TryLocks::new(system.len());
                perform(plan, job, subject, AtOnce::new(subject, system, locks, choices))
            }
            ExecutionKind::Concurrent { locks: Locks::Messages { scheduler } } => {
                let locks = MessageLocks::new(&system, below(scheduler));
                perform(plan, job, subject, AtOnce::new(subject, system, locks, choices))
            }
        }
    }
}

fn perform<S: Description, W: Acting<S>>(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    subject: &S,
    way: W,
) -> Result<Finished, RunError> {
    drive(plan, job, &mut Performance { scene: Scene::new(subject, plan), way })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use acrasin_report::record::Exit;

    use super::*;
    use crate::ScenarioFile;
    use crate::amoebot::no_roots::NoRoots;
    use crate::plan::Unwatched;

    /// In the midst there are roots, in the end there are none.
    #[test]
    fn what_should_be_at_no_moment_ends_a_run_at_its_next_picture() {
        let word = |execution: &str, pictures: &str| {
            let text = format!(
                "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 12)), execution: {execution}, \
                 observe: (pictures_at: {pictures}))"
            );
            let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
                panic!("a scenario of amoebots")
            };
            let plan = AmoebotPlan::new(&document, Path::new("")).unwrap();
            let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
            let mut choices = Seeded::new(1);
            let placement = plan.placement(&mut choices).unwrap();
            let run = Run { plan: &plan, job: &job, placement: &placement, choices: &mut choices };
            let finished = run.visit(&NoRoots).unwrap();
            let outcome = finished.record.outcome();
            (outcome.word.clone(), outcome.reason.clone(), outcome.exit)
        };
        for (execution, moments) in
            [("Sequential()", "[20, 60, 100]"), ("Rounds(Isolated(1))", "[5]"), ("Waves", "[3, 6, 9, 12]")]
        {
            let (broken, reason, exit) = word(execution, moments);
            assert_eq!((broken.as_str(), exit), ("violation", Exit::Failed), "{execution}");
            assert!(reason.ends_with("roots") && !reason.starts_with('0'), "{execution}: {reason}");
            assert_eq!(word(execution, "[]").0, "terminated", "{execution}");
        }
    }
}
