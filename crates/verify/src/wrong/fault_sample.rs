//! [`FaultSample`]: a fault of an algorithm for static graphs, with the instance that shows it.

/// A wrong rule set of an algorithm for static graphs. `F` is the type of its faults, `I` of its small instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultSample<F, I> {
    /// A short name, with dashes.
    pub name: &'static str,
    /// The fault, in one sentence.
    pub what: &'static str,
    /// The fault of the rules.
    pub fault: F,
    /// The property that it breaks, or the kind of failure of a random run.
    pub shows: &'static str,
    /// The search that finds the consequence.
    pub found: FaultSearch<I>,
}

/// A search that finds a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultSearch<I> {
    /// An exploration of this instance, with at most this many configurations under the wrong rules.
    Explored(I, u64),
    /// Random runs: one of this many finds it. Small instances do not show the fault.
    InRuns(u64),
}
