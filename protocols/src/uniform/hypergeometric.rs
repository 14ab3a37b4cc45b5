//! Samples without replacement and binomial samples, for sizes up to 2^53.
//!
//! Small samples are drawn one agent at a time. Samples with a small mean are drawn by inversion from 0, all others by
//! the ratio of uniforms (Stadlober, "Sampling from Poisson, binomial and hypergeometric distributions: ratio of
//! uniforms as a simple and fast alternative", 1989). Logarithms of ratios to the mode are computed without
//! cancellation ([`bend`]). The sampler of `rand_distr` subtracts logarithms of factorials, and is too inexact for the
//! parameters of batches (for instance a mean of 10 among 10^13).

use super::draws::RandomDraws;
use super::factorial::{Bends, bend, log_near_one};

/// The largest sample size for which agents are drawn one by one.
const ONE_BY_ONE: u64 = 6;

/// The largest mean for which the probabilities are summed from 0.
const SMALL_MEAN: f64 = 8.0;

/// Draws the number of `good` agents in a sample of `sample` agents, taken without replacement from `total`.
///
/// `good` and `sample` are at most `total`, `total` at most 2^53.
#[inline]
pub(super) fn hypergeometric(total: u64, good: u64, sample: u64, draws: &mut RandomDraws) -> u64 {
    if good == 0 || sample == 0 {
        return 0;
    }
    if good == total {
        return sample;
    }
    if sample == total {
        return good;
    }
    // The law is symmetric under exchanging good and bad, drawn and left, and sample and good.
    if sample > total / 2 {
        return good - below_half(total, good, total - sample, draws);
    }
    below_half(total, good, sample, draws)
}

fn below_half(total: u64, good: u64, sample: u64, draws: &mut RandomDraws) -> u64 {
    if good > total / 2 {
        return sample - reduced(total, total - good, sample, draws);
    }
    reduced(total, good, sample, draws)
}

/// Draws the number of good agents in a sample. Both `good` and `sample` must be from 1 to half of `total`.
fn reduced(total: u64, good: u64, sample: u64, draws: &mut RandomDraws) -> u64 {
    let (fewer, more) = if sample <= good { (sample, good) } else { (good, sample) };
    if fewer <= ONE_BY_ONE {
        let mut left = more;
        for drawn in 0..fewer {
            left -= u64::from(draws.below(total - drawn) < left);
        }
        return more - left;
    }
    let mean = fewer as f64 * (more as f64 / total as f64);
    if mean < SMALL_MEAN {
        from_zero(total as f64, more as f64, fewer as f64, draws)
    } else {
        around_the_mode(total as f64, more as f64, fewer as f64, mean, draws)
    }
}

/// Draws by inversion: sums probabilities from 0 upwards, each computed from the previous one.
fn from_zero(total: f64, good: f64, sample: f64, draws: &mut RandomDraws) -> u64 {
    let rest = total - good - sample;
    // P(0) = (N-g)! (N-m)! / ((N-g-m)! N!).
    let first =
        bend(rest, sample) - bend(total - sample, sample) + sample * libm::log1p(-good / (total - sample));
    let mut probability = libm::exp(first);
    let mut ticket = draws.unit();
    let mut k = 0.0;
    while ticket > probability && k < sample {
        ticket -= probability;
        probability *= (good - k) * (sample - k) / ((k + 1.0) * (rest + k + 1.0));
        k += 1.0;
    }
    k as u64
}

/// Draws by ratio of uniforms, for means above [`SMALL_MEAN`].
fn around_the_mode(total: f64, good: f64, sample: f64, mean: f64, draws: &mut RandomDraws) -> u64 {
    let mode = ((good + 1.0) * ((sample + 1.0) / (total + 2.0))) as i64 as f64;
    let variance = mean * (1.0 - good / total) * ((total - sample) / (total - 1.0));
    let rest = total - good - sample;
    let (in_good, in_sample, in_rest) = (good - mode, sample - mode, rest + mode);
    // The first-order part of all four ratios; it is nearly 0 at the mode.
    let tilt = log_near_one((in_good * in_sample) / (mode * in_rest));
    let bends = Bends::new([mode, in_rest], [in_good, in_sample]);
    let bounds = |k: f64| {
        let d = k - mode;
        bends.bounds(d).map(|[low, high]| [d * tilt - high, d * tilt - low])
    };
    ratio_of_uniforms(mean, variance, good.min(sample), draws, bounds, |k| {
        let d = k - mode;
        d * tilt - bend(mode, d) - bend(in_good, -d) - bend(in_sample, -d) - bend(in_rest, d)
    })
}

