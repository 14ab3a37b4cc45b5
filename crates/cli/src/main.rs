//! The `acrasin` command. The only place that prints errors and sets exit codes.

use std::io::Write as _;
use std::process::ExitCode;

use acrasin_cli::{Arguments, execute};
use clap::Parser as _;

fn main() -> ExitCode {
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
            // Help and version go to standard output and are no errors; a closed pipe is nothing to speak of.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match execute(&arguments) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
