//! Shrinks the stream of picks of a failing run.

use super::run::run_with;
use super::{FailureKind, SwarmPlan, Swarmed, SystemUnderTest};

/// The work limits of shrinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The approximate number of steps in all runs that shrink the stream of picks.
    pub stream_steps: u64,
    /// The approximate number of steps in all runs that shorten the list of steps.
    pub list_steps: u64,
}

/// The default limits take at most a few seconds. Most failures need a tenth of that.
impl Default for Effort {
    fn default() -> Self {
        Self { stream_steps: 2_000_000, list_steps: 4_000_000 }
    }
}

struct StreamShrinker<'a, E: Swarmed> {
    subject: &'a SystemUnderTest<E>,
    plan: &'a SwarmPlan,
    kind: &'a FailureKind,
    steps_left: u64,
    /// Whether to try further candidates.
    goes_on: &'a dyn Fn() -> bool,
    best: Vec<u32>,
    /// The index of the first pick of each turn in the best stream.
    turn_starts: Vec<usize>,
}

/// Shrinks `picks` to a stream with which `plan` still fails as `kind`: not longer, and with smaller numbers. `None` if
/// `picks` does not fail in this way.
pub(super) fn shrink_stream<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    plan: &SwarmPlan,
    picks: &[u32],
    kind: &FailureKind,
    (effort, goes_on): (Effort, &dyn Fn() -> bool),
) -> Option<Vec<u32>> {
    let steps_left = effort.stream_steps.max(1);
    let mut search = StreamShrinker {
        subject,
        plan,
        kind,
        steps_left,
        goes_on,
        best: Vec::new(),
        turn_starts: Vec::new(),
    };
    if !search.fails(picks) {
        return None;
    }
    search.cut_end();
    search.delete_turns();
    search.zero_chunks();
    search.delete_turns();
    search.delete_chunks();
    search.lower();
    Some(search.best)
}

impl<E: Swarmed> StreamShrinker<'_, E> {
    /// Runs a candidate, which must be simpler than the best so far, and keeps it if it fails in the same way.
    fn fails(&mut self, candidate: &[u32]) -> bool {
        if self.steps_left == 0 {
            return false;
        }
        let run = run_with(self.subject, self.plan, candidate);
        self.steps_left = self.steps_left.saturating_sub(run.figures.steps.max(1));
        if !(self.goes_on)() {
            self.steps_left = 0;
        }
        let fails = run.failure.is_some_and(|failure| failure.kind() == *self.kind);
        if fails {
            // The run's own picks lack the unused end.
            (self.best, self.turn_starts) = (run.picks, run.turn_starts);
        }
        fails
    }

    /// Tries to cut off the end of the stream, which ends the first phase sooner.
    fn cut_end(&mut self) {
        let mut step = self.best.len() / 2;
        while step > 0 && self.steps_left > 0 && !self.best.is_empty() {
            let keep = self.best.len().saturating_sub(step);
            let candidate = self.best[..keep].to_vec();
            if !self.fails(&candidate) {
                step /= 2;
            }
        }
    }

    /// Tries to remove whole turns, so that the following picks keep their meaning.
    fn delete_turns(&mut self) {
        for size in halves(self.turn_starts.len()) {
            let mut end = self.turn_starts.len();
            while end > 0 && self.steps_left > 0 {
                let start = end.saturating_sub(size);
                let to = self.turn_starts.get(end).map_or(self.best.len(), |&to| to);
                let mut candidate = self.best.clone();
                candidate.drain(self.turn_starts[start].min(to)..to);
                self.fails(&candidate);
                end = start.min(self.turn_starts.len());
            }
        }
    }

    fn delete_chunks(&mut self) {
        for size in halves(self.best.len()) {
            let mut end = self.best.len();
            while end > 0 && self.steps_left > 0 {
                let start = end.saturating_sub(size);
                let mut candidate = self.best.clone();
                candidate.drain(start..end);
                self.fails(&candidate);
                end = start.min(self.best.len());
            }
        }
    }

    fn zero_chunks(&mut self) {
        for size in halves(self.best.len()) {
            let mut end = self.best.len();
            while end > 0 && self.steps_left > 0 {
                let start = end.saturating_sub(size);
                let mut candidate = self.best.clone();
                let chunk = &mut candidate[start..end];
                if chunk.iter().any(|&pick| pick != 0) {
                    chunk.fill(0);
                    self.fails(&candidate);
                }
                end = start.min(self.best.len());
            }
        }
    }

    fn lower(&mut self) {
        let mut index = 0;
        while index < self.best.len() && self.steps_left > 0 {
            let mut candidate = self.best.clone();
            candidate[index] /= 2;
            if self.best[index] == 0 || !self.fails(&candidate) {
                index += 1;
            }
        }
    }
}

/// Half of `len`, a quarter, ... down to 1; empty for 0.
pub(super) fn halves(len: usize) -> impl Iterator<Item = usize> {
    let first = (len > 0).then_some((len / 2).max(1));
    std::iter::successors(first, |&size| (size > 1).then_some(size / 2))
}

#[cfg(test)]
mod tests {
    use super::halves;

    #[test]
    fn sizes_end_at_one() {
        assert_eq!(halves(0).count(), 0);
        assert!(halves(1).eq([1]));
        assert!(halves(13).eq([6, 3, 1]));
    }
}
