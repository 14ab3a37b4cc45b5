//! What the paper prints and the repaired rules do otherwise.

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
    /// The leader raises entries alone (B-12).
    EntriesRaisedAlone,
    /// The leader does not wait until the request that it has raised is done (B-13).
    LeaderNeverBusy,
    /// A raised request is granted however full the arbiter is (B-13).
    RaisedAlwaysGranted,
    /// A request is known by the clock, which every message moves on (B-14).
    StampIsTheClock,
    /// Who changes with an extra grant gives the other permission back at once (B-16).
    NoExcursion,
}

impl Slip {
    /// All of them, in the order of the specification.
    pub const ALL: [Self; 15] = [
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
        Self::EntriesRaisedAlone,
        Self::LeaderNeverBusy,
        Self::RaisedAlwaysGranted,
        Self::StampIsTheClock,
        Self::NoExcursion,
    ];

    /// Its name in a scenario.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The names of all, in the order of [`ALL`](Self::ALL).
    pub const NAMES: [&'static str; 15] = [
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
        "EntriesRaisedAlone",
        "LeaderNeverBusy",
        "RaisedAlwaysGranted",
        "StampIsTheClock",
        "NoExcursion",
    ];
}

/// A set of slips.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Printed(u16);

impl Printed {
    /// The repaired rules.
    pub const NOTHING: Self = Self(0);

    /// The same with one slip more.
    #[must_use]
    pub fn with(self, slip: Slip) -> Self {
        Self(self.0 | 1 << slip as u16)
    }

    /// Whether a slip is among them.
    #[inline]
    #[must_use]
    pub fn has(self, slip: Slip) -> bool {
        self.0 >> slip as u16 & 1 == 1
    }

    /// Those that are there, in the order of the specification.
    pub fn iter(self) -> impl Iterator<Item = Slip> {
        Slip::ALL.into_iter().filter(move |&slip| self.has(slip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_apart() {
        for (place, slip) in Slip::ALL.into_iter().enumerate() {
            assert_eq!((slip as usize, slip.name()), (place, &*format!("{slip:?}")));
            let alone = Printed::NOTHING.with(slip);
            assert_eq!(alone.iter().collect::<Vec<_>>(), [slip]);
        }
    }
}
