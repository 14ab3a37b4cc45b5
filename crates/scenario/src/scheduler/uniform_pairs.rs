//! Uniformly random pairs, without locks.

use acrasin_engine::Rung;

use super::entry::SchedulerEntry;
use super::schedule::Schedule;

pub(crate) const NAME: &str = "UniformPairs";

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: NAME,
    summary: "a uniformly random ordered pair interacts, without locks; rung F0, complete graph",
    rungs: &[Rung::F0],
    read: |_, _, _| Ok(Schedule::driven_by(Rung::F0, "uniform pairs, without locks")),
    ..SchedulerEntry::PLAIN
};
