//! [`Supervisor`]: ends runs early and shows their progress.

#![allow(
    clippy::disallowed_types,
    reason = "a limit on time needs a clock, which decides only when the run ends"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use acrasin_process::Ranks;
use acrasin_scenario::{CheckpointKeeper, Proceed, Progress, RunControl};

use crate::checkpoint::RunCheckpoints;
use crate::progress::ProgressLine;
use crate::{interrupt, setup};

/// The time for pictures and digests after an interruption. Pictures and digests that take longer are omitted.
const DRAWING: Duration = Duration::from_millis(60);

/// The interval between two checks whether a drawing thread has finished.
const LOOK: Duration = Duration::from_millis(20);

/// Ends runs when their time is over or Ctrl-C is pressed, and shows their progress.
#[derive(Debug)]
pub(crate) struct Supervisor {
    started: Instant,
    limit: Option<Duration>,
    progress: ProgressLine,
    is_stopped: AtomicBool,
    /// Whether the program ends after the first run.
    is_of_one_run: bool,
    checkpoints: Option<RunCheckpoints>,
    /// The processes that make the run together.
    ranks: Option<Arc<dyn Ranks>>,
}

impl Supervisor {
    /// Creates a supervisor, whose time limit starts now.
    pub(crate) fn new(limit: Option<Duration>, progress: ProgressLine) -> Self {
        Self {
            started: Instant::now(),
            limit,
            progress,
            is_stopped: AtomicBool::new(false),
            is_of_one_run: false,
            checkpoints: None,
            ranks: None,
        }
    }

    /// Makes the supervisors of all ranks agree: if one rank was interrupted or is out of time, all ranks end. `None`
    /// for a run in one process.
    pub(crate) fn of_ranks(self, ranks: Option<Arc<dyn Ranks>>) -> Self {
        Self { ranks, ..self }
    }

    /// Whether `holds` is true on at least one rank. All ranks call this at the same moment of the run.
    fn on_some_rank(&self, holds: bool) -> bool {
        let Some(ranks) = &self.ranks else { return holds };
        let mut holds = [u64::from(holds)];
        ranks.sum(&mut holds);
        holds[0] > 0
    }

    /// Whether this process was asked to end the run.
    fn is_asked_here(&self) -> bool {
        let has_failed = || self.checkpoints.as_ref().is_some_and(RunCheckpoints::has_failed);
        interrupt::is_asked_to_stop() || self.is_stopped.load(Ordering::Relaxed) || has_failed()
    }

    /// Whether this process has time left, including a moment after a stop request.
    fn has_time_here(&self) -> bool {
        let since_limit = self.limit.and_then(|limit| self.started.elapsed().checked_sub(limit));
        let mut since = since_limit.into_iter().chain(interrupt::asked_since());
        since.all(|since| since < DRAWING)
    }

    /// Marks a command that ends after one run.
    pub(crate) fn of_one_run(self) -> Self {
        Self { is_of_one_run: true, ..self }
    }

    /// Sets the checkpoints that the run writes; `None` for none.
    pub(crate) fn with_checkpoints(self, checkpoints: Option<RunCheckpoints>) -> Self {
        Self { checkpoints, ..self }
    }

    /// The checkpoints of the run, if it has any.
    pub(crate) fn run_checkpoints(&self) -> Option<&RunCheckpoints> {
        self.checkpoints.as_ref()
    }

    /// Asks all runs to stop, because their results cannot be stored.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether runs may continue at this moment, or why they must end.
    pub(crate) fn verdict(&self) -> Proceed {
        if self.is_asked_here() {
            return Proceed::Interrupted;
        }
        match self.limit {
            Some(limit) if self.started.elapsed() >= limit => Proceed::OutOfTime,
            _ => Proceed::Continue,
        }
    }

    /// Draws a picture, or computes a digest, on another thread. Returns `None` if the program must end before the
    /// drawing is finished.
    pub(crate) fn drawn<T: Send + 'static>(&self, draw: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        if !self.has_time_here() {
            return None;
        }
        let (sender, receiver) = mpsc::channel();
        // If the receiver is gone, the program is about to end, and the result is dropped.
        let draw = move || drop(sender.send(draw()));
        std::thread::Builder::new().name("drawing".to_owned()).spawn(draw).ok()?;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(drawn) => return Some(drawn),
                Err(RecvTimeoutError::Timeout) if self.has_time_here() => {}
                Err(_) => return None,
            }
        }
    }

    /// The display of progress on standard error.
    pub(crate) fn progress(&self) -> &ProgressLine {
        &self.progress
    }
}

impl RunControl for Supervisor {
    fn begin(&self) {
        setup::is_over();
    }

    fn look(&self, at: &Progress) -> Proceed {
        self.progress.show(at);
        RunControl::verdict(self)
    }

    fn verdict(&self) -> Proceed {
        let here = Self::verdict(self);
        let Some(ranks) = &self.ranks else { return here };
        let mut ended = [here == Proceed::Interrupted, here == Proceed::OutOfTime].map(u64::from);
        ranks.sum(&mut ended);
        match ended {
            [0, 0] => Proceed::Continue,
            [0, _] => Proceed::OutOfTime,
            _ => Proceed::Interrupted,
        }
    }

    fn is_stop_requested(&self) -> bool {
        self.on_some_rank(self.is_asked_here())
    }

    fn has_time(&self) -> bool {
        !self.on_some_rank(!self.has_time_here())
    }

    fn checkpoints(&self) -> Option<&dyn CheckpointKeeper> {
        Some(self.checkpoints.as_ref()?)
    }

    fn ranks(&self) -> Option<Arc<dyn Ranks>> {
        self.ranks.clone()
    }

    fn leaves_memory(&self) -> bool {
        self.is_of_one_run || Self::verdict(self) != Proceed::Continue
    }
}
