//! [`SectionErratum`]: errors in the printed text of the paper, which the repaired rules avoid.

use crate::exclusion::Erratum;

/// An error of the printed text that is left unrepaired. Without any erratum, the rules are the repaired ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SectionErratum {
    /// Algorithm 1, `grantedTo` at the start: the processes inside hold the permissions to be outside (B-1).
    StartInverted,
    /// Algorithm 5, `if P_j ∈ nGrants`: a grant is counted only if it was counted before (B-3).
    GrantsNotCounted,
    /// A process answers a Preempt whenever it is in the state that it would leave, even if it has no such request now
    /// (B-4).
    PreemptAlwaysAnswered,
    /// `nGrants` is a number, and a returned grant without an entry is ignored (B-5).
    GrantsAreANumber,
    /// The arbiter grants a returned permission to the next request even if it has no record of having granted it. No
    /// place became free, so one place may be given twice (B-6).
    GrantedOnReturn,
    /// `nGrants` is cleared by the next request instead of by the change of state (B-7).
    GrantsKept,
    /// The wait for all grants and the change of state are two steps (B-8).
    ChangeApart,
    /// An entry request does not increment its stamp (B-9).
    EntryNotStamped,
    /// An arbiter asks for a grant that its process has already used (B-9).
    UsedAskedBack,
    /// After the release of one permission, the requests for the other permission are not reviewed (B-9).
    OtherNotReviewed,
    /// The leader considers an arbiter full when one place is still free (B-10).
    FullOneBelow,
    /// For an exit the leader knows a stamp that is one less than the process's own. A Trigger whose stamp differs is
    /// dropped (B-11).
    ExitStampBehind,
    /// If the leader's arbiter has no free place for being outside, the leader raises only entries (B-12).
    EntriesRaisedAlone,
    /// The minimum of an empty set of requests is defined as no request, so the leader continues to wait. Without this
    /// variant, `EntriesRaisedAlone` leaves this minimum undefined:
    /// [`Anomaly::NothingToRaise`](crate::exclusion::Anomaly::NothingToRaise) (B-12).
    NobodyIsSmallest,
    /// The leader does not wait until the request that it raised is done (B-13).
    LeaderNeverBusy,
    /// The request that the leader raises is deleted from its own arbiter (B-13).
    NominatedIsDeleted,
    /// A release grants the next request even if no place is free (B-13).
    ReleaseRefills,
    /// A raised request is granted even if the arbiter is full (B-13).
    RaisedAlwaysGranted,
    /// A request is identified by the clock, which every message advances (B-14).
    StampIsTheClock,
    /// A raised request gets no extra place above the capacity (B-16).
    NoExtraPlace,
    /// A process that changes with an extra grant returns the other permission at once (B-16).
    NoExcursion,
    /// A raised request starts again: its grants are cleared and given again, regardless of messages in transit (B-18).
    RaisedAnew,
}

impl Erratum for SectionErratum {
    const ALL: &'static [Self] = &[
        Self::StartInverted,
        Self::GrantsNotCounted,
        Self::PreemptAlwaysAnswered,
        Self::GrantsAreANumber,
        Self::GrantedOnReturn,
        Self::GrantsKept,
        Self::ChangeApart,
        Self::EntryNotStamped,
        Self::UsedAskedBack,
        Self::OtherNotReviewed,
        Self::FullOneBelow,
        Self::ExitStampBehind,
        Self::EntriesRaisedAlone,
        Self::NobodyIsSmallest,
        Self::LeaderNeverBusy,
        Self::NominatedIsDeleted,
        Self::ReleaseRefills,
        Self::RaisedAlwaysGranted,
        Self::StampIsTheClock,
        Self::NoExtraPlace,
        Self::NoExcursion,
        Self::RaisedAnew,
    ];

    const NAMES: &'static [&'static str] = &[
        "StartInverted",
        "GrantsNotCounted",
        "PreemptAlwaysAnswered",
        "GrantsAreANumber",
        "GrantedOnReturn",
        "GrantsKept",
        "ChangeApart",
        "EntryNotStamped",
        "UsedAskedBack",
        "OtherNotReviewed",
        "FullOneBelow",
        "ExitStampBehind",
        "EntriesRaisedAlone",
        "NobodyIsSmallest",
        "LeaderNeverBusy",
        "NominatedIsDeleted",
        "ReleaseRefills",
        "RaisedAlwaysGranted",
        "StampIsTheClock",
        "NoExtraPlace",
        "NoExcursion",
        "RaisedAnew",
    ];

    fn place(self) -> usize {
        self as usize
    }
}
