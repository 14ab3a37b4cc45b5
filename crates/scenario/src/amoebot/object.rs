//! The object of a coating, written as a form or as cells, and starts of amoebots next to it.

use acrasin_amoebot::Cell;
use acrasin_amoebot::library::catalogue::AlgorithmCatalogue;
use acrasin_amoebot::library::entry::ChosenAlgorithm;
use acrasin_amoebot::start::{self, ObjectForm, Stand};
use acrasin_runtime::choice::Choices;

use super::scenario::{AmoebotStart, ObjectSetting};
use super::{AmoebotDocument, placement};
use crate::DocumentError;
use crate::document::quantity::Count;

/// The form of the object; `None` if its cells are listed.
fn form(written: &ObjectSetting) -> Option<ObjectForm> {
    // Above 2^32 there are too many cells in any case.
    let size = |count: &Count| u32::try_from(**count).unwrap_or(u32::MAX);
    Some(match written {
        ObjectSetting::Wall { length } => ObjectForm::Wall { length: size(length) },
        ObjectSetting::Hexagon { side } => ObjectForm::Hexagon { side: size(side) },
        ObjectSetting::Triangle { side } => ObjectForm::Triangle { side: size(side) },
        ObjectSetting::Parallelogram { width, height } => {
            ObjectForm::Parallelogram { width: size(width), height: size(height) }
        }
        ObjectSetting::Corner { width, height } => {
            ObjectForm::Corner { width: size(width), height: size(height) }
        }
        ObjectSetting::Staircase { steps, tread, rise } => {
            ObjectForm::Staircase { steps: size(steps), tread: size(tread), rise: size(rise) }
        }
        ObjectSetting::Bay { side, sides } => ObjectForm::Bay { side: size(side), sides: size(sides) },
        ObjectSetting::Boulder { cells } => ObjectForm::Boulder { cells: size(cells) },
        ObjectSetting::Cells(_) => return None,
    })
}

/// The number of written cells; a cell that is written twice counts twice.
pub(super) fn count(written: &ObjectSetting) -> usize {
    match (written, form(written)) {
        (ObjectSetting::Cells(cells), _) => cells.len(),
        (_, Some(form)) => form.checked_count().unwrap_or(usize::MAX),
        (_, None) => unreachable!("only cells have no form"),
    }
}

/// Whether the cells of the object depend on the seed.
pub(super) fn is_drawn(written: &ObjectSetting) -> bool {
    form(written).is_some_and(ObjectForm::is_random)
}

/// The cells of the object.
///
/// # Errors
///
/// The form cannot have this number of cells.
pub(super) fn cells(written: &ObjectSetting, mut choices: &mut dyn Choices) -> Result<Vec<Cell>, String> {
    match (written, form(written)) {
        (_, Some(form)) => start::object(form, &mut choices).map_err(|error| error.to_string()),
        (ObjectSetting::Cells(cells), None) => placement::at(cells),
        (_, None) => unreachable!("only cells have no form"),
    }
}

fn stand(written: &AmoebotStart) -> Option<Stand> {
    match written {
        AmoebotStart::Column { .. } => Some(Stand::Column),
        AmoebotStart::Heap { acceptance, .. } => {
            Some(Stand::Heap { acceptance: placement::acceptance(*acceptance) })
        }
        AmoebotStart::Layer { .. } => Some(Stand::Layer),
        _ => None,
    }
}

/// The cells of amoebots that start next to an object; `None` for other starts.
pub(super) fn beside(
    object: &[Cell],
    written: &AmoebotStart,
    mut choices: &mut dyn Choices,
) -> Option<Result<Vec<Cell>, String>> {
    let cells = start::beside(object, stand(written)?, placement::count(written), &mut choices);
    Some(cells.map_err(|error| error.to_string()))
}

/// Whether an algorithm accepts an object. On circuits and in joint movements it may be anywhere.
pub(super) fn uses_object(algorithm: &ChosenAlgorithm) -> bool {
    algorithm.needs().object || algorithm.synchronous().is_some()
}

/// Checks that object, start and algorithm fit together.
pub(super) fn check(
    document: &AmoebotDocument,
    algorithm: &ChosenAlgorithm,
    catalogue: &AlgorithmCatalogue,
) -> Result<(), DocumentError> {
    let written = &document.scenario().amoebots;
    let coats = catalogue.names_of(|entry| entry.needs.object);
    let Some(object) = &written.object else {
        return match stand(&written.start) {
            None => Ok(()),
            Some(_) => {
                Err(document.error("amoebots.start", "this start needs an object").accepting(format!(
                    "object: Wall(length: 40), or another one, for {}; or another start",
                    coats.replace(", ", " and ")
                )))
            }
        };
    };
    if !uses_object(algorithm) {
        return Err(document
            .error("amoebots.object", format!("{} does not use an object", algorithm.title()))
            .accepting(format!("no object; or {coats} as the algorithm")));
    }
    match &written.start {
        AmoebotStart::Column { .. }
        | AmoebotStart::Heap { .. }
        | AmoebotStart::Layer { .. }
        | AmoebotStart::Cells(_)
        | AmoebotStart::Amoebots(_) => {}
        AmoebotStart::Line { .. }
        | AmoebotStart::Hexagon { .. }
        | AmoebotStart::Blob { .. }
        | AmoebotStart::RandomTree { .. }
        | AmoebotStart::HoleFree { .. }
        | AmoebotStart::Ring { .. }
            if algorithm.synchronous().is_some() => {}
        AmoebotStart::Drawing { .. } => {
            return Err(document
                .error("amoebots.object", "the drawing already has an object, '#'")
                .accepting("only one of the two"));
        }
        _ => {
            return Err(document
                .error("amoebots.start", "this start does not place amoebots next to the object")
                .accepting("Column, Heap, Layer, Cells, Amoebots"));
        }
    }
    let checked = match (object, form(object)) {
        (_, Some(form)) => form.checked_count().map(|_| ()).map_err(|error| error.to_string()),
        (ObjectSetting::Cells(cells), None) if cells.is_empty() => Err("an object of 0 cells".to_owned()),
        (_, None) => Ok(()),
    };
    checked.map_err(|message| document.error("amoebots.object", message))
}
