//! [`Observer`]: receives the events and steps of a run.

use super::World;
use crate::event::Event;
use crate::exclusion::Exclusion;
use crate::section::CriticalSection;
use crate::step::StepOf;

/// Receives the events and steps of a run. All methods do nothing by default.
pub trait Observer<E: Exclusion, S: CriticalSection> {
    /// Called for every event inside a step.
    fn event(&mut self, _event: &Event<'_, E, S>) {}
    /// Called after a step was applied; `picks` are the choices made inside it.
    fn step(&mut self, _step: &StepOf<E>, _picks: &[u32]) {}
    /// Called before an execution applies a step to this configuration.
    fn before(&mut self, _world: &World<E, S>, _step: &StepOf<E>) {}
    /// Called after an execution applied a step, which led to this configuration.
    fn after(&mut self, _world: &World<E, S>, _step: &StepOf<E>) {}
    /// Called when a round is complete.
    fn round(&mut self, _world: &World<E, S>, _rounds: u64) {}
}

/// An observer that does nothing.
impl<E: Exclusion, S: CriticalSection> Observer<E, S> for () {}

impl<E: Exclusion, S: CriticalSection, O: Observer<E, S> + ?Sized> Observer<E, S> for &mut O {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
        (**self).event(event);
    }
    #[inline]
    fn step(&mut self, step: &StepOf<E>, picks: &[u32]) {
        (**self).step(step, picks);
    }
    #[inline]
    fn before(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        (**self).before(world, step);
    }
    #[inline]
    fn after(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        (**self).after(world, step);
    }
    #[inline]
    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        (**self).round(world, rounds);
    }
}

/// Calls both observers, the first one first.
impl<E: Exclusion, S: CriticalSection, A: Observer<E, S>, B: Observer<E, S>> Observer<E, S> for (A, B) {
    #[inline(always)] // For every action and message, and most ignore it.
    fn event(&mut self, event: &Event<'_, E, S>) {
        self.0.event(event);
        self.1.event(event);
    }
    #[inline]
    fn step(&mut self, step: &StepOf<E>, picks: &[u32]) {
        self.0.step(step, picks);
        self.1.step(step, picks);
    }
    #[inline]
    fn before(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        self.0.before(world, step);
        self.1.before(world, step);
    }
    #[inline]
    fn after(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        self.0.after(world, step);
        self.1.after(world, step);
    }
    #[inline]
    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        self.0.round(world, rounds);
        self.1.round(world, rounds);
    }
}

/// Calls the observer, if there is one.
impl<E: Exclusion, S: CriticalSection, O: Observer<E, S>> Observer<E, S> for Option<O> {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
        if let Some(observer) = self {
            observer.event(event);
        }
    }
    #[inline]
    fn step(&mut self, step: &StepOf<E>, picks: &[u32]) {
        if let Some(observer) = self {
            observer.step(step, picks);
        }
    }
    #[inline]
    fn before(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        if let Some(observer) = self {
            observer.before(world, step);
        }
    }
    #[inline]
    fn after(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        if let Some(observer) = self {
            observer.after(world, step);
        }
    }
    #[inline]
    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        if let Some(observer) = self {
            observer.round(world, rounds);
        }
    }
}
