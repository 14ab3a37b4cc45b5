//! The statistic with which tests of samplers compare draws with a law. Every test that uses it also shows that it
//! rejects a sampler with a bias of one per cent.

/// Pearson's statistic in standard deviations: beyond 6 with a probability below 1e-7 or so.
pub(super) fn deviation(seen: &[u64], law: &[f64], trials: u64) -> f64 {
    let (mut statistic, mut cells, mut rest) = (0.0, 0.0, (0.0, 0.0));
    for (&seen, &probability) in seen.iter().zip(law) {
        let wanted = probability * trials as f64;
        if wanted < 20.0 {
            rest = (rest.0 + seen as f64, rest.1 + wanted);
            continue;
        }
        statistic += (seen as f64 - wanted).powi(2) / wanted;
        cells += 1.0;
    }
    if rest.1 >= 5.0 {
        statistic += (rest.0 - rest.1).powi(2) / rest.1;
    } else {
        assert!(rest.0 < 40.0, "{} where {} were expected", rest.0, rest.1);
    }
    (statistic - cells) / (2.0_f64 * cells).sqrt()
}
