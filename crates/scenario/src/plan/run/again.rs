//! A recorded run, applied again.

use std::io::Write;

use acrasin_report::observer::{LockFigures, MessageFigures};
use acrasin_report::record::{Exit, Outcome, Section};
use acrasin_runtime::World;
use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::local::Local;
use acrasin_verify::locks::{LOCKOUT_FREE, SUCCESS_REACHABLE};
use acrasin_verify::replay::{self, End, Entry, Recorder, ReplayReader};

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

/// Failures that no configuration shows: the first is that of a swarm run.
const OF_WHAT_FOLLOWS: [&str; 3] = ["not drained", SUCCESS_REACHABLE, LOCKOUT_FREE];

pub(super) fn again<S: Tallied>(
    beginning: Beginning<'_, S>,
    reader: &mut ReplayReader<'_>,
    watch: &dyn Watch,
) -> Result<Finished, ReplayError> {
    let manifest = beginning.manifest();
    let Beginning { plan, ground, mut world, tally, .. } = beginning;
    // As in a run, without its recorder: the lock layer is compiled once for both.
    let recorder: Option<Recorder<Box<dyn Write>>> = None;
    let mut observers = (tally, (LockFigures::new(ground.nodes()), (MessageFigures::new(), recorder)));
    let mut ended = Proceed::Continue;
    watch.begin();
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
    let mut fails_again = false;
    let outcome = if ended == Proceed::Continue {
        // All steps are read: what is left is to compare the end.
        let end = replay::compare_end(&world, reader)?;
        let found = compared(&world, &end);
        fails_again = matches!(found, Found::Dead | Found::Broken { .. });
        found.outcome(&end)
    } else {
        called_off(ended)
    };
    let report_configuration = (fails_again || world.violation().is_some()).then(|| shown(&world));
    let (tally, (locks, (messages, _))) = observers;
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
    Ok(Finished { record, series: None, report_configuration, snapshots: Vec::new() })
}

/// What the end of a recorded run says, compared with the configuration that its steps lead to. Digest and broken
/// promise are the same.
enum Found {
    /// The recorded run ended dead, and here nobody can act either.
    Dead,
    /// The property that the recorded run broke is broken.
    Broken { property: &'static str, what: String },
    /// The recorded run failed, and here this is so instead.
    Otherwise(String),
    /// There is nothing more to compare.
    Same,
}

fn compared<S: Tallied>(world: &World<Local, S>, end: &End) -> Found {
    if end.outcome == DEADLOCK {
        let is_dead = world.active().is_empty() && world.outstanding() > 0;
        // Rules that leave the configuration alone can still enable another action in it.
        return if is_dead { Found::Dead } else { Found::Otherwise("an action is enabled".to_owned()) };
    }
    let properties = S::properties();
    match properties.iter().find(|property| names(&end.outcome, property.name())) {
        // A broken promise fails in any case.
        Some(property) if world.violation().is_none() => match property.check(world) {
            Err(what) => Found::Broken { property: property.name(), what },
            Ok(()) => Found::Otherwise(format!("\"{}\" holds", property.name())),
        },
        _ => Found::Same,
    }
}

impl Found {
    fn outcome(self, end: &End) -> Outcome {
        let End { outcome: said, digest, .. } = end;
        match self {
            Self::Broken { property, what } => {
                Outcome::new("broken property", format!("{property}: {what}"), Exit::Failed)
            }
            Self::Otherwise(what) => {
                let reason = format!(
                    "the steps lead to the recorded configuration, but there {what}, and the recorded run ended with: {said}"
                );
                Outcome::new("not reproduced", reason, Exit::Failed)
            }
            Self::Dead | Self::Same => {
                let mut reason = format!(
                    "the recorded run is reproduced to digest {digest}; it says that it ended with: {said}"
                );
                if OF_WHAT_FOLLOWS.into_iter().any(|name| names(said, name)) {
                    reason += " (that is about what follows the last step, where a replay ends)";
                }
                Outcome::new("reproduced", reason, Exit::Done)
            }
        }
    }
}

/// Whether an outcome is about what has this name: `name: what was seen`.
fn names(outcome: &str, name: &str) -> bool {
    outcome.strip_prefix(name).is_some_and(|rest| rest.starts_with(": "))
}

fn without_rounds(locks: &Section) -> Section {
    let mut section = Section::new(locks.key(), locks.title());
    for figure in locks.figures().iter().filter(|figure| !BY_ROUNDS.contains(&figure.key())) {
        section.push(figure.clone());
    }
    section
}
