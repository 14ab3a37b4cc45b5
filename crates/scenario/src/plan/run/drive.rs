//! Turn by turn to an end.

use acrasin_report::observer::{LockFigures, MessageFigures};
use acrasin_report::record::{Exit, Outcome};
use acrasin_runtime::World;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::execution::{Execution, Progress};
use acrasin_verify::replay::{End, Recorder};

use super::super::build::Labour;
use super::super::job::{At, Finished, Job, Proceed, RunError};
use super::super::schedule::{self, Bound};
use super::figures::{self, Course, Sampler};
use super::judge::{DEADLOCK, Judge, Sight};
use super::tally::Tallied;
use super::world::Beginning;
use crate::limits::{CONFIGURATION_BYTES, LOOK_STEPS};

pub(super) fn drive<S: Tallied>(beginning: Beginning<'_, S>, job: Job<'_>) -> Result<Finished, RunError> {
    let manifest = beginning.manifest();
    let header = beginning.header();
    let Beginning { plan, ground, ports, world, mut choices, tally, .. } = beginning;
    let nodes = ground.nodes();
    let recorder = job.record.map(|sink| Recorder::new(sink, &header));
    let recorder = recorder.transpose().map_err(RunError::recording)?;
    let mut judge = Judge::new(plan, ground);
    let stepwise = plan.schedule.is_stepwise();
    let disturbances = schedule::disturbances(&plan.disturbances, world.topology(), stepwise);
    let mut execution = Execution::new(world, plan.schedule.start());
    if let Some(contacts) = ground.contacts() {
        execution = execution.with_dynamics(Box::new(contacts.timetable()));
    }
    for disturbance in disturbances {
        execution = execution.with_dynamics(disturbance);
    }
    let bound = plan.bound.turns(stepwise, nodes, ground.edges_max(), ports);
    if let Some(fairness) = Bound::start(bound) {
        execution = execution.with_fairness(fairness);
    }
    let table = match &plan.labour {
        Labour::Interactions { table, .. } => Some(table),
        Labour::Locks { .. } => None,
    };
    let mut sampler = table.map(|table| Sampler::new(plan.every, table, nodes));
    let mut observers = (tally, (LockFigures::new(nodes), (MessageFigures::new(), recorder)));
    let mut looked = 0_u64;
    job.watch.begin();
    let outcome = loop {
        let world = execution.world();
        let (tally, (locks, _)) = &observers;
        let at = At {
            rounds: execution.rounds(),
            steps: world.steps(),
            interactions: tally.interactions(),
            locks: locks.granted(),
            fraction: None,
        };
        if let Some(sampler) = &mut sampler {
            sampler.look(&at, tally.counts());
        }
        let states = S::agents(world.states());
        let sight = Sight { at, tally, states, is_active: !world.active().is_empty() };
        if let Some(outcome) = judge.verdict(&sight) {
            break outcome;
        }
        // Turns count too: a round in which nobody is chosen has no steps.
        if world.steps().saturating_add(execution.turns()) >= looked.saturating_add(LOOK_STEPS) {
            looked = world.steps().saturating_add(execution.turns());
            let fraction = judge.fraction(&at, tally.released());
            match job.watch.look(&At { fraction, ..at }) {
                Proceed::Continue => {}
                ended => break called_off(ended),
            }
        }
        match execution.advance(&mut choices, &mut observers) {
            Progress::Advanced => {}
            Progress::Quiet => break judge.quiet(execution.world().outstanding().into(), &observers.0),
            Progress::Violated => break violation(execution.world()),
        }
    };
    let (tally, (locks, (messages, recorder))) = observers;
    let world = execution.world();
    if let Some(recorder) = recorder {
        recorder.end(&End::of(world, outcome.reason.as_str())).map_err(RunError::recording)?;
    }
    let series = sampler.map(|sampler| {
        let at = (execution.rounds(), world.steps(), tally.interactions());
        sampler.finish(at, tally.counts())
    });
    let report_configuration = configuration(world, &outcome);
    let course = Course {
        world,
        ground,
        table,
        tally: &tally,
        locks: locks.section(world),
        messages: &messages,
        rounds: Some(execution.rounds()),
        refused: Some(execution.refused()),
        fairness: execution.fairness(),
    };
    let record = figures::record(&course, job.repetition.into(), manifest, outcome);
    Ok(Finished { record, series, report_configuration, snapshots: Vec::new() })
}

/// The outcome of a run that the watch ends.
pub(super) fn called_off(proceed: Proceed) -> Outcome {
    match proceed {
        Proceed::Interrupted => Outcome::new("interrupted", "the run was interrupted", Exit::Interrupted),
        Proceed::OutOfTime | Proceed::Continue => {
            Outcome::new("time", "the time was over before a stop condition held", Exit::BudgetExhausted)
        }
    }
}

fn violation<S: Tallied>(world: &World<Local, S>) -> Outcome {
    let violation = world.violation().map_or_else(String::new, ToString::to_string);
    Outcome::new("violation", violation, Exit::Failed)
}

/// The configuration of a dead end or a broken promise, in the paper's words.
fn configuration<S: Tallied>(world: &World<Local, S>, outcome: &Outcome) -> Option<String> {
    (outcome.reason == DEADLOCK || world.violation().is_some()).then(|| shown(world))
}

/// The configuration in the paper's words, cut to its limit.
pub(super) fn shown<S: Tallied>(world: &World<Local, S>) -> String {
    cut(format!("{world:?}"), CONFIGURATION_BYTES)
}

fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate((0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0));
        text.push_str("\n...\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_past_its_limit_and_never_inside_a_character() {
        assert_eq!(cut("abc".to_owned(), 3), "abc");
        assert_eq!(cut("abcd".to_owned(), 3), "abc\n...\n");
        assert_eq!(cut("abé".to_owned(), 3), "ab\n...\n");
    }
}
