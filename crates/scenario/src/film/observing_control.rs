//! A run control with an observer of every step.

use std::sync::{Mutex, PoisonError};

use crate::run::{Proceed, Progress, RunControl, TraceObserver};

/// Delegates to another run control, and passes every step to an observer.
pub struct ObservingControl<'a, E> {
    watch: &'a dyn RunControl,
    eye: Mutex<E>,
    is_whole: bool,
}

impl<E> std::fmt::Debug for ObservingControl<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObservingControl").finish_non_exhaustive()
    }
}

impl<'a, E: TraceObserver> ObservingControl<'a, E> {
    /// Adds an observer to a run control.
    pub fn new(watch: &'a dyn RunControl, eye: E) -> Self {
        Self { watch, eye: Mutex::new(eye), is_whole: false }
    }

    /// Continues to the end of the run even if the observer has seen enough. A replay can then compare the end with
    /// that of the recording.
    #[must_use]
    pub fn to_the_end(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Returns the observer, after the run.
    pub fn into_eye(self) -> E {
        self.eye.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: TraceObserver + 'static> RunControl for ObservingControl<'_, E> {
    fn begin(&self) {
        self.watch.begin();
    }

    /// Ends the run when the observer has seen enough, unless the run is to continue to its end.
    fn look(&self, at: &Progress) -> Proceed {
        if !self.is_whole && self.eye.lock().unwrap_or_else(PoisonError::into_inner).is_done() {
            return Proceed::Interrupted;
        }
        self.watch.look(at)
    }

    fn verdict(&self) -> Proceed {
        self.watch.verdict()
    }

    fn is_stop_requested(&self) -> bool {
        self.watch.is_stop_requested()
    }

    fn has_time(&self) -> bool {
        self.watch.has_time()
    }

    fn leaves_memory(&self) -> bool {
        self.watch.leaves_memory()
    }

    fn eye(&self) -> Option<&Mutex<dyn TraceObserver>> {
        Some(&self.eye)
    }
}
