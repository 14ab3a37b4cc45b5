//! [`Distribution`]: a multiset of integers as a histogram.

use std::collections::BTreeMap;

use acrasin_runtime::{Pack, PackError};

/// Values below this bound are counted in a vector of at most 8 KiB. Trials, rounds and messages per Lock are nearly
/// always smaller.
const DENSE_VALUES: u64 = 1024;

/// A multiset of `u64` samples with exact statistics, independent of the order of the samples.
///
/// Memory grows with the number of distinct values (at most 8 KiB for those below 1024), not with the number of
/// samples. Two distributions with the same samples are equal. Merging is exact, commutative and associative, so
/// parts may be collected on any number of threads.
///
/// Definitions are in the [module](super).
///
/// ```
/// use acrasin_report::summary::Distribution;
///
/// let mut waits: Distribution = (1..=20).collect();
/// waits.record(1_000_000);
/// assert_eq!(waits.count(), 21);
/// assert_eq!(waits.median(), Some(11.0));
/// assert_eq!(waits.quantile(95), Some(20));
/// assert_eq!(waits.max(), Some(1_000_000));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Distribution {
    /// Counts of the values below [`DENSE_VALUES`], up to the largest present.
    dense: Vec<u64>,
    /// Counts of larger values; none is zero.
    sparse: BTreeMap<u64, u64>,
    count: u64,
    sum: u128,
}

/// Stores the histogram.
impl Pack for Distribution {
    fn pack(&self, into: &mut Vec<u8>) {
        self.histogram().collect::<Vec<_>>().pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let mut distribution = Self::new();
        for (value, times) in Vec::<(u64, u64)>::unpack(from)? {
            distribution.count.checked_add(times).filter(|_| times > 0).ok_or(PackError)?;
            distribution.record_many(value, times);
        }
        Ok(distribution)
    }
}

impl Distribution {
    /// A distribution without samples.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one sample. O(1) for values below 1024, otherwise O(log d) for d distinct values.
    ///
    /// # Panics
    ///
    /// Panics at 2^64 samples or more.
    pub fn record(&mut self, value: u64) {
        self.record_many(value, 1);
    }

    /// Adds the same sample `times` times.
    ///
    /// # Panics
    ///
    /// Panics at 2^64 samples or more.
    pub fn record_many(&mut self, value: u64, times: u64) {
        if times == 0 {
            return;
        }
        self.count = self.count.checked_add(times).expect("fewer than 2^64 samples");
        // Cannot overflow: fewer than 2^64 samples below 2^64.
        self.sum += u128::from(value) * u128::from(times);
        if value < DENSE_VALUES {
            let index = value as usize;
            if index >= self.dense.len() {
                self.dense.resize(index + 1, 0);
            }
            self.dense[index] += times;
        } else {
            *self.sparse.entry(value).or_insert(0) += times;
        }
    }

    /// Adds all samples of another distribution.
    ///
    /// # Panics
    ///
    /// Panics at 2^64 samples or more.
    pub fn merge(&mut self, other: &Self) {
        for (value, times) in other.histogram() {
            self.record_many(value, times);
        }
    }

    /// Each distinct value with its count, in ascending order.
    pub fn histogram(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let dense = (0_u64..).zip(self.dense.iter().copied()).filter(|&(_, times)| times > 0);
        dense.chain(self.sparse.iter().map(|(&value, &times)| (value, times)))
    }

    /// The number of samples.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether the distribution has no samples.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The exact sum of all samples.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// The mean. The exact sum is rounded once and divided once. `None` without samples.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The smallest sample.
    pub fn min(&self) -> Option<u64> {
        self.histogram().next().map(|(value, _)| value)
    }

    /// The largest sample.
    pub fn max(&self) -> Option<u64> {
        self.sparse.last_key_value().map(|(&value, _)| value).or_else(|| {
            // The last entry of the vector is the largest value below the bound.
            self.dense.len().checked_sub(1).map(|index| index as u64)
        })
    }

    /// The median: the middle sample, or the mean of the two middle ones. Exact below 2^53. `None` without samples.
    pub fn median(&self) -> Option<f64> {
        let low = self.of_rank(self.count.div_ceil(2))?;
        let high = self.of_rank(self.count / 2 + 1)?;
        Some((u128::from(low) + u128::from(high)) as f64 / 2.0)
    }

    /// The quantile by nearest rank: the smallest sample that at least `percent` % of all samples do not exceed.
    ///
    /// `quantile(0)` is the smallest sample, `quantile(100)` the largest. `None` without samples. Cost: one pass over
    /// the distinct values.
    ///
    /// # Panics
    ///
    /// Panics if `percent` is above 100.
    pub fn quantile(&self, percent: u8) -> Option<u64> {
        assert!(percent <= 100, "a quantile lies between 0 and 100 %, not at {percent} %");
        let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100);
        self.of_rank(u64::try_from(rank).expect("at most the count").max(1))
    }

    /// The statistics that reports print.
    pub fn spread(&self) -> Spread {
        Spread {
            count: self.count,
            mean: self.mean(),
            median: self.median(),
            percentile_95: self.quantile(95),
            min: self.min(),
            max: self.max(),
        }
    }

    /// The sample with this rank. The smallest sample has rank 1.
    fn of_rank(&self, rank: u64) -> Option<u64> {
        let mut passed = 0;
        for (value, times) in self.histogram() {
            passed += times;
            if passed >= rank {
                return Some(value);
            }
        }
        None
    }
}

