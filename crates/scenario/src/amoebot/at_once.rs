//! All amoebots at once, step by step, in the concurrency framework.

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::description::Description as _;
use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, AnyMemory};
use acrasin_amoebot::run::concurrent::{Concurrent, Locks, MessageLocks, TryLocks};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_report::record::{Figure, Outcome, Section, SectionName};
use acrasin_report::value::Value;
use acrasin_runtime::choice::{Choices, Seeded};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::lock::Outside;
use acrasin_runtime::scheduler;

use super::acting::{Acting, judged};
use super::course::Headway;
use super::scenario::Scheduler;
use acrasin_amoebot::algorithm::description::AnyDescription;

/// A step is one of an amoebot or of the locks.
pub(super) struct AtOnce<'a, L> {
    run: Concurrent<'a, AnyAlgorithm<'a>, L>,
    subject: &'a AnyDescription<'a>,
    steps: u64,
    choices: &'a mut Seeded,
    /// The start, until the log is replayed.
    before: Option<System<AnyMemory>>,
    /// Whether the same actions, one after the other, have led to the same end.
    is_same: Option<bool>,
}

impl<'a, L: Locks> AtOnce<'a, L> {
    pub(super) fn new(
        subject: &'a AnyDescription<'a>,
        system: System<AnyMemory>,
        locks: L,
        choices: &'a mut Seeded,
    ) -> Self {
        let before = Some(system.clone());
        let run = Concurrent::new(subject.algorithm(), system, locks);
        Self { run, subject, steps: 0, choices, before, is_same: None }
    }
}

/// What locks have to say in a record.
pub(super) trait Told {
    /// Their messages, if they send any.
    fn messages(&self) -> Option<Section>;
}

impl Told for TryLocks {
    fn messages(&self) -> Option<Section> {
        None
    }
}

impl Told for MessageLocks {
    fn messages(&self) -> Option<Section> {
        let mut section = Section::of(SectionName::Messages);
        section.push(Figure::new("sent", "sent", self.world().messages_sent()));
        section.push(Figure::new("steps", "steps of the lock algorithm", self.world().steps()));
        Some(section)
    }
}

impl<'a, L: Locks + Told> Acting<AnyDescription<'a>> for AtOnce<'a, L> {
    fn system(&self) -> &System<AnyMemory> {
        self.run.system()
    }

    fn advance(&mut self, steps: u64) {
        for _ in 0..steps {
            if self.run.has_terminated() {
                break;
            }
            let choices: &mut dyn Choices = self.choices;
            self.run.run(1, &mut UniformEnabled, choices);
            self.steps += 1;
        }
    }

    fn headway(&self) -> Headway {
        let (counts, inside) = (self.run.counts(), self.run.inside());
        let (rounds, locks, has_terminated) = (counts.rounds, counts.locks, self.run.has_terminated());
        Headway { steps: self.steps, rounds, locks, has_terminated, inside, is_full: false }
    }

    fn counted(&self) -> Option<(&'static str, u64)> {
        Some(("inside an action", self.run.inside() as u64))
    }

    /// Inside an action others are locked, and the log does not have it yet.
    fn look_back(&mut self, reached: Outcome) -> Outcome {
        let before = self.before.take().filter(|_| self.run.inside() == 0);
        let replayed = before.map(|before| self.run.log().replay(self.subject.algorithm(), before));
        self.is_same = replayed.map(|replayed| replayed.is_ok_and(|system| &system == self.run.system()));
        judged(reached, self.run.counts().invalid, self.is_same)
    }

    fn work(&self) -> Section {
        let counts = self.run.counts();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("steps", "steps of amoebots and locks", self.steps));
        work.push(Figure::new("amoebot_steps", "steps of amoebots", counts.steps));
        let activations = counts.locks + counts.lock_failures;
        work.push(Figure::new("activations", "activations: Locks that were granted or failed", activations));
        work.push(Figure::new("actions", "completed actions", counts.actions));
        work.push(Figure::new("moves", "moves", counts.moves));
        work.push(Figure::new("expand_failures", "failed expansions", counts.expand_failures));
        work.push(Figure::new("invalid", "aborted against the rules", counts.invalid));
        work.push(Figure::new("rounds", "asynchronous rounds", counts.rounds));
        work.push(
            Figure::new("width", "most inside an action at once", counts.width as u64).unit("amoebots"),
        );
        let is_same = self.is_same.map_or(Value::Missing, Into::into);
        work.push(Figure::new("replayed", "one after the other: the same end", is_same));
        work
    }

    fn locking(&self) -> Vec<Section> {
        let counts = self.run.counts();
        let mut locks = Section::of(SectionName::Locks);
        locks.push(Figure::new("completed", "completed", counts.locks));
        locks.push(Figure::new("failures", "failed", counts.lock_failures));
        locks.push(Figure::new("waits", "steps spent waiting", counts.waits));
        locks.push(Figure::new("awakenings", "aborted to wake others", counts.awakenings));
        locks.push(Figure::new("disabled", "aborted as nothing was enabled", counts.disabled));
        [locks].into_iter().chain(self.run.locks().messages()).collect()
    }
}

/// Who acts in the world of the lock algorithm.
pub(super) fn below(scheduler: Scheduler) -> Box<dyn scheduler::Scheduler<Local, Outside<()>>> {
    match scheduler {
        Scheduler::Sequential => Box::new(scheduler::Sequential::new()),
        Scheduler::Asynchronous => Box::new(scheduler::Asynchronous::new()),
        Scheduler::NewestFirst => Box::new(scheduler::NewestFirst::new()),
    }
}
