//! The limit of many agents beside the counts of a run.

use acrasin_protocols::mean_field::MeanField;
use acrasin_protocols::reactions::ReactionNetwork;
use acrasin_report::curves::Curves;
use acrasin_report::series::Series;

/// Points of a curve: as many as a wide plot can show.
const POINTS: u32 = 400;

/// The estimated error of a step, as a share: far below the width of a line.
const TOLERANCE: f64 = 1e-8;

/// The series with the limit from the same start on; counts are `scale` times a share.
pub(crate) fn beside(series: Series, network: &ReactionNetwork, counts: &[u64], scale: f64) -> Series {
    let last = series.rows().last().map_or(0.0, |row| row.time);
    let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / scale).collect();
    let mut limit = MeanField::new(network, &shares, TOLERANCE);
    let mut points = Vec::new();
    for point in 0..=POINTS {
        // What grows beyond all bounds ends early.
        if !limit.advance(last * f64::from(point) / f64::from(POINTS)) {
            break;
        }
        points.push((limit.time(), limit.shares().iter().map(|share| share * scale).collect()));
    }
    series.with_curves(Curves::new("mean field", points))
}
