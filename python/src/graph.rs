//! Populations on the edges of a graph.

use acrasin_protocols::uniform::{self, EdgeList, TorusShape};
use acrasin_scenario::plan::configuration_digest;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::ctrl_c::until_done;
use crate::edges::EdgeArray;
use crate::goal::{Goal, goal};
use crate::shared::Shared;
use crate::table::{Table, value_error};
use crate::threads;

/// Interactions between two looks for Ctrl-C: some milliseconds.
const STRETCH: u64 = 1 << 18;

/// Agents on the nodes of a graph that interact along its edges: `acrasin_protocols::uniform::GraphPopulation`.
#[pyclass(frozen, module = "acrasin._acrasin")]
pub(crate) struct GraphPopulation {
    table: Py<Table>,
    population: Shared<uniform::GraphPopulation>,
}

pub(crate) fn checked(table: &Table, states: &PyReadonlyArray1<'_, u16>) -> PyResult<Vec<u16>> {
    let states: Vec<u16> = states.as_array().iter().copied().collect();
    let count = table.table.state_count();
    match states.iter().find(|&&state| state >= count) {
        Some(state) => Err(PyValueError::new_err(format!("state {state} (accepted: 0 to {})", count - 1))),
        None => Ok(states),
    }
}

#[pymethods]
impl GraphPopulation {
    /// On a list of edges, in any order: two columns of node numbers.
    #[staticmethod]
    fn on_edges(
        py: Python<'_>,
        table: Py<Table>,
        states: PyReadonlyArray1<'_, u16>,
        edges: EdgeArray<'_>,
        seed: u64,
    ) -> PyResult<Self> {
        let states = checked(table.get(), &states)?;
        let edges = edges.read(|pairs| EdgeList::of(pairs))?;
        let rules = &table.get().table;
        let population = py
            .detach(|| threads::run(|| uniform::GraphPopulation::in_order(rules, &states, edges, seed)))
            .map_err(value_error)?;
        Ok(Self { table, population: Shared::new(population) })
    }

    /// On a ring (`rows` 1) or a torus, without a list of edges.
    #[staticmethod]
    fn on_torus(
        py: Python<'_>,
        table: Py<Table>,
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

    /// On the same graph, whose edges are not copied, in these states and with this seed.
    fn anew(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let states = checked(self.table.get(), &states)?;
        let population = self.population.with(py, |population| population.anew(&states, seed))?;
        let population = Shared::new(population.map_err(value_error)?);
        Ok(Self { table: self.table.clone_ref(py), population })
    }

    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.population.with(py, |population| population.interactions())
    }

    #[getter]
    fn edges(&self, py: Python<'_>) -> PyResult<u64> {
        self.population.with(py, |population| population.edge_count())
    }

    /// A copy of the edges, in order: each with its smaller number first.
    fn edge_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let edges =
            self.population.with(py, |population| population.edges().flatten().collect::<Vec<u32>>())?;
        let rows = edges.len() / 2;
        PyArray1::from_vec(py, edges).reshape([rows, 2])
    }

    /// The digest that a record has of this configuration.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.population.with(py, |population| configuration_digest(population).to_string())
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let counts = self.population.with(py, |population| population.counts().to_vec())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// The state of each agent.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let states = self.population.with(py, |population| {
            let agents: u64 = population.counts().iter().sum();
            (0..agents).map(|agent| population.state(agent as u32)).collect::<Vec<u16>>()
        })?;
        Ok(PyArray1::from_vec(py, states))
    }

    /// Whether no interaction along an edge can change anything any more.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.population.with(py, |population| population.is_silent())
    }

    /// As that of `Population`.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        let reached = until_done(py, &self.population, seconds, |population| {
            let next = population.interactions().saturating_add(STRETCH);
            population.run_to(next.min(interactions));
            (population.interactions() >= interactions).then_some(())
        })?;
        Ok(reached.is_some())
    }

    /// Runs until the goal, on counts, holds for the first time; `silent` is asked once in as many interactions as there
    /// are agents.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        if text == "silent" {
            let silent = until_done(py, &self.population, seconds, |population| {
                if population.is_silent() {
                    return Some(true);
                }
                let agents: u64 = population.counts().iter().sum();
                let next = population.interactions().saturating_add(agents).min(limit);
                population.run_to(next);
                (population.interactions() >= limit).then(|| population.is_silent())
            })?;
            return Ok(silent.unwrap_or(false));
        }
        let goal: Goal = goal(&self.table.get().table, text)?;
        let holds = until_done(py, &self.population, seconds, move |population| {
            let next = population.interactions().saturating_add(STRETCH).min(limit);
            let holds = population.run_until(&*goal, next);
            (holds || population.interactions() >= limit).then_some(holds)
        })?;
        Ok(holds.unwrap_or(false))
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        let goal = goal(&self.table.get().table, text)?;
        self.population.with(py, move |population| goal.holds(population.counts()))
    }

    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.population.with(py, |population| population.save())?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn restore(table: Py<Table>, bytes: &[u8]) -> PyResult<Self> {
        let population = uniform::GraphPopulation::restore(&table.get().table, bytes).map_err(value_error)?;
        Ok(Self { table, population: Shared::new(population) })
    }
}
