//! What came of a file.

use std::fmt;

use crate::limits::{DIFFERENCES_KEPT, DIFFERENCES_PER_SCENARIO};

/// Where in a scenario something differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// During or after this step, counted from 1.
    Step(usize),
    /// In the configuration at the end.
    Final,
}

/// `step 3`, or `final`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => write!(f, "step {step}"),
            Self::Final => f.write_str("final"),
        }
    }
}

/// One value that is not as the file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The `id` of the scenario.
    pub scenario: String,
    /// The line of the file, counted from 1.
    pub line: u64,
    /// The step.
    pub place: Place,
    /// The field by its path in the step, or in the scenario: `sends`, `node.R`, `final.nodes[2].C`.
    pub field: String,
    /// What the file says.
    pub expected: String,
    /// What happened.
    pub actual: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scenario, line, place, field, expected, actual } = self;
        write!(f, "line {line}, scenario {scenario}, {place}, {field}: expected {expected}, actual {actual}")
    }
}

/// What came of a file: how much was replayed, and what differs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    scenarios: u64,
    steps: u64,
    found: u64,
    differences: Vec<Difference>,
}

impl Report {
    /// Scenarios replayed.
    #[must_use]
    pub fn scenarios(&self) -> u64 {
        self.scenarios
    }

    /// Steps replayed. A scenario ends early at a step that cannot happen.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many differences were found.
    #[must_use]
    pub fn difference_count(&self) -> u64 {
        self.found
    }

    /// The differences, in the order of the file: at most [`DIFFERENCES_PER_SCENARIO`] of one scenario and
    /// [`DIFFERENCES_KEPT`] in all.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Whether everything is as the file says.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.found == 0
    }

    pub(super) fn scenario(&mut self) {
        self.scenarios += 1;
    }

    pub(super) fn step(&mut self) {
        self.steps += 1;
    }

    /// `in_scenario` differences were found in this scenario before.
    pub(super) fn difference(&mut self, in_scenario: u64, difference: impl FnOnce() -> Difference) {
        self.found += 1;
        if in_scenario < DIFFERENCES_PER_SCENARIO && self.differences.len() < DIFFERENCES_KEPT {
            self.differences.push(difference());
        }
    }
}

/// `32 scenarios, 1628 steps, 0 differences`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} scenarios, {} steps, {} differences", self.scenarios, self.steps, self.found)
    }
}
