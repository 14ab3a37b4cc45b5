//! All commands with their help texts, and their execution.

use std::sync::Arc;

use acrasin_process::Ranks;
use acrasin_report::record::Exit;
use acrasin_report::table::Format;
use acrasin_scenario::Catalogue;
use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

use crate::arguments::{FormatName, ReplayArguments, RunArguments};
use crate::bench::{self, BenchArguments};
use crate::check::{self, CheckArguments, CheckCertificateArguments};
use crate::conform::{self, ConformArguments};
use crate::list::ListKind;
use crate::output::Verbosity;
use crate::plot::{self, PlotArguments};
use crate::run_of_ranks::run_over_ranks;
use crate::swarm::{self, SwarmArguments};
use crate::sweep::{self, SweepArguments};
use crate::view::{self, ViewArguments};
use crate::{Failure, interrupt, list, memory, pages, replay, run};

const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed (a property was violated, a deadlock, or no node could act before a \
    stop condition held); 2 usage or bad file; 3 a limit or the time was reached first; 130 interrupted.\n\
    Results go to standard output, everything else to standard error. NO_COLOR is honoured.";

/// Population protocols on a Lock/Unlock layer: run scenarios, replay runs, check conformance.
#[derive(Parser, Debug)]
#[command(name = "acrasin", version, long_version = long_version(), after_help = EXIT_CODES, propagate_version = true)]
pub struct Arguments {
    /// The command to execute.
    #[command(subcommand)]
    command: Command,
    /// Print only results and errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Also print the resolved parameters of the scenario, and threads, processor and times in every format.
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
    /// Run a scenario and print the results
    #[command(after_help = EXIT_CODES)]
    Run(RunArguments),
    /// Run a scenario for all combinations of values, one row per run
    #[command(
        after_help = "Exit codes: 0 done; 1 some run failed; 2 usage or bad file, nothing is run or written; 3 the time or a limit \
            was reached first; 130 interrupted, existing rows are kept."
    )]
    Sweep(SweepArguments),
    /// Plot rows of runs: values against another with bands and a fitted line, or their distribution
    #[command(
        after_help = "Exit codes: 0 drawn; 2 usage, a bad file, or an unknown column, nothing is written."
    )]
    Plot(PlotArguments),
    /// Repeat a recorded run and compare its end
    #[command(
        after_help = "Exit codes: 0 the run is reproduced; 1 it is not reproduced, or it is and ends in a failure again; \
            2 usage or malformed file; 3 time ran out first; 130 interrupted."
    )]
    Replay(ReplayArguments),
    /// Write a page that plays a run: states, locks, messages, step by step and back
    #[command(
        after_help = "Exit codes: 0 written; 1 the page cannot be written; 2 usage, a bad file, or a run that cannot be filmed; \
            130 interrupted. With 2 and 130 nothing is written."
    )]
    View(ViewArguments),
    /// Prove a claim on small instances by exhaustive exploration
    #[command(
        after_help = "Exit codes: 0 the claim holds for everything checked; 1 it does not, a shortest counterexample is printed; \
            2 usage, bad file or bad predicate; 3 memory or time ran out first, the covered part is printed; \
            130 interrupted."
    )]
    // Boxed, since it is by far the largest.
    Check(Box<CheckArguments>),
    /// Check a proof that a population protocol is correct for every population size
    #[command(
        after_help = "Exit codes: 0 the file proves the claim; 1 it does not, the first fault is printed; 2 usage, or a file that is \
            not a certificate; 3 time ran out first; 130 interrupted."
    )]
    CheckCertificate(CheckCertificateArguments),
    /// Check the lock layer in random runs, each drawn from its seed
    ///
    /// For local mutual exclusion a seed draws graph, ports, lock sets, timing, priorities, callers, scheduler and
    /// disturbances. While the graph changes and nodes misuse their calls, all promises and invariants are checked
    /// after every step. Then the disturbances end, and every call must be served. The other algorithms run on random
    /// static graphs, with random trees or suitable bounds. The first failing run is shrunk and described step by step.
    #[command(
        after_help = "Exit codes: 0 no run failed; 1 some run failed, or a cell of the coverage table stayed empty in 10000 or more \
            runs of the repaired rules; 2 usage; 3 time ran out first, the coverage so far is printed; 130 interrupted."
    )]
    Swarm(SwarmArguments),
    /// Measure the rungs of the engine on this machine
    ///
    /// Every row is one way to do the work of its family, measured in samples that are taken in turn. It shows
    /// processor time and wall time, minimum and median, compared with the naive loop and with the cost of memory
    /// access alone. The state after the samples must be the same for every number of threads.
    #[command(
        after_help = "Exit codes: 0 measured; 1 a result depends on the number of threads, or an identity does not hold; 2 usage, or \
            a size that does not fit; 130 interrupted."
    )]
    Bench(BenchArguments),
    /// Replay conformance files and compare after every step
    #[command(
        after_help = "Exit codes: 0 all files agree; 1 differences; 2 a file is malformed, or has no scenario that the rung can run."
    )]
    Conform(ConformArguments),
    /// List the words that a scenario can use, one per line
    List {
        /// The kind of items to list. Default: all.
        #[arg(value_enum)]
        kind: Option<ListKind>,
        /// Format of the list.
        #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
        format: FormatName,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell for which the script is written.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page of the program or of one command, in roff
    Man {
        /// The command. Default: the whole program.
        command: Option<String>,
    },
}

