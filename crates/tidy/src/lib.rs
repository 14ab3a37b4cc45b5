//! Tests of the repository itself; there is nothing to call here.
//!
//! `tests/tidy/` has one file a convention: who may depend on whom, what the documents say about folders, tests, commands
//! and versions, files that no node uses, modules that need each other, words that stand for several things, links that
//! lead nowhere, paths of somebody's machine, names that are gone.
//! Each convention is a function from what it reads to a list of complaints, so that each has a test with a wrong input.
