//! Tests of the repository itself, and `cargo quick` (`src/bin/quick.rs`); the library has no functions.
//!
//! `tests/tidy/` has one file for each convention: allowed dependencies, statements of documents about folders,
//! tests, commands and versions, unused files, circular modules, ambiguous words, broken links, paths of machines,
//! removed names. Each convention is a function from its input to a list of complaints, so that each has a test with
//! a wrong input.
