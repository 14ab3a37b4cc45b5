//! Tests of the repository itself, and `cargo quick` (`src/bin/quick.rs`); the library has no functions.
//!
//! `tests/tidy/` has one file for each convention. Many conventions are about allowed dependencies, unused files,
//! circular modules, ambiguous words, broken links, paths of machines, and removed names. Others compare statements of
//! documents with folders, tests, commands and versions. Each convention is a function from its input to a list of
//! complaints, so that each has a test with a wrong input.
