//! Rounds of random matchings, without locks.

use acrasin_engine::Rung;

use super::entry::SchedulerEntry;
use super::schedule::Schedule;
use crate::Document;

const NAME: &str = "RandomMatchings";

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: NAME,
    summary: "rounds: everybody in pairs at random, on a graph a maximal matching; without locks, rung F0",
    rungs: &[Rung::F0],
    read: |_, _, _| Ok(Schedule::driven_by(Rung::F0, "random matchings, without locks")),
    ..SchedulerEntry::PLAIN
};

/// Whether a document names it.
pub(crate) fn is_named(document: &Document) -> bool {
    document.choice("scheduler").is_one_of(&[NAME])
}
