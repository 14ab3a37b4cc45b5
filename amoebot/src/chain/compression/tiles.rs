//! Chain M on every core, in disjoint tiles.
//!
//! A window shifts a grid of square tiles by a random offset. Then each tile runs chain M independently on the cells of
//! its interior: such a move reads and writes nothing outside the tile. Each restricted step is reversible for the same
//! distribution, λ^e(σ) on connected sets without holes, which therefore stays stationary for the whole run. Since
//! offsets change, every cell is sometimes in an interior. A step has another meaning than in chain M. Cells are drawn
//! instead of amoebots, as if each amoebot had its own clock, and in a window only cells away from tile borders. So
//! long-run averages are those of chain M, but times are not.
//!
//! All draws are functions of seed, window, tile and attempt: the result does not depend on the number of
//! threads.

use acrasin_engine::{Draws, Purpose};
use acrasin_runtime::digest::Digest;
use acrasin_runtime::{Pack, PackError};
use rayon::prelude::*;

use super::Chain;
use crate::chain::error::ChainError;
use crate::chain::grid::Grid;
use crate::chain::markov::DIRECTIONS;
use crate::chain::ring::EdgeRing;
use crate::model::lattice::{Cell, Direction};

use super::fast::{acceptance_by_index, index, masks, split};

/// The number of cells along a tile; its 4 KiB fit into the L1 cache.
const SIDE: usize = 64;
/// The distance from an amoebot within which its move reads and writes cells.
const REACH: usize = 2;
/// The number of cells along the interior of a tile.
const INSIDE: usize = SIDE - 2 * REACH;
/// The number of attempts per tile and window: half the number of cells of a tile.
const ATTEMPTS: usize = SIDE * SIDE / 2;
/// The number of free cells on each side when the grid is laid out.
const MARGIN: usize = 3 * SIDE;
/// The number of tiles from which a window runs on several threads.
const PARALLEL_MIN: usize = 8;

/// The bit of a cell's byte for the cell itself; the lower six are those of its neighbours.
const OCCUPIED: u8 = 1 << 6;

/// Chain M that runs in disjoint tiles.
///
/// ```
/// use acrasin_amoebot::chain::compression::TiledChain;
/// use acrasin_amoebot::{Cell, Direction, start};
///
/// let line = start::line(Cell::ORIGIN, Direction::East, 20)?;
/// let mut chain = TiledChain::new(&line, 4.0, 1)?;
/// chain.run(10_000)?;
/// assert!(chain.perimeter() < 30); // 38 at the start, 13 at best
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TiledChain {
    lambda: f64,
    acceptance: Box<[u64; 512]>,
    draws: Draws,
    amoebots: u64,
    /// The coordinates of the first byte's cell.
    first: (i32, i32),
    width: usize,
    bytes: Vec<u8>,
    edges: u64,
    windows: u64,
    steps: u64,
    moves: u64,
}

/// A tile after a window.
struct WindowTile {
    /// The first row and column of the tile in the grid.
    at: (usize, usize),
    bytes: Box<[u8; SIDE * SIDE]>,
    /// The number of attempts in which an amoebot was picked.
    steps: u64,
    moves: u64,
    gain: i64,
    near_border: bool,
}

impl TiledChain {
    /// The chain from these cells. O(area of the rectangle around them).
    ///
    /// # Errors
    ///
    /// As for [`Chain::new`].
    pub fn new(cells: &[Cell], lambda: f64, seed: u64) -> Result<Self, ChainError> {
        let chain = Chain::new(cells, lambda)?;
        let mut tiled = Self {
            lambda,
            acceptance: acceptance_by_index(&chain),
            draws: Draws::new(seed),
            amoebots: cells.len() as u64,
            first: (0, 0),
            width: 0,
            bytes: Vec::new(),
            edges: chain.edges(),
            windows: 0,
            steps: 0,
            moves: 0,
        };
        tiled.lay_out(&chain, MARGIN)?;
        Ok(tiled)
    }

