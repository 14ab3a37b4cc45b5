//! Faults: their effects and times.

use super::super::draws::{RandomDraws, StreamPurpose};
use super::super::saved::{SavedError, SavedReader, Writer};

/// The effect of a fault on agents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An agent stops: it never interacts again and is no longer counted. At least two agents remain.
    Crash,
    /// An agent leaves; an agent that joins later may get its number. At least two agents remain. Requires that every
    /// agent can meet every other agent.
    Leave,
    /// An agent joins in this state. Requires that every agent can meet every other agent.
    Join {
        /// The state of the new agent.
        state: u16,
    },
    /// The state of an agent is overwritten by one of these states, uniformly at random.
    Corrupt {
        /// The possible states, at least one.
        states: Vec<u16>,
    },
}

/// The time of a fault.
#[derive(Clone, PartialEq, Debug)]
pub enum FaultTiming {
    /// After each interaction with this probability, independently. Since a unit of parallel time has n interactions,
    /// the probability is also the rate per agent.
    Rate(f64),
    /// After each of these numbers of interactions, in increasing order.
    At(Vec<u64>),
}

/// A kind of fault that happens at random times or at given times.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// The effect of the fault.
    pub kind: FaultKind,
    /// The time of the fault.
    pub when: FaultTiming,
    /// The number of agents that each occurrence affects: distinct agents, uniformly random among the present ones.
    pub agents: u64,
}

/// A fault with its own random stream, so that faults do not change each other's draws.
#[derive(Clone, Debug)]
pub(super) struct DueFault {
    pub(super) fault: Fault,
    /// The number of interactions after which the fault happens next; `None` if it does not happen again.
    pub(super) next: Option<u64>,
    dated: usize,
    pub(super) draws: RandomDraws,
    /// The number of agents that the fault has affected so far, over all occurrences.
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

    /// Draws the next time of the fault, after `from` interactions or later.
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

    pub(super) fn save(&self, writer: &mut Writer) {
        writer.number(self.dated as u64);
        writer.option(self.next);
        writer.stream(&self.draws);
        writer.number(self.hit);
    }

    /// Reads the saved state of a fault with these times and effects, after `interactions` interactions.
    pub(super) fn restored(
        &self,
        reader: &mut SavedReader<'_>,
        interactions: u64,
    ) -> Result<Self, SavedError> {
        let (dated, next) = (reader.counter()?, reader.option()?);
        let (draws, hit) = (reader.stream()?, reader.counter()?);
        let is_possible = match &self.fault.when {
            FaultTiming::At(dates) => {
                let date = (dated as usize).checked_sub(1).map(|last| dates.get(last).copied());
                date == Some(next) && dated <= dates.len() as u64 + 1
            }
            FaultTiming::Rate(_) => dated == 0 && next.is_none_or(|next| next > interactions),
        };
        SavedError::unless(is_possible, "faults")?;
        Ok(Self { fault: self.fault.clone(), next, dated: dated as usize, draws, hit })
    }

    /// Whether the fault has fixed times and will happen again.
    pub(super) fn has_date(&self) -> bool {
        matches!(self.fault.when, FaultTiming::At(_)) && self.next.is_some()
    }
}
