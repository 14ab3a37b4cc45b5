//! Interval arithmetic: certain bounds on the value of an expression over a period of time.

use super::expression::{EvaluationPoint, Expression, ExpressionDomain, Function, Operator, truth};

/// All numbers from `low` to `high`. If `low` or `high` is NaN, the interval contains all numbers and NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    const ANY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub(super) fn new(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() { Self::ANY } else { Self { low, high } }
    }

    fn has(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    fn is_point(self) -> bool {
        self.low == self.high
    }

    /// The interval from the least to the largest of these values.
    fn around(values: &[f64]) -> Self {
        if values.iter().any(|value| value.is_nan()) {
            return Self::ANY;
        }
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        Self { low, high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max) }
    }

    /// The image under a non-decreasing function.
    fn rising(self, function: Function) -> Self {
        Self::new(self.low.apply(function), self.high.apply(function))
    }

    /// The interval of the result of a comparison: 1 if the comparison always holds, 0 if it never holds, otherwise
    /// from 0 to 1.
    fn decided(always: bool, never: bool) -> Self {
        Self { low: truth(always), high: truth(!never) }
    }

    fn product(self, right: Self) -> Self {
        // An infinite bound stands for large finite numbers, so its product with 0 is 0.
        let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let Self { low: a, high: b } = self;
        Self::around(&[times(a, right.low), times(a, right.high), times(b, right.low), times(b, right.high)])
    }

    fn inverse(self) -> Self {
        match self {
            Self { low: 0.0, high: 0.0 } => Self::ANY,
            Self { low: 0.0, high } => Self { low: 1.0 / high, high: f64::INFINITY },
            Self { low, high: 0.0 } => Self { low: f64::NEG_INFINITY, high: 1.0 / low },
            _ if self.has(0.0) => Self::ANY,
            Self { low, high } => Self::new(1.0 / high, 1.0 / low),
        }
    }

    fn power(self, exponent: Self) -> Self {
        let Self { low, high } = self;
        let corners = |values: &[f64]| {
            let of = |&value: &f64| [exponent.low, exponent.high].map(|exponent| libm::pow(value, exponent));
            Self::around(&values.iter().flat_map(of).collect::<Vec<_>>())
        };
        if low >= 0.0 {
            // Where base or exponent passes 1 or 0 the direction changes, but extremes stay at corners.
            return corners(&[low, high]);
        }
        if !exponent.is_point() || exponent.low.fract() != 0.0 || exponent.low < 0.0 && self.has(0.0) {
            return Self::ANY;
        }
        if self.has(0.0) { corners(&[low, 0.0, high]) } else { corners(&[low, high]) }
    }

    /// The image of this interval plus `shift` under the sine.
    fn wave(self, shift: f64) -> Self {
        use std::f64::consts::{FRAC_PI_2, PI};
        let Self { low, high } = self;
        // Far from 0 the positions of extremes are not precise enough.
        let is_short = high - low < 2.0 * PI && low.abs().max(high.abs()) < 1e9;
        if !is_short {
            return Self { low: -1.0, high: 1.0 };
        }
        // Whether low + shift to high + shift has a point `at` + 2 pi k.
        let passes = |at: f64| {
            let turns = ((low + shift - at) / (2.0 * PI)).ceil();
            // Includes an extreme that rounding may have missed.
            at + 2.0 * PI * turns <= high + shift + 1e-6 || {
                let before = at + 2.0 * PI * (turns - 1.0);
                before >= low + shift - 1e-6
            }
        };
        let ends = [low, high].map(|end| libm::sin(end + shift));
        let mut range = Self::around(&ends);
        if passes(FRAC_PI_2) {
            range.high = 1.0;
        }
        if passes(-FRAC_PI_2) {
            range.low = -1.0;
        }
        range
    }
}

impl Expression {
    /// Bounds on the value of the expression with these counts, for all times in `time`.
    pub(super) fn bounds(&self, counts: &[u64], time: Interval, volume: f64) -> Interval {
        let count = |species: u16| Interval::number(counts[usize::from(species)] as f64);
        self.evaluate(count, EvaluationPoint { time, volume })
    }
}

impl ExpressionDomain for Interval {
    fn number(value: f64) -> Self {
        Self::new(value, value)
    }

    fn apply(self, function: Function) -> Self {
        match function {
            Function::Negative => Self { low: -self.high, high: -self.low },
            Function::Not => Self::decided(self == Self::number(0.0), !self.has(0.0)),
            Function::Exp | Function::Floor => self.rising(function),
            Function::Log | Function::Log10 | Function::Sqrt if self.low < 0.0 => Self::ANY,
            Function::Log | Function::Log10 | Function::Sqrt => self.rising(function),
            Function::Abs if self.has(0.0) => Self::new(0.0, self.high.max(-self.low)),
            Function::Abs => Self::around(&[self.low.abs(), self.high.abs()]),
            Function::Sin => self.wave(0.0),
            Function::Cos => self.wave(std::f64::consts::FRAC_PI_2),
        }
    }

