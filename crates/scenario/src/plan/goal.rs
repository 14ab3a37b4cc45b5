//! `stop` and `limits`: the conditions and limits that end a run.

use acrasin_process::{Measure, StopBound, StopGoal, StopRule};
use acrasin_protocols::{Protocol as _, Table};

use crate::document::ScenarioFields;
use crate::document::quantity::Count;
use crate::document::stop::{Stop, StopSetting};
use crate::document::work::{Repeats, Work};
use crate::predicate::BoundPredicate;
use crate::stop::StopScene;
use crate::{Catalogue, Document, DocumentError};

/// The stop rule of a run.
pub(super) type PlanStopRule = StopRule<BoundPredicate>;

/// A condition that ends a run as done.
pub(super) type PlanGoal = StopGoal<BoundPredicate>;

/// The parts of a scenario that goals refer to.
pub(super) struct GoalContext<'a> {
    pub(super) table: Option<&'a Table>,
    pub(super) is_trace: bool,
    /// Whether disturbances change the graph during the whole run.
    pub(super) is_disturbed: bool,
    /// Whether the protocol can decide that it has reached its goal permanently.
    pub(super) tells_stability: bool,
}

/// The goals that `stop` lists, and its fields with the defaults of catalogue entries.
pub(super) fn goals(
    document: &Document,
    catalogue: &Catalogue,
    scene: &GoalContext<'_>,
) -> Result<(Vec<PlanGoal>, ScenarioFields), DocumentError> {
    let written = &document.scenario().stop;
    let (mut goals, mut fields) = (Vec::new(), ScenarioFields::default());
    let place = |index: usize| format!("stop[{index}]");
    // An unknown name is reported before conditions that do not fit the run.
    for index in (0..written.len()).filter(|&index| matches!(written[index], StopSetting::Entry(_))) {
        let found = document.choice(&place(index)).find(catalogue.stops().entries(), Stop::NAMES);
        found.map_err(|failure| document.refused(failure))?;
    }
    for (index, stop) in written.iter().enumerate() {
        let place = place(index);
        let (goal, of_goal) = match stop {
            StopSetting::Word(stop) => (goal(document, &place, stop, scene)?, ScenarioFields::of(stop)),
            StopSetting::Entry(entry) => own(document, (&place, entry.text()), catalogue, scene)?,
        };
        goals.push(goal);
        fields = fields.and(&format!("[{index}]"), of_goal);
    }
    let has_entries = written.iter().any(|stop| matches!(stop, StopSetting::Entry(_)));
    // If no entry has fields, the list is recorded as one value.
    Ok((goals, if has_entries { fields } else { ScenarioFields::of(written) }))
}

/// A condition of the catalogue, with its fields.
fn own(
    document: &Document,
    (place, text): (&str, &str),
    catalogue: &Catalogue,
    scene: &GoalContext<'_>,
) -> Result<(PlanGoal, ScenarioFields), DocumentError> {
    let choice = document.choice(place);
    let refused = |failure| document.refused(failure);
    let entry = choice.find(catalogue.stops().entries(), Stop::NAMES).map_err(refused)?;
    let chosen = choice.chosen(entry, &[]).map_err(refused)?;
    let states = scene.table.map_or(&[][..], Table::state_names);
    let condition = (entry.make)(&chosen.values, StopScene { states });
    let condition = condition.map_err(|error| document.misfit(place, &error))?;
    Ok((PlanGoal::Own { condition, text: text.to_owned() }, chosen.fields()))
}

fn goal(
    document: &Document,
    place: &str,
    stop: &Stop,
    scene: &GoalContext<'_>,
) -> Result<PlanGoal, DocumentError> {
    let states = || {
        scene.table.ok_or_else(|| {
            let message = "this condition needs states of agents, but no protocol runs here";
            document.error(place, message).accepting("Rounds, Locks or TraceEnd; or work: Interactions(…)")
        })
    };
    Ok(match stop {
        Stop::Rounds(Count(rounds)) => PlanGoal::Bound(StopBound::Count(Measure::Rounds, *rounds)),
        Stop::Locks(Count(locks)) => PlanGoal::Bound(StopBound::Count(Measure::Locks, *locks)),
        Stop::TraceEnd if scene.is_trace => PlanGoal::TraceEnd,
        Stop::TraceEnd => {
            let message = "this topology has no trace that could end";
            return Err(document
                .error(place, message)
                .accepting("another stop condition, or the topology Contacts or Mobility"));
        }
        Stop::Settled if scene.tells_stability => PlanGoal::Settled,
        Stop::Settled => {
            let message = "this condition cannot be detected for this protocol on this graph";
            return Err(document
                .error(place, message)
                .accepting("another condition; or another protocol of the library"));
        }
        Stop::OutputsAgree => states().map(|_| PlanGoal::Agreed)?,
        Stop::OutputsStable => states().map(|_| PlanGoal::Stable)?,
        Stop::Silent => states().map(|_| PlanGoal::Silent)?,
        Stop::Interactions(Count(interactions)) => {
            states().map(|_| PlanGoal::Bound(StopBound::Count(Measure::Interactions, *interactions)))?
        }
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
            PlanGoal::Counts { predicate: bound, text: predicate.text().to_owned() }
        }
    })
}

/// Builds the stop rule of a run that ends when its work is done, its trace is over, a condition holds, or a limit is
/// reached.
pub(super) fn rule(
    document: &Document,
    goals: Vec<PlanGoal>,
    scene: &GoalContext<'_>,
) -> Result<PlanStopRule, DocumentError> {
    let scenario = document.scenario();
    let written = [
        (scenario.limits.rounds, Measure::Rounds),
        (scenario.limits.steps, Measure::Steps),
        (scenario.limits.interactions, Measure::Interactions),
    ];
    let limits = written.into_iter().filter_map(|(count, measure)| Some(StopBound::Count(measure, count?.0)));
    let limits: Vec<StopBound> = limits.collect();
    if scene.table.is_none() && scenario.limits.interactions.is_some() {
        let message = "no interactions happen, because no protocol runs";
        return Err(document.error("limits.interactions", message).accepting("rounds, steps"));
    }
    let endless = match &scenario.work {
        Work::Idle => scene.is_disturbed,
        Work::Locks { each: Repeats::Times(_), .. } => false,
        Work::Locks { each: Repeats::Forever, .. } | Work::Interactions { .. } => true,
    };
    if endless && !scene.is_trace && goals.is_empty() && limits.is_empty() {
        let message = "the run has no end: neither a stop condition nor a limit is given";
        let accepted = "stop: [Rounds(1e6)] or limits: (rounds: 1e6), for example";
        return Err(document.error("", message).accepting(accepted));
    }
    Ok(PlanStopRule { goals, limits, ..PlanStopRule::default() })
}
