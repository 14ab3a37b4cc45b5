//! Operations on a [`Shared`] that populations and vessels have in common. Both contain a process that runs turn by
//! turn.

use acrasin_process::{Ending, Process};
use acrasin_scenario::plan::{TurnRule, configuration_digest};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::ctrl_c::until_done;
use crate::shared::Shared;

/// A value that contains a process.
pub(crate) trait HasProcess: Send {
    fn process(&mut self) -> &mut dyn Process;
}

impl<T: HasProcess> Shared<T> {
    fn of_process<R: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&dyn Process) -> R + Send,
    ) -> PyResult<R> {
        self.with(py, |engine| read(engine.process()))
    }

    /// The number of interactions of a population, or of reactions of a vessel.
    pub(crate) fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.of_process(py, |process| process.progress().steps)
    }

    pub(crate) fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(PyArray1::from_vec(py, self.of_process(py, |process| process.counts().into_owned())?))
    }

    /// The state of each agent.
    pub(crate) fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let states = |process: &dyn Process| -> Vec<u16> {
            (0..process.numbered()).map(|agent| process.state(agent)).collect()
        };
        Ok(PyArray1::from_vec(py, self.of_process(py, states)?))
    }

    /// The digest of the current configuration, as in a record.
    pub(crate) fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.of_process(py, |process| configuration_digest(process).to_string())
    }

    /// Whether no step can change a state.
    pub(crate) fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        self.of_process(py, |process| process.is_silent() == Some(true))
    }

    /// Whether a goal of the stop rule holds now.
    pub(crate) fn holds(&self, py: Python<'_>, rule: TurnRule) -> PyResult<bool> {
        self.of_process(py, move |process| rule.holds(process))
    }

    /// Runs in turns of at most `most` steps until the stop rule ends the run. Returns `None` if `seconds` have passed
    /// before; Ctrl-C raises an exception.
    pub(crate) fn drive(
        &self,
        py: Python<'_>,
        rule: TurnRule,
        most: u64,
        seconds: Option<f64>,
    ) -> PyResult<Option<Ending>> {
        until_done(py, self, seconds, move |engine| rule.turn(engine.process(), most))
    }

    /// Runs as [`drive`](Self::drive) does, and returns whether a goal of the stop rule is reached.
    pub(crate) fn reaches(
        &self,
        py: Python<'_>,
        rule: TurnRule,
        most: u64,
        seconds: Option<f64>,
    ) -> PyResult<bool> {
        Ok(matches!(self.drive(py, rule, most, seconds)?, Some(Ending::Reached(_))))
    }
}
