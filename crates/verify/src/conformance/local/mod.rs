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

pub use record::{LocalStart, record};
pub use variant::RuleSetVariant;

use acrasin_engine::Rung;

use super::object::JsonObject;
use super::report::{ConformanceReport, ID_SHOWN};
use crate::file::{FileError, Lines};
use compare::{LocalReplay, replay};
use text::LocalScenarioText;

/// Replays the scenario in the line read last.
pub(super) fn scenario(lines: &Lines<'_>, report: &mut ConformanceReport) -> Result<(), FileError> {
    let JsonObject(text) = lines.parse::<JsonObject<LocalScenarioText>>()?;
    let id: String = text.id.chars().take(ID_SHOWN).collect();
    let checked = scenario::check(text)
        .map_err(|what| lines.error(format!("scenario {}: {what}", id.escape_debug())))?;
    let scenario::LocalScenario { id, variant, algorithm, topology, steps, end } = checked;
    let (line, keeps_promises) = (lines.number(), variant.keeps_promises());
    let replayed = LocalReplay { id: &id, line, keeps_promises, steps: &steps, end: &end };
    match report.rung() {
        Rung::F3 => match words::PublishedRun::new(algorithm, &topology) {
            Ok(words) => replay(words, &replayed, report),
            Err(reason) => report.skip(&id, line, reason),
        },
        _ => replay(reference::world(algorithm, topology), &replayed, report),
    }
    Ok(())
}
