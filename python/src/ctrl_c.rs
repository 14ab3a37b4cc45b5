//! Runs long calls without the interpreter's lock, and ends them on Ctrl-C.

#![allow(
    clippy::disallowed_types,
    reason = "how often Ctrl-C is checked depends on the clock; no result does"
)]

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::shared::Shared;

/// The time between two tests for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Calls `step` on the value until it returns a result, without the interpreter's lock, for at most `seconds`. Each
/// call of `step` should take some milliseconds. Returns `None` if the time has passed before there is a result.
///
/// # Errors
///
/// `KeyboardInterrupt`, or the exception of another signal handler. Completed steps stay in effect, so the run can
/// continue.
pub(crate) fn until_done<T: Send, R: Send>(
    py: Python<'_>,
    shared: &Shared<T>,
    seconds: Option<f64>,
    mut step: impl FnMut(&mut T) -> Option<R> + Send,
) -> PyResult<Option<R>> {
    // A time that is too long for a `Duration` means no limit.
    let end = seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok())
        .and_then(|seconds| Instant::now().checked_add(seconds));
    let is_over = || end.is_some_and(|end| Instant::now() >= end);
    loop {
        let done = shared.with(py, |value| {
            let begun = Instant::now();
            loop {
                let done = step(value);
                if done.is_some() || begun.elapsed() >= LOOK || is_over() {
                    return done;
                }
            }
        })?;
        if done.is_some() {
            return Ok(done);
        }
        py.check_signals()?;
        if is_over() {
            return Ok(None);
        }
        shared.give_way(py);
    }
}
