//! The format of local critical sections: see [the formats](super).

mod replay;
mod start;
mod text;

use acrasin_engine::Rung;

use super::not_run::NotRun;
use super::object::JsonObject;
use super::report::{ConformanceReport, ID_SHOWN};
use crate::file::{FileError, Lines};
use text::CriticalSectionScenario;

/// Replays the scenario in the line read last.
pub(super) fn scenario(lines: &Lines<'_>, report: &mut ConformanceReport) -> Result<(), FileError> {
    let JsonObject(text) = lines.parse::<JsonObject<CriticalSectionScenario>>()?;
    let id: String = text.id.chars().take(ID_SHOWN).collect();
    let refused = |what: String| lines.error(format!("scenario {}: {what}", id.escape_debug()));
    let world = start::start(&text).map_err(refused)?;
    if report.rung() == Rung::F4 {
        replay::replay(world, &text, lines.number(), report);
    } else {
        report.skip(&text.id, lines.number(), NotRun::OtherAlgorithm);
    }
    Ok(())
}
