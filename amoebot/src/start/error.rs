//! Errors of start configurations.

use acrasin_catalogue::counted;

use super::form::{BLOB_ATTEMPTS, CELLS_MAX, ObjectForm, RingSize};
use crate::model::id::AmoebotId;
use crate::model::lattice::{Cell, Direction};
use crate::model::system::SystemError;

/// Errors of a start shape, or of the conditions of an algorithm on its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The shape has no cells, or more than [`CELLS_MAX`].
    #[error("a shape of {} (accepted: 1 to {CELLS_MAX})", counted(*.cells, "cell"))]
    WrongCount {
        /// The requested number of cells.
        cells: usize,
    },
    /// The ring has no hole, or its width is 0.
    #[error(
        "a ring of width {} around a hole of side {} (accepted: 1 or more for both)",
        .ring.width,
        .ring.hole_side
    )]
    NoRing {
        /// The requested size of the ring.
        ring: RingSize,
    },
    /// An object has a length of 0, or a bay does not have 1 to 5 sides.
    #[error("{}", no_form(*.form))]
    NoForm {
        /// The requested form of the object.
        form: ObjectForm,
    },
    /// More cells were requested than there are next to the object.
    #[error("a layer of {cells} amoebots next to an object with room for {room} (accepted: 1 to {room})")]
    NoRoom {
        /// The requested number of cells.
        cells: usize,
        /// The number of cells next to the object.
        room: usize,
    },
    /// In each of [`BLOB_ATTEMPTS`] attempts no more cells could join the blob before it was complete.
    #[error(
        "the blob of {cells} cells died out {BLOB_ATTEMPTS} times, at {} or fewer: \
         a cell must join with a higher probability",
        counted(*.reached, "cell")
    )]
    DiedOut {
        /// The requested number of cells.
        cells: usize,
        /// The number of cells in the largest attempt.
        reached: usize,
    },
    /// The shape, or the path along it, leaves the lattice.
    #[error("the shape leaves the lattice at {at}")]
    OutsideLattice {
        /// A cell at the limit of the lattice.
        at: Cell,
    },
    /// The head and the tail of an expanded amoebot are not adjacent.
    #[error("amoebot {id} has its head at {head} and its tail at {tail} (accepted: adjacent cells)")]
    Torn {
        /// The expanded amoebot.
        id: AmoebotId,
        /// The head of the amoebot.
        head: Cell,
        /// The tail of the amoebot.
        tail: Cell,
    },
    /// There is no amoebot, there are too many, two amoebots are on one cell, or an amoebot is on the object.
    #[error(transparent)]
    System(#[from] SystemError),
    /// There is no cell at the position given for a role.
    #[error("{role} {position} of {} (accepted: below {cells}, counted from 0)", counted(*.cells, "cell"))]
    NoCell {
        /// The role: seed, root or source.
        role: &'static str,
        /// The requested position, counted from 0.
        position: usize,
        /// The number of cells.
        cells: usize,
    },
    /// The cells are not connected.
    #[error("cell {cell} cannot be reached from {from}: the cells must be connected")]
    Disconnected {
        /// The cell of the seed, or the first cell.
        from: Cell,
        /// A cell that is not connected to that cell.
        cell: Cell,
    },
    /// In a connected component no amoebot has a required role.
    #[error("cell {cell} cannot be reached from a {role}: every connected part needs one")]
    OutOfReach {
        /// The role: root or source.
        role: &'static str,
        /// A cell from which no path of neighbours leads to an amoebot with the role.
        cell: Cell,
    },
    /// The cells enclose empty cells.
    #[error("cell {cell} is empty and enclosed: the cells must have no hole")]
    Hole {
        /// An empty cell inside the hole.
        cell: Cell,
    },
    /// Two amoebots count their ports in different senses of rotation.
    #[error(
        "amoebots {first} and {other} count ports in different directions: all amoebots must have the same chirality"
    )]
    MixedChirality {
        /// The first amoebot.
        first: AmoebotId,
        /// An amoebot of the other chirality.
        other: AmoebotId,
    },
    /// The object has no cells.
    #[error("an object of 0 cells (accepted: one or more)")]
    NoObject,
    /// The object is not connected.
    #[error("cell {cell} of the object cannot be reached from its first cell: the object must be connected")]
    DisconnectedObject {
        /// A cell of the object that cannot be reached from its smallest cell.
        cell: Cell,
    },
    /// No amoebot is next to the object.
    #[error("no amoebot is next to the object of {} (accepted: one or more next to it)", counted(*.object, "cell"))]
    NoneBeside {
        /// The number of cells of the object.
        object: usize,
    },
}

fn no_form(form: ObjectForm) -> String {
    match form {
        ObjectForm::Bay { side, sides } => {
            format!("a bay of {sides} sides, each of {side} cells (accepted: 1 to 5 sides, of 1 or more)")
        }
        _ => "an object with a length of 0 (accepted: 1 or more for every length)".to_owned(),
    }
}

pub(super) fn checked(cells: usize) -> Result<usize, StartError> {
    if (1..=CELLS_MAX).contains(&cells) { Ok(cells) } else { Err(StartError::WrongCount { cells }) }
}

pub(super) fn step(at: Cell, direction: Direction) -> Result<Cell, StartError> {
    at.neighbour(direction).ok_or(StartError::OutsideLattice { at })
}
