//! Time as a compensated sum of many short steps.

use crate::uniform::saved::{SavedError, SavedReader, Writer};

/// A point in time, with the rounding error of its sum.
///
/// Late in a run, a step can be smaller than the distance between adjacent floating-point numbers. The part that is
/// lost in the sum is stored and added to the next step (Kahan, "Pracniques: further remarks on reducing truncation
/// errors", Communications of the ACM 8, 1965).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CompensatedTime {
    pub(super) time: f64,
    behind: f64,
}

impl CompensatedTime {
    pub(super) fn save(self, writer: &mut Writer) {
        writer.float(self.time);
        // Behind an infinite time there is nothing.
        writer.float(if self.time.is_finite() { self.behind } else { 0.0 });
    }

    pub(super) fn restored(reader: &mut SavedReader<'_>) -> Result<Self, SavedError> {
        let (time, behind) = (reader.float()?, reader.float()?);
        SavedError::unless(time >= 0.0 && behind.is_finite(), "times")?;
        Ok(Self { time, behind })
    }

    /// Creates exactly this point in time, without a rounding error.
    pub(super) fn at(time: f64) -> Self {
        Self { time, behind: 0.0 }
    }

    /// The time after a step.
    pub(super) fn after(self, step: f64) -> Self {
        let step = step + self.behind;
        let time = self.time + step;
        Self { time, behind: step - (time - self.time) }
    }
}

#[cfg(test)]
mod tests {
    use super::CompensatedTime;

    #[test]
    fn steps_below_the_distance_of_two_numbers_add_up() {
        let (mut clock, mut plain) = (CompensatedTime::at(1e12), 1e12);
        for _ in 0..100_000 {
            clock = clock.after(1e-5);
            plain += 1e-5;
        }
        assert!((clock.time - 1e12 - 1.0).abs() < 2e-4, "{}", clock.time - 1e12);
        assert_eq!(plain, 1e12);
    }
}
