//! The result of replaying a conformance file.

use acrasin_catalogue::counted;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use acrasin_engine::Rung;

use super::not_run::{NotRun, Skipped};
use crate::limits::{DIFFERENCES_KEPT, DIFFERENCES_PER_SCENARIO, SKIPPED_KEPT};

/// The maximum number of characters of a scenario's name in messages.
pub(super) const ID_SHOWN: usize = 80;

/// The point of a scenario at which something differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ScenarioPoint {
    /// The step with this number, counted from 1, or the configuration after it.
    Step(usize),
    /// The final configuration.
    Final,
}

/// Writes `step 3` or `final`.
impl fmt::Display for ScenarioPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => write!(f, "step {step}"),
            Self::Final => f.write_str("final"),
        }
    }
}

/// A value that differs from the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The `id` of the scenario.
    pub scenario: String,
    /// The line of the scenario in the file, counted from 1.
    pub line: u64,
    /// The step after which the value differs, or the final configuration.
    pub place: ScenarioPoint,
    /// The path of the field in the step or in the scenario, such as `sends`, `node.R` or `final.nodes[2].C`.
    pub field: String,
    /// The value in the file.
    pub expected: String,
    /// The value in the replay.
    pub actual: String,
}

/// The maximum number of characters of a value in a difference, because a set of ports may have thousands.
const VALUE_SHOWN: usize = 1000;

/// The first `most` characters of a text, with dots if some were left out.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{} ...", &text[..end])),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scenario, line, place, field, expected, actual } = self;
        let scenario = shortened(scenario, ID_SHOWN);
        let [expected, actual] = [expected, actual].map(|value| shortened(value, VALUE_SHOWN));
        write!(f, "line {line}, scenario {scenario}, {place}, {field}: expected {expected}, actual {actual}")
    }
}

/// The result of replaying a file: numbers of scenarios and steps, and the differences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConformanceReport {
    rung: Rung,
    scenarios: u64,
    steps: u64,
    found: u64,
    differences: Vec<Difference>,
    reasons: BTreeMap<NotRun, u64>,
    skipped: Vec<Skipped>,
}

impl ConformanceReport {
    pub(super) fn new(rung: Rung) -> Self {
        let (differences, reasons, skipped) = (Vec::new(), BTreeMap::new(), Vec::new());
        Self { rung, scenarios: 0, steps: 0, found: 0, differences, reasons, skipped }
    }

    /// The rung on which the scenarios were replayed, F3 or F4.
    #[must_use]
    pub fn rung(&self) -> Rung {
        self.rung
    }

    /// The number of scenarios replayed.
    #[must_use]
    pub fn scenarios(&self) -> u64 {
        self.scenarios
    }

    /// The number of steps replayed. The steps after an impossible one are not replayed.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of differences found, including those that are not stored.
    #[must_use]
    pub fn difference_count(&self) -> u64 {
        self.found
    }

    /// The first differences, in file order: at most [`DIFFERENCES_PER_SCENARIO`] of one scenario and
    /// [`DIFFERENCES_KEPT`] in all.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// The number of scenarios skipped because the rung cannot express them.
    #[must_use]
    pub fn skipped_count(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// The number of skipped scenarios by reason.
    pub fn reasons(&self) -> impl Iterator<Item = (NotRun, u64)> + '_ {
        self.reasons.iter().map(|(&reason, &count)| (reason, count))
    }

    /// The first [`SKIPPED_KEPT`] skipped scenarios, in file order.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Whether no difference was found.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.found == 0
    }

    pub(super) fn scenario(&mut self) {
        self.scenarios += 1;
    }

    pub(super) fn skip(&mut self, id: &str, line: u64, reason: NotRun) {
        *self.reasons.entry(reason).or_default() += 1;
        if self.skipped.len() < SKIPPED_KEPT {
            self.skipped.push(Skipped { scenario: id.to_owned(), line, reason });
        }
    }

    pub(super) fn step(&mut self) {
        self.steps += 1;
    }

    /// Counts a difference, and stores it below the limits. `in_scenario` is the number of differences found in this
    /// scenario before.
    pub(super) fn difference(&mut self, in_scenario: u64, difference: impl FnOnce() -> Difference) {
        self.found += 1;
        if in_scenario < DIFFERENCES_PER_SCENARIO && self.differences.len() < DIFFERENCES_KEPT {
            self.differences.push(difference());
        }
    }
}

/// Writes `32 scenarios, 1628 steps, 0 differences`. On F3 it writes `21 of 32 scenarios on F3, 1150 steps, 0
/// differences (11 skipped: 11 published rules)`.
impl fmt::Display for ConformanceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rung, scenarios, steps, found, .. } = self;
        let skipped = self.skipped_count();
        match rung {
            Rung::F4 => f.write_str(&counted(*scenarios, "scenario"))?,
            _ => write!(f, "{scenarios} of {} on {rung}", counted(scenarios + skipped, "scenario"))?,
        }
        write!(f, ", {}, {}", counted(*steps, "step"), counted(*found, "difference"))?;
        if skipped > 0 {
            let reasons: Vec<String> =
                self.reasons().map(|(reason, count)| format!("{count} {reason}")).collect();
            write!(f, " ({skipped} skipped: {})", reasons.join(", "))?;
        }
        Ok(())
    }
}
