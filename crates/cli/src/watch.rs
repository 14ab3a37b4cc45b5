//! What looks at a run while it happens.

#![allow(
    clippy::disallowed_types,
    reason = "a limit on time needs a clock; no result depends on it but its own end"
)]

use std::time::{Duration, Instant};

use acrasin_scenario::{At, Proceed, Watch};

use crate::progress::Progress;
use crate::{interrupt, setup};

/// Ends runs when their time is over or somebody presses Ctrl-C, and shows how far they are.
#[derive(Debug)]
pub(crate) struct Supervisor {
    started: Instant,
    limit: Option<Duration>,
    progress: Progress,
}

impl Supervisor {
    /// The clock starts now.
    pub(crate) fn new(limit: Option<Duration>, progress: Progress) -> Self {
        Self { started: Instant::now(), limit, progress }
    }

    /// The answer to every run at this moment.
    pub(crate) fn verdict(&self) -> Proceed {
        if interrupt::is_asked_to_stop() {
            return Proceed::Interrupted;
        }
        match self.limit {
            Some(limit) if self.started.elapsed() >= limit => Proceed::OutOfTime,
            _ => Proceed::Continue,
        }
    }

    /// What shows how far the runs are.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl Watch for Supervisor {
    fn begin(&self) {
        setup::is_over();
    }

    fn look(&self, at: &At) -> Proceed {
        self.progress.show(at);
        self.verdict()
    }
}
