//! Runs without the lock of the interpreter that end on Ctrl-C.

#![allow(
    clippy::disallowed_types,
    reason = "how often somebody looks for Ctrl-C depends on the clock; no result does"
)]

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How long a run goes on until somebody looks whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);

/// Calls `step` until it returns something, without the lock of the interpreter; each call should take some milliseconds.
///
/// # Errors
///
/// `KeyboardInterrupt`, or what another handler of a signal raises. What `step` has done is done: the run can go on.
pub(crate) fn until_done<T: Send>(py: Python<'_>, mut step: impl FnMut() -> Option<T> + Send) -> PyResult<T> {
    loop {
        let done = py.detach(|| {
            let begun = Instant::now();
            loop {
                let done = step();
                if done.is_some() || begun.elapsed() >= LOOK {
                    return done;
                }
            }
        });
        match done {
            Some(done) => return Ok(done),
            None => py.check_signals()?,
        }
    }
}
