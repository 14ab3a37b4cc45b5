//! Catalogue entries for algorithms that run in synchronous rounds, in models other than this one. Such a model
//! implements [`SynchronousRun`].

use acrasin_process::{Advance, Condition, Process, RunBound};

use super::description::{AlgorithmFigure, Further, Placement};
use crate::model::body::Body;
use crate::model::lattice::Cell;

/// An algorithm with its parameters but without cells, as the catalogue keeps it.
pub trait SynchronousDescription: Send + Sync {
    /// Starts a run. All draws of the run follow from the seed.
    ///
    /// # Errors
    ///
    /// The start is not possible: a sentence that names the cell, the value, and what is accepted.
    fn start(&self, placement: &Placement, seed: u64) -> Result<Box<dyn SynchronousRun>, String>;

    /// The bytes that a run needs per amoebot, apart from its cell and frame.
    fn bytes(&self) -> usize;
}

/// A started run. It counts a round as one step, and its [`counts`](Process::counts) are the numbers of amoebots per
/// class.
pub trait SynchronousRun: Process {
    /// Like [`advance`](Process::advance), but also returns [`Advance::Advanced`] once `goes_on` returns false. A long
    /// round that was begun is then undone. Several threads may call `goes_on`.
    fn advance_while(
        &mut self,
        bound: &RunBound,
        condition: Option<&dyn Condition>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Advance;

    /// The names of the classes in which amoebots are counted, in the order of [`counts`](Process::counts).
    fn classes(&self) -> &'static [&'static str];

    /// The class of an amoebot, as an index into the names.
    fn class(&self, amoebot: usize) -> usize;

    /// The memory of an amoebot, in words.
    fn words(&self, amoebot: usize) -> String;

    /// The bodies of all amoebots.
    fn bodies(&self) -> &[Body];

    /// The [`digest`](Process::digest), or `None` once `has_time` returns false.
    fn digest_while(&self, has_time: &dyn Fn() -> bool) -> Option<u128> {
        has_time().then(|| self.digest())
    }

    /// The cells of objects.
    fn objects(&self) -> Vec<Cell> {
        Vec::new()
    }

    /// Counters of the run.
    fn work(&self) -> Vec<AlgorithmFigure>;

    /// Results, if the run has ended.
    fn further(&self) -> Option<Further> {
        None
    }
}
