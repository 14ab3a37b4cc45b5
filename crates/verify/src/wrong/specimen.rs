//! [`Specimen`]: a fault of an algorithm for static graphs, where it shows, and how.

/// One wrong rule set of an algorithm for static graphs: `F` is its faults, `I` what its small instances are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Specimen<F, I> {
    /// A short name, with dashes.
    pub name: &'static str,
    /// What is wrong, in one sentence.
    pub what: &'static str,
    /// The fault.
    pub fault: F,
    /// The property that it breaks, or the kind of failure of a random run.
    pub shows: &'static str,
    /// Where it is looked for.
    pub found: Found<I>,
}

/// Where a fault is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found<I> {
    /// In the exploration of an instance, of which the wrong rules reach at most so many configurations.
    Explored(I, u64),
    /// In one of so many random runs: small instances do not show it.
    InRuns(u64),
}
