//! Predicates on the counts of states and outputs: `A + B >= 2 * C && !(U == n) || A == 0`.
//!
//! ```text
//! predicate  = conjunction { "||" conjunction }
//! conjunction = comparison { "&&" comparison }
//! comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//! sum        = product { ("+" | "-") product }
//! product    = unary { "*" unary }                      at most one factor is no constant
//! unary      = "-" unary | "!" unary | number | name | "(" predicate ")"
//! name       = identifier | 'any text' | state(name) | output(name)
//! ```
//!
//! A name is the number of nodes in that state or with that output; `n` is the number of all nodes (a state of
//! that name is written `'n'`). Quoted names may hold anything; a quote in them is doubled. Numbers are written as
//! everywhere in a scenario: `1_000_000`, `1e6`, `10^6`.
//!
//! ```
//! use acrasin_scenario::predicate::Predicate;
//!
//! let predicate = Predicate::parse("A + B >= 2 * U && !(U == n)").unwrap();
//! let bound = predicate.bind(&["A", "B", "U"], &["a", "b", "none"]).unwrap();
//! assert!(bound.holds(&[10, 0, 5]));
//! assert!(!bound.holds(&[9, 0, 5]));
//!
//! let error = Predicate::parse("A = 0").unwrap_err();
//! assert_eq!((error.span(), error.accepted()), (2..3, "`==`"));
//! ```

mod bound;
mod error;
mod parse;
mod token;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

pub use bound::BoundPredicate;
pub use error::PredicateError;

use crate::text::decode::PREDICATE;

/// A predicate on counts, read but not yet bound to the states of a protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    text: String,
    formula: Formula,
    mentions: Vec<Mention>,
}

/// A name and the bytes in which it is first written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mention {
    name: Name,
    span: Range<usize>,
}

/// What a name in a predicate counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// All nodes.
    Nodes,
    /// A state or an output, whichever has the name.
    Either(String),
    State(String),
    Output(String),
}

/// Chains are lists, so that the depth is that of the parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Formula<T = Name> {
    Any(Vec<Formula<T>>),
    All(Vec<Formula<T>>),
    Not(Box<Formula<T>>),
    Compare(Sum<T>, Comparison, Sum<T>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// constant + Σ factor · count. Constant and factors are at most [`crate::limits::MAX_COUNT`] in magnitude.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sum<T = Name> {
    constant: i128,
    terms: Vec<(T, i128)>,
}

impl Predicate {
    /// Reads a predicate.
    ///
    /// # Errors
    ///
    /// Syntax, a comparison where a number is wanted or the reverse, a product of two counts, or a limit of
    /// [`crate::limits`]. Never panics. Cost: n log n in the text.
    pub fn parse(text: &str) -> Result<Self, PredicateError> {
        parse::parse(text)
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Gives the names their meaning. `outputs[i]` is the output of `states[i]`.
    ///
    /// A name that is both a state and an output must mean the same nodes either way, or be written
    /// `state(A)` or `output(A)`.
    ///
    /// # Errors
    ///
    /// The first name that is unknown or has two meanings, with its place in the text.
    ///
    /// # Panics
    ///
    /// If the two lists differ in length.
    pub fn bind<S: AsRef<str>, O: AsRef<str>>(
        &self,
        states: &[S],
        outputs: &[O],
    ) -> Result<BoundPredicate, PredicateError> {
        assert_eq!(states.len(), outputs.len(), "one output a state");
        bound::bind(self, states, outputs)
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Predicate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(PREDICATE, PredicateVisitor)
    }
}

struct PredicateVisitor;

impl Visitor<'_> for PredicateVisitor {
    type Value = Predicate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a predicate on counts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Predicate, E> {
        Predicate::parse(text).map_err(E::custom)
    }
}

/// Adds up equal names.
fn collected(terms: impl IntoIterator<Item = (Name, i128)>) -> BTreeMap<Name, i128> {
    let mut sums = BTreeMap::new();
    for (name, factor) in terms {
        *sums.entry(name).or_insert(0) += factor;
    }
    sums.retain(|_, factor| *factor != 0);
    sums
}
