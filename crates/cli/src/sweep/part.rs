//! [`SweepPart`]: the runs of a sweep that one machine makes, and merging the rows of several parts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::done_runs::DoneRuns;
use super::plan::SweepPlan;
use super::rows::json_lines;
use super::written_row::KeptRow;
use crate::arguments::whole;
use crate::{Failure, memory};

/// The description of the files that --join accepts.
const PART_FILE: &str = "a file that this sweep has written with --part I/N";

/// Part `number` of `count`, from 0. Repetition r of combination c belongs to part (c + r) mod `count`. With enough
/// repetitions, every part therefore has all combinations, and numbers of runs per combination differ by at most one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SweepPart {
    number: u64,
    count: u64,
}

impl SweepPart {
    /// The whole sweep.
    pub(super) const WHOLE: Self = Self { number: 0, count: 1 };

    /// Parses `I/N`, with I from 1 to N.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (number, count) = text.split_once('/').ok_or("I/N is expected, such as 2/8")?;
        let count = whole(count, 1, 1_000_000)?;
        Ok(Self { number: whole(number, 1, count)? - 1, count })
    }

    pub(super) fn has(self, combination: usize, repetition: u64) -> bool {
        (combination as u64 % self.count + repetition % self.count) % self.count == self.number
    }

    /// The number of runs in this part, over all combinations and repetitions.
    pub(super) fn runs(self, combinations: u64, repetitions: u64) -> u64 {
        let of = |first: u64| self.with_rest(first, combinations) * self.runs_of(first, repetitions);
        (0..self.count.min(combinations)).map(of).sum()
    }

    /// The number of runs of one combination in this part.
    pub(super) fn runs_of(self, combination: u64, repetitions: u64) -> u64 {
        self.with_rest((self.number + self.count - combination % self.count) % self.count, repetitions)
    }

    /// The number of whole numbers below `all` with this remainder modulo the number of parts.
    fn with_rest(self, rest: u64, all: u64) -> u64 {
        all / self.count + u64::from(all % self.count > rest)
    }
}

impl fmt::Display for SweepPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number + 1, self.count)
    }
}

/// A row of a part.
pub(super) struct JoinedRow {
    pub(super) kept: KeptRow,
    /// The JSON line, with its line feed.
    pub(super) line: String,
    /// The file with this row.
    file: PathBuf,
}

/// Reads and merges the rows of parts, by place in the sweep.
///
/// # Errors
///
/// [`Failure`] if a file cannot be read, a file has rows of another sweep, or two files differ about a run.
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

/// The rows of one part.
fn rows(file: &Path, plan: &SweepPlan) -> Result<Vec<(u64, JoinedRow)>, Failure> {
    let text = text(file)?;
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

/// Reads the text of a regular file that fits into memory.
fn text(path: &Path) -> Result<String, Failure> {
    let failed = |error: &io::Error| Failure::of_path(path, "read", error);
    let metadata = fs::metadata(path).map_err(|error| failed(&error))?;
    let most = memory::bytes() / 4;
    if !metadata.is_file() || metadata.len() > most {
        let message = format!("{} is not a file of at most {most} bytes", path.display());
        return Err(Failure::usage(message).accepting(PART_FILE));
    }
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut text));
    read.map_err(|error| failed(&error))?;
    String::from_utf8(text).map_err(|_| {
        Failure::usage(format_args!("{} is not UTF-8 text", path.display())).accepting(PART_FILE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_belongs_to_one_part() {
        for (combinations, repetitions, count) in [(1, 10, 3), (6, 4, 3), (5, 1, 7), (3, 2, 1), (4, 9, 4)] {
            let parts: Vec<SweepPart> =
                (1..=count).map(|number| SweepPart::parse(&format!("{number}/{count}")).unwrap()).collect();
            let mut of_part = vec![0; parts.len()];
            for combination in 0..combinations {
                for repetition in 0..repetitions {
                    let has: Vec<usize> =
                        (0..parts.len()).filter(|&at| parts[at].has(combination, repetition)).collect();
                    assert_eq!(has.len(), 1);
                    of_part[has[0]] += 1;
                }
            }
            let counted: Vec<u64> =
                parts.iter().map(|part| part.runs(combinations as u64, repetitions)).collect();
            assert_eq!(counted, of_part, "{combinations} x {repetitions} in {count}");
        }
        assert_eq!(SweepPart::parse("2/8").unwrap().to_string(), "2/8");
        for wrong in ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/3"] {
            assert!(SweepPart::parse(wrong).is_err(), "{wrong}");
        }
    }
}
