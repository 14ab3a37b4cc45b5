//! Separation and integration: chain M for amoebots with colours, which gather by colour or mix.
//!
//! Source: Cannon, Daymude, Gokmen, Randall, Richa, "A local stochastic algorithm for separation in heterogeneous
//! self-organizing particle systems", RANDOM 2019. One step is: pick an amoebot P, one of the six directions and a number q
//! in (0, 1), all uniformly. Let ℓ be its cell, i its colour and ℓ′ the next cell in that direction; N(ℓ) are the
//! amoebots next to ℓ, and N_i(ℓ) those of colour i; e and a are their numbers, P itself excluded.
//!
//! | ℓ′ | what | if |
//! |---|---|---|
//! | free | P moves there | e < 5, Property 1 or 2 as in chain M, and q < λ^(e′ - e) γ^(a′ - a) |
//! | an amoebot Q of another colour j | P and Q swap | q < γ^x, x = \|N_i(ℓ′) without P\| - \|N_i(ℓ)\| + \|N_j(ℓ) without Q\| - \|N_j(ℓ′)\| |
//! | an amoebot of colour i | nothing | |
//!
//! Then the law converges to the one in which a connected coloured set without holes with e(σ) adjacent pairs, of them
//! a(σ) of one colour, has weight λ^e(σ) γ^a(σ). Proven: it compresses and separates for λγ > 6.83 and γ > 5.66, and it
//! mixes for λ(γ + 1) > 6.83 and γ close to 1.
//!
//! Everything depends on the eight cells of the [`Ring`] and on the two ends of it.
//!
//! Deviations. q has 62 binary digits. The number of colours is not limited to two. A swap exchanges the colours and leaves
//! the numbers of the amoebots where they are: amoebots are anonymous, so only colours can be told apart.

use std::fmt;
use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::digest::Digest;

use crate::chain::compression::{Chain, ChainError, DIRECTIONS, MOVES, Ring, is_accepted};
use crate::model::lattice::{Cell, Direction};

/// Why there is no such chain, or why it cannot go on.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SeparationError {
    /// The cells, as in a chain without colours.
    Chain(ChainError),
    /// λ is not between [`Separation::BIAS_MIN`] and [`Separation::BIAS_MAX`].
    Lambda {
        /// The value given.
        lambda: f64,
    },
    /// γ is not between [`Separation::BIAS_MIN`] and [`Separation::BIAS_MAX`].
    Gamma {
        /// The value given.
        gamma: f64,
    },
    /// Not one colour for each cell.
    ColourCount {
        /// How many cells were given.
        cells: usize,
        /// How many colours were given.
        colours: usize,
    },
    /// A colour above [`Separation::COLOUR_MAX`].
    Colour {
        /// The cell.
        cell: Cell,
        /// The colour given.
        colour: u8,
    },
}

impl fmt::Display for SeparationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(error) => error.fmt(f),
            Self::Lambda { lambda } => write!(f, "lambda is {lambda} (accepted: numbers from 1e-60 to 1e60)"),
            Self::Gamma { gamma } => write!(f, "gamma is {gamma} (accepted: numbers from 1e-60 to 1e60)"),
            Self::ColourCount { cells, colours } => {
                write!(f, "{colours} colours for {cells} cells (accepted: one for each cell)")
            }
            Self::Colour { cell, colour } => {
                let max = Separation::COLOUR_MAX;
                write!(f, "colour {colour} on cell {cell} (accepted: 0 to {max})")
            }
        }
    }
}

impl std::error::Error for SeparationError {}

