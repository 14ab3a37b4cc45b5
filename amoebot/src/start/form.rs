//! What can be asked for: rings, objects, and how many cells.

use crate::model::system::System;

/// Most cells of a start shape: a hexagon of them has a side of about 2,400.
pub const CELLS_MAX: usize = System::<()>::AMOEBOTS_MAX;

/// How often [`blob`](super::blob()) begins again after it died out.
pub const BLOB_ATTEMPTS: u32 = 100;

/// The size of a ring of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ring {
    /// Cells on each side of the hole, a regular hexagon: 1 or more.
    pub hole_side: u32,
    /// How many cells wide the ring is: 1 or more.
    pub width: u32,
}

/// The form of an object. All are connected, and none has a hole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ObjectForm {
    /// A straight line to the east.
    Wall {
        /// How many cells.
        length: u32,
    },
    /// A regular hexagon.
    Hexagon {
        /// Cells on each side.
        side: u32,
    },
    /// An equilateral triangle with its base below.
    Triangle {
        /// Cells on each side.
        side: u32,
    },
    /// Rows on each other, each half a cell further east than the one below.
    Parallelogram {
        /// Cells of a row.
        width: u32,
        /// How many rows.
        height: u32,
    },
    /// Two walls with an angle of 120 degrees between them: to the east, and up to the north-west.
    Corner {
        /// Cells to the east, that in the corner among them.
        width: u32,
        /// Further cells, to the north-west.
        height: u32,
    },
    /// Up to the north-east, step after step, one cell wide.
    Staircase {
        /// How many steps.
        steps: u32,
        /// Cells to the east on each step.
        tread: u32,
        /// Cells to the north-east on each step.
        rise: u32,
    },
    /// Some sides of a hexagonal ring, one cell wide. Five of them are a bay that opens below, by `side` - 1 cells.
    Bay {
        /// Steps along each side.
        side: u32,
        /// How many of the six sides: 1 to 5.
        sides: u32,
    },
    /// A random form without holes and without passages one cell wide. It grows cell by cell: each is picked uniformly
    /// of those beside it that keep it so.
    Boulder {
        /// How many cells.
        cells: u32,
    },
}

impl ObjectForm {
    /// How many cells it has, even if that are too many.
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

    /// Whether its cells are drawn.
    #[must_use]
    pub fn is_random(self) -> bool {
        matches!(self, Self::Boulder { .. })
    }
}
