//! Transition functions as tables, with states as numbers.

use acrasin_protocols::{FiniteProtocol, Protocol, WeightedOutcomes};
use acrasin_runtime::choice::{Choices, derived_seed as derived};
use numpy::{PyArray2, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A pair of states with random outcomes, each as weight and new states.
type LotteryCell = (u16, u16, Vec<(u32, u16, u16)>);

/// A transition function as a table.
#[pyclass(frozen, module = "acrasin._acrasin", name = "Table")]
pub(crate) struct PyTable {
    pub(crate) table: acrasin_protocols::Table,
}

/// A transition function as the lists that Python passes.
struct TabledRule {
    names: Vec<String>,
    outputs: Vec<String>,
    cells: Vec<[u16; 2]>,
    lotteries: std::collections::BTreeMap<(u16, u16), WeightedOutcomes<u16>>,
}

impl Protocol for TabledRule {
    type State = u16;
    type Output = u16;

    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        let cell = self.cells[usize::from(initiator) * self.names.len() + usize::from(responder)];
        (cell[0], cell[1])
    }

    fn output(&self, state: u16) -> u16 {
        state
    }

    fn interact(&self, initiator: u16, responder: u16, choices: &mut dyn Choices) -> (u16, u16) {
        acrasin_protocols::protocol::draw(&self.outcomes(initiator, responder), choices)
    }

    fn outcomes(&self, initiator: u16, responder: u16) -> WeightedOutcomes<u16> {
        let drawn = self.lotteries.get(&(initiator, responder));
        drawn.cloned().unwrap_or_else(|| vec![(1, self.transition(initiator, responder))])
    }
}

impl FiniteProtocol for TabledRule {
    fn states(&self) -> Vec<u16> {
        (0..self.names.len()).map(|state| state as u16).collect()
    }

    fn state_name(&self, state: u16) -> String {
        self.names[usize::from(state)].clone()
    }

    fn output_name(&self, &state: &u16) -> String {
        self.outputs[usize::from(state)].clone()
    }
}

#[pymethods]
impl PyTable {
    /// Creates a table. For q states, `cells[q * a + b]` has the new states of initiator and responder after an
    /// interaction in states `a` and `b`. `lotteries` lists the pairs whose outcome is random, with the weights of the
    /// outcomes.
    #[new]
    fn new(
        names: Vec<String>,
        outputs: Vec<String>,
        cells: PyReadonlyArray2<'_, u16>,
        lotteries: Vec<LotteryCell>,
    ) -> PyResult<Self> {
        let states = names.len();
        if outputs.len() != states || cells.shape() != [states * states, 2] {
            return Err(PyValueError::new_err(format!(
                "{} outputs and cells of shape {:?} (accepted: {states} and ({}, 2), for {states} states)",
                outputs.len(),
                cells.shape(),
                states * states
            )));
        }
        let cells = cells.as_array().rows().into_iter().map(|row| [row[0], row[1]]).collect();
        let lotteries = lotteries.into_iter().map(|(a, b, outcomes)| {
            ((a, b), outcomes.into_iter().map(|(weight, c, d)| (weight, (c, d))).collect())
        });
        let rule = TabledRule { names, outputs, cells, lotteries: lotteries.collect() };
        let table = acrasin_protocols::Table::compile(&rule).map_err(value_error)?;
        Ok(Self { table })
    }

    /// The number of states.
    fn __len__(&self) -> usize {
        self.table.state_count().into()
    }

    /// The transition function as text: the pairs that change a state.
    fn effective(&self) -> String {
        self.table.effective().to_string()
    }

    /// The ordered pairs of states whose interaction may change a state, as an array of two columns.
    fn active<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u16>>> {
        let table = &self.table;
        let pairs = table.states().flat_map(|a| table.states().map(move |b| [a, b]));
        let active: Vec<Vec<u16>> =
            pairs.filter(|&[a, b]| !table.is_null(a, b)).map(|pair| pair.to_vec()).collect();
        if active.is_empty() {
            return Ok(PyArray2::zeros(py, [0, 2], false));
        }
        Ok(PyArray2::from_vec2(py, &active)?)
    }
}

/// A seed derived from `seed` and a number, for repetitions or for draws with another purpose.
#[pyfunction]
pub(crate) fn derived_seed(seed: u64, number: u64) -> u64 {
    derived(seed, number)
}

/// Converts an error of the workspace into a `ValueError`.
pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
