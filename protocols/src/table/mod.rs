//! Protocols as tables: what scenarios and the command run, whether the protocol came from the library, from a
//! file or from Rust.
//!
//! - [`Table`]: states as numbers with names, one cell an ordered pair.
//! - [`TableSpec`] and [`Rule`]: what a user wrote; [`TableSpec::build`] is the only way from there to a table.
//!
//! # How a rule is written
//!
//! A rule names all four states, the initiator first: `A + B -> C + D`. White space is allowed everywhere and separates
//! nothing. The word in front determines the pairs that the rule applies to:
//!
//! | word | applies to | and asserts |
//! |---|---|---|
//! | `Ordered("A + B -> C + D")` | (A, B) | |
//! | `OneWay("A + B -> A + D")` | (A, B) | the initiator stays as it is |
//! | `Symmetric("A + B -> C + D")` | (A, B), and (B, A) -> (D, C) | |
//! | `Randomised("A + B", [(1, "A + A"), (3, "A + B")])` | (A, B), with these weights | |
//! | `SymmetricRandomised(..)` | (A, B), and (B, A) mirrored | |
//!
//! For a pair of equal states there is nothing to mirror: `Symmetric("L + L -> L + F")` is the one cell (L, L). Pairs
//! without a rule are an error unless the table has `default: Null`.

mod build;
mod compile;
mod error;
mod matrix;
mod rule_text;
mod spec;

pub use error::{TableError, TableErrorKind};
pub use matrix::{Table, WeightedOutcome};
pub use spec::{MAX_OUTCOMES, MAX_RULES, MAX_STATES, Missing, Rule, TableSpec};
