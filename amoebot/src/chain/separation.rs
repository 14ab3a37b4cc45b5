//! Separation and integration: chain M for amoebots with colours, which gather by colour or mix.
//!
//! Source: Cannon, Daymude, Gokmen, Randall, Richa, "A local stochastic algorithm for separation in heterogeneous
//! self-organizing particle systems", RANDOM 2019. One step picks an amoebot P, one of the six directions and a number
//! q in (0, 1), all uniformly. Let ℓ be the cell of P, i the colour of P, and ℓ′ the next cell in that direction. N(ℓ)
//! are the amoebots next to ℓ, and N_i(ℓ) those of colour i; e and a are their numbers, without P itself.
//!
//! | ℓ′ | effect | condition |
//! |---|---|---|
//! | free | P moves there | e < 5, Property 1 or 2 as in chain M, and q < λ^(e′ - e) γ^(a′ - a) |
//! | an amoebot Q of another colour j | P and Q swap | q < γ^x, x = \|N_i(ℓ′) without P\| - \|N_i(ℓ)\| + \|N_j(ℓ) without Q\| - \|N_j(ℓ′)\| |
//! | an amoebot of colour i | nothing | |
//!
//! The chain converges to the distribution in which a connected coloured set without holes has weight λ^e(σ) γ^a(σ).
//! Here e(σ) is the number of adjacent pairs, and a(σ) the number of adjacent pairs with equal colours. It is proven
//! that the chain compresses and separates for λγ > 6.83 and γ > 5.66. It is also proven that the chain mixes for λ(γ +
//! 1) > 6.83 and γ close to 1.
//!
//! Everything depends only on the eight cells of the [`EdgeRing`] and the two ends of the edge.
//!
//! Deviations. q has 62 binary digits. The number of colours is not limited to two. A swap exchanges colours but
//! not identities: amoebots are anonymous, so only colours can be told apart.

use acrasin_runtime::digest::Digest;

use super::error::{Biases, ChainError};
use super::grid::GridView;
use super::markov::{ChainRule, MarkovChain, acceptance_of, power};
use super::ring::{EdgeRing, MOVES};
use crate::model::lattice::Cell;
use crate::picture::CLASSES_MAX;

/// The change that a step proposes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proposal {
    /// The step changes nothing.
    Nothing,
    /// A move to a free cell.
    Move {
        /// e′ - e: the gain in edges.
        edges: i8,
        /// a′ - a: the gain in edges with equal colours.
        like: i8,
    },
    /// Two amoebots of different colours exchange their cells.
    Swap {
        /// a′ - a: the gain in edges with equal colours.
        like: i8,
    },
}

/// The maximum number of edges that a move gains or loses: three ring cells are next to ℓ only, and three to ℓ′ only.
const MOVE_MAX: i8 = 3;
/// The maximum number of edges with equal colours that a swap gains or loses: both amoebots move.
const SWAP_MAX: i8 = 2 * MOVE_MAX;

/// The rule of separation: the byte of a cell is a colour.
#[derive(Clone, Debug)]
pub struct Colours {
    /// The probability of a move, times [`CERTAIN`](super::CERTAIN), indexed by the gains in edges and in edges
    /// of one colour, plus [`MOVE_MAX`].
    moves: [[u64; 2 * MOVE_MAX as usize + 1]; 2 * MOVE_MAX as usize + 1],
    /// The probability of a swap, times [`CERTAIN`](super::CERTAIN), indexed by the gain in edges of one colour,
    /// plus [`SWAP_MAX`].
    swaps: [u64; 2 * SWAP_MAX as usize + 1],
    like_edges: u64,
}

impl Colours {
    fn new(lambda: f64, gamma: f64) -> Result<Self, ChainError> {
        let lambda = Separation::BIASES.checked("lambda", lambda)?;
        let gamma = Separation::BIASES.checked("gamma", gamma)?;
        let gain = |index: usize, zero: i8| index as i8 - zero;
        let of_move = |edges, like| power(lambda, gain(edges, MOVE_MAX)) * power(gamma, gain(like, MOVE_MAX));
        Ok(Self {
            moves: std::array::from_fn(|edges| {
                std::array::from_fn(|like| acceptance_of(of_move(edges, like)))
            }),
            swaps: std::array::from_fn(|like| acceptance_of(power(gamma, gain(like, SWAP_MAX)))),
            like_edges: 0,
        })
    }
}

/// The ring cells whose bytes satisfy a predicate.
#[inline]
fn ring_of(sight: GridView<'_>, holds: impl Fn(u8) -> bool) -> EdgeRing {
    EdgeRing(sight.around().fold(0, |ring, (bit, byte)| ring | u8::from(holds(byte)) << bit))
}

impl ChainRule for Colours {
    type Change = Proposal;

