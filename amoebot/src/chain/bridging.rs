//! Shortcut bridging: chain M between fixed objects, over ground where a perimeter costs more.
//!
//! Source: Andrés Arroyo, Cannon, Daymude, Randall, Richa, "A stochastic approach to shortcut bridging in programmable
//! matter", DNA 2017. Each cell of the lattice is land or gap. Object cells never move; amoebots, all contracted, hang
//! together with them. One step is: pick an amoebot, one of the six directions and a number q in (0, 1), all uniformly.
//! Let ℓ be its cell, ℓ′ the next one in that direction, σ the configuration and σ′ the one with the amoebot at ℓ′.
//! Neighbours are amoebots and object cells alike. The amoebot moves exactly if
//!
//! | condition | here |
//! |---|---|
//! | ℓ′ is free | the byte of ℓ′ in the grid |
//! | e < 5, and Property 1 or 2 | [`MOVES`] |
//! | q < λ^(p(σ) - p(σ′)) γ^(g(σ) - g(σ′)) | [`Bridging::acceptance`] |
//!
//! Then the cells of amoebots and objects together stay connected and without holes, so every object stays attached, and
//! a configuration has the weight λ^-p γ^-g in the stationary law. With γ = λ^(c - 1) that is λ to the power of minus the
//! weighted perimeter p + (c - 1) g, in which an edge over the gap counts c times.
//!
//! # The perimeter
//!
//! p(σ) is the length of the closed walk along adjacent cells of amoebots and objects, once round the outside. An edge
//! of which both sides are outside, as in a line, is walked along twice; one cell alone has p = 0. g(σ) is the part of
//! this walk over the gap: an edge between two gap cells counts 1, one between land and gap one half, each as often as
//! it is walked along. So 2 g is a whole number, and that is what is kept here.
//!
//! Without holes both are sums over the triangles of the lattice (derived here): each side of an edge is a triangle, and
//! it is outside exactly if the third cell is free. So p is the number of triangles with exactly two occupied cells, and
//! 2 g the number of gap cells among these two, summed over these triangles. A move changes only the ten triangles at ℓ
//! or ℓ′, whose cells are ℓ, ℓ′ and the [`Ring`]: see [`Surroundings::gap_change`]. As p = 3N - 3 - e(σ) for N cells
//! with e(σ) adjacent pairs, p(σ) - p(σ′) = e′ - e as in chain M.
//!
//! # What the chain reaches
//!
//! Every move can be undone, so the law is as above on the configurations that the start leads to. These need not be all
//! that are connected and without holes: an amoebot in a pocket of an object, with five object cells next to it, stays
//! there, and no amoebot gets into such a pocket, as the way in leads over the cell that closes it. In the small worlds
//! without pockets that the tests list, all are reached.
//!
//! Deviations. q has 62 binary digits. Amoebots may start over the gap and objects stand there. No amoebot gets further
//! from all objects than there are amoebots, so the grid is laid out once, and no step fails.

pub mod landscape;

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::digest::Digest;

use crate::chain::compression::{AREA_MAX, Chain, ChainError, DIRECTIONS, MOVES, Ring, is_accepted};
use crate::chain::separation::{of_certain, power};
use crate::model::lattice::{Cell, Direction};
use crate::start::CELLS_MAX;

/// Why there is no such chain.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum BridgingError {
    /// λ is not between [`Bridging::BIAS_MIN`] and [`Bridging::BIAS_MAX`].
    Lambda {
        /// The value given.
        lambda: f64,
    },
    /// γ is not between [`Bridging::BIAS_MIN`] and [`Bridging::BIAS_MAX`].
    Gamma {
        /// The value given.
        gamma: f64,
    },
    /// No amoebots, or more cells than [`CELLS_MAX`].
    WrongCount {
        /// How many amoebots were given.
        amoebots: usize,
        /// How many object cells were given.
        objects: usize,
    },
    /// No object cells: nothing would hold the amoebots.
    NoObjects,
    /// An amoebot on an object.
    OnObject {
        /// The cell.
        cell: Cell,
    },
    /// The object cells are so far apart, or the amoebots so many, that the grid would have more than [`AREA_MAX`] cells.
    TooSpread {
        /// Cells of the grid in the first coordinate.
        width: u64,
        /// Cells of the grid in the second coordinate.
        height: u64,
    },
    /// An object cell so close to the limit of the lattice that amoebots could cross it.
    NearLimit {
        /// The cell.
        cell: Cell,
        /// The largest absolute value of a coordinate that is accepted with so many amoebots.
        max: i32,
    },
    /// The cells of amoebots and objects together, as those of chain M: named twice, not connected, with a hole, too far
    /// apart, near the limit of the lattice.
    Cells(ChainError),
}

