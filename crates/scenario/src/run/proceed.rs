//! [`Proceed`]: the answer of a watch.

/// The answer of a watch: whether a run continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proceed {
    /// The run continues.
    Continue,
    /// The time limit has passed: the run ends as unfinished.
    OutOfTime,
    /// A caller ends the run.
    Interrupted,
}
