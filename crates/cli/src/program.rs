//! The command as a program. Only this module prints errors and sets exit codes.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use acrasin_process::Ranks;
use acrasin_report::record::Exit;
use acrasin_scenario::Catalogue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};

use crate::{Arguments, Failure, execute, execute_over_ranks, interrupt, output};

/// Runs the whole command, for custom programs, with the arguments of the process; `catalogue` has the names that
/// scenarios can use.
///
/// ```no_run
/// use acrasin_protocols::library::{ProtocolEntry, Fratricide, ProtocolInstance};
/// use acrasin_scenario::Catalogue;
///
/// const DUEL: ProtocolEntry = ProtocolEntry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     ProtocolInstance::of(&Fratricide, |agents| vec![agents, 0])
/// });
///
/// fn main() -> std::process::ExitCode {
///     acrasin_cli::main(&Catalogue::shipped().with_protocol(DUEL).expect("a new name"))
/// }
/// ```
#[must_use]
pub fn main(catalogue: &Catalogue) -> ExitCode {
    program(|arguments| execute(arguments, catalogue), true)
}

/// The command on one of several ranks, which all have the same arguments. Rank 0 prints; the others are silent and
/// end with the same exit code for errors of usage, otherwise with 0.
#[must_use]
pub fn main_over_ranks(catalogue: &Catalogue, ranks: &Arc<dyn Ranks>) -> ExitCode {
    program(|arguments| execute_over_ranks(arguments, catalogue, ranks), ranks.rank() == 0)
}

/// Parses the arguments of the process and executes them.
fn program(execute: impl FnOnce(&Arguments) -> Result<Exit, Failure>, prints: bool) -> ExitCode {
    let ends_without_memory = interrupt::end_without_memory(Exit::BudgetExhausted.code());
    std::panic::set_hook(Box::new(move |panic| {
        ends_without_memory.store(false, Ordering::SeqCst);
        // The error of the run names the checkpoint, which may be forged.
        if interrupt::is_a_run_resumed() {
            return;
        }
        let _ = writeln!(
            std::io::stderr(),
            "internal error: {panic}\nThis is a bug in acrasin, not an error in the input. Please report it with the \
             scenario and the seed."
        );
    }));
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if !prints => {
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
        Err(error) => {
            if let Some(failure) = of_another_command(&error) {
                output::fail(&failure);
                return ExitCode::from(failure.exit_code());
            }
            if error.use_stderr() {
                output::fail_arguments(&error);
            } else if let Err(failure) =
                output::written(error.print().and_then(|()| std::io::stdout().flush()))
            {
                // Help and version count as results: failing to write them is an error, unless the reader has closed
                // the pipe.
                output::fail(&failure);
                return ExitCode::from(failure.exit_code());
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match execute(&arguments) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(failure) => {
            if prints {
                output::fail(&failure);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The error for a flag that only other commands have; `None` for other errors. Suggesting a similar flag, as clap
/// does, would be misleading here.
fn of_another_command(error: &clap::Error) -> Option<Failure> {
    let ErrorKind::UnknownArgument = error.kind() else { return None };
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return None };
    let name = flag.strip_prefix("--")?;
    let here = std::env::args().skip(1).find(|argument| !argument.starts_with('-'))?;
    let commands = Arguments::command();
    let has = |command: &&clap::Command| {
        command.get_arguments().any(|argument| !argument.is_global_set() && argument.get_long() == Some(name))
    };
    let here = commands.find_subcommand(&here)?.get_name();
    let others: Vec<String> = commands
        .get_subcommands()
        .filter(has)
        .map(|command| format!("`acrasin {} {flag}`", command.get_name()))
        .collect();
    (!others.is_empty()).then(|| {
        Failure::usage(format_args!("`acrasin {here}` has no {flag}"))
            .accepting(format_args!("{}; `acrasin {here} --help` lists its flags", others.join(", ")))
    })
}
