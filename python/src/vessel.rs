//! Molecules of a reaction network in a well-mixed vessel.

use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::reactions::{self, Halt, ReactionNetwork, Until};
use acrasin_protocols::uniform::Condition;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ctrl_c::until_done;
use crate::goal::{Goal, Stated, refused};
use crate::shared::Shared;
use crate::table::value_error;

/// Reactions between two looks for Ctrl-C: some milliseconds.
const STRETCH: u64 = 1 << 14;

/// Molecules that react in continuous time: `acrasin_protocols::reactions::Vessel`.
#[pyclass(frozen, module = "acrasin._acrasin")]
pub(crate) struct Vessel {
    network: ReactionNetwork,
    inner: Shared<Inner>,
}

struct Inner {
    vessel: reactions::Vessel,
    /// What the vessel began with: a run is a function of it, so these and the number of reactions are the run as data.
    counts: Vec<u64>,
    volume: f64,
    seed: u64,
}

/// At most one species has molecules.
struct OneSpecies;

impl Condition for OneSpecies {
    fn holds(&self, counts: &[u64]) -> bool {
        counts.iter().filter(|&&count| count > 0).count() <= 1
    }
}

impl Inner {
    fn new(network: &ReactionNetwork, counts: Vec<u64>, volume: f64, seed: u64) -> PyResult<Self> {
        let vessel = reactions::Vessel::new(network, &counts, volume, seed).map_err(value_error)?;
        Ok(Self { vessel, counts, volume, seed })
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

impl Vessel {
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
                let names = self.network.species();
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
        let inner = Inner::new(&network, counts.as_array().to_vec(), volume, seed)?;
        Ok(Self { network, inner: Shared::new(inner) })
    }

    /// Reactions so far.
    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.with(py, |inner| inner.vessel.reactions())
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.inner.with(py, |inner| inner.vessel.time())
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let counts = self.inner.with(py, |inner| inner.vessel.counts().to_vec())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// Whether no reaction can happen any more.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.with(py, |inner| inner.vessel.is_silent())
    }

    /// Runs until a time, for at most `seconds`; returns whether it is reached.
    #[pyo3(signature = (time, seconds = None))]
    fn run_to(&self, py: Python<'_>, time: f64, seconds: Option<f64>) -> PyResult<bool> {
        let reached = until_done(py, &self.inner, seconds, |Inner { vessel, .. }| {
            let reactions = vessel.reactions().saturating_add(STRETCH);
            match vessel.run(&Until { time, reactions, condition: None }) {
                Halt::Reactions => None,
                Halt::Crowded => Some(Err(crowded())),
                Halt::Fault => Some(Err(wrong_rate())),
                // Nothing happens from here on: time passes.
                Halt::Silent => {
                    vessel.run(&Until::time(time));
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
        let holds = until_done(py, &self.inner, seconds, move |Inner { vessel, .. }| {
            if vessel.is_silent() {
                return Some(Ok(goal.as_ref().is_none_or(|goal| goal.holds(vessel.counts()))));
            }
            let reactions = vessel.reactions().saturating_add(STRETCH);
            let condition = goal.as_ref().map(|goal| &**goal as &dyn Condition);
            match vessel.run(&Until { time, reactions, condition }) {
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
        self.inner.with(py, move |Inner { vessel, .. }| {
            goal.map_or_else(|| vessel.is_silent(), |goal| goal.holds(vessel.counts()))
        })
    }

    /// Counts at the start, volume, seed, reactions and time: what `resumed` continues from.
    fn save(&self, py: Python<'_>) -> PyResult<(Vec<u64>, f64, u64, u64, f64)> {
        self.inner.with(py, |inner| {
            let Inner { vessel, counts, volume, seed } = inner;
            (counts.clone(), *volume, *seed, vessel.reactions(), vessel.time())
        })
    }

    /// A vessel that was saved. It takes as long as the run did, which is made again.
    #[staticmethod]
    fn resumed(
        py: Python<'_>,
        species: Vec<String>,
        rules: Vec<(String, f64)>,
        saved: (Vec<u64>, f64, u64, u64, f64),
    ) -> PyResult<Self> {
        let (counts, volume, seed, reactions, time) = saved;
        let network = ReactionNetwork::new(&species, &rules).map_err(value_error)?;
        let inner = Shared::new(Inner::new(&network, counts, volume, seed)?);
        until_done(py, &inner, None, |Inner { vessel, .. }| {
            let next = vessel.reactions().saturating_add(STRETCH).min(reactions);
            vessel.run(&Until { time: f64::INFINITY, reactions: next, condition: None });
            (vessel.reactions() >= reactions || vessel.is_silent()).then_some(())
        })?;
        inner.with(py, |Inner { vessel, .. }| {
            // The last reaction was not after this time, and none has happened since.
            vessel.run(&Until { time, reactions: u64::MAX, condition: None });
        })?;
        Ok(Self { network, inner })
    }
}
