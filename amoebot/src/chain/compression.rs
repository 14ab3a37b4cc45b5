//! Compression, chain M: a Markov chain that gathers or spreads amoebots by local moves.
//!
//! Source: Cannon, Daymude, Randall, Richa, "A Markov chain algorithm for compression in self-organizing particle
//! systems", PODC 2016. All amoebots are contracted. One step picks an amoebot, one of the six directions and a number
//! q in (0, 1), all uniformly. Let ℓ be the amoebot's cell, ℓ′ the next one in that direction, e and e′ the numbers of
//! other amoebots next to ℓ and to ℓ′. The amoebot moves to ℓ′ exactly if
//!
//! | condition | here |
//! |---|---|
//! | ℓ′ is free | the byte of ℓ′ in the grid |
//! | e < 5 | [`EdgeRing::gain`] |
//! | Property 1 or Property 2 | [`EdgeRing::has_property_1`], [`EdgeRing::has_property_2`] |
//! | q < λ^(e′ - e) | [`MarkovChain::acceptance`] |
//!
//! A connected set without holes then remains connected and without holes. The chain converges to the distribution in
//! which a set with e(σ) adjacent pairs has weight λ^e(σ). The chain compresses for λ > 2 + √2 and expands for λ <
//! 2.17.
//!
//! Everything but λ depends only on the eight cells around the edge from ℓ to ℓ′, so a table of 256 entries, [`MOVES`],
//! is enough. Each chain has a copy in which λ is included. This is the sequential reference: a byte per cell, and nine
//! lookups per step.
//!
//! Deviation: q has 62 binary digits, see [`MarkovChain::acceptance`].

mod fast;
mod tiles;

use super::error::{Biases, ChainError};
use super::grid::GridView;
use super::markov::{ChainRule, MarkovChain, acceptance_of, power};
use super::ring::{EdgeRing, MOVES, MoveTable};
use crate::model::lattice::Cell;

pub use fast::{FastChain, StepDraws};
pub use tiles::TiledChain;

/// The rule of chain M: a move that the table allows has probability min(1, λ^(e′ - e)).
#[derive(Clone, Debug)]
pub struct Compression {
    lambda: f64,
    /// The probability for each ring, times [`CERTAIN`](super::CERTAIN).
    acceptance: Box<[u64; 256]>,
}

impl Compression {
    /// The rule with another table of moves. With a table that breaks the paper's rules the amoebots may
    /// disconnect or enclose free cells, which shows that a check can fail.
    ///
    /// # Errors
    ///
    /// λ is not a finite number above 0.
    pub fn with_moves(lambda: f64, moves: &MoveTable) -> Result<Self, ChainError> {
        let lambda = Biases::POSITIVE.checked("lambda", lambda)?;
        let of = |gain: Option<i8>| gain.map_or(0, |gain| acceptance_of(power(lambda, gain)));
        Ok(Self { lambda, acceptance: Box::new(moves.map(of)) })
    }

    /// The bias λ.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.lambda
    }
}

impl ChainRule for Compression {
    type Change = EdgeRing;

    #[inline]
    fn propose(&self, sight: GridView<'_>) -> (EdgeRing, u64) {
        let ring = sight.around().fold(0, |ring, (bit, occupied)| ring | occupied << bit);
        let is_free = u64::from(1 - sight.other());
        (EdgeRing(ring), self.acceptance[ring as usize] * is_free)
    }

    #[inline]
    fn made(&mut self, ring: EdgeRing) -> i8 {
        ring.neighbours_after() as i8 - ring.neighbours_before() as i8
    }

    fn counters(&self) -> Option<Vec<i64>> {
        Some(Vec::new())
    }

    fn set_counters(&mut self, counters: &[i64]) -> bool {
        counters.is_empty()
    }
}

/// Chain M on the amoebots of a connected set of cells without holes.
///
/// ```
/// use acrasin_amoebot::{Cell, Direction, start};
/// use acrasin_amoebot::chain::compression::Chain;
/// use acrasin_runtime::Seeded;
///
/// let line = start::line(Cell::ORIGIN, Direction::East, 20)?;
/// let mut chain = Chain::new(&line, 4.0)?;
/// assert_eq!(chain.perimeter(), 38); // there and back
/// chain.run(200_000, &mut Seeded::new(1))?;
/// assert!(chain.perimeter() < 24);
/// println!("{} moves in {} steps", chain.moves(), chain.steps());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Chain = MarkovChain<Compression>;

impl Chain {
    /// The chain with amoebot i on cell i. O(area of the rectangle around them).
    ///
    /// # Errors
    ///
    /// λ is not a finite number above 0. There are no cells, too many or a duplicate. The cells are not connected, have
    /// a hole, are too spread out, or are near the limit of the lattice.
    pub fn new(cells: &[Cell], lambda: f64) -> Result<Self, ChainError> {
        Self::with_moves(cells, lambda, &MOVES)
    }

    /// The chain with another [table of moves](Compression::with_moves).
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn with_moves(cells: &[Cell], lambda: f64, moves: &MoveTable) -> Result<Self, ChainError> {
        Self::from_cells(cells, |_| 1, Compression::with_moves(lambda, moves)?)
    }

    /// The bias λ.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.rule.lambda
    }
}
