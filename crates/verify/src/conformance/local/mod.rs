//! The format of local mutual exclusion: see [the formats](super).

mod compare;
mod driver;
mod one_of;
mod ranges;
mod record;
mod reference;
mod scenario;
mod show;
mod text;
mod variant;
mod words;

pub use record::{Start, record};
pub use variant::Variant;

use acrasin_engine::Rung;

use super::object::Object;
use super::report::{ID_SHOWN, Report};
use crate::file::{FileError, Lines};
use compare::{Replayed, replay};
use text::Scenario;

/// Replays the scenario in the line read last.
pub(super) fn scenario(lines: &Lines<'_>, report: &mut Report) -> Result<(), FileError> {
    let Object(text) = lines.parse::<Object<Scenario>>()?;
    let id: String = text.id.chars().take(ID_SHOWN).collect();
    let checked = scenario::check(text)
        .map_err(|what| lines.error(format!("scenario {}: {what}", id.escape_debug())))?;
    let scenario::Scenario { id, variant, algorithm, topology, steps, end } = checked;
    let (line, keeps_promises) = (lines.number(), variant.keeps_promises());
    let replayed = Replayed { id: &id, line, keeps_promises, steps: &steps, end: &end };
    match report.rung() {
        Rung::F3 => match words::Words::new(algorithm, &topology) {
            Ok(words) => replay(words, &replayed, report),
            Err(reason) => report.skip(&id, line, reason),
        },
        _ => replay(reference::world(algorithm, topology), &replayed, report),
    }
    Ok(())
}
