//! What looks at a run while it happens.

#![allow(
    clippy::disallowed_types,
    reason = "a limit on time needs a clock; no result depends on it but its own end"
)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use acrasin_scenario::{Proceed, Progress, Watch};

use crate::progress::ProgressLine;
use crate::{interrupt, setup};

/// The time for pictures and digests after an interruption. Small ones are made within it, large ones are left out.
const DRAWING: Duration = Duration::from_millis(100);

/// Time between two looks at whether a drawing is to be waited for.
const LOOK: Duration = Duration::from_millis(20);

/// Ends runs when their time is over or somebody presses Ctrl-C, and shows how far they are.
#[derive(Debug)]
pub(crate) struct Supervisor {
    started: Instant,
    limit: Option<Duration>,
    progress: ProgressLine,
    is_stopped: AtomicBool,
    /// Whether the program ends after the first run.
    is_of_one_run: bool,
}

impl Supervisor {
    /// The clock starts now.
    pub(crate) fn new(limit: Option<Duration>, progress: ProgressLine) -> Self {
        Self {
            started: Instant::now(),
            limit,
            progress,
            is_stopped: AtomicBool::new(false),
            is_of_one_run: false,
        }
    }

    /// This supervisor, for a command that makes one run and ends.
    pub(crate) fn of_one_run(self) -> Self {
        Self { is_of_one_run: true, ..self }
    }

    /// Asks every run to stop: their results cannot be kept.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The answer to every run at this moment.
    pub(crate) fn verdict(&self) -> Proceed {
        if interrupt::is_asked_to_stop() || self.is_stopped.load(Ordering::Relaxed) {
            return Proceed::Interrupted;
        }
        match self.limit {
            Some(limit) if self.started.elapsed() >= limit => Proceed::OutOfTime,
            _ => Proceed::Continue,
        }
    }

    /// What is drawn, on a thread of its own, unless everything has to end before it is there.
    pub(crate) fn drawn<T: Send + 'static>(&self, draw: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        if !self.has_time() {
            return None;
        }
        let (sender, receiver) = mpsc::channel();
        // A receiver that has gone does not wait for it: the program is about to end.
        let draw = move || drop(sender.send(draw()));
        std::thread::Builder::new().name("drawing".to_owned()).spawn(draw).ok()?;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(drawn) => return Some(drawn),
                Err(RecvTimeoutError::Timeout) if self.has_time() => {}
                Err(_) => return None,
            }
        }
    }

    /// What shows how far the runs are.
    pub(crate) fn progress(&self) -> &ProgressLine {
        &self.progress
    }
}

impl Watch for Supervisor {
    fn begin(&self) {
        setup::is_over();
    }

    fn look(&self, at: &Progress) -> Proceed {
        self.progress.show(at);
        self.verdict()
    }

    fn verdict(&self) -> Proceed {
        Self::verdict(self)
    }

    /// Before everything has to end, and for a moment afterwards.
    fn has_time(&self) -> bool {
        let since_limit = self.limit.and_then(|limit| self.started.elapsed().checked_sub(limit));
        let mut since = since_limit.into_iter().chain(interrupt::asked_since());
        since.all(|since| since < DRAWING)
    }

    fn leaves_memory(&self) -> bool {
        self.is_of_one_run || self.verdict() != Proceed::Continue
    }
}