    /// Lays out a grid with this many additional free cells on all sides.
    ///
    /// # Errors
    ///
    /// The grid would cross the limit of the lattice. The chain is then unchanged.
    fn lay_out(&mut self, chain: &Chain, margin: usize) -> Result<(), ChainError> {
        // The grid of the chain already has its own margin.
        let max = Cell::COORDINATE_MAX - margin as i32 - crate::chain::grid::MARGIN;
        let is_beyond = |cell: &Cell| cell.x().abs() > max || cell.y().abs() > max;
        if let Some(cell) = chain.cells().into_iter().find(is_beyond) {
            return Err(ChainError::NearLimit { cell, max });
        }
        let grid = &chain.grid;
        let height = grid.bytes.len() / grid.width;
        self.first = (grid.first.0 - margin as i32, grid.first.1 - margin as i32);
        self.width = grid.width + 2 * margin;
        self.bytes = vec![0; self.width * (height + 2 * margin)];
        let masks = masks(grid);
        for y in 0..height {
            let from = y * grid.width..(y + 1) * grid.width;
            let start = (y + margin) * self.width + margin;
            let into = &mut self.bytes[start..start + grid.width];
            for (byte, (mask, occupied)) in
                into.iter_mut().zip(masks[from.clone()].iter().zip(&grid.bytes[from]))
            {
                *byte = mask | (occupied * OCCUPIED);
            }
        }
        Ok(())
    }

    /// Runs this many windows; returns the number of moves.
    ///
    /// # Errors
    ///
    /// The amoebots have spread so far that a new grid would be too large, or cross the limit of the lattice.
    pub fn run(&mut self, windows: u64) -> Result<u64, ChainError> {
        let before = self.moves;
        for _ in 0..windows {
            self.window()?;
        }
        Ok(self.moves - before)
    }

    fn window(&mut self) -> Result<(), ChainError> {
        let shift = self.draws.stream(Purpose::Topology, self.windows).word(0);
        let (shift_x, shift_y) = (shift as usize % SIDE, (shift >> 32) as usize % SIDE);
        let height = self.bytes.len() / self.width;
        let (columns, rows) = ((self.width - shift_x) / SIDE, (height - shift_y) / SIDE);
        let place = |tile: usize| (shift_y + tile / columns * SIDE, shift_x + tile % columns * SIDE);
        let run = |tile: usize| self.tile(tile, place(tile));
        let tiles = columns * rows;
        let done: Vec<Option<WindowTile>> = if tiles < PARALLEL_MIN {
            (0..tiles).map(run).collect()
        } else {
            (0..tiles).into_par_iter().map(run).collect()
        };
        let mut near_border = false;
        for tile in done.into_iter().flatten() {
            for (y, row) in tile.bytes.chunks_exact(SIDE).enumerate() {
                let start = (tile.at.0 + y) * self.width + tile.at.1;
                self.bytes[start..start + SIDE].copy_from_slice(row);
            }
            self.steps += tile.steps;
            self.moves += tile.moves;
            self.edges = self.edges.wrapping_add_signed(tile.gain);
            near_border |= tile.near_border;
        }
        self.windows += 1;
        if near_border {
            // Amoebots have no identities here.
            let cells = self.cells();
            let chain = Chain::new(&cells, self.lambda).map_err(|error| error.of_a_step(&cells, false))?;
            self.lay_out(&chain, MARGIN).map_err(|error| error.of_a_step(&cells, false))?;
        }
        Ok(())
    }

    /// Processes a tile in a window; `None` if it has no amoebots.
    fn tile(&self, number: usize, at: (usize, usize)) -> Option<WindowTile> {
        let row = |y: usize| {
            let start = (at.0 + y) * self.width + at.1;
            &self.bytes[start..start + SIDE]
        };
        if (0..SIDE).all(|y| row(y).iter().all(|byte| byte & OCCUPIED == 0)) {
            return None;
        }
        let mut bytes = Box::new([0; SIDE * SIDE]);
        for (y, into) in bytes.chunks_exact_mut(SIDE).enumerate() {
            into.copy_from_slice(row(y));
        }
        let mut tile = WindowTile { at, bytes, steps: 0, moves: 0, gain: 0, near_border: false };
        let stream = self.draws.stream(Purpose::Section, self.windows);
        let first = (number * ATTEMPTS) as u64;
        for attempt in 0..ATTEMPTS as u64 {
            let (cell, direction, q) = split(stream.word(first + attempt), (INSIDE * INSIDE) as u32);
            let (y, x) = (cell / INSIDE, cell % INSIDE);
            tile.attempt((y + REACH, x + REACH), direction, q, &self.acceptance);
        }
        tile.near_border = self.is_near_border(&tile);
        Some(tile)
    }

