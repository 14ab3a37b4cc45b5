//! Message locks without a scheduler, for explorations of every interleaving.

use std::fmt;
use std::hash::{Hash, Hasher};

use acrasin_runtime::choice::Choices;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::exclusion::{Exclusion, InitialKnowledge};
use acrasin_runtime::execution::Advance;
use acrasin_runtime::lock::Outside;
use acrasin_runtime::{NodeId, Pack, PackError, StepError, StepOf, Timing, Topology, World};

use super::locks::SavedLocks;
use super::messages::{Carrier, LockWorld, NEIGHBOURS_MAX, NotCarried, contact_graph, world_of};
use crate::model::system::System;

/// The number of priorities in explorations, which try every draw. Two suffice to distinguish winning, losing and a
/// tie.
const PRIORITIES: u32 = 2;

/// Message locks whose interleavings are all explored: the steps of [`MessageLocks`](super::MessageLocks), without a
/// scheduler. Messages are sent with the action that produces them, and arrive at any time.
///
/// Two values are equal if their graphs, memories, messages and holders are equal. The promise monitor's record of a
/// pending Lock is not compared.
pub type EveryMessage<E = Local> = Carrier<E, Undriven<E>>;

/// A world without a scheduler.
pub struct Undriven<E: Exclusion> {
    world: World<E, Outside<()>>,
}

impl<E: Exclusion + Clone> Clone for Undriven<E> {
    fn clone(&self) -> Self {
        Self { world: self.world.clone() }
    }
}

impl EveryMessage {
    /// Local mutual exclusion with the repaired rules, on the [contact graph](contact_graph) of a system.
    #[must_use]
    pub fn new<M>(system: &System<M>) -> Self {
        let local = Local::new(NEIGHBOURS_MAX).with_priorities(PRIORITIES).expect("two priorities");
        Self::with_knowledge(local, (contact_graph(system), &InitialKnowledge::default()))
            .expect("local mutual exclusion assumes nothing")
    }
}

impl<E: Exclusion> EveryMessage<E> {
    /// Message locks by any exclusion algorithm.
    ///
    /// # Errors
    ///
    /// As for [`MessageLocks::with_knowledge`](super::MessageLocks::with_knowledge).
    pub fn with_knowledge(exclusion: E, seats: (Topology, &InitialKnowledge)) -> Result<Self, NotCarried> {
        Ok(Self::over(Undriven { world: world_of(exclusion, seats, Timing::AtOnce)? }))
    }

    fn holders(&self) -> impl Iterator<Item = Option<NodeId>> + '_ {
        self.world().topology().nodes().map(|node| self.world().holder_of(node))
    }
}

impl<E: Exclusion> LockWorld<E> for Undriven<E> {
    fn world(&self) -> &World<E, Outside<()>> {
        &self.world
    }

    fn apply(&mut self, step: &StepOf<E>, choices: &mut dyn Choices) -> Result<(), StepError> {
        self.world.apply(step, choices, &mut ())?;
        self.world.normalise();
        Ok(())
    }

    fn advance(&mut self, _: &mut dyn Choices) -> Advance {
        Advance::Quiescent
    }

    fn offered(&self) -> Vec<StepOf<E>> {
        let mut offered = Vec::new();
        self.world.offered(&mut offered);
        // Equal locks can have messages in different orders, but the position of a step must mean the same in all.
        let received = |step: &StepOf<E>| match *step {
            StepOf::<E>::Receive { node, port, message } => Some((node, port, message)),
            _ => None,
        };
        let node = |step: &StepOf<E>| received(step).map(|(node, ..)| node);
        for steps in offered.chunk_by_mut(|a, b| node(a) == node(b)) {
            steps.sort_by_key(received);
        }
        offered
    }
}

impl<E> SavedLocks for EveryMessage<E>
where
    E: Exclusion<Memory: Pack, Message: Pack, Action: Pack>,
{
    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.calls.pack(into);
        self.below.world.save(true, into)
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.calls.unpack_into(from)?;
        self.below.world.load(true, from)?;
        let nodes = self.world().topology().node_count();
        let is_known = |step: &StepOf<E>| step.actor().is_some_and(|actor| actor.0 < nodes);
        if self.calls.iter().all(is_known) { Ok(()) } else { Err(PackError) }
    }
}

impl<E: Exclusion> PartialEq for EveryMessage<E> {
    fn eq(&self, other: &Self) -> bool {
        self.world().digest() == other.world().digest() && self.holders().eq(other.holders())
    }
}

impl<E: Exclusion> Eq for EveryMessage<E> {}

impl<E: Exclusion> Hash for EveryMessage<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.world().digest().hash(state);
        self.holders().for_each(|holder| holder.hash(state));
    }
}

impl<E: Exclusion> fmt::Debug for Undriven<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::AmoebotId;
    use crate::model::lattice::{Cell, Direction};
    use crate::run::concurrent::Locks;
    use crate::start;
    use crate::{Erosion, System};
    use acrasin_runtime::choice::Enumerated;

    /// The middle one of three amoebots receives messages from the two others, in the order in which they have called
    /// Lock. A check on several threads keeps the locks that it happens to list first.
    #[test]
    fn equal_locks_offer_their_steps_in_one_order() {
        let cells = start::line(Cell::ORIGIN, Direction::East, 3).unwrap();
        let system: System<_> = Erosion::start(&cells, &[]).unwrap();
        let called = |callers: [u32; 2]| {
            let mut locks = EveryMessage::new(&system);
            for id in callers.map(AmoebotId) {
                let first = |locks: &EveryMessage| {
                    let offered = locks.below.offered();
                    offered.iter().position(|step| step.actor() == Some(NodeId(id.0)))
                };
                locks.lock(id, &[], &mut Enumerated::new());
                // Until the node can only receive.
                while let Some(way) = first(&locks) {
                    locks.take(way, &mut Enumerated::new());
                }
            }
            locks
        };
        let (one, other) = (called([0, 2]), called([2, 0]));
        let unsorted = |locks: &EveryMessage| {
            let mut offered = Vec::new();
            locks.world().offered(&mut offered);
            offered
        };
        assert!(one == other && unsorted(&one) != unsorted(&other));
        assert_eq!(one.below.offered(), other.below.offered());
    }
}
