//! Cancellation of a round between its parts.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Lets a caller cut a round short. The round calls `goes_on` before each part of some ten thousand nodes, and runs no
/// further part after the first `false`.
///
/// Calls may come at any time and on any thread, so which part of a cut round has run depends on the clock. A round
/// that is not cut does not depend on the calls.
///
/// ```
/// use acrasin_engine::RoundCancellation;
/// assert!(!RoundCancellation::never().is_cut());
/// ```
pub struct RoundCancellation<'a> {
    goes_on: &'a (dyn Fn() -> bool + Sync),
    is_cut: AtomicBool,
    left_out: AtomicU64,
}

impl<'a> RoundCancellation<'a> {
    /// Creates a cancellation that calls `goes_on`, on any thread of the pool.
    #[must_use]
    pub const fn new(goes_on: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { goes_on, is_cut: AtomicBool::new(false), left_out: AtomicU64::new(0) }
    }

    /// Whether a part of the round was left out.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut.load(Relaxed)
    }

    /// The number of omitted turns.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out.load(Relaxed)
    }

    /// Whether a part of this many turns may run.
    pub(crate) fn begins(&self, turns: u64) -> bool {
        if !self.is_cut() && (self.goes_on)() {
            return true;
        }
        self.is_cut.store(true, Relaxed);
        self.left_out.fetch_add(turns, Relaxed);
        false
    }
}

impl RoundCancellation<'static> {
    /// Never cuts a round.
    #[must_use]
    pub const fn never() -> Self {
        Self::new(&|| true)
    }
}

impl fmt::Debug for RoundCancellation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoundCancellation").field("is_cut", &self.is_cut()).finish_non_exhaustive()
    }
}
