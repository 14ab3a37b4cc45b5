//! Reading RON with exact places.
//!
//! Text → [`tree::Node`] (every value with its span; [`read`]) → a Rust type through serde ([`decode`]).
//!
//! What RON is, the `ron` crate says: it reads the text, and the tree is made of the pieces of it that the crate hands
//! out. Straight into types it reads without places: a value that is refused for what it says (a probability of 1.5,
//! K = 1) is known only by where the cursor stood afterwards; and it cannot tell the words `Auto` and `Foo` apart where
//! a word or a number may stand. In the tree, errors from reading, from types, from validation and from overrides all
//! find their place. A text that the crate refuses is passed once more, to say what is wrong with it ([`refusal`]).
//!
//! What is read is RON without attributes, byte strings, ranges and types of numbers; `Some` may be omitted
//! and a variant's struct is written without a second pair of parentheses; and `rest: …` may follow a map, as in
//! `Counts({…}, rest: "F")`.

pub(crate) mod decode;
pub(crate) mod error;
pub(crate) mod failure;
pub(crate) mod literal;
pub(crate) mod overriding;
pub(crate) mod path;
pub(crate) mod read;
pub(crate) mod refusal;
mod rest;
pub(crate) mod source;
pub(crate) mod tree;

#[cfg(test)]
mod properties;
