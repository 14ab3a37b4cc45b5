//! Pairs within a strip, drawn in the lanes of vectors with one word per interaction.
//!
//! Each lane has its own generator (xoshiro128++; Blackman, Vigna 2021), restarted in every frame. The upper half of
//! the product of a word with the number of directed edges of a column selects one of them. The lower half, times the
//! number of columns, selects the column in the same way. The lower half of this second product decides whether the
//! word is one of the few that must be rejected for uniformity (Lemire 2019). Such a pair is drawn again, from separate
//! words.

use acrasin_engine::{Kernel, Vectors, run_widest};

use super::super::draws::RandomWords;
use super::super::urn::UrnStream;
use super::shape::StripShape;

/// The number of words that are drawn side by side, which take 512 bits together.
pub(super) const GROUP: usize = 16;

/// The distribution of the interacting pairs of a strip.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairLaw<'a> {
    shape: &'a StripShape,
    /// The number of edges of a column, in both directions.
    directed: u32,
    /// Words with a last part below this are rejected.
    uneven: u32,
}

impl<'a> PairLaw<'a> {
    pub(super) fn new(shape: &'a StripShape, height: u32) -> Self {
        let directed = 2 * shape.slots(height);
        let all = directed.checked_mul(shape.width).expect("a strip fits a cache");
        Self { shape, directed, uneven: all.wrapping_neg() % all }
    }

    /// The pair selected by a word, and whether the word is accepted.
    fn of(&self, word: u32) -> ([u32; 2], bool) {
        let scaled = |word: u32, bound: u32| {
            let product = u64::from(word) * u64::from(bound);
            ((product >> 32) as u32, product as u32)
        };
        let (slot, rest) = scaled(word, self.directed);
        let (column, rest) = scaled(rest, self.shape.width);
        let [u, v] = self.shape.ends(self.shape.is_ring(), slot >> 1, column);
        (if slot & 1 == 0 { [u, v] } else { [v, u] }, rest >= self.uneven)
    }

    /// Draws pair `index` of `words` again, from a separate stream.
    #[cold]
    fn again(&self, words: RandomWords, index: usize) -> [u32; 2] {
        let words = words.part(index as u64);
        (0..)
            .map(|attempt| self.of((words.word(attempt) >> 32) as u32))
            .find_map(|(pair, is_even)| is_even.then_some(pair))
            .expect("most words are even")
    }
}

/// The generators of the lanes.
fn lanes(words: RandomWords) -> [[u32; GROUP]; 4] {
    let mut lanes = [[0; GROUP]; 4];
    for lane in 0..GROUP {
        let half = |half: u64| words.word(2 * lane as u64 + half);
        // The one state in 2^128 from which the generator does not move is replaced.
        let stream = UrnStream::from_state(u128::from(half(1)) << 64 | u128::from(half(0)));
        for (lanes, word) in lanes.iter_mut().zip(stream.unwrap_or(UrnStream([1, 2, 3, 4])).0) {
            lanes[lane] = word;
        }
    }
    lanes
}

/// Draws the first pairs of `words`, in whole groups.
pub(super) fn draw(law: &PairLaw<'_>, words: RandomWords, pairs: &mut [[u32; 2]], vectors: Vectors) {
    let (groups, rest) = pairs.as_chunks_mut::<GROUP>();
    assert!(rest.is_empty(), "whole groups");
    if law.shape.is_ring() {
        run_widest(vectors, Draw::<true> { law, words, groups });
    } else {
        run_widest(vectors, Draw::<false> { law, words, groups });
    }
}

struct Draw<'a, const IS_RING: bool> {
    law: &'a PairLaw<'a>,
    words: RandomWords,
    groups: &'a mut [[[u32; 2]; GROUP]],
}

impl<const IS_RING: bool> Kernel for Draw<'_, IS_RING> {
    type Output = ();

    /// Applies [`PairLaw::of`] to all lanes at once; only rejected words, which are rare, need a branch.
    #[inline(always)]
    fn run(self) {
        let Self { law, words, groups } = self;
        let (directed, width, uneven) = (law.directed, law.shape.width, law.uneven);
        let mut streams = lanes(words);
        for (number, group) in groups.iter_mut().enumerate() {
            let mut drawn = [0; GROUP];
            for lane in 0..GROUP {
                let mut stream = UrnStream(std::array::from_fn(|word| streams[word][lane]));
                drawn[lane] = stream.word();
                for (words, word) in streams.iter_mut().zip(stream.0) {
                    words[lane] = word;
                }
            }
            let (mut slots, mut columns, mut rests) = ([0; HALF], [0; HALF], [0; HALF]);
            for (half, word) in two_by_two(drawn).into_iter().enumerate() {
                // Vector instructions multiply 32 bits of every other lane.
                let [even, odd] = [word & LOWER, word >> 32].map(|word| word * u64::from(directed));
                slots[half] = even >> 32 | odd & !LOWER;
                let [even, odd] = [even, odd].map(|rest| (rest & LOWER) * u64::from(width));
                columns[half] = even >> 32 | odd & !LOWER;
                rests[half] = even & LOWER | odd << 32;
            }
            let [slots, columns, rests] = [slots, columns, rests].map(one_by_one);
            let (mut initiators, mut responders) = ([0; GROUP], [0; GROUP]);
            let mut unevens = false;
            for lane in 0..GROUP {
                let slot = slots[lane];
                let [u, v] = law.shape.ends(IS_RING, slot >> 1, columns[lane]);
                (initiators[lane], responders[lane]) = if slot & 1 == 0 { (u, v) } else { (v, u) };
                unevens |= rests[lane] < uneven;
            }
            for lane in 0..GROUP {
                group[lane] = [initiators[lane], responders[lane]];
            }
            if unevens {
                for lane in (0..GROUP).filter(|&lane| rests[lane] < uneven) {
                    group[lane] = law.again(words, number * GROUP + lane);
                }
            }
        }
    }
}

