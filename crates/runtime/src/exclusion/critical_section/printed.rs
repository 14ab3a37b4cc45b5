//! What the paper prints and the repaired rules do otherwise.

use crate::exclusion::Misprint;

/// A place where the printed text goes wrong. Under none of them the rules are the repaired ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slip {
    /// Algorithm 1, `grantedTo` at the start: those inside have the permissions to be outside (B-1).
    StartInverted,
    /// Algorithm 5, `if P_j ∈ nGrants`: a grant is counted if it is there already (B-3).
    GrantsNotCounted,
    /// A request for a grant is answered by whoever is still, or again, where it would leave from (B-4).
    PreemptAlwaysAnswered,
    /// `nGrants` is a number, and a grant that comes back without an entry is passed over (B-5).
    GrantsAreANumber,
    /// Whatever comes back is granted to the next, whether or not there was an entry to free its place (B-6).
    GrantedOnReturn,
    /// `nGrants` is emptied by the next request, not by the change of state (B-7).
    GrantsKept,
    /// The wait for all grants and the change of state are two steps (B-8).
    ChangeApart,
    /// An entry request does not increment its stamp (B-9).
    EntryNotStamped,
    /// A grant that was used is asked back (B-9).
    UsedAskedBack,
    /// The release of one permission leaves requests of the other alone (B-9).
    OtherNotReviewed,
    /// The leader's tests for full arbiters are one below the capacities (B-10).
    FullOneBelow,
    /// The candidate's stamp of an exit is one behind its process's, and a Trigger that does not fit is dropped (B-11).
    ExitStampBehind,
    /// Where the leader's arbiter has no place left to be outside, entries alone are raised (B-12).
    EntriesRaisedAlone,
    /// The smallest of no requests is nobody's, and the leader waits on; otherwise it is undefined (B-12).
    NobodyIsSmallest,
    /// The leader does not wait until the request that it has raised is done (B-13).
    LeaderNeverBusy,
    /// The request that the leader raises is deleted from its own arbiter (B-13).
    NominatedIsDeleted,
    /// A release grants the next request whether or not a place is free (B-13).
    ReleaseRefills,
    /// A raised request is granted however full the arbiter is (B-13).
    RaisedAlwaysGranted,
    /// A request is known by the clock, which every message moves on (B-14).
    StampIsTheClock,
    /// A raised request gets no place beyond those that others get (B-16).
    NoExtraPlace,
    /// Who changes with an extra grant gives the other permission back at once (B-16).
    NoExcursion,
    /// A raised request starts anew: grants are forgotten and given again, whatever is under way (B-18).
    RaisedAnew,
}

impl Misprint for Slip {
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