/// Executes the command; `catalogue` has the names that scenarios can use. Before this returns, all results are written
/// to standard output.
///
/// # Errors
///
/// [`Failure`] if the command could not be executed. A run that failed or was interrupted is not an error.
pub fn execute(arguments: &Arguments, catalogue: &Catalogue) -> Result<Exit, Failure> {
    let verbosity = arguments.verbosity();
    interrupt::listen(verbosity);
    // Runs that are replayed or drawn use the pool of the calling thread. Other commands have their own.
    let _pool = match &arguments.command {
        Command::Replay(_) | Command::View(_) => Some(memory::pool(memory::threads(None, 0, verbosity))?),
        _ => None,
    };
    match &arguments.command {
        Command::Run(run) => run::run(run, catalogue, verbosity),
        Command::Sweep(arguments) => sweep::sweep(arguments, catalogue, verbosity),
        Command::Plot(arguments) => plot::plot(arguments, verbosity),
        Command::Replay(replay) => replay::replay(replay, catalogue, verbosity),
        Command::View(arguments) => view::view(arguments, catalogue, verbosity),
        Command::Check(arguments) => check::check(arguments, catalogue, verbosity),
        Command::CheckCertificate(arguments) => check::check_certificate(arguments, catalogue, verbosity),
        Command::Swarm(arguments) => swarm::swarm(arguments, verbosity),
        Command::Bench(arguments) => bench::bench(arguments, verbosity),
        Command::Conform(arguments) => conform::conform(arguments, verbosity),
        Command::List { kind, format } => list::print(*kind, catalogue, format.0),
        Command::Completions { shell } => pages::completions(*shell, &mut Arguments::command()),
        Command::Man { command } => pages::manual(command.as_deref(), Arguments::command()),
    }
}

/// Executes the command together with other ranks. Rank 0 prints and writes everything; only it returns errors of the
/// command.
///
/// # Errors
///
/// [`Failure`] if the command could not be executed, or cannot be executed over ranks.
pub fn execute_over_ranks(
    arguments: &Arguments,
    catalogue: &Catalogue,
    ranks: &Arc<dyn Ranks>,
) -> Result<Exit, Failure> {
    let verbosity = if ranks.rank() == 0 { arguments.verbosity() } else { Verbosity::Quiet };
    interrupt::listen(verbosity);
    match &arguments.command {
        Command::Sweep(arguments) => sweep::sweep_over_ranks(arguments, catalogue, verbosity, &**ranks),
        Command::Run(arguments) => run_over_ranks(arguments, catalogue, verbosity, ranks),
        _ => Err(Failure::usage("this command does not run over ranks").accepting("run, sweep")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }
}
