//! The sequential uniform scheduler.

use super::{Scheduler, Turns};
use crate::choice::{Choices, Decision, pick_index};
use crate::exclusion::Exclusion;
use crate::pack::PackError;
use crate::section::CriticalSection;
use crate::step::StepOf;
use crate::world::World;

/// One uniformly random active node takes one uniformly random of its enabled steps.
///
/// Weakly fair with probability 1.
#[derive(Clone, Debug)]
pub struct Sequential<A> {
    actions: Vec<A>,
}

impl<A> Sequential<A> {
    /// Creates the sequential uniform scheduler.
    #[must_use]
    pub fn new() -> Self {
        Self { actions: Vec::new() }
    }
}

impl<A> Default for Sequential<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for Sequential<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        let active = world.active();
        if let Some(index) = pick_index(choices, active.len(), Decision::Activation) {
            turn.extend(world.pick_step(active[index], choices, &mut self.actions));
        }
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn save(&self, _into: &mut Vec<u8>) -> bool {
        true
    }

    fn load(&mut self, _nodes: u32, _from: &mut &[u8]) -> Result<(), PackError> {
        Ok(())
    }
}
