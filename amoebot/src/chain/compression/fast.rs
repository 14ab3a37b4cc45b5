//! Fast chain M: the data of a step is stored with the two cells.
//!
//! Each cell has a byte that tells which of its six neighbours are occupied. So a step reads two cells, ℓ and ℓ′,
//! instead of nine, and a move, which is rare, changes the bytes of twelve cells. All draws of a step come from one
//! word, a function of the seed and the number of the step.
//!
//! The index of the table also tells whether ℓ′ is occupied, so a step has only one branch, which is predictable.

use std::num::NonZeroU32;

use acrasin_engine::draw::Stream;
use acrasin_engine::{Draws, Purpose};
use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::{Pack as _, PackError};

use super::Chain;
use crate::chain::error::ChainError;
use crate::chain::grid::Grid;
use crate::chain::markov::{DIRECTIONS, HALF, HALF_DIGITS};
use crate::chain::ring::EdgeRing;
use crate::model::lattice::Cell;

/// Chain M with the same steps as a [`Chain`] that draws from [`StepDraws`], but several times faster.
///
/// ```
/// use acrasin_amoebot::chain::compression::FastChain;
/// use acrasin_amoebot::{Cell, Direction, start};
///
/// let line = start::line(Cell::ORIGIN, Direction::East, 100)?;
/// let mut chain = FastChain::new(&line, 4.0, 1)?;
/// chain.run(2_000_000)?;
/// assert!(chain.chain().perimeter() < 110); // 198 at the start, 32 at best
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FastChain {
    chain: Chain,
    /// For each cell of the grid, bit d: whether its neighbour in direction d is occupied.
    masks: Vec<u8>,
    /// The acceptance for each [`index`].
    acceptance: Box<[u64; 512]>,
    draws: Stream,
}

/// The 9-bit table index of a move from ℓ to ℓ′ = ℓ + d. Bits 0 to 5 tell whether the neighbours of ℓ are occupied,
/// counted from direction d, so bit 0 is ℓ′. Bits 6 to 8 are the neighbours of ℓ′ in directions d - 1, d and d + 1.
#[inline(always)]
pub(super) fn index(own: u8, target: u8, direction: u32) -> usize {
    let round = |mask: u8| u32::from(mask) | u32::from(mask) << 6;
    let own = round(own) >> direction & 0b11_1111;
    let back = if direction == 0 { 5 } else { direction - 1 };
    let target = round(target) >> back & 0b111;
    (own | target << 6) as usize
}

/// The acceptance for each [`index`]: 0 if ℓ′ is occupied.
pub(super) fn acceptance_by_index(chain: &Chain) -> Box<[u64; 512]> {
    let acceptance = std::array::from_fn(|index| {
        let is_free = index & 1 == 0;
        if is_free { chain.rule.acceptance[index >> 1] } else { 0 }
    });
    Box::new(acceptance)
}

/// Splits one random word into the draws of a step: the amoebot, the direction, and 62 binary digits of q.
#[inline(always)]
pub(super) fn split(word: u64, amoebots: u32) -> (usize, u32, u64) {
    // The upper half of a product is the pick, and its lower half is the word for the next one.
    let pick = |word: u64, bound: u32| {
        let product = u128::from(word) * u128::from(bound);
        ((product >> 64) as u32, product as u64)
    };
    let (amoebot, word) = pick(word, amoebots);
    let (direction, word) = pick(word, DIRECTIONS.get());
    (amoebot as usize, direction, word >> 2)
}

impl FastChain {
    /// The chain with amoebot i on cell i. O(area of the rectangle around them).
    ///
    /// # Errors
    ///
    /// As for [`Chain::new`].
    pub fn new(cells: &[Cell], lambda: f64, seed: u64) -> Result<Self, ChainError> {
        let chain = Chain::new(cells, lambda)?;
        Ok(Self {
            masks: masks(&chain.grid),
            acceptance: acceptance_by_index(&chain),
            draws: StepDraws::stream(seed),
            chain,
        })
    }

    /// Makes this many steps; returns the number of steps that moved an amoebot.
    ///
    /// # Errors
    ///
    /// As for [`Chain::step`].
    pub fn run(&mut self, steps: u64) -> Result<u64, ChainError> {
        let before = self.chain.moves();
        let end = self.chain.steps + steps;
        while self.chain.steps < end {
            let Some((amoebot, direction, index)) = self.skip_to_move(end) else { break };
            self.relocate(amoebot, direction, index)?;
            self.chain.steps += 1;
        }
        Ok(self.chain.moves() - before)
    }

