//! Faults: their effects and times.

use super::super::draws::{RandomDraws, StreamPurpose};

/// The effect of a fault on agents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An agent stops: it never interacts again and is no longer counted. At least two agents remain.
    Crash,
    /// An agent leaves; one that joins later may take its number. At least two agents remain. Requires that every agent
    /// can meet every other.
    Leave,
    /// An agent joins in this state. Requires that every agent can meet every other.
    Join {
        /// The state of the new agent.
        state: u16,
    },
    /// The state of an agent is overwritten by a uniformly random one of these.
    Corrupt {
        /// The possible states, at least one.
        states: Vec<u16>,
    },
}

/// The time of a fault.
#[derive(Clone, PartialEq, Debug)]
pub enum FaultTiming {
    /// After each interaction with this probability, independently. As a rate, this is per agent and unit of parallel
    /// time.
    Rate(f64),
    /// After each of these numbers of interactions, in increasing order.
    At(Vec<u64>),
}

/// A fault with its times.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// The effect.
    pub kind: FaultKind,
    /// The time.
    pub when: FaultTiming,
    /// The number of agents hit each time: distinct agents, uniformly random among those present.
    pub agents: u64,
}

/// A fault with its own random stream, so that faults do not change each other's draws.
#[derive(Clone, Debug)]
pub(super) struct DueFault {
    pub(super) fault: Fault,
    /// The number of interactions after which it happens next; `None` if it does not happen again.
    pub(super) next: Option<u64>,
    dated: usize,
    pub(super) draws: RandomDraws,
    /// The number of agents that it has hit.
    pub(super) hit: u64,
}

impl DueFault {
    pub(super) fn new(fault: Fault, number: u64, seed: u64) -> Self {
        let mut due = Self {
            fault,
            next: None,
            dated: 0,
            draws: RandomDraws::new(seed, StreamPurpose::Faults, number),
            hit: 0,
        };
        due.advance(1);
        due
    }

    /// Draws the next time at which it happens, from the interaction with this number on.
    pub(super) fn advance(&mut self, from: u64) {
        self.next = match &self.fault.when {
            FaultTiming::At(dates) => {
                self.dated += 1;
                dates.get(self.dated - 1).copied()
            }
            FaultTiming::Rate(rate) if *rate <= 0.0 => None,
            FaultTiming::Rate(rate) => {
                let none = -libm::log1p(-rate);
                let gap = if none.is_infinite() { 0 } else { (self.draws.exponential() / none) as u64 };
                from.checked_add(gap)
            }
        };
    }

    /// Whether it happens at a fixed time that is still to come.
    pub(super) fn has_date(&self) -> bool {
        matches!(self.fault.when, FaultTiming::At(_)) && self.next.is_some()
    }
}
