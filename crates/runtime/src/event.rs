//! What observers of a run are told.

use crate::exclusion::{Anomaly, Exclusion};
use crate::node::NodeId;
use crate::port::PortSet;
use crate::section::CriticalSection;
use crate::step::StepOf;
use crate::world::World;

/// Something that happened. Observers get shared references; a run does not depend on whether anybody looks.
pub enum Event<'a, E: Exclusion, S: CriticalSection> {
    /// A node executed an action.
    Executed {
        /// The node.
        node: NodeId,
        /// The action.
        action: E::Action,
    },
    /// A message is in transit.
    Sent {
        /// The sender.
        from: NodeId,
        /// The receiver; the sender itself for a message on port 0.
        to: NodeId,
        /// The message.
        message: E::Message,
    },
    /// An action announced something of its algorithm's own.
    Noted {
        /// Where.
        node: NodeId,
        /// What.
        note: E::Note,
    },
    /// A Lock succeeded.
    Granted {
        /// The holder.
        node: NodeId,
        /// The ports of its lock set, 0 among them.
        lock_set: &'a PortSet,
    },
    /// A critical section ran.
    Entered {
        /// The holder.
        node: NodeId,
        /// What the section reports.
        outcome: &'a S::Outcome,
    },
    /// An Unlock is complete.
    Released {
        /// The node.
        node: NodeId,
    },
    /// An edge appeared.
    Connected {
        /// One end.
        a: NodeId,
        /// The other.
        b: NodeId,
    },
    /// An edge vanished.
    Disconnected {
        /// One end.
        a: NodeId,
        /// The other.
        b: NodeId,
        /// The messages in transit that were lost.
        lost: u32,
        /// The messages of executions that span time that had not left yet, and never do.
        unsent: u32,
    },
    /// A call was ignored, or a message came from the wrong node.
    Anomaly {
        /// Where.
        node: NodeId,
        /// What.
        anomaly: Anomaly,
    },
}

/// Looks on while a run proceeds.
pub trait Observer<E: Exclusion, S: CriticalSection> {
    /// Something happened inside a step.
    fn event(&mut self, _event: &Event<'_, E, S>) {}
    /// A step has been applied; `picks` are the choices made inside it.
    fn step(&mut self, _step: &StepOf<E>, _picks: &[u32]) {}
    /// A round is complete.
    fn round(&mut self, _world: &World<E, S>, _rounds: u64) {}
}

/// Nobody looks.
impl<E: Exclusion, S: CriticalSection> Observer<E, S> for () {}

impl<E: Exclusion, S: CriticalSection, O: Observer<E, S>> Observer<E, S> for &mut O {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
        (**self).event(event);
    }
    #[inline]
    fn step(&mut self, step: &StepOf<E>, picks: &[u32]) {
        (**self).step(step, picks);
    }
    #[inline]
    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        (**self).round(world, rounds);
    }
}

/// Two observers look.
impl<E: Exclusion, S: CriticalSection, A: Observer<E, S>, B: Observer<E, S>> Observer<E, S> for (A, B) {
    #[inline]
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
    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        self.0.round(world, rounds);
        self.1.round(world, rounds);
    }
}

/// An observer, or none.
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
    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        if let Some(observer) = self {
            observer.round(world, rounds);
        }
    }
}
