//! `stop` and `limits`: when a run ends.

use acrasin_protocols::{Protocol as _, Table};

use crate::document::quantity::Count;
use crate::document::stop::Stop;
use crate::document::work::{Repeats, Work};
use crate::predicate::BoundPredicate;
use crate::{Document, DocumentError};

/// A condition that ends a run as done.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    OutputsAgree,
    OutputsStable,
    Silent,
    Counts { predicate: BoundPredicate, text: String },
    Rounds(u64),
    Interactions(u64),
    Locks(u64),
    TraceEnd,
    Settled,
}

/// What ends a run as unfinished.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    pub(super) rounds: Option<u64>,
    pub(super) steps: Option<u64>,
    pub(super) interactions: Option<u64>,
}

/// How many of what end a run whatever else happens, by goals and limits: of each the fewest.
pub(super) fn bounds(
    goals: &[Goal],
    limits: impl IntoIterator<Item = (&'static str, Option<u64>)>,
) -> Vec<(&'static str, u64)> {
    let counted = goals.iter().filter_map(|goal| match goal {
        Goal::Rounds(most) => Some(("rounds", *most)),
        Goal::Interactions(most) => Some(("interactions", *most)),
        Goal::Locks(most) => Some(("Locks", *most)),
        _ => None,
    });
    let limits = limits.into_iter().filter_map(|(what, most)| Some((what, most?)));
    let mut bounds: Vec<(&'static str, u64)> = Vec::new();
    for (what, most) in counted.chain(limits) {
        match bounds.iter_mut().find(|(other, _)| *other == what) {
            Some((_, fewest)) => *fewest = (*fewest).min(most),
            None => bounds.push((what, most)),
        }
    }
    bounds
}

/// What the goals of a scenario can be about.
pub(super) struct Scene<'a> {
    pub(super) table: Option<&'a Table>,
    pub(super) is_trace: bool,
    /// Whether the graph changes for ever.
    pub(super) is_disturbed: bool,
    /// Whether the protocol can tell that what it is for is reached and stays.
    pub(super) tells_stability: bool,
}

pub(super) fn goals(document: &Document, scene: &Scene<'_>) -> Result<Vec<Goal>, DocumentError> {
    let goals = document.scenario().stop.iter().enumerate();
    goals.map(|(index, stop)| goal(document, &format!("stop[{index}]"), stop, scene)).collect()
}

fn goal(document: &Document, place: &str, stop: &Stop, scene: &Scene<'_>) -> Result<Goal, DocumentError> {
    let states = || {
        scene.table.ok_or_else(|| {
            let message = "this condition is about the states of agents, and no protocol runs here";
            document.error(place, message).accepting("Rounds, Locks or TraceEnd; or work: Interactions(…)")
        })
    };
    Ok(match stop {
        Stop::Rounds(Count(rounds)) => Goal::Rounds(*rounds),
        Stop::Locks(Count(locks)) => Goal::Locks(*locks),
        Stop::TraceEnd if scene.is_trace => Goal::TraceEnd,
        Stop::TraceEnd => {
            let message = "this topology has no trace that could be over";
            return Err(document
                .error(place, message)
                .accepting("another condition, or Contacts or Mobility"));
        }
        Stop::Settled if scene.tells_stability => Goal::Settled,
        Stop::Settled => {
            let message = "of this protocol, on this graph, it is not known how to see that";
            return Err(document
                .error(place, message)
                .accepting("another condition; or another protocol of the library"));
        }
        Stop::OutputsAgree => states().map(|_| Goal::OutputsAgree)?,
        Stop::OutputsStable => states().map(|_| Goal::OutputsStable)?,
        Stop::Silent => states().map(|_| Goal::Silent)?,
        Stop::Interactions(Count(interactions)) => states().map(|_| Goal::Interactions(*interactions))?,
        Stop::Counts(predicate) => {
            let table = states()?;
            let outputs: Vec<&str> =
                table.states().map(|state| table.output_name(table.output(state))).collect();
            let bound = predicate.bind(table.state_names(), &outputs).map_err(|error| {
                let place = format!("{place}[0]");
                let located = document.error_in_text(&place, error.span(), error.message());
                let located = located.accepting(error.accepted());
                error.hint().map_or(located.clone(), |hint| located.hinting(hint))
            })?;
            Goal::Counts { predicate: bound, text: predicate.text().to_owned() }
        }
    })
}

/// The limits, if the run has an end: by its work, its trace, a condition, or a limit.
pub(super) fn limits(
    document: &Document,
    goals: &[Goal],
    scene: &Scene<'_>,
) -> Result<Limits, DocumentError> {
    let scenario = document.scenario();
    let number = |count: Option<Count>| count.map(|count| count.0);
    let limits = Limits {
        rounds: number(scenario.limits.rounds),
        steps: number(scenario.limits.steps),
        interactions: number(scenario.limits.interactions),
    };
    if scene.table.is_none() && limits.interactions.is_some() {
        let message = "no interactions happen here: no protocol runs";
        return Err(document.error("limits.interactions", message).accepting("rounds, steps"));
    }
    let endless = match &scenario.work {
        Work::Idle => scene.is_disturbed,
        Work::Locks { each: Repeats::Times(_), .. } => false,
        Work::Locks { each: Repeats::Forever, .. } | Work::Interactions { .. } => true,
    };
    let limited = limits.rounds.or(limits.steps).or(limits.interactions).is_some();
    if endless && !scene.is_trace && goals.is_empty() && !limited {
        let message = "the run has no end: neither a stop condition nor a limit is written";
        let accepted = "stop: [Rounds(1e6)] or limits: (rounds: 1e6), for example";
        return Err(document.error("", message).accepting(accepted));
    }
    Ok(limits)
}
