//! The time before the first turn: files are read, graphs, traces and starts made, worlds built.
//!
//! (Of several repetitions those after the first: [`Batch`](crate::batch::Batch) leaves them out when it has waited.) Nothing
//! of it can be lost, so whoever has waited long enough ends the program at once, whatever it is making: a clock
//! here for `--max-time`, Ctrl-C in [`interrupt`](crate::interrupt). What makes things has no clock and is asked nothing.

#![allow(
    clippy::disallowed_types,
    reason = "a limit on time needs a clock; no result depends on it but its own end"
)]

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use acrasin_output::unfinished;
use acrasin_report::record::Exit;

use crate::{Failure, output};

/// A set-up that is over so soon afterwards is let through: then there is a record of the run, if only of its start. The rest of a
/// fifth of a second is for giving back the memory of a large one.
pub(crate) const GRACE: Duration = Duration::from_millis(120);

/// What is being made; nothing, before a command begins and from the first turn on.
static MAKES: Mutex<Option<String>> = Mutex::new(None);
static IS_OVER: Condvar = Condvar::new();

fn makes() -> MutexGuard<'static, Option<String>> {
    MAKES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on `what` is being made, within `limit` if there is one: then the program ends with exit code 3.
pub(crate) fn begin(what: impl Into<String>, limit: Option<Duration>) {
    *makes() = Some(what.into());
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    if let Some(deadline) = deadline {
        let watch = move || {
            end_unless_over(deadline + GRACE, "the time (--max-time) was over", Exit::BudgetExhausted.code());
        };
        let _ = std::thread::Builder::new().name("set-up".to_owned()).spawn(watch);
    }
}

/// The first turn is next.
pub(crate) fn is_over() {
    // Every repetition says so, and waking nobody is a call of the system all the same.
    if makes().take().is_some() {
        IS_OVER.notify_all();
    }
}

/// Somebody asks the program to end. Returns if there is a run that can be asked, or will be in a moment.
pub(crate) fn interrupted() {
    end_unless_over(Instant::now() + GRACE, INTERRUPTED, Exit::Interrupted.code());
}

/// Says what the end of the program cuts off, if it does.
pub(crate) fn say_what_was_made() {
    if let Some(what) = &*makes() {
        fail(INTERRUPTED, what);
    }
}

const INTERRUPTED: &str = "interrupted";

fn fail(why: &str, what: &str) {
    let message = format!("{why} before the run began: {what} was still being made");
    output::fail(&Failure::of_machine(message));
}

/// Ends the program unless the set-up is over at this time.
fn end_unless_over(deadline: Instant, why: &str, code: u8) {
    let mut makes = makes();
    loop {
        let Some(what) = &*makes else { return };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            unfinished::remove_all();
            fail(why, what);
            // Nobody gets past `is_over` any more: the lock is held to the end.
            std::process::exit(code.into());
        }
        makes = IS_OVER.wait_timeout(makes, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}
