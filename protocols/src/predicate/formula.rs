//! Parsed predicates: names, sums and comparisons.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;

use super::error::PredicateError;

/// A predicate on counts, parsed but not yet bound to the states of a protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    pub(super) text: Box<str>,
    pub(super) formula: Formula<CountedName>,
    pub(super) mentions: Box<[Mention]>,
    /// The byte ranges of the numbers in comparisons without names.
    pub(super) constants: Box<[Range<usize>]>,
    /// The first number that is compared with a remainder, but is none.
    pub(super) remainder: Option<Box<PredicateError>>,
}

/// A name in a predicate, and the byte range of its first occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) name: CountedName,
    pub(super) span: Range<usize>,
}

/// The agents that a name in a predicate counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CountedName {
    /// All nodes: the name `n`.
    Nodes,
    /// A state or an output, whichever has the name.
    Either(String),
    State(String),
    Output(String),
}

/// A formula over comparisons; `T` represents the agents that a name counts. Chains of `and` or `or` are lists, so the
/// depth of the tree is that of the parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula<T> {
    /// At least one member of the list holds.
    Any(Vec<Formula<T>>),
    /// All members of the list hold.
    All(Vec<Formula<T>>),
    /// The formula inside does not hold.
    Not(Box<Formula<T>>),
    /// A comparison of two numbers.
    Compare(ComparisonSide<T>, Comparison, ComparisonSide<T>),
}

/// The relation that a comparison claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==` or `=`
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
pub struct ComparisonSide<T> {
    /// The sum.
    pub sum: Sum<T>,
    /// The modulus of a remainder from 0 to modulus - 1; `None` for the sum itself.
    pub modulus: Option<NonZeroU64>,
}

/// constant + Σ factor · count. Constant and factors are at most [`MAX_COUNT`](super::MAX_COUNT) in magnitude. Two
/// terms may count the same state: `n` and the name of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum<T> {
    /// The constant term.
    pub constant: i128,
    /// The terms: what is counted (a name, or the states behind it), and the factor of its count.
    pub terms: Vec<(T, i128)>,
}

impl Predicate {
    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the greater and the lesser count, if the predicate only states which of two counts is greater, such
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

impl ComparisonSide<CountedName> {
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
