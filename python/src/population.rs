//! Populations on the complete graph.

use acrasin_protocols::uniform::{self, Condition as _, MAX_AGENTS, Mode, Silent};
use acrasin_scenario::plan::configuration_digest;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::ctrl_c::until_done;
use crate::goal::goal;
use crate::shared::Shared;
use crate::table::{Table, value_error};

/// Agents that interact in uniformly random ordered pairs: `acrasin_protocols::uniform::Population`.
#[pyclass(frozen, module = "acrasin._acrasin")]
pub(crate) struct Population {
    table: Py<Table>,
    inner: Shared<MixedRun>,
}

struct MixedRun {
    silent: Silent,
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

/// The counts of an array; too many agents are an error, not a sum that is cut.
pub(crate) fn counted(counts: &PyReadonlyArray1<'_, u64>) -> PyResult<Vec<u64>> {
    let counts: Vec<u64> = counts.as_array().iter().copied().collect();
    let agents: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if !(2..=u128::from(MAX_AGENTS)).contains(&agents) {
        return Err(PyValueError::new_err(format!("{agents} agents (accepted: 2 to {MAX_AGENTS})")));
    }
    Ok(counts)
}

impl MixedRun {
    fn of(table: &Table, population: uniform::Population) -> Self {
        Self { silent: Silent::new(&table.table), population, mode: None }
    }

    fn force(&mut self, mode: Mode) -> PyResult<()> {
        if !self.population.allows(mode) {
            let agents = self.population.agents();
            return Err(PyValueError::new_err(format!(
                "mode {} of {agents} agents (accepted: another mode, or fewer agents)",
                name_of(mode)
            )));
        }
        self.population.force(mode);
        self.mode = Some(mode);
        Ok(())
    }
}

#[pymethods]
impl Population {
    #[new]
    #[pyo3(signature = (table, counts, seed, mode = None))]
    fn new(
        table: Py<Table>,
        counts: PyReadonlyArray1<'_, u64>,
        seed: u64,
        mode: Option<&str>,
    ) -> PyResult<Self> {
        let rules = table.get();
        let population =
            uniform::Population::new(&rules.table, &counted(&counts)?, seed).map_err(value_error)?;
        let mut inner = MixedRun::of(rules, population);
        if let Some(mode) = mode {
            inner.force(mode_of(mode)?)?;
        }
        Ok(Self { table, inner: Shared::new(inner) })
    }

    /// Starts again from these counts with this seed.
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
        self.inner.with(py, |inner| inner.population.interactions())
    }

    #[getter]
    fn mode(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.inner.with(py, |inner| name_of(inner.population.mode()))
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let counts = self.inner.with(py, |inner| inner.population.counts().to_vec())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// The digest that a record has of this configuration.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.with(py, |inner| configuration_digest(&inner.population).to_string())
    }

    /// Whether no interaction can change a state any more.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.with(py, |inner| inner.silent.holds(inner.population.counts()))
    }

    /// Runs until there were `interactions` in all, for at most `seconds`, or until Ctrl-C; returns whether there were.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        let reached = until_done(py, &self.inner, seconds, |MixedRun { population, .. }| {
            let next = population.interactions().saturating_add(population.stretch());
            population.run_to(next.min(interactions));
            (population.interactions() >= interactions).then_some(())
        })?;
        Ok(reached.is_some())
    }

    /// Runs until the goal holds for the first time, at most until there were `limit` interactions in all, for at most `seconds`;
    /// returns whether it holds.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        let goal = goal(&self.table.get().table, text)?;
        let holds = until_done(py, &self.inner, seconds, move |MixedRun { population, .. }| {
            let next = population.interactions().saturating_add(population.stretch()).min(limit);
            let holds = population.run_until(&*goal, next);
            (holds || population.interactions() >= limit).then_some(holds)
        })?;
        Ok(holds.unwrap_or(false))
    }

    /// Whether a goal holds now.
    fn holds(&self, py: Python<'_>, text: &str) -> PyResult<bool> {
        let goal = goal(&self.table.get().table, text)?;
        self.inner.with(py, move |inner| goal.holds(inner.population.counts()))
    }

    /// The run as bytes: with the same table it continues as if it had not been interrupted.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.with(py, |inner| inner.population.save())?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn restore(table: Py<Table>, bytes: &[u8]) -> PyResult<Self> {
        let population = uniform::Population::restore(&table.get().table, bytes).map_err(value_error)?;
        let inner = Shared::new(MixedRun::of(table.get(), population));
        Ok(Self { table, inner })
    }
}
