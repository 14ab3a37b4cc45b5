//! Proofs for every population size.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use acrasin_certificate::{Certificate, Explanation, explain};
use acrasin_prover::{
    ClaimPart, EverySize, InteractionBound, OpenQuestion, SizedClaim, SmallerPopulations, covers_an_input,
    interaction_bound, on_large_stack, prove,
};
use acrasin_verify::population::PopulationCounterexample;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::check::{Claimed, tell};
use crate::scenario::watched;
use crate::table::PyTable;

/// The verdict on a claim, after its certificate or run has been checked.
enum ProofOutcome {
    Proved { certificate: String, explanation: Explanation, bound: Option<InteractionBound> },
    Refuted { counterexample: PopulationCounterexample, is_smallest: bool },
    Unknown(OpenQuestion),
}

/// Proves or refutes a claim for every population of two or more agents. Returns a dictionary with `outcome` (`proved`,
/// `refuted` or `unknown`) and the parts of the proof or of the counterexample, with states as numbers.
#[pyfunction]
pub(crate) fn prove_every_size<'py>(
    py: Python<'py>,
    table: &PyTable,
    inputs: Vec<u16>,
    claimed: Claimed,
) -> PyResult<Bound<'py, PyDict>> {
    let table = &table.table;
    let claim = claimed.claim(table)?;
    let sized = SizedClaim::of(table, &inputs, &claim);
    if let Some((part, states)) = sized.constant_part() {
        let name = match part {
            ClaimPart::Given => "given",
            ClaimPart::Goal if claim.is_eventual() => "eventually",
            ClaimPart::Goal => "predicate",
        };
        let names: Vec<_> = states.iter().map(|&state| table.state_name(state as u16)).collect();
        let names = names.join(", ");
        return Err(PyValueError::new_err(format!(
            "{name} counts no state that can have agents (accepted: a predicate about {names}; a state whose name is \
             a number is written in quotes: '1' >= 4)"
        )));
    }
    let verdict = watched(py, None, |stop| {
        let mut keep_going = || match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        on_large_stack(keep_going, |limits| {
            if !covers_an_input(&sized, limits) {
                return Err(PyValueError::new_err(
                    "given: no input of two or more agents meets it (accepted: a condition that some input meets)",
                ));
            }
            match prove(&sized, limits).verdict {
                EverySize::Proved(proof) => {
                    let bound = interaction_bound(&sized, limits);
                    let certificate = proof.certificate.to_string();
                    let refused = |why: String| fault(&format!("the certificate was refused: {why}"));
                    let read =
                        Certificate::parse(&certificate).map_err(|error| refused(error.to_string()))?;
                    let explanation = explain(&read, table, &inputs, &claim, &mut keep_going)
                        .map_err(|refusal| refused(refusal.to_string()))?;
                    Ok(ProofOutcome::Proved { certificate, explanation, bound })
                }
                EverySize::Refuted(wrong) => {
                    let replayed = wrong.end.replayed(table, &claim, &sized);
                    let counterexample = replayed.ok_or_else(|| fault("the run cannot be replayed"))?;
                    let is_smallest = !matches!(wrong.smaller, SmallerPopulations::Unknown(_));
                    Ok(ProofOutcome::Refuted { counterexample, is_smallest })
                }
                EverySize::Unknown(open) => Ok(ProofOutcome::Unknown(open)),
                EverySize::Interrupted => Err(fault("the search was stopped")),
            }
        })?
    })?;
    let found = PyDict::new(py);
    match verdict {
        ProofOutcome::Proved { certificate, explanation, bound } => {
            found.set_item("outcome", "proved")?;
            found.set_item("certificate", certificate)?;
            found.set_item("explanation", explanation.text())?;
            found.set_item("picture", explanation.svg())?;
            found.set_item("growth", bound.as_ref().map(|bound| bound.growth().to_string()))?;
            found.set_item("bound", bound.as_ref().and_then(InteractionBound::formula))?;
        }
        ProofOutcome::Refuted { counterexample, is_smallest } => {
            found.set_item("outcome", "refuted")?;
            found.set_item("smallest", is_smallest)?;
            tell(&found, table, claim.text(), &counterexample)?;
        }
        ProofOutcome::Unknown(open) => {
            found.set_item("outcome", "unknown")?;
            found.set_item("explanation", open.describe(table, &sized))?;
            found.set_item("explored", open.explored)?;
        }
    }
    Ok(found)
}

/// The exception for an internal error, which the arguments do not cause.
fn fault(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("a bug in acrasin: {what}"))
}
