//! Replays a conformance file line by line.

use std::io::BufRead;

use acrasin_engine::Rung;

use super::format::Format;
use super::report::Report;
use crate::file::{FileError, Lines};
use crate::limits::SCENARIO_BYTES_MAX;

/// Replays every scenario of a conformance file through the [`World`](acrasin_runtime::World) and compares after
/// every step. `name` is the file's name in errors.
///
/// Memory: one line at a time. Cost: O(bytes) plus the steps.
///
/// # Errors
///
/// [`FileError`] at the first malformed line, or if the file cannot be read or has no scenario.
pub fn run(name: &str, reader: impl BufRead) -> Result<Report, FileError> {
    check(Lines::new(name, reader, SCENARIO_BYTES_MAX), Report::new(Rung::F4))
}

/// Replays a file as [`run`] does, on rung F3: [`SingleActions`](acrasin_engine::message::SingleActions) on a port
/// table.
///
/// The comparison is the same as on F4. Scenarios that F3 cannot express are skipped and counted by reason, see
/// [`NotRun`](super::NotRun). All lines are validated, skipped or not.
///
/// ```
/// use acrasin_verify::conformance::{self, Start, Variant};
/// use acrasin_runtime::{Claim, NodeId, Step};
/// let lock = Step::Lock { node: NodeId(0), claim: Claim::Neighbourhood };
/// let mut file = String::new();
/// for variant in [Variant::Repaired, Variant::RepairedInMemory, Variant::Paper] {
///     let start = Start {
///         id: "two", note: "", variant, nodes: 2, ports: 1, priorities: 2, pair: false, edges: &[(0, 1, 1, 1)],
///     };
///     file += &conformance::record(&start, &[(lock, vec![])])?;
///     file += "\n";
/// }
/// let report = conformance::run_on_words("two.jsonl", file.as_bytes())?;
/// assert_eq!(
///     report.to_string(),
///     "2 of 3 scenarios on F3, 2 steps, 0 differences (1 skipped: 1 published rules)"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The errors of [`run`], and an error if every scenario is skipped: such a file would show nothing.
pub fn run_on_words(name: &str, reader: impl BufRead) -> Result<Report, FileError> {
    check(Lines::new(name, reader, SCENARIO_BYTES_MAX), Report::new(Rung::F3))
}

fn check(mut lines: Lines<'_>, mut report: Report) -> Result<Report, FileError> {
    let mut format: Option<Format> = None;
    while lines.advance()? {
        let format = *format.get_or_insert_with(|| Format::of(&lines));
        (format.scenario)(&lines, &mut report)?;
    }
    if report.scenarios() == 0 {
        return Err(match report.skipped_count() {
            0 => lines.error("the file has no scenario: one JSON object a line is accepted"),
            _ => FileError::of_file(lines.file(), format!("nothing can be compared: {report}")),
        });
    }
    Ok(report)
}
