//! What an exploration asks of every state, how much it may take, and why it ends early.

use std::fmt;

use crate::model::shape::ShapeError;
use crate::model::system::{Amoebot, System};

/// What is asked of the states of an exploration, and between them.
pub struct Questions<'a, M> {
    /// Whether the goal is reached: asked where nothing can happen any more.
    pub is_goal: &'a dyn Fn(&System<M>) -> bool,
    /// What is wrong, if something is that should be at no moment: asked of every state, of amoebots inside an action
    /// only once nobody is.
    pub fault: &'a dyn Fn(&System<M>) -> Option<String>,
    /// Whether the exploration is to stop where it is: asked before each start, each state and each round.
    pub is_stopped: &'a dyn Fn() -> bool,
    /// Told what is wrong in a state and what the state is, as soon as it is met: an exploration that is cut short later
    /// gives nothing else. What only the whole graph shows (runs without an end) is not told.
    pub told: &'a dyn Fn(&str, &System<M>),
}

/// What is wrong in a state, in words: the amoebots are not connected.
pub const DISCONNECTED: &str = "a state in which the amoebots do not hang together";
/// An action that validity forbids to abort is aborted.
pub const ABORTED: &str = "an enabled action that is aborted";
/// No action can be completed, and the goal is not reached.
pub const STUCK: &str = "a stuck state";
/// A run in rounds has ended elsewhere.
pub const WRONG_END: &str = "an end without the goal";

/// There is a [fault](Questions::fault).
#[must_use]
pub fn broken(fault: &str) -> String {
    format!("a state that should be at no moment: {fault}")
}

impl<'a, M> Questions<'a, M> {
    /// The goal alone: nothing else is wrong, nobody stops, nobody is told.
    #[must_use]
    pub fn of_goal(is_goal: &'a dyn Fn(&System<M>) -> bool) -> Self {
        Self { is_goal, fault: &|_| None, is_stopped: &|| false, told: &|_, _| {} }
    }
}

/// How much an exploration may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// At most so many states; never more than 2^32 - 1.
    pub states_max: usize,
    /// At most so many bytes, by a count of what states and transitions hold. The process takes more: 1.2 to 1.5 times as
    /// much where it was measured.
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

/// What an exploration has taken so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    limits: Limits,
    states: usize,
    bytes: u64,
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        let states_max = limits.states_max.min(u32::MAX as usize);
        Self { limits: Limits { states_max, ..limits }, states: 0, bytes: 0 }
    }

    /// Bytes of so many amoebots in a state.
    pub(crate) fn amoebots<M>(&self, count: usize) -> usize {
        count * size_of::<Amoebot<M>>() + self.owned(count)
    }

    /// Bytes that the memories of so many amoebots own elsewhere.
    pub(crate) fn owned(&self, count: usize) -> usize {
        count * self.limits.bytes_owned
    }

    /// One state more, which takes so many bytes.
    pub(crate) fn state(&mut self, bytes: usize) -> Result<(), ExploreError> {
        if self.states >= self.limits.states_max {
            return Err(ExploreError::TooManyStates { limit: self.limits.states_max });
        }
        self.states += 1;
        self.take(bytes)
    }

    /// So many bytes more.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), ExploreError> {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        if self.bytes > self.limits.bytes_max {
            let Self { limits: Limits { bytes_max, .. }, states, bytes } = *self;
            return Err(ExploreError::TooManyBytes { bytes, states, limit: bytes_max });
        }
        Ok(())
    }

    /// So many bytes less.
    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }

    /// From one state there are so many ways on, so far.
    pub(crate) fn outcomes(&self, count: usize) -> Result<(), ExploreError> {
        match self.limits.outcomes_max {
            limit if count > limit => Err(ExploreError::TooManyOutcomes { limit }),
            _ => Ok(()),
        }
    }

    pub(crate) fn go_on(&self, is_stopped: &dyn Fn() -> bool) -> Result<(), ExploreError> {
        if is_stopped() { Err(ExploreError::Stopped { states: self.states }) } else { Ok(()) }
    }
}
