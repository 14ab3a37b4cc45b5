//! Where amoebots stand at the start.
//!
//! | configuration | function |
//! |---|---|
//! | a straight line | [`line()`] |
//! | a regular hexagon of a given side | [`hexagon`] |
//! | n cells as close to a hexagon as they can be | [`spiral`] |
//! | a ring round a hexagonal hole | [`ring`] |
//! | a random tree-like blob with holes, as in the figures of AmoebotSim; a random blob with fewer | [`blob()`] |
//! | an object: wall, hexagon, triangle, parallelogram, corner, staircase, bay, random boulder | [`object()`] |
//! | beside an object: a column, a random heap, a first layer | [`beside`] |
//! | drawn by hand in a text file, with seeds, colours, expanded amoebots and an object; saved and loaded | [`drawing()`] |
//!
//! All but the last are lists of cells, for the `start` of an algorithm.

use std::fmt;

use crate::model::lattice::{Cell, Direction};
use crate::model::system::System;

pub mod blob;
pub mod drawing;
mod object;
mod shapes;

pub use blob::{BLOB_ATTEMPTS, blob};
pub use drawing::{Drawing, DrawingError, Drawn, Mark, drawing};
pub use object::{ObjectForm, Stand, beside, object};
pub use shapes::{Ring, hexagon, line, ring, spiral};

/// Most cells of a start shape: a hexagon of them has a side of about 2,400.
pub const CELLS_MAX: usize = System::<()>::AMOEBOTS_MAX;

/// Why there is no such start shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StartError {
    /// No cells, or more than [`CELLS_MAX`].
    WrongCount {
        /// How many were asked for.
        cells: usize,
    },
    /// A ring without a hole, or a hole without a ring.
    NoRing {
        /// What was asked for.
        ring: Ring,
    },
    /// An object with a length of 0, or a bay with other than 1 to 5 sides.
    NoForm {
        /// What was asked for.
        form: ObjectForm,
    },
    /// More amoebots than there are cells beside an object.
    NoRoom {
        /// How many were asked for.
        cells: usize,
        /// How many there is room for.
        room: usize,
    },
    /// Every cell round the blob was refused, [`BLOB_ATTEMPTS`] times.
    DiedOut {
        /// How many cells were asked for.
        cells: usize,
        /// How many the largest attempt had.
        reached: usize,
    },
    /// The shape leaves the lattice.
    OutsideLattice {
        /// A cell at the limit.
        at: Cell,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { cells } => write!(f, "a shape of {cells} cells (accepted: 1 to {CELLS_MAX})"),
            Self::NoRing { ring } => write!(
                f,
                "a ring of width {} round a hole of side {} (accepted: 1 or more for both)",
                ring.width, ring.hole_side
            ),
            Self::NoForm { form: ObjectForm::Bay { side, sides } } => {
                write!(f, "a bay of {sides} sides of {side} cells (accepted: 1 to 5 sides, of 1 or more)")
            }
            Self::NoForm { form } => write!(f, "an object {form:?} (accepted: 1 or more for every length)"),
            Self::NoRoom { cells, room } => {
                write!(
                    f,
                    "a layer of {cells} amoebots beside an object with room for {room} (accepted: 1 to {room})"
                )
            }
            Self::DiedOut { cells, reached } => write!(
                f,
                "the blob of {cells} cells died out {BLOB_ATTEMPTS} times, at {reached} cells or fewer: \
                 cells must be accepted with a higher probability"
            ),
            Self::OutsideLattice { at } => write!(f, "the shape leaves the lattice at {at}"),
        }
    }
}

impl std::error::Error for StartError {}

fn checked(cells: usize) -> Result<usize, StartError> {
    if (1..=CELLS_MAX).contains(&cells) { Ok(cells) } else { Err(StartError::WrongCount { cells }) }
}

fn step(at: Cell, direction: Direction) -> Result<Cell, StartError> {
    at.neighbour(direction).ok_or(StartError::OutsideLattice { at })
}
