//! Grids: a byte for each cell of a rectangle around the amoebots.

use std::ops::Range;

use super::error::{AREA_MAX, ChainError};
use crate::model::id::AmoebotId;
use crate::model::lattice::{Cell, Direction};
use crate::model::system::SystemError;
use crate::start::{CELLS_MAX, StartError};

/// The number of free cells on each side of the amoebots when a grid is laid out. A wider margin postpones the next
/// layout; with this one the grid of a few amoebots still fits into the L1 cache.
pub(super) const MARGIN: i32 = 16;

/// An upper bound on the total width of the margins on two opposite sides of a grid.
const MARGINS_MAX: usize = 1 << 10;

/// The distance from the picked amoebot within which a step reads cells.
pub(super) const REACH: usize = 2;

/// A byte for each cell of a rectangle, in axial coordinates.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The cell of byte 0.
    pub(super) first: (i32, i32),
    pub(super) width: usize,
    pub(super) bytes: Vec<u8>,
    /// The offset from a byte to the next cell in each direction.
    pub(super) next: [isize; 6],
    /// The offsets from the byte of ℓ to the cells of the ring, for each direction.
    ring: [[isize; 8]; 6],
}

/// The view of a step: the cell ℓ of an amoebot, the adjacent cell ℓ′, and the cells around both.
#[derive(Clone, Copy, Debug)]
pub struct GridView<'a> {
    grid: &'a Grid,
    at: usize,
    pub(super) target: usize,
    direction: usize,
    /// The larger grid that contains this one, and the index of ℓ in it.
    whole: Option<(&'a Grid, usize)>,
}

impl<'a> GridView<'a> {
    /// Extends the view to a larger grid that contains this one. `at` is the index of ℓ in it.
    pub(super) fn in_whole(self, whole: &'a Grid, at: usize) -> Self {
        Self { whole: Some((whole, at)), ..self }
    }

    /// The byte of ℓ.
    #[inline]
    #[must_use]
    pub fn own(&self) -> u8 {
        self.grid.bytes[self.at]
    }

    /// The byte of ℓ′.
    #[inline]
    #[must_use]
    pub fn other(&self) -> u8 {
        self.grid.bytes[self.target]
    }

    /// The bytes of the cells of the [`EdgeRing`](super::EdgeRing), each with its bit of the ring.
    #[inline]
    pub fn around(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        let cells = self.grid.ring[self.direction].iter().enumerate();
        cells.map(|(bit, offset)| (bit, self.grid.bytes[self.at.wrapping_add_signed(*offset)]))
    }

    /// The direction from ℓ to ℓ′.
    #[inline]
    #[must_use]
    pub fn direction(&self) -> Direction {
        Direction::from_index(self.direction as u8)
    }

    /// Whether the predicate holds for the bytes of all cells on the ray from ℓ in a direction, without ℓ itself. The
    /// nearest cell is tested first. The ray ends at the border of the grid, which contains all amoebots. O(width of
    /// the grid).
    #[inline]
    pub fn all_beyond(&self, direction: Direction, mut is_so: impl FnMut(u8) -> bool) -> bool {
        let (cells, offset) = self.grid.ray(self.at, direction);
        let mut at = self.at;
        for _ in 0..cells {
            at = at.wrapping_add_signed(offset);
            if !is_so(self.grid.bytes[at]) {
                return false;
            }
        }
        self.whole.is_none_or(|(whole, at)| whole.all_further(at, direction, cells, is_so))
    }
}

impl Grid {
    /// Creates a grid with `margin` free cells on each side of these cells; `free` is the byte of a free cell.
    pub(super) fn spanning(cells: &[Cell], margin: i32, free: u8) -> Result<Self, ChainError> {
        let max = Cell::COORDINATE_MAX - margin;
        if let Some(&cell) = cells.iter().find(|cell| cell.x().abs() > max || cell.y().abs() > max) {
            return Err(ChainError::NearLimit { cell, max });
        }
        let span = |of: fn(Cell) -> i32| {
            let least = cells.iter().map(|cell| of(*cell)).min().unwrap_or(0) - margin;
            let most = cells.iter().map(|cell| of(*cell)).max().unwrap_or(0) + margin;
            (least, u64::from((most - least).unsigned_abs()) + 1)
        };
        let ((x, width), (y, height)) = (span(Cell::x), span(Cell::y));
        if width * height > AREA_MAX {
            return Err(ChainError::TooSpread { width, height });
        }
        Ok(Self::of((x, y), width as usize, vec![free; (width * height) as usize]))
    }

