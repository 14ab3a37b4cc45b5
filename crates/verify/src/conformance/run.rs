//! Replays a conformance file line by line.

use std::io::BufRead;

use acrasin_engine::Rung;

use super::format::ConformanceFormat;
use super::report::ConformanceReport;
use crate::file::{FileError, Lines};
use crate::limits::SCENARIO_BYTES_MAX;

/// Replays every scenario of a conformance file through the [`World`](acrasin_runtime::World) and compares after
/// every step. `name` is the file's name in errors.
///
/// Holds one line at a time in memory. Cost: linear in the bytes, plus the replayed steps.
///
/// # Errors
///
/// [`FileError`] at the first malformed line, or if the file cannot be read or has no scenario.
pub fn run(name: &str, reader: impl BufRead) -> Result<ConformanceReport, FileError> {
    check(Lines::new(name, reader, SCENARIO_BYTES_MAX), ConformanceReport::new(Rung::F4))
}

/// Replays a file as [`run`] does, on rung F3: [`SingleActions`](acrasin_engine::message::SingleActions) on a port
/// table.
///
/// The comparison is the same as on F4. Scenarios that F3 cannot express are skipped and counted by reason, see
/// [`NotRun`](super::NotRun). All lines are validated, skipped or not.
///
/// ```
/// use acrasin_verify::conformance::{self, LocalStart, RuleSetVariant};
/// use acrasin_runtime::{LockSetRequest, NodeId, Step};
/// let lock = Step::Lock { node: NodeId(0), claim: LockSetRequest::Neighbourhood };
/// let mut file = String::new();
/// for variant in [RuleSetVariant::Repaired, RuleSetVariant::RepairedInMemory, RuleSetVariant::Paper] {
///     let start = LocalStart {
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
/// The errors of [`run`], and an error if every scenario is skipped, because then nothing was checked.
pub fn run_on_words(name: &str, reader: impl BufRead) -> Result<ConformanceReport, FileError> {
    check(Lines::new(name, reader, SCENARIO_BYTES_MAX), ConformanceReport::new(Rung::F3))
}

fn check(mut lines: Lines<'_>, mut report: ConformanceReport) -> Result<ConformanceReport, FileError> {
    let mut format: Option<ConformanceFormat> = None;
    while lines.advance()? {
        let format = *format.get_or_insert_with(|| ConformanceFormat::of(&lines));
        (format.scenario)(&lines, &mut report)?;
    }
    if report.scenarios() == 0 {
        return Err(match report.skipped_count() {
            0 => lines.error("the file has no scenario: one JSON object per line is accepted"),
            _ => FileError::of_file(lines.file(), format!("nothing can be compared: {report}")),
        });
    }
    Ok(report)
}