    const FREE: u8 = u8::MAX;
    const COLUMNS: &'static [&'static str] = &["perimeter", "adjacent pairs", "unlike pairs"];
    const CHANGES: (&'static str, &'static str) = ("changes", "moves and swaps");

    #[inline]
    fn propose(&self, sight: GridView<'_>) -> (Proposal, u64) {
        let (own, other) = (sight.own(), sight.other());
        let gain_of = |colour| {
            let ring = ring_of(sight, |byte| byte == colour);
            ring.neighbours_after() as i8 - ring.neighbours_before() as i8
        };
        if other == Self::FREE {
            let ring = ring_of(sight, |byte| byte != Self::FREE);
            let Some(edges) = MOVES[usize::from(ring.0)] else { return (Proposal::Nothing, 0) };
            let like = gain_of(own);
            let accepted = self.moves[(edges + MOVE_MAX) as usize][(like + MOVE_MAX) as usize];
            (Proposal::Move { edges, like }, accepted)
        } else if other == own {
            (Proposal::Nothing, 0)
        } else {
            let like = gain_of(own) - gain_of(other);
            (Proposal::Swap { like }, self.swaps[(like + SWAP_MAX) as usize])
        }
    }

    #[inline]
    fn leaves(proposal: Proposal) -> bool {
        matches!(proposal, Proposal::Move { .. })
    }

    #[inline]
    fn made(&mut self, proposal: Proposal) -> i8 {
        let (edges, like) = match proposal {
            Proposal::Nothing => unreachable!("it is accepted with probability 0"),
            Proposal::Move { edges, like } => (edges, like),
            Proposal::Swap { like } => (0, like),
        };
        self.like_edges = self.like_edges.wrapping_add_signed(like.into());
        edges
    }

    fn counts(&self, perimeter: u64, edges: u64) -> Vec<u64> {
        vec![perimeter, edges, edges - self.like_edges]
    }

    fn digest(cells: &[Cell], colours: &[u8]) -> Digest {
        Digest::of(&(cells, colours))
    }

    /// One class per colour, up to the maximum number of classes in a picture.
    fn classes(colours: &[u8]) -> (Vec<String>, fn(u8) -> usize) {
        let most = colours.iter().max().map_or(1, |most| usize::from(*most) + 1);
        let names = (0..most.min(CLASSES_MAX)).map(|colour| format!("colour {colour}"));
        (names.collect(), |colour| usize::from(colour) % CLASSES_MAX)
    }

    fn colour(byte: u8) -> Option<u8> {
        Some(byte)
    }

    fn unlike_edges(&self, edges: u64) -> Option<u64> {
        Some(edges - self.like_edges)
    }

    fn counters(&self) -> Option<Vec<i64>> {
        Some(vec![self.like_edges.cast_signed()])
    }

    fn set_counters(&mut self, counters: &[i64]) -> bool {
        let &[number] = counters else { return false };
        self.like_edges = number.cast_unsigned();
        true
    }
}

/// The chain of separation and integration on the amoebots of a connected set of cells without holes.
///
/// ```
/// use acrasin_amoebot::{Cell, Direction, Separation, start};
/// use acrasin_runtime::Seeded;
///
/// // Fifteen of each colour, in turn.
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 30)?;
/// let colours: Vec<u8> = (0..30).map(|i| i % 2).collect();
/// let mut chain = Separation::new(&cells, &colours, 4.0, 4.0)?;
/// let before = chain.unlike_edges();
/// chain.run(300_000, &mut Seeded::new(1))?;
/// assert!(chain.unlike_edges() < before / 2);
/// println!("{} of {} edges between colours", chain.unlike_edges(), chain.edges());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Separation = MarkovChain<Colours>;

impl Separation {
    /// The largest colour. Colours are numbers from 0.
    pub const COLOUR_MAX: u8 = Colours::FREE - 1;

    /// The accepted values of λ and γ, such that no weight of a move is 0 times infinity.
    pub const BIASES: Biases = Biases { least: 1e-60, most: 1e60 };

    /// The chain with amoebot i on cell i, in the i-th colour. O(area of the rectangle around them).
    ///
    /// # Errors
    ///
    /// λ or γ is out of range; the number of colours differs from that of the cells; or a colour is above
    /// [`COLOUR_MAX`](Self::COLOUR_MAX). Or the cells are invalid for [`Chain`](super::compression::Chain): there are
    /// none, too many or a duplicate. They are also invalid if they are not connected, have a hole, are too spread out,
    /// or are near the limit of the lattice.
    pub fn new(cells: &[Cell], colours: &[u8], lambda: f64, gamma: f64) -> Result<Self, ChainError> {
        let rule = Colours::new(lambda, gamma)?;
        let mut chain = Self::from_cells(cells, |i| colours.get(i).copied().unwrap_or(0), rule)?;
        if cells.len() != colours.len() {
            return Err(ChainError::ColourCount { cells: cells.len(), colours: colours.len() });
        }
        let max = Self::COLOUR_MAX;
        if let Some((&cell, &colour)) = cells.iter().zip(colours).find(|(_, colour)| **colour > max) {
            return Err(ChainError::Colour { cell, colour, max });
        }
        let bytes = &chain.grid.bytes;
        let like = |at: &u32| {
            let next =
                chain.grid.next.iter().map(|offset| bytes[(*at as usize).wrapping_add_signed(*offset)]);
            next.filter(|byte| *byte == bytes[*at as usize]).count() as u64
        };
        chain.rule.like_edges = chain.positions.iter().map(like).sum::<u64>() / 2;
        Ok(chain)
    }

    /// The colour of each amoebot. O(amoebots).
    #[must_use]
    pub fn colours(&self) -> Vec<u8> {
        self.amoebot_bytes()
    }

    /// The number of adjacent pairs with different colours: e(σ) - a(σ).
    #[must_use]
    pub fn unlike_edges(&self) -> u64 {
        self.edges() - self.rule.like_edges
    }
}
