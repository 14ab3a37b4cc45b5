//! Cancellation of a round between its parts.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Lets a caller end a round early. The round calls `goes_on` before each part of about ten thousand nodes, and starts
/// no further part after the first `false`.
///
/// The calls may come from any thread at any time, so which parts of a cancelled round were run depends on timing. A
/// round that was not cancelled does not depend on the calls.
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

    /// Whether the round was cancelled: some part was not run.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut.load(Relaxed)
    }

    /// The number of turns that were not run.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out.load(Relaxed)
    }

    /// Asks whether a part of this many turns may run. If not, marks the round as cancelled and counts the turns as
    /// left out, so call this once per part.
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
    /// A cancellation that never cancels a round.
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
