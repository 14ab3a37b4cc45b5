//! A run in waves, on all threads of the pool.

use acrasin_amoebot::Cell;
use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::start::Drawing;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_report::value::Value;

use super::AmoebotPlan;
use super::figures::{Course, drive, outcome};
use super::run::{Ended, judged, start};
use super::scene::Scene;
use super::subject::{Ground, Subject};
use crate::limits::{AMOEBOT_LOGGED, AMOEBOT_LOGGED_ACTIONS, LOOK_STEPS};
use crate::plan::{Finished, Job, RunError};

/// A step is a wave.
struct InWaves<'a, S: Subject> {
    scene: Scene<'a, S>,
    run: Waves<'a, S>,
    logged_max: usize,
}

impl<S: Subject> Course for InWaves<'_, S> {
    /// So many that a few thousand amoebots act between two looks.
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        self.run.run(steps.min((LOOK_STEPS / self.run.system().len() as u64).max(1)));
        Ok(())
    }

    fn steps(&self) -> u64 {
        self.run.counts().waves
    }

    fn rounds_and_locks(&self) -> (u64, u64) {
        (self.run.counts().rounds, self.run.counts().locks)
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    fn is_full(&self) -> bool {
        self.run.log().is_some_and(|log| log.len() >= self.logged_max)
    }

    fn is_broken(&self) -> bool {
        self.scene.subject.fault(self.run.system()).is_some()
    }

    fn columns(&self) -> Vec<String> {
        self.scene.names_and("lock sets of the wave")
    }

    fn counts(&self) -> Vec<u64> {
        self.scene.states_and(self.run.system(), self.run.counts().last_width)
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

pub(super) fn run<S: Subject>(
    subject: &S,
    plan: &AmoebotPlan,
    job: &Job<'_>,
    ground: &Ground,
) -> Result<Finished, RunError> {
    let system = start(subject, job, ground)?;
    let before = system.clone();
    let run = Waves::new(subject, system, job.seed);
    // A log of many is long.
    let (run, before) = match plan.count {
        0..=AMOEBOT_LOGGED => (run.with_log(), Some(before)),
        _ => (run, None),
    };
    let scene = Scene::new(subject, plan);
    let mut course = InWaves { scene, run, logged_max: AMOEBOT_LOGGED_ACTIONS };
    let driven = drive(plan, job, &mut course)?;
    let (run, counts) = (&course.run, course.run.counts());
    let replayed = run.log().zip(before).map(|(log, before)| log.replay(subject, before));
    let is_same = replayed.map(|replayed| replayed.is_ok_and(|system| &system == run.system()));
    let reached = outcome(driven.end, plan, &|| subject.is_finished(run.system()));
    let outcome = judged(reached, counts.invalid, is_same);

    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("waves", "waves", counts.waves));
    work.push(Figure::new("activations", "activations", counts.activations));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("expand_failures", "failed expansions", counts.expand_failures));
    work.push(Figure::new("invalid", "aborted against the rules", counts.invalid));
    work.push(Figure::new("rounds", "asynchronous rounds", counts.rounds));
    work.push(Figure::new("width", "most lock sets in a wave", counts.width));
    let mean = match counts.waves {
        0 => Value::Missing,
        waves => (counts.locks as f64 / waves as f64).into(),
    };
    work.push(Figure::new("mean_width", "mean lock sets in a wave", mean));
    let is_same = is_same.map_or(Value::Missing, Into::into);
    work.push(Figure::new("replayed", "one after the other: the same end", is_same));
    let mut locks = Section::of(SectionName::Locks);
    locks.push(Figure::new("completed", "completed", counts.locks));
    locks.push(Figure::new("failures", "failed", counts.lock_failures));
    let disabled = counts.activations - counts.locks - counts.lock_failures;
    locks.push(Figure::new("disabled", "not asked for as nothing was enabled", disabled));
    let ended = Ended { driven, outcome, work, further: vec![locks] };
    Ok(ended.finish(plan, job, &course.scene, run.system()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_amoebot::{Direction, Hexagon, start};

    #[test]
    fn a_full_log_ends_the_run() {
        let line = start::line(Cell::ORIGIN, Direction::East, 20).unwrap();
        let is_full_after = |logged_max| {
            let run = Waves::new(&Hexagon, Hexagon::start(&line, 0, &[]).unwrap(), 1).with_log();
            let scene = Scene { subject: &Hexagon, seed: Some(0) };
            let mut course = InWaves { scene, run, logged_max };
            course.advance(3).unwrap();
            (course.is_full(), course.run.counts().actions as usize)
        };
        let (is_full, actions) = is_full_after(usize::MAX);
        assert!(!is_full && actions > 0);
        assert!(is_full_after(actions).0 && !is_full_after(actions + 1).0);
    }
}
