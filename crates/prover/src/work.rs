//! Work limits in pivots and queries instead of seconds, so that the answer is the same on every machine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::layer::Layer;

/// The reason why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GaveUp {
    /// The limit of the query or of the whole search is reached.
    Pivots,
    /// A number does not fit in 128 bits.
    Numbers,
    /// The caller asked the search to stop.
    Interrupted,
}

/// Counts the work of a search on one protocol, and caches the ranks of stages.
#[derive(Debug)]
pub(crate) struct ProofWork {
    /// The number of pivots so far.
    pub(crate) pivots: u64,
    /// The number of tableau entries that these pivots processed, which measures their cost.
    pub(crate) entries: u64,
    /// The number of queries so far.
    pub(crate) queries: u64,
    /// The cached ranks, by the set of live transitions.
    pub(crate) ranks: BTreeMap<Vec<bool>, Option<Layer>>,
    limit: u64,
    /// The limit of the current query, in pivots.
    query_limit: u64,
    stop: Arc<AtomicBool>,
}

impl ProofWork {
    pub(crate) fn new(limit: u64, stop: Arc<AtomicBool>) -> Self {
        Self { pivots: 0, entries: 0, queries: 0, ranks: BTreeMap::new(), limit, query_limit: u64::MAX, stop }
    }

    /// Begins a query that may take `limit` pivots.
    pub(crate) fn begin_query(&mut self, limit: u64) {
        self.queries += 1;
        self.query_limit = self.pivots.saturating_add(limit);
    }

    /// Counts other work as this number of entries.
    pub(crate) fn spend(&mut self, entries: u64) -> Result<(), GaveUp> {
        self.entries += entries;
        self.check()
    }

    /// Counts a pivot that processed this number of entries.
    pub(crate) fn pivot(&mut self, entries: u64) -> Result<(), GaveUp> {
        self.pivots += 1;
        self.entries += entries.max(64);
        if self.entries > self.limit || self.pivots > self.query_limit {
            return Err(GaveUp::Pivots);
        }
        self.check()
    }

    /// The flag that is set when the caller asks to stop.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Returns an error if the work limit is reached or the caller asked to stop.
    pub(crate) fn check(&self) -> Result<(), GaveUp> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(GaveUp::Interrupted);
        }
        if self.entries > self.limit { Err(GaveUp::Pivots) } else { Ok(()) }
    }
}
