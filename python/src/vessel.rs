//! Molecules of a reaction network in a well-mixed volume, or on the nodes of a graph.

use std::hash::Hasher as _;

use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::reactions::{self, GraphEdges, GraphRules, Halt, ReactionNetwork, Until};
use acrasin_protocols::uniform::{Condition, Direction};
use acrasin_runtime::digest::DigestWriter;
use acrasin_scenario::plan::configuration_digest;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ctrl_c::until_done;
use crate::edges::EdgeArray;
use crate::goal::{Goal, Stated, refused};
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
    engine: Engine,
    /// What the engine began with. A run is a function of it, so with the number of reactions it is the run as data.
    start: Start,
    seed: u64,
}

#[derive(Clone)]
enum Start {
    Mixed(Vec<u64>, f64),
    Graph(Vec<u16>),
}

enum Engine {
    Mixed(reactions::Vessel),
    Graph(reactions::GraphVessel),
}

impl Engine {
    fn time(&self) -> f64 {
        match self {
            Self::Mixed(vessel) => vessel.time(),
            Self::Graph(vessel) => vessel.time(),
        }
    }

    fn reactions(&self) -> u64 {
        match self {
            Self::Mixed(vessel) => vessel.reactions(),
            Self::Graph(vessel) => vessel.reactions(),
        }
    }

    fn counts(&self) -> &[u64] {
        match self {
            Self::Mixed(vessel) => vessel.counts(),
            Self::Graph(vessel) => vessel.counts(),
        }
    }

    /// The state of each node; none in a well-mixed volume.
    fn states(&self) -> &[u16] {
        match self {
            Self::Mixed(_) => &[],
            Self::Graph(vessel) => vessel.states(),
        }
    }

    fn is_silent(&self) -> bool {
        match self {
            Self::Mixed(vessel) => vessel.is_silent(),
            Self::Graph(vessel) => vessel.is_silent(),
        }
    }

    fn run(&mut self, until: &Until<'_>) -> Halt {
        match self {
            Self::Mixed(vessel) => vessel.run(until),
            Self::Graph(vessel) => vessel.run(until),
        }
    }
}

/// At most one species has molecules.
struct OneSpecies;

impl Condition for OneSpecies {
    fn holds(&self, counts: &[u64]) -> bool {
        counts.iter().filter(|&&count| count > 0).count() <= 1
    }
}

fn crowded() -> PyErr {
    PyValueError::new_err(
        "the next reaction makes more than 2^53 molecules of a species (accepted: an end before it)",
    )
}

fn wrong_rate() -> PyErr {
    PyValueError::new_err("a rate is negative, not a number or too large (accepted: 0 to 10^300)")
}

impl Kind {
    fn names(&self) -> &[String] {
        match self {
            Self::Mixed(network) => network.species(),
            Self::Graph { rules, .. } => rules.species(),
        }
    }

    fn begin(&self, start: Start, seed: u64) -> PyResult<Inner> {
        let engine = match (self, &start) {
            (Self::Mixed(network), Start::Mixed(counts, volume)) => {
                reactions::Vessel::new(network, counts, *volume, seed).map(Engine::Mixed)
            }
            (Self::Graph { rules, ends, weights, direction }, Start::Graph(states)) => {
                let edges = GraphEdges { ends, weights: weights.as_deref(), direction: *direction };
                reactions::GraphVessel::new(rules, edges, states, seed).map(Engine::Graph)
            }
            _ => unreachable!("counts in a volume, states on a graph"),
        };
        Ok(Inner { engine: engine.map_err(value_error)?, start, seed })
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
                Ok(Some(Box::new(Stated(bound))))
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
        self.inner.with(py, |inner| inner.engine.reactions())
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.inner.with(py, |inner| inner.engine.time())
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let counts = self.inner.with(py, |inner| inner.engine.counts().to_vec())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// Whether no reaction can happen any more.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.with(py, |inner| inner.engine.is_silent())
    }

    /// Runs until a time, for at most `seconds`; returns whether it is reached.
    #[pyo3(signature = (time, seconds = None))]
    fn run_to(&self, py: Python<'_>, time: f64, seconds: Option<f64>) -> PyResult<bool> {
        let reached = until_done(py, &self.inner, seconds, |Inner { engine, .. }| {
            let reactions = engine.reactions().saturating_add(STRETCH);
            match engine.run(&Until { time, reactions, condition: None }) {
                Halt::Reactions => None,
                Halt::Crowded => Some(Err(crowded())),
                Halt::Fault => Some(Err(wrong_rate())),
                // Nothing happens from here on: time passes.
                Halt::Silent => {
                    engine.run(&Until::time(time));
                    Some(Ok(()))
                }
                _ => Some(Ok(())),
            }
        })?;
        reached.transpose().map(|reached| reached.is_some())
    }

    /// Runs until the goal holds for the first time, at most until a time, for at most `seconds`; returns whether it holds.
    #[pyo3(signature = (text, time, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, time: f64, seconds: Option<f64>) -> PyResult<bool> {
        let goal = self.goal(text)?;
        let holds = until_done(py, &self.inner, seconds, move |Inner { engine, .. }| {
            if engine.is_silent() {
                return Some(Ok(goal.as_ref().is_none_or(|goal| goal.holds(engine.counts()))));
            }
            let reactions = engine.reactions().saturating_add(STRETCH);
            let condition = goal.as_ref().map(|goal| &**goal as &dyn Condition);
            match engine.run(&Until { time, reactions, condition }) {
                Halt::Holds => Some(Ok(true)),
                Halt::Silent => Some(Ok(goal.is_none())),
                Halt::Time => Some(Ok(false)),
                Halt::Crowded => Some(Err(crowded())),
                Halt::Fault => Some(Err(wrong_rate())),
                Halt::Reactions => None,
            }
        })?;
        holds.transpose().map(|holds| holds.unwrap_or(false))
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        let goal = self.goal(text)?;
        self.inner.with(py, move |Inner { engine, .. }| {
            goal.map_or_else(|| engine.is_silent(), |goal| goal.holds(engine.counts()))
        })
    }

    /// The state of each node, on a graph.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let states = self.inner.with(py, |inner| inner.engine.states().to_vec())?;
        Ok(PyArray1::from_vec(py, states))
    }

    /// The digest that a record has of this configuration; in a well-mixed volume the time is part of it.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.with(py, |Inner { engine, .. }| {
            if let Engine::Graph(vessel) = engine {
                let (counts, states) = (vessel.counts(), vessel.states());
                let nodes = states.len() as u64;
                return configuration_digest(counts, nodes, |agent| states[agent as usize]).to_string();
            }
            let mut writer = DigestWriter::new();
            engine.counts().iter().for_each(|&count| writer.write_u64(count));
            writer.write_u64(engine.time().to_bits());
            writer.digest().to_string()
        })
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
            (counts, volume, states, *seed, engine.reactions(), engine.time())
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
            let next = engine.reactions().saturating_add(STRETCH).min(reactions);
            engine.run(&Until { time: f64::INFINITY, reactions: next, condition: None });
            (engine.reactions() >= reactions || engine.is_silent()).then_some(())
        })?;
        self.inner.with(py, |Inner { engine, .. }| {
            engine.run(&Until { time, reactions: u64::MAX, condition: None });
        })
    }
}
