//! Exhaustive checks of all inputs under all schedules.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use acrasin_explore::Limits;
use acrasin_protocols::Table as Rules;
use acrasin_protocols::predicate::{Predicate, PredicateError};
use acrasin_verify::population::{
    Answers, CheckedPopulation, Claim, ClaimOutcome, PopulationCounterexample, check as check_all,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::goal::refused;
use crate::scenario::watched;
use crate::table::{PyTable, value_error};

/// The claim to check, as passed from Python.
#[derive(FromPyObject)]
pub(crate) struct Claimed {
    predicate: Option<String>,
    eventually: Option<String>,
    given: Option<String>,
    /// Outputs that mean that the predicate holds.
    yes: Vec<String>,
    /// Outputs that mean that the predicate does not hold.
    no: Vec<String>,
}

impl Claimed {
    pub(crate) fn claim(&self, table: &Rules) -> PyResult<Claim> {
        let bound = |text: &str, make: &dyn Fn(&Predicate) -> Result<Claim, PredicateError>| {
            Predicate::parse_strict(text)
                .and_then(|predicate| make(&predicate))
                .map_err(|error| refused(text, &error))
        };
        let claim = match (&self.predicate, &self.eventually) {
            (Some(text), None) => {
                let [yes, no] = [&self.yes, &self.no]
                    .map(|outputs| outputs.iter().map(String::as_str).collect::<Vec<_>>());
                let answers = Answers::new(table, &yes, &no).map_err(value_error)?;
                bound(text, &|predicate| Claim::computes(table, predicate, &answers))?
            }
            (None, Some(text)) => bound(text, &|predicate| Claim::eventually(table, predicate))?,
            _ => {
                let message = "no claim or two claims (accepted: either predicate or eventually)";
                return Err(PyValueError::new_err(message));
            }
        };
        match &self.given {
            None => Ok(claim),
            Some(text) => bound(text, &|given| claim.clone().given(table, given)),
        }
    }
}

/// Explores every input of `agents` agents under every schedule. Returns a dictionary with `outcome` (`holds`, `fails`
/// or `truncated`), `inputs` and `configurations`. For a failure it also has the parts of the counterexample, with
/// states as numbers.
#[pyfunction]
pub(crate) fn check<'py>(
    py: Python<'py>,
    table: &PyTable,
    inputs: Vec<u16>,
    claimed: Claimed,
    sizes: Vec<u32>,
    memory: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let table = &table.table;
    let claim = claimed.claim(table)?;
    let populations = sizes.iter().map(|&agents| CheckedPopulation::complete(agents));
    let populations = populations.collect::<Result<Vec<_>, _>>().map_err(value_error)?;
    let report = watched(py, None, |stop| {
        Ok(check_all(table, &claim, &inputs, &populations, &Limits::bytes(memory), |_| {
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }))
    })?;
    let found = PyDict::new(py);
    found.set_item("inputs", report.inputs())?;
    found.set_item("configurations", report.configurations())?;
    found.set_item(
        "outcome",
        match &report.outcome {
            ClaimOutcome::Holds => "holds",
            ClaimOutcome::Fails(_) => "fails",
            ClaimOutcome::Truncated { .. } => "truncated",
        },
    )?;
    if let ClaimOutcome::Fails(failure) = &report.outcome {
        tell(&found, table, claim.text(), failure)?;
    }
    Ok(found)
}

pub(crate) fn tell(
    found: &Bound<'_, PyDict>,
    table: &Rules,
    claim: &str,
    failure: &PopulationCounterexample,
) -> PyResult<()> {
    let PopulationCounterexample { input, value, run, bottom, .. } = failure;
    found.set_item("input", input)?;
    found.set_item("value", value)?;
    let run: Vec<_> = run.iter().map(|interaction| (interaction.before, interaction.after)).collect();
    found.set_item("run", run)?;
    found.set_item("entered", &bottom.entered.counts)?;
    found.set_item("wrong", &bottom.wrong.counts)?;
    found.set_item("is_silent", bottom.is_silent)?;
    found.set_item("component", bottom.configurations)?;
    found.set_item("text", failure.describe(table, claim))
}
