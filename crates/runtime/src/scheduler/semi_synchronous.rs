//! The semi-synchronous scheduler.

use super::{Scheduler, Turns};
use crate::choice::{Choices, Decision, FixedProbability};
use crate::exclusion::Exclusion;
use crate::node::NodeId;
use crate::pack::{Pack, PackError};
use crate::section::CriticalSection;
use crate::step::{Step, StepOf};
use crate::world::{World, nodes_in};

/// The active nodes that act in a round.
#[derive(Clone, Debug)]
pub enum Activation {
    /// Each active node with this probability, independently.
    Random(FixedProbability),
    /// All active nodes.
    All,
    /// All active nodes except this one, as long as weak fairness allows.
    AllBut(NodeId),
    /// An adversary that activates only the nodes to which a message was sent in the last round; each receives its
    /// newest message. If there are no such nodes, all active nodes act.
    Newest,
}

/// Rounds: every node of a subset of the active nodes executes one of its enabled actions, all on the configuration at
/// the start of the round. Messages sent in a round can be received from the next one on.
///
/// With [`Activation::Random`] and a probability above 0, it is weakly fair with probability 1. The adversaries need a
/// [`WeaklyFair`](super::WeaklyFair) bound.
#[derive(Clone, Debug)]
pub struct SemiSynchronous<A> {
    activation: Activation,
    actions: Vec<A>,
    /// A buffer for listing the active nodes if they are few.
    few: Vec<u32>,
    /// The number of messages sent before the round that was planned last.
    before: u64,
}

impl<A> SemiSynchronous<A> {
    /// Creates the scheduler with this rule of activation.
    #[must_use]
    pub fn new(activation: Activation) -> Self {
        Self { activation, actions: Vec::new(), few: Vec::new(), before: 0 }
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for SemiSynchronous<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        // In increasing order, so that the draws of a round do not depend on the history, and memory is read in
        // order.
        if let Activation::Newest = self.activation {
            let newest = |node: NodeId| {
                let newest = world.in_transit(node).iter().max_by_key(|envelope| envelope.sequence())?;
                let first = world.first_for(node, newest);
                let (port, message) = (first.port, first.message);
                (newest.sequence() >= self.before).then_some(Step::Receive { node, port, message })
            };
            turn.extend(world.active_in_order(&mut self.few).flat_map(nodes_in).filter_map(newest));
            self.before = world.messages_sent();
            if !turn.is_empty() {
                return;
            }
        }
        let (probability, left_out) = match self.activation {
            Activation::Random(probability) => (probability, None),
            Activation::All | Activation::Newest => (FixedProbability::ONE, None),
            Activation::AllBut(victim) => (FixedProbability::ONE, Some(victim)),
        };
        for (first, active) in world.active_in_order(&mut self.few) {
            let chosen = choices.pick_some(active, probability, Decision::Activation);
            for node in nodes_in((first, chosen)).filter(|&node| Some(node) != left_out) {
                if let Some(step) = world.pick_step(node, choices, &mut self.actions) {
                    turn.push(step);
                }
            }
        }
    }

    fn turns(&self) -> Turns {
        Turns::Rounds
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.before.pack(into);
        true
    }

    fn load(&mut self, _nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        self.before.unpack_into(from)
    }
}
