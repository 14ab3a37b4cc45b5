//! A recorded run, applied again.

use std::io::BufRead;

use acrasin_report::observer::{LockFigures, MessageFigures};
use acrasin_report::record::{Exit, Outcome, Section};
use acrasin_runtime::choice::Scripted;
use acrasin_verify::replay::{self, Entry, ReplayReader};

use super::super::build::Labour;
use super::super::job::{At, Finished, Proceed, ReplayError, Watch};
use super::drive::{called_off, shown};
use super::figures::{self, Course};
use super::judge::DEADLOCK;
use super::tally::Tallied;
use super::world::Beginning;
use crate::limits::LOOK_STEPS;

/// Figures of Locks that count rounds: a replay has none.
const BY_ROUNDS: [&str; 4] = ["rounds", "holding", "held", "longest_wait"];

pub(super) fn again<S: Tallied, R: BufRead>(
    beginning: Beginning<'_, S>,
    reader: &mut ReplayReader<R>,
    watch: &dyn Watch,
) -> Result<Finished, ReplayError> {
    let manifest = beginning.manifest();
    let Beginning { plan, ground, mut world, tally, .. } = beginning;
    let mut observers = (tally, (LockFigures::new(ground.nodes()), MessageFigures::new()));
    let mut ended = Proceed::Continue;
    while let Some(entry) = reader.next() {
        let Entry { line, step, picks, .. } = entry.map_err(replay::ReplayError::from)?;
        let place = || format!("{}:{line}", reader.name());
        let (number, words) = (reader.steps(), || step.to_string());
        let mut script = Scripted::new(&picks);
        world.apply(&step, &mut script, &mut observers).map_err(|error| replay::ReplayError::Impossible {
            place: place(),
            number,
            step: words(),
            error,
        })?;
        if let Some(fault) = script.fault() {
            return Err(replay::ReplayError::Choices { place: place(), number, step: words(), fault }.into());
        }
        if world.steps().is_multiple_of(LOOK_STEPS) {
            let (tally, (locks, _)) = &observers;
            let (steps, interactions, locks) = (world.steps(), tally.interactions(), locks.granted());
            ended = watch.look(&At { rounds: 0, steps, interactions, locks, fraction: None });
            if ended != Proceed::Continue {
                break;
            }
        }
    }
    let mut is_dead = false;
    let outcome = if ended == Proceed::Continue {
        // All steps are read: what is left is to compare the end.
        let end = replay::replay(&mut world, reader, &mut ())?;
        is_dead = world.active().is_empty() && world.outstanding() > 0;
        if end.outcome == DEADLOCK && !is_dead {
            // Rules that leave the configuration alone can still enable another action in it.
            let reason = "the steps lead to the recorded configuration, but there an action is enabled, and the recorded \
                          run ended with: ";
            Outcome::new("not reproduced", format!("{reason}{}", end.outcome), Exit::Failed)
        } else {
            is_dead &= end.outcome == DEADLOCK;
            let digest = end.digest;
            let reason = format!(
                "the recorded run is reproduced to digest {digest}; it says that it ended with: {}",
                end.outcome
            );
            Outcome::new("reproduced", reason, Exit::Done)
        }
    } else {
        called_off(ended)
    };
    let (tally, (locks, messages)) = observers;
    let report_configuration = (is_dead || world.violation().is_some()).then(|| shown(&world));
    let table = match &plan.labour {
        Labour::Interactions { table, .. } => Some(table),
        Labour::Locks { .. } => None,
    };
    let course = Course {
        world: &world,
        ground,
        table,
        tally: &tally,
        locks: without_rounds(&locks.section(&world)),
        messages: &messages,
        rounds: None,
        refused: None,
        fairness: None,
    };
    let record = figures::record(&course, 0, manifest, outcome);
    Ok(Finished { record, series: None, report_configuration })
}

fn without_rounds(locks: &Section) -> Section {
    let mut section = Section::new(locks.key(), locks.title());
    for figure in locks.figures().iter().filter(|figure| !BY_ROUNDS.contains(&figure.key())) {
        section.push(figure.clone());
    }
    section
}
