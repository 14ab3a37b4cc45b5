//! Deliberate faults, for tests.

/// Selects a fault at compile time. Production code is compiled without any.
pub(crate) trait FaultInjection {
    /// The fault, if any.
    const FAULT: MessageFault = MessageFault::None;
}

/// Code without a fault.
pub(crate) struct NoFault;

impl FaultInjection for NoFault {}

/// Faults that the comparison with the reference must detect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(test), allow(dead_code))]
pub(crate) enum MessageFault {
    None,
    /// First requests that come too late wait, as in the published rules without R1.
    LateRequestsWait,
    /// Prepares are answered while candidates compete.
    HoldsIgnored,
    /// A trial with several highest priorities is won by the one on the lowest port, instead of by none.
    TiesAreWon,
    /// A locked node still lets a competitor win.
    LockIgnored,
    /// A round is decided although a candidate owes its priority.
    DecidesEarly,
    /// A trial won at a participant stays won there in the next trial.
    ResultsStay,
    /// A first request already puts prepares of the round in which it arrives on hold.
    FirstRequestsBefore,
    /// The node's own requests do not count at itself.
    NotItsOwnCandidate,
    /// A trial lost at exactly one participant counts as won.
    OneDefeatForgiven,
}
