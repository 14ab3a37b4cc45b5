//! What commands are asked for: the values of flags, and the flags of `run` and `replay`.

use std::path::PathBuf;
use std::time::Duration;

use acrasin_report::table::Format;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::duration;
use crate::folder::Plots;

/// The most repetitions: their records are held until all are done.
pub const MOST_REPETITIONS: u32 = 1_000_000;

/// The most threads: more than any machine of today has cores, few enough to be started.
pub const MOST_THREADS: u16 = 1024;

/// The arguments of `acrasin run`.
#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// A scenario file, or the name of a built-in scenario (`acrasin list scenarios`); the first of those if it is not
    /// given. Paths in a file are relative to its folder.
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: Option<PathBuf>,
    /// What all draws start from; instead of the scenario's own. If neither is given, one is drawn and printed.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Threads for repetitions, and for rounds and waves on rungs F1 to F3; the result is the same for any number.
    /// Default: one a core.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<u16>,
    /// Repetitions: the first one has the seed itself, the others have seeds derived from it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = repetitions)]
    pub(crate) reps: u32,
    /// Replace one value of the scenario: `--set topology.rows=10`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// How to write the results.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    pub(crate) format: FormatName,
    /// Also write records, counts over time (CSV, SVG), pictures of amoebots (SVG, TikZ) and the effective scenario into
    /// this folder. It must be new or empty, or see --force; nothing of it appears before the run is over.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Write into a folder that is not empty, replacing files of the same names and the results of an earlier run.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Of which repetitions the folder has plots and pictures (SVG, TikZ). Their numbers and drawings as text are there, too,
    /// but with `none` of several repetitions: then one `counts.csv` has the counts of all, with a column for the repetition.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Plots::All, requires = "output")]
    pub(crate) plots: Plots,
    /// End runs as unfinished after so much time on the clock, such as 10s, 5m, 1h30m. Looked at every few thousand steps;
    /// if the time is over before the first one, because a large graph is drawn, there is no result.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub(crate) max_time: Option<Duration>,
    /// Keep every step for `acrasin replay`; compressed if the name ends in `.gz`. One run only. A file that is there
    /// is replaced when the run is over.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Say what there is to run and what is known of its cost, run nothing and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `acrasin replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// What `--record` of `acrasin run`, `acrasin check` or `acrasin swarm` wrote; `.gz` is read as it is.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Replace one value of the recorded scenario, to try the same steps under other rules:
    /// `--set lock.rules=Repaired`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// The folder to which paths in the recorded scenario are relative; the one of FILE if it is not given.
    #[arg(long, value_name = "DIR")]
    pub(crate) base: Option<PathBuf>,
    /// Print the configuration after so many steps instead of the end: state, locks, memory of every node, edges, messages under
    /// way; as text, or with `--format jsonl` as one line. FILE may then be a scenario, or a folder that `acrasin run -o` wrote.
    #[arg(long, value_name = "STEP", value_parser = step)]
    pub(crate) at: Option<u64>,
    /// How to write the results.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    pub(crate) format: FormatName,
    /// Stop after so much time on the clock.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub(crate) max_time: Option<Duration>,
}

/// A [`Format`] on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FormatName(pub(crate) Format);

impl ValueEnum for FormatName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FormatName; 3] =
            [FormatName(Format::ALL[0]), FormatName(Format::ALL[1]), FormatName(Format::ALL[2])];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// A whole number as scenarios write it, without exponents: `1_000`.
pub(crate) fn whole(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.replace('_', "").parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("a whole number from {least} to {most} is accepted"))
}

fn step(text: &str) -> Result<u64, String> {
    whole(text, 0, 1 << 53)
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

pub(crate) fn threads(text: &str) -> Result<u16, String> {
    whole(text, 1, MOST_THREADS.into()).map(|number| number as u16)
}

fn repetitions(text: &str) -> Result<u32, String> {
    whole(text, 1, MOST_REPETITIONS.into()).map(|number| number as u32)
}

pub(crate) fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("a name and a value are written as key=value".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_split_at_its_first_sign() {
        assert_eq!(setting("a.b=c=d"), Ok(("a.b".to_owned(), "c=d".to_owned())));
        assert_eq!(setting("a="), Ok(("a".to_owned(), String::new())));
        assert!(setting("a").is_err() && setting("=a").is_err());
    }
}
