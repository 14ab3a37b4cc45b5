//! Which check a file is meant for.

use std::path::PathBuf;

use acrasin_report::record::Exit;
use acrasin_scenario::{Document, ProtocolFile};

use super::{CheckArguments, locks, population};
use crate::output::Verbosity;
use crate::run::folder_of;
use crate::{Failure, scenarios};

/// `acrasin check`: of a population protocol if a flag asks for one or the file holds nothing else; of the lock layer
/// otherwise.
pub(crate) fn check(arguments: &CheckArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    let CheckArguments { file, set, .. } = arguments;
    match (arguments.population.given(), arguments.locks.given()) {
        (Some(one), Some(other)) => {
            return Err(Failure::usage(format_args!(
                "{one} is about a population protocol, {other} about the lock layer"
            ))
            .accepting("one of them"));
        }
        (Some(_), None) => return population::check(arguments, verbosity),
        (None, _) => {}
    }
    if file.exists() {
        return match Document::read(file, set) {
            Ok(document) => locks::check(arguments, &document, &folder_of(file), verbosity),
            // Not a scenario: a protocol alone, or neither, and then that reader knows best what is wrong.
            Err(_) => {
                ProtocolFile::read(file, set)?;
                protocol(arguments, verbosity)
            }
        };
    }
    match file.to_str().and_then(scenarios::find) {
        Some(scenario) => {
            let name = format!("{} (built in)", scenario.name);
            let document = Document::parse_with(scenario.text, &name, set)?;
            locks::check(arguments, &document, &PathBuf::new(), verbosity)
        }
        None => protocol(arguments, verbosity),
    }
}

fn protocol(arguments: &CheckArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    if let Some(flag) = arguments.locks.given() {
        return Err(Failure::usage(format_args!(
            "{flag} is about the lock layer, and this is a protocol alone"
        ))
        .accepting("a scenario"));
    }
    population::check(arguments, verbosity)
}
