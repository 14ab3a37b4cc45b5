//! Shortcut bridging: chain M between fixed objects, over a gap where the perimeter costs more.
//!
//! Source: Andrés Arroyo, Cannon, Daymude, Randall, Richa, "A stochastic approach to shortcut bridging in
//! programmable matter", DNA 2017. Each cell of the lattice is land or gap. Object cells never move. The
//! amoebots are contracted and connected, together with the object cells. One step picks an amoebot, one of the
//! six directions and a number q in (0, 1), all uniformly. Let ℓ be the amoebot's cell, ℓ′ the next one in that
//! direction, σ the configuration and σ′ the one with the amoebot at ℓ′. Amoebots and object cells both count as
//! neighbours. The amoebot moves exactly if
//!
//! | condition | here |
//! |---|---|
//! | ℓ′ is free | the byte of ℓ′ in the grid |
//! | e < 5, and Property 1 or 2 | [`MOVES`] |
//! | q < λ^(p(σ) - p(σ′)) γ^(g(σ) - g(σ′)) | [`MarkovChain::acceptance`] |
//!
//! Then the cells of amoebots and objects together stay connected and without holes, so every object stays attached. In
//! the stationary distribution a configuration has weight λ^-p γ^-g, with the perimeters p and g defined below. With γ
//! = λ^(c - 1) this is λ^-(p + (c - 1) g). The exponent is the weighted perimeter, in which an edge over the gap counts
//! c times.
//!
//! # The perimeter
//!
//! p(σ) is the length of the closed walk along adjacent cells of amoebots and objects, once around the outside. An edge
//! with the outside on both sides, as in a line, is walked twice. A single cell has p = 0. g(σ) is the length of the
//! part of this walk that is over the gap. Each time the walk uses an edge between two gap cells counts 1, an edge
//! between land and gap one half. So 2 g is a whole number, which is stored here.
//!
//! Without holes both are sums over the triangles of the lattice (derived here). Each side of an edge is a triangle.
//! The side is outside exactly if the third cell of the triangle is free. So p is the number of triangles with exactly
//! two occupied cells. 2 g is the number of gap cells among these two, summed over these triangles. A move changes only
//! the ten triangles at ℓ or ℓ′, whose cells are ℓ, ℓ′ and the [`EdgeRing`]: see [`Surroundings::gap_change`]. As p =
//! 3N - 3 - e(σ) for N cells with e(σ) adjacent pairs, p(σ) - p(σ′) = e′ - e as in chain M.
//!
//! # What the chain reaches
//!
//! Every move can be undone, so the distribution is as above on the configurations that are reachable from the start.
//! These need not be all configurations that are connected and without holes. An amoebot in a pocket of an object, with
//! five object cells next to it, stays there. No amoebot enters such a pocket either. In the small worlds without
//! pockets that the tests list, all configurations are reached.
//!
//! Deviations. q has 62 binary digits. Amoebots may start, and objects may stand, over the gap. The distance of an
//! amoebot to the nearest object is at most the number of amoebots. So the grid is laid out once, and no step fails.

pub mod landscape;

use std::collections::BTreeSet;

use super::error::{Biases, ChainError};
use super::grid::{Grid, GridView, REACH};
use super::markov::{ChainRule, MarkovChain, acceptance_of, power};
use super::ring::{EdgeRing, MOVES};
use crate::algorithm::description::{AlgorithmFigure, Further};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::system::SystemError;
use crate::start::{CELLS_MAX, StartError};

/// The data on which a move depends: the [`EdgeRing`] around the edge from ℓ to ℓ′, and which cells are gap cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surroundings {
    /// The ring cells with an amoebot or an object.
    pub occupied: EdgeRing,
    /// The gap cells as a bit mask, with the bits of [`EdgeRing`].
    pub gap: u8,
    /// Whether ℓ is over the gap.
    pub first_over_gap: bool,
    /// Whether ℓ′ is over the gap.
    pub second_over_gap: bool,
}

