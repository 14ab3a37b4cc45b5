//! The sequential scheduler: a uniformly chosen node takes one of its enabled steps.

use acrasin_runtime::exclusion::local::Action;
use acrasin_runtime::scheduler::Sequential;

use super::entry::{Chooser, ChooserKind, SchedulerEntry};
use super::schedule::{Schedule, SchedulerConstructor};

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: "Sequential",
    summary: "one step at a time: a uniformly chosen node takes one of its enabled steps",
    takes: ChooserKind::Adversary,
    read: |_, _, chooser| {
        Ok(match chooser {
            Chooser::Adversary(adversary) => {
                let words = format!("sequential, {}", adversary.words());
                adversary.called(words).bounded()
            }
            _ => Schedule::new(Sequential::<Action>::new(), "sequential, uniform")
                .under_any(SchedulerConstructor::Sequential),
        })
    },
    ..SchedulerEntry::PLAIN
};
