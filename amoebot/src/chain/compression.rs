//! Compression, chain M: a Markov chain that gathers amoebots or lets them spread, by local moves only.
//!
//! Source: Cannon, Daymude, Randall, Richa, "A Markov chain algorithm for compression in self-organizing particle
//! systems", PODC 2016. All amoebots are contracted, and one step is: pick an amoebot, one of the six directions and a
//! number q in (0, 1), all uniformly. Let ℓ be its cell, ℓ′ the next one in that direction, e and e′ the numbers of
//! amoebots next to ℓ and to ℓ′, itself excluded. It moves to ℓ′ exactly if
//!
//! | condition | here |
//! |---|---|
//! | ℓ′ is free | the byte of ℓ′ in the grid |
//! | e < 5 | [`Ring::gain`] |
//! | Property 1 or Property 2 | [`Ring::has_property_1`], [`Ring::has_property_2`] |
//! | q < λ^(e′ - e) | [`Chain::acceptance`] |
//!
//! Then a connected set without holes stays one, and the chain converges to the law in which a set with e(σ) adjacent
//! pairs has weight λ^e(σ). For λ > 2 + √2 it compresses, for λ < 2.17 it expands.
//!
//! Everything but λ depends on the eight cells round the edge from ℓ to ℓ′ alone, so one table of 256 entries,
//! [`MOVES`], decides; a chain folds λ into its copy. This is the sequential reference: a byte a cell, nine of them
//! looked up in a step.
//!
//! Deviation: q has 62 binary digits, see [`Chain::acceptance`].

mod fast;
mod tiles;

use std::fmt;
use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::digest::Digest;

use crate::model::lattice::{Cell, Direction};
use crate::start::CELLS_MAX;

pub use fast::{FastChain, StepDraws};
pub use tiles::TiledChain;

/// Which of the eight cells round an edge of the lattice are occupied.
///
/// The edge leads from ℓ in direction d to ℓ′. The cells go round it counter-clockwise, so that each is adjacent to the
/// one before and the one after, and to no other:
///
/// | bit | cell | next to |
/// |---|---|---|
/// | 0 | ℓ + d turned counter-clockwise once | both |
/// | 1, 2, 3 | ℓ + d turned counter-clockwise 2, 3, 4 times | ℓ |
/// | 4 | ℓ + d turned counter-clockwise 5 times | both |
/// | 5, 6, 7 | ℓ′ + d turned counter-clockwise 5, 6, 7 times | ℓ′ |
///
/// ```
/// use acrasin_amoebot::chain::compression::Ring;
/// assert_eq!(Ring(0b0000_0011).gain(), Some(-1)); // one of two neighbours remains
/// assert_eq!(Ring(0b0010_0010).gain(), Some(0)); // Property 2: no amoebot is next to both ends
/// assert_eq!(Ring(0b0000_0010).gain(), None); // would be alone
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ring(pub u8);

impl Ring {
    /// The cells next to both ends.
    pub const BOTH_ENDS: u8 = 0b0001_0001;
    /// The cells next to ℓ.
    pub const NEXT_TO_FIRST: u8 = 0b0001_1111;
    /// The cells next to ℓ′.
    pub const NEXT_TO_SECOND: u8 = 0b1111_0001;
    /// An amoebot with this many neighbours stays: its last free neighbour is ℓ′, and ℓ would be a hole.
    pub const NEIGHBOURS_THAT_HOLD: u32 = 5;

    /// The paper's e: how many amoebots are next to ℓ, not counting the one that asks.
    #[must_use]
    pub const fn neighbours_before(self) -> u32 {
        (self.0 & Self::NEXT_TO_FIRST).count_ones()
    }

    /// The paper's e′: how many amoebots are next to ℓ′, not counting the one that asks.
    #[must_use]
    pub const fn neighbours_after(self) -> u32 {
        (self.0 & Self::NEXT_TO_SECOND).count_ones()
    }

