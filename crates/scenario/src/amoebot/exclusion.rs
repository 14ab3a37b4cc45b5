//! Which mutual exclusion algorithms amoebots run over: those that let the graph change.

use std::path::Path;

use super::AmoebotDocument;
use crate::DocumentError;
use crate::document::Written;
use crate::exclusion::{AnyExclusion, Exclusions};

pub(super) const PATH: &str = "exclusion";

/// What is written, with all that could have been. Refuses an algorithm under which amoebots cannot be: their graph is who is
/// next to whom, and changes as they move.
pub(super) fn check(
    document: &AmoebotDocument,
    exclusions: &Exclusions,
    base: &Path,
) -> Result<Option<Written>, DocumentError> {
    if document.scenario().exclusion.is_none() {
        return Ok(None);
    }
    let choice = document.choice(PATH);
    let chosen = choice.find(exclusions.entries(), &[]).and_then(|entry| choice.chosen(entry, &[]));
    let chosen = chosen.map_err(|failure| document.refused(failure))?;
    let made = (chosen.entry.read)(&chosen.values, base).map_err(|error| document.misfit(PATH, &error))?;
    if made.algorithm() == AnyExclusion::Local {
        return Ok(Some(Written::named(chosen.entry.name, chosen.fields)));
    }
    let why = match made.assumes().check_changes() {
        Err(unmet) => format!("{unmet}, and the graph of amoebots changes as they move"),
        Ok(()) => "amoebots lock by local mutual exclusion".to_owned(),
    };
    Err(document.error(PATH, format!("{}: {why}", chosen.entry.name)).accepting("Local, or nothing here"))
}
