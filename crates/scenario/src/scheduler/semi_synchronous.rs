//! The semi-synchronous scheduler: rounds in which each node of a set takes one action.

use acrasin_engine::Rung;
use acrasin_runtime::exclusion::local::Action;
use acrasin_runtime::scheduler::{Activation, SemiSynchronous};

use super::entry::{Chooser, ChooserKind, SchedulerEntry};
use super::schedule::{Schedule, SchedulerConstructor};

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: "SemiSynchronous",
    summary: "rounds: each node of a set of enabled nodes takes one action",
    takes: ChooserKind::ActiveNodes,
    rungs: &[Rung::F2, Rung::F3, Rung::F4],
    read: |_, _, chooser| {
        let (activation, nodes) = match chooser {
            Chooser::Adversary(adversary) => {
                let words = format!("semi-synchronous, {}", adversary.words());
                return Ok(adversary.called(words).bounded());
            }
            Chooser::Random(probability) => (
                Activation::Random(probability),
                format!("each enabled node with probability {}", probability.get()),
            ),
            Chooser::All | Chooser::Itself => (Activation::All, "all enabled nodes".to_owned()),
        };
        let scheduler = SemiSynchronous::<Action>::new(activation.clone());
        let schedule = Schedule::new(scheduler, format!("semi-synchronous, {nodes}"));
        Ok(schedule
            .under_any(SchedulerConstructor::SemiSynchronous(activation.clone()))
            .in_rounds(activation))
    },
    ..SchedulerEntry::PLAIN
};
