//! A file, line by line.

use std::io::BufRead;

use super::report::Report;
use super::text::{Object, Scenario};
use super::{compare, scenario};
use crate::file::{FileError, Lines};
use crate::limits::SCENARIO_BYTES_MAX;

/// Replays every scenario of a conformance file and compares after every step. `name` stands for the file in errors.
///
/// One line is in memory at a time. Cost: O(bytes) and the steps.
///
/// # Errors
///
/// [`FileError`] at the first line that is malformed, or if the file cannot be read or has no scenario.
pub fn run(name: &str, reader: impl BufRead) -> Result<Report, FileError> {
    check(Lines::new(name, reader, SCENARIO_BYTES_MAX))
}

fn check(mut lines: Lines<'_>) -> Result<Report, FileError> {
    let mut report = Report::default();
    while lines.advance()? {
        let Object(text) = lines.parse::<Object<Scenario>>()?;
        let id: String = text.id.chars().take(ID_SHOWN).collect();
        let checked = scenario::check(text)
            .map_err(|what| lines.error(format!("scenario {}: {what}", id.escape_debug())))?;
        compare::replay(checked, lines.number(), &mut report);
    }
    if report.scenarios() == 0 {
        return Err(lines.error("the file has no scenario: one JSON object a line is accepted"));
    }
    Ok(report)
}

/// Characters of a scenario's name that messages show.
const ID_SHOWN: usize = 80;
