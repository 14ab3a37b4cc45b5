//! Phototaxis: chain M, but amoebots that see a light act less often, so that the group moves.
//!
//! Source: Savoie, Cannon, Daymude, Warkentin, Li, Richa, Randall, Goldman, "Phototactic supersmarticles", Artificial
//! Life and Robotics 23 (2018). A step is a step of [chain M](super::compression), but an amoebot that sees the light
//! acts only with probability `lit`. The light is far away in one of the six directions. An amoebot sees the light if
//! no other amoebot is in between:
//!
//! | the next cells of ℓ towards the light | the amoebot moves to a free ℓ′ if the ring allows it and |
//! |---|---|
//! | some amoebot is on one of them | q < λ^(e′ - e) |
//! | all are free | q < `lit` min(1, λ^(e′ - e)) |
//!
//! So amoebots on the lit side seldom move while the others wander, and the centre of the amoebots drifts. With `lit` =
//! 1 the chain is chain M, draw by draw. The rule is not reversible: the distribution of shapes and the drift are known
//! only for a few amoebots, by solving the chain.
//!
//! An amoebot depends on cells beyond its neighbours: it senses the light, not the amoebots that block it.
//!
//! Deviations. q has 62 binary digits. The rule follows secondary reports of the paper: `lit` = 1/4 and λ = 9
//! are the values of a known simulator.

use super::error::{Biases, ChainError};
use super::grid::GridView;
use super::markov::{ChainRule, MarkovChain, acceptance_of, power};
use super::ring::{EdgeRing, MOVES};
use crate::algorithm::description::{AlgorithmFigure, Further};
use crate::model::lattice::{Cell, Direction};

/// The rule of phototaxis: the light and the probabilities of moves.
#[derive(Clone, Debug)]
pub struct Light {
    /// The direction of the light.
    towards: Direction,
    /// The probability that an amoebot in the shade makes a move, times [`CERTAIN`](super::CERTAIN); indexed by the
    /// ring.
    shaded: Box<[u64; 256]>,
    /// The probability that an amoebot that sees the light makes a move, in the form of `shaded`.
    lit: Box<[u64; 256]>,
    /// The sum of the displacements of all moves towards the light, in half cells; negative away from the light.
    half_cells: i64,
    amoebots: u32,
}

/// A move of an amoebot.
#[derive(Clone, Copy, Debug)]
pub struct Crawl {
    ring: EdgeRing,
    /// The direction of the move.
    direction: Direction,
}

impl Light {
    fn new(amoebots: u32, lambda: f64, lit: f64, towards: Direction) -> Result<Self, ChainError> {
        let lambda = Biases::POSITIVE.checked("lambda", lambda)?;
        let lit = Phototaxis::LIT.checked("lit", lit)?;
        let of = |gain: Option<i8>| gain.map_or(0, |gain| acceptance_of(power(lambda, gain)));
        let shaded = MOVES.map(of);
        let less = |acceptance: u64| (acceptance as f64 * lit).round() as u64;
        let lit = if lit == 1.0 { shaded } else { shaded.map(less) };
        Ok(Self { towards, shaded: Box::new(shaded), lit: Box::new(lit), half_cells: 0, amoebots })
    }

    /// The displacement of a move towards the light, in half cells: 2 for a move straight towards the light, -2 for one
    /// straight away from it.
    fn half_cells_of(&self, direction: Direction) -> i64 {
        [2, 1, -1, -2, -1, 1][usize::from((6 + direction.index() - self.towards.index()) % 6)]
    }

    /// The displacement of the amoebots' centre towards the light since the start, in cells.
    fn drift(&self) -> f64 {
        self.half_cells as f64 / 2.0 / f64::from(self.amoebots)
    }
}

impl ChainRule for Light {
    type Change = Crawl;

    /// Inlined into steps and windows: without inlining they took 5 % longer.
    #[inline(always)]
    fn propose(&self, sight: GridView<'_>) -> (Crawl, u64) {
        let ring = EdgeRing(sight.around().fold(0, |ring, (bit, occupied)| ring | occupied << bit));
        let shaded = self.shaded[usize::from(ring.0)] * u64::from(1 - sight.other());
        // Most steps propose nothing, and then the row need not be read.
        let sees = shaded != 0 && sight.all_beyond(self.towards, |byte| byte == Self::FREE);
        let acceptance = if sees { self.lit[usize::from(ring.0)] } else { shaded };
        (Crawl { ring, direction: sight.direction() }, acceptance)
    }

    #[inline]
    fn made(&mut self, Crawl { ring, direction }: Crawl) -> i8 {
        self.half_cells += self.half_cells_of(direction);
        ring.neighbours_after() as i8 - ring.neighbours_before() as i8
    }

    fn further(&self, _: u64) -> Option<Further> {
        let drift =
            AlgorithmFigure::real("drift", "drift towards the light", self.drift()).with_unit("cells");
        Some(Further { key: "light", title: "Light", figures: vec![drift] })
    }

    fn counters(&self) -> Option<Vec<i64>> {
        Some(vec![self.half_cells])
    }

    fn set_counters(&mut self, counters: &[i64]) -> bool {
        let &[number] = counters else { return false };
        self.half_cells = number;
        true
    }
}

/// The chain of phototaxis on the amoebots of a connected set of cells without holes.
///
/// ```
/// use acrasin_amoebot::{Cell, Direction, Phototaxis, start};
/// use acrasin_runtime::Seeded;
///
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 30)?;
/// let mut chain = Phototaxis::new(&cells, 9.0, 0.25, Direction::East)?;
/// chain.run(1_000_000, &mut Seeded::new(1))?;
/// println!("{} cells towards the light", chain.drift());
/// # assert_ne!(chain.drift(), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Phototaxis = MarkovChain<Light>;

impl Phototaxis {
    /// The accepted range of the probability with which an amoebot that sees the light acts.
    pub const LIT: Biases = Biases { least: 0.0, most: 1.0 };

    /// The chain with amoebot i on cell i, and a light in this direction. O(area of the rectangle around them).
    ///
    /// # Errors
    ///
    /// λ is not a finite number above 0, `lit` is not a probability, or the cells are invalid for
    /// [`Chain`](super::compression::Chain). Cells are invalid if there are none, too many or a duplicate. They are
    /// also invalid if they are not connected, have a hole, are too spread out, or are near the limit of the lattice.
    pub fn new(cells: &[Cell], lambda: f64, lit: f64, towards: Direction) -> Result<Self, ChainError> {
        let rule = Light::new(cells.len().try_into().unwrap_or(u32::MAX), lambda, lit, towards)?;
        Self::from_cells(cells, |_| 1, rule)
    }

    /// The displacement of the amoebots' centre towards the light since the start, in cells; negative if the centre
    /// moved away from the light.
    #[must_use]
    pub fn drift(&self) -> f64 {
        self.rule().drift()
    }
}
