//! Faults: what they do, and when they happen.

use super::super::draws::{Draws, Purpose};

/// The effect of a fault on agents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An agent stops: it never interacts again, and is not counted any more. Of the last two none does.
    Crash,
    /// An agent leaves; another that joins may take its place. Of the last two none does. Every agent meets every
    /// other.
    Leave,
    /// An agent joins, in this state. Every agent meets every other.
    Join {
        /// The state.
        state: u16,
    },
    /// The state of an agent is overwritten by a uniformly random one of these.
    Corrupt {
        /// At least one.
        states: Vec<u16>,
    },
}

/// The time of a fault.
#[derive(Clone, PartialEq, Debug)]
pub enum When {
    /// After each interaction with this probability, independently: as a rate, for each agent in a unit of parallel
    /// time.
    Rate(f64),
    /// After so many interactions, each once. Rising.
    At(Vec<u64>),
}

/// A fault, and when it happens.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// The effect.
    pub kind: FaultKind,
    /// The time.
    pub when: When,
    /// To how many agents each time: different ones, uniformly random among those that are there.
    pub agents: u64,
}

/// A fault with its own stream of draws, so that none changes when another happens.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) fault: Fault,
    /// The number of interactions after which it happens next; `None` if it does not.
    pub(super) next: Option<u64>,
    dated: usize,
    pub(super) draws: Draws,
    /// To how many agents it has happened.
    pub(super) hit: u64,
}

impl Due {
    pub(super) fn new(fault: Fault, number: u64, seed: u64) -> Self {
        let mut due =
            Self { fault, next: None, dated: 0, draws: Draws::new(seed, Purpose::Faults, number), hit: 0 };
        due.advance(1);
        due
    }

    /// Draws when it happens next, from the interaction with this number on.
    pub(super) fn advance(&mut self, from: u64) {
        self.next = match &self.fault.when {
            When::At(dates) => {
                self.dated += 1;
                dates.get(self.dated - 1).copied()
            }
            When::Rate(rate) if *rate <= 0.0 => None,
            When::Rate(rate) => {
                let none = -libm::log1p(-rate);
                let gap = if none.is_infinite() { 0 } else { (self.draws.exponential() / none) as u64 };
                from.checked_add(gap)
            }
        };
    }

    /// Whether it has a date that is still to come.
    pub(super) fn has_date(&self) -> bool {
        matches!(self.fault.when, When::At(_)) && self.next.is_some()
    }
}
