//! The random generator of seeded choices. Its position is a number, so that choices can be saved and continued.

use std::convert::Infallible;

use rand::{SeedableRng, TryRng};

/// PCG XSL-RR 128/64 (O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random
/// number generation", 2014). It gives the words of `rand_pcg::Pcg64`, which does not expose its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ChoiceStream {
    pub(super) position: u128,
    /// The increment of the generator, which selects the stream. It is odd, and a function of the seed alone.
    increment: u128,
}

impl ChoiceStream {
    #[inline]
    fn step(&mut self) {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.position = self.position.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    #[inline]
    fn word(&mut self) -> u64 {
        self.step();
        let position = self.position;
        ((position >> 64) as u64 ^ position as u64).rotate_right((position >> 122) as u32)
    }
}

impl SeedableRng for ChoiceStream {
    type Seed = [u8; 32];

    fn from_seed(seed: [u8; 32]) -> Self {
        let half = |from: usize| u128::from_le_bytes(seed[from..from + 16].try_into().expect("16 bytes"));
        let increment = half(16) | 1;
        let mut stream = Self { position: half(0).wrapping_add(increment), increment };
        stream.step();
        stream
    }
}

impl TryRng for ChoiceStream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word() as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Infallible> {
        for chunk in target.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};
    use rand_pcg::Pcg64;

    use super::ChoiceStream;

    #[test]
    fn words_are_those_of_the_library() {
        for seed in [0, 1, 7, u64::MAX] {
            let (mut own, mut known) = (ChoiceStream::seed_from_u64(seed), Pcg64::seed_from_u64(seed));
            for _ in 0..1000 {
                assert_eq!(own.word(), known.next_u64());
                assert_eq!(own.next_u32(), known.next_u32());
            }
            let (mut own_bytes, mut known_bytes) = ([0; 21], [0; 21]);
            own.fill_bytes(&mut own_bytes);
            known.fill_bytes(&mut known_bytes);
            assert_eq!(own_bytes, known_bytes);
        }
    }
}
