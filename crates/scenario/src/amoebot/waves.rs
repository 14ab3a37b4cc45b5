//! A run in waves, on all threads of the pool.

use acrasin_amoebot::parallel::Waves;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_report::value::Value;

use super::AmoebotPlan;
use super::figures::{Course, drive, outcome};
use super::run::{drawn, judged, names, over, states};
use super::subject::{Ground, Subject};
use crate::limits::{AMOEBOT_LOGGED_ACTIONS, LOOK_STEPS};
use crate::plan::{Finished, Job, RunError};

/// A step is a wave.
struct InWaves<'a, S: Subject> {
    subject: &'a S,
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
        (self.run.counts().waves, self.run.counts().locks)
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    fn is_full(&self) -> bool {
        self.run.log().is_some_and(|log| log.len() >= self.logged_max)
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
    ground: &Ground,
) -> Result<Finished, RunError> {
    let system = subject.start(ground).map_err(|message| AmoebotPlan::drawn(job.seed, message))?;
    let (start, before) = (drawn(subject, &system), system.clone());
    let run = Waves::new(subject, system, job.seed).with_log();
    let mut course = InWaves { subject, run, logged_max: AMOEBOT_LOGGED_ACTIONS };
    let (end, series) = drive(plan, job, &mut course)?;
    let (run, counts) = (&course.run, course.run.counts());
    let log = run.log().expect("the run is made with one");
    let is_same = log.replay(subject, before).is_ok_and(|system| &system == run.system());
    let reached = outcome(end, plan, || subject.is_finished(run.system()));
    let outcome = judged(reached, counts.invalid, Some(is_same));

    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("waves", "waves", counts.waves));
    work.push(Figure::new("activations", "activations", counts.activations));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("expand_failures", "failed expansions", counts.expand_failures));
    work.push(Figure::new("invalid", "aborted against the rules", counts.invalid));
    work.push(Figure::new("width", "most lock sets in a wave", counts.width));
    let mean = match counts.waves {
        0 => Value::Missing,
        waves => (counts.locks as f64 / waves as f64).into(),
    };
    work.push(Figure::new("mean_width", "mean lock sets in a wave", mean));
    work.push(Figure::new("replayed", "one after the other: the same end", is_same));
    let mut locks = Section::of(SectionName::Locks);
    locks.push(Figure::new("completed", "completed", counts.locks));
    locks.push(Figure::new("failures", "failed", counts.lock_failures));
    Ok(over(subject, plan, job, outcome, series, run.system(), start, work, vec![locks]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_amoebot::{Cell, Direction, Hexagon, start};

    #[test]
    fn a_full_log_ends_the_run() {
        let line = start::line(Cell::ORIGIN, Direction::East, 20).unwrap();
        let is_full_after = |logged_max| {
            let run = Waves::new(&Hexagon, Hexagon::start(&line, 0, &[]).unwrap(), 1).with_log();
            let mut course = InWaves { subject: &Hexagon, run, logged_max };
            course.advance(3).unwrap();
            (course.is_full(), course.run.counts().actions as usize)
        };
        let (is_full, actions) = is_full_after(usize::MAX);
        assert!(!is_full && actions > 0);
        assert!(is_full_after(actions).0 && !is_full_after(actions + 1).0);
    }
}
