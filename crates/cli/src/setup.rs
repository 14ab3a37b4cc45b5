//! The set-up of a run: reading files, making graphs, traces and initial shapes, building worlds.
//!
//! No results exist yet, so the time limit or a stop request ends the program immediately. This module handles
//! `--max-time`, and [`interrupt`](crate::interrupt) handles Ctrl-C. The set-up code itself needs no clock and no
//! checks. This concerns only the first of several repetitions: [`Batch`](crate::batch::Batch) omits the others.

#![allow(
    clippy::disallowed_types,
    reason = "a limit on time needs a clock, which decides only when the run ends"
)]

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use acrasin_output::unfinished;
use acrasin_report::record::Exit;

use crate::{Failure, output};

/// The time that the set-up may take beyond the limit. If it ends within this time, the run begins, so that there is a
/// record at least of the start. The program should end 0.2 s after the limit; the rest is for freeing the memory of a
/// large set-up.
pub(crate) const GRACE: Duration = Duration::from_millis(80);

/// A description of the current set-up; `None` before a command begins and from the first turn on.
static MAKES: Mutex<Option<String>> = Mutex::new(None);
static IS_OVER: Condvar = Condvar::new();

fn makes() -> MutexGuard<'static, Option<String>> {
    MAKES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins the set-up of `what`. If the set-up is not over after `limit`, the program ends with exit code 3.
pub(crate) fn begin(what: impl Into<String>, limit: Option<Duration>) {
    *makes() = Some(what.into());
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    if let Some(deadline) = deadline {
        let watch = move || {
            end_unless_over(deadline + GRACE, "the time (--max-time) ran out", Exit::BudgetExhausted.code());
        };
        let _ = std::thread::Builder::new().name("set-up".to_owned()).spawn(watch);
    }
}

/// Marks the set-up as over, just before the first turn of the run.
pub(crate) fn is_over() {
    // Every repetition calls this, and notifying is a system call even without waiting threads.
    if makes().take().is_some() {
        IS_OVER.notify_all();
    }
}

/// Handles a stop request: ends the program, unless a run has begun or the set-up is over within [`GRACE`]. In both
/// cases the run handles the request.
pub(crate) fn interrupted() {
    end_unless_over(Instant::now() + GRACE, INTERRUPTED, Exit::Interrupted.code());
}

/// Prints what the set-up was building when the program ends, if it was not over.
pub(crate) fn say_what_was_made() {
    if let Some(what) = &*makes() {
        fail(INTERRUPTED, what);
    } else if waits().is_some() {
        fail(INTERRUPTED, "");
    }
}

const INTERRUPTED: &str = "interrupted";

/// Why the set-up waits for the reader of a pipe, as a sentence; `None` if it does not wait.
static WAITS: Mutex<Option<String>> = Mutex::new(None);

fn waits() -> MutexGuard<'static, Option<String>> {
    WAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A wait for the reader of a pipe, which messages name in place of what is being made.
pub(crate) struct ReaderWait(());

impl ReaderWait {
    /// Begins a wait. `why` is a sentence.
    pub(crate) fn new(why: String) -> Self {
        *waits() = Some(why);
        Self(())
    }
}

impl Drop for ReaderWait {
    fn drop(&mut self) {
        *waits() = None;
    }
}

fn fail(why: &str, what: &str) {
    let message = match &*waits() {
        Some(waits) => format!("{why} before the run began: {waits}"),
        None => format!("{why} before the run began: {what} was still being made"),
    };
    output::fail(&Failure::of_machine(message));
}

/// Ends the program unless the set-up is over by `deadline`.
fn end_unless_over(deadline: Instant, why: &str, code: u8) {
    let mut makes = makes();
    loop {
        let Some(what) = &*makes else { return };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            unfinished::remove_all();
            fail(why, what);
            // The lock is held to the end, so no thread gets past `is_over` any more.
            std::process::exit(code.into());
        }
        makes = IS_OVER.wait_timeout(makes, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}
