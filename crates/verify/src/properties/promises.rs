//! The names and sources of the promises that the monitors of the runtime check after every step.

use acrasin_runtime::Violation;
use acrasin_runtime::exclusion::Guarantee;

/// The promises of [`Guarantee::DisjointLockSets`], each with its source.
pub const PROMISES: [(&str, &str); 7] = [
    ("no two holders of one node", "Theorem 4.1 (mutual exclusion)"),
    ("Lock returns the persistent closed neighbourhood", "Theorem 4.1"),
    ("members of a returned lock set are locked", "Theorem 4.1, Lemma 4.5"),
    ("critical sections see held nodes only", "erratum F14"),
    ("held nodes keep their lock", "Theorem 4.1 (mutual exclusion)"),
    ("one message per edge and initiator", "erratum F4"),
    ("release-lock comes from the owner of the lock", "repair R3"),
];

const ONE_AT_A_TIME: [(&str, &str); 2] = [
    ("one node inside at a time", "RR-1692, Property 1 (mutual exclusion)"),
    ("requests and tokens on their way out stay on links", "RR-1692, Figure 4 (topology rule)"),
];

const AT_LEAST_AT_MOST: [(&str, &str); 3] = [
    ("between l and k of each closed neighbourhood inside", "Algorithms 10(2):38 (safety)"),
    ("only grants that were given come back", "Algorithms 10(2):38, upon receiving Relinquish"),
    ("there is a request for the leader to raise", "Algorithms 10(2):38, Lemma 5"),
];

/// The promises that a guarantee consists of, each with its source.
///
/// # Panics
///
/// Panics for a guarantee that is not listed here.
#[must_use]
pub fn promises_of(guarantee: Guarantee) -> &'static [(&'static str, &'static str)] {
    match guarantee {
        Guarantee::DisjointLockSets => &PROMISES,
        Guarantee::OneAtATime => &ONE_AT_A_TIME,
        Guarantee::AtLeastAtMost => &AT_LEAST_AT_MOST,
        other => unreachable!("a promise without names: {other:?}"),
    }
}

/// The name of the broken promise, as [`promises_of`] lists it.
#[must_use]
pub fn promise(violation: &Violation) -> &'static str {
    let number = match violation {
        Violation::CommonNode { .. } => 0,
        Violation::WrongLockSet { .. } => 1,
        Violation::MemberNotLocked { .. } => 2,
        Violation::StrangerInSection { .. } => 3,
        Violation::HeldNodeChangedLock { .. } => 4,
        Violation::TooManyMessages { .. } => 5,
        Violation::ForeignRelease { .. } => 6,
        Violation::TwoHolders { .. } => return ONE_AT_A_TIME[0].0,
        Violation::OffLink { .. } => return ONE_AT_A_TIME[1].0,
        Violation::OutsideBounds { .. } => return AT_LEAST_AT_MOST[0].0,
        Violation::NoSuchGrant { .. } => return AT_LEAST_AT_MOST[1].0,
        Violation::NothingToRaise { .. } => return AT_LEAST_AT_MOST[2].0,
        other => unreachable!("a promise without a name: {other}"),
    };
    PROMISES[number].0
}

/// The sources of the liveness properties, which are checked for every algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sources {
    /// The source of "no dead configuration".
    pub dead: &'static str,
    /// The source of "success is reachable".
    pub success: &'static str,
    /// The source of "no node is locked out".
    pub lockout: &'static str,
}

impl Sources {
    /// The sources for algorithms with this guarantee.
    #[must_use]
    pub fn of(guarantee: Guarantee) -> Self {
        match guarantee {
            Guarantee::DisjointLockSets => Self {
                dead: super::dead::SOURCE,
                success: "Theorem 4.1",
                lockout: "Theorem 4.1, Lemmas 4.11 to 4.15",
            },
            _ => Self { dead: "liveness", success: "liveness", lockout: "liveness" },
        }
    }
}
