//! [`Group`]: the values of many runs, and their statistics.

use std::collections::BTreeMap;

use super::axis::Scale;
use crate::summary::{LineFit, median, quantile};

/// Runs that belong together, with a name for the legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The name in the legend; empty if there is only one group.
    pub name: String,
    /// One point (x, y) for each run, in the order of the runs.
    pub points: Vec<(f64, f64)>,
    /// The points of runs that ended at a limit, so that their values are too small.
    pub unfinished: Vec<(f64, f64)>,
}

/// The scales of both axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scales {
    /// The horizontal axis.
    pub x: Scale,
    /// The vertical axis.
    pub y: Scale,
}

/// Statistics of all runs of a group with the same x.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Band {
    /// The x that these runs have in common.
    pub x: f64,
    /// The number of runs.
    pub count: usize,
    /// The median of the y of these runs.
    pub median: f64,
    /// The quantiles of the y of these runs at 5, 25, 75 and 95 %.
    pub quantiles: [f64; 4],
}

impl Band {
    /// The probabilities of the quantiles in [`Band::quantiles`].
    pub const SHARES: [f64; 4] = [0.05, 0.25, 0.75, 0.95];
}

/// For each x in ascending order, the y of the points with this x. Points that are not finite are ignored.
pub(super) fn by_x(points: &[(f64, f64)]) -> Vec<(f64, Vec<f64>)> {
    let mut by_x: BTreeMap<u64, (f64, Vec<f64>)> = BTreeMap::new();
    for &(x, y) in points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
        // Maps bits to the order of the numbers; both zeros are equal.
        let bits = (x + 0.0).to_bits() as i64;
        let key = (bits ^ (((bits >> 63) as u64) >> 1) as i64) as u64 ^ (1 << 63);
        by_x.entry(key).or_insert_with(|| (x + 0.0, Vec::new())).1.push(y);
    }
    by_x.into_values().collect()
}

impl Group {
    /// Statistics for each x, in ascending order. Points that are not finite are ignored.
    #[must_use]
    pub fn bands(&self) -> Vec<Band> {
        let band = |(x, values): (f64, Vec<f64>)| {
            let at = |share| quantile(&values, share).expect("finite values");
            let median = median(&values).expect("finite values");
            Band { x, count: values.len(), median, quantiles: Band::SHARES.map(at) }
        };
        by_x(&self.points).into_iter().map(band).collect()
    }
}

impl Scales {
    /// The least-squares line through all points. On logarithmic axes it is fitted to decimal logarithms. `None` if a
    /// point has no logarithm, or the points determine no line.
    #[must_use]
    pub fn fit(self, points: &[(f64, f64)]) -> Option<LineFit> {
        let drawn: Vec<(f64, f64)> =
            points.iter().map(|&(x, y)| (self.x.drawn(x), self.y.drawn(y))).collect();
        LineFit::of(&drawn)
    }

    /// The name of the slope of a line on these scales.
    #[must_use]
    pub fn slope_name(self) -> &'static str {
        match (self.x, self.y) {
            (Scale::Logarithmic, Scale::Logarithmic) => "exponent",
            (Scale::Logarithmic, Scale::Linear) => "rise a decade",
            (Scale::Linear, Scale::Logarithmic) => "decades a unit",
            (Scale::Linear, Scale::Linear) => "slope",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_gathered_by_x_in_its_order() {
        let points =
            [(10.0, 4.0), (-2.0, 1.0), (10.0, 2.0), (0.0, 7.0), (-0.0, 9.0), (-30.0, 5.0), (1.0, f64::NAN)];
        let group = Group { name: String::new(), points: points.into(), unfinished: Vec::new() };
        let found: Vec<(f64, usize, f64)> =
            group.bands().iter().map(|band| (band.x, band.count, band.median)).collect();
        assert_eq!(found, [(-30.0, 1, 5.0), (-2.0, 1, 1.0), (0.0, 2, 8.0), (10.0, 2, 3.0)]);
        assert_eq!(group.bands()[3].quantiles, [2.0, 2.0, 4.0, 4.0]);
    }

    #[test]
    fn a_power_has_its_exponent_and_a_logarithm_its_rise() {
        let (log, line) = (Scale::Logarithmic, Scale::Linear);
        let power: Vec<(f64, f64)> = [1.0, 10.0, 100.0].map(|x: f64| (x, 3.0 * x.powf(1.5))).into();
        assert!((Scales { x: log, y: log }.fit(&power).unwrap().slope - 1.5).abs() < 1e-12);
        let logarithm: Vec<(f64, f64)> = [1.0, 10.0, 100.0].map(|x: f64| (x, 3.0 + 2.0 * x.log10())).into();
        assert!((Scales { x: log, y: line }.fit(&logarithm).unwrap().slope - 2.0).abs() < 1e-12);
        assert_eq!(Scales { x: log, y: log }.fit(&[(0.0, 1.0), (1.0, 1.0)]), None);
    }
}
