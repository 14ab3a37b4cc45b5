//! A run in waves, on all threads of the pool.

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::FailedAction;
use acrasin_amoebot::run::concurrent::Completed;
use acrasin_amoebot::run::parallel::{WaveCounts, Waves};
use acrasin_process::{Ending, Progress};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_report::value::Value;
use acrasin_runtime::PackError;

use super::engine::Engine;
use super::serial::{ActionCounts, Serial};
use crate::limits::{AMOEBOT_LOGGED, AMOEBOT_LOGGED_ACTIONS, LOOK_STEPS};
use acrasin_amoebot::algorithm::description::Description;

/// An engine for waves: a step is one wave.
pub(super) struct InWaves<'a, S: Description> {
    run: Waves<'a, S::Algorithm>,
    subject: &'a S,
    logged_max: usize,
    serial: Serial<S::Memory>,
    /// Whether completed actions are passed on to the recording and then dropped, because the log of so many amoebots
    /// would be too long to replay.
    forgets: bool,
}

impl<'a, S: Description> InWaves<'a, S> {
    /// Creates a run with a log and a check of lock sets. With many amoebots the log would be too long. Then actions
    /// are only logged if the run is recorded, and dropped at each call of `completed`.
    pub(super) fn new(subject: &'a S, system: System<S::Memory>, seed: u64, is_recorded: bool) -> Self {
        let start = (system.len() <= AMOEBOT_LOGGED).then(|| system.clone());
        let forgets = is_recorded && start.is_none();
        let run = Waves::new(subject.algorithm(), system, seed);
        let run = if forgets || start.is_some() { run.with_log().with_checks() } else { run };
        Self { run, subject, logged_max: AMOEBOT_LOGGED_ACTIONS, serial: Serial::from(start), forgets }
    }
}

impl<S: Description> Engine<S> for InWaves<'_, S> {
    fn system(&self) -> &System<S::Memory> {
        self.run.system()
    }

    /// Makes enough waves in one call for a few thousand activations.
    fn advance(&mut self, steps: u64, goes_on: &(dyn Fn() -> bool + Sync)) {
        self.run.run_while(steps.min((LOOK_STEPS / self.width()).max(1)), goes_on);
    }

    fn progress(&self) -> Progress {
        let WaveCounts { waves: steps, rounds, locks, .. } = self.run.counts();
        Progress { steps, rounds, locks, ..Progress::START }
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    fn is_full(&self) -> bool {
        self.run.log().is_some_and(|log| log.len() >= self.logged_max)
    }

    fn width(&self) -> u64 {
        self.run.system().len() as u64
    }

    fn completed(&mut self, written: u64, _: bool) -> Vec<Completed> {
        if self.forgets {
            return self.run.take_completed();
        }
        self.run.log().map_or_else(Vec::new, |log| log.completed_after(written as usize).collect())
    }

    fn counted(&self) -> Option<(&'static str, u64)> {
        Some(("lock sets of the wave", self.run.counts().last_width))
    }

    fn verified(&mut self, reached: Ending, has_time: &dyn Fn() -> bool) -> Ending {
        self.serial.replay(self.run.log(), self.subject.algorithm(), self.run.system(), has_time);
        let invalid = (self.run.counts().invalid, self.run.failed());
        self.serial.judged(reached, invalid, self.run.overlap(), "wave")
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.run.save(into)
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.run.load(from)
    }

    fn failed(&self) -> Option<&FailedAction> {
        self.run.failed()
    }

    fn work(&self) -> Section {
        let counts = self.run.counts();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("waves", "waves", counts.waves));
        work.push(Figure::new("activations", "activations", counts.activations));
        let WaveCounts { actions, moves, expand_failures, invalid, rounds, .. } = counts;
        ActionCounts { actions, moves, expand_failures, invalid, rounds }.push_to(&mut work);
        work.push(Figure::new("width", "most lock sets in a wave", counts.width));
        let mean = match counts.waves {
            0 => Value::Missing,
            waves => (counts.locks as f64 / waves as f64).into(),
        };
        work.push(Figure::new("mean_width", "mean lock sets in a wave", mean));
        work.push(self.serial.figure());
        work
    }

    fn locking(&self) -> Vec<Section> {
        let counts = self.run.counts();
        let mut locks = Section::of(SectionName::Locks);
        locks.push(Figure::new("completed", "completed", counts.locks));
        locks.push(Figure::new("failures", "failed", counts.lock_failures));
        let disabled = counts.activations - counts.locks - counts.lock_failures;
        locks.push(Figure::new("disabled", "not requested, as nothing was enabled", disabled));
        vec![locks]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_amoebot::{Cell, Direction, Hexagon, start};

    #[test]
    fn a_full_log_ends_the_run() {
        let line = start::line(Cell::ORIGIN, Direction::East, 20).unwrap();
        let is_full_after = |logged_max| {
            let system = Hexagon::start(&line, 0, &[]).unwrap();
            let mut waves = InWaves { logged_max, ..InWaves::new(&Hexagon, system, 1, false) };
            waves.advance(3, &|| true);
            (waves.is_full(), waves.run.counts().actions as usize)
        };
        let (is_full, actions) = is_full_after(usize::MAX);
        assert!(!is_full && actions > 0);
        assert!(is_full_after(actions).0 && !is_full_after(actions + 1).0);
    }
}
