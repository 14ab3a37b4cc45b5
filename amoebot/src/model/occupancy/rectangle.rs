//! All cells of a rectangle, row by row.

use crate::model::id::AmoebotId;
use crate::model::lattice::{Cell, Direction};

/// The maximum area of a rectangle per cell that it must contain, in cells; [`CELLS_MORE`] is added.
const CELLS_EACH: usize = 6;
/// The constant part of the maximum area of a rectangle, in cells.
const CELLS_MORE: usize = 4096;
/// The minimum number of free cells on each side. One would be enough; with more the rectangle is rebuilt less often.
const MARGIN: usize = 4;
/// The divisor of the additional margin: a side of the rectangle adds its length divided by this number to its margin.
const MARGIN_SHARE: usize = 16;

/// The occupancy of a rectangle of cells: for each cell the identity of its amoebot plus one, or 0 if the cell is free.
#[derive(Clone, Debug)]
pub(crate) struct Rectangle {
    /// The corner with the least coordinates.
    first: (i32, i32),
    width: usize,
    cells: Vec<u32>,
}

impl Rectangle {
    /// An empty rectangle with a margin around these cells; `None` if its area would exceed the maximum, or there are
    /// no cells.
    pub(crate) fn enclosing(cells: impl Iterator<Item = Cell>) -> Option<Self> {
        let (mut count, mut least, mut most) = (0, (i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
        for cell in cells {
            count += 1;
            least = (least.0.min(cell.x()), least.1.min(cell.y()));
            most = (most.0.max(cell.x()), most.1.max(cell.y()));
        }
        if count == 0 {
            return None;
        }
        let side = |least: i32, most: i32| (i64::from(most) - i64::from(least) + 1) as usize;
        let sides = (side(least.0, most.0), side(least.1, most.1));
        let margins = (MARGIN + sides.0 / MARGIN_SHARE, MARGIN + sides.1 / MARGIN_SHARE);
        let (width, height) = (sides.0 + 2 * margins.0, sides.1 + 2 * margins.1);
        let area = width.checked_mul(height).filter(|area| *area <= CELLS_EACH * count + CELLS_MORE)?;
        // Coordinates are below 2^30 and margins are a sixteenth of a side, so nothing overflows.
        let first = (least.0 - margins.0 as i32, least.1 - margins.1 as i32);
        Some(Self { first, width, cells: vec![0; area] })
    }

    /// A rectangle of free cells whose corner with the least coordinates is `first`.
    pub(crate) fn free(first: (i32, i32), width: usize, height: usize) -> Self {
        Self { first, width, cells: vec![0; width * height] }
    }

    /// Moves this rectangle to `corner` and copies the occupants of `whole` there. Occupied cells also get the bits of
    /// `mark`. O(area).
    pub(crate) fn copy_of(&mut self, whole: &Self, corner: (i32, i32), mark: u32) {
        self.fill(corner, mark, |place, cells| whole.copy_row(place, cells));
    }

    /// Like [`copy_of`](Self::copy_of), with the occupants given cell by cell.
    pub(crate) fn copy_by(&mut self, corner: (i32, i32), mark: u32, number: impl Fn(Cell) -> u32) {
        self.fill(corner, mark, |(first, y), cells| {
            for (x, cell) in (first..).zip(cells) {
                *cell = Cell::new(x, y).map_or(0, &number);
            }
        });
    }

    fn fill(&mut self, corner: (i32, i32), mark: u32, row: impl Fn((i32, i32), &mut [u32])) {
        self.first = corner;
        for (y, cells) in (corner.1..).zip(self.cells.chunks_exact_mut(self.width)) {
            row((corner.0, y), cells);
            for cell in cells {
                *cell |= if *cell > 0 { mark } else { 0 };
            }
        }
    }

    /// Copies a row of occupants that starts at (x, y). Cells outside the rectangle become 0.
    fn copy_row(&self, (x, y): (i32, i32), into: &mut [u32]) {
        into.fill(0);
        let row = y.wrapping_sub(self.first.1).cast_unsigned() as usize;
        let Some(cells) = self.cells.chunks_exact(self.width).nth(row) else { return };
        // Both rows start at the same column: skip the part before the later start.
        let ahead = i64::from(x) - i64::from(self.first.0);
        let (from, to) = (ahead.max(0) as usize, (-ahead).max(0) as usize);
        let count = self.width.saturating_sub(from).min(into.len().saturating_sub(to));
        if count > 0 {
            into[to..to + count].copy_from_slice(&cells[from..from + count]);
        }
    }

    /// The column and row of a cell. A coordinate below the first one becomes a very large number.
    #[inline]
    fn place(&self, cell: Cell) -> (usize, usize) {
        let ahead = |at: i32, first: i32| at.wrapping_sub(first).cast_unsigned() as usize;
        (ahead(cell.x(), self.first.0), ahead(cell.y(), self.first.1))
    }

    #[inline]
    fn index(&self, cell: Cell) -> Option<usize> {
        let (column, row) = self.place(cell);
        // A row beyond the last leads beyond the last cell.
        (column < self.width).then(|| row * self.width + column)
    }

    /// The occupant of a cell: its identity plus one, 0 for a free cell.
    #[inline]
    pub(crate) fn get(&self, cell: Cell) -> u32 {
        self.index(cell).and_then(|at| self.cells.get(at)).copied().unwrap_or(0)
    }

    /// The occupants of the six neighbours of a cell, in the encoding of [`get`](Self::get).
    #[inline(always)]
    pub(crate) fn around(&self, cell: Cell) -> [u32; 6] {
        let (column, row) = self.place(cell);
        let (at, width) = (row.wrapping_mul(self.width).wrapping_add(column), self.width);
        // Two slices cover all six: from (0, -1) to (1, 0), and from (-1, 0) to (0, 1).
        let inside = (1..width.wrapping_sub(1)).contains(&column) && row > 0;
        if inside
            && let Some(near) = self.cells.get(at - width..=at + width)
            && let (Some([south_west, south_east]), Some([north_west, north_east])) =
                (near.first_chunk(), near.last_chunk())
            && let Some([west, _, east]) = near.get(width - 1..=width + 1)
        {
            return [*east, *north_east, *north_west, *west, *south_west, *south_east];
        }
        self.around_at_border(cell)
    }

    #[cold]
    #[inline(never)]
    fn around_at_border(&self, cell: Cell) -> [u32; 6] {
        Direction::ALL.map(|direction| cell.neighbour(direction).map_or(0, |cell| self.get(cell)))
    }

    /// Sets a cell and returns its previous value; `None` if the cell is outside the rectangle.
    #[inline]
    pub(crate) fn replace(&mut self, cell: Cell, number: u32) -> Option<u32> {
        let at = self.index(cell)?;
        Some(std::mem::replace(self.cells.get_mut(at)?, number))
    }

    /// The occupied cells. O(area).
    pub(crate) fn occupied(&self) -> impl Iterator<Item = (Cell, AmoebotId)> + '_ {
        let at = |index: usize| {
            let (x, y) =
                (self.first.0 + (index % self.width) as i32, self.first.1 + (index / self.width) as i32);
            Cell::new(x, y).expect("an occupied cell is within the lattice")
        };
        let occupied = self.cells.iter().enumerate().filter(|(_, number)| **number > 0);
        occupied.map(move |(index, number)| (at(index), AmoebotId(number - 1)))
    }

    /// The bytes of the storage.
    pub(crate) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u32>()
    }
}
