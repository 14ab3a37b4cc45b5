//! The scheduler of random matchings: in each round all agents interact in random pairs, without locks.

use acrasin_engine::Rung;

use super::entry::{PairDrawing, SchedulerEntry};
use super::schedule::Schedule;

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: "RandomMatchings",
    summary: "rounds, in which all agents interact in random pairs (on a graph, a maximal matching); without locks, rung F0",
    rungs: &[Rung::F0],
    pairs: Some(PairDrawing::Matchings),
    read: |_, _, _| Ok(Schedule::driven_by(Rung::F0, "random matchings, without locks")),
    ..SchedulerEntry::PLAIN
};
