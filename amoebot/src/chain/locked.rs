//! Chains with locks on cells: waves of steps at edges so far apart that no step reads a cell that another one changes.
//!
//! Locks on amoebots do not cover free cells, but steps of chain M and of separation depend on them. So cells are
//! locked here. A step along an edge of the lattice locks its two ends and the [`Ring`](super::Ring) around them, ten
//! cells, and reads and writes nothing else. A wave draws one of the three axes and one of [`PERIOD`]² shifts. It locks
//! each edge of that axis that begins at a cell of the shifted lattice. No two of these edges lock a common cell. An
//! amoebot at one end of a locked edge then tries to move to the other end, with the probability of the chain. If both
//! ends are occupied, the amoebots do what the rule defines for two amoebots.
//!
//! So a wave is equivalent to its steps in any order. The edges are chosen independently of the amoebots, and either
//! end of an edge can be the start of a step. So a step is reversible for the distribution of the chain, as is a wave,
//! and that distribution stays stationary. Competition of amoebots for locks would break this, since winning would
//! depend on nearby amoebots. As in [tiles](super::compression::TiledChain), a step has another meaning than in the
//! chain. Edges are drawn instead of amoebots, an amoebot acts in one of eight to sixteen waves, and times are not
//! those of the chain.
//!
//! Phototaxis reads cells further away: whether an amoebot sees the light depends on its whole row. All steps of a wave
//! read the state before the wave. That is equivalent to executing the steps in order, the amoebots furthest from the
//! light first, since no amoebot looks away from the light. The chain of phototaxis is not reversible, and its
//! stationary distribution in waves is unknown.
//!
//! *Tiles.* A window instead locks square tiles with a random shift. In each tile its amoebots make steps of the chain
//! one after another, on average four per amoebot. Steps that would touch the border of the tile are dropped. No
//! amoebot enters or leaves a tile, so each step is as probable as its inverse, and the distribution stays stationary.
//! A window is equivalent to its steps tile by tile; with a light, the tiles furthest from the light come first.
//!
//! All draws are functions of seed, wave and amoebot: the result does not depend on the number of threads.

use acrasin_engine::{Draws, Purpose};
use acrasin_runtime::{Pack, PackError};
use rayon::prelude::*;

use super::error::ChainError;
use super::markov::{CERTAIN, ChainRule, MarkovChain};
use crate::model::lattice::Direction;

mod tiles;

use tiles::{PARALLEL_MIN, Windows};

/// The distance between locked edges along rows and along columns, in cells. The ten locked cells of an edge span four
/// rows or columns.
const PERIOD: i32 = 4;

/// A chain in waves of locked edges, or in windows of locked tiles.
///
/// ```
/// use acrasin_amoebot::chain::LockedChain;
/// use acrasin_amoebot::{Cell, Direction, Separation, start};
///
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 60)?;
/// let colours: Vec<u8> = (0..60).map(|i| i % 2).collect();
/// let mixed = Separation::new(&cells, &colours, 4.0, 4.0)?;
/// let mut waves = LockedChain::new(mixed.clone(), 1);
/// waves.run(200_000)?;
/// assert!(waves.chain().unlike_edges() < mixed.unlike_edges() / 2);
/// let mut windows = LockedChain::with_tiles(mixed.clone(), 1);
/// windows.run(10_000)?;
/// assert!(windows.chain().unlike_edges() < mixed.unlike_edges() / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LockedChain<R> {
    pub(super) chain: MarkovChain<R>,
    draws: Draws,
    waves: u64,
    locks: LockedCells,
}

/// The cells that a wave or window locks.
#[derive(Clone, Copy, Debug)]
enum LockedCells {
    /// The cells of edges that are `period` cells apart.
    Edges { period: i32 },
    /// Whole tiles, for steps in windows.
    Tiles(Windows),
}

/// The locked edges of a wave: edges of one axis, in one of its directions, that begin at cells of a shifted
/// lattice.
#[derive(Clone, Copy, Debug)]
struct LockedEdges {
    axis: Direction,
    period: i32,
    shift: (i32, i32),
}

impl LockedEdges {
    /// Whether a locked edge begins at a cell.
    fn begin(self, x: i32, y: i32) -> bool {
        (x - self.shift.0).rem_euclid(self.period) == 0 && (y - self.shift.1).rem_euclid(self.period) == 0
    }
}

