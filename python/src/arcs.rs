//! Populations on edges with weights or directions, with changes of single agents.

use acrasin_protocols::uniform::{Arc, Direction, EncounterPopulation, Ended, Reach};
use acrasin_scenario::plan::configuration_digest;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ctrl_c::until_done;
use crate::edges::EdgeArray;
use crate::goal::{Goal, goal};
use crate::graph::checked;
use crate::shared::Shared;
use crate::table::{Table, value_error};

/// Interactions between two looks for Ctrl-C: some milliseconds.
const STRETCH: u64 = 1 << 16;

/// Agents on the nodes of a graph, one interaction after another, each along an edge that is drawn by its weight:
/// `acrasin_protocols::uniform::EncounterPopulation`.
///
/// For changes of single agents there may be one more agent, the environment, in the last state of `full`: an agent that meets it
/// changes by itself. It is not counted, and not seen outside.
#[pyclass(frozen, module = "acrasin._acrasin")]
pub(crate) struct ArcPopulation {
    /// The states without that of the environment: what goals are about.
    table: Py<Table>,
    /// The table that is run.
    full: Py<Table>,
    arcs: Vec<Arc>,
    direction: Direction,
    nodes: usize,
    inner: Shared<Inner>,
}

struct Inner {
    population: EncounterPopulation,
    /// What it began with.
    states: Vec<u16>,
    seed: u64,
}

impl ArcPopulation {
    /// The population at its start, with the environment if there is one.
    fn begin(&self, states: Vec<u16>, seed: u64) -> PyResult<Inner> {
        let (full, arcs) = (&self.full.get().table, (self.arcs.clone(), self.direction));
        let mut all = states.clone();
        if full.state_count() > self.table.get().table.state_count() {
            all.push(full.state_count() - 1);
        }
        let population =
            EncounterPopulation::on_edges(full, &all, arcs, Vec::new(), seed).map_err(value_error)?;
        Ok(Inner { population, states, seed })
    }

    /// How many states are counted.
    fn shown(&self) -> usize {
        self.table.get().table.state_count().into()
    }
}

