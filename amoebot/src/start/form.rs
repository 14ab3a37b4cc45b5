//! Parameters of start shapes: rings, objects, and the number of cells.

use crate::model::system::System;

/// The maximum number of cells of a start shape: a hexagon with this many cells has a side of about 2,400.
pub const CELLS_MAX: usize = System::<()>::AMOEBOTS_MAX;

/// The number of attempts of [`blob`](super::blob()) before it reports that the blob died out.
pub const BLOB_ATTEMPTS: u32 = 100;

/// The size of a ring of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingSize {
    /// The number of cells on each side of the hole, which is a regular hexagon: 1 or more.
    pub hole_side: u32,
    /// The width of the ring in cells: 1 or more.
    pub width: u32,
}

/// The form of an object. All forms are connected and without holes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ObjectForm {
    /// A straight line to the east.
    Wall {
        /// The number of cells.
        length: u32,
    },
    /// A regular hexagon.
    Hexagon {
        /// The number of cells on each side.
        side: u32,
    },
    /// An equilateral triangle with its base at the bottom.
    Triangle {
        /// The number of cells on each side.
        side: u32,
    },
    /// Stacked rows, each half a cell further east than the row below.
    Parallelogram {
        /// The number of cells of each row.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// Two walls at an angle of 120 degrees: one to the east, one up to the north-west.
    Corner {
        /// The number of cells to the east, including the cell in the corner.
        width: u32,
        /// The number of further cells to the north-west.
        height: u32,
    },
    /// Steps up to the north-east, one cell wide.
    Staircase {
        /// The number of steps.
        steps: u32,
        /// The number of cells to the east on each step.
        tread: u32,
        /// The number of cells to the north-east on each step.
        rise: u32,
    },
    /// Some sides of a hexagonal ring, one cell wide. Five sides form a bay that opens at the bottom, `side` - 1 cells
    /// wide.
    Bay {
        /// The number of steps along each side.
        side: u32,
        /// The number of sides: 1 to 5 of the six.
        sides: u32,
    },
    /// A random form without holes and without passages one cell wide. The form grows cell by cell. Each cell is drawn
    /// uniformly from the adjacent cells that preserve these properties.
    Boulder {
        /// The number of cells.
        cells: u32,
    },
}

impl ObjectForm {
    /// The number of cells, without checking the parameters.
    #[must_use]
    pub fn count(self) -> u128 {
        let wide = u128::from;
        match self {
            Self::Wall { length } => wide(length),
            Self::Hexagon { side: 0 } => 0,
            Self::Hexagon { side } => 3 * wide(side) * (wide(side) - 1) + 1,
            Self::Triangle { side } => wide(side) * (wide(side) + 1) / 2,
            Self::Parallelogram { width, height } => wide(width) * wide(height),
            Self::Corner { width, height } => wide(width) + wide(height),
            Self::Staircase { steps, tread, rise } => wide(steps) * (wide(tread) + wide(rise)) + 1,
            Self::Bay { side, sides } => wide(side) * wide(sides) + 1,
            Self::Boulder { cells } => wide(cells),
        }
    }

    /// Whether the cells are drawn at random.
    #[must_use]
    pub fn is_random(self) -> bool {
        matches!(self, Self::Boulder { .. })
    }
}
