//! Questions, limits and errors of explorations.

use acrasin_runtime::choice::Enumerated;

use super::keeper::{CheckKeeper, Unkept};
use super::route::Route;
use crate::algorithm::{ActionError, Algorithm, FailedAction, View, enabled_actions};
use crate::model::shape::ShapeError;
use crate::model::system::System;

/// The properties that an exploration evaluates, and its callbacks.
pub struct Questions<'a, M> {
    /// Whether the goal is reached; evaluated in states without further steps.
    pub is_goal: &'a (dyn Fn(&System<M>) -> bool + Sync),
    /// The description of a violated invariant; `None` if all invariants hold. Evaluated in every state in which no
    /// amoebot is inside an action.
    pub fault: &'a (dyn Fn(&System<M>) -> Option<String> + Sync),
    /// Whether the exploration must stop now. Called on any thread, before each start, each state and each round.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Called at the end of the search, once per kind of fault that occurs. The arguments are the kind, the first state
    /// that has the fault, and the route of a shortest run to that state. An exploration that ends early reports faults
    /// only through this callback. Faults that need the whole graph, such as endless runs, are not reported here.
    pub told: &'a dyn Fn(&str, &System<M>, &Route),
    /// Keeps checkpoints of the exploration.
    pub keeper: &'a dyn CheckKeeper,
}

/// The name of the fault that the amoebots are not connected.
pub const DISCONNECTED: &str = "a state in which the amoebots are not connected";
/// The name of the fault that an enabled action is aborted, although validity forbids this.
pub const ABORTED: &str = "an enabled action that is aborted";
/// The name of the fault that no action can be completed and the goal is not reached.
pub const STUCK: &str = "a stuck state";
/// The name of the fault that a run in rounds ends without the goal.
pub const WRONG_END: &str = "an end without the goal";

/// The name [`ABORTED`] of the fault, followed by the action and the reason.
#[must_use]
pub fn aborted(failed: &FailedAction) -> String {
    format!("{ABORTED}: {failed}")
}

/// The first enabled action that fails for some outcome of its draws, in the order of the amoebots; `None` if none
/// fails.
pub fn first_failed<A: Algorithm>(algorithm: &A, system: &System<A::Memory>) -> Option<FailedAction> {
    system.ids().find_map(|id| {
        let view = View::new(system, id);
        enabled_actions(algorithm, view).find_map(|action| {
            let mut outcomes = Enumerated::new();
            loop {
                let error = match algorithm.execute(action, &view, &mut outcomes) {
                    Ok(effects) => effects.failure(system, id).map(ActionError::from),
                    Err(error) => Some(error),
                };
                if let Some(error) = error {
                    break Some(FailedAction::of(system, id, action, error));
                }
                if !outcomes.advance() {
                    break None;
                }
            }
        })
    })
}

/// The name of the fault that an invariant is violated, as [`Questions::fault`] describes it.
#[must_use]
pub fn broken(fault: &str) -> String {
    format!("a state that must never occur: {fault}")
}

/// The questions about a single state, which any thread evaluates.
pub(crate) struct StateQuestions<'a, M> {
    pub(crate) is_goal: &'a (dyn Fn(&System<M>) -> bool + Sync),
    pub(crate) fault: &'a (dyn Fn(&System<M>) -> Option<String> + Sync),
}

impl<'a, M> Questions<'a, M> {
    pub(crate) fn asked(&self) -> StateQuestions<'a, M> {
        StateQuestions { is_goal: self.is_goal, fault: self.fault }
    }

    /// Questions about the goal only: without invariants, stops, callbacks and checkpoints.
    #[must_use]
    pub fn from_goal(is_goal: &'a (dyn Fn(&System<M>) -> bool + Sync)) -> Self {
        Self { is_goal, fault: &|_| None, is_stopped: &|| false, told: &|_, _, _| {}, keeper: &Unkept }
    }
}

/// Limits of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckLimits {
    /// The maximum number of states, capped at 2^32 - 1.
    pub states_max: usize,
    /// The maximum memory of the exploration, in bytes: the digests, transitions and waiting states of the search, and
    /// the values to which the bytes of states refer.
    pub bytes_max: u64,
    /// The number of heap bytes that the memory of one amoebot owns, for example in a box. They count towards
    /// `bytes_max`.
    pub bytes_owned: usize,
    /// The maximum number of successors of one state: outcomes of draws, and choices of actors.
    pub outcomes_max: usize,
}

impl Default for CheckLimits {
    /// Allows 2^22 states, 4 GiB and 2^20 successors of a state, for memories without heap storage.
    fn default() -> Self {
        Self { states_max: 1 << 22, bytes_max: 4 << 30, bytes_owned: 0, outcomes_max: 1 << 20 }
    }
}

/// Errors that end an exploration early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// There are more states than allowed.
    #[error("more than {limit} states are reachable")]
    TooManyStates {
        /// The number of states allowed.
        limit: usize,
    },
    /// The states take more bytes than allowed.
    #[error("{states} states take {bytes} bytes (accepted: up to {limit})")]
    TooManyBytes {
        /// The bytes taken so far.
        bytes: u64,
        /// The number of states so far.
        states: usize,
        /// The number of bytes allowed.
        limit: u64,
    },
    /// A state has more successors than allowed.
    #[error("one state has more than {limit} outcomes")]
    TooManyOutcomes {
        /// The number of successors allowed.
        limit: usize,
    },
    /// The exploration was stopped.
    #[error("stopped after {states} states")]
    Stopped {
        /// The number of states so far.
        states: usize,
    },
    /// The saved state is not from this exploration.
    #[error("the saved state belongs to another check")]
    NotThisExploration,
    /// The amoebots are too far apart.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// The memory that the search for maximal sets in one state has taken so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    bytes_max: u64,
    bytes: u64,
}

impl Meter {
    pub(super) fn new(limits: CheckLimits) -> Self {
        Self { bytes_max: limits.bytes_max, bytes: 0 }
    }

    /// Adds bytes, within the limit.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), ExploreError> {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        match self.bytes_max {
            limit if self.bytes > limit => {
                Err(ExploreError::TooManyBytes { bytes: self.bytes, states: 0, limit })
            }
            _ => Ok(()),
        }
    }

    /// Subtracts bytes that were freed.
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }
}
