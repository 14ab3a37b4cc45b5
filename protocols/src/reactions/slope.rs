//! Values of expressions with their derivatives, by automatic differentiation.

use super::expression::{ExpressionDomain, Function, Operator};

/// A value, and its derivative with respect to one count or to time.
///
/// At a point where a function has no derivative, the slope of one side is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sloped {
    pub(super) value: f64,
    pub(super) slope: f64,
}

/// The slope times `factor`. A slope of 0 stays 0, even if the factor is not finite.
fn times(slope: f64, factor: f64) -> f64 {
    if slope == 0.0 { 0.0 } else { slope * factor }
}

impl ExpressionDomain for Sloped {
    fn number(value: f64) -> Self {
        Self { value, slope: 0.0 }
    }

    fn apply(self, function: Function) -> Self {
        let value = self.value.apply(function);
        let factor = match function {
            Function::Negative => -1.0,
            Function::Not | Function::Floor => 0.0,
            Function::Exp => value,
            Function::Log => 1.0 / self.value,
            Function::Log10 => 1.0 / (self.value * std::f64::consts::LN_10),
            Function::Sqrt => 0.5 / value,
            Function::Abs => self.value.signum(),
            Function::Sin => libm::cos(self.value),
            Function::Cos => -libm::sin(self.value),
        };
        Self { value, slope: times(self.slope, factor) }
    }

    fn join(self, operator: Operator, right: Self) -> Self {
        let value = self.value.join(operator, right.value);
        let slope = match operator {
            Operator::Add => self.slope + right.slope,
            Operator::Subtract => self.slope - right.slope,
            Operator::Multiply => times(self.slope, right.value) + times(right.slope, self.value),
            Operator::Divide => {
                times(self.slope, 1.0 / right.value) - times(right.slope, value / right.value)
            }
            Operator::Power => {
                let of_base = right.value * libm::pow(self.value, right.value - 1.0);
                times(self.slope, of_base) + times(right.slope, value * libm::log(self.value))
            }
            Operator::Min if self.value <= right.value => self.slope,
            Operator::Max if self.value >= right.value => self.slope,
            Operator::Min | Operator::Max => right.slope,
            _ => 0.0,
        };
        Self { value, slope }
    }

    fn choose(self, then: Self, otherwise: Self) -> Self {
        if self.value == 0.0 { otherwise } else { then }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::{EvaluationPoint, Expression};
    use super::Sloped;

    /// The derivatives agree with central differences, which are accurate to about 1e-9 here.
    #[test]
    fn slopes_are_the_limit_of_differences() {
        for text in [
            "A",
            "3 * A - A / (1 + A)",
            "k * K^4 / (K^4 + A^4)",
            "A^t",
            "exp(-A / 3) * sin(A) + cos(t * A)",
            "log(A) + log10(A * t)",
            "sqrt(A + t)",
            "abs(2 - A)",
            "min(A, 5) + max(A, 5)",
            "if(A > 2, A^2, 7)",
            "floor(A)",
            "A > 2 && t < 1",
            "-A * !A",
            "t^2 + 1 / t",
        ] {
            let expression = Expression::parse(text, &["A"], &[("k", 1.5), ("K", 2.5)]).unwrap();
            for (count, time) in [(3.3, 0.7), (0.4, 2.2)] {
                let value = |count, time| expression.value(&[count], EvaluationPoint { time, volume: 1.0 });
                for by_time in [false, true] {
                    let step = 1e-5;
                    let moved =
                        |by: f64| if by_time { value(count, time + by) } else { value(count + by, time) };
                    let differences = (moved(step) - moved(-step)) / (2.0 * step);
                    let sloped = |value, is_moved| Sloped { value, slope: f64::from(u8::from(is_moved)) };
                    let at = EvaluationPoint { time: sloped(time, by_time), volume: 1.0 };
                    let found = expression.evaluate(|_| sloped(count, !by_time), at);
                    assert_eq!(found.value, value(count, time), "{text}");
                    assert!((found.slope - differences).abs() < 1e-7, "{text}: {found:?}, {differences}");
                }
            }
        }
    }
}
