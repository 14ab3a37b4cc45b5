//! Draws by weights in constant time: the alias method in integers, so that it is exact.
//!
//! Walker, "An efficient method for generating discrete random variables with general distributions", ACM TOMS 3
//! (1977); the table is built as Vose does, "A linear algorithm for generating random numbers with a given
//! distribution", IEEE TSE 17 (1991).

use super::super::draws::RandomDraws;

/// Buckets of equal weight, each shared by at most two positions.
#[derive(Clone, Debug)]
pub(super) struct AliasTable {
    /// The weight of a bucket: the sum of all weights.
    total: u64,
    /// For each bucket, the part of its weight that belongs to its own position, and the position to which the rest
    /// belongs.
    buckets: Vec<(u64, u32)>,
}

impl AliasTable {
    /// Creates a table of these weights, whose sum must be from 1 to 2^63.
    pub(super) fn new(weights: &[u64]) -> Self {
        let total = weights.iter().sum();
        // Weights are scaled by their number, so that they can be compared with that of a bucket without a division.
        let mut left: Vec<u128> =
            weights.iter().map(|&weight| u128::from(weight) * weights.len() as u128).collect();
        let (mut light, mut heavy): (Vec<u32>, Vec<u32>) =
            (0..weights.len() as u32).partition(|&place| left[place as usize] < u128::from(total));
        let mut buckets: Vec<(u64, u32)> = (0..weights.len() as u32).map(|place| (total, place)).collect();
        while let (Some(&place), Some(&other)) = (light.last(), heavy.last()) {
            light.pop();
            let own = left[place as usize];
            buckets[place as usize] = (own as u64, other);
            left[other as usize] -= u128::from(total) - own;
            if left[other as usize] < u128::from(total) {
                heavy.pop();
                light.push(other);
            }
        }
        Self { total, buckets }
    }

    /// Draws a position, each with probability weight / total.
    #[inline]
    pub(super) fn draw(&self, draws: &mut RandomDraws) -> usize {
        let bucket = draws.below(self.buckets.len() as u64) as usize;
        let (own, other) = self.buckets[bucket];
        if draws.below(self.total) < own { bucket } else { other as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::draws::{RandomDraws, StreamPurpose};
    use super::super::super::goodness_of_fit::deviation;
    use super::AliasTable;

    /// The exact distribution of a table: the share of each position in all buckets, in units of total * number.
    fn shares(table: &AliasTable) -> Vec<u128> {
        let mut shares = vec![0_u128; table.buckets.len()];
        for (place, &(own, other)) in table.buckets.iter().enumerate() {
            shares[place] += u128::from(own);
            shares[other as usize] += u128::from(table.total - own);
        }
        shares
    }

    #[test]
    fn every_place_has_exactly_its_weight() {
        let mut draws = RandomDraws::new(1, StreamPurpose::Pairs, 9);
        for round in 0..200_u64 {
            let weights: Vec<u64> = (0..1 + round % 17).map(|_| draws.below(1 << (round % 50))).collect();
            if weights.iter().sum::<u64>() == 0 {
                continue;
            }
            let table = AliasTable::new(&weights);
            let expected: Vec<u128> =
                weights.iter().map(|&weight| u128::from(weight) * weights.len() as u128).collect();
            assert_eq!(shares(&table), expected, "{weights:?}");
        }
        // A table with a wrong alias has another law.
        let mut wrong = AliasTable::new(&[1, 2, 7]);
        wrong.buckets[0].1 = (wrong.buckets[0].1 + 1) % 3;
        assert_ne!(shares(&wrong), [3, 6, 21]);
    }

    /// Rejected: a sampler that draws another position in one of a hundred draws.
    #[test]
    fn draws_have_the_weights() {
        const TRIALS: u64 = 2_000_000;
        let weights = [1, 2, 7, 0, 10];
        let table = AliasTable::new(&weights);
        let law = weights.map(|weight| weight as f64 / 20.0);
        let mut draws = RandomDraws::new(2, StreamPurpose::Pairs, 9);
        let mut drawn = |other: &dyn Fn(u64, usize) -> usize| {
            let mut seen = [0; 5];
            (0..TRIALS).for_each(|trial| seen[other(trial, table.draw(&mut draws))] += 1);
            // A position without weight is never drawn.
            assert_eq!(seen[3], 0);
            deviation(&seen, &law, TRIALS)
        };
        let right = drawn(&|_, position| position);
        let biased = drawn(&|trial, position| match position {
            2 if trial % 100 == 0 => 4,
            _ => position,
        });
        assert!(right < 6.0 && biased > 6.0, "{right} {biased}");
    }
}
