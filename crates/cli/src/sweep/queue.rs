//! [`RunQueue`]: the order in which the runs of a sweep begin.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::plan::SweepPlan;
use super::written_row::KeptRow;

/// The plan of a sweep, and the runs of it that need not be executed again.
pub(super) struct PlannedRuns<'a> {
    pub(super) plan: &'a SweepPlan,
    /// The numbers of runs whose number differs from their place, by place.
    pub(super) numbers: &'a BTreeMap<u64, u64>,
    /// The rows that already exist, by place.
    pub(super) done: &'a BTreeMap<u64, KeptRow>,
}

impl PlannedRuns<'_> {
    /// The number of the run at a place.
    pub(super) fn number(&self, place: u64) -> u64 {
        *self.numbers.get(&place).unwrap_or(&place)
    }
}

/// The position from which threads take the next run to begin.
#[derive(Default)]
struct NextRun {
    /// The number of runs that were considered so far, in the order of the sweep.
    seen: u64,
    /// The number of runs that have begun.
    begun: u64,
}

/// The runs that have not begun, shared by all threads.
pub(super) struct RunQueue<'a> {
    runs: &'a PlannedRuns<'a>,
    /// The number of threads that share the runs. At most the remaining runs divided by this number, rounded up, begin
    /// together.
    workers: u64,
    next: Mutex<NextRun>,
}

impl<'a> RunQueue<'a> {
    /// Queues all remaining runs for `workers` threads.
    pub(super) fn new(runs: &'a PlannedRuns<'a>, workers: usize) -> Self {
        Self { runs, workers: workers as u64, next: Mutex::default() }
    }

    /// The number of threads that share the runs.
    pub(super) fn workers(&self) -> u64 {
        self.workers
    }

    /// The number of runs that have not begun.
    pub(super) fn left(&self) -> u64 {
        self.left_after(self.next.lock().unwrap_or_else(PoisonError::into_inner).begun)
    }

    fn left_after(&self, begun: u64) -> u64 {
        let PlannedRuns { plan, done, .. } = *self.runs;
        plan.runs_here().saturating_sub(done.len() as u64 + begun)
    }

    /// Takes the places of one run, or of several runs of one combination if the plan can share their work. `None` if
    /// all runs have begun.
    pub(super) fn take(&self) -> Option<Vec<u64>> {
        let PlannedRuns { plan, done, .. } = *self.runs;
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let mut places = Vec::new();
        let fair = self.left_after(next.begun).div_ceil(self.workers);
        while next.seen < plan.runs() {
            let place = plan.made_after(next.seen);
            if done.contains_key(&place) || !plan.is_here(place) {
                next.seen += 1;
                continue;
            }
            let combination = plan.at(place).0;
            let together = plan.combinations[combination].plan.together() as u64;
            let is_other = places.first().is_some_and(|&first| plan.at(first).0 != combination);
            if is_other || (!places.is_empty() && places.len() as u64 >= together.min(fair)) {
                break;
            }
            places.push(place);
            (next.seen, next.begun) = (next.seen + 1, next.begun + 1);
        }
        (!places.is_empty()).then_some(places)
    }
}
