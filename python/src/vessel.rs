//! Molecules of a reaction network in a well-mixed volume, or on the nodes of a graph.

use acrasin_process::{Advance, Condition, Ending, Measure, Process, RunBound};
use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::reactions::{self, GraphEdges, GraphRules, ReactionNetwork};
use acrasin_protocols::uniform::Direction;
use acrasin_scenario::plan::configuration_digest;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ctrl_c::until_done;
use crate::edges::EdgeArray;
use crate::goal::{Goal, refused};
use crate::shared::Shared;
use crate::table::value_error;

/// Reactions between two looks for Ctrl-C: some milliseconds.
const STRETCH: u64 = 1 << 14;

/// Molecules that react in continuous time, in a well-mixed volume or on the nodes of a graph:
/// `acrasin_protocols::reactions`.
#[pyclass(frozen, module = "acrasin._acrasin")]
pub(crate) struct Vessel {
    kind: Kind,
    inner: Shared<Inner>,
}

/// What reacts, and where.
enum Kind {
    Mixed(ReactionNetwork),
    Graph { rules: GraphRules, ends: Vec<[u32; 2]>, weights: Option<Vec<f64>>, direction: Direction },
}

struct Inner {
    engine: Box<dyn Process + Send>,
    /// What the engine began with. A run is a function of it, so with the number of reactions it is the run as data.
    start: Start,
    seed: u64,
}

#[derive(Clone)]
enum Start {
    Mixed(Vec<u64>, f64),
    Graph(Vec<u16>),
}

/// At most one species has molecules.
struct OneSpecies;

impl Condition for OneSpecies {
    fn holds(&self, counts: &[u64]) -> bool {
        counts.iter().filter(|&&count| count > 0).count() <= 1
    }
}

/// The error of a vessel that cannot continue.
fn stopped(engine: &dyn Process) -> PyErr {
    PyValueError::new_err(match engine.obstacle() {
        Ending::Crowded => {
            "the next reaction makes more than 2^53 molecules of a species (accepted: an end before it)"
        }
        _ => "a rate is negative, not a number or too large (accepted: 0 to 10^300)",
    })
}

fn time_of(engine: &dyn Process) -> f64 {
    engine.progress().time.unwrap_or_default()
}

fn is_silent(engine: &dyn Process) -> bool {
    engine.is_silent() == Some(true)
}

/// At most this time, and as many reactions as take some milliseconds.
fn until(engine: &dyn Process, time: f64) -> RunBound {
    let reactions = engine.progress().steps.saturating_add(STRETCH);
    RunBound { time, ..RunBound::NONE }.at_most(Measure::Reactions, reactions)
}

impl Kind {
    fn names(&self) -> &[String] {
        match self {
            Self::Mixed(network) => network.species(),
            Self::Graph { rules, .. } => rules.species(),
        }
    }

    fn begin(&self, start: Start, seed: u64) -> PyResult<Inner> {
        let engine: Box<dyn Process + Send> = match (self, &start) {
            (Self::Mixed(network), Start::Mixed(counts, volume)) => {
                Box::new(reactions::Vessel::new(network, counts, *volume, seed).map_err(value_error)?)
            }
            (Self::Graph { rules, ends, weights, direction }, Start::Graph(states)) => {
                let edges = GraphEdges { ends, weights: weights.as_deref(), direction: *direction };
                Box::new(reactions::GraphVessel::new(rules, edges, states, seed).map_err(value_error)?)
            }
            _ => unreachable!("counts in a volume, states on a graph"),
        };
        Ok(Inner { engine, start, seed })
    }
}

impl Vessel {
    fn of(kind: Kind, start: Start, seed: u64) -> PyResult<Self> {
        let inner = Shared::new(kind.begin(start, seed)?);
        Ok(Self { kind, inner })
    }

    /// What a run can stop at; `None` for silence, which is no condition on counts alone.
    fn goal(&self, text: &str) -> PyResult<Option<Goal>> {
        match text {
            "silent" => Ok(None),
            "agreed" => Ok(Some(Box::new(OneSpecies))),
            "stable" => Err(PyValueError::new_err(
                "'stable' of reactions of this kind (accepted: 'silent', 'agreed', a predicate on counts, a time, or a \
                 function of the counts)",
            )),
            text => {
                let names = self.kind.names();
                let bound = Predicate::parse(text)
                    .and_then(|predicate| predicate.bind(names, names))
                    .map_err(|error| refused(text, &error))?;
                Ok(Some(Box::new(bound)))
            }
        }
    }
}

#[pymethods]
impl Vessel {
    /// Reactions are written as `A + B -> C`, each with its rate.
    #[new]
    fn new(
        species: Vec<String>,
        rules: Vec<(String, f64)>,
        counts: PyReadonlyArray1<'_, u64>,
        volume: f64,
        seed: u64,
    ) -> PyResult<Self> {
        let network = ReactionNetwork::new(&species, &rules).map_err(value_error)?;
        Self::of(Kind::Mixed(network), Start::Mixed(counts.as_array().to_vec(), volume), seed)
    }

