//! The scheduler of waves: each node once in a random order, nodes with disjoint lock sets at the same time.

use acrasin_engine::Rung;

use super::entry::SchedulerEntry;
use super::schedule::Schedule;

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: "Waves",
    summary: "each node once in a random order, nodes with disjoint lock sets at the same time; rung F1",
    rungs: &[Rung::F1],
    read: |_, _, _| Ok(Schedule::driven_by(Rung::F1, "waves, each node once in a random order")),
    ..SchedulerEntry::PLAIN
};