/// Draws the number of successes in `trials` trials, each with probability `weight / total`.
pub(super) fn binomial(trials: u64, weight: u64, total: u64, draws: &mut RandomDraws) -> u64 {
    if weight == 0 || trials == 0 {
        return 0;
    }
    if weight >= total {
        return trials;
    }
    // Counts failures instead, so that the probability is at most 1/2.
    if weight > total / 2 {
        return trials - binomial(trials, total - weight, total, draws);
    }
    if trials <= ONE_BY_ONE {
        return (0..trials).map(|_| u64::from(draws.below(total) < weight)).sum();
    }
    let (n, p) = (trials as f64, weight as f64 / total as f64);
    let odds = weight as f64 / (total - weight) as f64;
    let mean = n * p;
    if mean < SMALL_MEAN {
        // By inversion, with the probabilities summed from 0.
        let mut probability = libm::exp(n * libm::log1p(-p));
        let mut ticket = draws.unit();
        let mut k = 0.0;
        while ticket > probability && k < n {
            ticket -= probability;
            probability *= (n - k) / (k + 1.0) * odds;
            k += 1.0;
        }
        return k as u64;
    }
    let mode = ((n + 1.0) * p).floor();
    let tilt = libm::log((n - mode) / mode * odds);
    ratio_of_uniforms(
        mean,
        mean * (1.0 - p),
        n,
        draws,
        |_| None,
        |k| {
            let d = k - mode;
            d * tilt - bend(mode, d) - bend(n - mode, -d)
        },
    )
}

/// Draws from a log-concave distribution on `0..=most`, by ratio of uniforms. `log_ratio(k)` is the logarithm of the
/// ratio of the probability of k to that of the mode. `bounds(k)` returns bounds on this logarithm that are cheaper to
/// compute, if there are any.
#[inline]
fn ratio_of_uniforms(
    mean: f64,
    variance: f64,
    most: f64,
    draws: &mut RandomDraws,
    bounds: impl Fn(f64) -> Option<[f64; 2]>,
    log_ratio: impl Fn(f64) -> f64,
) -> u64 {
    /// The constants of the method: 2 sqrt(2 / e) and 3 - 2 sqrt(3 / e).
    const WIDTH: f64 = 1.715_527_769_921_413_5;
    const MARGIN: f64 = 0.898_916_162_058_898_8;
    let centre = mean + 0.5;
    let width = WIDTH * (variance + 0.5).sqrt() + MARGIN;
    loop {
        let x = draws.unit();
        let place = centre + width * (draws.unit() - 0.5) / x;
        if !(0.0..most + 1.0).contains(&place) {
            continue;
        }
        // Rounds down without the call that some targets need for it.
        let k = place as i64 as f64;
        let is_taken = bounds(k).and_then(|bounds| compared(x, bounds)).unwrap_or_else(|| {
            let log = log_ratio(k);
            compared(x, [log, log]).unwrap_or(false)
        });
        if is_taken {
            return k as u64;
        }
    }
}

/// Compares 2 ln x with a number between these bounds; `None` if the bounds do not decide. Bounds on 2 ln x that can be
/// computed without a logarithm are tried first.
#[inline]
fn compared(x: f64, [low, high]: [f64; 2]) -> Option<bool> {
    if x * (4.0 - x) - 3.0 <= low {
        return Some(true);
    }
    if x * (x - high) >= 1.0 {
        return Some(false);
    }
    let log = 2.0 * libm::log(x);
    if log <= low {
        Some(true)
    } else if log > high {
        Some(false)
    } else {
        None
    }
}

