//! Rates as expressions of counts and time.

/// A rate as an expression: `k * K^4 / (K^4 + A^4)`, `2 * A * (1 + sin(2 * pi * t / 24))`.
///
/// ```text
/// numbers    1, 0.5, 1e-3
/// names      species (their counts), parameters, t (the time), volume, pi; 'A-' in quotes where a name is not a word
/// operators  ^ (or **), * /, + -, < <= > >= == !=, !, &&, ||; a comparison is 1 or 0
/// functions  exp, log (natural), log10, sqrt, abs, floor, sin, cos, min, max, pow(x, y), if(condition, then, else)
/// ```
///
/// Values are computed in software: they have the same bits on every platform.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    pub(super) text: String,
    /// The operations in postfix order: operands before their operators.
    pub(super) code: Vec<ExpressionStep>,
    /// The species named in the expression, without repetition, in increasing order.
    pub(super) species: Vec<u16>,
    pub(super) has_time: bool,
}

/// One step of an evaluation: pushes a value, or replaces the last values by one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ExpressionStep {
    Number(f64),
    Species(u16),
    Time,
    Volume,
    Of(Function),
    Join(Operator),
    /// Replaces the last three values by the second if the first is not 0, otherwise by the third.
    If,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Negative,
    Not,
    Exp,
    Log,
    Log10,
    Sqrt,
    Abs,
    Floor,
    Sin,
    Cos,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// The values of `t` and `volume` at which an expression is evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvaluationPoint<T = f64> {
    /// The value of `t`: the current time.
    pub time: T,
    /// The value of `volume`: the volume of the vessel.
    pub volume: f64,
}

/// A type of values with which an expression can be evaluated: numbers, or intervals.
pub(super) trait ExpressionDomain: Copy {
    fn number(value: f64) -> Self;
    fn apply(self, function: Function) -> Self;
    fn join(self, operator: Operator, right: Self) -> Self;
    /// Returns `then` if this value is not 0, else `otherwise`.
    fn choose(self, then: Self, otherwise: Self) -> Self;
}

impl Expression {
    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The numbers of the species named in the expression, without repetition, in increasing order.
    #[must_use]
    pub fn species(&self) -> &[u16] {
        &self.species
    }

    /// Whether the value depends on the time.
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        self.has_time
    }

    /// The value at these counts. Counts need not be whole: the mean field passes concentrations times volume. The
    /// result may be infinite or NaN.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer counts than species.
    #[must_use]
    pub fn value(&self, counts: &[f64], at: EvaluationPoint) -> f64 {
        self.evaluate(|species| counts[usize::from(species)], at)
    }

    /// The value of the expression. `counts` returns the count of a species.
    pub(super) fn evaluate<T: ExpressionDomain>(
        &self,
        count: impl Fn(u16) -> T,
        at: EvaluationPoint<T>,
    ) -> T {
        // Deep enough for every expression that the parser accepts: see `expression_text`.
        let mut stack = [T::number(0.0); STACK];
        let mut top = 0;
        for operation in &self.code {
            match *operation {
                ExpressionStep::Of(function) => stack[top - 1] = stack[top - 1].apply(function),
                ExpressionStep::Join(operator) => {
                    top -= 1;
                    stack[top - 1] = stack[top - 1].join(operator, stack[top]);
                }
                ExpressionStep::If => {
                    top -= 2;
                    stack[top - 1] = stack[top - 1].choose(stack[top], stack[top + 1]);
                }
                ExpressionStep::Number(_)
                | ExpressionStep::Species(_)
                | ExpressionStep::Time
                | ExpressionStep::Volume => {
                    stack[top] = match *operation {
                        ExpressionStep::Number(number) => T::number(number),
                        ExpressionStep::Species(species) => count(species),
                        ExpressionStep::Time => at.time,
                        _ => T::number(at.volume),
                    };
                    top += 1;
                }
            }
        }
        stack[0]
    }
}

/// The maximum number of values that an evaluation holds at once.
pub(super) const STACK: usize = 64;

impl ExpressionDomain for f64 {
    fn number(value: f64) -> Self {
        value
    }

    fn apply(self, function: Function) -> Self {
        match function {
            Function::Negative => -self,
            Function::Not if self.is_nan() => self,
            Function::Not => truth(self == 0.0),
            Function::Exp => libm::exp(self),
            Function::Log => libm::log(self),
            Function::Log10 => libm::log10(self),
            Function::Sqrt => self.sqrt(),
            Function::Abs => self.abs(),
            Function::Floor => self.floor(),
            Function::Sin => libm::sin(self),
            Function::Cos => libm::cos(self),
        }
    }

    fn join(self, operator: Operator, right: Self) -> Self {
        match operator {
            // NaN is kept, so that it is detected at the end.
            _ if self.is_nan() || right.is_nan() => Self::NAN,
            Operator::Add => self + right,
            Operator::Subtract => self - right,
            Operator::Multiply => self * right,
            Operator::Divide => self / right,
            Operator::Power => libm::pow(self, right),
            Operator::Min => self.min(right),
            Operator::Max => self.max(right),
            Operator::Less => truth(self < right),
            Operator::LessOrEqual => truth(self <= right),
            Operator::Equal => truth(self == right),
            Operator::NotEqual => truth(self != right),
            Operator::And => truth(self != 0.0 && right != 0.0),
            Operator::Or => truth(self != 0.0 || right != 0.0),
        }
    }

    fn choose(self, then: Self, otherwise: Self) -> Self {
        if self == 0.0 {
            otherwise
        } else if self.is_nan() {
            self
        } else {
            then
        }
    }
}

pub(super) fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}
