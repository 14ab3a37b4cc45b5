//! The results of exploring all interleavings of steps.

use std::collections::BTreeSet;
use std::fmt;

use crate::check::limits;
use crate::check::route::Route;
use crate::model::id::AmoebotId;
use crate::model::shape::{Shape, ShapeError};
use crate::model::system::System;
use crate::run::concurrent::stepped::Stepped;

/// The results of exploring all interleavings of the steps of A′ (the algorithm in the concurrency framework), and all
/// draws.
///
/// A state is everything on which the future depends: the system, the flags `act` and `awaken`, the lock sets, and the
/// progress of each amoebot in its action. States that differ only in identities are distinct.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConcurrentExploration<M> {
    /// The number of distinct initial states.
    pub initial: usize,
    /// The number of distinct states.
    pub states: usize,
    /// The number of steps from a state to a state, possibly the same. A step with two outcomes of its draw counts
    /// twice.
    pub transitions: usize,
    /// The largest distance of a state from the initial states, in steps.
    pub depth: usize,
    /// The distinct systems in which an execution has terminated.
    pub finals: Vec<System<M>>,
    /// For each of the final systems, whether it reaches the goal.
    pub(super) reach_goal: Vec<bool>,
    /// The number of final systems that do not reach the goal.
    pub wrong_ends: usize,
    /// The number of states from which no run terminates.
    pub hopeless: usize,
    /// The number of states in which lock sets are not disjoint.
    pub overlapping: usize,
    /// The number of states in which the amoebots, together with the object, are not connected.
    pub disconnected: usize,
    /// The number of states with no amoebot inside an action that have a [fault](crate::check::Questions::fault).
    pub faults: usize,
    /// The description of the fault that is nearest to the initial states; `None` without a fault.
    pub fault: Option<String>,
    /// The number of steps that aborted an action for a reason other than a failed Lock or a failed expansion.
    pub invalid: usize,
    /// The number of steps in which a Lock failed.
    pub lock_failures: usize,
    /// The number of steps in which an expansion failed.
    pub expand_failures: usize,
    /// The maximum number of amoebots that are inside an action at once.
    pub width: usize,
    /// The number of steps that aborted an action but changed the body or memory of an amoebot.
    pub aborts_with_effect: usize,
    /// A shortest execution to each kind of fault that occurs.
    pub ways: Vec<RunToFault<M>>,
}

/// Kinds of faults of concurrent executions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConcurrencyFault {
    /// Two lock sets are not disjoint.
    Overlap,
    /// A step aborted an action but had an effect.
    AbortWithEffect,
    /// A step aborted an action for a reason other than a failed Lock or a failed expansion.
    Invalid,
    /// An execution terminated without reaching the goal.
    WrongEnd,
    /// From some state no execution terminates.
    Hopeless,
    /// The amoebots are not connected.
    Disconnected,
    /// An invariant is violated while no amoebot is inside an action.
    Broken,
}

/// A shortest execution to a fault of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunToFault<M> {
    /// The fault at the end of the execution.
    pub fault: ConcurrencyFault,
    /// The initial system of the execution.
    pub start: System<M>,
    /// The actor and the result of each step.
    pub steps: Vec<(AmoebotId, Stepped)>,
    /// The system at the end of the execution.
    pub end: System<M>,
    /// The moves, for a replay.
    pub route: Route,
}

/// All kinds of faults.
pub(super) const FAULTS: [ConcurrencyFault; 7] = [
    ConcurrencyFault::Overlap,
    ConcurrencyFault::AbortWithEffect,
    ConcurrencyFault::Invalid,
    ConcurrencyFault::WrongEnd,
    ConcurrencyFault::Hopeless,
    ConcurrencyFault::Disconnected,
    ConcurrencyFault::Broken,
];

impl ConcurrencyFault {
    /// The text under which the search records faults of this kind.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::AbortWithEffect => "abort with effect",
            Self::Invalid => "invalid",
            Self::WrongEnd => "wrong end",
            Self::Hopeless => "hopeless",
            Self::Disconnected => "disconnected",
            Self::Broken => "fault",
        }
    }
}

impl fmt::Display for ConcurrencyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overlap => "lock sets that overlap",
            Self::AbortWithEffect => "an aborted action with an effect",
            Self::Invalid => "an abort that locks should have prevented",
            Self::WrongEnd => limits::WRONG_END,
            Self::Hopeless => "a state from which no run ends",
            Self::Disconnected => limits::DISCONNECTED,
            Self::Broken => "a state that must never occur",
        })
    }
}

impl<M> ConcurrentExploration<M> {
    pub(super) const fn of_nothing(initial: usize) -> Self {
        Self {
            initial,
            states: 0,
            transitions: 0,
            depth: 0,
            finals: Vec::new(),
            reach_goal: Vec::new(),
            wrong_ends: 0,
            hopeless: 0,
            overlapping: 0,
            disconnected: 0,
            faults: 0,
            fault: None,
            invalid: 0,
            lock_failures: 0,
            expand_failures: 0,
            width: 0,
            aborts_with_effect: 0,
            ways: Vec::new(),
        }
    }

    /// Whether some execution ends from every state, every end reaches the goal, lock sets are always disjoint, and
    /// there is no fault. In particular, only failures of Lock and Expand abort actions, and an aborted action has no
    /// effect.
    #[must_use]
    pub fn always_succeeds(&self) -> bool {
        self.wrong_ends == 0
            && self.hopeless == 0
            && self.overlapping == 0
            && self.invalid == 0
            && self.aborts_with_effect == 0
            && self.faults == 0
    }

    /// The final shapes of the executions that reach the goal.
    ///
    /// # Errors
    ///
    /// The amoebots of an end are too far apart for a shape.
    pub fn final_shapes(&self) -> Result<BTreeSet<Shape>, ShapeError> {
        let ends = self.finals.iter().zip(&self.reach_goal);
        ends.filter(|(_, reaches)| **reaches).map(|(system, _)| system.shape()).collect()
    }
}
