//! Populations on the complete graph.

use acrasin_process::Process;
use acrasin_protocols::uniform::{self, MAX_AGENTS, Mode};
use acrasin_scenario::plan::TurnRule;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::engine::HasProcess;
use crate::goal::{limit_of, until};
use crate::shared::Shared;
use crate::table::{PyTable, value_error};

/// Agents that interact in uniformly random ordered pairs. Wraps `acrasin_protocols::uniform::Population`.
#[pyclass(frozen, module = "acrasin._acrasin", name = "Population")]
pub(crate) struct PyPopulation {
    table: Py<PyTable>,
    inner: Shared<MixedRun>,
}

struct MixedRun {
    population: uniform::Population,
    mode: Option<Mode>,
}

fn mode_of(name: &str) -> PyResult<Mode> {
    Ok(match name {
        "array" => Mode::Array,
        "epochs" => Mode::Epochs,
        "shuffled_epochs" => Mode::ShuffledEpochs,
        "active" => Mode::Active,
        "urn" => Mode::Urn,
        name => {
            let accepted = "array, epochs, shuffled_epochs, active, urn";
            return Err(PyValueError::new_err(format!("mode {name:?} (accepted: {accepted})")));
        }
    })
}

fn name_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Array => "array",
        Mode::Epochs => "epochs",
        Mode::ShuffledEpochs => "shuffled_epochs",
        Mode::Active => "active",
        Mode::Urn => "urn",
    }
}

/// Reads counts from an array. It is an error if their sum does not fit in 64 bits.
pub(crate) fn counted(counts: &PyReadonlyArray1<'_, u64>) -> PyResult<Vec<u64>> {
    let counts: Vec<u64> = counts.as_array().iter().copied().collect();
    let agents: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if !(2..=u128::from(MAX_AGENTS)).contains(&agents) {
        return Err(PyValueError::new_err(format!("{agents} agents (accepted: 2 to {MAX_AGENTS})")));
    }
    Ok(counts)
}

impl HasProcess for MixedRun {
    fn process(&mut self) -> &mut dyn Process {
        &mut self.population
    }
}

impl MixedRun {
    fn force(&mut self, mode: Mode) -> PyResult<()> {
        if !self.population.allows(mode) {
            let agents = self.population.agents();
            return Err(PyValueError::new_err(format!(
                "mode {} for {agents} agents (accepted: another mode, or fewer agents)",
                name_of(mode)
            )));
        }
        self.population.force(mode);
        self.mode = Some(mode);
        Ok(())
    }
}

#[pymethods]
impl PyPopulation {
    #[new]
    #[pyo3(signature = (table, counts, seed, mode = None))]
    fn new(
        table: Py<PyTable>,
        counts: PyReadonlyArray1<'_, u64>,
        seed: u64,
        mode: Option<&str>,
    ) -> PyResult<Self> {
        let rules = table.get();
        let population =
            uniform::Population::new(&rules.table, &counted(&counts)?, seed).map_err(value_error)?;
        let mut inner = MixedRun { population, mode: None };
        if let Some(mode) = mode {
            inner.force(mode_of(mode)?)?;
        }
        Ok(Self { table, inner: Shared::new(inner) })
    }

    /// Restarts the population from these counts with this seed.
    fn restart(&self, py: Python<'_>, counts: PyReadonlyArray1<'_, u64>, seed: u64) -> PyResult<()> {
        let counts = counted(&counts)?;
        self.inner.with(py, |inner| {
            inner.population.restart(&counts, seed).map_err(value_error)?;
            inner.mode.map_or(Ok(()), |mode| inner.force(mode))
        })?
    }

    #[getter]
    fn agents(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.with(py, |inner| inner.population.agents())
    }

    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.steps(py)
    }

    #[getter]
    fn mode(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.inner.with(py, |inner| name_of(inner.population.mode()))
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.inner.counts(py)
    }

    /// The digest of the current configuration, as in a record.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.digest(py)
    }

    /// Whether no interaction can change a state.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.holds(py, "silent")
    }

    /// Runs until the total number of interactions is `interactions`, for at most `seconds`. Returns whether this
    /// number was reached; Ctrl-C raises an exception.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        let rule = TurnRule::new(Vec::new(), None).within(limit_of(interactions));
        Ok(self.inner.drive(py, rule, u64::MAX, seconds)?.is_some())
    }

    /// Runs until the goal holds for the first time, at most up to `limit` interactions in total and for at most
    /// `seconds`. Returns whether the goal holds.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        let rule = until(&self.table.get().table, text)?.within(limit_of(limit));
        self.inner.reaches(py, rule, u64::MAX, seconds)
    }

    /// Whether a goal holds in the current configuration.
    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        self.inner.holds(py, until(&self.table.get().table, text)?)
    }

    /// The saved form of the run as bytes. A run that is restored from it, with the same table, continues as if it had
    /// not been interrupted.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.with(py, |inner| inner.population.save())?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn restore(table: Py<PyTable>, bytes: &[u8]) -> PyResult<Self> {
        let population = uniform::Population::restore(&table.get().table, bytes).map_err(value_error)?;
        let inner = Shared::new(MixedRun { population, mode: None });
        Ok(Self { table, inner })
    }
}
