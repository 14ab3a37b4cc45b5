//! [`Tape`]: the stream of picks of a run.

use std::num::NonZeroU32;

use acrasin_runtime::{Choices, Decision, Seeded};

/// Picks drawn from a seed and recorded, or given as a list.
///
/// Any list determines a run, as shrinking needs: each pick is reduced modulo its bound, and after the end of the list
/// the picks are 0, 1, 2, ... If all of these were 0, a scheduler that rejects a pick and draws again would never stop.
/// A choice with only one option consumes no pick.
#[derive(Debug)]
pub(super) struct Tape<'a> {
    source: TapeSource<'a>,
    used: usize,
}

#[derive(Debug)]
enum TapeSource<'a> {
    Drawn { seeded: Box<Seeded>, picks: Vec<u32> },
    Given(&'a [u32]),
}

impl<'a> Tape<'a> {
    pub(super) fn drawn(seed: u64) -> Self {
        Self { source: TapeSource::Drawn { seeded: Box::new(Seeded::new(seed)), picks: Vec::new() }, used: 0 }
    }

    pub(super) fn given(picks: &'a [u32]) -> Self {
        Self { source: TapeSource::Given(picks), used: 0 }
    }

    /// The number of picks made so far.
    pub(super) fn used(&self) -> usize {
        match &self.source {
            TapeSource::Drawn { picks, .. } => picks.len(),
            TapeSource::Given(_) => self.used,
        }
    }

    /// Whether the list of picks is used up. Always false for drawn picks.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.source, TapeSource::Given(picks) if self.used >= picks.len())
    }

    /// The picks made, reduced modulo their bounds; for a list, without its unused end.
    pub(super) fn into_picks(self) -> Vec<u32> {
        match self.source {
            TapeSource::Drawn { picks, .. } => picks,
            TapeSource::Given(picks) => picks[..self.used.min(picks.len())].to_vec(),
        }
    }
}

impl Choices for Tape<'_> {
    #[inline]
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        if bound.get() == 1 {
            return 0;
        }
        match &mut self.source {
            TapeSource::Drawn { seeded, picks } => {
                let pick = seeded.pick(bound, why);
                picks.push(pick);
                pick
            }
            TapeSource::Given(picks) => {
                let after_end = self.used.wrapping_sub(picks.len()) as u32;
                let pick = picks.get(self.used).copied().unwrap_or(after_end);
                self.used += 1;
                pick % bound
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    #[test]
    fn drawn_picks_are_the_same_when_given() {
        let mut drawn = Tape::drawn(4);
        let first: Vec<u32> = (1..40).map(|n| drawn.pick(bound(n), Decision::Action)).collect();
        assert!(!drawn.is_over());
        let picks = drawn.into_picks();
        assert_eq!(picks.len(), 38); // The bound 1 takes no pick.
        let mut given = Tape::given(&picks);
        let second: Vec<u32> = (1..40).map(|n| given.pick(bound(n), Decision::Action)).collect();
        assert_eq!(first, second);
        assert!(given.is_over());
    }

    #[test]
    fn any_list_is_a_stream() {
        let mut tape = Tape::given(&[7, 9]);
        assert_eq!(tape.pick(bound(5), Decision::Action), 2);
        assert_eq!(tape.pick(bound(1), Decision::Action), 0);
        assert!(!tape.is_over());
        assert_eq!(tape.pick(bound(10), Decision::Action), 9);
        assert!(tape.is_over());
        let after: Vec<u32> = (0..4).map(|_| tape.pick(bound(3), Decision::Action)).collect();
        assert_eq!(after, [0, 1, 2, 0]);
    }
}
