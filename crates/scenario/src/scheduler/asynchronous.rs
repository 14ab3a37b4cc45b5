//! The asynchronous scheduler: the messages of an execution leave one by one.

use std::sync::Arc;

use acrasin_protocols::Table;
use acrasin_protocols::locked::Interactions;
use acrasin_runtime::exclusion::local::{Action, Local};
use acrasin_runtime::scheduler::{Asynchronous, Scheduler, Turns};
use acrasin_runtime::{Choices, CriticalSection, LockOnly, PackError, Step, StepOf, Timing, World};

use super::any::AnyScheduler;
use super::entry::{Chooser, ChooserKind, SchedulerEntry};
use super::schedule::{Schedule, SchedulerConstructor};

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: "Asynchronous",
    summary: "an execution takes time: its messages leave one by one, and edges change meanwhile",
    takes: ChooserKind::Adversary,
    read: |_, _, chooser| {
        Ok(match chooser {
            Chooser::Adversary(adversary) => {
                let words = format!("asynchronous, {}", adversary.words());
                Schedule::new(Spanning(Arc::clone(adversary.scheduler())), words).bounded()
            }
            _ => Schedule::new(Asynchronous::<Action>::new(), "asynchronous, uniform")
                .under_any(SchedulerConstructor::Asynchronous),
        })
    },
    ..SchedulerEntry::PLAIN
};

/// An adversary over executions that span time, before its first turn.
struct Spanning(Arc<dyn AnyScheduler>);

impl AnyScheduler for Spanning {
    fn of_interactions(&self) -> Box<dyn Scheduler<Local, Interactions<Table>>> {
        Box::new(SpanningExecutions(self.0.of_interactions()))
    }

    fn of_locks(&self) -> Box<dyn Scheduler<Local, LockOnly>> {
        Box::new(SpanningExecutions(self.0.of_locks()))
    }
}

/// An adversary over executions that span time: a node that is sending continues to send.
struct SpanningExecutions<S: CriticalSection>(Box<dyn Scheduler<Local, S>>);

impl<S: CriticalSection> Scheduler<Local, S> for SpanningExecutions<S> {
    fn plan(&mut self, world: &World<Local, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<Local>>) {
        self.0.plan(world, choices, turn);
        for step in turn {
            if let Some(node) = step.actor()
                && !matches!(step, Step::Leave { .. })
                && let Some(&(port, message)) = world.unsent(node).first()
            {
                *step = Step::Leave { node, port, message };
            }
        }
    }

    fn applied(&mut self, world: &World<Local, S>, step: &StepOf<Local>) {
        self.0.applied(world, step);
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn timing(&self) -> Timing {
        Timing::OneByOne
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.0.save(into)
    }

    fn load(&mut self, nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        self.0.load(nodes, from)
    }
}
