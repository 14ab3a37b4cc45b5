//! `acrasin conform`: replays conformance files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use acrasin_catalogue::counted;
use acrasin_report::escape::visible;
use acrasin_report::record::Exit;
use acrasin_verify::conformance::{self, ConformanceReport};
use acrasin_verify::replay::open;
use clap::{Args, ValueEnum};

use crate::output::Verbosity;
use crate::{Failure, output};

/// The arguments of `acrasin conform`.
#[derive(Args, Debug)]
pub(crate) struct ConformArguments {
    /// Files of JSON lines. Files ending in `.gz` are decompressed.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The implementation that replays the scenarios.
    ///
    /// F4 runs all of them. F3 has the repaired rules, up to 16 ports and 65536 priorities; other scenarios are
    /// skipped and counted (with --verbose: listed). F1 and F2 do not process single messages.
    #[arg(long, value_enum, default_value_t = RungName::F4, ignore_case = true)]
    rung: RungName,
}

/// The rungs that process single messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum RungName {
    /// The engine's second implementation of the lock layer, with one word per node.
    #[value(name = "F3")]
    F3,
    /// The reference implementation.
    #[value(name = "F4")]
    F4,
}

/// Prints one line for each file and each difference. A malformed file does not prevent the others from being read.
pub(crate) fn conform(arguments: &ConformArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut failure: Option<Failure> = None;
    for path in &arguments.files {
        match check(path, arguments.rung) {
            Ok(report) => {
                if !report.agrees() {
                    exit = Exit::Failed;
                }
                let file = path.display().to_string();
                output::print(&lines(&file, &report))?;
                for skipped in report.skipped() {
                    verbosity.explain(format_args!("{file}: {}", visible(&skipped.to_string())));
                }
                let unnamed = report.skipped_count() - report.skipped().len() as u64;
                if unnamed > 0 {
                    verbosity.explain(format_args!(
                        "{file}: not run either: {}",
                        counted(unnamed, "further scenario")
                    ));
                }
            }
            // All errors are printed; the last one ends the command.
            Err(error) => {
                if let Some(before) = failure.replace(error) {
                    output::fail(&before);
                }
            }
        }
    }
    failure.map_or(Ok(exit), Err)
}

fn check(path: &Path, rung: RungName) -> Result<ConformanceReport, Failure> {
    let reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
    let name = path.display().to_string();
    Ok(match rung {
        RungName::F3 => conformance::run_on_words(&name, reader),
        RungName::F4 => conformance::run(&name, reader),
    }?)
}

fn lines(file: &str, report: &ConformanceReport) -> String {
    let mut text = format!("{file}: {report}\n");
    for difference in report.differences() {
        let _ = writeln!(text, "{file}: {}", visible(&difference.to_string()));
    }
    let hidden = report.difference_count() - report.differences().len() as u64;
    if hidden > 0 {
        let _ = writeln!(text, "{file}: and {hidden} more differences");
    }
    text
}
