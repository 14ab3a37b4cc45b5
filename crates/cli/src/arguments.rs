//! Values of flags, and the flags of `run` and `replay`.

use std::path::PathBuf;
use std::time::Duration;

use acrasin_report::table::Format;
use clap::builder::PossibleValue;
use clap::{ArgGroup, Args, ValueEnum};

use crate::duration;

/// The maximum number of repetitions. Their records are held in memory until all repetitions are done.
pub const MOST_REPETITIONS: u32 = 1_000_000;

/// The maximum number of threads: more than the cores of current machines, but few enough to start.
pub const MOST_THREADS: u16 = 1024;

/// The arguments of `acrasin run`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("replaceable").multiple(true).args(["output", "checkpoint", "resume"])))]
pub(crate) struct RunArguments {
    /// A scenario file, or the name of a built-in scenario (`acrasin list scenarios`). Default: the first built-in
    /// one. Paths in a file are relative to its folder.
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: Option<PathBuf>,
    /// The seed of all draws, instead of the scenario's. Without either, a seed is drawn and printed.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Number of threads, for repetitions, and for rounds and waves on rungs F1 to F3; it does not change the result.
    /// Default: one per core, or fewer if `ulimit -v` leaves too little address space.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<u16>,
    /// Number of runs. The first has the seed itself, the others have seeds derived from it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = repetitions)]
    pub(crate) reps: u32,
    /// Replace one value of the scenario: `--set topology.rows=10`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// Format of the results.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    pub(crate) format: FormatName,
    /// Also write records, counts over time (CSV, SVG), pictures of amoebots (SVG, TikZ) and the effective scenario to
    /// this folder. The folder must be new or empty, unless --force is given. It appears only when the run is over.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Write to a folder that is not empty, replacing files with the same names and the results of an earlier run. With
    /// --checkpoint, also replace a file that is not a checkpoint.
    #[arg(long, requires = "replaceable")]
    pub(crate) force: bool,
    /// Repetitions for which the folder has plots and pictures (SVG, TikZ). The others still have counts and drawings
    /// as text. With `none` and several repetitions, one file `counts.csv` has the counts of all, with a column for the
    /// repetition.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Plots::All, requires = "output")]
    pub(crate) plots: Plots,
    /// End runs as unfinished after this time on the clock, such as 10s, 5m, 1h30m. The clock is checked every few
    /// thousand steps. If the time is over before the first step, for instance while a large graph is built, there is
    /// no result.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub(crate) max_time: Option<Duration>,
    /// Record every step for `acrasin replay`; compressed if the name ends in `.gz`. One run only. An existing file
    /// is replaced when the run is over.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Save the run to this file: at its start, every ten minutes (see --every), and when Ctrl-C, SIGTERM or --max-time
    /// ends it. The previous checkpoint is kept as FILE.previous. Only for one run, and only for runs that can be
    /// saved.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The time on the clock between two checkpoints, such as 30s or 1h. Default: 10m.
    #[arg(long, value_name = "DURATION", value_parser = interval)]
    pub(crate) every: Option<Duration>,
    /// Continue the run that is saved in this file, or in FILE.previous if FILE is damaged. The scenario, its files,
    /// --set and --seed are those of the saved run and must not have changed; --output must be given again. The results
    /// are the same as those of an uninterrupted run. The run is saved to FILE again, or to the file of --checkpoint.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Print what would run and its estimated cost, without running or writing anything.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `acrasin replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// A recording, made by `--record` of `acrasin run`, `acrasin check` or `acrasin swarm`. Files ending in `.gz`
    /// are decompressed.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Replace one value of the recorded scenario, to try the same steps under other rules:
    /// `--set lock.rules=Repaired`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// The folder against which relative paths in the recorded scenario are resolved. Default: the folder of FILE.
    #[arg(long, value_name = "DIR")]
    pub(crate) base: Option<PathBuf>,
    /// Print the configuration after this number of steps instead of the end: state, locks and memory of every node,
    /// edges, messages in transit. The configuration is printed as text, or with `--format jsonl` as one line. FILE may
    /// then also be a scenario, or a folder written by `acrasin run -o`.
    #[arg(long, value_name = "STEP", value_parser = step)]
    pub(crate) at: Option<u64>,
    /// Format of the results.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    pub(crate) format: FormatName,
    /// Stop after this time on the clock.
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

/// Parses a whole number as scenarios write it, without exponents: `1_000`.
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

pub(crate) fn interval(text: &str) -> Result<Duration, String> {
    let interval = duration::parse(text)?;
    if interval.is_zero() { Err("a duration above 0s is accepted".to_owned()) } else { Ok(interval) }
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

/// The repetitions that have plots and pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Plots {
    /// No plots. With several repetitions, one file holds the counts of all of them, and no repetition has a file of
    /// its own
    None,
    /// The first one
    First,
    /// All of them
    All,
}

impl Plots {
    pub(crate) fn has(self, repetition: u32) -> bool {
        match self {
            Self::None => false,
            Self::First => repetition == 0,
            Self::All => true,
        }
    }
}
