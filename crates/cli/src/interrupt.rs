//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::Verbosity;
use crate::unfinished;

static RUNS: AtomicBool = AtomicBool::new(false);
static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends the program with exit code 130, and leaves nothing unfinished. During a run the first one
/// asks the run to stop, and the second one ends the program.
///
/// Without a handler (a system without signals) Ctrl-C ends the program at once, as always.
pub(crate) fn listen(verbosity: Verbosity) {
    let _ = ctrlc::set_handler(move || {
        if !RUNS.load(Ordering::Relaxed) || ASKED_TO_STOP.swap(true, Ordering::Relaxed) {
            unfinished::remove_all();
            std::process::exit(130);
        }
        verbosity.say("\nstopping at the next step; Ctrl-C again ends at once, without results");
    });
}

/// From now on there is a run that can be asked to stop. Before, reading a long file or drawing a large graph cannot.
pub(crate) fn a_run_begins() {
    RUNS.store(true, Ordering::Relaxed);
}

/// Whether somebody pressed Ctrl-C during the run.
pub(crate) fn is_asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}
