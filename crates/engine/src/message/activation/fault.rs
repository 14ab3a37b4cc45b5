//! Deliberate faults, for tests.

/// Selects a fault at compile time. Production code is compiled without a fault.
pub(crate) trait FaultInjection {
    /// The selected fault; [`MessageFault::None`] in production code.
    const FAULT: MessageFault = MessageFault::None;
}

/// Selects that there is no fault.
pub(crate) struct NoFault;

impl FaultInjection for NoFault {}

/// Faults that the comparison with the reference must detect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(test), allow(dead_code))]
pub(crate) enum MessageFault {
    None,
    /// First requests that arrive during a competition wait, as in the published rules without R1.
    LateRequestsWait,
    /// Prepare messages are answered even while candidates compete, instead of being put on hold.
    HoldsIgnored,
    /// If several competitors have the highest priority, the one on the lowest port wins, instead of none.
    TiesAreWon,
    /// A node lets a competitor win although it is locked.
    LockIgnored,
    /// A trial is decided before all candidates have sent their priorities.
    DecidesEarly,
    /// A trial won at a participant also counts as won there in the next trial.
    ResultsStay,
    /// A first request puts prepares on hold as early as the round in which it arrives.
    FirstRequestsBefore,
    /// The node does not count its own requests to itself.
    NotItsOwnCandidate,
    /// A trial lost at exactly one participant counts as won.
    OneDefeatForgiven,
}
