//! Populations on edges with weights or directions.

use acrasin_catalogue::counted;
use acrasin_process::Process;
use acrasin_protocols::uniform::{Arc, EncounterPopulation, InitiatorEnd};
use acrasin_scenario::plan::TurnRule;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::edges::EdgeArray;
use crate::engine::HasProcess;
use crate::goal::{limit_of, until};
use crate::graph::{along_edges, checked};
use crate::shared::Shared;
use crate::table::{PyTable, value_error};

/// The number of interactions between two checks for Ctrl-C. This many take some milliseconds.
const STRETCH: u64 = 1 << 16;

/// Agents on the nodes of a graph with weighted edges. Each interaction is along an edge that is drawn with probability
/// proportional to its weight. Wraps `acrasin_protocols::uniform::EncounterPopulation`.
#[pyclass(frozen, module = "acrasin._acrasin")]
pub(crate) struct ArcPopulation {
    table: Py<PyTable>,
    arcs: Vec<Arc>,
    direction: InitiatorEnd,
    inner: Shared<ArcRun>,
}

struct ArcRun {
    population: EncounterPopulation,
    /// The initial state of each agent.
    start: Vec<u16>,
    seed: u64,
}

impl HasProcess for ArcRun {
    fn process(&mut self) -> &mut dyn Process {
        &mut self.population
    }
}

fn begin(
    table: &PyTable,
    arcs: (Vec<Arc>, InitiatorEnd),
    start: Vec<u16>,
    seed: u64,
) -> PyResult<Shared<ArcRun>> {
    let population = EncounterPopulation::on_edges(&table.table, &start, arcs, Vec::new(), seed);
    Ok(Shared::new(ArcRun { population: population.map_err(value_error)?, start, seed }))
}

#[pymethods]
impl ArcPopulation {
    /// Creates a population on edges, whose weights are in the same order. On a directed graph, the first end of each
    /// edge is the initiator.
    #[new]
    fn new(
        table: Py<PyTable>,
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
                "{} for {} (accepted: one weight per edge)",
                counted(weights, "weight"),
                counted(edges, "edge")
            )));
        }
        let weighed = ends.into_iter().zip(weights.as_array());
        let arcs: Vec<Arc> = weighed.map(|(ends, &weight)| Arc { ends, weight }).collect();
        let direction = if directed { InitiatorEnd::FirstInitiates } else { InitiatorEnd::Either };
        let inner = begin(table.get(), (arcs.clone(), direction), states, seed)?;
        Ok(Self { table, arcs, direction, inner })
    }

    /// Creates a population on the same graph, in these states and with this seed.
    fn restarted(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let states = checked(self.table.get(), &states)?;
        let (arcs, direction) = (self.arcs.clone(), self.direction);
        let inner = begin(self.table.get(), (arcs.clone(), direction), states, seed)?;
        Ok(Self { table: self.table.clone_ref(py), arcs, direction, inner })
    }

    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.steps(py)
    }

    /// The digest of the current configuration, as in a record.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.digest(py)
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.inner.counts(py)
    }

    /// The state of each agent.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        self.inner.states(py)
    }

    /// Whether no interaction along an edge can change a state.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.is_silent(py)
    }

    /// Runs to a total number of interactions, like `Population.run_to`.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        let rule = TurnRule::new(Vec::new(), None).within(limit_of(interactions));
        Ok(self.inner.drive(py, rule, STRETCH, seconds)?.is_some())
    }

    /// Runs until the goal, a condition on counts or `silent`, holds for the first time. Silence is tested once every n
    /// interactions for n agents.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        let agents = self.inner.with(py, |inner| inner.start.len() as u64)?;
        let (rule, most) = along_edges(self.table.get(), text, agents, STRETCH)?;
        self.inner.reaches(py, rule.within(limit_of(limit)), most, seconds)
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        self.inner.holds(py, until(&self.table.get().table, text)?)
    }

    /// The initial states, the seed and the number of interactions. Together with edges and weights they determine the
    /// run, so that it can be repeated.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<u16>>, u64, u64)> {
        let (start, seed, interactions) = self
            .inner
            .with(py, |inner| (inner.start.clone(), inner.seed, inner.population.interactions()))?;
        Ok((PyArray1::from_vec(py, start), seed, interactions))
    }

    /// The edges in order as two columns of nodes, their weights, and whether the graph is directed.
    #[allow(clippy::type_complexity)]
    fn edges<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<u64>>, bool)> {
        let ends = PyArray1::from_iter(py, self.arcs.iter().flat_map(|arc| arc.ends));
        let weights = PyArray1::from_iter(py, self.arcs.iter().map(|arc| arc.weight));
        let directed = self.direction == InitiatorEnd::FirstInitiates;
        Ok((ends.reshape([self.arcs.len(), 2])?, weights, directed))
    }
}