    /// Property 1: one or two amoebots are next to both ends, and every amoebot on the ring is joined to one of them by
    /// amoebots on the ring.
    #[must_use]
    pub const fn has_property_1(self) -> bool {
        let mut joined = self.0 & Self::BOTH_ENDS;
        // From a cell of both ends to the furthest one are four steps.
        let mut step = 0;
        while step < 4 {
            joined |= (joined.rotate_left(1) | joined.rotate_right(1)) & self.0;
            step += 1;
        }
        self.0 & Self::BOTH_ENDS != 0 && joined == self.0
    }

    /// Property 2: no amoebot is next to both ends, each end has a neighbour, and the neighbours of each end are joined by
    /// amoebots next to that end.
    #[must_use]
    pub const fn has_property_2(self) -> bool {
        self.0 & Self::BOTH_ENDS == 0 && in_one_piece(self.0 >> 1) && in_one_piece(self.0 >> 5)
    }

    /// e′ - e if the amoebot at ℓ may move to a free ℓ′, else `None`.
    #[must_use]
    pub const fn gain(self) -> Option<i8> {
        let may_leave = self.neighbours_before() < Self::NEIGHBOURS_THAT_HOLD;
        if may_leave && (self.has_property_1() || self.has_property_2()) {
            Some(self.neighbours_after() as i8 - self.neighbours_before() as i8)
        } else {
            None
        }
    }
}

/// Whether the first three bits, cells in a row, are some and are connected.
const fn in_one_piece(row: u8) -> bool {
    !matches!(row & 0b111, 0b000 | 0b101)
}

/// For each [`Ring`], e′ - e if the move is allowed.
pub type MoveTable = [Option<i8>; 256];

/// [`Ring::gain`] of every ring, computed by the compiler: 110 of 256 allow a move. Six of them, with e′ = 5,
/// would fill a hole: they never occur, and 104 remain.
pub const MOVES: MoveTable = {
    let mut moves = [None; 256];
    let mut ring = 0;
    while ring < 256 {
        moves[ring] = Ring(ring as u8).gain();
        ring += 1;
    }
    moves
};

/// Most cells of the grid, occupied or not: a byte each, 256 MiB.
pub const AREA_MAX: u64 = 1 << 28;

/// Free cells on each side of the amoebots when a grid is laid out: room for some time, while the grid of a few
/// amoebots stays in the nearest cache.
const MARGIN: i32 = 16;

/// A step looks this far from the amoebot that it picked.
const REACH: usize = 2;

/// Why there is no such chain, or why it cannot go on.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum ChainError {
    /// λ is not a number above 0, or infinite.
    Lambda {
        /// The value given.
        lambda: f64,
    },
    /// No amoebots, or more than [`CELLS_MAX`].
    WrongCount {
        /// How many cells were given.
        cells: usize,
    },
    /// Two amoebots on one cell.
    Twice {
        /// The cell.
        cell: Cell,
    },
    /// The cells are not connected.
    Disconnected {
        /// The first cell given.
        from: Cell,
        /// A cell that no amoebot reaches from there.
        cell: Cell,
    },
    /// The cells enclose free ones.
    Hole {
        /// An enclosed free cell.
        cell: Cell,
    },
    /// The amoebots are so far apart that the grid would have more than [`AREA_MAX`] cells.
    TooSpread {
        /// Cells of the grid in the first coordinate.
        width: u64,
        /// Cells of the grid in the second coordinate.
        height: u64,
    },
    /// An amoebot so close to the limit of the lattice that the grid would cross it.
    NearLimit {
        /// Its cell.
        cell: Cell,
    },
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lambda { lambda } => write!(f, "lambda is {lambda} (accepted: finite numbers above 0)"),
            Self::WrongCount { cells } => write!(f, "{cells} amoebots (accepted: 1 to {CELLS_MAX})"),
            Self::Twice { cell } => write!(f, "cell {cell} is named twice: a cell holds one amoebot"),
            Self::Disconnected { from, cell } => {
                write!(f, "cell {cell} cannot be reached from cell {from}: the cells must be connected")
            }
            Self::Hole { cell } => write!(f, "free cell {cell} is enclosed: the cells must have no holes"),
            Self::TooSpread { width, height } => {
                write!(f, "a grid of {width} times {height} cells (accepted: {AREA_MAX} cells)")
            }
            Self::NearLimit { cell } => {
                let max = Cell::COORDINATE_MAX - MARGIN;
                write!(f, "an amoebot on cell {cell}: its coordinates may go from -{max} to {max}")
            }
        }
    }
}

