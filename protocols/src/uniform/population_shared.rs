//! One run on several threads: some threads draw the skeletons of the next epochs, and one thread assigns states.

use super::blocks::SHARED_FROM;
use super::cost::{Costs, Mode};
use super::population::Population;

/// The amount of work that is handed to other threads at once, in nanoseconds. It is large enough for a small overhead,
/// and small enough that threads wait only briefly for its completion.
const ORDER: f64 = 1e6;

/// The largest number of such portions of work whose skeletons are not evaluated yet. One portion is drawn while the
/// previous one is evaluated.
const ORDERS: u64 = 3;

impl Population {
    /// Whether a run of this many agents uses several threads, which are those of the current pool.
    #[must_use]
    pub fn uses_threads(agents: u64) -> bool {
        agents >= SHARED_FROM as u64
    }

    fn is_shared(&self) -> bool {
        Self::uses_threads(self.agents) && rayon::current_num_threads() > 1
    }

    /// Orders the skeletons of epochs after the next one, if several threads share the work. This does not change the
    /// result of the run.
    pub(super) fn order_ahead(&mut self, costs: &Costs, mode: Mode, interactions: u64, limit: u64) {
        if !self.is_shared() {
            return;
        }
        let some = (ORDER / (costs.of(mode) * interactions as f64)).clamp(1.0, 4096.0) as u64;
        // A long run that is observed in between mostly continues. With orders beyond the bound, no thread waits for
        // skeletons at the start of the next part. At the end of the run some are discarded.
        let all = if self.epochs > 2 * ORDERS * some {
            u64::MAX
        } else {
            limit.saturating_sub(self.computed).div_ceil(interactions) - 1
        };
        loop {
            let ahead = self.ahead.len() as u64;
            let count = some.min(all.saturating_sub(ahead));
            if count == 0 || ahead + some > ORDERS * some {
                return;
            }
            let mut first = self.wanted(interactions);
            first.number += 1 + ahead;
            self.ahead.order(first, count as usize);
        }
    }
}
