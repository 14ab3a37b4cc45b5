//! Checks of the runtime against its specification, and runs kept as files.
//!
//! | module | what |
//! |---|---|
//! | [`conformance`] | scenarios with every intermediate state, compared after every step |
//! | [`replay`] | a recorded run: written while it happens, applied again, compared at the end |
//! | [`swarm`] | random runs beyond the bound of an exploration; one that fails is made small and saved |
//! | [`locks`] | the lock layer on small instances, explored exhaustively |
//! | [`population`] | population protocols on small instances: is every input answered rightly in the end |
//! | [`properties`] | what must hold in every configuration, one file a property |
//! | [`wrong`] | deliberately wrong rule sets, each with the small instance that shows it: the checks can fail |
//! | [`mod@file`] | what is wrong with a file: name, line, value, what would be accepted |
//! | [`limits`] | every limit on a stranger's file, with its reason |
//!
//! Both kinds of file are JSON lines and use the same words for a step (see [`conformance`]). Both are a stranger's
//! input: limited, never trusted, and an error where they are wrong.
//!
//! The simulator is not repeated here: everything goes through [`World::apply`](acrasin_runtime::World::apply).

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
