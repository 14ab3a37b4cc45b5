//! [`SavedModel`]: checkpoints of a search.
//!
//! The bytes contain the counters over all states, the values to which states refer, and the search. Starts are not
//! saved: a resumed exploration computes them again.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use acrasin_explore::{SearchControl, SearchProgress};
use acrasin_runtime::{Pack, PackError};

use super::{SearchStop, StateModel};
use crate::check::keeper::CheckKeeper;
use crate::check::limits::ExploreError;

/// Saves a search together with its model.
pub(super) struct SavedModel<'c> {
    states: &'c dyn StateModel,
    stop: &'c SearchStop<'c>,
    keeper: &'c dyn CheckKeeper,
    resumed: Option<Vec<u8>>,
    /// The counters at the end of the last completed block.
    counters: Vec<u64>,
    /// The number of states; `None` before the last block is explored.
    all: Option<u64>,
    /// Whether the next saved state is the one after the last block.
    is_end: bool,
    /// Whether all starts were explored. Before that the search is not saved.
    has_starts: &'c Cell<bool>,
}

impl<'c> SavedModel<'c> {
    pub(super) fn new(
        states: &'c dyn StateModel,
        stop: &'c SearchStop<'c>,
        keeper: &'c dyn CheckKeeper,
        has_starts: &'c Cell<bool>,
    ) -> Self {
        let counters = counters(states);
        Self { states, stop, keeper, resumed: None, counters, all: None, is_end: false, has_starts }
    }

    /// Restores the saved counters and values. The search itself is loaded later.
    pub(super) fn load(&mut self, mut saved: &[u8]) -> Result<(), PackError> {
        let from = &mut saved;
        self.counters = Pack::unpack(from)?;
        let known = self.states.counters();
        if self.counters.len() != known.len() {
            return Err(PackError);
        }
        for (counter, saved) in known.into_iter().zip(&self.counters) {
            counter.store(*saved, Ordering::Relaxed);
        }
        self.states.load_values(from)?;
        self.resumed = Some(from.to_vec());
        Ok(())
    }

    fn saved(&self, search: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.counters.pack(&mut bytes);
        if !self.states.save_values(&mut bytes) {
            return None;
        }
        bytes.extend_from_slice(search);
        Some(bytes)
    }
}

fn counters(states: &dyn StateModel) -> Vec<u64> {
    states.counters().into_iter().map(|counter| counter.load(Ordering::Relaxed)).collect()
}

impl SearchControl for SavedModel<'_> {
    fn proceed(&mut self, at: &SearchProgress) -> ControlFlow<()> {
        self.counters = counters(self.states);
        self.all = (at.waiting == 0).then_some(at.configurations);
        // Without checkpoints the next block notices a stop.
        if self.keeper.is_keeping()
            && let Err(error @ ExploreError::Stopped { .. }) = self.stop.check()
        {
            self.stop.set(error);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn resumed(&mut self) -> Option<Vec<u8>> {
        self.resumed.take()
    }

    fn is_due(&mut self, is_stopped: bool) -> bool {
        self.is_end = !is_stopped && self.all.is_some_and(|states| self.keeper.needs_end(states));
        self.has_starts.get() && (self.is_end || self.keeper.is_due(is_stopped))
    }

    fn keep(&mut self, search: Vec<u8>) {
        let saved = self.saved(&search);
        if self.is_end { self.keeper.keep_end(saved) } else { self.keeper.keep(saved) }
    }
}
