//! Checks of the runtime against its specification: conformance files, replays, exhaustive exploration and random
//! runs.
//!
//! | module | contents |
//! |---|---|
//! | [`conformance`] | scenarios with every intermediate state, compared after each step |
//! | [`replay`] | recorded runs: written while they happen, replayed, compared at the end |
//! | [`swarm`] | random runs beyond the reach of exploration; a failing one is shrunk and saved |
//! | [`locks`] | the lock layer on small instances, explored exhaustively |
//! | [`population`] | population protocols on small instances: does every input lead to the right answer |
//! | [`properties`] | invariants of configurations, one file each |
//! | [`wrong`] | deliberately wrong rule sets, each with a small instance on which a check must fail |
//! | [`mod@file`] | errors in files: name, line, value, what is accepted |
//! | [`limits`] | every limit on untrusted files, with its reason |
//!
//! Conformance files and replays are JSON lines with the same notation for a step (see [`conformance`]). Both are
//! untrusted input: their sizes are limited, and malformed content is an error.
//!
//! The checks have no simulator of their own: all steps go through [`World::apply`](acrasin_runtime::World::apply).

pub mod conformance;
pub mod file;
mod json_error;
mod json_field;
pub mod limits;
pub mod locks;
pub mod population;
pub mod properties;
pub mod replay;
pub mod swarm;
mod words;
pub mod wrong;

pub use file::FileError;
