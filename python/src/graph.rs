//! Populations on the edges of a graph.

use acrasin_process::{Process, StopGoal};
use acrasin_protocols::uniform::{self, EdgeList, TorusShape};
use acrasin_scenario::plan::TurnRule;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::edges::EdgeArray;
use crate::engine::HasProcess;
use crate::goal::{limit_of, until};
use crate::shared::Shared;
use crate::table::{PyTable, value_error};
use crate::threads;

/// The number of interactions between two checks for Ctrl-C. This many take some milliseconds.
const STRETCH: u64 = 1 << 18;

/// Agents on the nodes of a graph that interact along its edges. Wraps `acrasin_protocols::uniform::GraphPopulation`.
#[pyclass(frozen, module = "acrasin._acrasin", name = "GraphPopulation")]
pub(crate) struct PyGraphPopulation {
    table: Py<PyTable>,
    population: Shared<uniform::GraphPopulation>,
}

impl HasProcess for uniform::GraphPopulation {
    fn process(&mut self) -> &mut dyn Process {
        self
    }
}

/// The stop rule of a run along edges, and the maximum number of interactions of a turn. The goal `text` is a condition
/// on counts or `silent`. Silence is tested on the edges once every n interactions for n agents.
pub(crate) fn along_edges(table: &PyTable, text: &str, agents: u64, most: u64) -> PyResult<(TurnRule, u64)> {
    Ok(match text {
        "silent" => (TurnRule::new(vec![StopGoal::Silent], None), agents),
        text => (until(&table.table, text)?, most),
    })
}

pub(crate) fn checked(table: &PyTable, states: &PyReadonlyArray1<'_, u16>) -> PyResult<Vec<u16>> {
    let states: Vec<u16> = states.as_array().iter().copied().collect();
    let count = table.table.state_count();
    match states.iter().find(|&&state| state >= count) {
        Some(state) => Err(PyValueError::new_err(format!("state {state} (accepted: 0 to {})", count - 1))),
        None => Ok(states),
    }
}

#[pymethods]
impl PyGraphPopulation {
    /// Creates a population on a list of edges in any order: two columns of node numbers.
    #[staticmethod]
    fn on_edges(
        py: Python<'_>,
        table: Py<PyTable>,
        states: PyReadonlyArray1<'_, u16>,
        edges: EdgeArray<'_>,
        seed: u64,
    ) -> PyResult<Self> {
        let states = checked(table.get(), &states)?;
        let edges = edges.read(|pairs| EdgeList::from_edges(pairs))?;
        let rules = &table.get().table;
        let population = py
            .detach(|| threads::run(|| uniform::GraphPopulation::in_order(rules, &states, edges, seed)))
            .map_err(value_error)?;
        Ok(Self { table, population: Shared::new(population) })
    }

    /// Creates a population on a torus, or on a ring if `rows` is 1, without storing the edges.
    #[staticmethod]
    fn on_torus(
        py: Python<'_>,
        table: Py<PyTable>,
        states: PyReadonlyArray1<'_, u16>,
        rows: u32,
        columns: u32,
        seed: u64,
    ) -> PyResult<Self> {
        let states = checked(table.get(), &states)?;
        let shape = match rows {
            1 => TorusShape::Ring { nodes: columns },
            rows => TorusShape::Torus { rows, columns },
        };
        let rules = &table.get().table;
        let population = py
            .detach(|| threads::run(|| uniform::GraphPopulation::on_torus(rules, &states, shape, seed)))
            .map_err(value_error)?;
        Ok(Self { table, population: Shared::new(population) })
    }

    /// Creates a population on the same graph, whose edges are shared, in these states and with this seed.
    fn restarted(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let states = checked(self.table.get(), &states)?;
        let population = self.population.with(py, |population| population.restarted(&states, seed))?;
        let population = Shared::new(population.map_err(value_error)?);
        Ok(Self { table: self.table.clone_ref(py), population })
    }

    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.population.steps(py)
    }

    #[getter]
    fn edges(&self, py: Python<'_>) -> PyResult<u64> {
        self.population.with(py, |population| population.edge_count())
    }

    /// A copy of the edges in order, each with its smaller node first.
    fn edge_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let edges =
            self.population.with(py, |population| population.edges().flatten().collect::<Vec<u32>>())?;
        let rows = edges.len() / 2;
        PyArray1::from_vec(py, edges).reshape([rows, 2])
    }

    /// The digest of the current configuration, as in a record.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.population.digest(py)
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.population.counts(py)
    }

    /// The state of each agent.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        self.population.states(py)
    }

    /// Whether no interaction along an edge can change a state.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.population.is_silent(py)
    }

    /// Runs to a total number of interactions, like `Population.run_to`.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        let rule = TurnRule::new(Vec::new(), None).within(limit_of(interactions));
        Ok(self.population.drive(py, rule, STRETCH, seconds)?.is_some())
    }

    /// Runs until the goal, a condition on counts or `silent`, holds for the first time. Silence is tested once every n
    /// interactions for n agents.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        let agents = self.population.with(py, |population| population.counts().iter().sum())?;
        let (rule, most) = along_edges(self.table.get(), text, agents, STRETCH)?;
        self.population.reaches(py, rule.within(limit_of(limit)), most, seconds)
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        self.population.holds(py, until(&self.table.get().table, text)?)
    }

    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.population.with(py, |population| population.save())?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn restore(table: Py<PyTable>, bytes: &[u8]) -> PyResult<Self> {
        let population = uniform::GraphPopulation::restore(&table.get().table, bytes).map_err(value_error)?;
        Ok(Self { table, population: Shared::new(population) })
    }
}