impl Surroundings {
    /// The triangles of ℓ and two consecutive ring cells. Each is represented by the bit of its first ring cell.
    const AT_FIRST: u8 = 0b0000_1111;
    /// The triangles of ℓ′ and two consecutive ring cells. Each is represented by the bit of its first ring cell.
    const AT_SECOND: u8 = 0b1111_0000;
    /// The largest change of 2 g by a move: ten triangles, each with an edge of at most two gap cells.
    const CHANGE_MAX: i8 = 20;

    /// 2 g(σ′) - 2 g(σ) for a move from ℓ to a free ℓ′ that keeps the cells connected and without holes.
    ///
    /// | triangle | its edge that counts before | after |
    /// |---|---|---|
    /// | ℓ, two of the ring | from ℓ, if one of the two is occupied | between the two, if both are |
    /// | ℓ′, two of the ring | between the two, if both are | from ℓ′, if one of the two is occupied |
    /// | ℓ, ℓ′, one of the ring | from ℓ, if that one is occupied | from ℓ′, if it is |
    #[must_use]
    pub const fn gap_change(self) -> i8 {
        let occupied = self.occupied.0;
        let occupied_gap = occupied & self.gap;
        // Bit i stands for the ring cells i and i + 1.
        let both = occupied & occupied.rotate_right(1);
        let one = occupied ^ occupied.rotate_right(1);
        let (first, second) = (self.first_over_gap as i8, self.second_over_gap as i8);
        let between_first = ends(both & Self::AT_FIRST, occupied_gap);
        let between_second = ends(both & Self::AT_SECOND, occupied_gap);
        let from_first = ends(one & Self::AT_FIRST, occupied_gap) + count(one & Self::AT_FIRST) * first;
        let from_second = ends(one & Self::AT_SECOND, occupied_gap) + count(one & Self::AT_SECOND) * second;
        let turned = count(occupied & EdgeRing::BOTH_ENDS) * (second - first);
        between_first - from_first + from_second - between_second + turned
    }
}

const fn count(bits: u8) -> i8 {
    bits.count_ones() as i8
}

/// The number of ends of some pairs of consecutive ring cells that are among `cells`. A pair is given by the bit of its
/// first cell.
const fn ends(pairs: u8, cells: u8) -> i8 {
    count(pairs & cells) + count(pairs & cells.rotate_right(1))
}

/// The bit of a cell's byte that is set if an amoebot or an object is there.
const OCCUPIED: u8 = 1;
/// The bit of a cell's byte that is set if the cell is over the gap.
const GAP: u8 = 2;

/// The change by a move: e′ - e, and 2 g(σ′) - 2 g(σ).
#[derive(Clone, Copy, Debug)]
pub struct BridgingChange {
    /// The gain in adjacent pairs: e′ - e.
    pub edges: i8,
    /// The gain in half edges over the gap: 2 g(σ′) - 2 g(σ).
    pub gap_halves: i8,
}

/// The maximum number of edges that a move gains or loses: three ring cells are next to ℓ only, and three to ℓ′ only.
const EDGES_MAX: i8 = 3;

/// The probability of a move, times [`CERTAIN`](super::CERTAIN), indexed by the two changes, each plus its maximum.
type MoveWeights = [[u64; 2 * Surroundings::CHANGE_MAX as usize + 1]; 2 * EDGES_MAX as usize + 1];

/// The rule of bridging. The byte of a cell tells whether the cell is occupied, and whether it is over the gap.
#[derive(Clone, Debug)]
pub struct Bridge {
    weights: Box<MoveWeights>,
    objects: Vec<Cell>,
    gap_perimeter: u64,
}

impl ChainRule for Bridge {
    /// The change by a move; `None` if ℓ′ is occupied or the table forbids the move.
    type Change = Option<BridgingChange>;

    fn is_occupied(byte: u8) -> bool {
        byte & OCCUPIED != 0
    }