impl std::error::Error for ChainError {}

/// A byte for each cell of a rectangle (in axial coordinates) round the amoebots: 1 if it is occupied, else 0.
#[derive(Clone, Debug)]
struct Grid {
    /// The cell of byte 0.
    first: (i32, i32),
    width: usize,
    occupied: Vec<u8>,
    /// What leads from a byte to the next cell in each direction.
    next: [isize; 6],
    /// What leads from the byte of ℓ to the cells of the ring, for each direction.
    ring: [[isize; 8]; 6],
}

impl Grid {
    /// A grid with [`MARGIN`] on each side, and where in it the amoebots are.
    fn around(cells: &[Cell]) -> Result<(Self, Vec<u32>), ChainError> {
        let min = |of: fn(Cell) -> i32| cells.iter().map(|cell| of(*cell)).min().unwrap_or(0);
        let max = |of: fn(Cell) -> i32| cells.iter().map(|cell| of(*cell)).max().unwrap_or(0);
        let limit = Cell::COORDINATE_MAX - MARGIN;
        if let Some(&cell) = cells.iter().find(|cell| cell.x().abs() > limit || cell.y().abs() > limit) {
            return Err(ChainError::NearLimit { cell });
        }
        let first = (min(Cell::x) - MARGIN, min(Cell::y) - MARGIN);
        let side = |first: i32, last: i32| (last - first + MARGIN + 1).unsigned_abs();
        let (width, height) = (side(first.0, max(Cell::x)), side(first.1, max(Cell::y)));
        let area = u64::from(width) * u64::from(height);
        if area > AREA_MAX {
            return Err(ChainError::TooSpread { width: width.into(), height: height.into() });
        }
        let width = width as usize;
        let step = |direction: usize| {
            let (dx, dy) = Direction::from_index((direction % 6) as u8).step();
            dy as isize * width as isize + dx as isize
        };
        let ring = |d: usize| {
            std::array::from_fn(|bit| if bit < 5 { step(d + bit + 1) } else { step(d) + step(d + bit) })
        };
        let mut grid = Self {
            first,
            width,
            occupied: vec![0; area as usize],
            next: std::array::from_fn(step),
            ring: std::array::from_fn(ring),
        };
        let index = |cell: &Cell| (cell.y() - first.1) as u32 * width as u32 + (cell.x() - first.0) as u32;
        let positions: Vec<u32> = cells.iter().map(index).collect();
        for (&at, &cell) in positions.iter().zip(cells) {
            if std::mem::replace(&mut grid.occupied[at as usize], 1) == 1 {
                return Err(ChainError::Twice { cell });
            }
        }
        Ok((grid, positions))
    }

    fn cell(&self, at: usize) -> Cell {
        let (x, y) = (self.first.0 + (at % self.width) as i32, self.first.1 + (at / self.width) as i32);
        Cell::new(x, y).expect("the whole grid is within the lattice")
    }

    fn is_near_border(&self, at: usize) -> bool {
        let inside = |at: usize, side: usize| (REACH..side - REACH).contains(&at);
        let height = self.occupied.len() / self.width;
        !inside(at % self.width, self.width) || !inside(at / self.width, height)
    }

    /// Writes 1 into the zeros of `marks` that can be reached from `start`. The border must have no zeros.
    fn flood(&self, marks: &mut [u8], start: usize) {
        let mut border = vec![start];
        marks[start] = 1;
        while let Some(at) = border.pop() {
            for offset in self.next {
                let next = at.wrapping_add_signed(offset);
                if std::mem::replace(&mut marks[next], 1) == 0 {
                    border.push(next);
                }
            }
        }
    }

    fn check_connected(&self, positions: &[u32]) -> Result<(), ChainError> {
        let mut marks: Vec<u8> = self.occupied.iter().map(|occupied| 1 - occupied).collect();
        let start = positions[0] as usize;
        self.flood(&mut marks, start);
        match positions.iter().find(|at| marks[**at as usize] == 0) {
            Some(&at) => {
                Err(ChainError::Disconnected { from: self.cell(start), cell: self.cell(at as usize) })
            }
            None => Ok(()),
        }
    }

