//! Reading RON with exact places.
//!
//! Text → [`tree::Node`] (every value with its span) → a Rust type through serde ([`decode`]).
//!
//! What RON is, the `ron` crate says ([`grammar`]): a text that it refuses is refused here. It reads text straight
//! into types, so a value that is refused for what it says (a probability of 1.5, K = 1) is known only by where the
//! cursor stood afterwards; and it cannot tell the words `Auto` and `Foo` apart where a word or a number may stand.
//! So this module adds the spans: errors from reading, from types, from validation and from overrides all find their
//! place in the same tree. Where both refuse a text, the place with the span is told. In the tests the values of both
//! are compared.
//!
//! What is read is RON without attributes, byte strings and raw identifiers; `Some` may be omitted
//! and a variant's struct is written without a second pair of parentheses.

pub(crate) mod decode;
pub(crate) mod failure;
pub(crate) mod grammar;
pub(crate) mod overriding;
pub(crate) mod path;
pub(crate) mod scan;
pub(crate) mod source;
pub(crate) mod tree;

#[cfg(test)]
mod oracle;
