//! Uses an [`Axis`] as a coordinate of plotters.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::axis::Axis;

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// The pixel of a value between `limit`, the pixels of both ends. Values outside the axis are drawn at the nearer
    /// end.
    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let part = self.part(*value).clamp(0.0, 1.0);
        limit.0 + (part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Light points would give a finer grid, which is not drawn.
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.ticks.iter().map(|tick| tick.place).collect()
        }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    /// The label of a tick. The crate `plotters` passes back exactly the position that it was given.
    fn format_ext(&self, place: &f64) -> String {
        let tick = self.ticks.iter().find(|tick| tick.place == *place);
        tick.map(|tick| tick.label.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle_have_their_pixels() {
        let axis = Axis::of_times(10.0, 20.0, 5);
        // Vertical axes point upwards: the lower end has the larger pixel.
        assert_eq!([10.0, 15.0, 20.0].map(|time| axis.map(&time, (300, 100))), [300, 200, 100]);
        assert_eq!(axis.map(&25.0, (0, 100)), 100);
        assert_eq!(axis.format_ext(&12.0), "12");
    }
}
