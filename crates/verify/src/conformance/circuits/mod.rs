//! The formats of circuits and joint movements: see [the formats](super).

mod algorithm;
mod communication;
mod movement;
mod run;
mod text;

use acrasin_engine::Rung;
use serde::Deserialize;

use super::not_run::NotRun;
use super::object::JsonObject;
use super::report::{ConformanceReport, ID_SHOWN};
use crate::file::{FileError, Lines};

/// The fields that cases of all kinds have.
#[derive(Deserialize)]
struct CaseKind {
    id: String,
    kind: CaseKindName,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CaseKindName {
    Circuit,
    Movement,
    Run,
}

/// Replays the case in the line read last.
pub(super) fn scenario(lines: &Lines<'_>, report: &mut ConformanceReport) -> Result<(), FileError> {
    let JsonObject(case) = lines.parse::<JsonObject<CaseKind>>()?;
    let id: String = case.id.chars().take(ID_SHOWN).collect();
    let refused = |what: String| lines.error(format!("scenario {}: {what}", id.escape_debug()));
    let is_run = report.rung() == Rung::F4;
    let number = lines.number();
    let report_of = |report: &mut ConformanceReport| {
        if !is_run {
            report.skip(&case.id, number, NotRun::OtherAlgorithm);
        }
        is_run
    };
    match case.kind {
        CaseKindName::Circuit => {
            let JsonObject(case) = lines.parse::<JsonObject<text::CommunicationCase>>()?;
            let delivered = communication::deliver(&case).map_err(refused)?;
            if report_of(report) {
                communication::compare(&case, &delivered, number, report);
            }
        }
        CaseKindName::Movement => {
            let JsonObject(case) = lines.parse::<JsonObject<text::MovementCase>>()?;
            let moved = movement::moved(&case).map_err(refused)?;
            if report_of(report) {
                movement::compare(&case, &moved, number, report);
            }
        }
        CaseKindName::Run => {
            let JsonObject(case) = lines.parse::<JsonObject<text::CircuitRunCase>>()?;
            let run = algorithm::executed(&case).map_err(refused)?;
            if report_of(report) {
                run::compare(&case, &run, number, report);
            }
        }
    }
    Ok(())
}