    /// Reactions of single nodes, `A -> B`, and of neighbours, `A + B -> C + D`, whose rate is that of an edge of weight 1.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn on_graph(
        species: Vec<String>,
        rules: Vec<(String, f64)>,
        states: PyReadonlyArray1<'_, u16>,
        edges: EdgeArray<'_>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        directed: bool,
        seed: u64,
    ) -> PyResult<Self> {
        let rules = GraphRules::new(&species, &rules).map_err(value_error)?;
        let ends: Vec<[u32; 2]> = edges.read(|pairs| pairs.collect())?;
        let weights = weights.map(|weights| weights.as_array().to_vec());
        let direction = if directed { Direction::FirstInitiates } else { Direction::Either };
        let kind = Kind::Graph { rules, ends, weights, direction };
        Self::of(kind, Start::Graph(states.as_array().to_vec()), seed)
    }

    /// On the same graph, in these states and with this seed.
    fn anew(&self, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let Kind::Graph { rules, ends, weights, direction } = &self.kind else {
            return Err(PyValueError::new_err(
                "states of nodes without a graph (accepted: a vessel on a graph)",
            ));
        };
        let (rules, ends, weights) = (rules.clone(), ends.clone(), weights.clone());
        let kind = Kind::Graph { rules, ends, weights, direction: *direction };
        Self::of(kind, Start::Graph(states.as_array().to_vec()), seed)
    }

    /// Reactions so far.
    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.with(py, |inner| inner.engine.progress().steps)
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.inner.with(py, |inner| time_of(&*inner.engine))
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let counts = self.inner.with(py, |inner| inner.engine.counts().to_vec())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// Whether no reaction can happen any more.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.with(py, |inner| is_silent(&*inner.engine))
    }

    /// Runs until a time, for at most `seconds`; returns whether it is reached.
    #[pyo3(signature = (time, seconds = None))]
    fn run_to(&self, py: Python<'_>, time: f64, seconds: Option<f64>) -> PyResult<bool> {
        let reached = until_done(py, &self.inner, seconds, |Inner { engine, .. }| {
            if engine.advance(&until(&**engine, time), None) == Advance::Violated {
                return Some(Err(stopped(&**engine)));
            }
            // The time of a silent vessel does not pass up to an infinite one.
            let is_reached = time_of(&**engine) >= time || (time.is_infinite() && is_silent(&**engine));
            is_reached.then_some(Ok(()))
        })?;
        reached.transpose().map(|reached| reached.is_some())
    }

    /// Runs until the goal holds for the first time, at most until a time, for at most `seconds`; returns whether it holds.
    #[pyo3(signature = (text, time, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, time: f64, seconds: Option<f64>) -> PyResult<bool> {
        let goal = self.goal(text)?;
        let holds = until_done(py, &self.inner, seconds, move |Inner { engine, .. }| {
            if is_silent(&**engine) {
                return Some(Ok(goal.as_ref().is_none_or(|goal| goal.holds(&engine.counts()))));
            }
            let condition = goal.as_ref().map(|goal| &**goal as &dyn Condition);
            match engine.advance(&until(&**engine, time), condition) {
                Advance::Held => Some(Ok(true)),
                Advance::Violated => Some(Err(stopped(&**engine))),
                Advance::Advanced | Advance::Quiescent => match is_silent(&**engine) {
                    true => Some(Ok(goal.is_none())),
                    false => (time_of(&**engine) >= time).then_some(Ok(false)),
                },
            }
        })?;
        holds.transpose().map(|holds| holds.unwrap_or(false))
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        let goal = self.goal(text)?;
        self.inner.with(py, move |Inner { engine, .. }| {
            goal.map_or_else(|| is_silent(&**engine), |goal| goal.holds(&engine.counts()))
        })
    }

    /// The state of each node, on a graph.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let states = self.inner.with(py, |Inner { engine, .. }| {
            (0..engine.numbered()).map(|node| engine.state(node)).collect::<Vec<u16>>()
        })?;
        Ok(PyArray1::from_vec(py, states))
    }

    /// The digest that a record has of this configuration; the time is part of it.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.with(py, |Inner { engine, .. }| configuration_digest(&**engine).to_string())
    }

    /// Counts and volume at the start, or states of nodes; then seed, reactions and time: with what reacts and where that is the run,
    /// which [`advance_to`](Self::advance_to) makes again.
    #[allow(clippy::type_complexity)]
    fn save(&self, py: Python<'_>) -> PyResult<(Vec<u64>, f64, Vec<u16>, u64, u64, f64)> {
        self.inner.with(py, |Inner { engine, start, seed }| {
            let (counts, volume, states) = match start.clone() {
                Start::Mixed(counts, volume) => (counts, volume, Vec::new()),
                Start::Graph(states) => (Vec::new(), 1.0, states),
            };
            (counts, volume, states, *seed, engine.progress().steps, time_of(&**engine))
        })
    }

    /// The edges of a graph, two columns; their weights, unless all are 1; and whether they have directions.
    #[allow(clippy::type_complexity)]
    fn edges<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<u32>>, Option<Bound<'py, PyArray1<f64>>>, bool)> {
        let Kind::Graph { ends, weights, direction, .. } = &self.kind else {
            return Err(PyValueError::new_err("edges without a graph (accepted: a vessel on a graph)"));
        };
        let flat = PyArray1::from_iter(py, ends.iter().flatten().copied());
        let weights = weights.as_ref().map(|weights| PyArray1::from_slice(py, weights));
        Ok((flat.reshape([ends.len(), 2])?, weights, *direction == Direction::FirstInitiates))
    }

    /// Runs to a number of reactions, and on to a time at which no further one has happened.
    fn advance_to(&self, py: Python<'_>, reactions: u64, time: f64) -> PyResult<()> {
        until_done(py, &self.inner, None, |Inner { engine, .. }| {
            let bound = until(&**engine, f64::INFINITY).at_most(Measure::Reactions, reactions);
            let advance = engine.advance(&bound, None);
            let is_over = advance == Advance::Violated || is_silent(&**engine);
            (is_over || engine.progress().steps >= reactions).then_some(())
        })?;
        until_done(py, &self.inner, None, |Inner { engine, .. }| {
            let advance = engine.advance(&until(&**engine, time), None);
            (advance == Advance::Violated || time_of(&**engine) >= time).then_some(())
        })?;
        Ok(())
    }
}
