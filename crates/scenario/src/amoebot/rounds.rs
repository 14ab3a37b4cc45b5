//! A run in rounds, without locks.

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::FailedAction;
use acrasin_amoebot::algorithm::description::Description as _;
use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, AnyMemory};
use acrasin_amoebot::run::simultaneous::{self, Rounds};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::Seeded;
use acrasin_runtime::pack::{Pack as _, PackError, Saved as _};

use acrasin_process::Progress;
use acrasin_report::film::Head;

use super::engine::{Engine, labels};
use super::filmed;
use super::scenario::ConcurrencySetting;
use crate::limits::LOOK_STEPS;
use crate::run::{Changes, Filmed, NodeView};
use acrasin_amoebot::algorithm::description::AnyDescription;

/// An engine for rounds: a step is one round.
pub(super) struct InRounds<'a> {
    run: Rounds<'a, AnyAlgorithm<'a>>,
    has_terminated: bool,
    choices: &'a mut Seeded,
    subject: &'a AnyDescription<'a>,
}

impl<'a> InRounds<'a> {
    pub(super) fn new(
        subject: &'a AnyDescription<'a>,
        system: System<AnyMemory>,
        concurrency: ConcurrencySetting,
        choices: &'a mut Seeded,
    ) -> Self {
        Self {
            run: Rounds::new(subject.algorithm(), system, concurrency.into()),
            has_terminated: false,
            choices,
            subject,
        }
    }
}

impl<'a> Engine<AnyDescription<'a>> for InRounds<'a> {
    fn system(&self) -> &System<AnyMemory> {
        self.run.system()
    }

    /// Makes enough rounds in one call to visit about 4096 amoebots.
    fn advance(&mut self, steps: u64, goes_on: &(dyn Fn() -> bool + Sync)) {
        let rounds = steps.min((LOOK_STEPS / self.width()).max(1));
        self.has_terminated = self.run.run_while(rounds, self.choices, &|| goes_on());
    }

    fn progress(&self) -> Progress {
        let rounds = self.run.counts().rounds;
        Progress { steps: rounds, rounds, ..Progress::START }
    }

    fn has_terminated(&self) -> bool {
        self.has_terminated
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        Some(self)
    }

    fn width(&self) -> u64 {
        self.run.system().len() as u64
    }

    fn counted(&self) -> Option<(&'static str, u64)> {
        Some(("acting", self.run.counts().last_width as u64))
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.choices.save(into);
        self.has_terminated.pack(into);
        self.run.save(into)
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.choices.load(from)?;
        self.has_terminated.unpack_into(from)?;
        self.run.load(from)
    }

    fn failed(&self) -> Option<&FailedAction> {
        self.run.failed()
    }

    fn work(&self) -> Section {
        let counts = self.run.counts();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("rounds", "rounds", counts.rounds));
        work.push(Figure::new("activations", "activations", counts.actions + counts.failures));
        work.push(Figure::new("actions", "completed actions", counts.actions));
        work.push(Figure::new("moves", "moves", counts.moves));
        work.push(Figure::new("failures", "failed actions", counts.failures));
        work.push(
            Figure::new("width", "maximum number of amoebots that acted in one round", counts.width as u64)
                .with_unit("amoebots"),
        );
        work
    }
}

impl Filmed for InRounds<'_> {
    fn head(&self) -> Head {
        let mut head = filmed::head(self.subject, self.run.system(), labels(self.subject));
        "round".clone_into(&mut head.time);
        head
    }

    fn moment(&self) -> u64 {
        self.run.counts().rounds
    }

    fn look(&self, node: u32, into: &mut NodeView) {
        filmed::look(self.subject, self.run.system(), node, into);
    }

    fn since(&mut self, into: &mut Changes) {
        into.has_walkers = true;
    }
}

impl From<ConcurrencySetting> for simultaneous::Concurrency {
    /// The concurrency of an exploration.
    ///
    /// # Panics
    ///
    /// Panics at a distance that no plan accepts.
    fn from(written: ConcurrencySetting) -> Self {
        match written {
            ConcurrencySetting::Synchronous => Self::Synchronous,
            ConcurrencySetting::Isolated(distance) => {
                Self::Isolated(u32::try_from(*distance).expect("the plan has checked it"))
            }
        }
    }
}