    fn join(self, operator: Operator, right: Self) -> Self {
        let Self { low, high } = self;
        match operator {
            Operator::Add => Self::new(low + right.low, high + right.high),
            Operator::Subtract => Self::new(low - right.high, high - right.low),
            Operator::Multiply => self.product(right),
            Operator::Divide => self.product(right.inverse()),
            Operator::Power => self.power(right),
            Operator::Min => Self { low: low.min(right.low), high: high.min(right.high) },
            Operator::Max => Self { low: low.max(right.low), high: high.max(right.high) },
            Operator::Less => Self::decided(high < right.low, low >= right.high),
            Operator::LessOrEqual => Self::decided(high <= right.low, low > right.high),
            Operator::Equal => Self::decided(
                self.is_point() && right.is_point() && low == right.low,
                high < right.low || right.high < low,
            ),
            Operator::NotEqual => self.join(Operator::Equal, right).apply(Function::Not),
            Operator::And => Self::decided(
                !self.has(0.0) && !right.has(0.0),
                self == Self::number(0.0) || right == Self::number(0.0),
            ),
            Operator::Or => Self::decided(
                !self.has(0.0) || !right.has(0.0),
                self == Self::number(0.0) && right == Self::number(0.0),
            ),
        }
    }

    fn choose(self, then: Self, otherwise: Self) -> Self {
        if self == Self::number(0.0) {
            otherwise
        } else if self.has(0.0) {
            Self::around(&[then.low, then.high, otherwise.low, otherwise.high])
        } else {
            then
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::{EvaluationPoint, Expression};
    use super::Interval;

    /// The values on a dense grid of times never leave the bounds, and short periods have narrow bounds.
    #[test]
    fn values_over_a_stretch_of_time_are_within_their_bounds() {
        for text in [
            "t",
            "-t * t",
            "(t - 3)^2",
            "(t - 3)^3",
            "2^t",
            "t^0.5",
            "exp(-t / 3) * (5 - t)",
            "1 / (1 + t)",
            "sin(t)",
            "cos(3 * t + 1)",
            "1 + sin(2 * pi * t / 24)",
            "abs(t - 4)",
            "sqrt(t)",
            "log(1 + t)",
            "min(t, 3) + max(t, 5)",
            "if(t > 2 && t <= 5, 7, t)",
            "floor(t)",
            "!(t < 4) || t == 2",
            "5 * A / (A + t)",
            "(t - 5) / (1 + t^2)",
            "t != 3",
            "log10(1 + t)",
            "pow(1 + t, -2)",
            "3 - t - t",
        ] {
            let expression = Expression::parse(text, &["A"], &[("unused", 1.0)]).unwrap();
            for (low, high) in [(0.0, 10.0), (0.0, 1.0), (1.5, 1.6), (2.0, 2.0), (4.7, 4.72), (3.0, 8.5)] {
                let bounds = expression.bounds(&[3], Interval::new(low, high), 1.0);
                for step in 0..=200 {
                    let time = low + (high - low) * f64::from(step) / 200.0;
                    let value = expression.value(&[3.0], EvaluationPoint { time, volume: 1.0 });
                    let slack = 1e-12;
                    assert!(
                        bounds.low - slack <= value && value <= bounds.high + slack,
                        "{text} is {value} at {time}, beyond {bounds:?}"
                    );
                }
            }
            let narrow = expression.bounds(&[3], Interval::new(1.5, 1.5 + 1e-7), 1.0);
            assert!(narrow.high - narrow.low < 1e-5, "{text}: {narrow:?}");
        }
    }

    #[test]
    fn unbounded_expressions_have_infinite_bounds() {
        for (text, low, high) in [
            ("1 / (t - 3)", f64::NEG_INFINITY, f64::INFINITY),
            ("1 / t", 0.2, f64::INFINITY),
            ("log(t - 3)", f64::NEG_INFINITY, f64::INFINITY),
            ("sqrt(t - 3)", f64::NEG_INFINITY, f64::INFINITY),
            ("(t - 3)^0.5", f64::NEG_INFINITY, f64::INFINITY),
            ("exp(1000 * t)", 1.0, f64::INFINITY),
        ] {
            let expression = Expression::parse(text, &["A"], &[("unused", 1.0)]).unwrap();
            let bounds = expression.bounds(&[3], Interval::new(0.0, 5.0), 1.0);
            assert_eq!((bounds.low, bounds.high), (low, high), "{text}");
        }
        // An interval without an end.
        for (text, low, high) in
            [("exp(-t)", 0.0, (-2.0_f64).exp()), ("if(t < 2, 5, 0)", 0.0, 0.0), ("t * 0", 0.0, 0.0)]
        {
            let expression = Expression::parse(text, &["A"], &[("unused", 1.0)]).unwrap();
            let bounds = expression.bounds(&[3], Interval::new(2.0, f64::INFINITY), 1.0);
            assert_eq!((bounds.low, bounds.high), (low, high), "{text}");
        }
    }
}
