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
//! A name is the number of agents in that state or with that output; `n` is the number of all agents. A state that is
//! called `n` or `not` is written in quotes: `'n'`. Quoted names may contain any characters; a quote in them is
//! doubled. Names of states that are numbers or contain signs are quoted: `'1' >= 4`, `'A-B' == 0`. An ambiguous text
//! is refused. Numbers are written `1_000_000`, `1e6` or `10^6`. A remainder is never negative: `-1 mod 3` is 2.
//! Evaluation cannot overflow: parsing refuses predicates whose evaluation could overflow.
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
mod formula;
mod linear;
mod number;
mod parse;
mod token;

pub use bound::BoundPredicate;
pub use error::{PredicateError, disturbs, quoted};
pub use formula::{Comparison, ComparisonSide, Formula, Predicate, Sum};
pub use linear::{LinearFormula, LinearSide};
pub use number::{NotWhole, whole_number};

/// The largest number in a predicate, and the largest count: 10^18. A product of two such numbers fits in 128 bits, and
/// so does a sum of many such products.
pub const MAX_COUNT: u64 = 1_000_000_000_000_000_000;

/// The maximum number of bytes of one predicate. Predicates are written by hand, so this is enough.
pub const MAX_PREDICATE_BYTES: usize = 4096;

/// The maximum depth of parentheses and negations in a predicate: the parser recurses once per level.
pub const MAX_PREDICATE_DEPTH: usize = 64;

/// The maximum number of different names on one side of a comparison. With counts and factors up to [`MAX_COUNT`] the
/// sum is at most 64 · 10^36 + 10^18, below 2^127 ≈ 1.7 · 10^38: evaluation cannot overflow.
pub const MAX_PREDICATE_NAMES: usize = 64;
