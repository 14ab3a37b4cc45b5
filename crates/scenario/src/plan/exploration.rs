//! What an exploration of a plan may do, and the runs that it finds.

use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::{Budget, Reductions, Rewiring};

/// What the adversary may do besides choosing who acts next, and what is left out because it adds nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// How often an edge may vanish.
    pub disconnections: Budget,
    /// How often an edge may appear.
    pub connections: Budget,
    /// Which edges may appear.
    pub rewiring: Rewiring,
    /// Whether nodes also call Lock and Unlock out of turn: calls that the rules ignore.
    pub misuse: bool,
    /// What is left out.
    pub reductions: Reductions,
    /// How stamps of requests are taken.
    pub stamps: Stamps,
}

/// A run that shows that a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// What is seen at its end.
    pub text: String,
    /// How many configurations and moves break the property.
    pub count: u64,
    /// The steps, a line each; no shorter run breaks the property.
    pub steps: Vec<String>,
    /// The steps from here on lead back to the configuration before them; the number of steps if there are none.
    pub round: usize,
    /// Whether a replay of the run fails again by itself: it ends dead, breaks a promise of the lock layer, or goes round while
    /// a node waits. An invariant is looked at again because the outcome names it; that success cannot be reached any more is
    /// not.
    pub fails_in_replay: bool,
    /// The configuration at the end.
    pub configuration: String,
    /// The run as a replay file.
    pub replay: Vec<u8>,
}
