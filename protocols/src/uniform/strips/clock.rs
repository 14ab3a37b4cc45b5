//! When interactions happen: every edge has a clock of rate 1 of its own.
//!
//! Independent exponential clocks ring in the order of the uniform scheduler, so the law is that of drawing edges one by one;
//! but what happens in one strip is drawn without a look at the others. Time is cut into *frames* of [`TICKS`] *ticks*. A
//! strip has a Poisson number of interactions in a tick. The times of these are independent and uniform in the tick; only
//! where another strip or a seam is compared with are they drawn. A seam has a Poisson number of interactions in a frame,
//! each with its time.

use acrasin_engine::{Kernel, Vectors, run_widest};

use super::super::draws::{Purpose, Words};
use super::poisson::Poisson;
use super::shape::StripShape;

/// Ticks of a frame: the upper bits of a time.
pub(super) const TICKS: usize = 1 << TICK_BITS;
const TICK_BITS: u32 = 6;

/// Interactions that the tallest strip has in a tick on average: so few that comparing times with all of them costs little,
/// and so many that drawing their number does.
const MEAN: u64 = 32;

/// An interaction across a seam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// In the frame: the tick, and the time in it.
    time: u64,
    /// Two times the column, plus 1 if the agent below starts.
    pub(super) place: u32,
}

impl Crossing {
    pub(super) fn tick(self) -> usize {
        (self.time >> (64 - TICK_BITS)) as usize
    }

    pub(super) fn offset(self) -> u64 {
        self.time << TICK_BITS >> TICK_BITS
    }
}

/// The clocks of all edges.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    seed: u64,
    width: u32,
    least: u32,
    /// Interactions of a strip in a tick, by its rows more than the least.
    of_strip: Vec<Poisson>,
    /// Interactions of a seam in a frame.
    of_seam: Poisson,
}

impl Clock {
    pub(super) fn new(shape: &StripShape, seed: u64) -> Self {
        let [least, most] = shape.heights();
        let slots = |height| u64::from(shape.slots(height));
        let of_strip: Vec<_> =
            (least..=most).map(|height| Poisson::new(MEAN * slots(height), slots(most))).collect();
        assert!(of_strip.iter().all(|law| law.most() <= usize::from(u8::MAX)), "a tick is counted by a byte");
        let of_seam = Poisson::new(MEAN * TICKS as u64, slots(most));
        Self { seed, width: shape.width, least, of_strip, of_seam }
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Interactions of the tallest strip in a tick, on average.
    pub(super) fn mean(&self) -> f64 {
        MEAN as f64
    }

    /// Adds the numbers of interactions in the ticks of a frame.
    pub(super) fn ticks(&self, strip: usize, height: u32, frame: u64, ticks: &mut Vec<u8>) {
        let words = Words::new(self.seed, Purpose::StripTicks, strip as u64);
        let law = &self.of_strip[(height - self.least) as usize];
        let first = frame * TICKS as u64;
        ticks.extend((first..first + TICKS as u64).map(|tick| law.draw(words.word(tick)) as u8));
    }

    /// Adds the interactions across a seam in a frame, by time.
    pub(super) fn crossings(&self, seam: usize, frame: u64, crossings: &mut Vec<Crossing>) {
        let words = Words::new(self.seed, Purpose::Seams, seam as u64).part(frame);
        let from = crossings.len();
        let count = u64::from(self.of_seam.draw(words.word(0)));
        crossings.extend((1..=count).map(|number| {
            let place = below(2 * self.width, words.part(number));
            Crossing { time: words.word(number), place }
        }));
        crossings[from..].sort_unstable_by_key(|crossing| (crossing.time, crossing.place));
    }

    /// The times of the interactions of a strip in a tick, in no order.
    #[inline]
    pub(super) fn offsets(&self, strip: usize, frame: u64, tick: usize) -> impl Fn(u64) -> u64 + use<> {
        let tick = frame * TICKS as u64 + tick as u64;
        let words = Words::new(self.seed, Purpose::StripTimes, strip as u64).part(tick);
        move |number| words.word(number) >> TICK_BITS
    }

    /// Interactions `from..to` of a strip in a frame, as pairs of places in it. `room` is where they are put.
    pub(super) fn pairs<'a>(
        &self,
        shape: &StripShape,
        strip: usize,
        frame: u64,
        [from, to]: [u32; 2],
        room: &'a mut Vec<[u32; 2]>,
    ) -> &'a [[u32; 2]] {
        let words = Words::new(self.seed, Purpose::StripPairs, strip as u64).part(frame);
        let slots = shape.slots(shape.height(strip));
        // Two a word. An odd beginning or end: the other half of its word is drawn, and left out.
        let first = from / 2;
        room.resize(2 * (to.div_ceil(2) - first) as usize, [0; 2]);
        if shape.is_ring() {
            draw_pairs::<true>(words, shape, slots, first, room);
        } else if Vectors::widest() == Vectors::Avx512 {
            run_widest(Vectors::Avx512, TorusPairs { words, shape, slots, first, pairs: room });
        } else {
            draw_pairs::<false>(words, shape, slots, first, room);
        }
        &room[(from - 2 * first) as usize..(to - 2 * first) as usize]
    }
}

