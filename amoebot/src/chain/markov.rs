//! The common part of all chains: drawing and making steps.

use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::digest::Digest;
use acrasin_runtime::pack::{Pack, PackError, unpack_list};

use super::error::ChainError;
use super::grid::{Grid, GridView, MARGIN};
use crate::algorithm::description::Further;
use crate::model::lattice::{Cell, Direction};

/// The rule of a chain: the change that a step proposes, and its probability.
///
/// Each cell has a byte that only the rule interprets. A rule reads only the two ends of an edge and the
/// [`EdgeRing`](super::EdgeRing) around it, unless it calls [`all_beyond`](GridView::all_beyond).
pub trait ChainRule {
    /// The change that a step makes.
    type Change: Copy;

    /// The byte of a free cell in a new grid.
    const FREE: u8 = 0;

    /// Whether an amoebot or an object is on a cell with this byte.
    fn is_occupied(byte: u8) -> bool {
        byte != Self::FREE
    }

    /// Whether it matters for the effect of a step which of two adjacent amoebots acts.
    const HAS_SIDES: bool = false;

    /// Whether the grid is laid out again when an amoebot comes near its border. If not, the grid has room for all
    /// positions.
    const FOLLOWS: bool = true;

    /// The names of the quantities that [`counts`](Self::counts) returns.
    const COLUMNS: &'static [&'static str] = &["perimeter", "adjacent pairs"];

    /// Proposes a change: the amoebot at ℓ moves to ℓ′, or interacts with the amoebot there. Also returns its
    /// probability, times [`CERTAIN`]; 0 if the change is not allowed.
    fn propose(&self, sight: GridView<'_>) -> (Self::Change, u64);

    /// Whether the amoebot moves from ℓ to ℓ′. Otherwise the amoebots on ℓ and ℓ′ stay, and only the bytes of these
    /// cells change.
    fn leaves(_: Self::Change) -> bool {
        true
    }

    /// The bytes of ℓ and ℓ′ after the change.
    fn after(own: u8, other: u8) -> (u8, u8) {
        (other, own)
    }

    /// Records that the change was made; returns the change in the number of adjacent pairs.
    fn made(&mut self, change: Self::Change) -> i8;

    /// The quantities that are sampled over time.
    fn counts(&self, perimeter: u64, edges: u64) -> Vec<u64> {
        vec![perimeter, edges]
    }

    /// A digest of amoebots with these bytes.
    fn digest(cells: &[Cell], _: &[u8]) -> Digest {
        Digest::of(&cells)
    }

    /// The cells of objects, which never move.
    fn objects(&self) -> &[Cell] {
        &[]
    }

    /// The classes of amoebots in a picture: their names, and the class of each byte.
    fn classes(_: &[u8]) -> (Vec<String>, fn(u8) -> usize) {
        (vec!["amoebot".to_owned()], |_| 0)
    }

    /// The colour of an amoebot with this byte; `None` without colours.
    fn colour(_: u8) -> Option<u8> {
        None
    }

    /// The number of adjacent pairs with different colours; `None` without colours.
    fn unlike_edges(&self, _: u64) -> Option<u64> {
        None
    }

    /// The name of steps that change something, in tables and in reports.
    const CHANGES: (&'static str, &'static str) = ("moves", "moves");

    /// Results at the end of a run; `None` if the chain has none.
    fn further(&self, _: u64) -> Option<Further> {
        None
    }

    /// The counters of [`made`](Self::made), for a checkpoint; an empty list if it counts nothing. `None` if this rule
    /// cannot be saved; its chains then have no checkpoints.
    fn counters(&self) -> Option<Vec<i64>> {
        None
    }

    /// Sets the counters to the values that [`counters`](Self::counters) returned. Returns `false` if the values do not
    /// fit this rule.
    fn set_counters(&mut self, counters: &[i64]) -> bool {
        let _ = counters;
        false
    }
}

/// A chain on contracted amoebots. Each step picks an amoebot and a direction uniformly, and makes the change
/// that the rule proposes with its probability.
///
/// Equal start, rule and [`Choices`] give the same run on every platform. A step draws the amoebot, with
/// [`Decision::Activation`], and the direction by its [index](Direction::index), with [`Decision::Action`]. Only if
/// the change is allowed and not certain, it draws q with [`Decision::Outcome`], as two picks of 31 binary digits.
/// The second pick is made only if the first does not decide.
#[derive(Clone, Debug)]
pub struct MarkovChain<R> {
    pub(super) rule: R,
    pub(super) count: NonZeroU32,
    pub(super) grid: Grid,
    /// The index in the grid of each amoebot.
    pub(super) positions: Vec<u32>,
    /// The number of cells occupied by amoebots and objects.
    solid: u64,
    edges: u64,
    pub(super) steps: u64,
    moves: u64,
}

/// The number of directions of a step.
pub(super) const DIRECTIONS: NonZeroU32 = NonZeroU32::new(6).expect("6 > 0");

/// The number of binary digits of each half of q: the maximum for a pick with a bound of 32 bits.
pub(super) const HALF_DIGITS: u32 = 31;
pub(super) const HALF: NonZeroU32 = NonZeroU32::new(1 << HALF_DIGITS).expect("2^31 > 0");

