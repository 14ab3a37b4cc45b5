//! The round-robin scheduler.

use super::{Scheduler, Turns};
use crate::choice::Choices;
use crate::exclusion::Exclusion;
use crate::node::NodeId;
use crate::pack::{Pack, PackError};
use crate::section::CriticalSection;
use crate::step::{Step, StepOf};
use crate::world::World;

/// The nodes take turns in the order of their numbers. In even sweeps an active node receives its oldest message, and
/// in odd ones it takes the next of its other enabled steps. If it has steps of one kind only, it takes one of these.
/// So a step that stays enabled is executed after a bounded number of sweeps.
#[derive(Clone, Debug)]
pub struct RoundRobin<A> {
    next: u32,
    sweeps: u64,
    actions: Vec<A>,
}

impl<A> RoundRobin<A> {
    /// Creates the scheduler, which starts with node 0.
    #[must_use]
    pub fn new() -> Self {
        Self { next: 0, sweeps: 0, actions: Vec::new() }
    }
}

impl<A> Default for RoundRobin<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for RoundRobin<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        if world.active().is_empty() {
            return;
        }
        let nodes = world.topology().node_count();
        let node = loop {
            if self.next >= nodes {
                self.next = 0;
                self.sweeps += 1;
            }
            let node = NodeId(self.next);
            self.next += 1;
            if world.is_active(node) {
                break node;
            }
        };
        if let Some(&(port, message)) = world.unsent(node).first() {
            turn.push(Step::Leave { node, port, message });
            return;
        }
        let oldest = world.in_transit(node).iter().min_by_key(|envelope| envelope.sequence());
        let receive =
            oldest.map(|envelope| Step::Receive { node, port: envelope.port, message: envelope.message });
        world.enabled_actions(node, &mut self.actions);
        let others = self.actions.len() + usize::from(world.has_call(node));
        let other = |choices: &mut dyn Choices| {
            let index = (self.sweeps / 2) as usize % others;
            match self.actions.get(index) {
                Some(&action) => Some(Step::Act { node, action }),
                None => world.pick_call(node, choices),
            }
        };
        turn.extend(match receive {
            Some(receive) if others == 0 || self.sweeps.is_multiple_of(2) => Some(receive),
            _ => other(choices),
        });
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        (self.next, self.sweeps).pack(into);
        true
    }

    fn load(&mut self, _nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        (self.next, self.sweeps) = Pack::unpack(from)?;
        Ok(())
    }
}