impl From<ChainError> for SeparationError {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

/// Free cells on each side of the amoebots when a grid is laid out, as in a chain without colours.
const MARGIN: i32 = 16;

/// A step looks this far from the amoebot that it picked.
const REACH: usize = 2;

/// The byte of a free cell; others hold a colour.
const FREE: u8 = u8::MAX;

/// A byte for each cell of a rectangle (in axial coordinates) round the amoebots.
#[derive(Clone, Debug)]
struct Grid {
    /// The cell of byte 0.
    first: (i32, i32),
    width: usize,
    bytes: Vec<u8>,
    /// What leads from a byte to the next cell in each direction.
    next: [isize; 6],
    /// What leads from the byte of ℓ to the cells of the ring, for each direction.
    ring: [[isize; 8]; 6],
}

impl Grid {
    /// A grid with [`MARGIN`] on each side, and where in it the amoebots are. The cells are those of a [`Chain`].
    fn around(cells: &[Cell], colours: &[u8]) -> (Self, Vec<u32>) {
        let min = |of: fn(Cell) -> i32| cells.iter().map(|cell| of(*cell)).min().unwrap_or(0);
        let max = |of: fn(Cell) -> i32| cells.iter().map(|cell| of(*cell)).max().unwrap_or(0);
        let first = (min(Cell::x) - MARGIN, min(Cell::y) - MARGIN);
        let width = (max(Cell::x) - first.0 + MARGIN + 1) as usize;
        let height = (max(Cell::y) - first.1 + MARGIN + 1) as usize;
        let step = |direction: usize| {
            let (dx, dy) = Direction::from_index((direction % 6) as u8).step();
            dy as isize * width as isize + dx as isize
        };
        let ring = |d: usize| {
            std::array::from_fn(|bit| if bit < 5 { step(d + bit + 1) } else { step(d) + step(d + bit) })
        };
        let mut bytes = vec![FREE; width * height];
        let index = |cell: &Cell| (cell.y() - first.1) as usize * width + (cell.x() - first.0) as usize;
        let positions: Vec<u32> = cells.iter().map(|cell| index(cell) as u32).collect();
        for (&at, &colour) in positions.iter().zip(colours) {
            bytes[at as usize] = colour;
        }
        let grid =
            Self { first, width, bytes, next: std::array::from_fn(step), ring: std::array::from_fn(ring) };
        (grid, positions)
    }

    fn cell(&self, at: usize) -> Cell {
        let (x, y) = ((at % self.width) as i32, (at / self.width) as i32);
        Cell::new(self.first.0 + x, self.first.1 + y).expect("a grid is inside the lattice")
    }

    fn is_near_border(&self, at: usize) -> bool {
        let (x, y, height) = (at % self.width, at / self.width, self.bytes.len() / self.width);
        x < REACH || x >= self.width - REACH || y < REACH || y >= height - REACH
    }

    /// The cells of the ring for which something holds.
    #[inline]
    fn ring_of(&self, at: usize, direction: usize, holds: impl Fn(u8) -> bool) -> Ring {
        let cells = self.ring[direction].iter().enumerate();
        let bit = |offset: isize| u8::from(holds(self.bytes[at.wrapping_add_signed(offset)]));
        Ring(cells.fold(0, |ring, (index, offset)| ring | bit(*offset) << index))
    }
}

/// What a step proposes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proposal {
    Nothing,
    Move { edges: i8, like: i8 },
    Swap { like: i8 },
}

/// The chain of separation and integration on the amoebots of a connected set of cells without holes.
///
/// The same start, λ, γ and [`Choices`] give the same run on every platform. A step makes these draws: the amoebot, for
/// [`Decision::Activation`]; the direction by its [index](Direction::index), for [`Decision::Action`]; and only if the
/// move or the swap is allowed and not certain, q for [`Decision::Outcome`], as two picks of 31 binary digits, the second
/// only if the first does not decide.
///
/// ```
/// use acrasin_amoebot::{Cell, Direction, Separation, start};
/// use acrasin_runtime::Seeded;
///
/// // Fifteen and fifteen, in turn.
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 30)?;
/// let colours: Vec<u8> = (0..30).map(|i| i % 2).collect();
/// let mut chain = Separation::new(&cells, &colours, 4.0, 4.0)?;
/// let before = chain.unlike_edges();
/// chain.run(300_000, &mut Seeded::new(1))?;
/// assert!(chain.unlike_edges() < before / 2);
/// println!("{} of {} edges between colours", chain.unlike_edges(), chain.edges());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Separation {
    lambda: f64,
    gamma: f64,
    /// The probability of a move, times [`Chain::CERTAIN`], by the gains in edges and in edges of one colour, plus
    /// [`MOVE_MAX`](Self::MOVE_MAX).
    moves: [[u64; 2 * Self::MOVE_MAX as usize + 1]; 2 * Self::MOVE_MAX as usize + 1],
    /// The same of a swap, by the gain in edges of one colour, plus [`SWAP_MAX`](Self::SWAP_MAX).
    swaps: [u64; 2 * Self::SWAP_MAX as usize + 1],
    count: NonZeroU32,
    grid: Grid,
    positions: Vec<u32>,
    edges: u64,
    like_edges: u64,
    steps: u64,
    changes: u64,
}

