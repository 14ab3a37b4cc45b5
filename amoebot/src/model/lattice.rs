//! The triangular lattice: cells in axial coordinates, and six directions.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A sense of rotation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rotation {
    /// Counter-clockwise: from east to north-east.
    Counterclockwise,
    /// Clockwise: from east to south-east.
    Clockwise,
}

/// A direction of the lattice, the same for every amoebot.
///
/// The order is counter-clockwise from east, like the ports 1 to 6 of the triangular torus of the engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// (1, 0), port 1.
    East = 0,
    /// (0, 1), port 2.
    NorthEast = 1,
    /// (-1, 1), port 3.
    NorthWest = 2,
    /// (-1, 0), port 4.
    West = 3,
    /// (0, -1), port 5.
    SouthWest = 4,
    /// (1, -1), port 6.
    SouthEast = 5,
}

acrasin_runtime::pack_variants!(Direction { East, NorthEast, NorthWest, West, SouthWest, SouthEast });

impl Direction {
    /// All six directions, counter-clockwise from east.
    pub const ALL: [Self; 6] =
        [Self::East, Self::NorthEast, Self::NorthWest, Self::West, Self::SouthWest, Self::SouthEast];

    /// The direction with this index, modulo 6.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self::ALL[(index % 6) as usize]
    }

    /// The index of the direction, 0 to 5, counter-clockwise from east.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The change of the coordinates by one step in this direction.
    #[inline]
    #[must_use]
    pub const fn step(self) -> (i32, i32) {
        [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)][self as usize]
    }

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::from_index(self.index() + 3)
    }

    /// The direction turned by 60 degrees.
    #[inline]
    #[must_use]
    pub const fn turned(self, rotation: Rotation) -> Self {
        Self::from_index(match rotation {
            Rotation::Counterclockwise => self.index() + 1,
            Rotation::Clockwise => self.index() + 5,
        })
    }
}

/// A node of the lattice in axial coordinates.
///
/// Both coordinates are within ±[`Cell::COORDINATE_MAX`], so that differences of coordinates, and one further step,
/// never overflow.
///
/// ```
/// use acrasin_amoebot::{Cell, Direction};
/// let cell = Cell::new(2, -1)?;
/// assert_eq!(cell.neighbour(Direction::NorthWest), Some(Cell::new(1, 0)?));
/// assert_eq!(Cell::ORIGIN.direction_to(cell), None); // not adjacent
/// assert!(Cell::new(i32::MAX, 0).is_err());
/// # Ok::<(), acrasin_amoebot::model::lattice::OutsideLattice>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    x: i32,
    y: i32,
}

/// A coordinate beyond [`Cell::COORDINATE_MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutsideLattice {
    /// The first coordinate.
    pub x: i32,
    /// The second coordinate.
    pub y: i32,
}

impl fmt::Display for OutsideLattice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let max = Cell::COORDINATE_MAX;
        write!(
            f,
            "cell ({}, {}) is outside the lattice (accepted: coordinates from -{max} to {max})",
            self.x, self.y
        )
    }
}

impl std::error::Error for OutsideLattice {}

impl Cell {
    /// The largest absolute value of a coordinate: about half of `i32::MAX`, so that differences of two coordinates do
    /// not overflow.
    pub const COORDINATE_MAX: i32 = (1 << 30) - 1;

    /// The cell (0, 0).
    pub const ORIGIN: Self = Self { x: 0, y: 0 };

    /// The cell at (x, y).
    ///
    /// # Errors
    ///
    /// [`OutsideLattice`] if a coordinate is beyond ±[`COORDINATE_MAX`](Self::COORDINATE_MAX).
    pub const fn new(x: i32, y: i32) -> Result<Self, OutsideLattice> {
        match Self::checked(x, y) {
            Some(cell) => Ok(cell),
            None => Err(OutsideLattice { x, y }),
        }
    }

