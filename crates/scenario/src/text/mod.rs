//! Parsing of RON with exact positions.
//!
//! Text → [`tree::Node`] (every value with its span; [`read`]) → a Rust type through serde ([`decode`]).
//!
//! The `ron` crate defines the syntax: it reads the text, and the tree is made of the pieces of text that it returns.
//! Decoding directly into types would lose positions. For a value that is refused for its meaning (a probability of
//! 1.5, or K = 1), only the position of the cursor after it would be known. Also, the crate cannot distinguish the
//! words `Auto` and `Foo` where a word or a number is allowed. With the tree, errors of reading, types, validation and
//! overrides all have a position. A text that the crate refuses is scanned again, to explain the error ([`refusal`]).
//!
//! Accepted is RON without attributes, byte strings, ranges and number suffixes. `Some` may be omitted, a variant's
//! struct has no second pair of parentheses, and `rest: …` may follow a map, as in `Counts({…}, rest: "F")`.

mod counts_with_rest;
pub(crate) mod decode;
pub(crate) mod error;
pub(crate) mod failure;
pub(crate) mod literal;
pub(crate) mod overriding;
pub(crate) mod path;
pub(crate) mod read;
pub(crate) mod refusal;
pub(crate) mod source;
pub(crate) mod tree;

#[cfg(test)]
mod properties;
