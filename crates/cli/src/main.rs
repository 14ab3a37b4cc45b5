//! The `acrasin` command with the built-in catalogue.

use std::process::ExitCode;

fn main() -> ExitCode {
    acrasin_cli::main(&acrasin_scenario::Catalogue::shipped())
}
