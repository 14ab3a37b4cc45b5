//! The algorithm of a scenario: a name of the catalogue, with its parameters.

use acrasin_amoebot::library::catalogue::Catalogue;
use acrasin_amoebot::library::entry::Chosen;

use super::AmoebotDocument;
use crate::DocumentError;
use crate::document::Written;

pub(crate) const PATH: &str = "amoebots.algorithm";

/// What is written, looked up and made; and the same with everything that could have been written.
pub(crate) fn chosen(
    document: &AmoebotDocument,
    catalogue: &Catalogue,
) -> Result<(Chosen, Written), DocumentError> {
    let choice = document.choice(PATH);
    let chosen = choice.find(catalogue.entries(), &[]).and_then(|entry| choice.chosen(entry, &[]));
    let chosen = chosen.map_err(|failure| document.refused(failure))?;
    let made = chosen.entry.make(&chosen.values).map_err(|error| document.misfit(PATH, &error))?;
    Ok((made, Written::named(chosen.entry.name, chosen.fields)))
}
