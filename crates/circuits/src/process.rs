//! [`CircuitProcess`]: a run as a [`Process`], for drivers that know nothing of circuits.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::Hasher;

use acrasin_process::{Advance, Condition, Ending, Goal, Measure, Metric, Process, Progress, RunBound};
use acrasin_runtime::Digest;

use crate::round::{CircuitRun, RoundTable};

/// A run of an algorithm that a driver advances round by round. A conflict of movements or a list of coins that is too
/// short ends it as a violation.
#[derive(Debug)]
pub struct CircuitProcess<A: RoundTable> {
    run: CircuitRun<A>,
    title: String,
    trouble: Option<String>,
    sent: u64,
    moved: u64,
}

impl<A: RoundTable> CircuitProcess<A> {
    /// The process of a run. `title` names the algorithm in the ending.
    #[must_use]
    pub fn new(run: CircuitRun<A>, title: impl Into<String>) -> Self {
        Self { run, title: title.into(), trouble: None, sent: 0, moved: 0 }
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &CircuitRun<A> {
        &self.run
    }

    /// The names of the classes in which amoebots are counted.
    #[must_use]
    pub fn classes(&self) -> &'static [&'static str] {
        self.run.algorithm().classes()
    }

    fn has_ended(&self) -> bool {
        self.run.rounds().iter().all(Option::is_none)
    }
}

impl<A: RoundTable> Process for CircuitProcess<A> {
    fn progress(&self) -> Progress {
        let rounds = self.run.rounds_done();
        Progress { rounds, steps: rounds * self.run.memories().len() as u64, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        let algorithm = self.run.algorithm();
        let mut counts = vec![0; algorithm.classes().len()];
        for (memory, round) in self.run.memories().iter().zip(self.run.rounds()) {
            counts[algorithm.class(memory, round.is_some())] += 1;
        }
        Cow::Owned(counts)
    }

    fn unit(&self) -> Measure {
        Measure::Rounds
    }

    fn stride(&self) -> u64 {
        // A round of 10^5 amoebots takes some milliseconds.
        (100_000 / self.run.memories().len() as u64).max(1)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        loop {
            if self.meets(condition) {
                return Advance::Held;
            }
            if self.trouble.is_some() {
                return Advance::Violated;
            }
            let progress = self.progress();
            if progress.rounds >= bound.rounds || progress.steps >= bound.steps {
                return Advance::Advanced;
            }
            match self.run.round() {
                Ok(true) => {
                    let figures = self.run.figures();
                    self.sent += figures.sent;
                    self.moved += u64::from(figures.movement.is_some());
                }
                Ok(false) => return Advance::Quiescent,
                Err(trouble) => self.trouble = Some(trouble.to_string()),
            }
        }
    }

    fn ending(&self) -> Option<Ending> {
        match &self.trouble {
            Some(trouble) => Some(Ending::Violated(trouble.clone())),
            None => self.has_ended().then(|| Ending::Reached(Goal::Terminated(self.title.clone()))),
        }
    }

    fn obstacle(&self) -> Ending {
        self.ending().unwrap_or(Ending::Reached(Goal::Terminated(self.title.clone())))
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.has_ended() || self.trouble.is_some())
    }

    fn metrics(&self) -> Vec<Metric> {
        let metric = |key, label, value| Metric { is_of_graph: false, key, label, value };
        vec![metric("beeps", "beeps sent", self.sent), metric("movements", "movement halves", self.moved)]
    }

    fn digest(&self) -> u128 {
        Digest::written(|hasher| {
            for body in self.run.structure().bodies() {
                for cell in body.cells() {
                    hasher.write_i32(cell.x());
                    hasher.write_i32(cell.y());
                }
            }
            let mut text = String::new();
            for (memory, round) in self.run.memories().iter().zip(self.run.rounds()) {
                text.clear();
                // Writing to a string does not fail.
                let _ = write!(text, "{memory:?} {round:?}");
                hasher.write(text.as_bytes());
            }
        })
        .0
    }
}