    const FOLLOWS: bool = false;
    const COLUMNS: &'static [&'static str] = &["perimeter", "halves over the gap"];

    #[inline]
    fn propose(&self, sight: GridView<'_>) -> (Option<BridgingChange>, u64) {
        if Self::is_occupied(sight.other()) {
            return (None, 0);
        }
        let (mut occupied, mut gap) = (0, 0);
        for (bit, byte) in sight.around() {
            occupied |= (byte & OCCUPIED) << bit;
            gap |= (byte / GAP) << bit;
        }
        let Some(edges) = MOVES[usize::from(occupied)] else { return (None, 0) };
        let (first_over_gap, second_over_gap) = (sight.own() & GAP != 0, sight.other() & GAP != 0);
        let gap_halves =
            Surroundings { occupied: EdgeRing(occupied), gap, first_over_gap, second_over_gap }.gap_change();
        let index = |change: i8, max: i8| (change + max) as usize;
        let by_edges = &self.weights[index(edges, EDGES_MAX)];
        (Some(BridgingChange { edges, gap_halves }), by_edges[index(gap_halves, Surroundings::CHANGE_MAX)])
    }

    /// The gap bits stay with the cells; the occupied bit moves.
    #[inline]
    fn after(own: u8, other: u8) -> (u8, u8) {
        (own & !OCCUPIED, other | OCCUPIED)
    }

    #[inline]
    fn made(&mut self, change: Option<BridgingChange>) -> i8 {
        let BridgingChange { edges, gap_halves } = change.expect("what is accepted changes something");
        self.gap_perimeter = self.gap_perimeter.wrapping_add_signed(gap_halves.into());
        edges
    }

    fn counts(&self, perimeter: u64, _: u64) -> Vec<u64> {
        vec![perimeter, self.gap_perimeter]
    }

    fn objects(&self) -> &[Cell] {
        &self.objects
    }

    fn classes(_: &[u8]) -> (Vec<String>, fn(u8) -> usize) {
        let names = ["on land", "over the gap"].map(str::to_owned);
        (names.to_vec(), |byte| usize::from(byte & GAP != 0))
    }

    fn further(&self, perimeter: u64) -> Option<Further> {
        let figures = vec![
            AlgorithmFigure::count("perimeter", "perimeter, anchors included", perimeter),
            AlgorithmFigure::real("gap", "perimeter over the gap", self.gap_perimeter as f64 / 2.0),
        ];
        Some(Further { key: "bridge", title: "Bridge", figures })
    }

    fn counters(&self) -> Option<Vec<i64>> {
        Some(vec![self.gap_perimeter.cast_signed()])
    }

    fn set_counters(&mut self, counters: &[i64]) -> bool {
        let &[number] = counters else { return false };
        self.gap_perimeter = number.cast_unsigned();
        true
    }
}

/// The chain of shortcut bridging.
///
/// ```
/// use acrasin_amoebot::chain::bridging::landscape::{self, Slope};
/// use acrasin_runtime::Seeded;
///
/// // Along the land around a wedge of 30 degrees, from one side of its mouth to the other.
/// let shape = landscape::v_shape(16, Slope::THIRTY_DEGREES)?;
/// let mut bridge = shape.chain(4.0, 2.0)?;
/// assert_eq!((bridge.perimeter(), bridge.gap_perimeter()), (63, 0));
/// bridge.run(500_000, &mut Seeded::new(1))?;
/// // γ = λ^0.5: over the gap the perimeter costs 1.5 times as much, and a shortcut still pays.
/// assert!(bridge.gap_perimeter() > 0 && bridge.weighted_perimeter(1.5) < 50.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Bridging = MarkovChain<Bridge>;

impl Bridging {
    /// The accepted values of λ and γ, such that no weight of a move is 0 times infinity.
    pub const BIASES: Biases = Biases { least: 1e-20, most: 1e20 };

