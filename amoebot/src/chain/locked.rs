//! Chains with locks on cells: waves of steps at edges that are so far apart that none looks at what another changes.
//!
//! Locks on amoebots do not cover free cells, and a step of chain M or of separation counts them. So here cells are locked: a step
//! along an edge of the lattice holds its two ends and the [`Ring`](super::Ring) round them, ten cells, and nothing else is read or
//! written. A wave draws one of the three axes and one of [`PERIOD`]² shifts, and locks each edge of that axis that begins at a
//! cell of the shifted lattice: the ten cells of one are never those of another. Whoever is at one end of a locked edge then
//! tries to go to the other end, with the probability of the chain; two amoebots at both ends do what the rule has for two.
//!
//! So a wave equals its steps one after another in any order. The edges are chosen without a look at the amoebots, and a step at
//! an edge of which either end may go to the other is reversible for the law of the chain; so is a wave, and the law of the chain
//! stays stationary. It would not if amoebots competed for locks: whether one wins would depend on who is near. What a step *is*
//! differs, as in [tiles](super::compression::TiledChain): edges are drawn instead of amoebots, an amoebot acts in one of
//! eight to sixteen waves, and times are not those of the chain.
//!
//! Compression, separation, bridging and foraging have such rules. Phototaxis has not: whether an amoebot sees the light is said by cells
//! far away.
//!
//! Everything drawn is a function of seed, wave and amoebot: the result does not depend on the number of threads.

use acrasin_engine::{Draws, Purpose};
use rayon::prelude::*;

use super::error::ChainError;
use super::markov::{CERTAIN, MarkovChain, Rule};
use crate::model::lattice::Direction;

/// Cells from one locked edge to the next, along rows and along columns: the ten cells of an edge span four.
const PERIOD: i32 = 4;

/// With fewer amoebots the other threads are not asked.
const PARALLEL_MIN: usize = 1 << 13;

/// A chain in waves of locked edges.
///
/// ```
/// use acrasin_amoebot::chain::LockedChain;
/// use acrasin_amoebot::{Cell, Direction, Separation, start};
///
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 60)?;
/// let colours: Vec<u8> = (0..60).map(|i| i % 2).collect();
/// let mut chain = LockedChain::new(Separation::new(&cells, &colours, 4.0, 4.0)?, 1);
/// let mixed = chain.chain().unlike_edges();
/// chain.run(200_000)?;
/// assert!(chain.chain().unlike_edges() < mixed / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LockedChain<R> {
    pub(super) chain: MarkovChain<R>,
    draws: Draws,
    waves: u64,
    period: i32,
}

/// What the one at a locked edge does.
struct Step<C> {
    amoebot: usize,
    direction: Direction,
    change: C,
}

impl<R: Rule<Change: Send> + Sync> LockedChain<R> {
    /// The chain from where it is, with draws of its own.
    #[must_use]
    pub fn new(chain: MarkovChain<R>, seed: u64) -> Self {
        Self { chain, draws: Draws::new(seed), waves: 0, period: PERIOD }
    }

    /// Some waves; how many steps changed something. O(amoebots) for a wave.
    ///
    /// # Errors
    ///
    /// The amoebots have spread so far that a new grid would be too large, or cross the limit of the lattice.
    pub fn run(&mut self, waves: u64) -> Result<u64, ChainError> {
        let before = self.chain.moves();
        for _ in 0..waves {
            self.wave()?;
        }
        Ok(self.chain.moves() - before)
    }

    fn wave(&mut self) -> Result<(), ChainError> {
        let edges = self.edges();
        let amoebots = 0..self.chain.positions.len();
        let step = |amoebot| self.step_of(amoebot, edges);
        // What each would do is found before anything is done: nobody sees what another changes.
        let steps: Vec<(usize, Direction)> = if amoebots.len() < PARALLEL_MIN {
            amoebots.filter_map(step).collect()
        } else {
            amoebots.into_par_iter().with_min_len(PARALLEL_MIN / 4).filter_map(step).collect()
        };
        let accepted = |(amoebot, direction): &(usize, Direction)| self.accepted(*amoebot, *direction);
        let done: Vec<Step<R::Change>> = if steps.len() < PARALLEL_MIN {
            steps.iter().filter_map(accepted).collect()
        } else {
            steps.par_iter().with_min_len(PARALLEL_MIN / 4).filter_map(accepted).collect()
        };
        self.chain.steps += steps.len() as u64;
        self.waves += 1;
        for Step { amoebot, direction, change } in done {
            // The grid may be laid out anew in between, so the target is looked up now.
            let sight =
                self.chain.grid.sight(self.chain.positions[amoebot] as usize, direction.index().into());
            let target = sight.target;
            self.chain.make(amoebot, target, change)?;
        }
        Ok(())
    }

    /// The axis of this wave, by one of its directions, and the shift of the cells at which its edges begin.
    fn edges(&self) -> (Direction, (i32, i32)) {
        let words = self.draws.stream(Purpose::Topology, self.waves);
        let word = words.word(0);
        // Products of 32 bits: the rest of a division by 3 is off by less than 2^-30.
        let below = |bits: u64, bound: u64| ((bits & u64::from(u32::MAX)) * bound) >> 32;
        let period = self.period as u64;
        let class = below(word >> 32, period * period);
        let axis = Direction::from_index(below(word, 3) as u8);
        // In half of the waves edges begin at their other end.
        let axis = if R::HAS_SIDES && words.word(1) % 2 == 1 { axis.opposite() } else { axis };
        (axis, ((class % period) as i32, (class / period) as i32))
    }

