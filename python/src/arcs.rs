//! Populations on edges with weights or directions.

use acrasin_protocols::uniform::{Advance, Arc, Direction, EncounterPopulation, RunBound};
use acrasin_scenario::plan::configuration_digest;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ctrl_c::until_done;
use crate::edges::EdgeArray;
use crate::goal::goal;
use crate::graph::checked;
use crate::shared::Shared;
use crate::table::{Table, value_error};

/// Interactions between two looks for Ctrl-C: some milliseconds.
const STRETCH: u64 = 1 << 16;

/// Agents on the nodes of a graph, one interaction after another, each along an edge that is drawn by its weight:
/// `acrasin_protocols::uniform::EncounterPopulation`.
#[pyclass(frozen, module = "acrasin._acrasin")]
pub(crate) struct ArcPopulation {
    table: Py<Table>,
    arcs: Vec<Arc>,
    direction: Direction,
    inner: Shared<ArcRun>,
}

struct ArcRun {
    population: EncounterPopulation,
    /// What it began with.
    start: Vec<u16>,
    seed: u64,
}

fn begin(table: &Table, arcs: (Vec<Arc>, Direction), start: Vec<u16>, seed: u64) -> PyResult<Shared<ArcRun>> {
    let population = EncounterPopulation::on_edges(&table.table, &start, arcs, Vec::new(), seed);
    Ok(Shared::new(ArcRun { population: population.map_err(value_error)?, start, seed }))
}

#[pymethods]
impl ArcPopulation {
    /// Edges with their weights, in order; with directions the first end is the initiator.
    #[new]
    fn new(
        table: Py<Table>,
        states: PyReadonlyArray1<'_, u16>,
        edges: EdgeArray<'_>,
        weights: PyReadonlyArray1<'_, u64>,
        directed: bool,
        seed: u64,
    ) -> PyResult<Self> {
        let states = checked(table.get(), &states)?;
        let ends: Vec<[u32; 2]> = edges.read(|pairs| pairs.collect())?;
        if ends.len() != weights.as_array().len() {
            let (edges, weights) = (ends.len(), weights.as_array().len());
            return Err(PyValueError::new_err(format!(
                "{weights} weights of {edges} edges (accepted: one each)"
            )));
        }
        let weighed = ends.into_iter().zip(weights.as_array());
        let arcs: Vec<Arc> = weighed.map(|(ends, &weight)| Arc { ends, weight }).collect();
        let direction = if directed { Direction::FirstInitiates } else { Direction::Either };
        let inner = begin(table.get(), (arcs.clone(), direction), states, seed)?;
        Ok(Self { table, arcs, direction, inner })
    }

    /// On the same graph, in these states and with this seed.
    fn anew(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let states = checked(self.table.get(), &states)?;
        let (arcs, direction) = (self.arcs.clone(), self.direction);
        let inner = begin(self.table.get(), (arcs.clone(), direction), states, seed)?;
        Ok(Self { table: self.table.clone_ref(py), arcs, direction, inner })
    }

    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.with(py, |inner| inner.population.interactions())
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let counts = self.inner.with(py, |inner| inner.population.counts().to_vec())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// The state of each agent.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let states = self.inner.with(py, |inner| inner.population.states().to_vec())?;
        Ok(PyArray1::from_vec(py, states))
    }

    /// The digest that a record has of this configuration.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.with(py, |inner| configuration_digest(&inner.population).to_string())
    }

    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.with(py, |inner| inner.population.is_silent())
    }

    /// As that of `Population`.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        let reached = until_done(py, &self.inner, seconds, |ArcRun { population, .. }| {
            let next = population.interactions().saturating_add(STRETCH).min(interactions);
            population.run(None, &RunBound { interactions: next, ..RunBound::NONE });
            (population.interactions() >= interactions).then_some(())
        })?;
        Ok(reached.is_some())
    }

    /// Runs until the goal, on counts, holds for the first time; `silent` is asked once in as many interactions as there
    /// are agents.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        let goal = if text == "silent" { None } else { Some(goal(&self.table.get().table, text)?) };
        let holds = until_done(py, &self.inner, seconds, move |ArcRun { population, .. }| {
            let Some(goal) = &goal else {
                if population.is_silent() {
                    return Some(true);
                }
                let agents = population.states().len() as u64;
                let interactions = population.interactions().saturating_add(agents).min(limit);
                population.run(None, &RunBound { interactions, ..RunBound::NONE });
                return (population.interactions() >= limit).then(|| population.is_silent());
            };
            let interactions = population.interactions().saturating_add(STRETCH).min(limit);
            let ended = population.run(Some(&**goal), &RunBound { interactions, ..RunBound::NONE });
            (ended == Advance::Held || population.interactions() >= limit).then_some(ended == Advance::Held)
        })?;
        Ok(holds.unwrap_or(false))
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        let goal = goal(&self.table.get().table, text)?;
        self.inner.with(py, move |inner| goal.holds(inner.population.counts()))
    }

    /// States at the start, seed and interactions: with edges and weights that is the run, which can be made again.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<u16>>, u64, u64)> {
        let (start, seed, interactions) = self
            .inner
            .with(py, |inner| (inner.start.clone(), inner.seed, inner.population.interactions()))?;
        Ok((PyArray1::from_vec(py, start), seed, interactions))
    }

    /// The edges in order, two columns; their weights; and whether they have directions.
    #[allow(clippy::type_complexity)]
    fn edges<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<u64>>, bool)> {
        let ends = PyArray1::from_iter(py, self.arcs.iter().flat_map(|arc| arc.ends));
        let weights = PyArray1::from_iter(py, self.arcs.iter().map(|arc| arc.weight));
        let directed = self.direction == Direction::FirstInitiates;
        Ok((ends.reshape([self.arcs.len(), 2])?, weights, directed))
    }
}
