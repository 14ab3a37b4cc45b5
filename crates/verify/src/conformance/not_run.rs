//! Scenarios that are not run.

use std::fmt;

/// Why a scenario was not run: on F3, or at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum NotRun {
    /// It is about the published rules; F3 has the repaired ones.
    PublishedRules,
    /// Δ is above what a word has bits for, whether or not the ports are used.
    TooManyPorts,
    /// K is above what a word has bits for.
    TooManyPriorities,
    /// It is about an algorithm that F3 does not have.
    OtherAlgorithm,
}

/// A few words, the same for one scenario and for many.
impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PublishedRules => "published rules",
            Self::TooManyPorts => "more ports than a word has",
            Self::TooManyPriorities => "more priorities than a word has",
            Self::OtherAlgorithm => "another algorithm than local mutual exclusion",
        })
    }
}

/// A scenario that was not run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The `id` of the scenario.
    pub scenario: String,
    /// The line of the file, counted from 1.
    pub line: u64,
    /// Why.
    pub reason: NotRun,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scenario, line, reason } = self;
        write!(f, "line {line}, scenario {scenario}, not run: {reason}")
    }
}