impl Separation {
    /// The largest colour: colours are numbers from 0.
    pub const COLOUR_MAX: u8 = FREE - 1;

    /// The smallest λ and γ: no weight of a move is 0 times infinity.
    pub const BIAS_MIN: f64 = 1e-60;
    /// The largest λ and γ.
    pub const BIAS_MAX: f64 = 1e60;

    /// Most edges that a move gains or loses: three cells of the ring are next to ℓ only, and three to ℓ′ only.
    const MOVE_MAX: i8 = 3;
    /// Most edges of one colour that a swap gains or loses: the move of P, and that of Q.
    const SWAP_MAX: i8 = 2 * Self::MOVE_MAX;

    /// The chain with amoebot i of colour i on cell i. O(area of the rectangle round them).
    ///
    /// # Errors
    ///
    /// λ or γ out of range; not one colour for each cell, or a colour above
    /// [`COLOUR_MAX`](Self::COLOUR_MAX); cells with which there is no [`Chain`] either: none, too many, named twice, not
    /// connected, with a hole, too spread or near the limit of the lattice.
    pub fn new(cells: &[Cell], colours: &[u8], lambda: f64, gamma: f64) -> Result<Self, SeparationError> {
        if !(Self::BIAS_MIN..=Self::BIAS_MAX).contains(&lambda) {
            return Err(SeparationError::Lambda { lambda });
        }
        if !(Self::BIAS_MIN..=Self::BIAS_MAX).contains(&gamma) {
            return Err(SeparationError::Gamma { gamma });
        }
        let chain = Chain::new(cells, lambda)?;
        if cells.len() != colours.len() {
            return Err(SeparationError::ColourCount { cells: cells.len(), colours: colours.len() });
        }
        if let Some((&cell, &colour)) = cells.iter().zip(colours).find(|(_, c)| **c > Self::COLOUR_MAX) {
            return Err(SeparationError::Colour { cell, colour });
        }
        let count = NonZeroU32::new(cells.len() as u32).expect("a chain has amoebots");
        let (grid, positions) = Grid::around(cells, colours);
        let like = |at: &u32| {
            let own = grid.bytes[*at as usize];
            let next = grid.next.iter().map(|offset| grid.bytes[(*at as usize).wrapping_add_signed(*offset)]);
            next.filter(|byte| *byte == own).count() as u64
        };
        let like_edges = positions.iter().map(like).sum::<u64>() / 2;
        let gain = |index: usize, zero: i8| index as i8 - zero;
        let moves = std::array::from_fn(|edges| {
            std::array::from_fn(|like| {
                of_certain(
                    power(lambda, gain(edges, Self::MOVE_MAX)) * power(gamma, gain(like, Self::MOVE_MAX)),
                )
            })
        });
        let swaps = std::array::from_fn(|like| of_certain(power(gamma, gain(like, Self::SWAP_MAX))));
        let edges = chain.edges();
        Ok(Self {
            lambda,
            gamma,
            moves,
            swaps,
            count,
            grid,
            positions,
            edges,
            like_edges,
            steps: 0,
            changes: 0,
        })
    }

    /// The byte of ℓ′, and what is proposed for the byte ℓ and a direction.
    #[inline]
    fn proposal(&self, at: usize, direction: usize) -> (usize, Proposal) {
        let target = at.wrapping_add_signed(self.grid.next[direction]);
        let (own, other) = (self.grid.bytes[at], self.grid.bytes[target]);
        let gain_of = |colour| {
            let ring = self.grid.ring_of(at, direction, |byte| byte == colour);
            ring.neighbours_after() as i8 - ring.neighbours_before() as i8
        };
        let proposal = if other == FREE {
            let ring = self.grid.ring_of(at, direction, |byte| byte != FREE);
            let edges = MOVES[usize::from(ring.0)];
            edges.map_or(Proposal::Nothing, |edges| Proposal::Move { edges, like: gain_of(own) })
        } else if other == own {
            Proposal::Nothing
        } else {
            Proposal::Swap { like: gain_of(own) - gain_of(other) }
        };
        (target, proposal)
    }

    #[inline]
    fn accepted(&self, proposal: Proposal) -> u64 {
        match proposal {
            Proposal::Nothing => 0,
            Proposal::Move { edges, like } => {
                self.moves[(edges + Self::MOVE_MAX) as usize][(like + Self::MOVE_MAX) as usize]
            }
            Proposal::Swap { like } => self.swaps[(like + Self::SWAP_MAX) as usize],
        }
    }