impl fmt::Display for BridgingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lambda { lambda } => write!(f, "lambda is {lambda} (accepted: numbers from 1e-20 to 1e20)"),
            Self::Gamma { gamma } => write!(f, "gamma is {gamma} (accepted: numbers from 1e-20 to 1e20)"),
            Self::WrongCount { amoebots, objects } => write!(
                f,
                "{amoebots} amoebots and {objects} object cells (accepted: at least 1 amoebot, {CELLS_MAX} cells in all)"
            ),
            Self::NoObjects => write!(f, "no object cells (accepted: at least 1)"),
            Self::OnObject { cell } => write!(f, "an amoebot on cell {cell}, where an object is"),
            Self::TooSpread { width, height } => {
                write!(f, "a grid of {width} times {height} cells (accepted: {AREA_MAX} cells)")
            }
            Self::NearLimit { cell, max } => {
                write!(f, "an object on cell {cell}: its coordinates may go from -{max} to {max}")
            }
            Self::Cells(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BridgingError {}

/// What a move looks at: the [`Ring`] round the edge from ℓ to ℓ′, and where the gap is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surroundings {
    /// Amoebots and object cells.
    pub occupied: Ring,
    /// Gap cells, in the order of the ring.
    pub gap: u8,
    /// Whether ℓ is over the gap.
    pub first_over_gap: bool,
    /// Whether ℓ′ is over the gap.
    pub second_over_gap: bool,
}

impl Surroundings {
    /// The triangles of ℓ and two neighbours on the ring, by the first of them.
    const AT_FIRST: u8 = 0b0000_1111;
    /// The triangles of ℓ′ and two neighbours on the ring, by the first of them.
    const AT_SECOND: u8 = 0b1111_0000;
    /// No change is larger: ten triangles, each with an edge of at most two gap cells.
    const CHANGE_MAX: i8 = 20;

    /// 2 g(σ′) - 2 g(σ) if the amoebot goes from ℓ to a free ℓ′, and the move keeps the cells connected and without
    /// holes.
    ///
    /// | triangle | its edge counts before | after |
    /// |---|---|---|
    /// | ℓ, two of the ring | from ℓ, if one of the two is occupied | between the two, if both are |
    /// | ℓ′, two of the ring | between the two, if both are | from ℓ′, if one of the two is occupied |
    /// | ℓ, ℓ′, one of the ring | from ℓ, if that one is occupied | from ℓ′, if it is |
    #[must_use]
    pub const fn gap_change(self) -> i8 {
        let occupied = self.occupied.0;
        let occupied_gap = occupied & self.gap;
        // Bit i is about the cells i and i + 1 of the ring.
        let both = occupied & occupied.rotate_right(1);
        let one = occupied ^ occupied.rotate_right(1);
        let (first, second) = (self.first_over_gap as i8, self.second_over_gap as i8);
        let between_first = ends(both & Self::AT_FIRST, occupied_gap);
        let between_second = ends(both & Self::AT_SECOND, occupied_gap);
        let from_first = ends(one & Self::AT_FIRST, occupied_gap) + count(one & Self::AT_FIRST) * first;
        let from_second = ends(one & Self::AT_SECOND, occupied_gap) + count(one & Self::AT_SECOND) * second;
        let turned = count(occupied & Ring::BOTH_ENDS) * (second - first);
        between_first - from_first + from_second - between_second + turned
    }
}

const fn count(bits: u8) -> i8 {
    bits.count_ones() as i8
}

/// How many ends of these pairs of the ring are among the cells.
const fn ends(pairs: u8, cells: u8) -> i8 {
    count(pairs & cells) + count(pairs & cells.rotate_right(1))
}

/// In the byte of a cell: an amoebot or an object is there.
const OCCUPIED: u8 = 1;
/// In the byte of a cell: it is over the gap.
const GAP: u8 = 2;

/// A step looks this far from the amoebot that it picked.
const REACH: i32 = 2;

