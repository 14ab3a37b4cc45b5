//! The round-robin scheduler: nodes in turn, one action of each enabled node.

use acrasin_runtime::exclusion::local::Action;
use acrasin_runtime::scheduler::RoundRobin;

use super::entry::SchedulerEntry;
use super::schedule::{Schedule, SchedulerConstructor};

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: "RoundRobin",
    summary: "nodes in turn: each enabled node takes one action",
    read: |_, _, _| {
        Ok(Schedule::new(RoundRobin::<Action>::new(), "round robin")
            .under_any(SchedulerConstructor::RoundRobin))
    },
    ..SchedulerEntry::PLAIN
};