/// A step along a locked edge, with the amoebot that makes this step.
struct LockedStep<C> {
    amoebot: usize,
    direction: Direction,
    change: C,
}

impl<R: ChainRule<Change: Send> + Sync> LockedChain<R> {
    /// Continues this chain in edge-locked waves, with an independent random stream.
    #[must_use]
    pub fn new(chain: MarkovChain<R>, seed: u64) -> Self {
        Self { chain, draws: Draws::new(seed), waves: 0, locks: LockedCells::Edges { period: PERIOD } }
    }

    /// Continues this chain in windows of locked tiles, with an independent random stream.
    #[must_use]
    pub fn with_tiles(chain: MarkovChain<R>, seed: u64) -> Self {
        let windows = Windows { draws: Draws::new(seed), side: tiles::SIDE, margin: tiles::MARGIN };
        Self { locks: LockedCells::Tiles(windows), ..Self::new(chain, seed) }
    }

    /// Checks that the grid has room for the first window, and enlarges it if necessary.
    ///
    /// # Errors
    ///
    /// Tiles around the amoebots would need too large a grid, or cross the limit of the lattice.
    pub(crate) fn with_room(mut self) -> Result<Self, ChainError> {
        if let LockedCells::Tiles(windows) = self.locks {
            windows.make_room(&mut self.chain)?;
        }
        Ok(self)
    }

    /// Makes this many waves or windows; returns the number of steps that changed something. A wave or window takes
    /// O(amoebots).
    ///
    /// # Errors
    ///
    /// The amoebots have spread so far that a new grid would be too large, or cross the limit of the lattice.
    pub fn run(&mut self, waves: u64) -> Result<u64, ChainError> {
        let before = self.chain.moves();
        for _ in 0..waves {
            let made = match self.locks {
                LockedCells::Edges { period } => self.wave(period),
                LockedCells::Tiles(windows) => windows.window(&mut self.chain, self.waves),
            };
            // A wave that reached the limit of the lattice has moved some amoebots, so it counts.
            self.waves += 1;
            made?;
        }
        Ok(self.chain.moves() - before)
    }

    fn wave(&mut self, period: i32) -> Result<(), ChainError> {
        let edges = self.edges(period);
        let amoebots = 0..self.chain.positions.len();
        let step = |amoebot| self.step_of(amoebot, edges);
        // All steps are decided before any is made, since no step reads cells that another one changes.
        let steps: Vec<(usize, Direction)> = if amoebots.len() < PARALLEL_MIN {
            amoebots.filter_map(step).collect()
        } else {
            amoebots.into_par_iter().with_min_len(PARALLEL_MIN / 4).filter_map(step).collect()
        };
        let accepted = |(amoebot, direction): &(usize, Direction)| self.accepted(*amoebot, *direction);
        let done: Vec<LockedStep<R::Change>> = if steps.len() < PARALLEL_MIN {
            steps.iter().filter_map(accepted).collect()
        } else {
            steps.par_iter().with_min_len(PARALLEL_MIN / 4).filter_map(accepted).collect()
        };
        self.chain.steps += steps.len() as u64;
        for LockedStep { amoebot, direction, change } in done {
            // Making a step may lay out a new grid, so the target is looked up here.
            let sight =
                self.chain.grid.sight(self.chain.positions[amoebot] as usize, direction.index().into());
            let target = sight.target;
            self.chain.make(amoebot, target, change)?;
        }
        Ok(())
    }

    /// The edges that the next wave locks.
    fn edges(&self, period: i32) -> LockedEdges {
        let words = self.draws.stream(Purpose::Topology, self.waves);
        let word = words.word(0);
        // Scaled products of 32 bits: for a bound of 3 the bias is below 2^-30.
        let below = |bits: u64, bound: u64| ((bits & u64::from(u32::MAX)) * bound) >> 32;
        let class = below(word >> 32, (period * period) as u64) as i32;
        let axis = Direction::from_index(below(word, 3) as u8);
        // In half of the waves edges begin at their other end.
        let axis = if R::HAS_SIDES && words.word(1) % 2 == 1 { axis.opposite() } else { axis };
        LockedEdges { axis, period, shift: (class % period, class / period) }
    }

