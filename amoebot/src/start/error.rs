//! Errors of start configurations.

use acrasin_catalogue::counted;
use std::fmt;

use super::form::{BLOB_ATTEMPTS, CELLS_MAX, ObjectForm, RingSize};
use crate::model::id::AmoebotId;
use crate::model::lattice::{Cell, Direction};
use crate::model::system::SystemError;

/// Errors of a start shape, or of the conditions of an algorithm on its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StartError {
    /// No cells, or more than [`CELLS_MAX`].
    WrongCount {
        /// The number asked for.
        cells: usize,
    },
    /// A ring without a hole, or with width 0.
    NoRing {
        /// The size asked for.
        ring: RingSize,
    },
    /// An object with a length of 0, or a bay with other than 1 to 5 sides.
    NoForm {
        /// The form asked for.
        form: ObjectForm,
    },
    /// More amoebots than cells next to the object.
    NoRoom {
        /// The number asked for.
        cells: usize,
        /// The number of cells there are.
        room: usize,
    },
    /// Every cell around the blob was refused, [`BLOB_ATTEMPTS`] times.
    DiedOut {
        /// The number of cells asked for.
        cells: usize,
        /// The cells of the largest attempt.
        reached: usize,
    },
    /// The shape, or the path along it, leaves the lattice.
    OutsideLattice {
        /// A cell at the limit.
        at: Cell,
    },
    /// An expanded amoebot whose head and tail are not adjacent.
    Torn {
        /// The amoebot.
        id: AmoebotId,
        /// The head of the amoebot.
        head: Cell,
        /// The tail of the amoebot.
        tail: Cell,
    },
    /// No amoebot, too many, two on one cell, or one on the object.
    System(SystemError),
    /// A role is given to a position that has no cell.
    NoCell {
        /// The role: seed, root or source.
        role: &'static str,
        /// The position asked for, from 0.
        position: usize,
        /// The number of cells.
        cells: usize,
    },
    /// The cells are not connected.
    Disconnected {
        /// The cell of the seed, or the first cell.
        from: Cell,
        /// A cell that cannot be reached from there.
        cell: Cell,
    },
    /// In a connected component no amoebot has a required role.
    OutOfReach {
        /// The role: root or source.
        role: &'static str,
        /// A cell from which no path of neighbours leads to an amoebot with the role.
        cell: Cell,
    },
    /// The cells enclose empty ones.
    Hole {
        /// An empty cell inside the hole.
        cell: Cell,
    },
    /// Two amoebots count their ports in different senses of rotation.
    MixedChirality {
        /// The first amoebot.
        first: AmoebotId,
        /// One of the other chirality.
        other: AmoebotId,
    },
    /// The object has no cells.
    NoObject,
    /// The object is not connected.
    DisconnectedObject {
        /// A cell of it that cannot be reached from its smallest one.
        cell: Cell,
    },
    /// No amoebot is next to the object.
    NoneBeside {
        /// The number of cells of the object.
        object: usize,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { cells } => {
                write!(f, "a shape of {} (accepted: 1 to {CELLS_MAX})", counted(*cells, "cell"))
            }
            Self::NoRing { ring } => write!(
                f,
                "a ring of width {} round a hole of side {} (accepted: 1 or more for both)",
                ring.width, ring.hole_side
            ),
            Self::NoForm { form: ObjectForm::Bay { side, sides } } => {
                write!(f, "a bay of {sides} sides of {side} cells (accepted: 1 to 5 sides, of 1 or more)")
            }
            Self::NoForm { form } => write!(f, "an object {form:?} (accepted: 1 or more for every length)"),
            Self::NoRoom { cells, room } => write!(
                f,
                "a layer of {cells} amoebots beside an object with room for {room} (accepted: 1 to {room})"
            ),
            Self::DiedOut { cells, reached } => write!(
                f,
                "the blob of {cells} cells died out {BLOB_ATTEMPTS} times, at {reached} cells or fewer: \
                 cells must be accepted with a higher probability"
            ),
            Self::OutsideLattice { at } => write!(f, "it leaves the lattice at {at}"),
            Self::Torn { id, head, tail } => {
                write!(
                    f,
                    "amoebot {id} has its head at {head} and its tail at {tail} (accepted: adjacent cells)"
                )
            }
            Self::System(error) => error.fmt(f),
            Self::NoCell { role, position, cells } => {
                write!(
                    f,
                    "{role} {position} of {} (accepted: below {cells}, counted from 0)",
                    counted(*cells, "cell")
                )
            }
            Self::Disconnected { from, cell } => {
                write!(f, "cell {cell} cannot be reached from {from}: the cells must be connected")
            }
            Self::OutOfReach { role, cell } => {
                write!(f, "cell {cell} cannot be reached from a {role}: every connected part needs one")
            }
            Self::Hole { cell } => {
                write!(f, "cell {cell} is empty and enclosed: the cells must have no hole")
            }
            Self::MixedChirality { first, other } => write!(
                f,
                "amoebots {first} and {other} count ports in different ways round: chirality must be common"
            ),
            Self::NoObject => write!(f, "an object of 0 cells (accepted: one or more)"),
            Self::DisconnectedObject { cell } => write!(
                f,
                "cell {cell} of the object cannot be reached from its first one: it must be connected"
            ),
            Self::NoneBeside { object } => {
                write!(
                    f,
                    "no amoebot is beside the object of {object} cells (accepted: one or more beside it)"
                )
            }
        }
    }
}

impl std::error::Error for StartError {}

impl From<SystemError> for StartError {
    fn from(error: SystemError) -> Self {
        Self::System(error)
    }
}

pub(super) fn checked(cells: usize) -> Result<usize, StartError> {
    if (1..=CELLS_MAX).contains(&cells) { Ok(cells) } else { Err(StartError::WrongCount { cells }) }
}

pub(super) fn step(at: Cell, direction: Direction) -> Result<Cell, StartError> {
    at.neighbour(direction).ok_or(StartError::OutsideLattice { at })
}
