//! The options of an exploration, and the runs that it finds.

use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::{Budget, Reductions, Rewiring};

/// The powers of the adversary besides scheduling, and the exact reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The number of edges that may vanish.
    pub disconnections: Budget,
    /// The number of edges that may appear.
    pub connections: Budget,
    /// The edges that may appear.
    pub rewiring: Rewiring,
    /// Whether nodes also call Lock and Unlock out of turn; the rules ignore such calls.
    pub misuse: bool,
    /// The applied reductions.
    pub reductions: Reductions,
    /// The treatment of request stamps.
    pub stamps: Stamps,
}

/// A run that shows that a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LockCounterexample {
    /// The violation at its end, as text.
    pub text: String,
    /// The number of configurations and moves that break the property.
    pub count: u64,
    /// The steps, one per line. No shorter run violates the property.
    pub steps: Vec<String>,
    /// The index from which the steps form a cycle that leads back to the configuration before it; the number of steps
    /// if there is no cycle.
    pub round: usize,
    /// Whether a replay of the run shows the violation: a dead end, a broken promise of the lock layer, or a cycle in
    /// which a node waits. An invariant is checked again because the outcome names it. An unreachable success is not
    /// checked.
    pub fails_in_replay: bool,
    /// The configuration at the end.
    pub configuration: String,
    /// The run as a replay file.
    pub replay: Vec<u8>,
}
