//! All amoebots at once, step by step, in the concurrency framework.

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::description::Description as _;
use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, AnyMemory};
use acrasin_amoebot::run::concurrent::{Completed, Concurrent, Counts, Locks, MessageLocks, TryLocks};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_report::observer::EntryFigures;
use acrasin_report::record::{Figure, Outcome, Section, SectionName};
use acrasin_runtime::World;
use acrasin_runtime::choice::{Choices, Seeded};
use acrasin_runtime::exclusion::{Exclusion, Vocabulary};
use acrasin_runtime::lock::Outside;

use super::acting::Acting;
use super::course::Headway;
use super::serial::{Done, Serial};
use acrasin_amoebot::algorithm::description::AnyDescription;

/// A step is one of an amoebot or of the locks.
pub(super) struct AtOnce<'a, L> {
    run: Concurrent<'a, AnyAlgorithm<'a>, L>,
    subject: &'a AnyDescription<'a>,
    steps: u64,
    choices: &'a mut Seeded,
    serial: Serial<AnyMemory>,
}

impl<'a, L: Locks> AtOnce<'a, L> {
    pub(super) fn new(
        subject: &'a AnyDescription<'a>,
        system: System<AnyMemory>,
        locks: L,
        choices: &'a mut Seeded,
    ) -> Self {
        let serial = Serial::from(Some(system.clone()));
        let run = Concurrent::new(subject.algorithm(), system, locks);
        Self { run, subject, steps: 0, choices, serial }
    }
}

/// What locks have to say in a record.
pub(super) trait Told {
    /// Their messages, if they send any, and what an entry takes.
    fn sections(&self) -> Vec<Section>;
}

impl Told for TryLocks {
    fn sections(&self) -> Vec<Section> {
        Vec::new()
    }
}

impl Told for MessageLocks {
    fn sections(&self) -> Vec<Section> {
        vec![messages(self.world())]
    }
}

/// Other mutual exclusion: as in runs without amoebots, messages by kind and rounds of waiting for each entry.
impl<E: Vocabulary> Told for MessageLocks<E, EntryFigures> {
    fn sections(&self) -> Vec<Section> {
        vec![messages(self.world()), self.observer().section::<E>()]
    }
}

fn messages<E: Exclusion>(world: &World<E, Outside<()>>) -> Section {
    let mut section = Section::of(SectionName::Messages);
    section.push(Figure::new("sent", "sent", world.messages_sent()));
    section.push(Figure::new("steps", "steps of the lock algorithm", world.steps()));
    section
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

    /// Inside an action others are locked, and the log does not have it yet.
    fn completed(&mut self, is_over: bool) -> Vec<Completed> {
        if is_over { self.run.log().completed().collect() } else { Vec::new() }
    }

    fn unfinished(&self) -> usize {
        self.run.inside()
    }

    fn counted(&self) -> Option<(&'static str, u64)> {
        Some(("inside an action", self.run.inside() as u64))
    }

    /// Inside an action others are locked, and the log does not have it yet.
    fn look_back(&mut self, reached: Outcome) -> Outcome {
        let log = (self.run.inside() == 0).then(|| self.run.log());
        self.serial.replay(log, self.subject.algorithm(), self.run.system());
        self.serial.judged(reached, self.run.counts().invalid, None, "step")
    }

    fn work(&self) -> Section {
        let counts = self.run.counts();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("steps", "steps of amoebots and locks", self.steps));
        work.push(Figure::new("amoebot_steps", "steps of amoebots", counts.steps));
        let activations = counts.locks + counts.lock_failures;
        work.push(Figure::new("activations", "activations: Locks that were granted or failed", activations));
        let Counts { actions, moves, expand_failures, invalid, rounds, .. } = counts;
        Done { actions, moves, expand_failures, invalid, rounds }.push_to(&mut work);
        work.push(
            Figure::new("width", "most inside an action at once", counts.width as u64).unit("amoebots"),
        );
        work.push(self.serial.figure());
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
        [locks].into_iter().chain(self.run.locks().sections()).collect()
    }
}
