//! The cases of circuits and joint movements, as the file writes them.

use std::collections::BTreeMap;

use acrasin_amoebot::{Body, Cell, Chirality, Direction, End, Orientation};
use acrasin_circuits::circuit::SetName;
use acrasin_circuits::joint::{Anchor, BondSides};
use acrasin_circuits::{BondOwner, CircuitStructure, JointAction, Pin};
use serde::Deserialize;
use serde_json::Value;

/// A cell, written `[x, y]`.
pub(super) type CellText = (i32, i32);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) enum BodyEndText {
    #[serde(rename = "h")]
    Head,
    #[serde(rename = "t")]
    Tail,
}

/// A pin, written `[end, label, index]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct PinText(BodyEndText, u8, u8);

/// A partition set, given by its number, or a single pin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "a set is its number, or a single pin [\"h\" or \"t\", label, index]")]
pub(super) enum SetText {
    Number(usize),
    Pin(PinText),
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetsText {
    pub(super) sets: Vec<usize>,
    pub(super) pins: Vec<PinText>,
}

/// A case of the communication half of one round.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommunicationCase {
    pub(super) id: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(super) pins: usize,
    pub(super) amoebots: Vec<CommunicationAmoebot>,
    #[serde(default)]
    pub(super) objects: Vec<Vec<CellText>>,
    pub(super) expect: CommunicationExpected,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommunicationAmoebot {
    pub(super) head: CellText,
    pub(super) tail: CellText,
    pub(super) first: u8,
    pub(super) mirrored: bool,
    pub(super) sets: Vec<Vec<PinText>>,
    pub(super) beeps: SetsText,
    pub(super) messages: Vec<(SetText, i64)>,
    pub(super) lost: SetsText,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommunicationExpected {
    pub(super) circuits: u64,
    pub(super) heard: Vec<SetsText>,
    pub(super) messages: Vec<Vec<(SetText, i64)>>,
}

/// A case of the movement half of one round.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovementCase {
    pub(super) id: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(super) anchor: OwnerText,
    pub(super) amoebots: Vec<MovementAmoebot>,
    #[serde(default)]
    pub(super) objects: Vec<MovementObject>,
    pub(super) expect: MovementExpected,
}

/// An amoebot or object, written `["a", number]` or `["o", number]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct OwnerText(OwnerKind, u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
enum OwnerKind {
    #[serde(rename = "a")]
    Amoebot,
    #[serde(rename = "o")]
    Object,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovementAmoebot {
    pub(super) head: CellText,
    pub(super) tail: CellText,
    pub(super) action: Option<ActionText>,
    pub(super) released: Vec<(BodyEndText, u8)>,
    pub(super) marked: Vec<(BodyEndText, u8)>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum ActionText {
    Expand { direction: u8 },
    Contract { stay: BodyEndText },
    Push { direction: u8 },
    Pull { stay: BodyEndText, direction: u8 },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovementObject {
    pub(super) cells: Vec<CellText>,
    pub(super) released: bool,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "result", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum MovementExpected {
    Moved {
        amoebots: Vec<[CellText; 2]>,
        objects: Vec<CellText>,
    },
    Conflict {
        class: String,
        #[serde(default)]
        offenders: Option<Vec<u32>>,
        #[serde(default)]
        parts: Option<Vec<Vec<OwnerText>>>,
        #[serde(default)]
        time: Option<String>,
        #[serde(default)]
        pairs: Option<Vec<[Vec<OwnerText>; 2]>>,
    },
}

/// A case of kind `run`: the run of an algorithm.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CircuitRunCase {
    pub(super) id: String,
    #[serde(rename = "kind")]
    _kind: String,
    pub(super) algorithm: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(super) pins: usize,
    pub(super) amoebots: Vec<RunAmoebot>,
    pub(super) parameters: BTreeMap<String, Value>,
    pub(super) coins: Vec<u8>,
    pub(super) rounds: Vec<BeepRoundText>,
    pub(super) result: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunAmoebot {
    pub(super) cell: CellText,
    pub(super) first: u8,
    pub(super) mirrored: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BeepRoundText {
    pub(super) round: String,
    pub(super) circuits: u64,
    pub(super) sent: u64,
    pub(super) heard: u64,
    #[serde(default)]
    pub(super) state: Option<String>,
}

impl BodyEndText {
    pub(super) fn end(self) -> End {
        match self {
            Self::Head => End::Head,
            Self::Tail => End::Tail,
        }
    }
}

impl PinText {
    pub(super) fn pin(self) -> Pin {
        Pin { end: self.0.end(), label: self.1, index: self.2 }
    }
}

impl SetText {
    pub(super) fn name(self) -> SetName {
        match self {
            Self::Number(number) => SetName::Set(number),
            Self::Pin(pin) => SetName::Pin(pin.pin()),
        }
    }
}

impl SetsText {
    pub(super) fn names(&self) -> Vec<SetName> {
        let sets = self.sets.iter().map(|number| SetName::Set(*number));
        sets.chain(self.pins.iter().map(|pin| SetName::Pin(pin.pin()))).collect()
    }
}

impl OwnerText {
    pub(super) fn anchor(self) -> Anchor {
        match self.0 {
            OwnerKind::Amoebot => Anchor::Amoebot(self.1),
            OwnerKind::Object => Anchor::Object(self.1),
        }
    }

    pub(super) fn owner(self) -> BondOwner {
        match self.0 {
            OwnerKind::Amoebot => BondOwner::Amoebot(self.1),
            OwnerKind::Object => BondOwner::Object(self.1),
        }
    }
}

impl ActionText {
    pub(super) fn action(self) -> Result<JointAction, String> {
        Ok(match self {
            Self::Expand { direction: to } => JointAction::Expand(direction(to)?),
            Self::Contract { stay } => JointAction::Contract { stay: stay.end() },
            Self::Push { direction: to } => JointAction::Push(direction(to)?),
            Self::Pull { stay, direction: to } => {
                JointAction::Pull { stay: stay.end(), direction: direction(to)? }
            }
        })
    }
}

pub(super) fn direction(index: u8) -> Result<Direction, String> {
    if index < 6 {
        return Ok(Direction::from_index(index));
    }
    Err(format!("direction {index} (accepted: 0 to 5)"))
}

pub(super) fn cell((x, y): CellText) -> Result<Cell, String> {
    Cell::new(x, y).map_err(|error| error.to_string())
}

pub(super) fn body(head: CellText, tail: CellText) -> Result<Body, String> {
    let (head, tail) = (cell(head)?, cell(tail)?);
    if head == tail {
        return Ok(Body::contracted(head));
    }
    let apart = || format!("head {head} and tail {tail} (accepted: one cell, or two adjacent ones)");
    Body::expanded(head, tail).ok_or_else(apart)
}

pub(super) fn orientation(first: u8, mirrored: bool) -> Result<Orientation, String> {
    let chirality = if mirrored { Chirality::Mirrored } else { Chirality::Standard };
    Ok(Orientation { first: direction(first)?, chirality })
}

pub(super) fn sides(edges: &[(BodyEndText, u8)]) -> Result<BondSides, String> {
    edges.iter().try_fold(BondSides::NONE, |sides, &(end, to)| Ok(sides.with(end.end(), direction(to)?)))
}

pub(super) fn structure(
    bodies: Vec<Body>,
    orientations: Vec<Orientation>,
    objects: impl Iterator<Item = Vec<CellText>>,
    pins: usize,
) -> Result<CircuitStructure, String> {
    let cells = |cells: Vec<CellText>| cells.into_iter().map(cell).collect::<Result<Vec<_>, _>>();
    let objects = objects.map(cells).collect::<Result<Vec<_>, _>>()?;
    CircuitStructure::new(bodies, orientations, objects, pins).map_err(|error| error.to_string())
}
