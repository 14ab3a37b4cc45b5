//! Pearson's chi-square test, and a biased sampler that must fail it.

use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision, Seeded};

/// The probability of a deviation at least as large as that of `observed`, if the law is `expected`, a list of
/// probabilities. Cells with fewer than 5 expected observations are joined. 0 if an impossible outcome was observed.
pub(crate) fn p_value(observed: &[u64], expected: &[f64]) -> f64 {
    assert_eq!(observed.len(), expected.len());
    let trials = observed.iter().sum::<u64>() as f64;
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut joined = (0.0, 0.0);
    for (&seen, &probability) in observed.iter().zip(expected) {
        let (seen, wanted) = (seen as f64, probability * trials);
        if probability == 0.0 && seen > 0.0 {
            return 0.0;
        }
        if wanted >= 5.0 {
            cells.push((seen, wanted));
        } else {
            joined = (joined.0 + seen, joined.1 + wanted);
        }
    }
    if joined.1 >= 5.0 || cells.is_empty() {
        cells.push(joined);
    } else {
        let smallest = (0..cells.len()).min_by(|&i, &j| cells[i].1.total_cmp(&cells[j].1)).unwrap();
        cells[smallest] = (cells[smallest].0 + joined.0, cells[smallest].1 + joined.1);
    }
    assert!(cells.len() >= 2, "a test with one cell cannot fail");
    let statistic = cells.iter().map(|(seen, wanted)| (seen - wanted).powi(2) / wanted).sum::<f64>();
    upper_tail(cells.len() as u32 - 1, statistic)
}

/// P(chi-square with this many degrees of freedom > x), by the finite sums for even and odd degrees (Abramowitz and
/// Stegun 26.4.4, 26.4.5).
fn upper_tail(degrees: u32, x: f64) -> f64 {
    let half = x / 2.0;
    // Term i of the sum is half^i / i! (even) or half^(i-1/2) / gamma(i+1/2) (odd), times exp(-half).
    let (mut tail, mut term, mut divisor) = if degrees.is_multiple_of(2) {
        (0.0, (-half).exp(), 1.0)
    } else {
        (complementary_error(half.sqrt()), (-half).exp() * (half / std::f64::consts::PI).sqrt() * 2.0, 1.5)
    };
    for _ in 0..degrees / 2 {
        tail += term;
        term *= half / divisor;
        divisor += 1.0;
    }
    tail
}

/// erfc for x >= 0: the series below 3, the continued fraction above.
fn complementary_error(x: f64) -> f64 {
    let root_pi = std::f64::consts::PI.sqrt();
    if x < 3.0 {
        let (mut sum, mut term, mut n) = (0.0, x, 0.0);
        while term > 1e-18 {
            sum += term;
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
        }
        1.0 - 2.0 / root_pi * (-x * x).exp() * sum
    } else {
        let fraction = (1..60).rev().fold(x, |tail, n| x + f64::from(n) / 2.0 / tail);
        (-x * x).exp() / root_pi / fraction
    }
}

/// A biased sampler that prefers small numbers: one pick in eight is the smaller of two.
pub(crate) struct Low(pub(crate) Seeded);

impl Choices for Low {
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        let pick = self.0.pick(bound, why);
        let again = self.0.pick(NonZeroU32::new(8).unwrap(), Decision::Adversary) == 0;
        if again { pick.min(self.0.pick(bound, why)) } else { pick }
    }
}

#[test]
fn tails_agree_with_tables() {
    // The 5 % and 0.1 % points of printed tables.
    for (degrees, x, tail) in [
        (1, 3.841_458_820_694_124, 0.05),
        (2, 5.991_464_547_107_979, 0.05),
        (3, 7.814_727_903_251_179, 0.05),
        (10, 18.307_038_053_275_146, 0.05),
        (1, 10.827_566_170_662_733, 0.001),
        (7, 24.321_886_347_856_854, 0.001),
    ] {
        assert!((upper_tail(degrees, x) - tail).abs() < 1e-12, "{degrees}: {}", upper_tail(degrees, x));
    }
}
