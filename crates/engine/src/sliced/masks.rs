//! Who acts, and who wants: masks of nodes, drawn or given.

use std::ops::Range;

use acrasin_runtime::choice::FixedProbability;

use crate::draw::Stream;
use crate::unchecked::{Kernel, Vectors, run_widest};

use super::bands::Bands;
use super::planes::{LANES, Lanes};

/// A set of nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Who<'a> {
    All,
    Nobody,
    /// Each with this probability.
    Drawn(Stream, FixedProbability),
    /// Bit `u % 64` of word `u / 64`; words that are missing count as 0.
    Given(&'a [u64]),
}

impl Who<'_> {
    /// The same word for all nodes, if there is no need to look closer.
    fn alike(self) -> Option<u64> {
        match self {
            Self::All => Some(u64::MAX),
            Self::Nobody => Some(0),
            Self::Drawn(_, FixedProbability::ZERO) => Some(0),
            Self::Drawn(_, FixedProbability::ONE) => Some(u64::MAX),
            Self::Drawn(..) | Self::Given(_) => None,
        }
    }
}

/// Which nodes of some rows belong to a set.
#[derive(Default, Debug)]
pub(super) struct Mask {
    lanes: Vec<Lanes>,
    /// 0 if one vector is all vectors.
    step: usize,
    blocks: usize,
    numbers: Vec<Lanes>,
}

/// Which nodes of a row belong to a set.
#[derive(Clone, Copy)]
pub(super) struct MaskRow<'a> {
    lanes: &'a [Lanes],
    step: usize,
}

impl<'a> MaskRow<'a> {
    #[inline(always)]
    pub(super) fn get(self, x: usize) -> &'a Lanes {
        &self.lanes[x * self.step]
    }
}

impl Mask {
    /// The mask of a row, counted from the first one.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> MaskRow<'_> {
        MaskRow { lanes: &self.lanes[row * self.step * self.blocks..], step: self.step }
    }

    /// Makes this the mask of the set, for these rows of the bands.
    pub(super) fn set(&mut self, who: Who<'_>, bands: Bands, rows: Range<i64>, vectors: Vectors) {
        self.step = usize::from(who.alike().is_none());
        self.blocks = bands.blocks;
        let count = if self.step == 0 { 1 } else { (rows.end - rows.start) as usize * bands.blocks };
        self.lanes.resize(count, [0; LANES]);
        if let Some(word) = who.alike() {
            self.lanes.fill([word; LANES]);
        } else {
            self.numbers.resize(bands.blocks, [0; LANES]);
            run_widest(vectors, Fill { who, bands, rows, into: &mut self.lanes, numbers: &mut self.numbers });
        }
    }
}

/// For each lane the number of the first node of a row divided by 64.
#[inline(always)]
pub(super) fn first_numbers(bands: Bands, row: i64) -> Lanes {
    std::array::from_fn(|lane| bands.row(lane, row) * bands.blocks as u64)
}

struct Fill<'a> {
    who: Who<'a>,
    bands: Bands,
    rows: Range<i64>,
    into: &'a mut [Lanes],
    numbers: &'a mut [Lanes],
}

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { who, bands, rows, into, numbers } = self;
        for (into, row) in into.chunks_exact_mut(bands.blocks).zip(rows) {
            let first = first_numbers(bands, row);
            for (numbers, x) in numbers.iter_mut().zip(0..) {
                for lane in 0..LANES {
                    numbers[lane] = first[lane] + x;
                }
            }
            let (into, numbers) = (into.as_flattened_mut(), numbers.as_flattened());
            match who {
                Who::All => into.fill(u64::MAX),
                Who::Nobody => into.fill(0),
                Who::Given(words) => {
                    for (mask, number) in into.iter_mut().zip(numbers) {
                        *mask = words.get(*number as usize).copied().unwrap_or(0);
                    }
                }
                Who::Drawn(stream, probability) => draw(stream, probability, numbers, into),
            }
        }
    }
}

/// [`Stream::chances`] of many words at once. The probability is neither 0 nor 1.
#[inline(always)]
fn draw(stream: Stream, probability: FixedProbability, numbers: &[u64], into: &mut [u64]) {
    let numerator = probability.numerator();
    into.fill(0);
    for digit in numerator.trailing_zeros()..31 {
        // All bits if the digit is 1: then bits are set where the random digit is 0, otherwise cleared where it is 1.
        let one = u64::from(numerator >> digit & 1).wrapping_neg();
        for (below, number) in into.iter_mut().zip(numbers) {
            let random = stream.plane(*number, digit);
            *below = !random & (*below | one) | *below & one;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Draws, Purpose};
    use crate::network::{Lattice, LatticeKind};

    #[test]
    fn masks_are_those_of_the_scalar_draws() {
        let bands = Bands::new(Lattice::new(LatticeKind::Square, 192, 11).unwrap());
        let stream = Draws::new(5).stream(Purpose::Activation, 9);
        let given: Vec<u64> = (0..20).collect();
        let mut mask = Mask::default();
        for vectors in [Vectors::Portable, Vectors::Avx2, Vectors::Avx512] {
            let rows = -1..3;
            let number = |row: i64, x: usize, lane: usize| {
                (2 * lane as i64 + row).rem_euclid(11) as u64 * 3 + x as u64
            };
            let mut check = |who: Who<'_>, expected: &dyn Fn(u64) -> u64| {
                mask.set(who, bands, rows.clone(), vectors);
                for (row, x) in rows.clone().flat_map(|row| (0..3).map(move |x| (row, x))) {
                    for lane in 0..LANES {
                        let number = number(row, x, lane);
                        assert_eq!(first_numbers(bands, row)[lane] + x as u64, number);
                        assert_eq!(mask.row((row + 1) as usize).get(x)[lane], expected(number), "{who:?}");
                    }
                }
            };
            for probability in [0.0, 1e-9, 0.3, 0.5, 0.75, 1.0] {
                let probability = FixedProbability::new(probability).unwrap();
                check(Who::Drawn(stream, probability), &|number| stream.chances(number, probability));
            }
            check(Who::Given(&given), &|number| if number < 20 { number } else { 0 });
            check(Who::All, &|_| u64::MAX);
            check(Who::Nobody, &|_| 0);
        }
    }
}