    /// The chain with amoebot i on cell i. `land` is called once for each cell of the grid: the rectangle around
    /// the object cells, widened on each side by the number of amoebots plus two. Duplicate object cells count
    /// once. O(area of the grid). No step fails: the grid has room for all positions.
    ///
    /// # Errors
    ///
    /// λ or γ is out of range. There are no amoebots, too many, or no object cells. An amoebot is on an object, or two
    /// amoebots are on one cell. The cells together are not connected, have a hole, are too spread out, or are near the
    /// limit of the lattice.
    pub fn new(
        cells: &[Cell],
        objects: &[Cell],
        land: impl Fn(Cell) -> bool,
        lambda: f64,
        gamma: f64,
    ) -> Result<Self, ChainError> {
        let lambda = Self::BIASES.checked("lambda", lambda)?;
        let gamma = Self::BIASES.checked("gamma", gamma)?;
        let all = cells.len() + objects.len();
        if all > CELLS_MAX {
            return Err(StartError::WrongCount { cells: all }.into());
        }
        if cells.is_empty() {
            return Err(SystemError::WrongCount { amoebots: 0 }.into());
        }
        let objects: BTreeSet<Cell> = objects.iter().copied().collect();
        if objects.is_empty() {
            return Err(StartError::NoObject.into());
        }
        if let Some((&cell, amoebot)) =
            cells.iter().zip((0..).map(AmoebotId)).find(|(cell, _)| objects.contains(*cell))
        {
            return Err(SystemError::ObjectOnAmoebot { cell, amoebot }.into());
        }
        let objects: Vec<Cell> = objects.into_iter().collect();
        let mut grid = Grid::spanning(&objects, (cells.len() + REACH) as i32, 0)?;
        for at in 0..grid.bytes.len() {
            grid.bytes[at] = if land(grid.cell(at)) { 0 } else { GAP };
        }
        let all = [cells, &objects].concat();
        let (_, edges) = Grid::checked(&all)?;
        for cell in &all {
            let at = grid.index(*cell);
            grid.bytes[at] |= OCCUPIED;
        }
        let positions = cells.iter().map(|cell| grid.index(*cell) as u32).collect();
        let gap_perimeter = gap_halves(&grid);
        let rule = Bridge { weights: weights(lambda, gamma), objects, gap_perimeter };
        Ok(Self::laid_out(grid, positions, (all.len() as u64, edges), rule))
    }

    /// The object cells, sorted and without duplicates.
    #[must_use]
    pub fn objects(&self) -> &[Cell] {
        &self.rule.objects
    }

    /// 2 g(σ): the part of the perimeter over the gap, in half edges.
    #[must_use]
    pub fn gap_perimeter(&self) -> u64 {
        self.rule.gap_perimeter
    }

    /// p(σ) + (c - 1) g(σ): the perimeter in which an edge over the gap counts `c` times.
    #[must_use]
    pub fn weighted_perimeter(&self, c: f64) -> f64 {
        self.perimeter() as f64 + (c - 1.0) * self.gap_perimeter() as f64 / 2.0
    }
}

/// Computes 2 g by counting gap cells over the triangles that are outside.
fn gap_halves(grid: &Grid) -> u64 {
    let is = |at: usize, flag: u8| grid.bytes[at] & flag != 0;
    let side = |at: usize, direction: usize| {
        let to = |direction: usize| at.wrapping_add_signed(grid.next[direction % 6]);
        let (other, third) = (to(direction), to(direction + 1));
        let counts = is(other, OCCUPIED) && !is(third, OCCUPIED);
        if counts { u64::from(is(at, GAP)) + u64::from(is(other, GAP)) } else { 0 }
    };
    // From each of its two cells, another side of an edge is on the left, so both sides are counted.
    let occupied = (0..grid.bytes.len()).filter(|at| is(*at, OCCUPIED));
    occupied.flat_map(|at| (0..6).map(move |direction| side(at, direction))).sum()
}

fn weights(lambda: f64, gamma: f64) -> Box<MoveWeights> {
    let change = |index: usize, max: i8| index as i8 - max;
    Box::new(std::array::from_fn(|edges| {
        let by_edges = power(lambda, change(edges, EDGES_MAX));
        std::array::from_fn(|halves| {
            // A configuration with more perimeter over the gap weighs less.
            let halves = -change(halves, Surroundings::CHANGE_MAX);
            let half = if halves % 2 == 0 { 1.0 } else { gamma.sqrt() };
            let by_gap = power(gamma, halves.div_euclid(2)) * half;
            acceptance_of(by_edges * by_gap)
        })
    }))
}
