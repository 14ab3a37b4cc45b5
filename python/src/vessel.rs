//! Molecules of a reaction network in a well-mixed volume, or on the nodes of a graph.

use acrasin_process::{Condition, Ending, Goal, Measure, Process, StopBound, StopGoal};
use acrasin_protocols::reactions::{self, GraphEdges, GraphRules, ReactionNetwork};
use acrasin_protocols::uniform::InitiatorEnd;
use acrasin_scenario::plan::TurnRule;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::edges::EdgeArray;
use crate::engine::HasProcess;
use crate::goal::goal;
use crate::shared::Shared;
use crate::table::value_error;

/// Molecules that react in continuous time, in a well-mixed volume or on the nodes of a graph:
/// `acrasin_protocols::reactions`.
#[pyclass(frozen, module = "acrasin._acrasin", name = "Vessel")]
pub(crate) struct PyVessel {
    kind: PyVesselKind,
    inner: Shared<Inner>,
}

/// The reacting system: a well-mixed volume, or a graph.
enum PyVesselKind {
    Mixed(ReactionNetwork),
    Graph { rules: GraphRules, ends: Vec<[u32; 2]>, weights: Option<Vec<f64>>, direction: InitiatorEnd },
}

struct Inner {
    engine: Box<dyn Process + Send>,
    /// The initial state. Together with the seed and the number of reactions it determines the run, so these are the
    /// saved form.
    start: PyVesselStart,
    seed: u64,
}

impl HasProcess for Inner {
    fn process(&mut self) -> &mut dyn Process {
        &mut *self.engine
    }
}

#[derive(Clone)]
enum PyVesselStart {
    Mixed(Vec<u64>, f64),
    Graph(Vec<u16>),
}

/// The condition that at most one species has molecules, which is the goal `agreed`.
struct OneSpecies;

impl Condition for OneSpecies {
    fn holds(&self, counts: &[u64]) -> bool {
        counts.iter().filter(|&&count| count > 0).count() <= 1
    }
}

/// Raises an exception for the ending of a vessel that cannot continue, and returns other endings.
fn unless_stopped(ending: Option<Ending>) -> PyResult<Option<Ending>> {
    let why = match ending {
        Some(Ending::Crowded) => {
            "the next reaction would make more than 2^53 molecules of a species (accepted: a run that ends before it)"
        }
        Some(Ending::Invalid(_)) => "a rate is negative, not a number or too large (accepted: 0 to 10^300)",
        ending => return Ok(ending),
    };
    Err(PyValueError::new_err(why))
}

fn time_of(engine: &dyn Process) -> f64 {
    engine.progress().time.unwrap_or_default()
}

/// The stop rule that ends a run when no further reaction is possible.
fn until_silent() -> TurnRule {
    TurnRule::new(vec![StopGoal::Silent], None)
}

impl PyVesselKind {
    fn names(&self) -> &[String] {
        match self {
            Self::Mixed(network) => network.species(),
            Self::Graph { rules, .. } => rules.species(),
        }
    }

    fn begin(&self, start: PyVesselStart, seed: u64) -> PyResult<Inner> {
        let engine: Box<dyn Process + Send> = match (self, &start) {
            (Self::Mixed(network), PyVesselStart::Mixed(counts, volume)) => {
                Box::new(reactions::Gillespie::new(network, counts, *volume, seed).map_err(value_error)?)
            }
            (Self::Graph { rules, ends, weights, direction }, PyVesselStart::Graph(states)) => {
                let edges = GraphEdges { ends, weights: weights.as_deref(), direction: *direction };
                Box::new(reactions::GraphVessel::new(rules, edges, states, seed).map_err(value_error)?)
            }
            _ => unreachable!("counts in a volume, states on a graph"),
        };
        Ok(Inner { engine, start, seed })
    }
}

impl PyVessel {
    fn of(kind: PyVesselKind, start: PyVesselStart, seed: u64) -> PyResult<Self> {
        let inner = Shared::new(kind.begin(start, seed)?);
        Ok(Self { kind, inner })
    }

    /// The stop rule for a goal: `silent`, `agreed`, or a predicate on counts.
    fn goal(&self, text: &str) -> PyResult<TurnRule> {
        match text {
            "agreed" => Ok(TurnRule::new(Vec::new(), None).or_where(StopGoal::Agreed, Box::new(OneSpecies))),
            "stable" => Err(PyValueError::new_err(
                "'stable' for reactions of this kind (accepted: 'silent', 'agreed', a predicate on counts, a time, or a \
                 function of the counts)",
            )),
            text => {
                let names = self.kind.names();
                Ok(TurnRule::new(vec![goal(text, names, names)?], None))
            }
        }
    }
}

#[pymethods]
impl PyVessel {
    /// Creates a vessel. Reactions are written as `A + B -> C`, each with its rate.
    #[new]
    fn new(
        species: Vec<String>,
        rules: Vec<(String, f64)>,
        counts: PyReadonlyArray1<'_, u64>,
        volume: f64,
        seed: u64,
    ) -> PyResult<Self> {
        let network = ReactionNetwork::new(&species, &rules).map_err(value_error)?;
        Self::of(PyVesselKind::Mixed(network), PyVesselStart::Mixed(counts.as_array().to_vec(), volume), seed)
    }

