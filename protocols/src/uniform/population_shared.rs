//! One run on several threads: some draw the skeletons of the next epochs, another one deals out states.

use super::blocks::SHARED_FROM;
use super::cost::{Costs, Mode};
use super::population::Population;

/// The work that is handed to other threads at a time, in nanoseconds. It is enough that the overhead is small, and
/// little enough that threads wait for its end only briefly.
const ORDER: f64 = 1e6;

/// The largest number of portions of such work that are not evaluated yet. One is drawn while the one before is
/// evaluated.
const ORDERS: u64 = 3;

impl Population {
    /// Whether this many agents occupy several threads: the threads of the current pool share the work.
    #[must_use]
    pub fn uses_threads(agents: u64) -> bool {
        agents >= SHARED_FROM as u64
    }

    fn is_shared(&self) -> bool {
        Self::uses_threads(self.agents) && rayon::current_num_threads() > 1
    }

    /// Orders skeletons of epochs that come after the next one, if several threads share the work. The result of the
    /// run does not depend on it.
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
