//! The limit of many agents beside the counts of a run.

use acrasin_protocols::mean_field::MeanField;
use acrasin_protocols::reactions::ReactionNetwork;
use acrasin_report::curves::Curves;
use acrasin_report::record::Exit;

use super::drive::called_off;
use super::{At, Finished, Proceed, Watch};

/// Points of a curve: as many as a wide plot can show.
const POINTS: u32 = 400;

/// The estimated error of a step, as a share: far below the width of a line.
const TOLERANCE: f64 = 1e-8;

/// Adds the limit from the same start on to the series of a run; counts are `scale` times a share. A run that the watch ends
/// meanwhile is unfinished, and has the curves up to that point.
pub(crate) fn beside(
    finished: &mut Finished,
    watch: &dyn Watch,
    network: &ReactionNetwork,
    (counts, scale): (&[u64], f64),
) {
    let Some(series) = finished.series.take() else { return };
    let last = series.rows().last().map_or(0.0, |row| row.time);
    let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / scale).collect();
    let mut limit = MeanField::new(network, &shares, TOLERANCE).in_volume(scale);
    let mut points = Vec::new();
    let mut ended = Proceed::Continue;
    for point in 0..=POINTS {
        let time = last * f64::from(point) / f64::from(POINTS);
        // What grows beyond all bounds ends early.
        let goes_on = limit.advance_while(time, &mut || {
            ended = watch.look(&At { fraction: Some(1.0), ..At::START });
            ended == Proceed::Continue
        });
        if !goes_on {
            break;
        }
        points.push((limit.time(), limit.shares().iter().map(|share| share * scale).collect()));
    }
    finished.series = Some(series.with_curves(Curves::new("mean field", points)));
    if ended != Proceed::Continue && finished.record.outcome().exit == Exit::Done {
        finished.record.set_outcome(called_off(ended, "the mean field was computed"));
    }
}