    /// The amoebot and the direction in which it tries to move; `None` if it is not at a locked edge. If both ends have
    /// an amoebot, only the one at the beginning of the edge acts.
    fn step_of(&self, amoebot: usize, edges: LockedEdges) -> Option<(usize, Direction)> {
        let grid = &self.chain.grid;
        let at = self.chain.positions[amoebot] as usize;
        let (x, y) = (grid.first.0 + (at % grid.width) as i32, grid.first.1 + (at / grid.width) as i32);
        if edges.begin(x, y) {
            return Some((amoebot, edges.axis));
        }
        let (dx, dy) = edges.axis.step();
        let back = edges.axis.opposite();
        let is_alone = || !R::is_occupied(grid.sight(at, back.index().into()).other());
        (edges.begin(x - dx, y - dy) && is_alone()).then_some((amoebot, back))
    }

    /// The step of an amoebot; `None` if the draw q rejects the step.
    fn accepted(&self, amoebot: usize, direction: Direction) -> Option<LockedStep<R::Change>> {
        let at = self.chain.positions[amoebot] as usize;
        let (change, acceptance) =
            self.chain.rule().propose(self.chain.grid.sight(at, direction.index().into()));
        let q = self.draws.stream(Purpose::Section, self.waves).word(amoebot as u64) % CERTAIN;
        (q < acceptance).then_some(LockedStep { amoebot, direction, change })
    }

    /// Appends the state. Returns `false` if the rule cannot be saved.
    pub(super) fn save(&self, into: &mut Vec<u8>) -> bool {
        (self.draws.seed(), self.waves).pack(into);
        self.chain.save(into)
    }

