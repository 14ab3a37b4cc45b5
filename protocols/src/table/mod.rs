//! Protocols as tables, in the form in which scenarios and the command run them. The protocol may come from the
//! library, from a file or from Rust.
//!
//! - [`Table`]: states as numbers with names, one cell per ordered pair.
//! - [`TableSpec`] and [`Rule`]: a protocol as a user writes it; [`TableSpec::build`] validates it and creates the
//!   table.
//!
//! # How a rule is written
//!
//! A rule names all four states, the initiator first: `A + B -> C + D`. White space is allowed around `+` and `->`. The
//! word in front determines the pairs to which the rule applies:
//!
//! | word | applies to | and asserts |
//! |---|---|---|
//! | `Ordered("A + B -> C + D")` | (A, B) | |
//! | `OneWay("A + B -> A + D")` | (A, B) | the initiator stays as it is |
//! | `Symmetric("A + B -> C + D")` | (A, B), and (B, A) -> (D, C) | |
//! | `Randomised("A + B", [(1, "A + A"), (3, "A + B")])` | (A, B), with these weights | |
//! | `SymmetricRandomised(..)` | (A, B), and (B, A) mirrored | |
//!
//! A pair of equal states is not mirrored: `Symmetric("L + L -> L + F")` fills only the cell (L, L). Pairs without a
//! rule are an error unless the table has `default: Null`.

mod build;
mod compile;
mod error;
mod matrix;
mod rule_text;
mod spec;

pub use error::{TableError, TableErrorKind};
pub use matrix::{Table, WeightedOutcome};
pub use spec::{MAX_OUTCOMES, MAX_RULES, MAX_STATES, Missing, Rule, TableSpec};
