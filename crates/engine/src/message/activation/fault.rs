//! Deliberate mistakes.

/// Which mistake code makes. The constant is known when it is compiled: production code contains nothing of mistakes.
pub(crate) trait Mistakes {
    /// A mistake, or none.
    const FAULT: Fault = Fault::None;
}

/// No mistake.
pub(crate) struct Correct;

impl Mistakes for Correct {}

/// Mistakes that the comparison with the reference must notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(test), allow(dead_code))]
pub(crate) enum Fault {
    None,
    /// First requests that come too late wait (the published rules, without R1).
    LateRequestsWait,
    /// Prepares are answered while candidates compete.
    NobodyOnHold,
    /// Of several highest priorities the one on the lowest port wins.
    TiesAreWon,
    /// A locked node still lets somebody win.
    LockIgnored,
    /// A round is decided though a candidate owes its priority.
    DecidesEarly,
    /// A trial won at a participant stays won there in the next trial.
    ResultsStay,
    /// First requests of this round already put prepares on hold.
    FirstRequestsBefore,
    /// The node's own requests do not count at itself.
    NotItsOwnCandidate,
    /// A trial that was lost at one participant only counts as won.
    OneDefeatForgiven,
}
