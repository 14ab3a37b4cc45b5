//! Statistics shared by the tests of random families. Every test that uses them also shows that they reject a biased
//! sampler.

/// The bound that the absolute value of a standard normal variable exceeds once in a million draws.
pub(crate) const ODDS_ONE_IN_A_MILLION: f64 = 4.892;

/// The number of standard deviations between `found` and `mean`.
pub(crate) fn standard_score(found: f64, mean: f64, variance: f64) -> f64 {
    (found - mean) / variance.sqrt()
}

/// Whether the unevenness of counts with equal expectations is plausible as chance. The chi-square statistic must be
/// below its one in a million quantile, by the approximation of Wilson and Hilferty (1931).
pub(crate) fn chi_square_is_plausible(counts: &[u64], expected: f64) -> bool {
    let statistic: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let freedom = counts.len() as f64;
    let spread = 2.0 / (9.0 * freedom);
    standard_score((statistic / freedom).cbrt(), 1.0 - spread, spread) < ODDS_ONE_IN_A_MILLION
}

#[test]
fn the_quantile_is_right() {
    // The chi-square distribution with 66 degrees of freedom has its one in two million tail at about 137.5.
    let at = |statistic: f64| {
        let deviation = (statistic / 66.0 * 100.0).sqrt();
        let counts: Vec<u64> = (0..66).map(|_| (10_000.0 + deviation * 10.0).round() as u64).collect();
        chi_square_is_plausible(&counts, 10_000.0)
    };
    assert!(at(125.0));
    assert!(!at(150.0));
}
