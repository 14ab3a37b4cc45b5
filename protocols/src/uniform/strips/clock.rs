//! Times of interactions: every edge has its own clock of rate 1.
//!
//! The order in which independent exponential clocks ring has the distribution of the uniform scheduler, which draws
//! edges one by one. With clocks, the interactions in one strip are drawn independently of the other strips. Time is
//! divided into *frames* of [`TICKS`] *ticks*. A strip has a Poisson number of interactions in a tick, at independent,
//! uniform times. These times are drawn only if they must be compared with times of another strip or of a seam. A seam
//! has a Poisson number of interactions in a frame, each with its time.

use acrasin_engine::{Kernel, Vectors, run_widest};

use super::super::draws::{RandomWords, StreamPurpose};
use super::pairs::{GROUP, PairLaw, draw};
use super::poisson::Poisson;
use super::shape::StripShape;

/// The number of ticks of a frame. The upper bits of a time are its tick.
pub(super) const TICKS: usize = 1 << TICK_BITS;
const TICK_BITS: u32 = 6;

/// The mean number of interactions of the tallest strip in a tick. It is small enough that comparing a time with those
/// of all interactions in a tick is cheap. It is large enough that drawing their number is cheap per interaction.
const MEAN: u64 = 16;

/// An interaction across a seam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The time within the frame: the tick, and the offset in it.
    time: u64,
    /// Twice the column, plus 1 if the lower of the two agents is the initiator.
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

/// The times of a strip's interactions.
#[derive(Clone, Copy)]
pub(super) struct StripTimes(RandomWords);

impl StripTimes {
    /// The times within a tick, as offsets, in arbitrary order.
    pub(super) fn offsets(self, frame: u64, tick: usize) -> Offsets {
        Offsets(self.0.part(frame * TICKS as u64 + tick as u64))
    }
}

/// The times of a strip's interactions in a tick.
#[derive(Clone, Copy)]
pub(super) struct Offsets(RandomWords);

impl Offsets {
    #[inline(always)]
    pub(super) fn of(self, number: u64) -> u64 {
        self.0.word(number) >> TICK_BITS
    }

    /// The number of offsets, among the first `count`, that are not after `offset`.
    pub(super) fn until(self, offset: u64, count: u8) -> u32 {
        run_widest(Vectors::widest(), ClockBound { offsets: self, offset, count: count.into() })
    }
}

struct ClockBound {
    offsets: Offsets,
    offset: u64,
    count: u64,
}

impl Kernel for ClockBound {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        const LANES: u64 = 16;
        let Self { offsets, offset, count } = self;
        let mut until = [0; LANES as usize];
        for first in (0..count).step_by(LANES as usize) {
            for (lane, until) in (first..).zip(&mut until) {
                *until += u64::from(lane < count && offsets.of(lane) <= offset);
            }
        }
        until.iter().sum::<u64>() as u32
    }
}

/// The clocks of all edges, as distributions of the numbers of interactions.
#[derive(Clone, Debug)]
pub(super) struct EdgeClocks {
    seed: u64,
    width: u32,
    least: u32,
    /// The number of interactions of a strip in a tick, indexed by its number of rows minus that of the lowest strip.
    of_strip: Vec<Poisson>,
    /// The number of interactions of a seam in a frame.
    of_seam: Poisson,
}

impl EdgeClocks {
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

    /// The mean number of interactions of the tallest strip in a tick.
    pub(super) fn mean(&self) -> f64 {
        MEAN as f64
    }

    /// Appends the numbers of interactions of a strip in the ticks of a frame.
    pub(super) fn ticks(&self, strip: usize, height: u32, frame: u64, ticks: &mut Vec<u8>) {
        let words = RandomWords::new(self.seed, StreamPurpose::StripTicks, strip as u64);
        let law = &self.of_strip[(height - self.least) as usize];
        let first = frame * TICKS as u64;
        ticks.extend((first..first + TICKS as u64).map(|tick| law.draw(words.word(tick)) as u8));
    }

    /// Appends the interactions across a seam in a frame, sorted by time.
    pub(super) fn crossings(&self, seam: usize, frame: u64, crossings: &mut Vec<Crossing>) {
        let words = RandomWords::new(self.seed, StreamPurpose::Seams, seam as u64).part(frame);
        let from = crossings.len();
        let count = u64::from(self.of_seam.draw(words.word(0)));
        crossings.extend((1..=count).map(|number| {
            let place = below(2 * self.width, words.part(number));
            Crossing { time: words.word(number), place }
        }));
        crossings[from..].sort_unstable_by_key(|crossing| (crossing.time, crossing.place));
    }

    /// The times of the interactions of a strip.
    pub(super) fn times(&self, strip: usize) -> StripTimes {
        StripTimes(RandomWords::new(self.seed, StreamPurpose::StripTimes, strip as u64))
    }

    /// Draws the interactions `from..to` of a strip in a frame, as pairs of positions in the strip. `room` is the
    /// buffer for them.
    pub(super) fn pairs<'a>(
        &self,
        shape: &StripShape,
        strip: usize,
        frame: u64,
        [from, to]: [u32; 2],
        room: &'a mut Vec<[u32; 2]>,
    ) -> &'a [[u32; 2]] {
        let words = RandomWords::new(self.seed, StreamPurpose::StripPairs, strip as u64).part(frame);
        // The lanes start with the frame: pairs before `from` are drawn and skipped.
        let groups = (to as usize).div_ceil(GROUP);
        if room.len() < groups * GROUP {
            room.resize(groups * GROUP, [0; 2]);
        }
        draw(
            &PairLaw::new(shape, shape.height(strip)),
            words,
            &mut room[..groups * GROUP],
            Vectors::widest(),
        );
        &room[from as usize..to as usize]
    }
}

/// A uniform number in `0..bound`, from as many words of the stream as needed.
fn below(bound: u32, words: RandomWords) -> u32 {
    let bound = u64::from(bound);
    let uneven = bound.wrapping_neg() % bound;
    (0..)
        .map(|attempt| u128::from(words.word(attempt)) * u128::from(bound))
        .find(|&product| product as u64 >= uneven)
        .map(|product| (product >> 64) as u32)
        .expect("one word in 2^32 is uneven")
}