    /// Which way the amoebot tries to go, if it is at a locked edge and the one to try: of two, the one at the beginning.
    fn step_of(&self, amoebot: usize, (axis, shift): (Direction, (i32, i32))) -> Option<(usize, Direction)> {
        let grid = &self.chain.grid;
        let at = self.chain.positions[amoebot] as usize;
        let (x, y) = (grid.first.0 + (at % grid.width) as i32, grid.first.1 + (at / grid.width) as i32);
        let begins = |x: i32, y: i32| {
            (x - shift.0).rem_euclid(self.period) == 0 && (y - shift.1).rem_euclid(self.period) == 0
        };
        if begins(x, y) {
            return Some((amoebot, axis));
        }
        let (dx, dy) = axis.step();
        let back = axis.opposite();
        let is_alone = || !R::is_occupied(grid.sight(at, back.index().into()).other());
        (begins(x - dx, y - dy) && is_alone()).then_some((amoebot, back))
    }

    /// What the step does, if q is below its probability.
    fn accepted(&self, amoebot: usize, direction: Direction) -> Option<Step<R::Change>> {
        let at = self.chain.positions[amoebot] as usize;
        let (change, acceptance) =
            self.chain.rule().propose(self.chain.grid.sight(at, direction.index().into()));
        let q = self.draws.stream(Purpose::Section, self.waves).word(amoebot as u64) % CERTAIN;
        (q < acceptance).then_some(Step { amoebot, direction, change })
    }

    /// The chain as it is between two waves.
    #[must_use]
    pub fn chain(&self) -> &MarkovChain<R> {
        &self.chain
    }

    /// Waves so far.
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
    use crate::chain::separation::Separation;
    use crate::model::lattice::Cell;
    use crate::start;
    use acrasin_runtime::Seeded;

    fn ten_cells(from: Cell, direction: Direction) -> Vec<Cell> {
        let to = from.neighbour(direction).unwrap();
        let mut cells: Vec<Cell> = from.neighbours().chain(to.neighbours()).collect();
        cells.sort();
        cells.dedup();
        cells
    }

    /// Of two edges of one axis that are a period apart, along rows, columns or both, no cell is common; with a period of
    /// three some are.
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

    /// Some know that there is food, and some do not yet.
    fn with_news(cells: &[Cell]) -> MarkovChain<News> {
        let mut foraging = Foraging::new(cells, Lambdas { search: 1.2, gather: 4.0 }, 10_000).unwrap();
        foraging.run(14_000, &mut Seeded::new(1)).unwrap();
        assert!(!foraging.all_know() && foraging.informed() > 5);
        foraging.chain().clone()
    }

    /// The steps of a wave one after another, the last first, each with what the rule says at that moment.
    fn one_after_another<R: Rule<Change: Send> + Sync + Clone>(waves: &LockedChain<R>) -> LockedChain<R> {
        let edges = waves.edges();
        let mut alone = waves.clone();
        for amoebot in (0..alone.chain.positions.len()).rev() {
            let Some((_, direction)) = waves.step_of(amoebot, edges) else { continue };
            if let Some(Step { change, .. }) = alone.accepted(amoebot, direction) {
                let at = alone.chain.positions[amoebot] as usize;
                let target = alone.chain.grid.sight(at, direction.index().into()).target;
                alone.chain.make(amoebot, target, change).unwrap();
            }
        }
        alone
    }

    #[test]
    fn a_wave_is_its_steps_in_another_order() {
        fn compared<R: Rule<Change: Send> + Sync + Clone>(start: MarkovChain<R>, period: i32) -> bool {
            let mut waves = LockedChain::new(start, 3);
            waves.period = period;
            (0..400).all(|_| {
                let alone = one_after_another(&waves);
                waves.wave().unwrap();
                waves.chain.cells() == alone.chain.cells()
                    && waves.chain.amoebot_bytes() == alone.chain.amoebot_bytes()
                    && waves.chain.edges() == alone.chain.edges()
            })
        }
        let cells = start::spiral(Cell::ORIGIN, Direction::East, 400).unwrap();
        let colours: Vec<u8> = (0..400).map(|i| (i % 3) as u8).collect();
        assert!(compared(Chain::new(&cells, 1.2).unwrap(), PERIOD));
        assert!(compared(Separation::new(&cells, &colours, 1.2, 1.1).unwrap(), PERIOD));
        let is_land = |cell: Cell| cell.y() % 3 != 0;
        assert!(compared(Bridging::new(&cells[2..], &cells[..2], is_land, 1.2, 1.1).unwrap(), PERIOD));
        assert!(compared(with_news(&cells), PERIOD));
        // With too few cells between them, edges see what others change.
        assert!(!compared(Chain::new(&cells, 1.2).unwrap(), PERIOD - 2));
        assert!(!compared(Separation::new(&cells, &colours, 1.2, 1.1).unwrap(), PERIOD - 2));
        assert!(!compared(with_news(&cells), PERIOD - 2));
    }
}
