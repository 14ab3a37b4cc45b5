//! Time as a compensated sum of many short steps.

/// A point in time, with the rounding error of its sum.
///
/// Late in a run, a step can be smaller than the distance between adjacent numbers. The part that the sum loses is kept
/// and added to the next step (Kahan, "Pracniques: further remarks on reducing truncation errors", Communications of
/// the ACM 8, 1965).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CompensatedTime {
    pub(super) time: f64,
    behind: f64,
}

impl CompensatedTime {
    /// Exactly this time, without a rounding error.
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
