//! Random draws whose state can be saved, and continued in another process.

use std::convert::Infallible;
use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision, derived_seed};
use rand::{RngExt as _, SeedableRng as _, TryRng};
use rand_pcg::Pcg64;

/// A random generator that counts the words that it has produced. Seed and count determine its state.
#[derive(Clone, Debug)]
struct CountingGenerator {
    words: u64,
    generator: Pcg64,
}

impl CountingGenerator {
    fn new(seed: u64, words: u64) -> Self {
        let mut generator = Pcg64::seed_from_u64(seed);
        generator.advance(words.into());
        Self { words, generator }
    }
}

impl TryRng for CountingGenerator {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.words += 1;
        self.generator.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.words += 1;
        self.generator.try_next_u64()
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Infallible> {
        for chunk in target.chunks_mut(8) {
            let word = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

/// The draws of a population, from three streams with separate purposes.
#[derive(Clone, Debug)]
pub(crate) struct PyDraws {
    seed: u64,
    /// The streams for initiators, responders and outcomes.
    streams: [CountingGenerator; 3],
    /// The last initiator and the last responder drawn.
    last: [u32; 2],
    /// Whether the next draw of an initiator, and of a responder, returns the last one again.
    again: [bool; 2],
}

/// The saved state of the draws: the seed, the number of words of each stream, the last pair, and whether it is
/// returned again.
pub(crate) type SavedDraws = [u64; 7];

impl PyDraws {
    pub(crate) fn new(seed: u64) -> Self {
        Self::restore([seed, 0, 0, 0, 0, 0, 0])
    }

    /// Makes the next draws return the last pair again, because its interaction did not happen.
    pub(crate) fn meet_again(&mut self) {
        self.again = [true; 2];
    }

    pub(crate) fn save(&self) -> SavedDraws {
        let words = self.streams.each_ref().map(|stream| stream.words);
        let last = self.last.map(u64::from);
        [self.seed, words[0], words[1], words[2], last[0], last[1], self.again[0].into()]
    }

    pub(crate) fn restore([seed, first, second, third, began, met, again]: SavedDraws) -> Self {
        let stream = |number: u64, words| CountingGenerator::new(derived_seed(seed, number), words);
        Self {
            seed,
            streams: [stream(0, first), stream(1, second), stream(2, third)],
            last: [began as u32, met as u32],
            again: [again != 0; 2],
        }
    }
}

impl Choices for PyDraws {
    #[inline]
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        let purpose = match why {
            Decision::Activation => 0,
            Decision::Partner => 1,
            _ => return self.streams[2].random_range(0..bound.get()),
        };
        if std::mem::take(&mut self.again[purpose]) {
            // Saved bytes can have any value.
            return self.last[purpose].min(bound.get() - 1);
        }
        let pick = self.streams[purpose].random_range(0..bound.get());
        self.last[purpose] = pick;
        pick
    }
}