/// Two interactions a word, each a slot with a direction and a column: four products, each of a number and what is left of
/// the word, and the last rest says whether the word is one of the few that would make the law uneven.
fn draw_pairs<const IS_RING: bool>(
    words: Words,
    shape: &StripShape,
    slots: u32,
    first: u32,
    pairs: &mut [[u32; 2]],
) {
    let (directed, width) = (2 * u64::from(slots), u64::from(shape.width));
    let all = (directed * width) * (directed * width);
    let uneven = all.wrapping_neg() % all;
    for (pairs, index) in pairs.chunks_exact_mut(2).zip(u64::from(first)..) {
        let mut drawn = split::<IS_RING>(words.word(index), directed, width);
        if drawn.rest < uneven {
            drawn = split_again::<IS_RING>(words.part(index), directed, width, uneven);
        }
        for (pair, [slot, column]) in pairs.iter_mut().zip(drawn.edges) {
            let [u, v] = shape.ends(IS_RING, slot >> 1, column);
            let other_way = (u ^ v) & (slot & 1).wrapping_neg();
            *pair = [u ^ other_way, v ^ other_way];
        }
    }
}

/// Words of a torus that are split side by side.
const LANES: usize = 8;

/// [`draw_pairs`] on a torus for the lanes of vectors: the same pairs, by products of 32 bits.
struct TorusPairs<'a> {
    words: Words,
    shape: &'a StripShape,
    slots: u32,
    first: u32,
    pairs: &'a mut [[u32; 2]],
}

impl Kernel for TorusPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { words, shape, slots, first, pairs } = self;
        let (directed, width) = (2 * u64::from(slots), u64::from(shape.width));
        // A bound of 32 bits: a strip fits a cache.
        let all = (directed * width) * (directed * width);
        let uneven = all.wrapping_neg() % all;
        let (groups, rest) = pairs.as_chunks_mut::<{ 2 * LANES }>();
        let mut index = first;
        for group in groups {
            // Both agents of a pair in one word, so that a lane is a word throughout.
            let mut both = [[0_u64; LANES]; 2];
            let mut unevens = 0;
            for lane in 0..LANES {
                let mut word = words.word(u64::from(index) + lane as u64);
                for both in &mut both {
                    let (slot, left) = scaled(word, directed);
                    let (column, left) = scaled(left, width);
                    word = left;
                    // As [`StripShape::ends`] says.
                    let place = (slot >> 2) * width + column;
                    let right = if column + 1 == width { 1_u64.wrapping_sub(width) } else { 1 };
                    let other = place.wrapping_add(if slot & 2 == 0 { right } else { width });
                    both[lane] =
                        if slot & 1 == 0 { place | other << 32 } else { other & LOWER | place << 32 };
                }
                unevens |= u64::from(word < uneven);
            }
            if unevens != 0 {
                draw_pairs::<false>(words, shape, slots, index, group);
            } else {
                for lane in 0..LANES {
                    for (turn, both) in both.iter().enumerate() {
                        group[2 * lane + turn] = [both[lane] as u32, (both[lane] >> 32) as u32];
                    }
                }
            }
            index += LANES as u32;
        }
        draw_pairs::<false>(words, shape, slots, index, rest);
    }
}

