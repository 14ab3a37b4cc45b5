//! Catalogue entries for algorithms that run in synchronous rounds, in models other than the amoebot model of this
//! crate. Such a model implements [`SynchronousRun`].

use std::collections::BTreeSet;

use acrasin_process::{Advance, Condition, Process, RunBound};

use super::description::{AlgorithmFigure, Further, Placement};
use crate::model::body::Body;
use crate::model::lattice::Cell;

/// An algorithm with its parameters but without cells, as the catalogue keeps it.
pub trait SynchronousDescription: Send + Sync {
    /// Starts a run. All draws of the run follow from the seed.
    ///
    /// # Errors
    ///
    /// The start is not possible: a sentence that names the cell, the value, and what is accepted.
    fn start(&self, placement: &Placement, seed: u64) -> Result<Box<dyn SynchronousRun>, String>;

    /// Explores all outcomes of coins from one start.
    ///
    /// # Errors
    ///
    /// The start is not possible, or the exploration exceeds its bounds.
    fn explore(
        &self,
        placement: &Placement,
        bounds: &OutcomeBounds<'_>,
    ) -> Result<CoinOutcomes, OutcomesError>;

    /// The bytes that a run needs per amoebot, apart from its cell and frame.
    fn bytes(&self) -> usize;
}

/// The bounds of an exploration of all outcomes of coins.
pub struct OutcomeBounds<'a> {
    /// The maximum number of states.
    pub states_max: usize,
    /// The maximum number of bytes of states and transitions.
    pub bytes_max: u64,
    /// The maximum number of outcomes of one round.
    pub outcomes_max: usize,
    /// Whether to stop; called every few milliseconds.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// All runs from one start, for all outcomes of coins. They form a Markov chain.
#[derive(Clone, PartialEq, Debug)]
pub struct CoinOutcomes {
    /// The number of states, including the initial one.
    pub states: usize,
    /// The number of transitions from state to state.
    pub moves: usize,
    /// The largest distance of a state from the start, in rounds.
    pub depth: usize,
    /// The number of states in which a run ends, with a right or a wrong result.
    pub ends: usize,
    /// The number of these end states that have a wrong result.
    pub wrong_ends: usize,
    /// The number of states in which movements may conflict with each other.
    pub conflicts: usize,
    /// The number of states from which no run ends.
    pub hopeless: usize,
    /// The probability that a run ends with the right result.
    pub probability: f64,
    /// The expected number of rounds; `None` if a run may not end.
    pub rounds: Option<f64>,
    /// The sets of cells that are occupied in the end states with a right result.
    pub final_cells: BTreeSet<Vec<Cell>>,
    /// A shortest run to a conflict, to a wrong end, or to a state from which no run ends.
    pub way: Option<CoinRoute>,
}

/// A run to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoinRoute {
    /// The violation in the last state.
    pub to: String,
    /// The initial state, and the state after each round.
    pub moments: Vec<CoinMoment>,
    /// The digest of the last state.
    pub digest: u128,
}

/// One state of a run to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoinMoment {
    /// The round that led to this state, with its coins; empty at the start.
    pub what: String,
    /// The bodies of all amoebots.
    pub bodies: Vec<Body>,
    /// The memories of all amoebots, in words.
    pub memories: Vec<String>,
}

/// Errors of an exploration of all outcomes of coins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutcomesError {
    /// The start is not possible: a sentence that names the cell, the value, and what is accepted.
    Start(String),
    /// There are more states than allowed.
    States,
    /// The states take more bytes than allowed.
    Bytes {
        /// The bytes of the states, including the one beyond the limit.
        bytes: u64,
        /// The number of states.
        states: usize,
    },
    /// One round has more outcomes than allowed.
    Outcomes,
    /// The exploration was stopped.
    Stopped {
        /// The number of states found before the stop.
        states: usize,
    },
}

/// A pin in the last round, as pictures show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinState {
    /// The number of the lowest pin of its partition set.
    pub set: u8,
    /// The name of its circuit.
    pub circuit: u32,
    /// Whether there is a beep on its circuit.
    pub is_loud: bool,
    /// Whether its amoebot beeps on its set.
    pub beeps: bool,
}

/// A started run. It counts a round as one step, and its [`counts`](Process::counts) are the numbers of amoebots per
/// class.
pub trait SynchronousRun: Process {
    /// Like [`advance`](Process::advance), but also returns [`Advance::Advanced`] once `goes_on` returns false. If this
    /// happens within a long round, the round is undone. Several threads may call `goes_on`.
    fn advance_while(
        &mut self,
        bound: &RunBound,
        condition: Option<&dyn Condition>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Advance;

    /// The names of the classes in which amoebots are counted, in the order of [`counts`](Process::counts).
    fn classes(&self) -> &[&'static str];

    /// The class of an amoebot, as an index into the [`classes`](Self::classes).
    fn class(&self, amoebot: usize) -> usize;

    /// The memory of an amoebot, in words.
    fn words(&self, amoebot: usize) -> String;

    /// The bodies of all amoebots.
    fn bodies(&self) -> &[Body];

    /// The [`digest`](Process::digest), or `None` once `has_time` returns false.
    fn digest_while(&self, has_time: &dyn Fn() -> bool) -> Option<u128> {
        has_time().then(|| self.digest())
    }

    /// The cells of objects.
    fn objects(&self) -> Vec<Cell> {
        Vec::new()
    }

    /// Appends the pins of an amoebot: first those of the head, by direction of the lattice and counter-clockwise; then
    /// those of the tail of an expanded amoebot. Pins on the edge inside the body are included, as single ones.
    fn pins(&self, amoebot: usize, into: &mut Vec<PinState>) {
        let _ = (amoebot, into);
    }

    /// For each amoebot, the bonds that it kept in the movement half of the last round, at its position after the
    /// round. Bit d is direction d of the head, bit 6 + d that of the tail. A bond between two amoebots is listed at
    /// one of them. Empty if the round had no movement half. O(amoebots).
    fn bonds(&self) -> Vec<u16> {
        Vec::new()
    }

    /// The amoebots that caused the violation that ended the run.
    fn offenders(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Counters of the run.
    fn work(&self) -> Vec<AlgorithmFigure>;

    /// Results, if the run has ended.
    fn further(&self) -> Option<Further> {
        None
    }
}
