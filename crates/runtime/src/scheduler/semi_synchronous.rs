//! The semi-synchronous scheduler.

use super::{Scheduler, Turns};
use crate::choice::{Choices, Decision, FixedProbability, pick_with_probability};
use crate::exclusion::Exclusion;
use crate::node::NodeId;
use crate::section::CriticalSection;
use crate::step::{Step, StepOf};
use crate::world::World;

/// Which of the active nodes act in a round.
#[derive(Clone, Debug)]
pub enum Activation {
    /// Each with this probability, independently.
    Random(FixedProbability),
    /// All of them.
    All,
    /// An adversary that keeps one node out as long as weak fairness allows.
    AllBut(NodeId),
    /// An adversary that lets only those act to whom a message was sent in the last round, each receiving its newest
    /// message; the others act only when no node was sent a message.
    Newest,
}

/// Rounds: every node of a subset of the active nodes executes one of its enabled actions, all on the configuration at
/// the start of the round. Messages sent in a round can be received from the next one on.
///
/// With [`Activation::Random`] of a probability above 0 weakly fair with probability 1; the adversaries need a
/// [`Fairness`](super::Fairness) bound.
#[derive(Clone, Debug)]
pub struct SemiSynchronous<A> {
    activation: Activation,
    actions: Vec<A>,
    active: Vec<NodeId>,
    /// The messages sent before the round that was planned last.
    before: u64,
}

impl<A> SemiSynchronous<A> {
    /// Rounds with this activation.
    #[must_use]
    pub fn new(activation: Activation) -> Self {
        Self { activation, actions: Vec::new(), active: Vec::new(), before: 0 }
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for SemiSynchronous<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        // In the order of their numbers: the draws of a round do not depend on the history, and memory is read in order.
        world.active_in_order(&mut self.active);
        match self.activation {
            Activation::Random(probability) => {
                for &node in &self.active {
                    if pick_with_probability(choices, probability, Decision::Activation)
                        && let Some(step) = world.pick_step(node, choices, &mut self.actions)
                    {
                        turn.push(step);
                    }
                }
            }
            Activation::All => {
                for &node in &self.active {
                    if let Some(step) = world.pick_step(node, choices, &mut self.actions) {
                        turn.push(step);
                    }
                }
            }
            Activation::AllBut(victim) => {
                for &node in self.active.iter().filter(|&&node| node != victim) {
                    turn.extend(world.pick_step(node, choices, &mut self.actions));
                }
            }
            Activation::Newest => {
                let newest = |&node: &NodeId| {
                    let newest = world.in_transit(node).iter().max_by_key(|envelope| envelope.sequence())?;
                    let first = world.first_for(node, newest);
                    let (port, message) = (first.port, first.message);
                    (newest.sequence() >= self.before).then_some(Step::Receive { node, port, message })
                };
                turn.extend(self.active.iter().filter_map(newest));
                self.before = world.messages_sent();
                if turn.is_empty() {
                    for &node in &self.active {
                        turn.extend(world.pick_step(node, choices, &mut self.actions));
                    }
                }
            }
        }
    }

    fn turns(&self) -> Turns {
        Turns::Rounds
    }
}
