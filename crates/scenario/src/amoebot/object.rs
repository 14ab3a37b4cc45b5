//! The object of a coating, written as a form or as cells, and starts of amoebots next to it.

use acrasin_amoebot::Cell;
use acrasin_amoebot::library::catalogue::Catalogue;
use acrasin_amoebot::library::entry::Chosen;
use acrasin_amoebot::start::{self, ObjectForm, Stand};
use acrasin_runtime::choice::Choices;

use super::scenario::{Object, Start};
use super::{AmoebotDocument, placement};
use crate::DocumentError;
use crate::document::quantity::Count;

/// The form; `None` if the cells are written.
fn form(written: &Object) -> Option<ObjectForm> {
    // Above 2^32 there are too many cells in any case.
    let size = |count: &Count| u32::try_from(**count).unwrap_or(u32::MAX);
    Some(match written {
        Object::Wall { length } => ObjectForm::Wall { length: size(length) },
        Object::Hexagon { side } => ObjectForm::Hexagon { side: size(side) },
        Object::Triangle { side } => ObjectForm::Triangle { side: size(side) },
        Object::Parallelogram { width, height } => {
            ObjectForm::Parallelogram { width: size(width), height: size(height) }
        }
        Object::Corner { width, height } => ObjectForm::Corner { width: size(width), height: size(height) },
        Object::Staircase { steps, tread, rise } => {
            ObjectForm::Staircase { steps: size(steps), tread: size(tread), rise: size(rise) }
        }
        Object::Bay { side, sides } => ObjectForm::Bay { side: size(side), sides: size(sides) },
        Object::Boulder { cells } => ObjectForm::Boulder { cells: size(cells) },
        Object::Cells(_) => return None,
    })
}

/// The number of its cells as written; a cell that is written twice counts twice.
pub(super) fn count(written: &Object) -> usize {
    match (written, form(written)) {
        (Object::Cells(cells), _) => cells.len(),
        (_, Some(form)) => form.checked_count().unwrap_or(usize::MAX),
        (_, None) => unreachable!("only cells have no form"),
    }
}

/// Whether its cells depend on the seed.
pub(super) fn is_drawn(written: &Object) -> bool {
    form(written).is_some_and(ObjectForm::is_random)
}

/// Its cells.
///
/// # Errors
///
/// The form has no such cells.
pub(super) fn cells(written: &Object, mut choices: &mut dyn Choices) -> Result<Vec<Cell>, String> {
    match (written, form(written)) {
        (_, Some(form)) => start::object(form, &mut choices).map_err(|error| error.to_string()),
        (Object::Cells(cells), None) => placement::at(cells),
        (_, None) => unreachable!("only cells have no form"),
    }
}

fn stand(written: &Start) -> Option<Stand> {
    match written {
        Start::Column { .. } => Some(Stand::Column),
        Start::Heap { acceptance, .. } => {
            Some(Stand::Heap { acceptance: placement::acceptance(*acceptance) })
        }
        Start::Layer { .. } => Some(Stand::Layer),
        _ => None,
    }
}

/// The cells of amoebots next to an object; `None` for other starts.
pub(super) fn beside(
    object: &[Cell],
    written: &Start,
    mut choices: &mut dyn Choices,
) -> Option<Result<Vec<Cell>, String>> {
    let cells = start::beside(object, stand(written)?, placement::count(written), &mut choices);
    Some(cells.map_err(|error| error.to_string()))
}

/// Checks that object, start and algorithm fit together.
pub(super) fn check(
    document: &AmoebotDocument,
    algorithm: &Chosen,
    catalogue: &Catalogue,
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
    if !algorithm.needs().object {
        return Err(document
            .error("amoebots.object", format!("{} does not use an object", algorithm.title()))
            .accepting(format!("no object; or {coats} as the algorithm")));
    }
    match &written.start {
        Start::Column { .. }
        | Start::Heap { .. }
        | Start::Layer { .. }
        | Start::Cells(_)
        | Start::Amoebots(_) => {}
        Start::Drawing { .. } => {
            return Err(document
                .error("amoebots.object", "the object is in the drawing, '#'")
                .accepting("one of both"));
        }
        _ => {
            return Err(document
                .error("amoebots.start", "this start does not place amoebots next to the object")
                .accepting("Column, Heap, Layer, Cells, Amoebots"));
        }
    }
    let checked = match (object, form(object)) {
        (_, Some(form)) => form.checked_count().map(|_| ()).map_err(|error| error.to_string()),
        (Object::Cells(cells), None) if cells.is_empty() => Err("an object of 0 cells".to_owned()),
        (_, None) => Ok(()),
    };
    checked.map_err(|message| document.error("amoebots.object", message))
}
