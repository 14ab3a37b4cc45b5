//! Stateless random numbers: a draw is a function of seed, purpose, round and index.
//!
//! A generator per node would cost 16 bytes per node and a cache line per draw, and its draws would depend on the order
//! of the calls. With stateless draws nothing is stored. A [`Stream`] is a 64-bit key; its `i`-th word is the finaliser
//! of SplitMix64 (Steele, Lea, Flood 2014) applied to the key plus `i` times the golden ratio. The words of a stream
//! are those of one SplitMix64 generator, with random access.

use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision, FixedProbability};

/// The purpose of a draw. Streams of different purposes are independent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Purpose {
    /// The set of active nodes of a round.
    Activation = 1,
    /// The priority drawn for a competition trial.
    Priority = 2,
    /// Whether an idle node calls Lock.
    Demand = 3,
    /// The draws inside a critical section.
    Section = 4,
    /// Changes of the graph.
    Topology = 5,
    /// The order of a wave.
    Order = 6,
    /// The enabled action that a node executes.
    Action = 7,
    /// The initial configuration.
    Initial = 8,
    /// The neighbour that a Lock on a pair requests.
    Partner = 9,
    /// The coins that amoebots toss.
    Coin = 10,
    /// The sets and amoebots that miss a beep.
    BeepLoss = 11,
}

/// The source of all draws of a run: a seed.
///
/// ```
/// use acrasin_engine::{Draws, Purpose};
///
/// let draws = Draws::new(7);
/// let round = draws.stream(Purpose::Priority, 12);
/// assert_eq!(round.word(3), draws.stream(Purpose::Priority, 12).word(3));
/// assert_ne!(round.word(3), draws.stream(Purpose::Priority, 13).word(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draws {
    seed: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of words of a stream reserved for each block of 64 nodes. A draw with a probability uses up to 31 of
/// these words.
const BLOCK_WORDS: u64 = 32;

/// The finaliser of SplitMix64: a bijection of 64-bit words.
#[inline(always)]
#[must_use]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Draws {
    /// Draws that are a function of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The seed from which all draws derive.
    #[must_use]
    pub fn seed(self) -> u64 {
        self.seed
    }

    /// The draws for one purpose in one round or wave.
    #[must_use]
    pub fn stream(self, purpose: Purpose, round: u64) -> Stream {
        let purpose = mix(mix(self.seed).wrapping_add((purpose as u64).wrapping_mul(GOLDEN)));
        Stream { key: mix(purpose.wrapping_add(round.wrapping_mul(GOLDEN))) }
    }
}

/// The draws for one purpose in one round or wave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream {
    key: u64,
}

impl Stream {
    /// The word at `index`: 64 uniform bits.
    #[inline(always)]
    #[must_use]
    pub fn word(self, index: u64) -> u64 {
        mix(self.key.wrapping_add(index.wrapping_mul(GOLDEN)))
    }

    /// Bit plane `plane` (below 32) of a block of 64 nodes. Node `u` has bit `u % 64` of block `u / 64`.
    ///
    /// Scalar and bit-sliced code share this draw.
    #[inline(always)]
    #[must_use]
    pub fn plane(self, block: u64, plane: u32) -> u64 {
        // Equals `word(block * BLOCK_WORDS + plane)`, with one multiplication for all planes of a block.
        self.plane_from(Self::start(block), plane)
    }

    /// The offset of a block's first word, for [`plane_from`](Self::plane_from). It is linear: the offset of a sum of
    /// block numbers is the sum of their offsets.
    #[inline(always)]
    pub(crate) fn start(block: u64) -> u64 {
        block.wrapping_mul(BLOCK_WORDS.wrapping_mul(GOLDEN))
    }

    /// Like [`plane`](Self::plane), for the block with this [`start`](Self::start).
    #[inline(always)]
    pub(crate) fn plane_from(self, start: u64, plane: u32) -> u64 {
        mix(self.key.wrapping_add(start).wrapping_add(u64::from(plane).wrapping_mul(GOLDEN)))
    }

