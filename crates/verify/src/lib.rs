//! Checks of the runtime against its specification, and runs kept as files.
//!
//! | module | what |
//! |---|---|
//! | [`conformance`] | scenarios with every intermediate state, compared after every step |
//! | [`replay`] | a recorded run: written while it happens, applied again, compared at the end |
//! | [`mod@file`] | what is wrong with a file: name, line, value, what would be accepted |
//! | [`limits`] | every limit on a stranger's file, with its reason |
//!
//! Both kinds of file are JSON lines and use the same words for a step (see [`conformance`]). Both are a stranger's
//! input: limited, never trusted, and an error where they are wrong.
//!
//! The simulator is not repeated here: everything goes through [`World::apply`](acrasin_runtime::World::apply).

pub mod conformance;
pub mod file;
pub mod limits;
pub mod replay;
mod words;

pub use file::FileError;