    /// Creates a vessel on a graph, with reactions `A -> B` of single nodes and `A + B -> C + D` of neighbours. A rate
    /// for neighbours applies to an edge of weight 1.
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
        let direction = if directed { InitiatorEnd::FirstInitiates } else { InitiatorEnd::Either };
        let kind = PyVesselKind::Graph { rules, ends, weights, direction };
        Self::of(kind, PyVesselStart::Graph(states.as_array().to_vec()), seed)
    }

    /// Creates a vessel on the same graph, in these states and with this seed.
    fn restarted(&self, states: PyReadonlyArray1<'_, u16>, seed: u64) -> PyResult<Self> {
        let PyVesselKind::Graph { rules, ends, weights, direction } = &self.kind else {
            return Err(PyValueError::new_err(
                "states of nodes without a graph (accepted: a vessel on a graph)",
            ));
        };
        let (rules, ends, weights) = (rules.clone(), ends.clone(), weights.clone());
        let kind = PyVesselKind::Graph { rules, ends, weights, direction: *direction };
        Self::of(kind, PyVesselStart::Graph(states.as_array().to_vec()), seed)
    }

    /// The number of reactions so far.
    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.steps(py)
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.inner.with(py, |inner| time_of(&*inner.engine))
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.inner.counts(py)
    }

    /// Whether no further reaction is possible.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.is_silent(py)
    }

    /// Runs until the simulated time is `time`, but for at most `seconds` of real time. Returns whether `time` is
    /// reached.
    #[pyo3(signature = (time, seconds = None))]
    fn run_to(&self, py: Python<'_>, time: f64, seconds: Option<f64>) -> PyResult<bool> {
        // In a silent vessel an infinite time is never reached.
        let rule = if time.is_infinite() { until_silent() } else { TurnRule::new(Vec::new(), None) };
        let ending = self.inner.drive(py, rule.within(StopBound::Time(time)), u64::MAX, seconds)?;
        Ok(unless_stopped(ending)?.is_some())
    }

    /// Runs until the goal first holds, but at most until the simulated time `time` and for at most `seconds` of real
    /// time. Returns whether the goal holds. In a silent vessel the simulated time does not advance.
    #[pyo3(signature = (text, time, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, time: f64, seconds: Option<f64>) -> PyResult<bool> {
        let rule = self.goal(text)?.or(StopGoal::Silent).within(StopBound::Time(time));
        Ok(match unless_stopped(self.inner.drive(py, rule, u64::MAX, seconds)?)? {
            Some(Ending::Reached(Goal::NoReaction)) => text == "silent",
            Some(Ending::Reached(_)) => true,
            _ => false,
        })
    }

    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        self.inner.holds(py, self.goal(text)?)
    }

    /// The state of each node, for a vessel on a graph.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        self.inner.states(py)
    }

    /// The digest of the current configuration and time, as in a record.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.digest(py)
    }

    /// The saved form of the run: the initial counts and volume, or the initial states of nodes; then seed, number of
    /// reactions, and time. To repeat the run, start a vessel with the same network in this state and call
    /// [`advance_to`](Self::advance_to).
    #[allow(clippy::type_complexity)]
    fn save(&self, py: Python<'_>) -> PyResult<(Vec<u64>, f64, Vec<u16>, u64, u64, f64)> {
        self.inner.with(py, |Inner { engine, start, seed }| {
            let (counts, volume, states) = match start.clone() {
                PyVesselStart::Mixed(counts, volume) => (counts, volume, Vec::new()),
                PyVesselStart::Graph(states) => (Vec::new(), 1.0, states),
            };
            (counts, volume, states, *seed, engine.progress().steps, time_of(&**engine))
        })
    }

    /// The edges of the graph as two columns of nodes, their weights unless all are 1, and whether the graph is
    /// directed.
    #[allow(clippy::type_complexity)]
    fn edges<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<u32>>, Option<Bound<'py, PyArray1<f64>>>, bool)> {
        let PyVesselKind::Graph { ends, weights, direction, .. } = &self.kind else {
            return Err(PyValueError::new_err("edges without a graph (accepted: a vessel on a graph)"));
        };
        let flat = PyArray1::from_iter(py, ends.iter().flatten().copied());
        let weights = weights.as_ref().map(|weights| PyArray1::from_slice(py, weights));
        Ok((flat.reshape([ends.len(), 2])?, weights, *direction == InitiatorEnd::FirstInitiates))
    }

    /// Advances to a number of reactions, and then to a time that must be before the next reaction.
    fn advance_to(&self, py: Python<'_>, reactions: u64, time: f64) -> PyResult<()> {
        let reactions = StopBound::Count(Measure::Reactions, reactions);
        self.inner.drive(py, until_silent().within(reactions), u64::MAX, None)?;
        let rule = TurnRule::new(Vec::new(), None).within(StopBound::Time(time));
        self.inner.drive(py, rule, u64::MAX, None)?;
        Ok(())
    }
}
