//! [`LineFit`]: a straight line through points, by least squares.

/// The line `intercept + slope · x` of least squares in y.
///
/// Sums run in the order of the points, so equal slices give equal bits.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LineFit {
    /// The number of points.
    pub count: usize,
    /// The value at x = 0.
    pub intercept: f64,
    /// The rise per unit of x.
    pub slope: f64,
    /// The standard error s / √Σ(x − x̄)², with s² the squared residuals over n − 2. This assumes that the points
    /// scatter around a line independently and with equal variance. `None` for two points.
    pub slope_error: Option<f64>,
}

impl LineFit {
    /// The line through points (x, y). `None` if all points have the same x, or a number is not finite.
    ///
    /// ```
    /// use acrasin_report::summary::LineFit;
    ///
    /// let fit = LineFit::of(&[(0.0, 1.0), (1.0, 3.5), (2.0, 5.0)]).expect("three points");
    /// assert_eq!(fit.slope, 2.0);
    /// assert!((fit.slope_error.expect("three points") - (1.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    /// ```
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (centre_x, centre_y) = (mean(|point| point.0), mean(|point| point.1));
        let spread: f64 = points.iter().map(|(x, _)| (x - centre_x) * (x - centre_x)).sum();
        let together: f64 = points.iter().map(|(x, y)| (x - centre_x) * (y - centre_y)).sum();
        // Equal x would leave only rounding errors.
        let is_spread = points.iter().any(|(x, _)| *x != points[0].0);
        let slope = together / spread;
        let intercept = centre_y - slope * centre_x;
        if !is_spread || !slope.is_finite() || !intercept.is_finite() {
            return None;
        }
        let slope_error = (points.len() > 2).then(|| {
            let residual = |&(x, y): &(f64, f64)| y - centre_y - slope * (x - centre_x);
            let squares: f64 = points.iter().map(|point| residual(point) * residual(point)).sum();
            (squares / (count - 2.0) / spread).sqrt()
        });
        Some(Self { count: points.len(), intercept, slope, slope_error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Anscombe, Graphs in Statistical Analysis, 1973: slope 0.500 with standard error 0.118, intercept 3.00.
    #[test]
    fn a_published_line_comes_out() {
        let points = [
            (10.0, 8.04),
            (8.0, 6.95),
            (13.0, 7.58),
            (9.0, 8.81),
            (11.0, 8.33),
            (14.0, 9.96),
            (6.0, 7.24),
            (4.0, 4.26),
            (12.0, 10.84),
            (7.0, 4.82),
            (5.0, 5.68),
        ];
        let fit = LineFit::of(&points).unwrap();
        assert!((fit.slope - 0.500_091).abs() < 1e-6 && (fit.intercept - 3.000_091).abs() < 1e-6, "{fit:?}");
        assert!((fit.slope_error.unwrap() - 0.117_906).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn points_without_a_line_have_none() {
        assert_eq!(LineFit::of(&[]), None);
        assert_eq!(LineFit::of(&[(1.0, 2.0)]), None);
        assert_eq!(LineFit::of(&[(0.1, 2.0), (0.1, 3.0), (0.1, 4.0)]), None);
        assert_eq!(LineFit::of(&[(0.0, f64::NAN), (1.0, 1.0)]), None);
        let two = LineFit::of(&[(1.0, 2.0), (3.0, 8.0)]).unwrap();
        assert_eq!((two.slope, two.intercept, two.slope_error), (3.0, -1.0, None));
    }
}
