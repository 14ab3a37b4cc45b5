//! The freedom of an exploration of a plan, and the runs that it finds.

use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::{Budget, Reductions, Rewiring};

/// The moves of the adversary besides scheduling, and the reductions that lose nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The number of edges that may vanish.
    pub disconnections: Budget,
    /// The number of edges that may appear.
    pub connections: Budget,
    /// The edges that may appear.
    pub rewiring: Rewiring,
    /// Whether nodes also call Lock and Unlock out of turn: calls that the rules ignore.
    pub misuse: bool,
    /// The applied reductions.
    pub reductions: Reductions,
    /// The treatment of request stamps.
    pub stamps: Stamps,
}

/// A run that shows that a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// The violation at its end, as text.
    pub text: String,
    /// The number of configurations and moves that break the property.
    pub count: u64,
    /// The steps, a line each; no shorter run breaks the property.
    pub steps: Vec<String>,
    /// The steps from here on lead back to the configuration before them; the number of steps if there are none.
    pub round: usize,
    /// Whether a replay of the run fails again by itself: it ends dead, breaks a promise of the lock layer, or goes
    /// round while a node waits. An invariant is looked at again because the outcome names it; that success cannot be
    /// reached any more is not.
    pub fails_in_replay: bool,
    /// The configuration at the end.
    pub configuration: String,
    /// The run as a replay file.
    pub replay: Vec<u8>,
}
