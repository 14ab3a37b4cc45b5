//! A run in rounds, without locks.

use acrasin_amoebot::simultaneous::{self, Rounds};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::Seeded;

use super::AmoebotPlan;
use super::figures::{Course, drive, outcome};
use super::run::{drawn, names, over, states};
use super::scenario::Concurrency;
use super::subject::{Ground, Subject};
use crate::limits::LOOK_STEPS;
use crate::plan::{Finished, Job, RunError};

/// A step is a round.
struct InRounds<'a, S: Subject> {
    subject: &'a S,
    run: Rounds<'a, S>,
    has_terminated: bool,
    choices: &'a mut Seeded,
}

impl<S: Subject> Course for InRounds<'_, S> {
    /// So many that a few thousand amoebots are looked at between two looks.
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        let rounds = steps.min((LOOK_STEPS / self.run.system().len() as u64).max(1));
        self.has_terminated = self.run.run(rounds, self.choices);
        Ok(())
    }

    fn steps(&self) -> u64 {
        self.run.counts().rounds
    }

    fn rounds_and_locks(&self) -> (u64, u64) {
        (self.run.counts().rounds, 0)
    }

    fn has_terminated(&self) -> bool {
        self.has_terminated
    }

    fn columns(&self) -> Vec<String> {
        names::<S>()
    }

    fn counts(&self) -> Vec<u64> {
        states(self.subject, self.run.system())
    }
}

pub(super) fn run<S: Subject>(
    subject: &S,
    plan: &AmoebotPlan,
    job: &Job<'_>,
    (ground, concurrency): (&Ground, Concurrency),
    choices: &mut Seeded,
) -> Result<Finished, RunError> {
    let system = subject.start(ground).map_err(|message| AmoebotPlan::drawn(job.seed, message))?;
    let start = drawn(subject, &system);
    let concurrency = match concurrency {
        Concurrency::Synchronous => simultaneous::Concurrency::Synchronous,
        Concurrency::Isolated(distance) => {
            simultaneous::Concurrency::Isolated(u32::try_from(*distance).expect("the plan has checked it"))
        }
    };
    let run = Rounds::new(subject, system, concurrency);
    let mut course = InRounds { subject, run, has_terminated: false, choices };
    let (end, series) = drive(plan, job, &mut course)?;
    let (run, counts) = (&course.run, course.run.counts());
    let outcome = outcome(end, plan, || subject.is_finished(run.system()));
    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("rounds", "rounds", counts.rounds));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("failures", "failed actions", counts.failures));
    work.push(Figure::new("width", "most that acted in a round", counts.width as u64).unit("amoebots"));
    Ok(over(subject, plan, job, outcome, series, run.system(), start, work, Vec::new()))
}
