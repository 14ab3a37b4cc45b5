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
use crate::table::{Table, value_error};

/// Interactions between two looks for Ctrl-C: some milliseconds.
const STRETCH: u64 = 1 << 18;

/// Agents on the nodes of a graph, who interact along its edges: `acrasin_protocols::uniform::GraphPopulation`.
#[pyclass(module = "acrasin._acrasin")]
pub(crate) struct GraphPopulation {
    table: Py<Table>,
    population: uniform::GraphPopulation,
}

fn checked(table: &Table, states: &PyReadonlyArray1<'_, u16>) -> PyResult<Vec<u16>> {
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
            .detach(|| uniform::GraphPopulation::in_order(rules, &states, edges, seed))
            .map_err(value_error)?;
        Ok(Self { table, population })
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
            .detach(|| uniform::GraphPopulation::on_torus(rules, &states, shape, seed))
            .map_err(value_error)?;
        Ok(Self { table, population })
    }

    /// On the same graph, whose edges are not copied, in these states and with this seed.
    fn anew(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let states = checked(self.table.get(), &states)?;
        let population = py.detach(|| self.population.anew(&states, seed)).map_err(value_error)?;
        Ok(Self { table: self.table.clone_ref(py), population })
    }

    #[getter]
    fn interactions(&self) -> u64 {
        self.population.interactions()
    }

    #[getter]
    fn edges(&self) -> u64 {
        self.population.edge_count()
    }

    /// A copy of the edges, in order: each with its smaller number first.
    fn edge_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        PyArray1::from_iter(py, self.population.edges().flatten()).reshape([self.population.edges().len(), 2])
    }

    /// The digest that a record has of this configuration.
    fn digest(&self, py: Python<'_>) -> String {
        let population = &self.population;
        py.detach(|| {
            let agents = population.counts().iter().sum();
            configuration_digest(population.counts(), agents, |agent| population.state(agent as u32))
                .to_string()
        })
    }

    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_slice(py, self.population.counts())
    }

    /// The state of each agent.
    fn states<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        let agents: u64 = self.population.counts().iter().sum();
        PyArray1::from_iter(py, (0..agents).map(|agent| self.population.state(agent as u32)))
    }

    /// Whether no interaction along an edge can change anything any more.
    fn is_silent(&self, py: Python<'_>) -> bool {
        py.detach(|| self.population.is_silent())
    }

    fn run_to(&mut self, py: Python<'_>, interactions: u64) -> PyResult<()> {
        let population = &mut self.population;
        until_done(py, || {
            let next = population.interactions().saturating_add(STRETCH);
            population.run_to(next.min(interactions));
            (population.interactions() >= interactions).then_some(())
        })
    }

    /// Goes on until the goal, on counts, holds for the first time; `silent` is asked once in as many interactions as there
    /// are agents.
    fn run_until(&mut self, py: Python<'_>, text: &str, limit: u64) -> PyResult<bool> {
        let population = &mut self.population;
        if text == "silent" {
            let agents: u64 = population.counts().iter().sum();
            return until_done(py, || {
                if population.is_silent() {
                    return Some(true);
                }
                let next = population.interactions().saturating_add(agents).min(limit);
                population.run_to(next);
                (population.interactions() >= limit).then(|| population.is_silent())
            });
        }
        let goal: Goal = goal(&self.table.get().table, text)?;
        until_done(py, move || {
            let next = population.interactions().saturating_add(STRETCH).min(limit);
            let holds = population.run_until(&*goal, next);
            (holds || population.interactions() >= limit).then_some(holds)
        })
    }

    fn holds(&self, text: &str) -> PyResult<bool> {
        Ok(goal(&self.table.get().table, text)?.holds(self.population.counts()))
    }

    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.population.save())
    }

    #[staticmethod]
    fn restore(table: Py<Table>, bytes: &[u8]) -> PyResult<Self> {
        let population = uniform::GraphPopulation::restore(&table.get().table, bytes).map_err(value_error)?;
        Ok(Self { table, population })
    }
}
