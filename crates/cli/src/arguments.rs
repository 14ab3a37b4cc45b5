//! Every command, flag and help text.

use std::path::PathBuf;
use std::time::Duration;

use acrasin_report::record::Exit;
use acrasin_report::table::Format;
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::bench::{self, BenchArguments};
use crate::check::{self, CheckArguments};
use crate::conform::{self, ConformArguments};
use crate::folder::Plots;
use crate::list::Kind;
use crate::output::Verbosity;
use crate::swarm::{self, SwarmArguments};
use crate::{Failure, duration, interrupt, list, pages, replay, run};

/// The most repetitions: their records are held until all are done.
pub const MOST_REPETITIONS: u32 = 1_000_000;

/// The most threads: more than any machine of today has cores, few enough to be started.
pub const MOST_THREADS: u16 = 1024;

const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed (a property was violated, a deadlock, or nobody could act any more before a \
    stop condition held), 2 usage or bad file, \
    3 budget ran out first, 130 interrupted.\n\
    Results go to standard output, everything else to standard error. NO_COLOR is honoured.";

/// Population protocols on a Lock/Unlock layer: run scenarios, replay runs, check conformance.
#[derive(Parser, Debug)]
#[command(name = "acrasin", version, long_version = long_version(), after_help = EXIT_CODES, propagate_version = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    command: Command,
    /// Print errors only, besides the results.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Also print what the words of the scenario came to; threads, processor and times in every format.
    #[arg(short, long, global = true)]
    verbose: bool,
}

impl Arguments {
    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

fn long_version() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), "\ncommit ", env!("ACRASIN_COMMIT"))
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run a scenario and print what came of it
    #[command(after_help = EXIT_CODES)]
    Run(RunArguments),
    /// Apply a recorded run again and compare its end
    #[command(
        after_help = "Exit codes: 0 the run is reproduced, 1 it is reproduced and ends in a failure again, or it is not \
            reproduced, 2 usage or malformed file, 3 time was over first, 130 interrupted."
    )]
    Replay(ReplayArguments),
    /// Check a claim on everything that can happen, on small instances
    #[command(
        after_help = "Exit codes: 0 the claim holds as far as was asked, 1 it does not: a shortest counterexample is printed, 2 \
            usage, bad file or bad predicate, 3 memory or time ran out first: what was covered is printed, 130 interrupted."
    )]
    // Many flags: the largest by far.
    Check(Box<CheckArguments>),
    /// Check the lock layer in random runs, each drawn from its seed
    ///
    /// A seed draws graph, ports, lock sets, timing, priorities, callers, scheduler and what disturbs the run. While the
    /// graph changes and clients misuse their calls, everything is checked after every step; then the disturbances end,
    /// and every call must be served. The first run that fails is made small and told step by step.
    #[command(
        after_help = "Exit codes: 0 no run failed, 1 some failed, or in 10000 runs or more of the repaired rules a cell of the \
            coverage table stayed empty, 2 usage, 3 time ran out first: what was covered is printed, 130 interrupted."
    )]
    Swarm(SwarmArguments),
    /// Measure what the rungs of the engine cost on this machine
    ///
    /// Every row is one way to do the work of its family, measured in samples that are taken in turn: processor time and
    /// time on the clock, minimum and median, against the naive loop and against what memory alone costs. The state
    /// after the samples must be the same for every number of threads.
    #[command(
        after_help = "Exit codes: 0 measured, 1 a result depends on the number of threads or an identity does not hold, 2 usage, or \
            a size that does not fit, 130 interrupted."
    )]
    Bench(BenchArguments),
    /// Replay conformance files and compare after every step
    #[command(
        after_help = "Exit codes: 0 all files agree, 1 differences, 2 a file is malformed, or has no scenario that can be run on \
            the rung."
    )]
    Conform(ConformArguments),
    /// List what a scenario can name, one line each
    List {
        /// What to list; everything if it is not given.
        #[arg(value_enum)]
        kind: Option<Kind>,
        /// How to write the list.
        #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
        format: FormatName,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, of all or of one command, in roff
    Man {
        /// The command.
        command: Option<String>,
    },
}

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
    /// Threads for repetitions, and for rounds and waves on rungs F1 and F3; the result is the same for any number.
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
    /// Of which repetitions the folder has plots and pictures (SVG, TikZ); their numbers and drawings as text are there
    /// in any case.
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

/// Does what the arguments say. Results are on standard output when this returns.
///
/// # Errors
///
/// [`Failure`] if the command could not do it; a run that failed or was interrupted is no error.
pub fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    let verbosity = arguments.verbosity();
    interrupt::listen(verbosity);
    match &arguments.command {
        Command::Run(run) => run::run(run, verbosity),
        Command::Replay(replay) => replay::replay(replay, verbosity),
        Command::Check(arguments) => check::check(arguments, verbosity),
        Command::Swarm(arguments) => swarm::swarm(arguments, verbosity),
        Command::Bench(arguments) => bench::bench(arguments, verbosity),
        Command::Conform(arguments) => conform::conform(arguments, verbosity),
        Command::List { kind, format } => list::print(*kind, format.0),
        Command::Completions { shell } => pages::completions(*shell),
        Command::Man { command } => pages::manual(command.as_deref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_setting_is_split_at_its_first_sign() {
        assert_eq!(setting("a.b=c=d"), Ok(("a.b".to_owned(), "c=d".to_owned())));
        assert_eq!(setting("a="), Ok(("a".to_owned(), String::new())));
        assert!(setting("a").is_err() && setting("=a").is_err());
    }
}
