//! The `acrasin` command with the catalogue that ships.

use std::process::ExitCode;

fn main() -> ExitCode {
    acrasin_cli::main(&acrasin_scenario::Catalogue::shipped())
}