    /// 64 independent bits, each set with this probability.
    ///
    /// Uses one word for probability 1/2, about eight for most others, and at most one per binary digit of the
    /// probability (31).
    #[inline]
    #[must_use]
    pub fn chances(self, block: u64, probability: FixedProbability) -> u64 {
        let numerator = probability.numerator();
        if numerator >= 1 << 31 {
            return u64::MAX;
        }
        if numerator == 0 {
            return 0;
        }
        // Compares a random binary fraction with the probability, most significant digit first. A bit is set if its
        // random digit is smaller at the first difference. Most bits are decided after a few digits.
        let (mut below, mut equal) = (0, u64::MAX);
        for digit in (numerator.trailing_zeros()..31).rev() {
            let random = self.plane(block, digit);
            if numerator >> digit & 1 == 1 {
                below |= equal & !random;
                equal &= random;
            } else {
                equal &= !random;
            }
            if equal == 0 {
                break;
            }
        }
        below
    }

    /// A number in `0..bound`, computed by multiplication and shift. Each number has probability `1/bound`, up to an
    /// error of `bound / 2^64`.
    #[inline]
    #[must_use]
    pub fn below(self, index: u64, bound: NonZeroU32) -> u32 {
        let product = u128::from(self.word(index)) * u128::from(bound.get());
        (product >> 64) as u32
    }

    /// The first word of the draws of one node.
    #[inline(always)]
    pub(crate) fn first_of_node(self, node: u32) -> u64 {
        self.key_of_node(node).word(0)
    }

    #[inline(always)]
    fn key_of_node(self, node: u32) -> Self {
        Self { key: mix(self.key ^ mix(u64::from(node).wrapping_add(GOLDEN))) }
    }

    /// The draws of one node in the order in which the node makes choices, for critical sections.
    #[inline]
    #[must_use]
    pub fn of_node(self, node: u32) -> NodeDraws {
        NodeDraws { stream: self.key_of_node(node), next: 0 }
    }
}

/// The draws of one node in one round, as [`Choices`].
#[derive(Clone, Debug)]
pub struct NodeDraws {
    stream: Stream,
    next: u64,
}

impl Choices for NodeDraws {
    #[inline]
    fn pick(&mut self, bound: NonZeroU32, _why: Decision) -> u32 {
        let index = self.next;
        self.next += 1;
        self.stream.below(index, bound)
    }
}

/// The distribution of priorities, uniform on `0..K`.
///
/// If K is a power of two up to 2^31, priorities consist of bit planes, so that bit-sliced code draws the same
/// priorities. Otherwise each priority takes one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Priorities {
    bound: NonZeroU32,
}

impl Priorities {
    /// Creates the distribution of priorities below `bound`; `None` if `bound` is below 2.
    #[must_use]
    pub fn new(bound: u32) -> Option<Self> {
        NonZeroU32::new(bound).filter(|bound| bound.get() >= 2).map(|bound| Self { bound })
    }

    /// K, the number of priorities.
    #[must_use]
    pub fn bound(self) -> u32 {
        self.bound.get()
    }

    /// The number of bit planes of a priority; `None` unless K is a power of two.
    #[must_use]
    pub fn planes(self) -> Option<u32> {
        self.bound.is_power_of_two().then(|| self.bound.trailing_zeros())
    }

