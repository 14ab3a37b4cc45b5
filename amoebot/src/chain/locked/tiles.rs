//! Windows of disjoint tiles: many steps one after another in each tile.

use std::num::NonZeroU32;

use acrasin_engine::{Draws, Purpose};
use acrasin_runtime::choice::{Choices, Decision};
use rayon::prelude::*;

use crate::chain::error::ChainError;
use crate::chain::grid::Grid;
use crate::chain::markov::{ChainRule, DIRECTIONS, MarkovChain, is_accepted};
use crate::model::lattice::Cell;

/// The number of amoebots from which a window runs on several threads.
pub(super) const PARALLEL_MIN: usize = 1 << 13;

/// The number of cells along a tile. The bytes of a tile stay in the L1 cache.
pub(super) const SIDE: usize = 64;

/// The distance from a tile's border within which no step changes cells. Then steps read nothing outside the tile.
pub(super) const MARGIN: usize = 1;

/// The average number of steps per amoebot in a window.
const STEPS_EACH: usize = 4;

/// The width of the frame around a tile, which contains a copy of the adjacent cells. No step reads it.
const FRAME: usize = 1;

/// The division of the grid into tiles in a window.
#[derive(Clone, Copy, Debug)]
struct WindowGrid {
    side: usize,
    /// The number of columns and rows by which the first tile begins before the grid.
    before: (usize, usize),
    columns: usize,
}

/// The task of a tile: its amoebots, as a part of the list sorted by tiles, and its corner in the grid.
struct TileTask<'a> {
    amoebots: &'a [u32],
    corner: (i32, i32),
}

/// The result of a tile.
struct TileOutcome<C> {
    grid: Grid,
    /// The indices in the grid of the tile's amoebots after the window.
    positions: Vec<u32>,
    /// The changes that were made, in order.
    changes: Vec<C>,
    steps: u64,
}

impl WindowGrid {
    /// Divides the grid into tiles. The division depends only on the lattice, not on where the grid begins.
    fn of(grid: &Grid, side: usize, shift: (u32, u32)) -> Self {
        let before = |first: i32, shift: u32| {
            (first - (shift as usize % side) as i32).rem_euclid(side as i32) as usize
        };
        let before = (before(grid.first.0, shift.0), before(grid.first.1, shift.1));
        Self { side, before, columns: (grid.width + before.0).div_ceil(side) }
    }

    fn tiles(self, grid: &Grid) -> usize {
        (grid.height() + self.before.1).div_ceil(self.side) * self.columns
    }

    /// The tile of a position in the grid.
    fn tile(self, (x, y): (usize, usize)) -> usize {
        (y + self.before.1) / self.side * self.columns + (x + self.before.0) / self.side
    }

    fn corner(self, tile: usize) -> (i32, i32) {
        let along = |number: usize, before: usize| (number * self.side) as i32 - before as i32;
        (along(tile % self.columns, self.before.0), along(tile / self.columns, self.before.1))
    }
}

/// The parameters of windows: the draws, and the size of tiles and of their margins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub(super) draws: Draws,
    /// The number of cells along a tile.
    pub(super) side: usize,
    /// The distance from a tile's border within which no amoebot acts.
    pub(super) margin: usize,
}

impl Windows {
    /// Executes the window with this number.
    pub(super) fn window<R: ChainRule<Change: Send> + Sync>(
        self,
        chain: &mut MarkovChain<R>,
        window: u64,
    ) -> Result<(), ChainError> {
        self.make_room(chain).map_err(|error| error.of_a_step(&chain.cells(), true))?;
        let (cut, order, ends) = self.sorted(chain, window);
        let begin = |tile: usize| if tile == 0 { 0 } else { ends[tile - 1] };
        let work: Vec<TileTask<'_>> = (0..ends.len())
            .filter(|tile| begin(*tile) < ends[*tile])
            .map(|tile| TileTask { amoebots: &order[begin(tile)..ends[tile]], corner: cut.corner(tile) })
            .collect();
        let run = |work: &TileTask<'_>| self.tile(chain, cut, window, work);
        let done: Vec<TileOutcome<R::Change>> = if order.len() < PARALLEL_MIN {
            work.iter().map(run).collect()
        } else {
            work.par_iter().map(run).collect()
        };
        for (work, done) in work.iter().zip(done) {
            put_back(chain, cut.side, work, done);
        }
        Ok(())
    }

