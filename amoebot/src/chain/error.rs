//! Errors of constructing or advancing a Markov chain.

use std::fmt;

use acrasin_catalogue::counted;

use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::system::SystemError;
use crate::start::StartError;

/// The maximum number of cells of the grid, occupied or not. A cell takes a byte, so this is 256 MiB.
pub const AREA_MAX: u64 = 1 << 28;

/// Errors of constructing or advancing a Markov chain.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// λ or γ is out of range.
    #[error("{name} is {value} (accepted: {accepted})")]
    Bias {
        /// The name of the bias.
        name: &'static str,
        /// The requested value.
        value: f64,
        /// The accepted values.
        accepted: Biases,
    },
    /// The amoebots and objects are not a valid start: there are none or too many, two are on one cell, they are not
    /// connected, or they have a hole.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The grid would have more than [`AREA_MAX`] cells, because the cells are too far apart or there are too many
    /// amoebots.
    #[error("a grid of {width} times {height} cells (accepted: at most {AREA_MAX} cells)")]
    TooSpread {
        /// The size of the grid in the first coordinate, in cells.
        width: u64,
        /// The size of the grid in the second coordinate, in cells.
        height: u64,
    },
    /// A cell is so close to the limit of the lattice that the grid would cross it.
    #[error(
        "cell {cell} is too close to the limit of the lattice (accepted: coordinates from -{max} to {max})"
    )]
    NearLimit {
        /// The cell that is too close to the limit.
        cell: Cell,
        /// The largest absolute value of a coordinate that is accepted.
        max: i32,
    },
    /// An amoebot is so close to the limit of the lattice that a step cannot be made. Nothing was changed.
    #[error(
        "a step of {} at {cell} cannot be done: the cell is too close to the limit of the \
         lattice (accepted: coordinates from -{max} to {max})",
        .amoebot.map_or("an amoebot".to_owned(), |number| format!("amoebot {number}"))
    )]
    AtLimit {
        /// The identity of the amoebot, in chains with identities.
        amoebot: Option<AmoebotId>,
        /// The cell of the amoebot.
        cell: Cell,
        /// The largest absolute value of a coordinate at which every step has room.
        max: i32,
    },
    /// The number of colours differs from the number of cells.
    #[error("{} for {} (accepted: one for each cell)", counted(*.colours, "colour"), counted(*.cells, "cell"))]
    ColourCount {
        /// The number of cells.
        cells: usize,
        /// The number of colours.
        colours: usize,
    },
    /// A colour is above the largest accepted one.
    #[error("colour {colour} on cell {cell} (accepted: 0 to {max})")]
    Colour {
        /// The cell of the amoebot with this colour.
        cell: Cell,
        /// The requested colour.
        colour: u8,
        /// The largest accepted colour.
        max: u8,
    },
}

impl ChainError {
    /// Turns an error of laying out a grid into an error of a step. With `are_numbered`, amoebot i is on `cells[i]`.
    pub(super) fn of_a_step(self, cells: &[Cell], are_numbered: bool) -> Self {
        let Self::NearLimit { cell, max } = self else { return self };
        let number = cells.iter().position(|other| *other == cell).filter(|_| are_numbered);
        Self::AtLimit { amoebot: number.map(|number| AmoebotId(number as u32)), cell, max }
    }
}

impl From<SystemError> for ChainError {
    fn from(error: SystemError) -> Self {
        Self::Start(error.into())
    }
}

/// The accepted range of a bias, both ends included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Biases {
    /// The smallest accepted value.
    pub least: f64,
    /// The largest accepted value.
    pub most: f64,
}

impl Biases {
    /// All finite numbers above 0.
    pub const POSITIVE: Self = Self { least: f64::from_bits(1), most: f64::MAX };

    /// Validates a named bias.
    ///
    /// # Errors
    ///
    /// The value is out of range.
    pub fn checked(self, name: &'static str, value: f64) -> Result<f64, ChainError> {
        if self.contains(value) { Ok(value) } else { Err(ChainError::Bias { name, value, accepted: self }) }
    }

    /// Whether a value is accepted.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }
}

impl fmt::Display for Biases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::POSITIVE {
            return write!(f, "finite numbers above 0");
        }
        write!(f, "numbers from {:e} to {:e}", self.least, self.most)
    }
}