/// A byte for each cell of a rectangle (in axial coordinates) that amoebots may come to or look at.
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
    /// Land and gap round these object cells, no amoebot on it.
    fn around(
        objects: &BTreeSet<Cell>,
        amoebots: usize,
        land: impl Fn(Cell) -> bool,
    ) -> Result<Self, BridgingError> {
        let margin = amoebots as i32 + REACH;
        let max = Cell::COORDINATE_MAX - margin;
        if let Some(&cell) = objects.iter().find(|cell| cell.x().abs() > max || cell.y().abs() > max) {
            return Err(BridgingError::NearLimit { cell, max });
        }
        let span = |of: fn(Cell) -> i32| {
            let least = objects.iter().map(|cell| of(*cell)).min().unwrap_or(0) - margin;
            let most = objects.iter().map(|cell| of(*cell)).max().unwrap_or(0) + margin;
            (least, u64::from((most - least).unsigned_abs()) + 1)
        };
        let ((x, width), (y, height)) = (span(Cell::x), span(Cell::y));
        if width * height > AREA_MAX {
            return Err(BridgingError::TooSpread { width, height });
        }
        let row = width as usize;
        let step = |direction: usize| {
            let (dx, dy) = Direction::from_index((direction % 6) as u8).step();
            dy as isize * row as isize + dx as isize
        };
        let ring = |d: usize| {
            std::array::from_fn(|bit| if bit < 5 { step(d + bit + 1) } else { step(d) + step(d + bit) })
        };
        let mut grid = Self {
            first: (x, y),
            width: row,
            bytes: Vec::new(),
            next: std::array::from_fn(step),
            ring: std::array::from_fn(ring),
        };
        let byte = |at| if land(grid.cell(at)) { 0 } else { GAP };
        grid.bytes = (0..(width * height) as usize).map(byte).collect();
        Ok(grid)
    }

    fn cell(&self, at: usize) -> Cell {
        let (x, y) = ((at % self.width) as i32, (at / self.width) as i32);
        Cell::new(self.first.0 + x, self.first.1 + y).expect("the whole grid is within the lattice")
    }

    fn occupy(&mut self, cell: Cell) -> u32 {
        let at = (cell.y() - self.first.1) as usize * self.width + (cell.x() - self.first.0) as usize;
        self.bytes[at] |= OCCUPIED;
        at as u32
    }

    #[inline]
    fn surroundings(&self, at: usize, direction: usize) -> Surroundings {
        let (mut occupied, mut gap) = (0, 0);
        for (bit, offset) in self.ring[direction].iter().enumerate() {
            let byte = self.bytes[at.wrapping_add_signed(*offset)];
            occupied |= (byte & OCCUPIED) << bit;
            gap |= (byte / GAP) << bit;
        }
        let target = at.wrapping_add_signed(self.next[direction]);
        Surroundings {
            occupied: Ring(occupied),
            gap,
            first_over_gap: self.bytes[at] & GAP != 0,
            second_over_gap: self.bytes[target] & GAP != 0,
        }
    }

    /// 2 g, by the triangles that are outside.
    fn gap_halves(&self) -> u64 {
        let is = |at: usize, flag: u8| self.bytes[at] & flag != 0;
        let side = |at: usize, direction: usize| {
            let to = |direction: usize| at.wrapping_add_signed(self.next[direction % 6]);
            let (other, third) = (to(direction), to(direction + 1));
            let counts = is(other, OCCUPIED) && !is(third, OCCUPIED);
            if counts { u64::from(is(at, GAP)) + u64::from(is(other, GAP)) } else { 0 }
        };
        // Seen from each of its two cells an edge has another side on its left.
        let occupied = (0..self.bytes.len()).filter(|at| is(*at, OCCUPIED));
        occupied.flat_map(|at| (0..6).map(move |direction| side(at, direction))).sum()
    }
}

/// What a move changes: e′ - e, and 2 g(σ′) - 2 g(σ).
#[derive(Clone, Copy, Debug)]
struct Change {
    edges: i8,
    gap_halves: i8,
}

/// Most edges that a move gains or loses: three cells of the ring are next to ℓ only, and three to ℓ′ only.
const EDGES_MAX: i8 = 3;

/// The probability of a move, times [`Chain::CERTAIN`], by the changes, each plus the largest that it may be.
type Weights = [[u64; 2 * Surroundings::CHANGE_MAX as usize + 1]; 2 * EDGES_MAX as usize + 1];

