//! [`Rules`]: the published rules and the repairs. [`SelfMessages`]: the treatment of a node's messages to
//! itself.

/// Switches for the three repairs. [`Rules::PUBLISHED`] is the literal text, [`Rules::REPAIRED`] the default.
///
/// Each repair has its own switch, so that each fault can be shown alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// R1 (fault F1, crossing first requests deadlock): an applicant whose first request finds `|C| ≠ |P|` becomes a
    /// candidate and is answered win(false) at once.
    pub reject_late_requests: bool,
    /// R2 (fault F2, a disconnection is never processed in state win): CleanUp is enabled whenever the detector
    /// has something to report. The published guard also requires `phase ≠ ⊥` or `state = unlock`.
    pub clean_up_always: bool,
    /// R3 (fault F3, the detector's report is lost in an ignored call): an ignored call also cleans up.
    pub clean_up_ignored_calls: bool,
}

impl Rules {
    /// The pseudo-code as printed.
    pub const PUBLISHED: Self =
        Self { reject_late_requests: false, clean_up_always: false, clean_up_ignored_calls: false };
    /// The pseudo-code with R1, R2 and R3.
    pub const REPAIRED: Self =
        Self { reject_late_requests: true, clean_up_always: true, clean_up_ignored_calls: true };
}

impl Default for Rules {
    fn default() -> Self {
        Self::REPAIRED
    }
}

/// Treatment of a node's messages to itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SelfMessages {
    /// Messages on port 0, each received by its own action: the literal pseudo-code.
    #[default]
    Sent,
    /// Inside the sending action: each runs its Receive body right after the body of the action, in sending order. The
    /// reachable configurations are five to six times fewer, with the same properties.
    InMemory,
}