    /// Whether an amoebot in the tile is less than a tile away from the border of the grid.
    fn is_near_border(&self, tile: &WindowTile) -> bool {
        let height = self.bytes.len() / self.width;
        let inside = |at: usize, side: usize| (SIDE..side - SIDE).contains(&at);
        let inside_all = |at: usize, side: usize| inside(at, side) && inside(at + SIDE - 1, side);
        if inside_all(tile.at.0, height) && inside_all(tile.at.1, self.width) {
            return false;
        }
        let occupied = tile.bytes.iter().enumerate().filter(|(_, byte)| **byte & OCCUPIED != 0);
        occupied
            .map(|(at, _)| (tile.at.0 + at / SIDE, tile.at.1 + at % SIDE))
            .any(|(y, x)| !inside(y, height) || !inside(x, self.width))
    }

    /// Appends the state: the position of the grid, the occupied cells as distances from one to the next, and the
    /// counters.
    pub(in crate::chain) fn save(&self, into: &mut Vec<u8>) -> bool {
        (self.draws.seed(), self.edges).pack(into);
        (self.windows, self.steps, self.moves).pack(into);
        (self.first, self.width, self.bytes.len()).pack(into);
        let mut last = 0;
        for (at, _) in self.bytes.iter().enumerate().filter(|(_, byte)| **byte & OCCUPIED != 0) {
            (at - last).pack(into);
            last = at;
        }
        true
    }

    /// Restores the state that [`save`](Self::save) wrote for a chain with the same start and seed.
    pub(in crate::chain) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let seed: u64;
        (seed, self.edges) = Pack::unpack(from)?;
        (self.windows, self.steps, self.moves) = Pack::unpack(from)?;
        let place @ (_, _, length) = Pack::unpack(from)?;
        if seed != self.draws.seed() {
            return Err(PackError);
        }
        let mut grid = Grid::placed(place, self.amoebots as usize, 0).ok_or(PackError)?;
        let mut at = 0_usize;
        for _ in 0..self.amoebots {
            at = at.checked_add(usize::unpack(from)?).ok_or(PackError)?;
            let is_free = at < length && grid.has_surroundings(at) && grid.bytes[at] == 0;
            if !is_free {
                return Err(PackError);
            }
            grid.bytes[at] = 1;
        }
        self.bytes = masks(&grid);
        for (byte, occupied) in self.bytes.iter_mut().zip(&grid.bytes) {
            *byte |= occupied * OCCUPIED;
        }
        (self.first, self.width) = (grid.first, grid.width);
        Ok(())
    }

    /// The occupied cells, row by row. O(area).
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let occupied = self.bytes.iter().enumerate().filter(|(_, byte)| **byte & OCCUPIED != 0);
        let cell = |(at, _)| {
            let (x, y) = (at % self.width, at / self.width);
            Cell::new(self.first.0 + x as i32, self.first.1 + y as i32)
        };
        occupied.map(|byte| cell(byte).expect("amoebots stay within the lattice")).collect()
    }

    /// The number of windows so far.
    #[must_use]
    pub fn windows(&self) -> u64 {
        self.windows
    }

    /// The number of steps of chain M so far: attempts in which an amoebot was picked.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of moves so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The paper's e(σ): the number of pairs of adjacent amoebots.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The paper's p(σ), the perimeter: 3n - 3 - e, since there are no holes.
    #[must_use]
    pub fn perimeter(&self) -> u64 {
        3 * self.amoebots - 3 - self.edges
    }

    /// The digest of the occupied cells. O(area).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.cells())
    }

    /// The bytes that the run takes between windows.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