    /// The priority that `node` draws in the round of this stream ([`Purpose::Priority`]).
    #[inline]
    #[must_use]
    pub fn draw(self, stream: Stream, node: u32) -> u32 {
        let bound = self.bound.get();
        if bound.is_power_of_two() {
            let (block, bit) = (u64::from(node / 64), node % 64);
            (0..bound.trailing_zeros()).fold(0, |priority, plane| {
                priority | ((stream.plane(block, plane) >> bit & 1) as u32) << plane
            })
        } else {
            stream.below(u64::from(node), self.bound)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pearson's statistic, which compares the counts of cells with the uniform distribution; it has `cells - 1`
    /// degrees of freedom.
    fn chi_square(counts: &[u64]) -> f64 {
        let total: u64 = counts.iter().sum();
        let expected = total as f64 / counts.len() as f64;
        counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum()
    }

    #[test]
    fn golden_values() {
        let draws = Draws::new(1);
        let words: Vec<u64> = (0..3).map(|i| draws.stream(Purpose::Activation, 5).word(i)).collect();
        assert_eq!(words, GOLDEN_WORDS);
        let priorities: Vec<u32> = [6, 37]
            .map(|k| Priorities::new(k).unwrap().draw(draws.stream(Purpose::Priority, 0), 99))
            .to_vec();
        assert_eq!(priorities, GOLDEN_PRIORITIES);
    }

    const GOLDEN_WORDS: [u64; 3] =
        [16_488_684_334_282_720_319, 13_721_274_120_402_676_874, 16_898_235_830_747_883_143];
    const GOLDEN_PRIORITIES: [u32; 2] = [1, 6];

    #[test]
    fn chances_have_their_probability_and_a_wrong_one_is_noticed() {
        let stream = Draws::new(3).stream(Purpose::Activation, 0);
        let blocks = 4096;
        for probability in [0.001, 0.25, 0.5, 0.7, 0.99] {
            let fixed = FixedProbability::new(probability).unwrap();
            let ones: u64 =
                (0..blocks).map(|block| u64::from(stream.chances(block, fixed).count_ones())).sum();
            let n = blocks as f64 * 64.0;
            let deviations = |p: f64| (ones as f64 - n * p).abs() / (n * p * (1.0 - p)).sqrt();
            assert!(deviations(probability) < 4.0, "{probability}: {ones} of {n}");
            // The same count is impossible for a probability that is off by 2 %, where the sample can show that.
            if probability > 0.01 {
                assert!(deviations(probability * 0.98) > 4.0, "{probability}");
            }
        }
        assert_eq!(stream.chances(9, FixedProbability::ONE), u64::MAX);
        assert_eq!(stream.chances(9, FixedProbability::ZERO), 0);
    }

    #[test]
    fn bounded_draws_are_uniform_and_a_biased_sampler_is_rejected() {
        let stream = Draws::new(3).stream(Purpose::Priority, 0);
        for bound in [2_u32, 6, 37, 64] {
            let priorities = Priorities::new(bound).unwrap();
            let mut counts = vec![0; bound as usize];
            let mut biased = vec![0; bound as usize];
            for node in 0..2_000_000 {
                counts[priorities.draw(stream, node) as usize] += 1;
                // Draws from 0..127, folded: 127 is a multiple of no bound.
                let draw = (stream.word(u64::from(node)) % 127) as u32 % bound;
                biased[draw as usize] += 1;
            }
            let degrees = f64::from(bound - 1);
            let limit = degrees + 5.0 * (2.0 * degrees).sqrt() + 10.0;
            assert!(chi_square(&counts) < limit, "{bound}: {}", chi_square(&counts));
            assert!(chi_square(&biased) > limit, "{bound}: {}", chi_square(&biased));
        }
    }

    #[test]
    fn neighbouring_keys_are_unrelated() {
        let draws = Draws::new(0);
        let mut agreeing = 0;
        for round in 0..1000 {
            let (a, b) =
                (draws.stream(Purpose::Activation, round), draws.stream(Purpose::Activation, round + 1));
            agreeing += (!(a.word(0) ^ b.word(0))).count_ones();
            agreeing += (!(a.word(0) ^ a.word(1))).count_ones();
        }
        // 128 000 fair coins: standard deviation 179.
        assert!((i64::from(agreeing) - 64_000).abs() < 900, "{agreeing}");
    }
}
