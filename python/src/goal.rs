//! What a run can stop at.

use acrasin_protocols::Table;
use acrasin_protocols::predicate::{Predicate, PredicateError};
use acrasin_protocols::uniform::{Agreed, Condition, OutputsStable, Silent};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A condition that can be asked where the interpreter is not.
pub(crate) type Goal = Box<dyn Condition + Send>;

/// `silent`, `agreed`, `stable`, or a predicate on counts.
///
/// # Errors
///
/// `ValueError`, with the place, of a predicate that cannot be read or names a state that there is not.
pub(crate) fn goal(table: &Table, text: &str) -> PyResult<Goal> {
    Ok(match text {
        "silent" => Box::new(Silent::new(table)),
        "agreed" => Box::new(Agreed::new(table)),
        "stable" => Box::new(OutputsStable::new(table)),
        text => {
            let bound = Predicate::parse(text)
                .and_then(|predicate| predicate.bind(table.state_names(), table.output_names()))
                .map_err(|error| refused(text, &error))?;
            Box::new(bound)
        }
    })
}

/// What is wrong with a predicate, with a line that points to it.
pub(crate) fn refused(text: &str, error: &PredicateError) -> PyErr {
    let span = error.span();
    let marks = " ".repeat(text[..span.start].chars().count()) + &"^".repeat(span.len().max(1));
    let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
    let (message, accepted) = (error.message(), error.accepted());
    PyValueError::new_err(format!("{message} (accepted: {accepted}{hint})\n  {text}\n  {marks}"))
}
