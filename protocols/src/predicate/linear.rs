//! Predicates as trees of comparisons of linear sums, for programs that reason about all inputs at once.

use std::collections::BTreeMap;

use super::bound::BoundPredicate;
use super::formula::{Comparison, ComparisonSide, Formula};

/// A predicate without negations, which are pushed down to the comparisons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinearFormula {
    /// All members of the list hold.
    All(Vec<LinearFormula>),
    /// At least one member of the list holds.
    Any(Vec<LinearFormula>),
    /// A comparison of two sides.
    Compare(LinearSide, Comparison, LinearSide),
}

/// A side of a comparison: constant + Σ factor · count, or the remainder of this sum, which is never negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearSide {
    /// The factor of each state's count; states with factor 0 are left out.
    pub factors: BTreeMap<usize, i128>,
    /// The constant term.
    pub constant: i128,
    /// The divisor, if the side is a remainder; `None` for the sum itself.
    pub modulus: Option<u64>,
}

impl BoundPredicate {
    /// The predicate as a formula over numbers of states. Members of a chain of `and` or `or` keep the order in which
    /// they are written.
    #[must_use]
    pub fn linear(&self) -> LinearFormula {
        positive(self.formula(), true)
    }
}

impl LinearFormula {
    /// The negation, pushed down to the comparisons. Members of lists keep their order.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Self::All(members) => Self::Any(members.iter().map(Self::negated).collect()),
            Self::Any(members) => Self::All(members.iter().map(Self::negated).collect()),
            Self::Compare(left, comparison, right) => {
                Self::Compare(left.clone(), comparison.negated(), right.clone())
            }
        }
    }

    /// Whether the predicate holds for `counts[i]` agents in state `i`.
    ///
    /// # Panics
    ///
    /// If there are fewer counts than states.
    #[must_use]
    pub fn holds(&self, counts: &[u64]) -> bool {
        match self {
            Self::All(members) => members.iter().all(|member| member.holds(counts)),
            Self::Any(members) => members.iter().any(|member| member.holds(counts)),
            Self::Compare(left, comparison, right) => {
                comparison.accepts(left.value(counts).cmp(&right.value(counts)))
            }
        }
    }
}

impl LinearSide {
    fn value(&self, counts: &[u64]) -> i128 {
        let add = |sum: i128, (&state, factor): (&usize, &i128)| {
            sum.saturating_add(factor.saturating_mul(i128::from(counts[state])))
        };
        let sum = self.factors.iter().fold(self.constant, add);
        self.modulus.map_or(sum, |modulus| sum.rem_euclid(i128::from(modulus)))
    }
}

fn positive(formula: &Formula<Box<[usize]>>, wanted: bool) -> LinearFormula {
    let all =
        |members: &[Formula<Box<[usize]>>]| members.iter().map(|member| positive(member, wanted)).collect();
    match (formula, wanted) {
        (Formula::Not(inner), _) => positive(inner, !wanted),
        (Formula::All(members), true) | (Formula::Any(members), false) => LinearFormula::All(all(members)),
        (Formula::Any(members), true) | (Formula::All(members), false) => LinearFormula::Any(all(members)),
        (Formula::Compare(left, comparison, right), _) => {
            let comparison = if wanted { *comparison } else { comparison.negated() };
            LinearFormula::Compare(linear_side(left), comparison, linear_side(right))
        }
    }
}

fn linear_side(side: &ComparisonSide<Box<[usize]>>) -> LinearSide {
    let mut factors = BTreeMap::new();
    for (states, factor) in &side.sum.terms {
        for &state in states {
            *factors.entry(state).or_insert(0) += factor;
        }
    }
    factors.retain(|_, factor| *factor != 0);
    LinearSide { factors, constant: side.sum.constant, modulus: side.modulus.map(std::num::NonZeroU64::get) }
}

#[cfg(test)]
mod tests {
    use super::super::Predicate;

    #[test]
    fn the_linear_form_agrees_with_the_predicate() {
        let texts = [
            "A + B >= 2 * C && !(C == n) || A == 0",
            "not (A - B mod 3 = 1 or C != 2)",
            "!(!(A > B) and n - 2 * A mod 4 <= B mod 2)",
        ];
        for text in texts {
            let bound = Predicate::parse(text).unwrap().bind(&["A", "B", "C"], &["A", "B", "C"]).unwrap();
            let (linear, negated) = (bound.linear(), bound.linear().negated());
            for number in 0..343 {
                let counts = [number % 7, number / 7 % 7, number / 49];
                assert_eq!(bound.holds(&counts), linear.holds(&counts), "{text} {counts:?}");
                assert_ne!(bound.holds(&counts), negated.holds(&counts), "{text} {counts:?}");
            }
        }
    }
}
