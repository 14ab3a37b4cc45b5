//! Selects the check for a file: of a protocol, of amoebots, or of the lock layer.

use std::path::{Path, PathBuf};

use acrasin_report::record::Exit;
use acrasin_scenario::{Catalogue, FileKind, InputFile, ScenarioFile};

use super::{CheckArguments, amoebots, locks, population};
use crate::output::Verbosity;
use crate::run::folder_of;
use crate::{Failure, scenarios};

/// The alternatives that the error for a check of reactions suggests. Reactions create and destroy molecules, so there
/// may be infinitely many configurations.
const INSTEAD_OF_REACTIONS: &str = "acrasin run with stop: [Counts(\"…\")]; or a protocol with these rules, if each has two reactants and two products";

/// Runs `acrasin check`. Checks a population protocol if a flag requests it or the file contains only a protocol.
/// Checks amoebots for a scenario of amoebots, and the lock layer for other scenarios.
pub(crate) fn check(
    arguments: &CheckArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let CheckArguments { file, set, .. } = arguments;
    let input = || file.exists().then(|| InputFile::read(file, set)).transpose();
    match (arguments.population.given(), arguments.locks.given_but_record()) {
        (Some(one), Some(other)) => {
            return Err(Failure::usage(format_args!(
                "{one} applies to a population protocol, but {other} to the lock layer"
            ))
            .accepting("one of them"));
        }
        (Some(flag), None) => {
            let input = input()?;
            let (other, accepted) = match input.as_ref().map(InputFile::kind) {
                Some(FileKind::Amoebots) => {
                    ("amoebots", "omit this flag: every schedule is followed to the goal")
                }
                Some(FileKind::Reactions) => ("reactions", INSTEAD_OF_REACTIONS),
                _ => return population::check(arguments, input, catalogue, verbosity),
            };
            return Err(Failure::usage(format_args!(
                "{flag} applies to a population protocol, but this is a scenario of {other}"
            ))
            .accepting(accepted));
        }
        (None, _) => {}
    }
    if let Some(input) = input()? {
        return match input.kind() {
            FileKind::Protocol => protocol(arguments, Some(input), catalogue, verbosity),
            FileKind::Population | FileKind::Amoebots | FileKind::Reactions => {
                of_kind(arguments, &input.scenario()?, &folder_of(file), catalogue, verbosity)
            }
        };
    }
    match file.to_str().and_then(scenarios::find) {
        Some(scenario) => {
            let name = format!("{} (built in)", scenario.name);
            let scenario = ScenarioFile::parse(scenario.text, &name, set)?;
            of_kind(arguments, &scenario, &PathBuf::new(), catalogue, verbosity)
        }
        None => protocol(arguments, None, catalogue, verbosity),
    }
}

fn of_kind(
    arguments: &CheckArguments,
    scenario: &ScenarioFile,
    base: &Path,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    match scenario {
        ScenarioFile::Population(document) => locks::check(arguments, document, base, catalogue, verbosity),
        ScenarioFile::Amoebots(document) => amoebots::check(arguments, document, base, catalogue, verbosity),
        ScenarioFile::Reactions(document) => {
            let message = "reactions cannot be checked";
            Err(document.error("reactions", message).accepting(INSTEAD_OF_REACTIONS).into())
        }
    }
}

fn protocol(
    arguments: &CheckArguments,
    input: Option<InputFile>,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    if let Some(flag) = arguments.locks.given_but_record() {
        return Err(Failure::usage(format_args!(
            "{flag} applies to the lock layer, but the file has only a protocol"
        ))
        .accepting("a scenario"));
    }
    population::check(arguments, input, catalogue, verbosity)
}
