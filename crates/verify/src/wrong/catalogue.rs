//! The list of all wrong rule sets.

use super::entry::WrongEntry;
use super::{cleanup, guards, initiator, messages, participant};

/// All wrong rule sets, by group.
///
/// ```
/// let mut all = acrasin_verify::wrong::catalogue();
/// let deadlock = all.find(|entry| entry.name == "late-requests-kept").expect("F1 is in the catalogue");
/// assert_eq!(deadlock.shows.to_string(), "dead configuration");
/// ```
pub fn catalogue() -> impl Iterator<Item = &'static WrongEntry> {
    [
        messages::ENTRIES,
        guards::ENTRIES,
        cleanup::ENTRIES,
        cleanup::SWALLOWED,
        initiator::ENTRIES,
        participant::ENTRIES,
    ]
    .into_iter()
    .flatten()
}
