//! A run in rounds, without locks.

use acrasin_amoebot::Cell;
use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::run::simultaneous::{self, Rounds};
use acrasin_amoebot::start::Drawing;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::Seeded;

use super::AmoebotPlan;
use super::erased::AnySubject;
use super::figures::{Course, drive, outcome};
use super::run::{Ended, start};
use super::scenario::Concurrency;
use super::scene::Scene;
use super::subject::{Ground, Subject};
use crate::limits::LOOK_STEPS;
use crate::plan::{Finished, Job, RunError};

/// A step is a round.
struct InRounds<'a> {
    scene: Scene<'a, AnySubject<'a>>,
    run: Rounds<'a, AnySubject<'a>>,
    has_terminated: bool,
    choices: &'a mut Seeded,
}

impl Course for InRounds<'_> {
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

    fn is_broken(&self) -> bool {
        self.scene.subject.fault(self.run.system()).is_some()
    }

    fn columns(&self) -> Vec<String> {
        self.scene.names_and("acting")
    }

    fn counts(&self) -> Vec<u64> {
        self.scene.states_and(self.run.system(), self.run.counts().last_width as u64)
    }

    fn cells(&self) -> Vec<Cell> {
        self.run.system().cells()
    }

    fn picture(&self) -> Option<Picture> {
        self.scene.picture(self.run.system())
    }

    fn drawing(&self) -> Option<Drawing> {
        self.scene.drawing(self.run.system())
    }
}

impl From<Concurrency> for simultaneous::Concurrency {
    /// # Panics
    ///
    /// Panics at a distance that no plan accepts.
    fn from(written: Concurrency) -> Self {
        match written {
            Concurrency::Synchronous => Self::Synchronous,
            Concurrency::Isolated(distance) => {
                Self::Isolated(u32::try_from(*distance).expect("the plan has checked it"))
            }
        }
    }
}

pub(super) fn run(
    subject: &AnySubject<'_>,
    plan: &AmoebotPlan,
    job: &Job<'_>,
    (ground, concurrency): (&Ground, Concurrency),
    choices: &mut Seeded,
) -> Result<Finished, RunError> {
    let system = start(subject, job, ground)?;
    let run = Rounds::new(subject, system, concurrency.into());
    let scene = Scene::new(subject, plan);
    let mut course = InRounds { scene, run, has_terminated: false, choices };
    let driven = drive(plan, job, &mut course)?;
    let (run, counts) = (&course.run, course.run.counts());
    let outcome = outcome(driven.end, plan, &|| subject.is_finished(run.system()));
    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("rounds", "rounds", counts.rounds));
    work.push(Figure::new("activations", "activations", counts.actions + counts.failures));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("failures", "failed actions", counts.failures));
    work.push(Figure::new("width", "most that acted in a round", counts.width as u64).unit("amoebots"));
    let ended = Ended { driven, outcome, work, further: Vec::new() };
    Ok(ended.finish(plan, job, &course.scene, run.system()))
}