    fn check_hole_free(&self) -> Result<(), ChainError> {
        let mut marks = self.occupied.clone();
        let last_row = marks.len() - self.width;
        for (at, mark) in marks.iter_mut().enumerate() {
            let x = at % self.width;
            if x == 0 || x == self.width - 1 || at < self.width || at >= last_row {
                *mark = 1;
            }
        }
        self.flood(&mut marks, self.width + 1);
        match marks.iter().position(|mark| *mark == 0) {
            Some(hole) => Err(ChainError::Hole { cell: self.cell(hole) }),
            None => Ok(()),
        }
    }
}

/// Chain M on the amoebots of a connected set of cells without holes.
///
/// The same start, λ and [`Choices`] give the same run on every platform. A step makes these draws: the amoebot, for
/// [`Decision::Activation`]; the direction by its [index](Direction::index), for [`Decision::Action`]; and only if the
/// move is allowed and not certain, q for [`Decision::Outcome`], as two picks of 31 binary digits, the second only if
/// the first does not decide.
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
#[derive(Clone, Debug)]
pub struct Chain {
    lambda: f64,
    /// The probability of the move for each ring, times [`Chain::CERTAIN`].
    acceptance: Box<[u64; 256]>,
    count: NonZeroU32,
    grid: Grid,
    /// Where in the grid the amoebots are.
    positions: Vec<u32>,
    edges: u64,
    steps: u64,
    moves: u64,
}

pub(crate) const DIRECTIONS: NonZeroU32 = NonZeroU32::new(6).expect("6 > 0");

/// q comes in two halves of this many binary digits: the most that a bound of 32 bits can ask for.
const HALF_DIGITS: u32 = 31;
const HALF: NonZeroU32 = NonZeroU32::new(1 << HALF_DIGITS).expect("2^31 > 0");

impl Chain {
    /// The [`acceptance`](Self::acceptance) of a move that is certain: 2^62.
    pub const CERTAIN: u64 = 1 << (2 * HALF_DIGITS);

    /// The chain with amoebot i on cell i. O(area of the rectangle round them).
    ///
    /// # Errors
    ///
    /// λ that is not above 0 and finite; cells that are none, too many, named twice, not connected, with a hole, too
    /// spread or near the limit of the lattice.
    pub fn new(cells: &[Cell], lambda: f64) -> Result<Self, ChainError> {
        Self::with_moves(cells, lambda, &MOVES)
    }