#[pymethods]
impl ArcPopulation {
    /// Edges with their weights, in order; with directions the first end is the initiator. `single` is the weight with which each
    /// agent meets the environment, 0 if there is none.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        table: Py<Table>,
        full: Py<Table>,
        states: PyReadonlyArray1<'_, u16>,
        edges: EdgeArray<'_>,
        weights: PyReadonlyArray1<'_, u64>,
        directed: bool,
        single: u64,
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
        let mut arcs: Vec<Arc> = weighed.map(|(ends, &weight)| Arc { ends, weight }).collect();
        let environment = states.len() as u32;
        if arcs.iter().any(|arc| arc.ends.iter().any(|&end| end >= environment)) {
            return Err(PyValueError::new_err(
                "an edge to a node that there is not (accepted: nodes with states)",
            ));
        }
        if single > 0 {
            arcs.extend((0..environment).map(|node| Arc { ends: [node, environment], weight: single }));
        }
        let direction = if directed { Direction::FirstInitiates } else { Direction::Either };
        let nodes = states.len();
        let nothing = EncounterPopulation::complete(&full.get().table, &[0, 0], Vec::new(), 0);
        let inner = Inner { population: nothing.map_err(value_error)?, states: Vec::new(), seed };
        let mut made = Self { table, full, arcs, direction, nodes, inner: Shared::new(inner) };
        made.inner = Shared::new(made.begin(states, seed)?);
        Ok(made)
    }

    /// On the same graph, in these states and with this seed.
    fn anew(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let states = checked(self.table.get(), &states)?;
        if states.len() != self.nodes {
            let (given, nodes) = (states.len(), self.nodes);
            return Err(PyValueError::new_err(format!(
                "{given} states of {nodes} nodes (accepted: one each)"
            )));
        }
        Ok(Self {
            inner: Shared::new(self.begin(states, seed)?),
            table: self.table.clone_ref(py),
            full: self.full.clone_ref(py),
            arcs: self.arcs.clone(),
            direction: self.direction,
            nodes: self.nodes,
        })
    }

    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.with(py, |inner| inner.population.interactions())
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let shown = self.shown();
        let counts = self.inner.with(py, |inner| inner.population.counts()[..shown].to_vec())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// The state of each agent.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let states = self.inner.with(py, |inner| inner.population.states()[..self.nodes].to_vec())?;
        Ok(PyArray1::from_vec(py, states))
    }

    /// The digest that a record has of this configuration.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        let (shown, nodes) = (self.shown(), self.nodes as u64);
        self.inner.with(py, |inner| {
            let (counts, states) = (&inner.population.counts()[..shown], inner.population.states());
            configuration_digest(counts, nodes, |agent| states[agent as usize]).to_string()
        })
    }

    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.with(py, |inner| inner.population.is_silent())
    }

    /// As that of `Population`.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        let reached = until_done(py, &self.inner, seconds, |Inner { population, .. }| {
            let next = population.interactions().saturating_add(STRETCH).min(interactions);
            population.run(None, Reach { interactions: next, rounds: u64::MAX });
            (population.interactions() >= interactions).then_some(())
        })?;
        Ok(reached.is_some())
    }

    /// Runs until the goal, on counts, holds for the first time; `silent` is asked once in as many interactions as there
    /// are agents.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        let shown = self.shown();
        let agents = self.nodes as u64;
        let goal: Option<Shown> = match text {
            "silent" => None,
            text => Some(Shown { goal: goal(&self.table.get().table, text)?, shown }),
        };
        let holds = until_done(py, &self.inner, seconds, move |Inner { population, .. }| {
            if goal.is_none() && population.is_silent() {
                return Some(true);
            }
            let stretch = if goal.is_none() { agents } else { STRETCH };
            let interactions = population.interactions().saturating_add(stretch).min(limit);
            let condition = goal.as_ref().map(|goal| goal as &dyn acrasin_protocols::uniform::Condition);
            let ended = population.run(condition, Reach { interactions, rounds: u64::MAX });
            if ended == Ended::Holds {
                return Some(true);
            }
            (population.interactions() >= limit).then(|| goal.is_none() && population.is_silent())
        })?;
        Ok(holds.unwrap_or(false))
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        let (goal, shown) = (goal(&self.table.get().table, text)?, self.shown());
        self.inner.with(py, move |inner| goal.holds(&inner.population.counts()[..shown]))
    }

    /// The edges in order, two columns; without those to the environment.
    fn edge_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let ends: Vec<u32> = self.inside().flat_map(|arc| arc.ends).collect();
        let rows = ends.len() / 2;
        PyArray1::from_vec(py, ends).reshape([rows, 2])
    }

    /// The weight of each edge.
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_iter(py, self.inside().map(|arc| arc.weight))
    }

    /// States at the start, whether edges have directions, the weight of single changes, the seed, and interactions so far: with the
    /// edges and weights that is the run, which can be made again.
    #[allow(clippy::type_complexity)]
    fn save<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<u16>>, bool, u64, u64, u64)> {
        let (states, seed, interactions) = self
            .inner
            .with(py, |inner| (inner.states.clone(), inner.seed, inner.population.interactions()))?;
        let single = self.arcs.last().filter(|arc| !self.is_inside(arc)).map_or(0, |arc| arc.weight);
        let states = PyArray1::from_vec(py, states);
        Ok((states, self.direction == Direction::FirstInitiates, single, seed, interactions))
    }
}

impl ArcPopulation {
    fn is_inside(&self, arc: &Arc) -> bool {
        (arc.ends[1] as usize) < self.nodes
    }

    fn inside(&self) -> impl Iterator<Item = &Arc> {
        self.arcs.iter().filter(|arc| self.is_inside(arc))
    }
}

/// A goal that is asked without the environment.
struct Shown {
    goal: Goal,
    shown: usize,
}

impl acrasin_protocols::uniform::Condition for Shown {
    fn holds(&self, counts: &[u64]) -> bool {
        self.goal.holds(&counts[..self.shown])
    }
}
