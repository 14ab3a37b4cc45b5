//! Predicates on the counts of states and outputs: `A + B >= 2 * C && !(U == n) || A == 0`, `a - b mod 3 = 1`.
//!
//! ```text
//! predicate   = conjunction { ("||" | "or") conjunction }
//! conjunction = negation { ("&&" | "and") negation }
//! negation    = "not" negation | comparison
//! comparison  = side [ ("==" | "=" | "!=" | "<" | "<=" | ">" | ">=") side ]
//! side        = sum [ "mod" number ]                    the remainder of the whole sum, from 0
//! sum         = product { ("+" | "-") product }
//! product     = unary { "*" unary }                     at most one factor is no constant
//! unary       = "-" unary | "!" unary | number | name | "(" predicate ")"
//! name        = identifier | 'any text' | state(name) | output(name)
//! ```
//!
//! A name is the number of agents in that state or with that output; `n` is the number of all agents (a state of
//! that name is written `'n'`, and so is one called `not`). Quoted names may hold anything; a quote in them is doubled.
//! Numbers are written `1_000_000`, `1e6` or `10^6`. A remainder is never negative: `-1 mod 3` is 2. Nothing can
//! overflow: what could is refused when the text is read.
//!
//! These are the predicates that population protocols can decide (Angluin, Aspnes, Eisenstat, Ruppert, "The
//! computational power of population protocols", Distributed Computing 20 (2007): exactly the semilinear ones).
//!
//! ```
//! use acrasin_protocols::predicate::Predicate;
//!
//! let predicate = Predicate::parse("A + B >= 2 * U && !(U == n)").unwrap();
//! let bound = predicate.bind(&["A", "B", "U"], &["a", "b", "none"]).unwrap();
//! assert!(bound.holds(&[10, 0, 5]));
//! assert!(!bound.holds(&[9, 0, 5]));
//!
//! let error = Predicate::parse("A + * B = 0").unwrap_err();
//! assert_eq!((error.span(), error.accepted()), (4..5, "a name, a number or a predicate in parentheses"));
//! ```

mod bound;
mod error;
mod number;
mod parse;
mod token;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;

pub use bound::BoundPredicate;
pub use error::PredicateError;
pub use number::{NotWhole, whole_number};

/// The largest number in a predicate, and the largest count: 10^18. Small enough that a product of two and a sum of
/// many such products fit in 128 bits.
pub const MAX_COUNT: u64 = 1_000_000_000_000_000_000;

/// Bytes of one predicate: it is read by people.
pub const MAX_PREDICATE_BYTES: usize = 4096;

/// Nested parentheses and negations in a predicate: its reader recurses once a level.
pub const MAX_PREDICATE_DEPTH: usize = 64;

/// Different names on one side of a comparison. With counts and factors up to [`MAX_COUNT`] the sum is at most
/// 64 · 10^36 + 10^18, below 2^127 ≈ 1.7 · 10^38: evaluation cannot overflow.
pub const MAX_PREDICATE_NAMES: usize = 64;

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
    Compare(Side<T>, Comparison, Side<T>),
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

/// What is compared: a sum, or its remainder.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Side<T = Name> {
    sum: Sum<T>,
    modulus: Option<NonZeroU64>,
}

/// constant + Σ factor · count. Constant and factors are at most [`MAX_COUNT`] in magnitude.
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
    /// [this module](self). Never panics. Cost: n log n in the text.
    pub fn parse(text: &str) -> Result<Self, PredicateError> {
        parse::parse(text)
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The states that the predicate mentions, each once, in increasing order: those that a name counts, or all if
    /// nothing but `n` and numbers is written. `outputs[i]` is the output of `states[i]`.
    ///
    /// # Errors
    ///
    /// As [`bind`](Self::bind).
    pub fn mentioned<S: AsRef<str>, O: AsRef<str>>(
        &self,
        states: &[S],
        outputs: &[O],
    ) -> Result<Vec<usize>, PredicateError> {
        let meanings = bound::meanings(self, states, outputs)?;
        let named: BTreeSet<usize> = meanings
            .iter()
            .filter(|(name, _)| **name != Name::Nodes)
            .flat_map(|(_, found)| found.iter().copied())
            .collect();
        Ok(if named.is_empty() { (0..states.len()).collect() } else { named.into_iter().collect() })
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

/// Adds up equal names.
fn collected(terms: impl IntoIterator<Item = (Name, i128)>) -> BTreeMap<Name, i128> {
    let mut sums = BTreeMap::new();
    for (name, factor) in terms {
        *sums.entry(name).or_insert(0) += factor;
    }
    sums.retain(|_, factor| *factor != 0);
    sums
}
