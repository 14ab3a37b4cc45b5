//! What an exploration asks of every state, how much it may take, and why it ends early.

use std::fmt;

use acrasin_runtime::choice::Enumerated;

use crate::algorithm::{ActionError, Algorithm, FailedAction, View, enabled_actions};
use crate::model::shape::ShapeError;
use crate::model::system::System;

/// What is asked of the states of an exploration, and between them.
pub struct Questions<'a, M> {
    /// Whether the goal is reached: asked where nothing can happen any more.
    pub is_goal: &'a (dyn Fn(&System<M>) -> bool + Sync),
    /// What is wrong, if something is that should be at no moment: asked of every state, of amoebots inside an action
    /// only once no amoebot is.
    pub fault: &'a (dyn Fn(&System<M>) -> Option<String> + Sync),
    /// Whether the exploration is to stop where it is: asked before each start, each state and each round, on whatever
    /// thread.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Told what is wrong in a state and what the state is, each kind of fault once and the first found first, when the
    /// search is over: an exploration that is cut short gives nothing else. What only the whole graph shows (runs without
    /// an end) is not told.
    pub told: &'a dyn Fn(&str, &System<M>),
}

/// What is wrong in a state, in words: the amoebots are not connected.
pub const DISCONNECTED: &str = "a state in which the amoebots are not connected";
/// An action that validity forbids to abort is aborted.
pub const ABORTED: &str = "an enabled action that is aborted";
/// No action can be completed, and the goal is not reached.
pub const STUCK: &str = "a stuck state";
/// A run in rounds has ended elsewhere.
pub const WRONG_END: &str = "an end without the goal";

/// The finding [`ABORTED`] with the action and the reason.
#[must_use]
pub fn aborted(failed: &FailedAction) -> String {
    format!("{ABORTED}: {failed}")
}

/// The first enabled action that cannot be done in a system, whatever it draws, in the order of the amoebots.
pub fn first_failed<A: Algorithm>(algorithm: &A, system: &System<A::Memory>) -> Option<FailedAction> {
    system.ids().find_map(|id| {
        let view = View::of(system, id);
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

/// There is a [fault](Questions::fault).
#[must_use]
pub fn broken(fault: &str) -> String {
    format!("a state that should be at no moment: {fault}")
}

/// What threads ask of states.
pub(crate) struct Asked<'a, M> {
    pub(crate) is_goal: &'a (dyn Fn(&System<M>) -> bool + Sync),
    pub(crate) fault: &'a (dyn Fn(&System<M>) -> Option<String> + Sync),
}

impl<'a, M> Questions<'a, M> {
    pub(crate) fn asked(&self) -> Asked<'a, M> {
        Asked { is_goal: self.is_goal, fault: self.fault }
    }

    /// The goal alone: nothing else is wrong, and nobody stops, nobody is told.
    #[must_use]
    pub fn of_goal(is_goal: &'a (dyn Fn(&System<M>) -> bool + Sync)) -> Self {
        Self { is_goal, fault: &|_| None, is_stopped: &|| false, told: &|_, _| {} }
    }
}

/// How much an exploration may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// At most so many states; never more than 2^32 - 1.
    pub states_max: usize,
    /// At most so many bytes: what the search allocates for digests, transitions and states that wait, and what the bytes
    /// of states stand for.
    pub bytes_max: u64,
    /// Bytes that the memory of one amoebot owns outside of it, as a boxed one does: they are counted with it.
    pub bytes_owned: usize,
    /// At most so many ways on from one state: draws, and choices of who acts.
    pub outcomes_max: usize,
}

impl Default for Limits {
    /// 2^22 states, 4 GiB, memories that own nothing, 2^20 ways on from a state.
    fn default() -> Self {
        Self { states_max: 1 << 22, bytes_max: 4 << 30, bytes_owned: 0, outcomes_max: 1 << 20 }
    }
}

/// Why an exploration ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExploreError {
    /// More states than asked for.
    TooManyStates {
        /// The bound given.
        limit: usize,
    },
    /// More bytes than asked for.
    TooManyBytes {
        /// What the states so far take.
        bytes: u64,
        /// How many these are.
        states: usize,
        /// The bound given.
        limit: u64,
    },
    /// More ways on from one state than asked for.
    TooManyOutcomes {
        /// The bound given.
        limit: usize,
    },
    /// It was stopped.
    Stopped {
        /// States so far.
        states: usize,
    },
    /// Amoebots too far apart.
    Shape(ShapeError),
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyStates { limit } => write!(f, "more than {limit} states are reachable"),
            Self::TooManyBytes { bytes, states, limit } => {
                write!(f, "{states} states take {bytes} bytes (accepted: up to {limit})")
            }
            Self::TooManyOutcomes { limit } => {
                write!(f, "from one state there are more than {limit} ways on")
            }
            Self::Stopped { states } => write!(f, "stopped after {states} states"),
            Self::Shape(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExploreError {}

impl From<ShapeError> for ExploreError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

/// What the search for maximal sets in one state has taken so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    bytes_max: u64,
    bytes: u64,
}

impl Meter {
    pub(super) fn new(limits: Limits) -> Self {
        Self { bytes_max: limits.bytes_max, bytes: 0 }
    }

    /// So many bytes more.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), ExploreError> {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        match self.bytes_max {
            limit if self.bytes > limit => {
                Err(ExploreError::TooManyBytes { bytes: self.bytes, states: 0, limit })
            }
            _ => Ok(()),
        }
    }

    /// So many bytes less.
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }
}