    /// Lays out a new grid if an amoebot could reach the border of the current grid in a window. No amoebot leaves its
    /// tile in a window.
    pub(super) fn make_room<R: ChainRule>(self, chain: &mut MarkovChain<R>) -> Result<(), ChainError> {
        if !R::FOLLOWS {
            return Ok(());
        }
        let (grid, side) = (&chain.grid, self.side);
        let inside = |at: usize, along: usize| (side..along.saturating_sub(side)).contains(&at);
        let is_inside = |at: &u32| {
            let (x, y) = place(grid, *at);
            inside(x, grid.width) && inside(y, grid.height())
        };
        if chain.positions.iter().all(is_inside) {
            return Ok(());
        }
        let cells: Vec<Cell> = chain.cells();
        chain.lay_out_round(&cells, 3 * side as i32)
    }

    /// The division of this window into tiles, the amoebots sorted by tile and identity, and the end of each tile's
    /// part of that list.
    fn sorted<R>(self, chain: &MarkovChain<R>, window: u64) -> (WindowGrid, Vec<u32>, Vec<usize>) {
        let shift = self.draws.stream(Purpose::Topology, window).word(0);
        let grid = &chain.grid;
        let cut = WindowGrid::of(grid, self.side, (shift as u32, (shift >> 32) as u32));
        let tiles: Vec<u32> = chain.positions.iter().map(|at| cut.tile(place(grid, *at)) as u32).collect();
        let mut ends = vec![0; cut.tiles(grid)];
        for tile in &tiles {
            ends[*tile as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // The next free index in the tile's part of the list.
            sum += std::mem::replace(end, sum);
        }
        let mut order = vec![0; tiles.len()];
        for (amoebot, tile) in (0..).zip(&tiles) {
            let end = &mut ends[*tile as usize];
            order[*end] = amoebot;
            *end += 1;
        }
        (cut, order, ends)
    }

    /// Processes a tile in a window: repeatedly draws an amoebot and makes one step of the chain with it.
    fn tile<R: ChainRule>(
        self,
        chain: &MarkovChain<R>,
        cut: WindowGrid,
        window: u64,
        work: &TileTask<'_>,
    ) -> TileOutcome<R::Change> {
        let whole = &chain.grid;
        let frame = FRAME as i32;
        let framed = cut.side + 2 * FRAME;
        let (column, row) = (work.corner.0 - frame, work.corner.1 - frame);
        let grid = whole.square((column, row), framed, R::FREE);
        let local = |amoebot: &u32| {
            let (x, y) = place(whole, chain.positions[*amoebot as usize]);
            ((y as i32 - row) as usize * framed + (x as i32 - column) as usize) as u32
        };
        let positions = work.amoebots.iter().map(local).collect();
        let steps = (work.amoebots.len() * STEPS_EACH) as u64;
        let mut done = TileOutcome { grid, positions, changes: Vec::new(), steps };
        let mut draws = self.draws.stream(Purpose::Section, window).of_node(work.amoebots[0]);
        let count = NonZeroU32::new(work.amoebots.len() as u32).expect("an amoebot is in the tile");
        let inside = FRAME + self.margin..FRAME + cut.side - self.margin;
        let is_inside = |at: usize| inside.contains(&(at % framed)) && inside.contains(&(at / framed));
        for _ in 0..steps {
            let amoebot = draws.pick(count, Decision::Activation) as usize;
            let direction = draws.pick(DIRECTIONS, Decision::Action) as usize;
            let at = done.positions[amoebot] as usize;
            let sight = done.grid.sight(at, direction);
            let target = sight.target;
            // Both nodes must be inside. So a step is allowed exactly if its reverse is, and the law stays the same.
            if !is_inside(at) || !is_inside(target) {
                continue;
            }
            let (x, y) = ((at % framed) as i32 + column, (at / framed) as i32 + row);
            let in_whole = y as usize * whole.width + x as usize;
            let (change, acceptance) = chain.rule().propose(sight.in_whole(whole, in_whole));
            if is_accepted(acceptance, &mut draws) {
                let bytes = &mut done.grid.bytes;
                (bytes[at], bytes[target]) = R::after(bytes[at], bytes[target]);
                if R::leaves(change) {
                    done.positions[amoebot] = target as u32;
                }
                done.changes.push(change);
            }
        }
        done
    }
}

/// The column and row of an index.
fn place(grid: &Grid, at: u32) -> (usize, usize) {
    (at as usize % grid.width, at as usize / grid.width)
}

/// Writes the result of a tile back into the chain.
fn put_back<R: ChainRule>(
    chain: &mut MarkovChain<R>,
    side: usize,
    work: &TileTask<'_>,
    done: TileOutcome<R::Change>,
) {
    chain.steps += done.steps;
    if done.changes.is_empty() {
        return;
    }
    for change in done.changes {
        chain.count(change);
    }
    let framed = side + 2 * FRAME;
    let whole = &mut chain.grid;
    for (from, into) in whole.rows_within(work.corner, side) {
        // The offset from a row of a tile to that row of its framed copy.
        let start = (from.start / side + FRAME) * framed + from.start % side + FRAME;
        whole.bytes[into].copy_from_slice(&done.grid.bytes[start..start + from.len()]);
    }
    for (amoebot, at) in work.amoebots.iter().zip(done.positions) {
        let (x, y) = (at as usize % framed - FRAME, at as usize / framed - FRAME);
        let (x, y) = (work.corner.0 + x as i32, work.corner.1 + y as i32);
        chain.positions[*amoebot as usize] = (y as usize * whole.width + x as usize) as u32;
    }
}

#[cfg(test)]
impl Windows {
    /// Executes the window sequentially in the whole grid, without copies. Tiles are processed in descending order of
    /// the key of their corners.
    pub(super) fn window_alone<R: ChainRule>(
        self,
        chain: &mut MarkovChain<R>,
        window: u64,
        order: fn((i32, i32)) -> i32,
    ) {
        self.make_room(chain).unwrap();
        let (cut, amoebots, ends) = self.sorted(chain, window);
        let first = chain.grid.first;
        let mut tiles: Vec<usize> = (0..ends.len()).collect();
        tiles.sort_by_key(|tile| {
            let (x, y) = cut.corner(*tile);
            std::cmp::Reverse(order((x + first.0, y + first.1)))
        });
        for tile in tiles {
            let begin = if tile == 0 { 0 } else { ends[tile - 1] };
            let amoebots = &amoebots[begin..ends[tile]];
            let Some(count) = NonZeroU32::new(amoebots.len() as u32) else { continue };
            let mut draws = self.draws.stream(Purpose::Section, window).of_node(amoebots[0]);
            let (column, row) = cut.corner(tile);
            let (margin, side) = (self.margin as i32, self.side as i32);
            for _ in 0..amoebots.len() * STEPS_EACH {
                chain.steps += 1;
                let amoebot = amoebots[draws.pick(count, Decision::Activation) as usize] as usize;
                let direction = draws.pick(DIRECTIONS, Decision::Action) as usize;
                let at = chain.positions[amoebot];
                let target = chain.grid.sight(at as usize, direction).target;
                let is_inside = |at: u32| {
                    let (x, y) = place(&chain.grid, at);
                    let inside = margin..side - margin;
                    inside.contains(&(x as i32 - column)) && inside.contains(&(y as i32 - row))
                };
                if !is_inside(at) || !is_inside(target as u32) {
                    continue;
                }
                let (change, acceptance) = chain.rule().propose(chain.grid.sight(at as usize, direction));
                if is_accepted(acceptance, &mut draws) {
                    chain.make(amoebot, target, change).unwrap();
                }
            }
        }
    }
}