    fn of(first: (i32, i32), width: usize, bytes: Vec<u8>) -> Self {
        let step = |direction: usize| {
            let (dx, dy) = Direction::from_index((direction % 6) as u8).step();
            dy as isize * width as isize + dx as isize
        };
        let ring = |d: usize| {
            std::array::from_fn(|bit| if bit < 5 { step(d + bit + 1) } else { step(d) + step(d + bit) })
        };
        Self { first, width, bytes, next: std::array::from_fn(step), ring: std::array::from_fn(ring) }
    }

    /// A copy of a square of this grid that starts at a column and a row. Cells outside the grid are free.
    pub(super) fn square(&self, (column, row): (i32, i32), side: usize, free: u8) -> Self {
        let mut bytes = vec![free; side * side];
        for (into, from) in self.rows_within((column, row), side) {
            bytes[into].copy_from_slice(&self.bytes[from]);
        }
        Self::of((self.first.0 + column, self.first.1 + row), side, bytes)
    }

    /// The rows of a square as ranges in the square and in this grid, clipped to the grid.
    pub(super) fn rows_within(
        &self,
        (column, row): (i32, i32),
        side: usize,
    ) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + use<> {
        let (width, height) = (self.width as i32, self.height() as i32);
        let columns = column.max(0)..(column + side as i32).min(width);
        (row.max(0)..(row + side as i32).min(height)).filter_map(move |y| {
            let length = columns.len();
            let into = (y - row) as usize * side + (columns.start - column) as usize;
            let from = y as usize * width as usize + columns.start as usize;
            (length > 0).then_some((into..into + length, from..from + length))
        })
    }

    /// An empty grid at a saved place; `None` if no run with this many amoebots can have such a grid.
    pub(super) fn placed(
        (first, width, length): ((i32, i32), usize, usize),
        amoebots: usize,
        free: u8,
    ) -> Option<Self> {
        let height = length.checked_div(width)?;
        let is_size = length as u64 <= AREA_MAX
            && length.is_multiple_of(width)
            && width.max(height) <= amoebots + MARGINS_MAX;
        let height = i32::try_from(height).ok()?;
        let last = (
            first.0.checked_add(i32::try_from(width).ok()?.checked_sub(1)?)?,
            first.1.checked_add(height.checked_sub(1)?)?,
        );
        let is_place = [first, last].iter().all(|(x, y)| Cell::new(*x, *y).is_ok());
        (is_size && is_place).then(|| Self::of(first, width, vec![free; length]))
    }

    /// Whether the cell is in the grid, with all cells that a step from it reads.
    pub(super) fn has_surroundings(&self, at: usize) -> bool {
        let inside = |at: usize, side: usize| (REACH..side.saturating_sub(REACH)).contains(&at);
        inside(at % self.width, self.width) && inside(at / self.width, self.height())
    }

