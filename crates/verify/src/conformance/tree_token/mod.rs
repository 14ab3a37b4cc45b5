//! The format of a token that travels along a tree: see [the formats](super).

mod replay;
mod text;

use acrasin_engine::Rung;

use super::not_run::NotRun;
use super::object::JsonObject;
use super::report::{ConformanceReport, ID_SHOWN};
use crate::file::{FileError, Lines};
use text::TreeTokenScenario;

/// Replays the scenario in the line read last.
pub(super) fn scenario(lines: &Lines<'_>, report: &mut ConformanceReport) -> Result<(), FileError> {
    let JsonObject(text) = lines.parse::<JsonObject<TreeTokenScenario>>()?;
    let id: String = text.id.chars().take(ID_SHOWN).collect();
    let refused = |what: String| lines.error(format!("scenario {}: {what}", id.escape_debug()));
    let start = replay::start(&text).map_err(refused)?;
    if report.rung() != Rung::F4 {
        report.skip(&text.id, lines.number(), NotRun::OtherAlgorithm);
    } else {
        replay::replay(start, &text, lines.number(), report);
    }
    Ok(())
}
