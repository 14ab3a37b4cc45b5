//! The mean-field limit, shown with the counts of a run.

use acrasin_process::{Awaited, Progress};
use acrasin_protocols::mean_field::{MeanField, Unreached};
use acrasin_protocols::reactions::{ReactionNetwork, ScheduledChange};
use acrasin_report::curves::Curves;
use acrasin_report::record::{Exit, Figure, Section};

use super::drive::called_off;
use super::{Finished, Proceed, RunControl};
use crate::text::failure::quoted;

/// The number of points of a curve, which is what a wide plot can resolve.
const POINTS: u32 = 400;

/// The estimated relative error of a step, far below the width of a line.
const TOLERANCE: f64 = 1e-8;

/// The maximum number of events that have points of their own just before and after the event. A plot cannot resolve
/// more jumps.
const JUMPS: usize = 1000;

/// Adds the mean-field limit from the same start to the series of a run. Counts are `scale` times a fraction. If the
/// run control ends the run during the computation, the run is unfinished and has the curves computed so far. If the
/// solution itself ends early, the record gives the reason.
pub(crate) fn beside(
    finished: &mut Finished,
    watch: &dyn RunControl,
    network: &ReactionNetwork,
    events: &[ScheduledChange],
    (counts, scale): (&[u64], f64),
) {
    let Some(series) = finished.series.take() else { return };
    let last = series.rows().last().map_or(0.0, |row| row.time);
    let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / scale).collect();
    let limit = MeanField::new(network, &shares, TOLERANCE).with_volume(scale).with_events(events);
    let mut curves = LimitCurves { limit, scale, points: Vec::new(), jumps: 0 };
    let mut ended = Proceed::Continue;
    let reached = curves.advance(last, &mut || {
        ended = watch.look(&Progress { fraction: Some(1.0), ..Progress::START });
        ended == Proceed::Continue
    });
    if let Err(why) = reached
        && ended == Proceed::Continue
    {
        let mut section = Section::new("mean_field", "Mean field");
        section.push(Figure::new("end", "ends early", curves.reason(why, network)));
        finished.record.push(section);
    }
    finished.series = Some(series.with_curves(Curves::new("mean field", curves.points)));
    if ended != Proceed::Continue && finished.record.ending().exit() == Exit::Done {
        finished.record.set_ending(called_off(ended, Awaited::MeanField));
    }
}

/// The points of the solution computed so far.
struct LimitCurves {
    limit: MeanField,
    scale: f64,
    points: Vec<(f64, Vec<f64>)>,
    jumps: usize,
}

impl LimitCurves {
    /// Adds all points up to a time.
    fn advance(&mut self, last: f64, go_on: &mut dyn FnMut() -> bool) -> Result<(), Unreached> {
        for point in 0..=POINTS {
            let time = last * f64::from(point) / f64::from(POINTS);
            while self.limit.advance_to_event(time, go_on)? {
                // Several events may have the same time.
                if !go_on() {
                    return Err(Unreached::CalledOff);
                }
                self.jumps += 1;
                let is_shown = self.jumps <= JUMPS && self.limit.time() > 0.0;
                if is_shown {
                    self.push();
                }
                self.limit.happen()?;
                if is_shown {
                    self.push();
                }
            }
            self.push();
        }
        Ok(())
    }

    fn push(&mut self) {
        let counts = self.limit.shares().iter().map(|share| share * self.scale).collect();
        self.points.push((self.limit.time(), counts));
    }

    fn reason(&self, why: Unreached, network: &ReactionNetwork) -> String {
        let time = self.limit.time();
        match why {
            Unreached::Event { event, species } => {
                let species = quoted(&network.species()[usize::from(species)]);
                format!(
                    "event {} at time {time:?} takes more of {species} than the mean field has",
                    event + 1
                )
            }
            _ => format!("at time {time:?} the solution grows beyond all bounds, or a rate is not a number"),
        }
    }
}