    pub(super) fn height(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// The number of cells within the grid that follow a cell in a direction, and the offset from each to the next.
    #[inline]
    fn ray(&self, at: usize, direction: Direction) -> (usize, isize) {
        let (x, y) = (at % self.width, at / self.width);
        let room = |step: i32, at: usize, side: usize| match step {
            1 => side - 1 - at,
            -1 => at,
            _ => usize::MAX,
        };
        let (dx, dy) = direction.step();
        let cells = room(dx, x, self.width).min(room(dy, y, self.height()));
        (cells, self.next[usize::from(direction.index())])
    }

    /// Whether the predicate holds for the bytes of the cells on the ray from a cell in a direction, skipping the first
    /// `but` cells.
    #[inline(never)]
    fn all_further(
        &self,
        at: usize,
        direction: Direction,
        but: usize,
        mut is_so: impl FnMut(u8) -> bool,
    ) -> bool {
        let (cells, offset) = self.ray(at, direction);
        (but..cells).all(|step| is_so(self.bytes[at.wrapping_add_signed((step as isize + 1) * offset)]))
    }

    /// A grid in which these cells have byte 1 and all others 0, and the number of adjacent pairs.
    ///
    /// # Errors
    ///
    /// There are no cells, too many or a duplicate. Or the cells are not connected, have a hole, are too spread out, or
    /// are near the limit of the lattice.
    pub(super) fn checked(cells: &[Cell]) -> Result<(Self, u64), ChainError> {
        if cells.is_empty() || cells.len() > CELLS_MAX {
            return Err(SystemError::WrongCount { amoebots: cells.len() }.into());
        }
        let mut grid = Self::spanning(cells, MARGIN, 0)?;
        for (&cell, second) in cells.iter().zip((0..).map(AmoebotId)) {
            let at = grid.index(cell);
            if std::mem::replace(&mut grid.bytes[at], 1) == 1 {
                let first = cells.iter().zip((0..).map(AmoebotId)).find(|(other, _)| **other == cell);
                let first = first.map_or(second, |(_, first)| first);
                return Err(SystemError::TwoOnOneCell { cell, first, second }.into());
            }
        }
        grid.check_connected(cells)?;
        grid.check_hole_free()?;
        let neighbours = |cell: &Cell| {
            let at = grid.index(*cell);
            grid.next.iter().map(|offset| u64::from(grid.bytes[at.wrapping_add_signed(*offset)])).sum::<u64>()
        };
        let edges = cells.iter().map(neighbours).sum::<u64>() / 2;
        Ok((grid, edges))
    }

    /// The index of a cell's byte.
    pub(super) fn index(&self, cell: Cell) -> usize {
        (cell.y() - self.first.1) as usize * self.width + (cell.x() - self.first.0) as usize
    }

    pub(super) fn cell(&self, at: usize) -> Cell {
        let (x, y) = (self.first.0 + (at % self.width) as i32, self.first.1 + (at / self.width) as i32);
        Cell::new(x, y).expect("the whole grid is within the lattice")
    }

    #[inline]
    pub(super) fn sight(&self, at: usize, direction: usize) -> GridView<'_> {
        GridView {
            grid: self,
            at,
            target: at.wrapping_add_signed(self.next[direction]),
            direction,
            whole: None,
        }
    }

    pub(super) fn is_near_border(&self, at: usize) -> bool {
        let inside = |at: usize, side: usize| (REACH..side - REACH).contains(&at);
        !inside(at % self.width, self.width) || !inside(at / self.width, self.height())
    }

    /// Flood fill: replaces by 1 the zeros of `marks` that are reachable from `start`. The border must not contain
    /// zeros.
    fn flood(&self, marks: &mut [u8], start: usize) {
        let mut border = vec![start];
        marks[start] = 1;
        while let Some(at) = border.pop() {
            for offset in self.next {
                let next = at.wrapping_add_signed(offset);
                if std::mem::replace(&mut marks[next], 1) == 0 {
                    border.push(next);
                }
            }
        }
    }

    fn check_connected(&self, cells: &[Cell]) -> Result<(), StartError> {
        let mut marks: Vec<u8> = self.bytes.iter().map(|occupied| 1 - occupied).collect();
        self.flood(&mut marks, self.index(cells[0]));
        match cells.iter().find(|cell| marks[self.index(**cell)] == 0) {
            Some(&cell) => Err(StartError::Disconnected { from: cells[0], cell }),
            None => Ok(()),
        }
    }

    fn check_hole_free(&self) -> Result<(), StartError> {
        let mut marks = self.bytes.clone();
        let last_row = marks.len() - self.width;
        for (at, mark) in marks.iter_mut().enumerate() {
            let x = at % self.width;
            if x == 0 || x == self.width - 1 || at < self.width || at >= last_row {
                *mark = 1;
            }
        }
        self.flood(&mut marks, self.width + 1);
        match marks.iter().position(|mark| *mark == 0) {
            Some(hole) => Err(StartError::Hole { cell: self.cell(hole) }),
            None => Ok(()),
        }
    }
}