    /// Restores the state that [`save`](Self::save) wrote for a chain with the same start and seed.
    pub(super) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let (seed, waves) = <(u64, u64)>::unpack(from)?;
        if seed != self.draws.seed() {
            return Err(PackError);
        }
        self.waves = waves;
        self.chain.load(from)
    }

    pub(super) fn is_in_tiles(&self) -> bool {
        matches!(self.locks, LockedCells::Tiles(_))
    }

    /// The chain in its state after the last wave or window.
    #[must_use]
    pub fn chain(&self) -> &MarkovChain<R> {
        &self.chain
    }

    /// The number of waves or windows so far.
    #[must_use]
    pub fn waves(&self) -> u64 {
        self.waves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::bridging::Bridging;
    use crate::chain::compression::Chain;
    use crate::chain::foraging::{Foraging, Lambdas, News};
    use crate::chain::phototaxis::Phototaxis;
    use crate::chain::separation::Separation;
    use crate::model::lattice::Cell;
    use crate::start;
    use acrasin_runtime::Seeded;

    /// A sort key by column and row of a cell or a tile: the largest comes first.
    type Order = fn((i32, i32)) -> i32;

    fn ten_cells(from: Cell, direction: Direction) -> Vec<Cell> {
        let to = from.neighbour(direction).unwrap();
        let mut cells: Vec<Cell> = from.neighbours().chain(to.neighbours()).collect();
        cells.sort();
        cells.dedup();
        cells
    }

    /// Two locked edges of one axis that are a period apart, along rows, columns or both, have no locked cell in
    /// common. With a period of three some pairs have one.
    #[test]
    fn locked_edges_have_no_cell_in_common() {
        let common = |period: i32| {
            Direction::ALL.iter().any(|direction| {
                let own = ten_cells(Cell::ORIGIN, *direction);
                assert_eq!(own.len(), 10);
                let shifts = (-2..=2).flat_map(|x| (-2..=2).map(move |y| (x * period, y * period)));
                shifts.filter(|shift| *shift != (0, 0)).any(|(x, y)| {
                    let other = ten_cells(Cell::new(x, y).unwrap(), *direction);
                    other.iter().any(|cell| own.contains(cell))
                })
            })
        };
        assert!(!common(PERIOD));
        assert!(common(PERIOD - 1));
    }

    /// A state in which some amoebots know that there is food, and others do not yet.
    fn with_news(cells: &[Cell]) -> MarkovChain<News> {
        let mut foraging = Foraging::new(cells, Lambdas { search: 1.2, gather: 4.0 }, 10_000).unwrap();
        foraging.run(14_000, &mut Seeded::new(1)).unwrap();
        assert!(!foraging.all_know() && foraging.informed() > 5);
        foraging.chain().clone()
    }

    /// Executes the steps of a wave sequentially, each by the rule at its moment, in descending order of the
    /// key.
    fn one_after_another<R: ChainRule<Change: Send> + Sync + Clone>(
        waves: &LockedChain<R>,
        edges: LockedEdges,
        order: Order,
    ) -> LockedChain<R> {
        let mut alone = waves.clone();
        let mut amoebots: Vec<usize> = (0..alone.chain.positions.len()).collect();
        amoebots.sort_by_key(|amoebot| {
            let cell = alone.chain.grid.cell(alone.chain.positions[*amoebot] as usize);
            std::cmp::Reverse(order((cell.x(), cell.y())))
        });
        for amoebot in amoebots {
            let Some((_, direction)) = waves.step_of(amoebot, edges) else { continue };
            if let Some(LockedStep { change, .. }) = alone.accepted(amoebot, direction) {
                let at = alone.chain.positions[amoebot] as usize;
                let target = alone.chain.grid.sight(at, direction.index().into()).target;
                alone.chain.make(amoebot, target, change).unwrap();
            }
        }
        alone
    }

    fn are_alike<R: ChainRule>(one: &MarkovChain<R>, other: &MarkovChain<R>) -> bool {
        one.cells() == other.cells()
            && one.amoebot_bytes() == other.amoebot_bytes()
            && one.rule().counts(one.perimeter(), one.edges())
                == other.rule().counts(other.perimeter(), other.edges())
    }

    fn in_any_order(_: (i32, i32)) -> i32 {
        0
    }

    /// Compares many waves with their steps executed sequentially.
    fn waves_are_their_steps<R: ChainRule<Change: Send> + Sync + Clone>(
        start: MarkovChain<R>,
        period: i32,
        order: Order,
    ) -> bool {
        let mut waves = LockedChain::new(start, 3);
        (0..400).all(|_| {
            let alone = one_after_another(&waves, waves.edges(period), order);
            waves.wave(period).unwrap();
            waves.waves += 1;
            are_alike(&waves.chain, &alone.chain)
        })
    }

    /// The cells and colours of a start that all rules except phototaxis accept.
    fn solid() -> (Vec<Cell>, Vec<u8>) {
        let cells = start::spiral(Cell::ORIGIN, Direction::East, 400).unwrap();
        (cells, (0..400).map(|i| (i % 3) as u8).collect())
    }

    fn bridging(cells: &[Cell]) -> Bridging {
        Bridging::new(&cells[2..], &cells[..2], |cell| cell.y() % 3 != 0, 1.2, 1.1).unwrap()
    }

    #[test]
    fn a_wave_is_its_steps_in_another_order() {
        let (cells, colours) = solid();
        let chain = || Chain::new(&cells, 1.2).unwrap();
        let separation = || Separation::new(&cells, &colours, 1.2, 1.1).unwrap();
        assert!(waves_are_their_steps(chain(), PERIOD, in_any_order));
        assert!(waves_are_their_steps(separation(), PERIOD, in_any_order));
        assert!(waves_are_their_steps(bridging(&cells), PERIOD, in_any_order));
        assert!(waves_are_their_steps(with_news(&cells), PERIOD, in_any_order));
        // If edges are too close, steps read cells that others change.
        assert!(!waves_are_their_steps(chain(), PERIOD - 2, in_any_order));
        assert!(!waves_are_their_steps(separation(), PERIOD - 2, in_any_order));
        assert!(!waves_are_their_steps(with_news(&cells), PERIOD - 2, in_any_order));
    }

    /// The distance of a cell from each of two lights, in the east and in the south-east.
    const LIGHTS: [(Direction, Order); 2] =
        [(Direction::East, |(x, _)| -x), (Direction::SouthEast, |(_, y)| y)];

    #[test]
    fn with_a_light_amoebots_further_from_it_go_first() {
        // Two arms. One of them shades the other.
        let arm = |x: i32| (0..12).map(move |y| Cell::new(x, y).unwrap());
        let between = (1..4).map(|x| Cell::new(x, 0).unwrap());
        let arms: Vec<Cell> = arm(0).chain(arm(4)).chain(between).collect();
        for cells in [&solid().0, &arms] {
            for (towards, distance) in LIGHTS {
                let start = || Phototaxis::new(cells, 1.2, 0.25, towards).unwrap();
                assert!(waves_are_their_steps(start(), PERIOD, distance));
                assert!(windows_are_their_steps(start(), tiles::MARGIN, distance));
            }
        }
        // In another order some step reads cells that another one has changed.
        let (towards, distance) = LIGHTS[0];
        let start = || Phototaxis::new(&arms, 1.0, 0.25, towards).unwrap();
        let alike = |order| (0..2_000).filter(|seed| is_first_wave_alike(start(), *seed, order)).count();
        assert_eq!((alike(distance), alike(|(x, _)| x) < 2_000), (2_000, true));
        assert!(!windows_are_their_steps(start(), tiles::MARGIN, |(x, _)| x));
    }

    /// Whether the first wave gives the same result as its steps in this order.
    fn is_first_wave_alike<R: ChainRule<Change: Send> + Sync + Clone>(
        start: MarkovChain<R>,
        seed: u64,
        order: Order,
    ) -> bool {
        let mut waves = LockedChain::new(start, seed);
        let alone = one_after_another(&waves, waves.edges(PERIOD), order);
        waves.wave(PERIOD).unwrap();
        are_alike(&waves.chain, &alone.chain)
    }

    /// Compares many windows of small tiles with their steps in the whole grid, tile by tile in descending order
    /// of the key.
    fn windows_are_their_steps<R: ChainRule<Change: Send> + Sync + Clone>(
        start: MarkovChain<R>,
        margin: usize,
        order: Order,
    ) -> bool {
        let windows = Windows { draws: Draws::new(3), side: 8, margin };
        let mut chain = start;
        let is_same = (0..100).all(|window| {
            let mut alone = chain.clone();
            windows.window_alone(&mut alone, window, order);
            windows.window(&mut chain, window).unwrap();
            are_alike(&chain, &alone) && chain.steps() == alone.steps()
        });
        assert!(chain.moves() > 50, "{}", chain.moves());
        is_same
    }

    #[test]
    fn a_window_is_its_steps_tile_by_tile() {
        let (cells, colours) = solid();
        let chain = || Chain::new(&cells, 1.2).unwrap();
        let separation = || Separation::new(&cells, &colours, 1.2, 1.1).unwrap();
        let mixed = |(x, y): (i32, i32)| (x + 5 * y).rem_euclid(7);
        for order in [in_any_order, mixed] {
            assert!(windows_are_their_steps(chain(), tiles::MARGIN, order));
            assert!(windows_are_their_steps(separation(), tiles::MARGIN, order));
            assert!(windows_are_their_steps(bridging(&cells), tiles::MARGIN, order));
            assert!(windows_are_their_steps(with_news(&cells), tiles::MARGIN, order));
        }
        // Without a margin steps read cells of other tiles that have changed meanwhile.
        assert!(!windows_are_their_steps(chain(), 0, in_any_order));
        assert!(!windows_are_their_steps(separation(), 0, in_any_order));
        assert!(!windows_are_their_steps(with_news(&cells), 0, in_any_order));
    }

    /// Two amoebots wander for a long time. The grid is enlarged before they reach its border, so it always contains
    /// both.
    #[test]
    fn the_grid_follows_windows() {
        let pair = [Cell::ORIGIN, Cell::new(1, 0).unwrap()];
        let windows = Windows { draws: Draws::new(1), side: 8, margin: tiles::MARGIN };
        let mut chain = Chain::new(&pair, 1.0).unwrap();
        let (mut layouts, mut furthest) = (0, 0);
        for window in 0..40_000 {
            let first = chain.grid.first;
            windows.window(&mut chain, window).unwrap();
            layouts += u32::from(first != chain.grid.first);
            let cells = chain.cells();
            assert!(cells[0].direction_to(cells[1]).is_some());
            furthest = furthest.max(cells[0].x().abs());
        }
        assert!(layouts > 5 && furthest > 24, "{layouts} {furthest}");
    }
}