impl WindowTile {
    /// Makes one attempt at a cell of the interior.
    #[inline(always)]
    fn attempt(&mut self, cell: (usize, usize), direction: u32, q: u64, acceptance: &[u64; 512]) {
        let at = cell.0 * SIDE + cell.1;
        let offset = OFFSETS[direction as usize % DIRECTIONS.get() as usize];
        let target = at.wrapping_add_signed(offset) % (SIDE * SIDE);
        let own = self.bytes[at];
        let index = index(own & 0b11_1111, self.bytes[target] & 0b11_1111, direction);
        let is_occupied = u64::from(own & OCCUPIED != 0);
        self.steps += is_occupied;
        // One branch, rarely taken.
        if q < acceptance[index] * is_occupied {
            self.relocate(at, target, index);
        }
    }

    /// Moves an amoebot, unless the move would leave the interior of the tile. From outside the interior the amoebot
    /// could not move back in this window, so the step would not be reversible.
    #[inline(never)]
    fn relocate(&mut self, at: usize, target: usize, index: usize) {
        let inside = REACH..SIDE - REACH;
        if !inside.contains(&(target / SIDE)) || !inside.contains(&(target % SIDE)) {
            return;
        }
        let ring = EdgeRing((index >> 1) as u8);
        self.bytes[at] &= !OCCUPIED;
        self.bytes[target] |= OCCUPIED;
        for (d, offset) in OFFSETS.into_iter().enumerate() {
            let back = 1 << ((d + 3) % 6);
            self.bytes[at.wrapping_add_signed(offset)] &= !back;
            self.bytes[target.wrapping_add_signed(offset)] |= back;
        }
        self.moves += 1;
        self.gain += i64::from(ring.neighbours_after()) - i64::from(ring.neighbours_before());
    }
}

/// The offset from a cell of a tile to its neighbour in each direction.
const OFFSETS: [isize; 6] = {
    let mut offsets = [0; 6];
    let mut d = 0;
    while d < 6 {
        let (dx, dy) = Direction::from_index(d as u8).step();
        offsets[d] = dy as isize * SIDE as isize + dx as isize;
        d += 1;
    }
    offsets
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start;

    #[test]
    fn the_grid_is_laid_out_again_before_an_amoebot_leaves_it() {
        let line = start::line(Cell::ORIGIN, Direction::East, 70).unwrap();
        let mut narrow = TiledChain::new(&line, 1.0, 1).unwrap();
        let wide = narrow.bytes();
        narrow.lay_out(&Chain::new(&line, 1.0).unwrap(), SIDE / 2 - 1).unwrap();
        assert_eq!(narrow.cells(), line);
        assert!(narrow.bytes() < wide);
        for _ in 0..200 {
            narrow.run(1).unwrap();
            assert_eq!(narrow.cells().len(), 70);
        }
        assert!(narrow.bytes() >= wide);
        assert_eq!(Chain::new(&narrow.cells(), 1.0).unwrap().edges(), narrow.edges());
    }

    /// Regression: the grid and the amoebots went beyond the limit of the lattice, and the program panicked.
    #[test]
    fn tiles_near_the_limit_of_the_lattice_end_with_a_cell() {
        let margin = SIDE / 2 - 1;
        let first = Cell::COORDINATE_MAX - margin as i32 - crate::chain::grid::MARGIN;
        for (x, direction) in [(first, Direction::West), (-first, Direction::East)] {
            let line = start::line(Cell::new(x, 0).unwrap(), direction, 12).unwrap();
            assert!(matches!(TiledChain::new(&line, 0.5, 1), Err(ChainError::NearLimit { .. })));
            let far_off = start::line(Cell::ORIGIN, direction, 12).unwrap();
            let mut tiles = TiledChain::new(&far_off, 0.5, 1).unwrap();
            tiles.lay_out(&Chain::new(&line, 0.5).unwrap(), margin).unwrap();
            let error = tiles.run(1_000).unwrap_err();
            let ChainError::AtLimit { amoebot: None, cell, max } = error else { panic!("{error}") };
            assert!(cell.x().abs() > max && tiles.cells().contains(&cell), "{error}");
            assert_eq!(tiles.cells().len(), 12);
        }
    }
}