const HALF: usize = GROUP / 2;
const LOWER: u64 = u32::MAX as u64;

/// Combines the words of each two neighbouring lanes into one word of 64 bits, with the word of the even lane in the
/// lower half.
#[inline(always)]
fn two_by_two(words: [u32; GROUP]) -> [u64; HALF] {
    std::array::from_fn(|half| u64::from(words[2 * half]) | u64::from(words[2 * half + 1]) << 32)
}

#[inline(always)]
fn one_by_one(words: [u64; HALF]) -> [u32; GROUP] {
    std::array::from_fn(|lane| (words[lane / 2] >> (lane % 2 * 32)) as u32)
}

#[cfg(test)]
mod tests {
    use super::super::super::draws::StreamPurpose;
    use super::super::super::torus_shape::TorusShape;
    use super::*;

    /// The pairs of vectors of every width equal those of single words, for strips of several sizes, and for bounds so
    /// large that many words are rejected. Accepting these, or drawing again from the words of another pair, would be
    /// detected.
    #[test]
    fn pairs_in_lanes_are_those_of_one_word_after_the_other() {
        let shapes = [
            (TorusShape::Torus { rows: 64, columns: 64 }, 1024),
            (TorusShape::Torus { rows: 2100, columns: 2000 }, 1 << 18),
            (TorusShape::Torus { rows: 4, columns: 1 << 20 }, 1 << 22),
            (TorusShape::Torus { rows: 40_000, columns: 20_000 }, 1 << 29),
            (TorusShape::Ring { nodes: 1 << 20 }, 1 << 18),
            (TorusShape::Ring { nodes: (1 << 30) + 12_345 }, 1 << 29),
        ];
        for (torus, size) in shapes {
            let shape = StripShape::new(torus, size);
            let law = PairLaw::new(&shape, shape.height(0));
            let (mut taken, mut shifted) = (0, 0);
            for seed in 0..20 {
                let words = RandomWords::new(seed, StreamPurpose::StripPairs, 0).part(3);
                let mut known = vec![[0; 2]; 4096];
                let lanes = lanes(words);
                let streams: [_; GROUP] =
                    std::array::from_fn(|lane| UrnStream(std::array::from_fn(|word| lanes[word][lane])));
                for (lane, mut stream) in streams.into_iter().enumerate() {
                    for place in (lane..known.len()).step_by(GROUP) {
                        let (pair, is_even) = law.of(stream.word());
                        known[place] = if is_even { pair } else { law.again(words, place) };
                        taken += usize::from(!is_even && known[place] != pair);
                        shifted += usize::from(!is_even && known[place] != law.again(words, place + 1));
                    }
                }
                for vectors in [Vectors::Portable, Vectors::Avx2, Vectors::Avx512] {
                    for count in [GROUP, 4096] {
                        let mut pairs = vec![[0; 2]; count];
                        draw(&law, words, &mut pairs, vectors);
                        assert!(pairs == known[..count], "{torus:?} in strips of {size}, {vectors:?}");
                    }
                }
            }
            assert!(size < 1 << 28 || (taken > 100 && shifted > 100), "{torus:?}: {taken}, {shifted}");
        }
    }

    /// Every pair has the same number of accepted words: over all words of few bits, scaled up, counts are equal.
    #[test]
    fn even_words_are_as_many_for_each_pair() {
        let shape = StripShape::new(TorusShape::Torus { rows: 6, columns: 3 }, 9);
        let law = PairLaw::new(&shape, shape.height(0));
        let all = u64::from(law.directed) * u64::from(shape.width);
        // The step between words is below the interval of a pair, so counts differ only by the ends of the interval.
        let each = (1_u64 << 32) / all;
        let step = (each / 1000) as u32;
        let mut seen = std::collections::BTreeMap::new();
        let mut word = 0_u32;
        loop {
            let (pair, is_even) = law.of(word);
            *seen.entry(pair).or_insert(0_u64) += u64::from(is_even);
            let Some(next) = word.checked_add(step) else { break };
            word = next;
        }
        assert_eq!(seen.len() as u64, all);
        let [least, most] = [seen.values().min(), seen.values().max()].map(|count| *count.expect("pairs"));
        assert!(most - least <= 2 && least >= 999, "{least} to {most}");
    }
}
