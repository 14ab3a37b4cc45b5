//! The target of a population check: protocol, inputs, and claim.

use std::fmt::Write as _;
use std::path::Path;

use acrasin_catalogue::parameter::Values;
use acrasin_protocols::Table;
use acrasin_protocols::predicate::{Predicate, PredicateError};
use acrasin_scenario::plan::Initiator;
use acrasin_scenario::{Catalogue, DocumentError, InputFile};
use acrasin_verify::population::{Answers, Claim};

use super::arguments::ClaimArguments;
use super::facts::{facts, listed};
use crate::Failure;
use crate::output::Verbosity;

/// A protocol with its inputs and a claim about it.
pub(super) struct CheckTarget {
    pub(super) table: Table,
    pub(super) inputs: Vec<u16>,
    pub(super) claim: Option<Claim>,
    /// A description of which outputs mean yes and no; empty if the claim has no answers.
    pub(super) meaning: String,
    /// The end of an edge that is the initiator, as the scenario says.
    pub(super) initiator: Initiator,
    /// The source of the input states, as text: the flag, the file or the predicate.
    pub(super) inputs_by: &'static str,
}

/// The protocol of a file or of the library, with the inputs and the claim of the flags. `file` is the file with its
/// overrides applied.
pub(super) fn subject(
    file: (&Path, &[(String, String)]),
    wanted: &ClaimArguments,
    input: Option<InputFile>,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<CheckTarget, Failure> {
    let (table, written, initiator) = protocol(file, input, catalogue, verbosity)?;
    let claim = claim(wanted, &table)?;
    let (inputs, inputs_by) = if !wanted.inputs.is_empty() {
        (named(&table, &wanted.inputs)?, "from --inputs")
    } else if let Some(written) = written {
        (written, "from the file")
    } else if let Some(claim) = &claim {
        (claim.states_mentioned().to_vec(), "the states in the predicate")
    } else {
        (table.states().collect(), "all states, by default")
    };
    let meaning = match &wanted.predicate {
        Some(text) => {
            let answers = answers(wanted, &table, &parsed("--predicate", text)?)?;
            let side = |yes| listed(answers.meaning(yes).map(|output| table.output_name(output)));
            format!("answers: yes = {}; no = {}\n", side(true), side(false))
        }
        None => String::new(),
    };
    Ok(CheckTarget { table, inputs, claim, meaning, initiator, inputs_by })
}

fn protocol(
    (path, set): (&Path, &[(String, String)]),
    input: Option<InputFile>,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<(Table, Option<Vec<u16>>, Initiator), Failure> {
    let entry = path.to_str().and_then(|name| catalogue.protocols().find(name));
    if let Some(entry) = entry.filter(|_| input.is_none()) {
        if !set.is_empty() {
            return Err(Failure::usage(format_args!(
                "`{}` is a built-in protocol, and --set applies only to files",
                entry.name
            ))
            .accepting("a file with Library(name: …, parameters: {…})"));
        }
        let instance = entry.build(&Values::default()).map_err(Failure::usage)?;
        return Ok((instance.into_table(), None, Initiator::Either));
    }
    let written = path.to_string_lossy();
    if input.is_none() && catalogue.lazy_protocols().find(&written).is_some() {
        let message =
            format!("`{written}` is a protocol without a table of its states, which a check cannot explore");
        return Err(Failure::usage(message)
            .accepting("a protocol with a table: `acrasin list protocols` marks those without one")
            .hinting(format_args!(
                "acrasin run runs it, in a scenario with `protocol: Library(name: \"{written}\")`"
            )));
    }
    let file = match input {
        Some(input) => input.protocol(catalogue)?,
        // There is no such file; the error lists the names of the library.
        None => InputFile::read(path, set).and_then(|input| input.protocol(catalogue)).map_err(|error| {
            let names = catalogue.protocols().entries().iter().map(|entry| entry.name);
            error
                .accepting(
                    "the path of a file, or a name that `acrasin list scenarios` or `acrasin list protocols` prints",
                )
                .suggesting(&written, names)
        })?,
    };
    if file.is_grouped() {
        verbosity.say("note: the scenario lets groups interact; the check uses pairs, as in the table");
    }
    Ok((file.table().clone(), file.inputs().map(<[u16]>::to_vec), file.initiator()))
}

fn named(table: &Table, names: &[String]) -> Result<Vec<u16>, Failure> {
    let mut states = Vec::new();
    for name in names {
        let state = state(table, name)?;
        if states.contains(&state) {
            return Err(Failure::usage(format_args!("the state `{}` is named twice", name.escape_debug())));
        }
        states.push(state);
    }
    Ok(states)
}

pub(super) fn state(table: &Table, name: &str) -> Result<u16, Failure> {
    table.state(name).ok_or_else(|| {
        Failure::usage(format_args!("the protocol has no state `{}`", name.escape_debug()))
            .accepting(listed(table.state_names().iter().map(String::as_str)))
    })
}

fn answers(wanted: &ClaimArguments, table: &Table, predicate: &Predicate) -> Result<Answers, Failure> {
    let outputs = || listed(table.output_names().iter().map(String::as_str));
    if wanted.answers.is_empty() {
        return Answers::by_name(table).or_else(|| Answers::by_majority(table, predicate)).ok_or_else(|| {
            Failure::usage("which outputs mean that the predicate holds?")
                .accepting(format_args!("--answers yes=…,no=…, of the outputs {}", outputs()))
        });
    }
    let meaning = |word: &str| -> Vec<&str> {
        let of_word = wanted.answers.iter().filter(|(key, _)| key == word);
        of_word.map(|(_, output)| output.trim()).collect()
    };
    if let Some((key, _)) = wanted.answers.iter().find(|(key, _)| key != "yes" && key != "no") {
        return Err(
            Failure::usage(format_args!("--answers {}=…", key.escape_debug())).accepting("yes=… and no=…")
        );
    }
    Answers::new(table, &meaning("yes"), &meaning("no")).map_err(Failure::usage)
}

fn claim(wanted: &ClaimArguments, table: &Table) -> Result<Option<Claim>, Failure> {
    let claim = match (&wanted.predicate, &wanted.eventually) {
        (Some(text), _) => {
            let predicate = parsed("--predicate", text)?;
            Claim::computes(table, &predicate, &answers(wanted, table, &predicate)?)
                .map_err(|error| refused("--predicate", text, &error))?
        }
        (None, Some(text)) => {
            let predicate = parsed("--eventually", text)?;
            Claim::eventually(table, &predicate).map_err(|error| refused("--eventually", text, &error))?
        }
        (None, None) => return Ok(None),
    };
    match &wanted.given {
        None => Ok(Some(claim)),
        Some(text) => {
            let given = parsed("--given", text)?;
            claim.given(table, &given).map(Some).map_err(|error| refused("--given", text, &error))
        }
    }
}

fn parsed(flag: &str, text: &str) -> Result<Predicate, Failure> {
    Predicate::parse_strict(text).map_err(|error| refused(flag, text, &error))
}

fn refused(flag: &str, text: &str, error: &PredicateError) -> Failure {
    DocumentError::of_predicate(flag, text, error).into()
}

/// The lines that describe the check, above its results.
pub(super) fn heading(subject: &CheckTarget) -> String {
    let CheckTarget { table, inputs, claim, meaning, inputs_by, .. } = subject;
    let mut text = facts(table, inputs);
    let names = listed(inputs.iter().map(|&state| table.state_name(state)));
    let _ = writeln!(text, "inputs: {names} ({inputs_by})");
    if let Some(claim) = claim {
        let kind = if claim.is_eventual() { "in the end" } else { "computes" };
        let _ = writeln!(text, "claim: {kind} {}", claim.text());
    }
    text + meaning
}

/// The error for a condition that no input satisfies: a claim about no input would hold trivially.
pub(super) fn no_input_meets(given: &str, inputs: &str) -> Failure {
    Failure::usage(format_args!("--given {given:?}: no input meets it ({inputs})"))
        .accepting("a condition that some input meets; --inputs says in which states agents start, --up-to how many there are")
}