    /// Skips to the next step that moves an amoebot, but does not make that step; `None` if no step before `end` does.
    #[inline]
    fn skip_to_move(&mut self, end: u64) -> Option<(usize, usize, usize)> {
        let Chain { count, positions, grid, .. } = &self.chain;
        let amoebots = count.get();
        // Slices outside of the loop let the compiler keep them in registers.
        let (positions, masks, next) = (&positions[..], &self.masks[..], grid.next);
        for step in self.chain.steps..end {
            let (amoebot, direction, q) = split(self.draws.word(step), amoebots);
            let at = positions[amoebot] as usize;
            let target = at.wrapping_add_signed(next[direction as usize]);
            let index = index(masks[at], masks[target], direction);
            if q < self.acceptance[index] {
                self.chain.steps = step;
                return Some((amoebot, direction as usize, index));
            }
        }
        self.chain.steps = end;
        None
    }

    #[cold]
    fn lay_out(&mut self) {
        self.masks = masks(&self.chain.grid);
    }

    fn relocate(&mut self, amoebot: usize, direction: usize, index: usize) -> Result<(), ChainError> {
        let at = self.chain.positions[amoebot] as usize;
        let target = at.wrapping_add_signed(self.chain.grid.next[direction]);
        let is_laid_out = self.chain.make(amoebot, target, EdgeRing((index >> 1) as u8))?;
        if is_laid_out {
            self.lay_out();
        } else {
            for (d, offset) in self.chain.grid.next.into_iter().enumerate() {
                // The neighbour in direction d sees the cell in the opposite direction.
                let back = 1 << ((d + 3) % 6);
                self.masks[at.wrapping_add_signed(offset)] &= !back;
                self.masks[target.wrapping_add_signed(offset)] |= back;
            }
        }
        Ok(())
    }

    /// Appends the state to a checkpoint. Returns `false` if it cannot be saved.
    pub(in crate::chain) fn save(&self, into: &mut Vec<u8>) -> bool {
        // The stream of a seed has this first word.
        self.draws.word(0).pack(into);
        self.chain.save(into)
    }

    /// Restores the state that [`save`](Self::save) wrote for a chain with the same start and seed.
    pub(in crate::chain) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        if u64::unpack(from)? != self.draws.word(0) {
            return Err(PackError);
        }
        self.chain.load(from)?;
        self.lay_out();
        Ok(())
    }

    /// The chain in its current state.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The bytes that the chain takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.masks.capacity() + self.chain.bytes()
    }
}

/// For each cell, bit d: whether its neighbour in direction d is occupied.
pub(super) fn masks(grid: &Grid) -> Vec<u8> {
    let mut masks = vec![0; grid.bytes.len()];
    for at in (0..grid.bytes.len()).filter(|at| grid.bytes[*at] == 1) {
        for (d, offset) in grid.next.into_iter().enumerate() {
            masks[at.wrapping_add_signed(offset)] |= 1 << ((d + 3) % 6);
        }
    }
    masks
}

/// The draws of a [`FastChain`] as [`Choices`]: a [`Chain`] with this many amoebots takes the same steps with
/// them.
#[derive(Clone, Debug)]
pub struct StepDraws {
    draws: Stream,
    amoebots: u32,
    step: u64,
    now: (usize, u32, u64),
    is_second_half: bool,
}

impl StepDraws {
    fn stream(seed: u64) -> Stream {
        Draws::new(seed).stream(Purpose::Action, 0)
    }

    /// The draws of a chain that has not made a step yet.
    #[must_use]
    pub fn new(seed: u64, amoebots: NonZeroU32) -> Self {
        let (draws, amoebots) = (Self::stream(seed), amoebots.get());
        Self { draws, amoebots, step: 0, now: (0, 0, 0), is_second_half: false }
    }
}

impl Choices for StepDraws {
    fn pick(&mut self, _: NonZeroU32, why: Decision) -> u32 {
        match why {
            Decision::Activation => {
                self.now = split(self.draws.word(self.step), self.amoebots);
                self.step += 1;
                self.is_second_half = false;
                self.now.0 as u32
            }
            Decision::Action => self.now.1,
            _ => {
                let second = std::mem::replace(&mut self.is_second_half, true);
                let q = if second { self.now.2 } else { self.now.2 >> HALF_DIGITS };
                q as u32 & (HALF.get() - 1)
            }
        }
    }
}
