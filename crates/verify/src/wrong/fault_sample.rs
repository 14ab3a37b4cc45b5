//! [`FaultSample`]: a fault of an algorithm for static graphs, with an instance in which a check finds it.

/// A wrong rule set of an algorithm for static graphs. `F` is the type of its faults, `I` of its small instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultSample<F, I> {
    /// A short name, with hyphens between the words.
    pub name: &'static str,
    /// A description of the fault, in one sentence.
    pub what: &'static str,
    /// The deviation from the right rules.
    pub fault: F,
    /// The property that the fault breaks, or the kind of failure of a random run.
    pub shows: &'static str,
    /// The exploration or the random runs that find the consequence.
    pub found: FaultSearch<I>,
}

/// A search that finds a fault: an exploration, or random runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultSearch<I> {
    /// An exploration of this instance, with at most this many configurations under the wrong rules.
    Explored(I, u64),
    /// Random runs, at least one of this many of which fails. No small instance shows the fault.
    InRuns(u64),
}
