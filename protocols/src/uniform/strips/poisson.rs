//! Poisson draws: the number of events in a period of time. Each table is computed for one mean.

/// The number of bits of a draw that select the start of the search in the table.
const GUIDE_BITS: u32 = 8;

/// The Poisson distribution with one rational mean.
///
/// A draw is the first number whose cumulative probability exceeds a uniform word of 63 bits. The table is computed in
/// integers, so that it is the same on every platform. The error of a probability is below 2^-50 times the largest
/// probability.
#[derive(Clone, Debug)]
pub(super) struct Poisson {
    /// For each number, 2^63 times the probability of at most that number.
    cumulative: Vec<u64>,
    /// The start of the search for a draw, indexed by the upper bits of the draw.
    guide: Vec<u32>,
}

impl Poisson {
    /// Computes the table of the distribution with mean `weight / total`, both at least 1 and below 2^32; the mean is
    /// below 2^16.
    pub(super) fn new(weight: u64, total: u64) -> Self {
        assert!(weight > 0 && total > 0 && weight >> 32 == 0 && total >> 32 == 0 && weight / total < 1 << 16);
        // Weights relative to that of the mode, down to 1. Each is the one before times mean / k.
        let mode = weight / total;
        let top = 1_u128 << 52;
        let (weight, total) = (u128::from(weight), u128::from(total));
        // Sixteen more binary places than are kept.
        let mut weights = vec![top << 16];
        let mut last = top << 16;
        for k in (1..=u128::from(mode)).rev() {
            last = last * k * total / weight;
            if last == 0 {
                break;
            }
            weights.push(last);
        }
        let first = mode as usize + 1 - weights.len();
        weights.reverse();
        last = top << 16;
        for k in u128::from(mode) + 1.. {
            last = last * weight / (k * total);
            if last == 0 {
                break;
            }
            weights.push(last);
        }
        let sum = weights.iter().sum::<u128>();
        let mut cumulative = vec![0; first];
        let mut so_far = 0;
        for weight in weights {
            so_far += weight;
            // First the upper part, below 2^80 times 2^47; then the rest of the 63 places.
            let (upper, rest) = ((so_far << 40) / sum, (so_far << 40) % sum);
            cumulative.push(((upper << 23) + (rest << 23) / sum) as u64);
        }
        *cumulative.last_mut().expect("the mode is in the table") = 1 << 63;
        let guide = (0..1_u64 << GUIDE_BITS)
            .map(|upper| cumulative.partition_point(|&bound| bound <= upper << (63 - GUIDE_BITS)) as u32)
            .collect();
        Self { cumulative, guide }
    }

    /// The largest number that can be drawn.
    pub(super) fn most(&self) -> usize {
        self.cumulative.len() - 1
    }

    /// The draw selected by a uniform word.
    #[inline]
    pub(super) fn draw(&self, word: u64) -> u32 {
        let ticket = word >> 1;
        let mut number = self.guide[(ticket >> (63 - GUIDE_BITS)) as usize];
        while self.cumulative[number as usize] <= ticket {
            number += 1;
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::draws::{RandomWords, StreamPurpose};
    use super::Poisson;

    /// The probabilities agree with e^-m m^k / k!, computed from a sum of logarithms.
    #[test]
    fn probabilities_are_those_of_the_law() {
        for (weight, total) in [(32, 1), (31, 7), (1, 3), (1, 1 << 20), (2048, 3), (65_535, 1)] {
            let law = Poisson::new(weight, total);
            let mean = weight as f64 / total as f64;
            let (mut log, mut before) = (-mean, 0);
            for (k, &bound) in law.cumulative.iter().enumerate() {
                if k > 0 {
                    log += libm::log(mean / k as f64);
                }
                let found = (bound - before) as f64 / (1_u64 << 63) as f64;
                before = bound;
                assert!((found - libm::exp(log)).abs() < 1e-12, "mean {mean}, {k}: {found}");
            }
            assert_eq!(before, 1 << 63);
            assert_eq!(law.draw(u64::MAX) as usize, law.most());
        }
    }

    /// A chi-square test accepts the draws for the words of a stream, and rejects a table with a wrong mean.
    #[test]
    fn draws_follow_the_law() {
        let words = RandomWords::new(3, StreamPurpose::StripTicks, 0);
        let law = Poisson::new(32, 1);
        let statistic = |drawn: &Poisson| {
            let mut seen = vec![0_u32; 80];
            for index in 0..200_000 {
                seen[(drawn.draw(words.word(index)) as usize).min(79)] += 1;
            }
            (10..60)
                .map(|k| {
                    let probability =
                        (law.cumulative[k] - law.cumulative[k - 1]) as f64 / (1_u64 << 63) as f64;
                    let expected = 200_000.0 * probability;
                    (f64::from(seen[k]) - expected).powi(2) / expected
                })
                .sum::<f64>()
        };
        // 50 cells: mean 50, standard deviation 10.
        assert!(statistic(&law) < 95.0, "{}", statistic(&law));
        // A mean that is wrong by 1 % adds about 200 000 * 0.32^2 / 32 to the statistic.
        assert!(statistic(&Poisson::new(3232, 100)) > 400.0);
    }
}
