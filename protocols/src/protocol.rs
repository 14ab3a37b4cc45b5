//! The trait of population protocols: a transition function on pairs of states.

use std::fmt::Debug;
use std::hash::Hash;
use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision, pick_index};

use crate::group::GroupRule;

/// A population protocol.
///
/// Agents are anonymous finite-state machines. When two of them interact, one is the *initiator* and the other the
/// *responder*, and both move to the states that the transition function gives for the ordered pair.
/// Source: Angluin, Aspnes, Diamadi, Fischer, Peralta, "Computation in networks of passively mobile finite-state
/// sensors", Distributed Computing 18 (2006).
///
/// A protocol with a short list of states also implements [`FiniteProtocol`] and becomes a
/// [`Table`](crate::Table).
///
/// ```
/// use acrasin_protocols::Protocol;
///
/// /// The larger value spreads.
/// struct Broadcast;
///
/// impl Protocol for Broadcast {
///     type State = u64;
///     type Output = u64;
///     fn transition(&self, initiator: u64, responder: u64) -> (u64, u64) {
///         let largest = initiator.max(responder);
///         (largest, largest)
///     }
///     fn output(&self, state: u64) -> u64 {
///         state
///     }
/// }
///
/// assert_eq!(Broadcast.transition(3, 8), (8, 8));
/// ```
pub trait Protocol {
    /// The state of an agent.
    type State: Copy + Eq + Hash + Debug;
    /// The output of an agent.
    type Output: Clone + Eq + Debug;

    /// The states of initiator and responder after they interact.
    ///
    /// A randomised protocol returns one possible outcome here and overrides [`interact`](Self::interact);
    /// everything that runs a protocol calls `interact`.
    fn transition(&self, initiator: Self::State, responder: Self::State) -> (Self::State, Self::State);

    /// The output of an agent in `state`.
    fn output(&self, state: Self::State) -> Self::Output;

    /// Performs one interaction: returns the states of initiator and responder afterwards.
    ///
    /// The default calls [`transition`](Self::transition) and makes no random choice. Randomised protocols override
    /// this method and draw with [`Decision::Outcome`]. The function [`draw`] draws from a list of outcomes.
    fn interact(
        &self,
        initiator: Self::State,
        responder: Self::State,
        _choices: &mut dyn Choices,
    ) -> (Self::State, Self::State) {
        self.transition(initiator, responder)
    }

    /// All outcomes of an interaction with their weights: at least one, each weight at least 1, the sum below 2^32.
    ///
    /// The default is the one outcome of [`transition`](Self::transition); protocols that override
    /// [`interact`](Self::interact) override this as well.
    fn outcomes(&self, initiator: Self::State, responder: Self::State) -> WeightedOutcomes<Self::State> {
        vec![(1, self.transition(initiator, responder))]
    }

    /// Performs one interaction of a whole locked set: the agent that holds the lock, and every agent it locked.
    ///
    /// The default is [`each_once`]: `own` meets every other member once, as initiator, in uniformly random order.
    /// Protocols with a natural rule for many agents override this method (in averaging, every agent takes the mean).
    /// In a protocol for anonymous agents the position of a member in `others` must not matter.
    fn group(&self, own: &mut Self::State, others: &mut [Self::State], choices: &mut dyn Choices) {
        each_once(self, own, others, choices);
    }
}

/// `own` interacts with each of `others` once, as initiator, in uniformly random order.
///
/// Makes one choice for [`Decision::Order`] per member except the last, and the choices of [`Protocol::interact`].
pub fn each_once<P: Protocol + ?Sized>(
    protocol: &P,
    own: &mut P::State,
    others: &mut [P::State],
    choices: &mut dyn Choices,
) {
    let mut order: Vec<usize> = (0..others.len()).collect();
    for met in 0..order.len() {
        let left = order.len() - met;
        if left > 1
            && let Some(next) = pick_index(choices, left, Decision::Order)
        {
            order.swap(met, met + next);
        }
        let other = &mut others[order[met]];
        (*own, *other) = protocol.interact(*own, *other, choices);
    }
}

/// The outcomes of a pair: each is a weight and the new states, that of the initiator first.
pub type WeightedOutcomes<S> = Vec<(u32, (S, S))>;

/// Draws one of the outcomes by their weights. Makes one choice for [`Decision::Outcome`], or none if there is one
/// outcome.
///
/// # Panics
///
/// Panics if there is no outcome, or if the sum of the weights is 0 or does not fit in 32 bits.
pub fn draw<S: Copy>(outcomes: &[(u32, (S, S))], choices: &mut dyn Choices) -> (S, S) {
    if let [(_, only)] = outcomes {
        return *only;
    }
    let total = outcomes.iter().try_fold(0_u32, |sum, (weight, _)| sum.checked_add(*weight));
    let total = total.and_then(NonZeroU32::new).expect("the sum of the weights is from 1 to 2^32 - 1");
    let mut ticket = choices.pick(total, Decision::Outcome);
    for &(weight, outcome) in outcomes {
        match ticket.checked_sub(weight) {
            None => return outcome,
            Some(rest) => ticket = rest,
        }
    }
    unreachable!("a pick is below its bound")
}

/// A protocol with a list of its states, so that it can be compiled into a [`Table`](crate::Table).
pub trait FiniteProtocol: Protocol {
    /// All states, without repetition, in the order in which tables show them. The list must be closed under
    /// transitions.
    fn states(&self) -> Vec<Self::State>;

    /// The name of a state. The name must be unique and contain no white space, `+` or `->`.
    fn state_name(&self, state: Self::State) -> String;

    /// The name of an output; equal names mean equal outputs.
    fn output_name(&self, output: &Self::Output) -> String;

    /// The joint interaction of a locked set. The rule must agree with [`Protocol::group`], which a table cannot
    /// inspect.
    fn group_rule(&self) -> GroupRule {
        GroupRule::EachOnce
    }
}
