//! The whole `acrasin` command with entries of one's own: the program that the guide builds page by page.

use std::error::Error;
use std::process::ExitCode;

use acrasin::scenario::Catalogue;

/// A graph family, from page 3.
mod family;
/// A protocol, from page 1.
mod maximum;
/// A stop condition, from page 2.
mod share;
/// An amoebot algorithm, from page 8.
mod wake;

/// The entries of `acrasin`, and one line for each entry of your own. A name that is taken is an error.
fn catalogue() -> Result<Catalogue, Box<dyn Error>> {
    let catalogue = Catalogue::shipped();
    let catalogue = catalogue.with_protocol(maximum::MAXIMUM)?;
    let catalogue = catalogue.with_stop(share::SHARE)?;
    let catalogue = catalogue.with_family(family::CHORDS)?;
    let catalogue = catalogue.with_amoebots(wake::WAKE)?;
    Ok(catalogue)
}

fn main() -> ExitCode {
    match catalogue() {
        Ok(catalogue) => acrasin::cli::main(&catalogue),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
