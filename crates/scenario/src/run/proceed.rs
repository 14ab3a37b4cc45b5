//! [`Proceed`]: the answer of a run control.

/// The answer of a run control: whether a run continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proceed {
    /// The run continues.
    Continue,
    /// The time limit has passed: the run ends as unfinished.
    OutOfTime,
    /// The user or another caller ends the run.
    Interrupted,
}
