//! Stop requests: Ctrl-C, SIGTERM from batch systems, SIGHUP from closing terminals.

#![allow(
    clippy::disallowed_types,
    reason = "pictures are drawn for a moment after an interruption: the clock decides only which of them exist"
)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use acrasin_output::unfinished;

use crate::output::Verbosity;
use crate::{setup, stream};

static RUNS: AtomicBool = AtomicBool::new(false);
static RESUMES: AtomicBool = AtomicBool::new(false);
static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);
static ASKED_AT: OnceLock<Instant> = OnceLock::new();

/// Lets Ctrl-C, SIGTERM and SIGHUP end the program with exit code 130, without leaving unfinished files. During a run
/// the first signal requests a stop, and a second one ends the program.
///
/// Signals that were ignored when the program started stay ignored (SIGHUP under `nohup`, Ctrl-C in a background
/// command of a shell script). On a system without these signals the program does not handle a stop request, and ends
/// immediately.
pub(crate) fn listen(verbosity: Verbosity) {
    on_each_signal(move || {
        if !RUNS.load(Ordering::Relaxed) || ASKED_TO_STOP.swap(true, Ordering::Relaxed) {
            setup::say_what_was_made();
            unfinished::remove_all();
            std::process::exit(130);
        }
        ASKED_AT.get_or_init(Instant::now);
        verbosity.say("\nstopping at the next step; Ctrl-C again ends at once, without results");
        // In another thread: this one must remain free for the second Ctrl-C.
        let stop = || {
            setup::interrupted();
            stream::interrupted();
        };
        let _ = std::thread::Builder::new().name("stop".to_owned()).spawn(stop);
    });
}

/// Lets a failing allocation end the program with exit code `code`, after the message of the standard library, which
/// then aborts. If a panic has set the returned flag to false, an abort keeps its own exit code.
#[cfg(unix)]
pub(crate) fn end_without_memory(code: u8) -> Arc<AtomicBool> {
    use signal_hook::consts::SIGABRT;

    let ends = Arc::new(AtomicBool::new(true));
    let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, code.into(), Arc::clone(&ends));
    ends
}

#[cfg(not(unix))]
pub(crate) fn end_without_memory(_code: u8) -> Arc<AtomicBool> {
    Arc::default()
}

/// Marks the start of a run. From then on a signal requests a stop; before the run, a signal ends the program
/// immediately.
pub(crate) fn a_run_begins() {
    RUNS.store(true, Ordering::Relaxed);
}

/// Marks the time in which a run that continues from a checkpoint is executed. A panic in it is reported as an error of
/// the checkpoint.
pub(crate) fn a_run_resumes(resumes: bool) {
    RESUMES.store(resumes, Ordering::SeqCst);
}

/// Whether a run that continues from a checkpoint is being executed.
pub(crate) fn is_a_run_resumed() -> bool {
    RESUMES.load(Ordering::SeqCst)
}

/// Whether a stop was requested during the run.
pub(crate) fn is_asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}

/// The time since a stop was requested; `None` without a request.
pub(crate) fn asked_since() -> Option<Duration> {
    ASKED_AT.get().map(Instant::elapsed)
}

/// Calls `react` for every signal, on a separate thread.
#[cfg(unix)]
fn on_each_signal(react: impl Fn() + Send + 'static) {
    use std::io::Read as _;
    use std::os::unix::net::UnixStream;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::low_level::pipe;

    // Each signal sends a byte. With flags, two signals at the same time would count as one.
    let Ok((mut arrived, sender)) = UnixStream::pair() else { return };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if !is_ignored(&status, signal)
            && let Ok(sender) = sender.try_clone()
        {
            let _ = pipe::register(signal, sender);
        }
    }
    let (sender, runs) = std::sync::mpsc::sync_channel(1);
    let thread = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let _ = sender.send(());
        while let Ok(1) = arrived.read(&mut [0]) {
            react();
        }
    });
    if thread.is_ok() {
        // From now on the address space that this thread reserves is included in all budgets.
        let _ = runs.recv();
    }
}

#[cfg(not(unix))]
fn on_each_signal(react: impl Fn() + Send + 'static) {
    let _ = ctrlc::set_handler(react);
}

/// Whether a process with this `/proc/self/status` ignores a signal; false if the system does not tell.
#[cfg(unix)]
fn is_ignored(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_stands_in_the_mask() {
        let status = "Name:\tx\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000004001\n";
        assert_eq!([1, 2, 14, 15].map(|signal| is_ignored(status, signal)), [true, false, false, true]);
        assert!(!is_ignored("", 1) && !is_ignored("SigIgn:\tx\n", 1));
    }
}