/// The chain of shortcut bridging.
///
/// The same start, λ, γ and [`Choices`] give the same run on every platform. A step makes these draws: the amoebot, for
/// [`Decision::Activation`]; the direction by its [index](Direction::index), for [`Decision::Action`]; and only if the
/// move is allowed and not certain, q for [`Decision::Outcome`], as two picks of 31 binary digits, the second only if
/// the first does not decide.
///
/// ```
/// use acrasin_amoebot::chain::bridging::landscape::{self, Slope};
/// use acrasin_runtime::Seeded;
///
/// // Along the land round a wedge of 30 degrees, from one side of its mouth to the other.
/// let shape = landscape::v_shape(16, Slope::THIRTY_DEGREES)?;
/// let mut bridge = shape.chain(4.0, 2.0)?;
/// assert_eq!((bridge.perimeter(), bridge.gap_perimeter()), (63, 0));
/// bridge.run(500_000, &mut Seeded::new(1));
/// // γ = λ^0.5: over the gap the perimeter costs 1.5 times as much, and a shortcut still pays.
/// assert!(bridge.gap_perimeter() > 0 && bridge.weighted_perimeter(1.5) < 50.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bridging {
    lambda: f64,
    gamma: f64,
    weights: Box<Weights>,
    count: NonZeroU32,
    grid: Grid,
    /// Where in the grid the amoebots are.
    positions: Vec<u32>,
    objects: Vec<Cell>,
    perimeter: u64,
    gap_perimeter: u64,
    steps: u64,
    moves: u64,
}

impl Bridging {
    /// The smallest λ and γ: no weight of a move is 0 times infinity.
    pub const BIAS_MIN: f64 = 1e-20;
    /// The largest λ and γ.
    pub const BIAS_MAX: f64 = 1e20;

    /// The chain with amoebot i on cell i. `land` is asked once for each cell of the grid: the rectangle round the
    /// object cells, and on each side as many cells more as there are amoebots, and two. An object cell given twice
    /// counts once. O(area of the grid).
    ///
    /// # Errors
    ///
    /// λ or γ out of range; no amoebots, or too many; no object cells; amoebots on objects, or two on one cell; cells
    /// that together are not connected, or have a hole, or are too spread or near the limit of the lattice.
    pub fn new(
        cells: &[Cell],
        objects: &[Cell],
        land: impl Fn(Cell) -> bool,
        lambda: f64,
        gamma: f64,
    ) -> Result<Self, BridgingError> {
        if !(Self::BIAS_MIN..=Self::BIAS_MAX).contains(&lambda) {
            return Err(BridgingError::Lambda { lambda });
        }
        if !(Self::BIAS_MIN..=Self::BIAS_MAX).contains(&gamma) {
            return Err(BridgingError::Gamma { gamma });
        }
        let wrong_count = BridgingError::WrongCount { amoebots: cells.len(), objects: objects.len() };
        if cells.len() + objects.len() > CELLS_MAX {
            return Err(wrong_count);
        }
        let count = NonZeroU32::new(cells.len() as u32).ok_or(wrong_count)?;
        let objects: BTreeSet<Cell> = objects.iter().copied().collect();
        if objects.is_empty() {
            return Err(BridgingError::NoObjects);
        }
        if let Some(&cell) = cells.iter().find(|cell| objects.contains(cell)) {
            return Err(BridgingError::OnObject { cell });
        }
        let mut grid = Grid::around(&objects, cells.len(), land)?;
        let all: Vec<Cell> = cells.iter().chain(&objects).copied().collect();
        let together = Chain::new(&all, lambda).map_err(BridgingError::Cells)?;
        let positions = cells.iter().map(|cell| grid.occupy(*cell)).collect();
        let objects: Vec<Cell> = objects.into_iter().collect();
        for object in &objects {
            grid.occupy(*object);
        }
        let gap_perimeter = grid.gap_halves();
        Ok(Self {
            lambda,
            gamma,
            weights: weights(lambda, gamma),
            count,
            grid,
            positions,
            objects,
            perimeter: together.perimeter(),
            gap_perimeter,
            steps: 0,
            moves: 0,
        })
    }

    /// The byte of ℓ′, and what the move would change, if it is allowed.
    #[inline]
    fn proposal(&self, at: usize, direction: usize) -> (usize, Option<Change>) {
        let target = at.wrapping_add_signed(self.grid.next[direction]);
        if self.grid.bytes[target] & OCCUPIED != 0 {
            return (target, None);
        }
        let surroundings = self.grid.surroundings(at, direction);
        let edges = MOVES[usize::from(surroundings.occupied.0)];
        (target, edges.map(|edges| Change { edges, gap_halves: surroundings.gap_change() }))
    }

