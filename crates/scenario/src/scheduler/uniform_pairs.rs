//! Uniformly random pairs, without locks.

use acrasin_engine::Rung;

use super::entry::SchedulerEntry;
use super::schedule::Schedule;
use crate::Document;

const NAME: &str = "UniformPairs";

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: NAME,
    summary: "a uniformly random pair interacts, on a graph the ends of an edge; without locks, rung F0",
    rungs: &[Rung::F0],
    read: |_, _, _| Ok(Schedule::driven_by(Rung::F0, "uniform pairs, without locks")),
    ..SchedulerEntry::PLAIN
};

/// Whether a document names it.
pub(crate) fn is_named(document: &Document) -> bool {
    document.choice("scheduler").is_one_of(&[NAME])
}