    const fn checked(x: i32, y: i32) -> Option<Self> {
        let range = -Self::COORDINATE_MAX;
        if x < range || x > Self::COORDINATE_MAX || y < range || y > Self::COORDINATE_MAX {
            return None;
        }
        Some(Self { x, y })
    }

    /// The first coordinate.
    #[inline]
    #[must_use]
    pub const fn x(self) -> i32 {
        self.x
    }

    /// The second coordinate.
    #[inline]
    #[must_use]
    pub const fn y(self) -> i32 {
        self.y
    }

    /// The next cell in `direction`; `None` beyond the limit.
    #[inline]
    #[must_use]
    pub const fn neighbour(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.step();
        Self::checked(self.x + dx, self.y + dy)
    }

    /// The adjacent cells that are within the limit: six except at the border, counter-clockwise from east.
    pub fn neighbours(self) -> impl Iterator<Item = Self> {
        Direction::ALL.into_iter().filter_map(move |direction| self.neighbour(direction))
    }

    /// The direction from this cell to `other`; `None` if they are not adjacent.
    #[inline]
    #[must_use]
    pub const fn direction_to(self, other: Self) -> Option<Direction> {
        Some(match (other.x - self.x, other.y - self.y) {
            (1, 0) => Direction::East,
            (0, 1) => Direction::NorthEast,
            (-1, 1) => Direction::NorthWest,
            (-1, 0) => Direction::West,
            (0, -1) => Direction::SouthWest,
            (1, -1) => Direction::SouthEast,
            _ => return None,
        })
    }

    /// The cell moved by (dx, dy); `None` beyond the limit.
    #[must_use]
    pub fn translated(self, dx: i32, dy: i32) -> Option<Self> {
        Self::checked(self.x.checked_add(dx)?, self.y.checked_add(dy)?)
    }
}

impl Hash for Cell {
    // // One word instead of two: a cell is hashed at every lookup.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.x.cast_unsigned()) << 32 | u64::from(self.y.cast_unsigned()));
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_turns_are_none_and_three_lead_back() {
        for direction in Direction::ALL {
            for rotation in [Rotation::Counterclockwise, Rotation::Clockwise] {
                let turned = |times| (0..times).fold(direction, |d: Direction, _| d.turned(rotation));
                assert_eq!(turned(6), direction);
                assert_eq!(turned(3), direction.opposite());
                assert_ne!(turned(1), direction);
            }
            let (dx, dy) = direction.step();
            assert_eq!(direction.opposite().step(), (-dx, -dy));
            assert_eq!(direction.turned(Rotation::Counterclockwise).turned(Rotation::Clockwise), direction);
        }
    }

    /// Consecutive directions span a triangle: the step from one neighbour to the next one is a direction too.
    #[test]
    fn the_neighbours_form_a_ring() {
        let ring: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
        for i in 0..6 {
            let between = ring[i].direction_to(ring[(i + 1) % 6]).expect("neighbours in a row are adjacent");
            assert_eq!(between, Direction::from_index(i as u8 + 2));
            assert_eq!(ring[i].direction_to(ring[(i + 2) % 6]), None);
        }
    }

    #[test]
    fn coordinates_end_at_the_limit() {
        let max = Cell::COORDINATE_MAX;
        let corner = Cell::new(max, -max).unwrap();
        assert_eq!(corner.neighbours().count(), 3);
        assert_eq!(corner.neighbour(Direction::East), None);
        for (x, y) in [(max + 1, 0), (0, max + 1), (-max - 1, 0), (0, -max - 1), (i32::MIN, i32::MIN)] {
            assert_eq!(Cell::new(x, y), Err(OutsideLattice { x, y }));
        }
        assert_eq!(corner.translated(1, 0), None);
        assert_eq!(corner.translated(i32::MAX, 0), None);
        assert_eq!(corner.translated(-max, max), Some(Cell::ORIGIN));
        let message = OutsideLattice { x: i32::MAX, y: 0 }.to_string();
        assert_eq!(
            message,
            "cell (2147483647, 0) is outside the lattice (accepted: coordinates from -1073741823 to 1073741823)"
        );
    }
}