const LOWER: u64 = u32::MAX as u64;

/// A word times a bound of at most 32 bits: what is above 64 bits, and what is left.
#[inline(always)]
fn scaled(word: u64, bound: u64) -> (u64, u64) {
    let low = (word & LOWER) * bound;
    let high = (word >> 32) * bound + (low >> 32);
    (high >> 32, high << 32 | low & LOWER)
}

#[cold]
fn split_again<const IS_RING: bool>(words: Words, directed: u64, width: u64, uneven: u64) -> Split {
    (0..)
        .map(|attempt| split::<IS_RING>(words.word(attempt), directed, width))
        .find(|drawn| drawn.rest >= uneven)
        .expect("few words are uneven")
}

struct Split {
    /// Slot times 2 plus direction, and column.
    edges: [[u32; 2]; 2],
    rest: u64,
}

#[inline(always)]
fn split<const IS_RING: bool>(word: u64, directed: u64, width: u64) -> Split {
    let mut rest = word;
    let mut below = |bound: u64| {
        let product = u128::from(rest) * u128::from(bound);
        rest = product as u64;
        (product >> 64) as u32
    };
    let mut edge = || {
        let slot = below(directed);
        [slot, if IS_RING { 0 } else { below(width) }]
    };
    let edges = [edge(), edge()];
    Split { edges, rest }
}

/// Uniform in `0..bound`, from as many words of the stream as it takes.
fn below(bound: u32, words: Words) -> u32 {
    let bound = u64::from(bound);
    let uneven = bound.wrapping_neg() % bound;
    (0..)
        .map(|attempt| u128::from(words.word(attempt)) * u128::from(bound))
        .find(|&product| product as u64 >= uneven)
        .map(|product| (product >> 64) as u32)
        .expect("one word in 2^32 is uneven")
}

#[cfg(test)]
mod tests {
    use acrasin_engine::{Vectors, run_widest};

    use super::super::super::draws::{Purpose, Words};
    use super::super::super::torus_shape::TorusShape;
    use super::{StripShape, TorusPairs, draw_pairs, scaled};

    /// The pairs of vectors of every width are those of one word after the other, for strips of several sizes, with beginnings
    /// and ends that fill no group; and for bounds so large that many words are uneven.
    #[test]
    fn pairs_in_lanes_are_those_of_one_word_after_the_other() {
        for (rows, columns, size) in
            [(64, 64, 1024), (2100, 2000, 1 << 18), (4, 1 << 20, 1 << 22), (1 << 15, 1 << 14, 1 << 28)]
        {
            let shape = StripShape::new(TorusShape::Torus { rows, columns }, size);
            let slots = shape.slots(shape.height(0));
            for seed in 0..20 {
                let words = Words::new(seed, Purpose::StripPairs, 0).part(3);
                for (first, count) in [(0, 0), (1, 2), (0, 16), (7, 30), (100, 4096)] {
                    let mut known = vec![[0; 2]; count];
                    draw_pairs::<false>(words, &shape, slots, first, &mut known);
                    for vectors in [Vectors::Portable, Vectors::Avx2, Vectors::Avx512] {
                        let mut pairs = vec![[0; 2]; count];
                        run_widest(
                            vectors,
                            TorusPairs { words, shape: &shape, slots, first, pairs: &mut pairs },
                        );
                        assert!(pairs == known, "{rows} x {columns}, {vectors:?}, from {first}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_product_by_halves_is_the_product() {
        for word in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef, 0xffff_ffff_0000_0001] {
            for bound in [1, 2, 4000, u64::from(u32::MAX)] {
                let product = u128::from(word) * u128::from(bound);
                assert_eq!(scaled(word, bound), ((product >> 64) as u64, product as u64));
            }
        }
    }
}
