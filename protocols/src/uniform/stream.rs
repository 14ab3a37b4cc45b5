//! The random generator of the engines. Its state is a number, so that a stream can be saved and continued.

use rand::SeedableRng;

/// PCG XSL-RR 128/64 with a multiplicative generator (O'Neill, "PCG: a family of simple fast space-efficient
/// statistically good algorithms for random number generation", 2014). The words are those of `rand_pcg::Pcg64Mcg`,
/// which does not expose its state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PcgStream(u128);

impl PcgStream {
    /// Creates a stream that continues from this state; `None` if no stream has this state.
    pub(super) fn from_state(state: u128) -> Option<Self> {
        (state % 2 == 1).then_some(Self(state))
    }

    pub(super) fn state(&self) -> u128 {
        self.0
    }

    #[inline]
    pub(super) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
        ((self.0 >> 64) as u64 ^ self.0 as u64).rotate_right((self.0 >> 122) as u32)
    }
}

impl SeedableRng for PcgStream {
    type Seed = [u8; 16];

    fn from_seed(seed: Self::Seed) -> Self {
        // The state is odd: an element of the multiplicative group.
        Self(u128::from_le_bytes(seed) | 1)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};
    use rand_pcg::Pcg64Mcg;

    use super::PcgStream;

    #[test]
    fn words_are_those_of_the_library() {
        for seed in [0, 1, 7, u64::MAX] {
            let (mut own, mut known) = (PcgStream::seed_from_u64(seed), Pcg64Mcg::seed_from_u64(seed));
            for _ in 0..1000 {
                assert_eq!(own.word(), known.next_u64());
            }
            let mut again = PcgStream::from_state(own.state()).unwrap();
            assert_eq!(again.word(), known.next_u64());
        }
        assert_eq!(PcgStream::from_state(8), None);
    }
}