/// The acceptance 1 as an integer: 2^62.
pub const CERTAIN: u64 = 1 << (2 * HALF_DIGITS);

impl<R: ChainRule> MarkovChain<R> {
    /// The [`acceptance`](Self::acceptance) of a change that is always made: 2^62.
    pub const CERTAIN: u64 = CERTAIN;

    /// The chain with amoebot i on cell i. The byte of that cell is `byte(i)`. O(area of the rectangle around them).
    ///
    /// # Errors
    ///
    /// There are no cells, too many or a duplicate. Or the cells are not connected, have a hole, are too spread out, or
    /// are near the limit of the lattice.
    pub fn from_cells(cells: &[Cell], byte: impl Fn(usize) -> u8, rule: R) -> Result<Self, ChainError> {
        let (mut grid, edges) = Grid::checked(cells)?;
        grid.bytes.fill(R::FREE);
        let positions: Vec<u32> = cells.iter().map(|cell| grid.index(*cell) as u32).collect();
        for (number, at) in positions.iter().enumerate() {
            grid.bytes[*at as usize] = byte(number);
        }
        Ok(Self::laid_out(grid, positions, (cells.len() as u64, edges), rule))
    }

    /// The chain on a grid that already contains the bytes, with its numbers of occupied cells and of adjacent pairs.
    pub(super) fn laid_out(grid: Grid, positions: Vec<u32>, (solid, edges): (u64, u64), rule: R) -> Self {
        let count = NonZeroU32::new(positions.len() as u32).expect("a chain has amoebots");
        Self { rule, count, grid, positions, solid, edges, steps: 0, moves: 0 }
    }

