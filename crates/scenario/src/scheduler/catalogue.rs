//! All schedulers and adversaries by name.

use acrasin_catalogue::parameter::Parameter;
use acrasin_catalogue::{Entry, EntryCatalogue};

use super::entry::{AdversaryEntry, SchedulerEntry};
use super::{
    asynchronous, newest_first, random_matchings, random_priorities, round_robin, semi_synchronous,
    sequential, starve, uniform_pairs, waves,
};

/// Schedulers by name.
pub type Schedulers = EntryCatalogue<SchedulerEntry>;

/// Adversaries by name.
pub type Adversaries = EntryCatalogue<AdversaryEntry>;

impl Entry for SchedulerEntry {
    const KIND: &'static str = "a scheduler";

    fn shipped() -> Vec<Self> {
        vec![
            sequential::ENTRY,
            round_robin::ENTRY,
            semi_synchronous::ENTRY,
            asynchronous::ENTRY,
            waves::ENTRY,
            uniform_pairs::ENTRY,
            random_matchings::ENTRY,
        ]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}

impl Entry for AdversaryEntry {
    const KIND: &'static str = "an adversary";

    fn shipped() -> Vec<Self> {
        vec![newest_first::ENTRY, starve::ENTRY, random_priorities::ENTRY]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}
