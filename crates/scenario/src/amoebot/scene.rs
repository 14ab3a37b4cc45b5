//! How an algorithm's amoebots are counted and drawn.

use acrasin_amoebot::System;
use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::start::{Drawing, Mark};

use super::AmoebotPlan;
use super::figures::{drawing, picture};
use super::subject::Subject;

/// An algorithm, and who is special in it.
pub(super) struct Scene<'a, S> {
    pub(super) subject: &'a S,
    /// The seed or root, if there is one.
    pub(super) seed: Option<usize>,
}

impl<'a, S: Subject> Scene<'a, S> {
    pub(super) fn new(subject: &'a S, plan: &AmoebotPlan) -> Self {
        Self { subject, seed: plan.algorithm.needs().seed.then_some(plan.seed_position) }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.subject.states().iter().map(|name| (*name).to_owned()).collect()
    }

    /// The names of what is counted over time: the states, and one thing more.
    pub(super) fn names_and(&self, more: &str) -> Vec<String> {
        let mut names = self.names();
        names.push(more.to_owned());
        names
    }

    pub(super) fn states_and(&self, system: &System<S::Memory>, more: u64) -> Vec<u64> {
        let mut counts = self.states(system);
        counts.push(more);
        counts
    }

    /// How many amoebots are in each state.
    pub(super) fn states(&self, system: &System<S::Memory>) -> Vec<u64> {
        let mut counts = vec![0; self.subject.states().len()];
        for id in system.ids() {
            counts[self.subject.state(system.memory(id))] += 1;
        }
        counts
    }

    pub(super) fn picture(&self, system: &System<S::Memory>) -> Option<Picture> {
        let amoebots = system.ids().map(|id| (system.body(id), self.subject.state(system.memory(id))));
        picture(amoebots, &self.names(), system.object())
    }

    /// With '@' for the seed; other memories are lost.
    pub(super) fn drawing(&self, system: &System<S::Memory>) -> Option<Drawing> {
        let mark = |amoebot| if self.seed == Some(amoebot) { Mark::Seed } else { Mark::None };
        drawing(system.ids().map(|id| system.body(id)), mark, system.object())
    }
}
