//! `acrasin conform`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use acrasin_report::record::Exit;
use acrasin_verify::conformance::{self, Report};
use acrasin_verify::replay::open;

use crate::{Failure, output};

/// One line a file, and one a difference. A malformed file does not keep the others from being read.
pub(crate) fn conform(files: &[PathBuf]) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut failure: Option<Failure> = None;
    for path in files {
        match check(path) {
            Ok(report) => {
                if !report.agrees() {
                    exit = Exit::Failed;
                }
                output::print(&lines(&path.display().to_string(), &report))?;
            }
            Err(error) => {
                failure = Some(match failure {
                    Some(before) => before.and(&error),
                    None => error,
                });
            }
        }
    }
    failure.map_or(Ok(exit), Err)
}

fn check(path: &Path) -> Result<Report, Failure> {
    let reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
    Ok(conformance::run(&path.display().to_string(), reader)?)
}

fn lines(file: &str, report: &Report) -> String {
    let mut text = format!("{file}: {report}\n");
    for difference in report.differences() {
        let _ = writeln!(text, "{file}: {difference}");
    }
    let hidden = report.difference_count() - report.differences().len() as u64;
    if hidden > 0 {
        let _ = writeln!(text, "{file}: and {hidden} more differences");
    }
    text
}