    /// The probability of the change that the rule proposes for this amoebot and direction, times
    /// [`CERTAIN`](Self::CERTAIN). It is 0 if the change is not allowed, otherwise the smaller of 1 and the ratio of
    /// the weights.
    ///
    /// Powers use multiplications, at most one square root and at most two divisions of 64-bit floats, so they
    /// are equal on every platform. They are rounded to the nearest multiple of 2^-62, but never to 0: the chain
    /// must stay irreducible.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn acceptance(&self, amoebot: usize, direction: Direction) -> u64 {
        let sight = self.grid.sight(self.positions[amoebot] as usize, direction.index().into());
        self.rule.propose(sight).1
    }

    /// Makes one step; returns whether anything changed. O(1). If an amoebot comes near the border of the grid, the
    /// grid may be laid out again around all amoebots, in O(area).
    ///
    /// # Errors
    ///
    /// The new grid would be too large, or cross the limit of the lattice ([`ChainError::AtLimit`]). The chain is
    /// then unchanged.
    #[inline]
    pub fn step(&mut self, choices: &mut (impl Choices + ?Sized)) -> Result<bool, ChainError> {
        let amoebot = choices.pick(self.count, Decision::Activation) as usize;
        let direction = choices.pick(DIRECTIONS, Decision::Action) as usize;
        let sight = self.grid.sight(self.positions[amoebot] as usize, direction);
        let (target, (change, acceptance)) = (sight.target, self.rule.propose(sight));
        let is_made = is_accepted(acceptance, choices);
        if is_made {
            self.make(amoebot, target, change)?;
        }
        self.steps += 1;
        Ok(is_made)
    }

    /// Makes this many steps; returns how many changed something.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    pub fn run(&mut self, steps: u64, choices: &mut (impl Choices + ?Sized)) -> Result<u64, ChainError> {
        let before = self.moves;
        for _ in 0..steps {
            self.step(choices)?;
        }
        Ok(self.moves - before)
    }

    /// Makes a change; returns whether the grid was laid out again.
    #[inline]
    pub(super) fn make(
        &mut self,
        amoebot: usize,
        target: usize,
        change: R::Change,
    ) -> Result<bool, ChainError> {
        let leaves = R::leaves(change);
        let is_new = leaves && R::FOLLOWS && self.grid.is_near_border(target);
        if is_new {
            self.lay_out(amoebot, target)?;
        } else {
            let at = self.positions[amoebot] as usize;
            (self.grid.bytes[at], self.grid.bytes[target]) =
                R::after(self.grid.bytes[at], self.grid.bytes[target]);
            if leaves {
                self.positions[amoebot] = target as u32;
            }
        }
        self.count(change);
        Ok(is_new)
    }

    /// Counts a change that was made.
    pub(super) fn count(&mut self, change: R::Change) {
        self.edges = self.edges.wrapping_add_signed(self.rule.made(change).into());
        self.moves += 1;
    }

    /// Lays out a new grid around all amoebots, after moving one of them to `target`.
    #[cold]
    fn lay_out(&mut self, amoebot: usize, target: usize) -> Result<(), ChainError> {
        let mut cells = self.cells();
        cells[amoebot] = self.grid.cell(target);
        self.lay_out_round(&cells, MARGIN).map_err(|error| error.of_a_step(&cells, true))
    }

    /// Lays out a new grid around these cells of the amoebots, with a margin of free cells on each side.
    pub(super) fn lay_out_round(&mut self, cells: &[Cell], margin: i32) -> Result<(), ChainError> {
        let bytes = self.amoebot_bytes();
        let mut grid = Grid::spanning(cells, margin, R::FREE)?;
        self.positions = cells.iter().map(|cell| grid.index(*cell) as u32).collect();
        for (at, byte) in self.positions.iter().zip(bytes) {
            grid.bytes[*at as usize] = byte;
        }
        self.grid = grid;
        Ok(())
    }

    /// Appends the state: the position of the grid, the amoebots on it, and the counters. Returns `false` if the rule
    /// cannot be saved.
    pub(super) fn save(&self, into: &mut Vec<u8>) -> bool {
        let Some(counters) = self.rule.counters() else { return false };
        counters.pack(into);
        (self.solid, self.edges).pack(into);
        (self.steps, self.moves).pack(into);
        (self.grid.first, self.grid.width, self.grid.bytes.len()).pack(into);
        self.positions.pack(into);
        self.amoebot_bytes().pack(into);
        true
    }

    /// Restores the state that [`save`](Self::save) wrote for a chain with the same rule and start.
    pub(super) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let counters = Vec::<i64>::unpack(from)?;
        if !self.rule.set_counters(&counters) {
            return Err(PackError);
        }
        (self.solid, self.edges) = Pack::unpack(from)?;
        (self.steps, self.moves) = Pack::unpack(from)?;
        let place = <((i32, i32), usize, usize)>::unpack(from)?;
        let mut grid = if place == (self.grid.first, self.grid.width, self.grid.bytes.len()) {
            let mut grid = self.grid.clone();
            // Marks on a cell other than the amoebot stay there.
            for &at in &self.positions {
                let byte = &mut grid.bytes[at as usize];
                *byte = R::after(*byte, R::FREE).0;
            }
            grid
        } else if R::FOLLOWS {
            Grid::placed(place, self.positions.len(), R::FREE).ok_or(PackError)?
        } else {
            return Err(PackError);
        };
        let mut positions = vec![0_u32; self.positions.len()];
        unpack_list(&mut positions, from)?;
        let bytes = Vec::<u8>::unpack(from)?;
        if bytes.len() != positions.len() {
            return Err(PackError);
        }
        for (&at, byte) in positions.iter().zip(bytes) {
            if !grid.has_surroundings(at as usize) {
                return Err(PackError);
            }
            let there = &mut grid.bytes[at as usize];
            if R::is_occupied(*there) || !R::is_occupied(byte) {
                return Err(PackError);
            }
            *there = byte;
        }
        // Until here the chain is on its own grid, so that its state can be set again.
        (self.grid, self.positions) = (grid, positions);
        Ok(())
    }

    /// The rule, with its counters.
    #[must_use]
    pub fn rule(&self) -> &R {
        &self.rule
    }

    /// The cell of each amoebot. O(amoebots).
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        self.positions.iter().map(|at| self.grid.cell(*at as usize)).collect()
    }

    /// The byte of each amoebot's cell. O(amoebots).
    pub(super) fn amoebot_bytes(&self) -> Vec<u8> {
        self.positions.iter().map(|at| self.grid.bytes[*at as usize]).collect()
    }

    /// The number of steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of steps so far that changed something: moves, and in some chains swaps or news.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The paper's e(σ): the number of adjacent pairs of occupied cells, objects included.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The paper's p(σ), the length of the walk around the cells: 3n - 3 - e, since there are no holes.
    #[must_use]
    pub fn perimeter(&self) -> u64 {
        3 * self.solid - 3 - self.edges
    }

    /// The bytes that the chain takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.grid.bytes.capacity() + self.positions.capacity() * size_of::<u32>()
    }

    /// A digest of the contents of the cells, in the order of the amoebots. O(amoebots).
    #[must_use]
    pub fn digest(&self) -> Digest {
        R::digest(&self.cells(), &self.amoebot_bytes())
    }
}

/// Whether q is below the acceptance.
#[inline]
pub(super) fn is_accepted(acceptance: u64, choices: &mut (impl Choices + ?Sized)) -> bool {
    if acceptance == 0 || acceptance == CERTAIN {
        return acceptance != 0;
    }
    let mut half = || u64::from(choices.pick(HALF, Decision::Outcome));
    let (high, low) = (acceptance >> HALF_DIGITS, acceptance & u64::from(HALF.get() - 1));
    let first = half();
    first < high || first == high && half() < low
}

/// base^exponent, computed by multiplications and at most one division, so it is equal on every platform.
#[must_use]
pub fn power(base: f64, exponent: i8) -> f64 {
    let power = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * base);
    if exponent < 0 { 1.0 / power } else { power }
}

/// The acceptance of a change that multiplies the weight of the configuration by `weight`: min(1, weight) times
/// [`CERTAIN`], at least 1.
#[must_use]
pub fn acceptance_of(weight: f64) -> u64 {
    ((weight.min(1.0) * CERTAIN as f64).round() as u64).max(1)
}
