//! Means and medians of real figures over repetitions of a run.

/// The mean of a figure over repetitions, with its standard error.
///
/// Sums run in the order of the slice, so equal slices give equal bits; callers pass repetitions in the order of
/// their numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MeanWithError {
    /// Number of values.
    pub count: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// s / √n with the unbiased sample variance s²; `None` for a single value.
    pub standard_error: Option<f64>,
}

impl MeanWithError {
    /// The mean and its error, by two passes over the values. `None` if there are no values, if one is not finite, or
    /// if their sum or squares exceed the range of `f64`.
    ///
    /// ```
    /// use acrasin_report::summary::MeanWithError;
    ///
    /// let rounds = MeanWithError::of(&[2.0, 4.0, 4.0, 6.0]).expect("four finite values");
    /// assert_eq!(rounds.mean, 4.0);
    /// assert_eq!(rounds.standard_error, Some((8.0_f64 / 3.0 / 4.0).sqrt()));
    /// ```
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        if !mean.is_finite() {
            return None;
        }
        let standard_error = (values.len() > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
            (squares / (count - 1.0) / count).sqrt()
        });
        let valid = standard_error.is_none_or(f64::is_finite);
        valid.then_some(Self { count: values.len(), mean, standard_error })
    }
}

/// The median of real values, in any order: the middle one, or the mean of the two middle ones.
///
/// `None` if there are no values or one is not finite. Cost: a sorted copy.
pub fn median(values: &[f64]) -> Option<f64> {
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        // Halved first: the sum of two large values could leave the range.
        _ => Some(sorted[middle - 1] / 2.0 + sorted[middle] / 2.0),
    }
}

/// The quantile of real values, in any order, by nearest rank: the smallest value that a `share` of all do not exceed.
///
/// `None` if there are no values, one is not finite, or the share is not between 0 and 1. Cost: a sorted copy.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    if values.iter().any(|value| !value.is_finite()) || !(0.0..=1.0).contains(&share) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_by_nearest_rank() {
        let values = [40.0, 10.0, 30.0, 20.0];
        let at = [0.0, 0.25, 0.26, 0.5, 0.75, 0.95, 1.0];
        assert_eq!(
            at.map(|share| quantile(&values, share).unwrap()),
            [10.0, 10.0, 20.0, 20.0, 30.0, 40.0, 40.0]
        );
        assert_eq!(
            (quantile(&[], 0.5), quantile(&values, 1.1), quantile(&[f64::NAN], 0.5)),
            (None, None, None)
        );
    }

    #[test]
    fn one_value_has_no_error_bar() {
        let one = MeanWithError::of(&[3.5]).expect("finite");
        assert_eq!((one.count, one.mean, one.standard_error), (1, 3.5, None));
    }

    #[test]
    fn equal_values_have_error_zero() {
        let equal = MeanWithError::of(&[7.0; 5]).expect("finite");
        assert_eq!((equal.mean, equal.standard_error), (7.0, Some(0.0)));
    }

    #[test]
    fn values_without_a_mean_are_refused() {
        assert_eq!(MeanWithError::of(&[]), None);
        assert_eq!(MeanWithError::of(&[1.0, f64::NAN]), None);
        assert_eq!(MeanWithError::of(&[f64::INFINITY]), None);
        assert_eq!(MeanWithError::of(&[f64::MAX, f64::MAX]), None);
        assert_eq!(MeanWithError::of(&[-1e200, 1e200]), None);
    }

    #[test]
    fn a_large_offset_does_not_hide_the_variance() {
        let shifted = MeanWithError::of(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]).expect("finite");
        assert_eq!(shifted.mean, 1e9 + 2.0);
        assert!((shifted.standard_error.expect("three values") - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn median_of_odd_even_and_none() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[f64::NAN]), None);
        assert_eq!(median(&[f64::MAX, f64::MAX]), Some(f64::MAX));
    }
}
