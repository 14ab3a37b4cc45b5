//! The shipped algorithm and its faults, compiled here: generic code takes the level of the crate that asks for it, and
//! compiles there once more.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use super::{
    Counterexample, Effort, Run, Subject, Summary, SwarmPlan, ThreadsError, Told, many, run, shrink,
};

impl Subject {
    /// [`with_all_properties`](Self::with_all_properties).
    #[must_use]
    pub fn with_invariants(self) -> Self {
        self.with_all_properties()
    }

    /// [`run`](super::run()).
    #[must_use]
    pub fn run(&self, plan: &SwarmPlan) -> Run {
        run::run(self, plan)
    }

    /// [`run_many`](super::run_many).
    ///
    /// # Errors
    ///
    /// [`ThreadsError`] if the operating system gives no threads.
    pub fn run_many(
        &self,
        seeds: Range<u64>,
        threads: NonZeroUsize,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Summary, ThreadsError> {
        many::run_many(self, seeds, threads, progress)
    }

    /// [`shrink`](super::shrink()).
    #[must_use]
    pub fn shrink(&self, run: &Run, effort: Effort) -> Option<Counterexample> {
        shrink::shrink(self, run, effort)
    }

    /// [`Counterexample::tell`].
    #[must_use]
    pub fn tell(&self, small: &Counterexample) -> Told {
        small.tell(self)
    }

    /// [`Counterexample::write`].
    ///
    /// # Errors
    ///
    /// Those of `sink`.
    pub fn write(&self, small: &Counterexample, sink: &mut dyn Write) -> io::Result<()> {
        small.write(self, sink)
    }
}
