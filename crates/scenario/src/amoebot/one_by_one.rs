//! One amoebot at a time.

use acrasin_amoebot::System;
use acrasin_amoebot::run::execution::{self, RoundRobin, Uniform, UniformEnabled};
use acrasin_amoebot::run::fairness::{self, Fair, First, Last, Newest};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::Seeded;

use super::acting::Acting;
use super::course::Headway;
use super::scenario::{ActivationOrder, Fairness};
use acrasin_amoebot::algorithm::description::Description;

/// A step is an activation.
pub(super) struct OneByOne<'a, S: Description> {
    pub(super) run: execution::SequentialExecution<'a, S::Algorithm>,
    pub(super) adversary: Box<dyn execution::Adversary>,
    pub(super) choices: &'a mut Seeded,
}

impl<S: Description> Acting<S> for OneByOne<'_, S> {
    fn system(&self) -> &System<S::Memory> {
        self.run.system()
    }

    fn advance(&mut self, steps: u64) {
        self.run.run(steps, &mut *self.adversary, self.choices);
    }

    fn headway(&self) -> Headway {
        let execution::Counts { activations: steps, rounds, .. } = self.run.counts();
        Headway { steps, rounds, has_terminated: self.run.has_terminated(), ..Headway::default() }
    }

    fn work(&self) -> Section {
        let counts = self.run.counts();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("activations", "activations", counts.activations));
        work.push(Figure::new("actions", "completed actions", counts.actions));
        work.push(Figure::new("moves", "moves", counts.moves));
        work.push(Figure::new("failures", "aborted actions", counts.failures));
        work.push(Figure::new("rounds", "asynchronous rounds", counts.rounds));
        work.push(Figure::new("sweeps", "rounds of every amoebot activated", counts.sweeps));
        work
    }
}

/// Who is activated next.
pub(super) fn adversary(activation: ActivationOrder, fairness: Fairness) -> Box<dyn execution::Adversary> {
    match activation {
        ActivationOrder::Uniform => kept_fair(Uniform, fairness),
        ActivationOrder::UniformEnabled => kept_fair(UniformEnabled, fairness),
        ActivationOrder::RoundRobin => kept_fair(RoundRobin::default(), fairness),
        ActivationOrder::First => kept_fair(First::default(), fairness),
        ActivationOrder::Last => kept_fair(Last::default(), fairness),
        ActivationOrder::Newest => kept_fair(Newest::default(), fairness),
    }
}

fn kept_fair<A: execution::Adversary + 'static>(
    inner: A,
    fairness: Fairness,
) -> Box<dyn execution::Adversary> {
    let fairness = match fairness {
        Fairness::Unfair => return Box::new(inner),
        Fairness::Weak(bound) => fairness::Fairness::Weak { bound: *bound },
        Fairness::Strong(bound) => fairness::Fairness::Strong { bound: *bound },
    };
    Box::new(Fair::new(inner, fairness))
}