/// Draws `sample` agents without replacement from `urn`: removes them and adds them to `drawn`, state by state. `left`
/// is the number of agents in the urn.
pub(super) fn take(
    urn: &mut [u64],
    drawn: &mut [u64],
    mut left: u64,
    mut sample: u64,
    draws: &mut RandomDraws,
) {
    for (here, there) in urn.iter_mut().zip(drawn) {
        if sample == 0 {
            break;
        }
        let taken = hypergeometric(left, *here, sample, draws);
        left -= *here;
        sample -= taken;
        *here -= taken;
        *there += taken;
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::{RandomDraws, StreamPurpose};
    use super::super::goodness_of_fit::deviation;
    use super::{binomial, hypergeometric, take};

    /// P(k) / P(k - 1) of the hypergeometric distribution.
    fn step(total: f64, good: f64, sample: f64, k: f64) -> f64 {
        (good - k + 1.0) * (sample - k + 1.0) / (k * (total - good - sample + k))
    }

    /// The distribution, computed from ratios and normalised at the end. It uses no factorial, so it shares nothing
    /// with the sampler.
    fn law(least: u64, most: u64, ratio: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut logs = vec![0.0];
        for k in least + 1..=most {
            logs.push(logs[logs.len() - 1] + ratio(k as f64).ln());
        }
        let top = logs.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - top).exp()).sum();
        logs.iter().map(|log| (log - top).exp() / sum).collect()
    }

    const TRIALS: u64 = 200_000;

    /// The deviation of a sampler whose result is one too high in one of `bias` samples; with 0 all results are
    /// unchanged.
    fn drawn(total: u64, good: u64, sample: u64, trials: u64, bias: u64) -> f64 {
        let least = (good + sample).saturating_sub(total);
        let most = good.min(sample);
        let (n, g, m) = (total as f64, good as f64, sample as f64);
        // Laws with more values than that are compared within 12 deviations of the mean.
        let mean = g * (m / n);
        let spread = 12.0 * (mean * (1.0 - g / n)).sqrt() + 30.0;
        let (low, high) = (least.max((mean - spread).max(0.0) as u64), most.min((mean + spread) as u64));
        let law = law(low, high, |k| step(n, g, m, k));
        let mut seen = vec![0; law.len()];
        let mut draws = RandomDraws::new(5, StreamPurpose::Epoch, total ^ good ^ sample);
        for trial in 0..trials {
            let mut k = hypergeometric(total, good, sample, &mut draws);
            assert!((least..=most).contains(&k));
            if bias > 0 && trial % bias == 0 && k < high {
                k += 1;
            }
            seen[(k - low) as usize] += 1;
        }
        deviation(&seen, &law, trials)
    }

    const CASES: [(u64, u64, u64); 16] = [
        (10, 4, 3),
        (20, 7, 15),
        (100, 50, 50),
        (100, 90, 60),
        (1000, 30, 300),
        (1000, 500, 7),
        (5000, 100, 900),
        (100_000, 30_000, 70),
        (1_000_000, 1000, 20_000),
        (1_000_000, 999_000, 20_000),
        (1 << 40, 1 << 39, 40_000),
        (10_000_000_000_000, 1_000_000, 100_000_000),
        (10_000_000_000_000, 1_000_000, 1_000_000_000),
        (1 << 53, 1 << 30, 1 << 26),
        (1 << 53, (1 << 53) - (1 << 30), 1 << 26),
        (1 << 53, 1 << 52, 90_000),
    ];

    #[test]
    fn samples_have_the_hypergeometric_law() {
        for (total, good, sample) in CASES {
            let found = drawn(total, good, sample, TRIALS, 0);
            assert!(found < 6.0, "{total} {good} {sample}: {found} deviations");
        }
    }

    /// If one draw in a hundred is too high by one, the test rejects the sampler for every distribution with few
    /// values.
    #[test]
    fn a_sampler_biased_by_one_per_cent_is_rejected() {
        for (total, good, sample) in
            [(100, 50, 50), (1000, 30, 300), (10_000_000_000_000, 1_000_000, 100_000_000)]
        {
            let found = drawn(total, good, sample, 50 * TRIALS, 100);
            assert!(found > 6.0, "{total} {good} {sample}: {found} deviations");
        }
    }

    /// The deviation of binomial samples. The probability that the sampler is given is `percent` per cent of the right
    /// one.
    fn drawn_successes((trials, weight, total): (u64, u64, u64), percent: u64, samples: u64) -> f64 {
        let (n, p) = (trials as f64, weight as f64 / total as f64);
        let mean = n * p;
        let spread = 12.0 * mean.sqrt() + 30.0;
        let (low, high) = ((mean - spread).max(0.0) as u64, trials.min((mean + spread) as u64));
        let law = law(low, high, |k| (n - k + 1.0) / k * p / (1.0 - p));
        let mut seen = vec![0; law.len()];
        let mut draws = RandomDraws::new(6, StreamPurpose::Epoch, trials);
        for _ in 0..samples {
            seen[(binomial(trials, percent * weight, 100 * total, &mut draws) - low) as usize] += 1;
        }
        deviation(&seen, &law, samples)
    }

    const BINOMIAL_CASES: [(u64, u64, u64); 6] =
        [(5, 1, 3), (40, 1, 7), (1000, 1, 1000), (1000, 2, 5), (1 << 40, 1, 1 << 34), (1 << 40, 1, 1 << 24)];

    /// A probability that is one per cent too high is rejected.
    #[test]
    fn successes_have_the_binomial_law() {
        for case in BINOMIAL_CASES {
            let found = drawn_successes(case, 100, 5 * TRIALS);
            assert!(found < 6.0, "{case:?}: {found} deviations");
            let biased = drawn_successes(case, 101, 5 * TRIALS);
            assert!(biased > 6.0, "{case:?}: {biased} deviations");
        }
    }

    #[test]
    fn a_sample_of_several_states_keeps_every_agent() {
        let mut draws = RandomDraws::new(1, StreamPurpose::Epoch, 0);
        let start = [5_u64, 0, 1_000_000_000_000, 70, 3];
        for sample in [0, 1, 77, 1_000_000, 900_000_000_000, start.iter().sum()] {
            let (mut urn, mut drawn) = (start, [0; 5]);
            take(&mut urn, &mut drawn, start.iter().sum(), sample, &mut draws);
            assert_eq!(drawn.iter().sum::<u64>(), sample);
            assert!((0..5).all(|state| urn[state] + drawn[state] == start[state]));
        }
    }
}
