//! The options of an exploration, and the counterexamples that it finds.

use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::{Budget, Reductions, Rewiring};

/// The options of an exploration: the powers of the adversary besides scheduling, and the exact reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The maximum number of edges that the adversary removes.
    pub disconnections: Budget,
    /// The maximum number of edges that the adversary adds.
    pub connections: Budget,
    /// The edges that the adversary can add.
    pub rewiring: Rewiring,
    /// Whether nodes also call Lock and Unlock at the wrong time; the rules ignore such calls.
    pub misuse: bool,
    /// The exact reductions that are applied.
    pub reductions: Reductions,
    /// The representation of request timestamps.
    pub stamps: Stamps,
}

/// A run that shows that a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LockCounterexample {
    /// The violation at the end of the run, as text.
    pub text: String,
    /// The number of configurations and moves that violate the property.
    pub count: u64,
    /// The steps, one per line. No shorter run violates the property.
    pub steps: Vec<String>,
    /// The index of the step at which a cycle starts: the last step leads back to the configuration before this step.
    /// Without a cycle, the number of steps.
    pub round: usize,
    /// Whether a replay of the run shows the violation: a dead end, a violated invariant of the lock layer, or a cycle
    /// in which a node waits. A replay does not show that success is unreachable.
    pub fails_in_replay: bool,
    /// The configuration at the end of the run, as text.
    pub configuration: String,
    /// The run as a replay file.
    pub replay: Vec<u8>,
}
