//! Bit masks of the active nodes and of the nodes that want a lock, drawn at random or given by the caller.

use acrasin_runtime::choice::FixedProbability;

use crate::draw::Stream;

use super::planes::{LANES, Lanes};

/// A set of nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeSet<'a> {
    All,
    Empty,
    /// Each node belongs to the set with this probability, drawn from this stream.
    Drawn(Stream, FixedProbability),
    /// Node `u` belongs to the set if bit `u % 64` of word `u / 64` is set. Missing words count as 0.
    Given(&'a [u64]),
}

impl NodeSet<'_> {
    /// The masks of the words that are `x` positions after the words `first`, one per lane. The draws of these words
    /// start at `starts`.
    #[inline(always)]
    pub(super) fn lanes(self, first: &Lanes, starts: &Lanes, x: u64) -> Lanes {
        match self {
            Self::All => [u64::MAX; LANES],
            Self::Empty => [0; LANES],
            Self::Drawn(stream, probability) => draw(stream, probability, starts),
            Self::Given(words) => first.map(|first| words.get((first + x) as usize).copied().unwrap_or(0)),
        }
    }
}

/// Draws random bits as [`Stream::chances`] does, for eight words at once.
#[inline(always)]
fn draw(stream: Stream, probability: FixedProbability, starts: &Lanes) -> Lanes {
    let numerator = probability.numerator();
    if numerator == 1 << 30 {
        // One half is the most common probability. This is the loop below with one digit known at compile time, and
        // makes a whole round 1 to 4 % faster.
        return std::array::from_fn(|lane| !stream.plane_from(starts[lane], 30));
    }
    // Probability 1 draws no digit.
    let mut below = [(u64::from(numerator) >> 31).wrapping_neg(); LANES];
    for digit in numerator.trailing_zeros()..31 {
        // All bits if the digit is 1. A digit 1 sets the bits whose random digit is 0; a digit 0 clears those whose
        // random digit is 1.
        let one = u64::from(numerator >> digit & 1).wrapping_neg();
        for lane in 0..LANES {
            let random = stream.plane_from(starts[lane], digit);
            below[lane] = !random & (below[lane] | one) | below[lane] & one;
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Draws, Purpose};
    use crate::network::{Lattice, LatticeKind};
    use crate::sliced::bands::Bands;
    use crate::unchecked::{Kernel, Vectors, run_widest};

    struct MaskOf<'a>(NodeSet<'a>, Lanes, u64);

    impl Kernel for MaskOf<'_> {
        type Output = Lanes;
        #[inline(always)]
        fn run(self) -> Lanes {
            self.0.lanes(&self.1, &self.1.map(|first| Stream::start(first + self.2)), self.2)
        }
    }

    #[test]
    fn masks_are_those_of_the_scalar_draws() {
        let bands = Bands::new(Lattice::new(LatticeKind::Square, 192, 11).unwrap());
        let stream = Draws::new(5).stream(Purpose::Activation, 9);
        let given: Vec<u64> = (0..20).collect();
        for vectors in [Vectors::Portable, Vectors::Avx2, Vectors::Avx512] {
            let rows = -1..3;
            let number = |row: i64, x: usize, lane: usize| {
                (2 * lane as i64 + row).rem_euclid(11) as u64 * 3 + x as u64
            };
            let check = |who: NodeSet<'_>, expected: &dyn Fn(u64) -> u64| {
                for (row, x) in rows.clone().flat_map(|row| (0..3).map(move |x| (row, x))) {
                    let mask = run_widest(vectors, MaskOf(who, bands.first_numbers(row), x as u64));
                    for (lane, mask) in mask.into_iter().enumerate() {
                        let number = number(row, x, lane);
                        assert_eq!(bands.first_numbers(row)[lane] + x as u64, number);
                        assert_eq!(mask, expected(number), "{who:?}");
                    }
                }
            };
            for probability in [0.0, 1e-9, 0.3, 0.5, 0.75, 1.0] {
                let probability = FixedProbability::new(probability).unwrap();
                check(NodeSet::Drawn(stream, probability), &|number| stream.chances(number, probability));
            }
            check(NodeSet::Given(&given), &|number| if number < 20 { number } else { 0 });
            check(NodeSet::All, &|_| u64::MAX);
            check(NodeSet::Empty, &|_| 0);
        }
    }
}