    #[inline]
    fn accepted(&self, change: Option<Change>) -> u64 {
        let index = |change: i8, max: i8| (change + max) as usize;
        change.map_or(0, |Change { edges, gap_halves }| {
            self.weights[index(edges, EDGES_MAX)][index(gap_halves, Surroundings::CHANGE_MAX)]
        })
    }

    /// The probability of the move when this amoebot and direction are picked, times [`Chain::CERTAIN`]: 0 if it is not
    /// allowed, else the smaller of 1 and λ^(p(σ) - p(σ′)) γ^(g(σ) - g(σ′)).
    ///
    /// The powers are made by multiplications, at most one square root and at most two divisions of 64-bit
    /// floating-point numbers, the same on every platform, and rounded to the nearest multiple of 2^-62, but never to 0.
    ///
    /// # Panics
    ///
    /// Panics if there is no amoebot with this number.
    #[must_use]
    pub fn acceptance(&self, amoebot: usize, direction: Direction) -> u64 {
        self.accepted(self.proposal(self.positions[amoebot] as usize, direction.index().into()).1)
    }

    /// One step; whether an amoebot moved. O(1).
    #[inline]
    pub fn step(&mut self, choices: &mut (impl Choices + ?Sized)) -> bool {
        let amoebot = choices.pick(self.count, Decision::Activation) as usize;
        let direction = choices.pick(DIRECTIONS, Decision::Action) as usize;
        let at = self.positions[amoebot] as usize;
        let (target, change) = self.proposal(at, direction);
        self.steps += 1;
        let Some(change) = change.filter(|change| is_accepted(self.accepted(Some(*change)), choices)) else {
            return false;
        };
        self.positions[amoebot] = target as u32;
        self.grid.bytes[at] &= !OCCUPIED;
        self.grid.bytes[target] |= OCCUPIED;
        self.perimeter = self.perimeter.wrapping_add_signed(-i64::from(change.edges));
        self.gap_perimeter = self.gap_perimeter.wrapping_add_signed(change.gap_halves.into());
        self.moves += 1;
        true
    }

    /// Some steps; how many amoebots moved.
    pub fn run(&mut self, steps: u64, choices: &mut (impl Choices + ?Sized)) -> u64 {
        let before = self.moves;
        for _ in 0..steps {
            self.step(choices);
        }
        self.moves - before
    }

    /// The bias λ towards a short perimeter.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The bias γ towards a perimeter on land.
    #[must_use]
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// The cell of each amoebot. O(amoebots).
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        self.positions.iter().map(|at| self.grid.cell(*at as usize)).collect()
    }

    /// The object cells, sorted.
    #[must_use]
    pub fn objects(&self) -> &[Cell] {
        &self.objects
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

    /// The paper's p(σ): the length of the walk round amoebots and objects, in edges.
    #[must_use]
    pub fn perimeter(&self) -> u64 {
        self.perimeter
    }

    /// 2 g(σ): the part of the perimeter over the gap, in halves of edges.
    #[must_use]
    pub fn gap_perimeter(&self) -> u64 {
        self.gap_perimeter
    }

    /// p(σ) + (c - 1) g(σ): the perimeter if an edge over the gap counts `c` times.
    #[must_use]
    pub fn weighted_perimeter(&self, c: f64) -> f64 {
        self.perimeter as f64 + (c - 1.0) * self.gap_perimeter as f64 / 2.0
    }

    /// The digest of the cells in the order of the amoebots. O(amoebots).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.cells())
    }
}

fn weights(lambda: f64, gamma: f64) -> Box<Weights> {
    let change = |index: usize, max: i8| index as i8 - max;
    Box::new(std::array::from_fn(|edges| {
        let by_edges = power(lambda, change(edges, EDGES_MAX));
        std::array::from_fn(|halves| {
            // What the gap costs more is lost.
            let halves = -change(halves, Surroundings::CHANGE_MAX);
            let half = if halves % 2 == 0 { 1.0 } else { gamma.sqrt() };
            let by_gap = power(gamma, halves.div_euclid(2)) * half;
            of_certain(by_edges * by_gap)
        })
    }))
}
