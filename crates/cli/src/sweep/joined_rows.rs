//! Joins the rows of several parts of a sweep.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::done_runs::DoneRuns;
use super::plan::SweepPlan;
use super::rows::json_lines;
use super::written_row::KeptRow;
use crate::Failure;
use crate::plot::rows_text;

/// The files that --join accepts, as error messages describe them.
const PART_FILE: &str = "a file that this sweep has written with --part I/N";

/// A row from the file of one part, with its summary data.
pub(super) struct JoinedRow {
    pub(super) kept: KeptRow,
    /// The JSON line, with its line feed.
    pub(super) line: String,
    /// The file that contains the row.
    file: PathBuf,
}

/// Reads and merges the rows of parts. The result is indexed by the place of the run in the sweep.
///
/// # Errors
///
/// [`Failure`] if a file cannot be read, a file has rows of another sweep, or two files have different rows for the
/// same run.
pub(super) fn joined(files: &[PathBuf], plan: &SweepPlan) -> Result<BTreeMap<u64, JoinedRow>, Failure> {
    let mut all: BTreeMap<u64, JoinedRow> = BTreeMap::new();
    for file in files {
        for (place, row) in rows(file, plan)? {
            match all.entry(place) {
                Entry::Vacant(free) => drop(free.insert(row)),
                Entry::Occupied(known) if known.get().line == row.line => {}
                Entry::Occupied(known) => {
                    let (one, other) = (known.get().file.display(), file.display());
                    return Err(Failure::usage(format_args!(
                        "run {place} has two different rows, in {one} and {other}"
                    ))
                    .accepting("one of the files, or both without that row in one of them"));
                }
            }
        }
    }
    Ok(all)
}

/// The rows in one file, each with its place in the sweep.
fn rows(file: &Path, plan: &SweepPlan) -> Result<Vec<(u64, JoinedRow)>, Failure> {
    let text = rows_text(file)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let Some(bytes) = json_lines(text, "") else {
        let message = format!("{} does not have the JSON lines of a sweep", file.display());
        return Err(Failure::usage(message).accepting(PART_FILE));
    };
    let text = &text[..bytes];
    if text.lines().count() < 2 {
        return Ok(Vec::new());
    }
    let done = DoneRuns::read(file, text, plan)?;
    if done.is_renumbered() {
        let message = format!("{} was begun with other values: its runs have other numbers", file.display());
        return Err(Failure::usage(message).accepting("parts that were made with the values of this sweep"));
    }
    let (order, mut kept) = (done.order, done.kept);
    let row = |(place, line): (u64, &str)| {
        let kept = kept.remove(&place).expect("each row has its place");
        (place, JoinedRow { kept, line: line.to_owned(), file: file.to_owned() })
    };
    let lines = text.split_inclusive('\n').skip(1).filter(|line| !line.trim().is_empty());
    Ok(order.into_iter().zip(lines).map(row).collect())
}
