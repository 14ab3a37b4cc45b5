//! Parses the stop conditions of a run.

use acrasin_process::{Measure, StopBound, StopGoal};
use acrasin_protocols::Table;
use acrasin_protocols::predicate::{BoundPredicate, Predicate, PredicateError};
use acrasin_scenario::plan::TurnRule;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Parses a goal: `silent`, `agreed`, `stable`, or a predicate on the counts of these states and outputs.
///
/// # Errors
///
/// `ValueError`, with the position of the error, if a predicate cannot be parsed or names an unknown state.
pub(crate) fn goal(text: &str, states: &[String], outputs: &[String]) -> PyResult<StopGoal<BoundPredicate>> {
    Ok(match text {
        "silent" => StopGoal::Silent,
        "agreed" => StopGoal::Agreed,
        "stable" => StopGoal::Stable,
        text => {
            let predicate =
                Predicate::parse_strict(text).and_then(|predicate| predicate.bind(states, outputs));
            StopGoal::Counts {
                predicate: predicate.map_err(|error| refused(text, &error))?,
                text: text.to_owned(),
            }
        }
    })
}

/// The stop rule of a run with this table and this goal.
pub(crate) fn until(table: &Table, text: &str) -> PyResult<TurnRule> {
    Ok(TurnRule::new(vec![goal(text, table.state_names(), table.output_names())?], Some(table)))
}

/// The exception for an error in a predicate, with a caret at its position.
pub(crate) fn refused(text: &str, error: &PredicateError) -> PyErr {
    let span = error.span();
    let marks = " ".repeat(text[..span.start].chars().count()) + &"^".repeat(span.len().max(1));
    let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
    let (message, accepted) = (error.message(), error.accepted());
    PyValueError::new_err(format!("{message} (accepted: {accepted}{hint})\n  {text}\n  {marks}"))
}

/// A limit on the number of interactions, counted from the start.
pub(crate) fn limit_of(count: u64) -> StopBound {
    StopBound::Count(Measure::Interactions, count)
}
