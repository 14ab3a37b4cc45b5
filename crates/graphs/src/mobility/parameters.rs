//! The parameters of the random waypoint model.

use std::num::NonZeroU32;

use crate::limits::{MOBILITY_WORK_MAX, NODES_MAX, SECONDS_MAX};
use crate::parameter::GraphParameterError;

/// The random waypoint model with disc range.
///
/// Each node draws a destination uniformly in a square field and a speed uniformly in an interval. It walks there
/// straight, pauses for a time drawn uniformly, and repeats (Johnson and Maltz 1996). Two nodes are in contact while
/// their distance is at most the range, sampled every `step` seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RandomWaypoint {
    /// The number of nodes.
    pub nodes: u64,
    /// The side of the square field, in metres.
    pub side: f64,
    /// Least and greatest speed, in metres per second.
    ///
    /// The least must be above 0. With speeds near 0, walks have no finite mean duration and the model has no steady
    /// state: the walkers slow down indefinitely (Yoon, Liu and Noble 2003).
    pub speed: (f64, f64),
    /// The longest pause, in seconds; pauses are uniform from 0.
    pub pause: f64,
    /// The distance up to which two walkers are in contact, in metres.
    pub range: f64,
    /// The time between two samples, in seconds.
    pub step: u32,
    /// The length of the trace, in seconds: a whole number of steps.
    pub duration: u64,
}

/// The name of the model in errors.
pub(super) const NAME: &str = "random waypoint";

/// The largest ratio of lengths, speeds or times: 10^9. It still leaves many digits for positions.
const RATIO_MAX: f64 = 1e9;

/// Numbers of nodes and samples, and the step, from checked parameters.
pub(super) struct CheckedWaypoint {
    pub(super) nodes: u32,
    pub(super) step: NonZeroU32,
    pub(super) samples: u32,
}

impl RandomWaypoint {
    pub(super) fn checked(&self) -> Result<CheckedWaypoint, GraphParameterError> {
        let refuse = |parameter, found: String, accepted: &str| {
            Err(GraphParameterError::new(NAME, parameter, found, accepted))
        };
        let nodes = u32::try_from(self.nodes).ok().filter(|nodes| (1..=NODES_MAX).contains(nodes));
        let Some(nodes) = nodes else {
            return refuse("nodes", self.nodes.to_string(), &format!("1 to {NODES_MAX}"));
        };
        if !(self.side >= 1e-3 && self.side <= RATIO_MAX) {
            return refuse("side", self.side.to_string(), "0.001 to 1e9 metres");
        }
        let (slowest, fastest) = self.speed;
        if !(slowest > 0.0 && slowest <= fastest && fastest.is_finite() && fastest / slowest <= RATIO_MAX) {
            let accepted = "0 < least <= greatest <= 1e9 * least, in metres per second";
            return refuse("speed", format!("({slowest}, {fastest})"), accepted);
        }
        if !(self.pause >= 0.0 && self.pause <= RATIO_MAX) {
            return refuse("pause", self.pause.to_string(), "0 to 1e9 seconds");
        }
        if !(self.range >= 0.0 && self.range.is_finite()) {
            return refuse("range", self.range.to_string(), "0 or more metres");
        }
        let Some(step) = NonZeroU32::new(self.step) else {
            return refuse("step", "0".to_owned(), "1 or more seconds");
        };
        let samples = self.duration / u64::from(self.step);
        let whole = samples > 0 && self.duration.is_multiple_of(self.step.into());
        if !whole || self.duration > SECONDS_MAX as u64 {
            let accepted = format!("a multiple of step = {step}, above 0, up to {SECONDS_MAX} seconds");
            return refuse("duration", self.duration.to_string(), &accepted);
        }
        // A walker may finish several short walks within a step; each of them is work.
        let legs = (f64::from(self.step) * fastest / self.side).max(1.0);
        let share = (4.0 * self.range * self.range / (self.side * self.side)).min(1.0);
        let in_range = f64::from(nodes) * f64::from(nodes) / 2.0 * share;
        let work = samples as f64 * (f64::from(nodes) * legs + in_range);
        if work > MOBILITY_WORK_MAX as f64 {
            let found = format!("about {work:.2e}");
            let accepted = format!("up to {MOBILITY_WORK_MAX}");
            return refuse("samples * (nodes * legs per step + pairs in range)", found, &accepted);
        }
        Ok(CheckedWaypoint { nodes, step, samples: samples as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_parameters() {
        let good = RandomWaypoint {
            nodes: 10,
            side: 50.0,
            speed: (0.5, 1.5),
            pause: 10.0,
            range: 5.0,
            step: 20,
            duration: 200,
        };
        assert_eq!(good.checked().map(|checked| checked.samples), Ok(10));
        for (wrong, parameter) in [
            (RandomWaypoint { nodes: 0, ..good }, "nodes"),
            (RandomWaypoint { nodes: u64::MAX, ..good }, "nodes"),
            (RandomWaypoint { side: 0.0, ..good }, "side"),
            (RandomWaypoint { side: f64::NAN, ..good }, "side"),
            (RandomWaypoint { speed: (0.0, 1.0), ..good }, "speed"),
            (RandomWaypoint { speed: (2.0, 1.0), ..good }, "speed"),
            (RandomWaypoint { speed: (1.0, f64::INFINITY), ..good }, "speed"),
            (RandomWaypoint { pause: -1.0, ..good }, "pause"),
            (RandomWaypoint { range: f64::NAN, ..good }, "range"),
            (RandomWaypoint { step: 0, ..good }, "step"),
            (RandomWaypoint { duration: 0, ..good }, "duration"),
            (RandomWaypoint { duration: 210, ..good }, "duration"),
            (RandomWaypoint { duration: u64::MAX - u64::MAX % 20, ..good }, "duration"),
            (
                RandomWaypoint { duration: 20_000_000_000, ..good },
                "samples * (nodes * legs per step + pairs in range)",
            ),
            (
                RandomWaypoint { speed: (1e9, 1e9), side: 0.001, ..good },
                "samples * (nodes * legs per step + pairs in range)",
            ),
            (
                RandomWaypoint { nodes: 1 << 20, range: 25.0, ..good },
                "samples * (nodes * legs per step + pairs in range)",
            ),
        ] {
            let error = wrong.checked().map(|checked| checked.samples).unwrap_err();
            assert_eq!((error.model(), error.parameter()), ("random waypoint", parameter), "{error}");
            assert!(!error.accepted().is_empty() && error.to_string().contains(error.found()));
        }
    }
}
