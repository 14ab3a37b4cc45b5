//! One run on several threads: some draw who meets whom in the next epochs, another one deals states out.

use super::ahead::draw_all;
use super::blocks::SHARED_FROM;
use super::cost::{Costs, Mode};
use super::epoch::Evaluation;
use super::population::Population;
use super::skeleton::Wanted;

/// How many nanoseconds of work are drawn ahead at a time.
const BATCH: f64 = 2e6;

impl Population {
    /// Whether so many agents give work to several threads: the threads of the current pool share it.
    #[must_use]
    pub fn uses_threads(agents: u64) -> bool {
        agents >= SHARED_FROM as u64
    }

    pub(super) fn is_shared(&self) -> bool {
        Self::uses_threads(self.agents)
            && matches!(self.mode, Mode::Epochs | Mode::ShuffledEpochs)
            && rayon::current_num_threads() > 1
    }

    /// Calls `evaluate`, which has some epochs drawn ahead, while other threads draw some of those that come after. What it
    /// does is the same without.
    pub(super) fn with_skeletons_ahead<R>(&mut self, limit: u64, evaluate: impl FnOnce(&mut Self) -> R) -> R {
        let costs = Costs::new(self.agents, &self.computed_counts, &self.rules);
        let interactions = costs.epoch(match self.mode {
            Mode::ShuffledEpochs => Evaluation::Shuffle,
            _ => Evaluation::Table,
        });
        // Long enough that threads which wait for each other once cost little; a few hundred kilobytes.
        let some = (BATCH / (costs.of(self.mode) * interactions as f64)).clamp(1.0, 4096.0) as u64;
        let all = (limit - self.computed).div_ceil(interactions);
        self.ahead.keep(self.wanted(interactions));
        if self.ahead.len() == 0 {
            let mut first = self.ahead.blank(some.min(all) as usize);
            draw_all(&mut first, self.wanted(interactions));
            self.ahead.add(first);
        }
        let ready = self.ahead.len() as u64;
        // A long run that is looked at in between goes on, mostly: then nobody waits for skeletons at the start of each part. At the
        // end of the run some are of no use.
        let further = if self.epochs > 2 * some { u64::MAX } else { all - ready.min(all) };
        let mut next = self.ahead.blank(further.min(some - some.min(ready.saturating_sub(all))) as usize);
        let wanted = Wanted { number: self.epochs + ready, ..self.wanted(interactions) };
        let done = rayon::in_place_scope(|scope| {
            if !next.is_empty() {
                scope.spawn(|_| draw_all(&mut next, wanted));
            }
            evaluate(self)
        });
        // Unless states died out on the way, and epochs have another length.
        if self.epochs + self.ahead.len() as u64 == wanted.number {
            self.ahead.add(next);
        }
        done
    }
}