    /// The same with another table of moves. With a table that breaks the paper's rules the amoebots may lose each other
    /// or enclose free cells: that is to see whether a check notices it.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn with_moves(cells: &[Cell], lambda: f64, moves: &MoveTable) -> Result<Self, ChainError> {
        if !(lambda > 0.0 && lambda.is_finite()) {
            return Err(ChainError::Lambda { lambda });
        }
        let wrong_count = ChainError::WrongCount { cells: cells.len() };
        if cells.len() > CELLS_MAX {
            return Err(wrong_count);
        }
        let count = NonZeroU32::new(cells.len() as u32).ok_or(wrong_count)?;
        let (grid, positions) = Grid::around(cells)?;
        grid.check_connected(&positions)?;
        grid.check_hole_free()?;
        let neighbours = |at: &u32| {
            let of = |offset| u64::from(grid.occupied[(*at as usize).wrapping_add_signed(offset)]);
            grid.next.into_iter().map(of).sum::<u64>()
        };
        let edges = positions.iter().map(neighbours).sum::<u64>() / 2;
        let acceptance = Box::new(moves.map(|gain| gain.map_or(0, |gain| accepted_of_certain(lambda, gain))));
        Ok(Self { lambda, acceptance, count, grid, positions, edges, steps: 0, moves: 0 })
    }

    /// The target, the ring and the acceptance for a byte ℓ and a direction.
    #[inline]
    fn proposal(&self, at: usize, direction: usize) -> (usize, Ring, u64) {
        let target = at.wrapping_add_signed(self.grid.next[direction]);
        let cells = self.grid.ring[direction].iter().enumerate();
        let ring = cells
            .fold(0, |ring, (bit, offset)| ring | self.grid.occupied[at.wrapping_add_signed(*offset)] << bit);
        let is_free = u64::from(1 - self.grid.occupied[target]);
        (target, Ring(ring), self.acceptance[ring as usize] * is_free)
    }

    /// The probability that the move is made when this amoebot and direction are picked, times [`CERTAIN`](Self::CERTAIN):
    /// 0 if ℓ′ is occupied or the table forbids the move, else the smaller of 1 and λ^(e′ - e).
    ///
    /// The power is made by multiplications and at most one division of 64-bit floating-point numbers, the same on every
    /// platform, and rounded to the nearest multiple of 2^-62, but never to 0: the chain must stay irreducible.
    ///
    /// # Panics
    ///
    /// Panics if there is no amoebot with this number.
    #[must_use]
    pub fn acceptance(&self, amoebot: usize, direction: Direction) -> u64 {
        self.proposal(self.positions[amoebot] as usize, direction.index().into()).2
    }

    /// One step; whether an amoebot moved. O(1), but O(area) when an amoebot comes near the border of the grid, which
    /// is then laid out anew round all of them.
    ///
    /// # Errors
    ///
    /// The new grid would be too large, or cross the limit of the lattice; then nothing has changed.
    #[inline]
    pub fn step(&mut self, choices: &mut (impl Choices + ?Sized)) -> Result<bool, ChainError> {
        let amoebot = choices.pick(self.count, Decision::Activation) as usize;
        let direction = choices.pick(DIRECTIONS, Decision::Action) as usize;
        let (target, ring, acceptance) = self.proposal(self.positions[amoebot] as usize, direction);
        let moves = is_accepted(acceptance, choices);
        if moves {
            self.relocate(amoebot, target)?;
            self.edges =
                self.edges + u64::from(ring.neighbours_after()) - u64::from(ring.neighbours_before());
            self.moves += 1;
        }
        self.steps += 1;
        Ok(moves)
    }

    /// Some steps; how many amoebots moved.
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

    fn relocate(&mut self, amoebot: usize, target: usize) -> Result<(), ChainError> {
        if self.grid.is_near_border(target) {
            let mut cells = self.cells();
            cells[amoebot] = self.grid.cell(target);
            (self.grid, self.positions) = Grid::around(&cells)?;
            return Ok(());
        }
        let left = std::mem::replace(&mut self.positions[amoebot], target as u32);
        self.grid.occupied[left as usize] = 0;
        self.grid.occupied[target] = 1;
        Ok(())
    }

    /// The bias λ.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The cell of each amoebot. O(amoebots).
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        self.positions.iter().map(|at| self.grid.cell(*at as usize)).collect()
    }

    /// Steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Moves so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The paper's e(σ): pairs of adjacent amoebots.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The paper's p(σ), the length of the walk round the amoebots: 3n - 3 - e, as there are no holes.
    #[must_use]
    pub fn perimeter(&self) -> u64 {
        3 * u64::from(self.count.get()) - 3 - self.edges
    }

    /// The bytes that the run takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.grid.occupied.capacity() + self.positions.capacity() * size_of::<u32>()
    }

    /// The digest of the cells in the order of the amoebots. O(amoebots).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.cells())
    }
}

/// The smaller of 1 and λ^gain, times [`Chain::CERTAIN`], at least 1.
fn accepted_of_certain(lambda: f64, gain: i8) -> u64 {
    let power = (0..gain.unsigned_abs()).fold(1.0, |power, _| power * lambda);
    let probability = if gain < 0 { 1.0 / power } else { power };
    ((probability.min(1.0) * Chain::CERTAIN as f64).round() as u64).max(1)
}

/// Whether q is below the acceptance.
#[inline]
pub(crate) fn is_accepted(acceptance: u64, choices: &mut (impl Choices + ?Sized)) -> bool {
    if acceptance == 0 || acceptance == Chain::CERTAIN {
        return acceptance != 0;
    }
    let mut half = || u64::from(choices.pick(HALF, Decision::Outcome));
    let (high, low) = (acceptance >> HALF_DIGITS, acceptance & u64::from(HALF.get() - 1));
    let first = half();
    first < high || first == high && half() < low
}
