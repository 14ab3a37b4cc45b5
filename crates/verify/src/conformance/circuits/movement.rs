//! Cases of kind `movement`: the movement half of one round.

use acrasin_amoebot::{Body, Cell, Orientation};
use acrasin_circuits::joint::{Anchor, EdgeOwners, move_jointly};
use acrasin_circuits::{BondOwner, JointConflict, JointMove, JointPlan};

use super::super::comparison::ScenarioComparison;
use super::super::report::ConformanceReport;
use super::text::{CellText, MovementCase, MovementExpected, OwnerText, body, sides, structure};

/// The joint movement, or the conflict that prevents it. The outer error describes what is wrong with the case.
pub(super) fn moved(case: &MovementCase) -> Result<Result<JointMove, JointConflict>, String> {
    let bodies: Vec<Body> =
        case.amoebots.iter().map(|amoebot| body(amoebot.head, amoebot.tail)).collect::<Result<_, _>>()?;
    let orientations = vec![Orientation::COMMON; bodies.len()];
    let objects = case.objects.iter().map(|object| object.cells.clone());
    let structure = structure(bodies, orientations, objects, 0)?;
    let mut plans = Vec::with_capacity(case.amoebots.len());
    for amoebot in &case.amoebots {
        plans.push(JointPlan {
            action: amoebot.action.map(|action| action.action()).transpose()?,
            released: sides(&amoebot.released)?,
            marked: sides(&amoebot.marked)?,
        });
    }
    let released: Vec<bool> = case.objects.iter().map(|object| object.released).collect();
    let anchor = case.anchor.anchor();
    let (number, count, noun) = match anchor {
        Anchor::Amoebot(number) => (number, case.amoebots.len(), "amoebots"),
        Anchor::Object(number) => (number, case.objects.len(), "objects"),
    };
    if number as usize >= count {
        return Err(format!(
            "anchor {number} of {count} {noun} (accepted: numbers from 0, below that number)"
        ));
    }
    Ok(move_jointly(&structure, &plans, &released, anchor))
}

/// Compares the movement, or the conflict, with that in the file.
pub(super) fn compare(
    case: &MovementCase,
    moved: &Result<JointMove, JointConflict>,
    line: u64,
    report: &mut ConformanceReport,
) {
    let mut comparison = ScenarioComparison::new(&case.id, line, report);
    comparison.step(1);
    match (&case.expect, moved) {
        (MovementExpected::Moved { amoebots, objects }, Ok(moved)) => {
            let at = |cell: Cell| -> CellText { (cell.x(), cell.y()) };
            let bodies: Vec<[CellText; 2]> =
                moved.bodies.iter().map(|body| [at(body.head()), at(body.tail())]).collect();
            comparison.compare("amoebots", amoebots, &bodies, |bodies| format!("{bodies:?}"));
            comparison.compare("objects", objects, &moved.objects, |objects| format!("{objects:?}"));
        }
        (MovementExpected::Moved { .. }, Err(conflict)) => {
            comparison.differs("result", "moved", &conflict.to_string());
        }
        (MovementExpected::Conflict { class, .. }, Ok(_)) => comparison.differs("result", class, "moved"),
        (MovementExpected::Conflict { class, offenders, parts, time, pairs }, Err(conflict)) => {
            comparison.compare("class", class.as_str(), conflict.class(), str::to_owned);
            let actual = ConflictFields::of(conflict);
            let mut own = ConflictFields {
                offenders: offenders.clone(),
                parts: parts.as_ref().map(|parts| parts.iter().map(|part| owners(part)).collect()),
                time: time.clone(),
                pairs: pairs
                    .as_ref()
                    .map(|pairs| pairs.iter().map(|[a, b]| (owners(a), owners(b))).collect()),
            };
            // A list of pairs is a set of unordered pairs.
            if let Some(pairs) = &mut own.pairs {
                pairs.iter_mut().for_each(|pair| {
                    if pair.0 > pair.1 {
                        std::mem::swap(&mut pair.0, &mut pair.1);
                    }
                });
                pairs.sort();
            }
            if let Some(offenders) = &mut own.offenders {
                offenders.sort_unstable();
            }
            if let Some(parts) = &mut own.parts {
                parts.sort();
            }
            comparison.compare("offenders", &own.offenders, &actual.offenders, |value| format!("{value:?}"));
            comparison.compare("parts", &own.parts, &actual.parts, |value| format!("{value:?}"));
            comparison.compare("time", &own.time, &actual.time, |value| format!("{value:?}"));
            comparison.compare("pairs", &own.pairs, &actual.pairs, |value| format!("{value:?}"));
        }
    }
}

fn owners(listed: &[OwnerText]) -> Vec<BondOwner> {
    let mut owners: Vec<BondOwner> = listed.iter().map(|owner| owner.owner()).collect();
    owners.sort_unstable();
    owners
}

/// The fields of a conflict, as the file lists them.
#[derive(Default)]
struct ConflictFields {
    offenders: Option<Vec<u32>>,
    parts: Option<Vec<Vec<BondOwner>>>,
    time: Option<String>,
    pairs: Option<Vec<(Vec<BondOwner>, Vec<BondOwner>)>>,
}

impl ConflictFields {
    fn of(conflict: &JointConflict) -> Self {
        match conflict {
            JointConflict::Invalid { offenders }
            | JointConflict::Handover { offenders }
            | JointConflict::Structural { offenders } => {
                Self { offenders: Some(offenders.clone()), ..Self::default() }
            }
            JointConflict::Connectivity { parts } => Self { parts: Some(parts.clone()), ..Self::default() },
            JointConflict::Collision { time, pairs } => {
                let list = |edge: EdgeOwners| edge.iter().collect::<Vec<_>>();
                let pairs = pairs.iter().map(|&(a, b)| (list(a), list(b))).collect();
                Self { time: Some(time.to_string()), pairs: Some(pairs), ..Self::default() }
            }
            JointConflict::OutsideLattice { .. } => Self::default(),
        }
    }
}
