//! The standard landscapes: land around a wedge (V), and around two wedges (N).
//!
//! The amoebots start in a row on land, along the edge of the gap, between two anchors: object cells at the ends of the
//! row. The row is the long path between the anchors, which a bridge may shorten.

use super::Bridging;
use crate::chain::error::ChainError;
use crate::model::lattice::Cell;

/// The slope of a V's side: `across` half cells to the side for every `up` rows.
///
/// The angle of the wedge between both sides is 2 atan(across / (up √3)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slope {
    /// The number of half cells to the side.
    pub across: u32,
    /// The number of rows.
    pub up: u32,
}

impl Slope {
    /// A slope of 30 degrees, accurate to 0.02 degrees.
    pub const THIRTY_DEGREES: Self = Self { across: 13, up: 28 };
    /// A slope of 60 degrees: both sides follow directions of the lattice.
    pub const SIXTY_DEGREES: Self = Self { across: 1, up: 1 };
    /// A slope of 90 degrees, accurate to 0.05 degrees.
    pub const NINETY_DEGREES: Self = Self { across: 26, up: 15 };
    /// A slope of 120 degrees.
    pub const HUNDRED_TWENTY_DEGREES: Self = Self { across: 3, up: 1 };

    /// The largest accepted number in a slope.
    pub const NUMBER_MAX: u32 = 1_000;
}

/// The maximum number of rows of a V, and the longest stroke of an N. The grid of the widest V has about 88 million
/// cells.
pub const SIDE_MAX: u32 = 1_000;

/// Errors of constructing a landscape.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LandscapeError {
    /// The number of rows of a V, or of steps in a stroke of an N, is below 2 or above [`SIDE_MAX`].
    #[error("a side of {side} rows or steps (accepted: 2 to {SIDE_MAX})")]
    Side {
        /// The number of rows or steps given.
        side: u32,
    },
    /// A slope is too steep, so that the gap would not be connected, or flatter than 120 degrees, or has numbers
    /// beyond [`Slope::NUMBER_MAX`].
    #[error(
        "a slope of {} / {} (accepted: above 1/3 and at most 3, numbers from 1 to {})",
        .slope.across,
        .slope.up,
        Slope::NUMBER_MAX
    )]
    Slope {
        /// The slope given.
        slope: Slope,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gap {
    /// A wedge that opens upwards from the origin.
    Wedge(Slope),
    /// Two wedges: one opens downwards from the origin, the other upwards from the lower end of the diagonal that
    /// starts there.
    TwoWedges { side: i32 },
}

/// A landscape: the start cells of the amoebots, the objects, and the land.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Landscape {
    cells: Vec<Cell>,
    objects: Vec<Cell>,
    gap: Gap,
}

impl Landscape {
    /// The cells of the amoebots, along the row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The two anchors.
    #[must_use]
    pub fn objects(&self) -> &[Cell] {
        &self.objects
    }

    /// Whether a cell is land.
    #[must_use]
    pub fn is_land(&self, cell: Cell) -> bool {
        let (x, y) = (i64::from(cell.x()), i64::from(cell.y()));
        match self.gap {
            // The centre of a cell is 2x + y half cells to the right of the origin.
            Gap::Wedge(Slope { across, up }) => (2 * x + y).abs() * i64::from(up) >= i64::from(across) * y,
            Gap::TwoWedges { side } => {
                let below = x > 0 && x + y < 0;
                let above = x < side.into() && x + y > 0;
                !below && !above
            }
        }
    }

    /// The chain that starts in this landscape.
    ///
    /// # Errors
    ///
    /// λ or γ is out of range.
    pub fn chain(&self, lambda: f64, gamma: f64) -> Result<Bridging, ChainError> {
        Bridging::new(&self.cells, &self.objects, |cell| self.is_land(cell), lambda, gamma)
    }

    fn between(row: &[Cell], gap: Gap) -> Self {
        let (cells, objects) = (row[1..row.len() - 1].to_vec(), vec![row[0], row[row.len() - 1]]);
        Self { cells, objects, gap }
    }
}

fn check_side(side: u32) -> Result<i32, LandscapeError> {
    if (2..=SIDE_MAX).contains(&side) { Ok(side as i32) } else { Err(LandscapeError::Side { side }) }
}

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("sides are short")
}

/// A V: land is everything outside a wedge that opens upwards from the origin. The row leads from the anchor
/// `rows` above the origin down one side, and up the other one.
///
/// With [`Slope::SIXTY_DEGREES`] there are 2 `rows` - 1 amoebots.
///
/// # Errors
///
/// There are fewer than 2 or more than [`SIDE_MAX`] rows. Or the slope is not above 1/3 and at most 3, or has a number
/// that is 0 or above [`Slope::NUMBER_MAX`].
pub fn v_shape(rows: u32, slope: Slope) -> Result<Landscape, LandscapeError> {
    let rows = check_side(rows)?;
    let Slope { across, up } = slope;
    // If 3 across <= up, the third row has no gap: both sides meet there and enclose the gap of the second row.
    let in_range = |number: u32| (1..=Slope::NUMBER_MAX).contains(&number);
    if !in_range(across) || !in_range(up) || 3 * across <= up || across > 3 * up {
        return Err(LandscapeError::Slope { slope });
    }
    // The first land cell right of the gap: the least x with (2x + y) up >= across y.
    let first_right = |y: i32| {
        let halves = ceil(across as i32 * y, up as i32);
        ceil(halves - y, 2)
    };
    // A flat side runs along a row before it reaches the next one.
    let row = |y: i32| {
        let last = if y < rows { first_right(y).max(first_right(y + 1)) } else { first_right(y) };
        (first_right(y)..=last).map(move |x| cell(x, y))
    };
    let right: Vec<Cell> = (0..=rows).flat_map(row).collect();
    let mirrored = |at: &Cell| cell(-at.x() - at.y(), at.y());
    let left = right[1..].iter().rev().map(mirrored);
    let whole: Vec<Cell> = left.chain(right.iter().copied()).collect();
    Ok(Landscape::between(&whole, Gap::Wedge(slope)))
}

/// An N of three strokes of `side` steps each, at angles of 60 degrees. Land is everything outside two wedges,
/// one that opens downwards from the upper end of the diagonal, and one that opens upwards from its lower end.
/// The diagonal is one cell wide. There are 3 `side` - 1 amoebots, along the strokes.
///
/// # Errors
///
/// The side has fewer than 2 or more than [`SIDE_MAX`] steps.
pub fn n_shape(side: u32) -> Result<Landscape, LandscapeError> {
    let side = check_side(side)?;
    let left = (-side..0).map(|y| cell(0, y));
    let diagonal = (0..side).map(|x| cell(x, -x));
    let right = (-side..=0).map(|y| cell(side, y));
    let whole: Vec<Cell> = left.chain(diagonal).chain(right).collect();
    Ok(Landscape::between(&whole, Gap::TwoWedges { side }))
}

/// The quotient rounded up, for positive divisors.
fn ceil(number: i32, divisor: i32) -> i32 {
    -(-number).div_euclid(divisor)
}
