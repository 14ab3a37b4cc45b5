//! Populations on the complete graph.

use acrasin_protocols::uniform::{self, Condition as _, MAX_AGENTS, Mode, Silent};
use acrasin_scenario::plan::configuration_digest;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::ctrl_c::until_done;
use crate::goal::goal;
use crate::table::{Table, value_error};

/// Agents that interact in uniformly random ordered pairs: `acrasin_protocols::uniform::Population`.
#[pyclass(module = "acrasin._acrasin")]
pub(crate) struct Population {
    table: Py<Table>,
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

impl Population {
    fn of(table: Py<Table>, silent: Silent, population: uniform::Population) -> Self {
        Self { table, silent, population, mode: None }
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
        py: Python<'_>,
        table: Py<Table>,
        counts: PyReadonlyArray1<'_, u64>,
        seed: u64,
        mode: Option<&str>,
    ) -> PyResult<Self> {
        let rules = &table.get().table;
        let population = uniform::Population::new(rules, &counted(&counts)?, seed).map_err(value_error)?;
        let silent = Silent::new(rules);
        let mut population = Self::of(table.clone_ref(py), silent, population);
        if let Some(mode) = mode {
            population.force(mode_of(mode)?)?;
        }
        Ok(population)
    }

    /// Begins anew with these counts and this seed.
    fn restart(&mut self, counts: PyReadonlyArray1<'_, u64>, seed: u64) -> PyResult<()> {
        let counts = counted(&counts)?;
        self.population.restart(&counts, seed).map_err(value_error)?;
        self.mode.map_or(Ok(()), |mode| self.force(mode))
    }

    #[getter]
    fn agents(&self) -> u64 {
        self.population.agents()
    }

    #[getter]
    fn interactions(&self) -> u64 {
        self.population.interactions()
    }

    #[getter]
    fn mode(&self) -> &'static str {
        name_of(self.population.mode())
    }

    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_slice(py, self.population.counts())
    }

    /// The digest that a record has of this configuration.
    fn digest(&self) -> String {
        configuration_digest(self.population.counts(), 0, |_| unreachable!("no agent has a number"))
            .to_string()
    }

    /// Whether no interaction can change a state any more.
    fn is_silent(&self) -> bool {
        self.silent.holds(self.population.counts())
    }

    /// Goes on until there were `interactions` in all, or on Ctrl-C.
    fn run_to(&mut self, py: Python<'_>, interactions: u64) -> PyResult<()> {
        let population = &mut self.population;
        until_done(py, || {
            let next = population.interactions().saturating_add(population.stretch());
            population.run_to(next.min(interactions));
            (population.interactions() >= interactions).then_some(())
        })
    }

    /// Goes on until the goal holds for the first time, at most until there were `limit` interactions in all; tells whether
    /// it holds.
    fn run_until(&mut self, py: Python<'_>, text: &str, limit: u64) -> PyResult<bool> {
        let goal = goal(&self.table.get().table, text)?;
        let population = &mut self.population;
        until_done(py, move || {
            let next = population.interactions().saturating_add(population.stretch()).min(limit);
            let holds = population.run_until(&*goal, next);
            (holds || population.interactions() >= limit).then_some(holds)
        })
    }

    /// Whether a goal holds now.
    fn holds(&self, text: &str) -> PyResult<bool> {
        Ok(goal(&self.table.get().table, text)?.holds(self.population.counts()))
    }

    /// The run as bytes: with the same table it goes on as if nothing had been.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.population.save())
    }

    #[staticmethod]
    fn restore(py: Python<'_>, table: Py<Table>, bytes: &[u8]) -> PyResult<Self> {
        let rules = &table.get().table;
        let population = uniform::Population::restore(rules, bytes).map_err(value_error)?;
        let silent = Silent::new(rules);
        Ok(Self::of(table.clone_ref(py), silent, population))
    }
}
