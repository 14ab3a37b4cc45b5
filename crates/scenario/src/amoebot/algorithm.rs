//! The algorithm of a scenario: a name of the catalogue with its parameters, or a file.

use std::path::Path;

use acrasin_amoebot::library::catalogue::AlgorithmCatalogue;
use acrasin_amoebot::library::entry::ChosenAlgorithm;
use acrasin_amoebot::library::table::algorithm::TableAlgorithm;
use acrasin_amoebot::library::table::written::WrittenAlgorithm;
use acrasin_circuits::catalogue::of_table;
use acrasin_circuits::table::{CircuitTable, WrittenCircuitAlgorithm};
use serde::{Deserialize, Serialize};

use super::AmoebotDocument;
use crate::document::ScenarioFields;
use crate::document::file::{bytes_of, text_of, tree_of};
use crate::text::source::EffectiveText;
use crate::text::tree::{GroupBody, SpannedNode, SpannedValue};
use crate::{Document, DocumentError};

pub(crate) const PATH: &str = "amoebots.algorithm";
const FILE: &str = "File";

/// An algorithm that is not a catalogue entry.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
enum AlgorithmFile {
    /// A table of actions, or of rounds on circuits, in its own file.
    File {
        /// The path of the file, relative to the folder of the scenario.
        path: String,
    },
}

/// The algorithm that the scenario names, and all its parameters with defaults. Paths are relative to `base`.
pub(crate) fn chosen(
    document: &AmoebotDocument,
    catalogue: &AlgorithmCatalogue,
    base: &Path,
) -> Result<(ChosenAlgorithm, ScenarioFields), DocumentError> {
    let choice = document.choice(PATH);
    if choice.is_one_of(&[FILE]) {
        let written: AlgorithmFile = choice.read().map_err(|failure| document.refused(failure))?;
        let AlgorithmFile::File { path } = &written;
        let file = base.join(path);
        let made = of_text(&bytes_of(&file, "table of actions")?, &file.display().to_string())?;
        return Ok((made, ScenarioFields::of(&written)));
    }
    let chosen = choice.find(catalogue.entries(), &[FILE]).and_then(|entry| choice.chosen(entry, &[]));
    let chosen = chosen.map_err(|failure| document.refused(failure))?;
    let made = chosen.entry.make(&chosen.values).map_err(|error| document.misfit(PATH, &error))?;
    Ok((made, chosen.fields()))
}

/// The path of the algorithm's file as written, if it is read from a file.
#[must_use]
pub fn path_of(document: &AmoebotDocument) -> Option<String> {
    let choice = document.choice(PATH);
    let written = choice.is_one_of(&[FILE]).then(|| choice.read().ok()).flatten()?;
    let AlgorithmFile::File { path } = written;
    Some(path)
}

/// Reads an algorithm from a file with a table of actions, as `algorithm: File(path: …)` does in a scenario.
///
/// # Errors
///
/// The file cannot be read, or its text or algorithm is not valid; the error has the position in that file.
pub fn from_file(path: &Path) -> Result<TableAlgorithm, DocumentError> {
    from_text(&bytes_of(path, "table of actions")?, &path.display().to_string())
}

/// Parses an algorithm from a table of actions; `name` is the file name in errors.
///
/// # Errors
///
/// The text or the algorithm is not valid; the error has the position of the mistake.
pub fn from_text(text: &[u8], name: &str) -> Result<TableAlgorithm, DocumentError> {
    let (source, root) = tree_of(text_of(text, name)?, name, &[])?;
    of_actions(source, root)
}

/// Parses an algorithm on circuits from a table of rounds; `name` is the file name in errors.
///
/// # Errors
///
/// The text or the algorithm is not valid; the error has the position of the mistake.
pub fn circuits_from_text(text: &[u8], name: &str) -> Result<CircuitTable, DocumentError> {
    let (source, root) = tree_of(text_of(text, name)?, name, &[])?;
    of_rounds(source, root)
}

/// Parses an algorithm of either kind: a table with the field `rounds` is one on circuits.
fn of_text(text: &[u8], name: &str) -> Result<ChosenAlgorithm, DocumentError> {
    let (source, root) = tree_of(text_of(text, name)?, name, &[])?;
    let has_rounds = match &root.value {
        SpannedValue::Group { body: GroupBody::Fields(fields), .. } => {
            fields.iter().any(|field| field.name.text == "rounds")
        }
        _ => false,
    };
    if has_rounds { of_rounds(source, root).map(of_table) } else { Ok(of_actions(source, root)?.chosen()) }
}

fn of_rounds(source: EffectiveText, root: SpannedNode) -> Result<CircuitTable, DocumentError> {
    let document: Document<WrittenCircuitAlgorithm> = Document::of_tree(source, root)?;
    CircuitTable::new(document.scenario())
        .map_err(|error| document.error(error.path(), error.message()).accepting(error.accepted()))
}

fn of_actions(source: EffectiveText, root: SpannedNode) -> Result<TableAlgorithm, DocumentError> {
    let document: Document<WrittenAlgorithm> = Document::of_tree(source, root)?;
    TableAlgorithm::new(document.scenario())
        .map_err(|error| document.error(error.path(), error.message()).accepting(error.accepted()))
}
