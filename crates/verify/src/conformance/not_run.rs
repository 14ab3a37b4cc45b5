//! [`NotRun`]: reasons for skipping scenarios.

use std::fmt;

/// The reasons why a scenario is skipped, on F3 or on every rung.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum NotRun {
    /// The scenario uses the published rules; F3 has only the repaired ones.
    PublishedRules,
    /// Δ is above the number of ports in a word, whether or not the ports are used.
    TooManyPorts,
    /// K is above the number of priorities in a word.
    TooManyPriorities,
    /// The rung does not implement the scenario's algorithm.
    OtherAlgorithm,
}

/// Writes the reason as a noun phrase that fits one scenario or several.
impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PublishedRules => "published rules",
            Self::TooManyPorts => "more ports than a word has",
            Self::TooManyPriorities => "more priorities than a word has",
            Self::OtherAlgorithm => "an algorithm other than local mutual exclusion",
        })
    }
}

/// A scenario that was skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The `id` of the scenario.
    pub scenario: String,
    /// The line of the scenario in the file, counted from 1.
    pub line: u64,
    /// The reason why the scenario was skipped.
    pub reason: NotRun,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scenario, line, reason } = self;
        write!(f, "line {line}, scenario {scenario}, not run: {reason}")
    }
}
