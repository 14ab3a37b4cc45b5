//! Random numbers of the engines: exactly uniform, with one stream per purpose.

use rand::SeedableRng as _;

use acrasin_engine::draw::mix;
use acrasin_runtime::choice::derived_seed;

use super::stream::PcgStream;

/// A stream of random numbers. Bounded draws are exactly uniform.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RandomDraws(PcgStream);

/// The purpose of a random stream. Streams of different purposes or epochs are independent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StreamPurpose {
    /// Pairs of agents in the array engine.
    Pairs = 0,
    /// The states in an epoch of the batched engine.
    Epoch = 1,
    /// The order of events inside an epoch.
    Inside = 2,
    /// Interactions that change a state, one at a time.
    Active = 3,
    /// Outcomes of randomised pairs in the array engine.
    Outcomes = 4,
    /// The responder state of each initiator of an epoch.
    Throws = 22,
    /// The time and kind of the next reaction.
    Reactions = 5,
    /// The time of the next reaction on a graph, and the node or edge.
    GraphReactions = 23,
    /// The interacting agents of an epoch of the batched engine, and their order.
    Skeleton = 20,
    /// The pairs of a round of random matchings.
    Matchings = 6,
    /// The time, agent and result of each fault.
    Faults = 7,
    /// The agents that take part in an interaction of several agents.
    Tuples = 8,
    /// Pairs of states in an urn.
    Urn = 21,
    /// The number of interactions of a strip in a tick.
    StripTicks = 16,
    /// The pairs within a strip.
    StripPairs = 17,
    /// The times within a tick.
    StripTimes = 18,
    /// The number of interactions across a seam in a frame, their times and agents.
    Seams = 19,
}

/// A stream of random words without a position: any thread can read the `i`-th word at any time.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomWords {
    key: u64,
}

impl RandomWords {
    /// Creates the stream of part `index` for `purpose`.
    pub(super) fn new(seed: u64, purpose: StreamPurpose, index: u64) -> Self {
        Self { key: derived_seed(derived_seed(seed, purpose as u64), index) }
    }

    /// An independent stream for each `index`.
    pub(super) fn part(self, index: u64) -> Self {
        Self { key: derived_seed(self.key, index) }
    }

    #[inline(always)]
    pub(super) fn word(self, index: u64) -> u64 {
        mix(self.key.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }
}

impl RandomDraws {
    /// Creates the stream of part `index` for `purpose`.
    pub(crate) fn new(seed: u64, purpose: StreamPurpose, index: u64) -> Self {
        Self(PcgStream::seed_from_u64(derived_seed(derived_seed(seed, purpose as u64), index)))
    }

    /// Creates a stream that continues from this state; `None` if no stream has this state.
    pub(super) fn from_state(state: u128) -> Option<Self> {
        PcgStream::from_state(state).map(Self)
    }

    /// The state of the generator, from which [`from_state`](Self::from_state) continues the stream.
    pub(super) fn state(&self) -> u128 {
        self.0.state()
    }

    #[inline]
    pub(crate) fn word(&mut self) -> u64 {
        self.0.word()
    }

    /// A uniform number in `0..bound`; `bound` is at least 1. Takes a multiplication and, with probability `bound /
    /// 2^64`, a division (Lemire, "Fast random integer generation in an interval", 2019).
    #[inline]
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.word()) * u128::from(bound);
        if (product as u64) < bound {
            // 2^64 modulo `bound`: with these few words rejected, every result has equally many.
            let least = bound.wrapping_neg() % bound;
            while (product as u64) < least {
                product = u128::from(self.word()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A uniform number in `0..bound`, for bounds that may exceed 64 bits.
    pub(super) fn below_wide(&mut self, bound: u128) -> u128 {
        if let Ok(bound) = u64::try_from(bound) {
            return u128::from(self.below(bound));
        }
        // With as many bits as the bound has, at least half of the draws are accepted.
        let shift = bound.leading_zeros();
        loop {
            let high = u128::from(self.word());
            let drawn = (high << 64 | u128::from(self.word())) >> shift;
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// A uniform number in (0, 1), never 0 or 1.
    #[inline]
    pub(crate) fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        ((self.word() >> 11) as f64 + 0.5) * STEP
    }

    /// An exponentially distributed number with mean 1.
    #[inline]
    pub(crate) fn exponential(&mut self) -> f64 {
        -libm::log(self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::super::goodness_of_fit::deviation;
    use super::{RandomDraws, StreamPurpose};

    const TRIALS: u64 = 2_000_000;

    /// The deviation of draws into cells of equal probability.
    fn evenness<const CELLS: usize>(mut cell: impl FnMut(u64) -> usize) -> f64 {
        let mut seen = [0; CELLS];
        (0..TRIALS).for_each(|trial| seen[cell(trial)] += 1);
        deviation(&seen, &[1.0 / CELLS as f64; CELLS], TRIALS)
    }

    /// Rejected: a sampler that replaces one in a hundred draws of the lowest value, and a range that is 1 % too wide.
    #[test]
    fn bounded_draws_are_even() {
        let mut draws = RandomDraws::new(2, StreamPurpose::Pairs, 0);
        for (bound, step) in [(7, 1), (7 << 40, 1 << 40), (7 << 60, 1 << 60)] {
            let found = evenness::<7>(|_| (draws.below(bound) / step) as usize);
            assert!(found < 6.0, "{bound}: {found}");
            let biased = evenness::<7>(|trial| {
                let cell = (draws.below(bound) / step) as usize;
                cell + usize::from(cell == 0 && trial % 100 == 0)
            });
            assert!(biased > 6.0, "{bound}: {biased}");
        }
        let (wide, step) = (7_u128 << 100, 1_u128 << 100);
        let found = evenness::<7>(|_| (draws.below_wide(wide) / step) as usize);
        assert!(found < 6.0, "{found}");
        let biased = evenness::<7>(|_| (draws.below_wide(wide + wide / 100) / step).min(6) as usize);
        assert!(biased > 6.0, "{biased}");
    }

    /// Rejected: a mean that is one per cent too high.
    #[test]
    fn exponential_draws_follow_their_law() {
        let mut draws = RandomDraws::new(4, StreamPurpose::Reactions, 0);
        let mut deviation =
            |mean: f64| evenness::<20>(|_| ((1.0 - libm::exp(-mean * draws.exponential())) * 20.0) as usize);
        let (right, biased) = (deviation(1.0), deviation(1.01));
        assert!(right < 6.0 && biased > 6.0, "{right} {biased}");
    }

    #[test]
    fn bounds_are_kept_and_every_value_comes() {
        let mut draws = RandomDraws::new(1, StreamPurpose::Pairs, 0);
        let mut seen = [0_u32; 7];
        for _ in 0..7000 {
            seen[draws.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        let wide = (1_u128 << 100) + 12345;
        assert!((0..1000).all(|_| draws.below_wide(wide) < wide));
        // Half of the draws lie in the upper half of the range, even if the bound is far from a power of two.
        let bound = (1_u64 << 63) + (1 << 61);
        let upper = (0..10_000).filter(|_| draws.below(bound) >= bound / 2).count();
        assert!((4700..5300).contains(&upper), "{upper}");
    }

    #[test]
    fn streams_of_other_purposes_and_parts_differ() {
        let first = |purpose, index| RandomDraws::new(7, purpose, index).word();
        let words = [
            first(StreamPurpose::Pairs, 0),
            first(StreamPurpose::Epoch, 0),
            first(StreamPurpose::Epoch, 1),
            first(StreamPurpose::Inside, 1),
            first(StreamPurpose::Active, 0),
        ];
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word));
        }
    }
}
