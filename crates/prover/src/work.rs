//! Work limits in pivots and queries instead of seconds, so that the answer is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::format::CertificateFormat;
use crate::layer::Layer;

/// A limit that kept the search from an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReachedLimit {
    /// A number of the simplex does not fit in 128 bits.
    Numbers,
    /// The tableau entries of the whole search, [`ProofLimits::entries`](crate::ProofLimits::entries).
    Entries,
    /// The pivots of one query.
    Pivots,
    /// The case splits of one query on fractional values.
    Splits,
    /// The nodes of the tree of one side.
    Nodes,
    /// The sets of transitions tried for a layer.
    Layers,
    /// The entry and exit lemmas of one side.
    Lemmas,
    /// The configurations explored from a candidate for a wrong end.
    Candidates,
}

impl fmt::Display for ReachedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Numbers => "numbers exceed 128 bits",
            Self::Entries => "the search used up its work",
            Self::Pivots => "a query used up its pivots",
            Self::Splits => "a query used up its case splits",
            Self::Nodes => "the tree used up its nodes",
            Self::Layers => "the search for layers used up its tries",
            Self::Lemmas => "a side used up its entry and exit lemmas",
            Self::Candidates => "a candidate for a wrong end is too large to explore",
        })
    }
}

/// The reason why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum GaveUp {
    /// A limit of the search is reached.
    Limit(ReachedLimit),
    /// The caller asked the search to stop.
    Interrupted,
}

impl GaveUp {
    pub(crate) fn limit(self) -> Option<ReachedLimit> {
        match self {
            Self::Limit(limit) => Some(limit),
            Self::Interrupted => None,
        }
    }
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
    /// The limits reached since the last step of the tree, without which the next step might have been found.
    pub(crate) reached: BTreeSet<GaveUp>,
    /// The lemmas that certificates may use.
    pub(crate) format: CertificateFormat,
    limit: u64,
    /// The limit of the current query, in pivots.
    query_limit: u64,
    stop: Arc<AtomicBool>,
}

impl ProofWork {
    pub(crate) fn new(limit: u64, stop: Arc<AtomicBool>) -> Self {
        Self {
            pivots: 0,
            entries: 0,
            queries: 0,
            ranks: BTreeMap::new(),
            reached: BTreeSet::new(),
            format: CertificateFormat::default(),
            limit,
            query_limit: u64::MAX,
            stop,
        }
    }

    /// Notes a limit that ends a part of the search but not the search itself.
    pub(crate) fn reach(&mut self, limit: ReachedLimit) {
        self.reached.insert(GaveUp::Limit(limit));
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
        if self.pivots > self.query_limit && self.entries <= self.limit {
            return Err(GaveUp::Limit(ReachedLimit::Pivots));
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
        if self.entries > self.limit { Err(GaveUp::Limit(ReachedLimit::Entries)) } else { Ok(()) }
    }
}