impl PartialEq for Distribution {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.sum == other.sum && self.histogram().eq(other.histogram())
    }
}

impl Eq for Distribution {}

impl FromIterator<u64> for Distribution {
    fn from_iter<I: IntoIterator<Item = u64>>(samples: I) -> Self {
        let mut distribution = Self::new();
        distribution.extend(samples);
        distribution
    }
}

impl Extend<u64> for Distribution {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, samples: I) {
        for sample in samples {
            self.record(sample);
        }
    }
}

/// The statistics of a [`Distribution`] that reports print. All but the count are `None` without samples.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// Number of samples.
    pub count: u64,
    /// Mean.
    pub mean: Option<f64>,
    /// Median: the middle sample, or the mean of the two middle ones.
    pub median: Option<f64>,
    /// 95 % quantile by nearest rank.
    pub percentile_95: Option<u64>,
    /// Smallest sample.
    pub min: Option<u64>,
    /// Largest sample.
    pub max: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_samples() {
        let spread = Distribution::new().spread();
        assert_eq!((spread.count, spread.mean, spread.median), (0, None, None));
        assert_eq!((spread.percentile_95, spread.min, spread.max), (None, None, None));
    }

    #[test]
    fn nearest_rank_at_its_steps() {
        let twenty: Distribution = (1..=20).collect();
        // 95 % of 20 is 19 samples exactly.
        assert_eq!(twenty.quantile(95), Some(19));
        let twenty_one: Distribution = (1..=21).collect();
        // 95 % of 21 is 19.95: the 20th sample is the first that suffices.
        assert_eq!(twenty_one.quantile(95), Some(20));
        assert_eq!(twenty.quantile(0), Some(1));
        assert_eq!(twenty.quantile(100), Some(20));
        assert_eq!([7].into_iter().collect::<Distribution>().quantile(95), Some(7));
    }

    #[test]
    fn the_largest_numbers_are_exact() {
        let mut distribution = Distribution::new();
        distribution.record_many(u64::MAX, u64::MAX);
        assert_eq!(distribution.sum(), u128::from(u64::MAX) * u128::from(u64::MAX));
        assert_eq!(distribution.quantile(95), Some(u64::MAX));
        assert_eq!(distribution.mean(), Some(u64::MAX as f64));
        assert_eq!(distribution.median(), Some(u64::MAX as f64));
    }

    #[test]
    #[should_panic(expected = "fewer than 2^64 samples")]
    fn one_sample_too_many() {
        let mut distribution = Distribution::new();
        distribution.record_many(0, u64::MAX);
        distribution.record(0);
    }

    #[test]
    #[should_panic(expected = "not at 101 %")]
    fn quantile_past_all_samples() {
        let _ = Distribution::new().quantile(101);
    }

    #[test]
    fn zero_times_leaves_no_trace() {
        let mut distribution = Distribution::new();
        distribution.record_many(5, 0);
        distribution.record_many(5000, 0);
        assert_eq!(distribution, Distribution::new());
        assert_eq!(distribution.max(), None);
    }

    /// Values on both sides of the bound between vector and map, and far away.
    fn samples() -> impl Strategy<Value = Vec<u64>> {
        let value = prop_oneof![0..8_u64, 1020..1030_u64, any::<u64>()];
        proptest::collection::vec(value, 0..60)
    }

    proptest! {
        #[test]
        fn equals_statistics_of_the_sorted_list(mut list in samples(), percent in 0..=100_u8) {
            let distribution: Distribution = list.iter().copied().collect();
            list.sort_unstable();
            prop_assert_eq!(distribution.count(), list.len() as u64);
            prop_assert_eq!(distribution.sum(), list.iter().map(|&value| u128::from(value)).sum::<u128>());
            prop_assert_eq!(distribution.min(), list.first().copied());
            prop_assert_eq!(distribution.max(), list.last().copied());
            // The definition itself: the smallest sample that enough samples do not exceed.
            let enough = |value: u64| {
                let below = list.iter().filter(|&&other| other <= value).count();
                below * 100 >= list.len() * usize::from(percent)
            };
            prop_assert_eq!(distribution.quantile(percent), list.iter().copied().find(|&value| enough(value)));
            let median = match list.len() {
                0 => None,
                n if n % 2 == 1 => Some(list[n / 2] as f64),
                n => Some((u128::from(list[n / 2 - 1]) + u128::from(list[n / 2])) as f64 / 2.0),
            };
            prop_assert_eq!(distribution.median(), median);
        }

        #[test]
        fn merging_is_exact_in_any_order(a in samples(), b in samples(), c in samples()) {
            let of = |list: &[u64]| list.iter().copied().collect::<Distribution>();
            let all = of(&[a.clone(), b.clone(), c.clone()].concat());
            let mut left = of(&a);
            left.merge(&of(&b));
            left.merge(&of(&c));
            let mut right = of(&c);
            right.merge(&of(&a));
            right.merge(&of(&b));
            prop_assert_eq!(&left, &all);
            prop_assert_eq!(&right, &all);
            prop_assert_eq!(left.spread(), all.spread());
            // A sample more makes it another distribution.
            left.record(3);
            prop_assert_ne!(&left, &all);
        }
    }
}
