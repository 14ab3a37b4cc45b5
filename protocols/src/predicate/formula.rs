//! Parsed predicates: names, sums and comparisons.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;

/// A predicate on counts, parsed but not yet bound to the states of a protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    pub(super) text: Box<str>,
    pub(super) formula: Formula,
    pub(super) mentions: Box<[Mention]>,
    /// The byte ranges of the numbers in comparisons without names.
    pub(super) constants: Box<[Range<usize>]>,
}

/// A name and the bytes in which it is first written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) name: CountedName,
    pub(super) span: Range<usize>,
}

/// The agents that a name in a predicate counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CountedName {
    /// All nodes.
    Nodes,
    /// A state or an output, whichever has the name.
    Either(String),
    State(String),
    Output(String),
}

/// A formula over comparisons. Chains are lists, so that the depth is that of the parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Formula<T = CountedName> {
    Any(Vec<Formula<T>>),
    All(Vec<Formula<T>>),
    Not(Box<Formula<T>>),
    Compare(ComparisonSide<T>, Comparison, ComparisonSide<T>),
}

/// How the two sides of a comparison relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// A side of a comparison: a sum, or its remainder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparisonSide<T = CountedName> {
    pub(super) sum: Sum<T>,
    pub(super) modulus: Option<NonZeroU64>,
}

/// constant + Σ factor · count. Constant and factors are at most [`MAX_COUNT`](super::MAX_COUNT) in magnitude.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sum<T = CountedName> {
    pub(super) constant: i128,
    pub(super) terms: Vec<(T, i128)>,
}

impl Predicate {
    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the greater and the lesser count, if the predicate only says which of two counts is greater, such
    /// as `A > B` or `B <= A`.
    #[must_use]
    pub fn order(&self) -> Option<(&str, &str)> {
        let Formula::Compare(left, comparison, right) = &self.formula else { return None };
        let (left, right) = (left.single()?, right.single()?);
        match comparison {
            Comparison::Greater | Comparison::GreaterOrEqual => Some((left, right)),
            Comparison::Less | Comparison::LessOrEqual => Some((right, left)),
            Comparison::Equal | Comparison::NotEqual => None,
        }
    }
}

impl ComparisonSide {
    /// The name, if this side is a single count.
    fn single(&self) -> Option<&str> {
        match (&self.sum.terms[..], self.sum.constant, self.modulus) {
            (
                [(CountedName::Either(name) | CountedName::State(name) | CountedName::Output(name), 1)],
                0,
                None,
            ) => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Adds up the factors of equal names.
pub(super) fn collected(terms: impl IntoIterator<Item = (CountedName, i128)>) -> BTreeMap<CountedName, i128> {
    let mut sums = BTreeMap::new();
    for (name, factor) in terms {
        *sums.entry(name).or_insert(0) += factor;
    }
    sums.retain(|_, factor| *factor != 0);
    sums
}
