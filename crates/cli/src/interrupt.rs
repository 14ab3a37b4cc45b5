//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::Verbosity;
use crate::unfinished;

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C asks the run to stop, and the second one ends the program.
///
/// Without a handler (a system without signals) Ctrl-C ends the program at once, as always.
pub(crate) fn listen(verbosity: Verbosity) {
    let _ = ctrlc::set_handler(move || {
        if ASKED_TO_STOP.swap(true, Ordering::Relaxed) {
            unfinished::remove_all();
            std::process::exit(130);
        }
        verbosity.say("\nstopping at the next step; Ctrl-C again ends at once, without results");
    });
}

/// Whether somebody pressed Ctrl-C.
pub(crate) fn is_asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}
