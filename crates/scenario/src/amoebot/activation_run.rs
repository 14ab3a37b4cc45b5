//! Sequential executions: one amoebot at a time.

use std::num::NonZeroU32;

use acrasin_amoebot::algorithm::{FailedAction, Portion};
use acrasin_amoebot::run::concurrent::Completed;
use acrasin_amoebot::run::execution::{self, RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::run::fairness::{self, Fair, HighestFirst, LowestFirst, Newest};
use acrasin_amoebot::{Activated, Algorithm as _, System};
use acrasin_process::Progress;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::{Choices, Decision, Seeded};
use acrasin_runtime::pack::{PackError, Saved as _};

use super::engine::Engine;
use super::scenario::{ActivationOrder, AmoebotFairness};
use acrasin_amoebot::algorithm::description::Description;

/// An engine for sequential executions: a step is one activation.
pub(super) struct ActivationRun<'a, S: Description> {
    pub(super) run: execution::SequentialExecution<'a, S::Algorithm>,
    pub(super) adversary: Box<dyn execution::Adversary>,
    pub(super) choices: &'a mut Seeded,
    /// The completed actions, if they are kept.
    pub(super) kept: Option<Vec<Completed>>,
}

/// Records the draws of an action, without the draw that selects the action.
struct RecordedDraws<'a> {
    choices: &'a mut Seeded,
    picks: Vec<u32>,
}

impl Choices for RecordedDraws<'_> {
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        let pick = self.choices.pick(bound, why);
        if why != Decision::Action {
            self.picks.push(pick);
        }
        pick
    }
}

impl<S: Description> ActivationRun<'_, S> {
    /// Makes the same activation as a run without a recording, and keeps the completed action.
    fn activate(&mut self) {
        let id = self.adversary.next(self.run.enabled(), self.choices);
        let mut drawn = RecordedDraws { choices: self.choices, picks: Vec::new() };
        if let Activated::Completed { action, .. } = self.run.activate(id, &mut drawn) {
            let actions = self.run.algorithm().actions();
            let action = actions.iter().position(|listed| *listed == action).expect("an action of the list");
            let completed =
                Completed { id, action, picks: drawn.picks, lock_set: None, portion: Portion::Whole };
            self.kept.get_or_insert_default().push(completed);
        }
    }
}

impl<S: Description> Engine<S> for ActivationRun<'_, S> {
    fn system(&self) -> &System<S::Memory> {
        self.run.system()
    }

    fn advance(&mut self, steps: u64, _: &(dyn Fn() -> bool + Sync)) {
        if self.kept.is_none() {
            self.run.run(steps, &mut *self.adversary, self.choices);
            return;
        }
        for _ in 0..steps {
            if self.run.has_terminated() || self.run.failed().is_some() {
                break;
            }
            self.activate();
        }
    }

    fn keep(&mut self) {
        self.kept = Some(Vec::new());
    }

    fn completed(&mut self, _: u64, _: bool) -> Vec<Completed> {
        self.kept.as_mut().map_or_else(Vec::new, std::mem::take)
    }

    fn progress(&self) -> Progress {
        let execution::SequentialCounts { activations: steps, rounds, .. } = self.run.counts();
        Progress { steps, rounds, ..Progress::START }
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    /// Does not save the kept actions: they are written to the recording after every call, before a checkpoint.
    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.choices.save(into);
        self.kept.as_ref().is_none_or(Vec::is_empty) && self.adversary.save(into) && self.run.save(into)
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.choices.load(from)?;
        self.adversary.load(self.run.system().len(), from)?;
        self.run.load(from)
    }

    fn failed(&self) -> Option<&FailedAction> {
        self.run.failed()
    }

    fn work(&self) -> Section {
        let counts = self.run.counts();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("activations", "activations", counts.activations));
        work.push(Figure::new("actions", "completed actions", counts.actions));
        work.push(Figure::new("moves", "moves", counts.moves));
        work.push(Figure::new("failures", "aborted actions", counts.failures));
        work.push(Figure::new("rounds", "asynchronous rounds", counts.rounds));
        work.push(Figure::new("sweeps", "rounds in which every amoebot was activated", counts.sweeps));
        work
    }
}

/// The adversary that selects the next amoebot.
pub(super) fn adversary(
    activation: ActivationOrder,
    fairness: AmoebotFairness,
) -> Box<dyn execution::Adversary> {
    match activation {
        ActivationOrder::Uniform => kept_fair(Uniform, fairness),
        ActivationOrder::UniformEnabled => kept_fair(UniformEnabled, fairness),
        ActivationOrder::RoundRobin => kept_fair(RoundRobinActivation::default(), fairness),
        ActivationOrder::First => kept_fair(LowestFirst::default(), fairness),
        ActivationOrder::Last => kept_fair(HighestFirst::default(), fairness),
        ActivationOrder::Newest => kept_fair(Newest::default(), fairness),
    }
}

fn kept_fair<A: execution::Adversary + 'static>(
    inner: A,
    fairness: AmoebotFairness,
) -> Box<dyn execution::Adversary> {
    let fairness = match fairness {
        AmoebotFairness::Unfair => return Box::new(inner),
        AmoebotFairness::Weak(bound) => fairness::Fairness::Weak { bound: *bound },
        AmoebotFairness::Strong(bound) => fairness::Fairness::Strong { bound: *bound },
    };
    Box::new(Fair::new(inner, fairness))
}
