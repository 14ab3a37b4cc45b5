//! Rounds of many nodes that can be ended in the middle.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A question that a round asks between its parts, some ten thousand nodes each: whether it goes on. After the first no
/// nothing more of the round is begun.
///
/// Answers may come at any time and on any thread: what a cut round has done depends on the clock. A round that is not
/// cut is the same with and without the question.
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
    /// Asks `goes_on`, on every thread of the pool.
    #[must_use]
    pub const fn new(goes_on: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { goes_on, is_cut: AtomicBool::new(false), left_out: AtomicU64::new(0) }
    }

    /// Whether something was left out.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut.load(Relaxed)
    }

    /// The number of omitted turns.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out.load(Relaxed)
    }

    /// Whether a part of so many turns is begun.
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
    /// Lets every round go on to its end.
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
