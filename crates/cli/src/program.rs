//! The command as a program. The only place that prints errors and sets exit codes.

use std::io::Write as _;
use std::process::ExitCode;

use acrasin_scenario::Catalogue;
use clap::Parser as _;

use crate::{Arguments, execute, output};

/// The whole command, for a program of its own: its arguments come from the environment, and `catalogue` has what scenarios
/// can name.
///
/// ```no_run
/// use acrasin_protocols::library::{Entry, Fratricide, Instance};
/// use acrasin_scenario::Catalogue;
///
/// const DUEL: Entry = Entry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     Instance::of(&Fratricide, |agents| vec![agents, 0])
/// });
///
/// fn main() -> std::process::ExitCode {
///     acrasin_cli::main(&Catalogue::shipped().with_protocol(DUEL).expect("a new name"))
/// }
/// ```
#[must_use]
pub fn main(catalogue: &Catalogue) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(
            std::io::stderr(),
            "internal error: {panic}\nThis is a fault of acrasin, not of the input. Please report it with the \
             scenario and the seed."
        );
    }));
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            // Help and version are results: that they cannot be written is a failure, unless their reader wanted no more.
            let written = if error.use_stderr() { Ok(()) } else { output::written(printed) };
            if let Err(failure) = written {
                output::fail(&failure);
                return ExitCode::from(failure.exit_code());
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match execute(&arguments, catalogue) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