    /// The probability of the move or the swap when this amoebot and direction are picked, times [`Chain::CERTAIN`]:
    /// rounded to the nearest multiple of 2^-62, but never to 0 if it is allowed.
    ///
    /// # Panics
    ///
    /// Panics if there is no amoebot with this number.
    #[must_use]
    pub fn acceptance(&self, amoebot: usize, direction: Direction) -> u64 {
        let (_, proposal) = self.proposal(self.positions[amoebot] as usize, direction.index().into());
        self.accepted(proposal)
    }

    /// One step; whether anything moved or swapped. O(1), but O(area) when an amoebot comes near the border of the grid,
    /// which is then laid out anew round all of them.
    ///
    /// # Errors
    ///
    /// The new grid would be too large, or cross the limit of the lattice; then nothing has changed.
    #[inline]
    pub fn step(&mut self, choices: &mut (impl Choices + ?Sized)) -> Result<bool, SeparationError> {
        let amoebot = choices.pick(self.count, Decision::Activation) as usize;
        let direction = choices.pick(DIRECTIONS, Decision::Action) as usize;
        let at = self.positions[amoebot] as usize;
        let (target, proposal) = self.proposal(at, direction);
        let accepted = is_accepted(self.accepted(proposal), choices);
        if accepted {
            match proposal {
                Proposal::Nothing => unreachable!("it is accepted with probability 0"),
                Proposal::Move { edges, like } => {
                    self.relocate(amoebot, target)?;
                    self.edges = self.edges.wrapping_add_signed(edges.into());
                    self.like_edges = self.like_edges.wrapping_add_signed(like.into());
                }
                Proposal::Swap { like } => {
                    self.grid.bytes.swap(at, target);
                    self.like_edges = self.like_edges.wrapping_add_signed(like.into());
                }
            }
            self.changes += 1;
        }
        self.steps += 1;
        Ok(accepted)
    }

    /// Some steps; how many of them moved or swapped.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    pub fn run(&mut self, steps: u64, choices: &mut (impl Choices + ?Sized)) -> Result<u64, SeparationError> {
        let before = self.changes;
        for _ in 0..steps {
            self.step(choices)?;
        }
        Ok(self.changes - before)
    }

    fn relocate(&mut self, amoebot: usize, target: usize) -> Result<(), ChainError> {
        if self.grid.is_near_border(target) {
            let (mut cells, colours) = (self.cells(), self.colours());
            cells[amoebot] = self.grid.cell(target);
            // The limits of a grid are those of a chain without colours.
            Chain::new(&cells, self.lambda)?;
            (self.grid, self.positions) = Grid::around(&cells, &colours);
            return Ok(());
        }
        let left = std::mem::replace(&mut self.positions[amoebot], target as u32);
        self.grid.bytes.swap(left as usize, target);
        Ok(())
    }

    /// The bias λ towards neighbours.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The bias γ towards neighbours of one's own colour.
    #[must_use]
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// The cell of each amoebot. O(amoebots).
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        self.positions.iter().map(|at| self.grid.cell(*at as usize)).collect()
    }

    /// The colour of each amoebot. O(amoebots).
    #[must_use]
    pub fn colours(&self) -> Vec<u8> {
        self.positions.iter().map(|at| self.grid.bytes[*at as usize]).collect()
    }

    /// Steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Moves and swaps so far.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The paper's e(σ): pairs of adjacent amoebots.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// Pairs of adjacent amoebots of different colours: e(σ) - a(σ).
    #[must_use]
    pub fn unlike_edges(&self) -> u64 {
        self.edges - self.like_edges
    }

    /// The length of the walk round the amoebots: 3n - 3 - e, as there are no holes.
    #[must_use]
    pub fn perimeter(&self) -> u64 {
        3 * u64::from(self.count.get()) - 3 - self.edges
    }

    /// The digest of the cells and the colours in the order of the amoebots. O(amoebots).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&(self.cells(), self.colours()))
    }
}

/// base^exponent by multiplications and at most one division, the same on every platform.
pub(crate) fn power(base: f64, exponent: i8) -> f64 {
    let power = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * base);
    if exponent < 0 { 1.0 / power } else { power }
}

/// The smaller of 1 and the weight, times [`Chain::CERTAIN`], at least 1.
pub(crate) fn of_certain(weight: f64) -> u64 {
    ((weight.min(1.0) * Chain::CERTAIN as f64).round() as u64).max(1)
}
