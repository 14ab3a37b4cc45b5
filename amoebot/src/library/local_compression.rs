//! Compression by the local algorithm A: chain M executed by amoebots that expand and contract independently of each
//! other.
//!
//! Source: Cannon, Daymude, Randall, Richa, "A Markov chain algorithm for compression in self-organizing particle
//! systems", PODC 2016. ℓ is the only node or the tail, ℓ′ the head. N* consists of the nodes of contracted amoebots
//! and the tails of expanded ones.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | expand | contracted; no expanded neighbour; some free neighbour node | pick a direction; if ℓ′ is free there, expand into it, flag := no expanded amoebot next to ℓ or ℓ′ |
//! | contract | expanded | pick q; into the head if flag and the conditions of chain M hold for N*, else into the tail |
//!
//! Deviations. The labels of the actions are those of this file. The paper draws q together with the direction. Here q
//! is drawn when the amoebot contracts, which gives the same distribution and saves memory; q has 31 binary digits. An
//! amoebot without a free neighbour node does not pick a direction, since it could not expand. The flag is decided in
//! the action that expands, as in the paper, although in the canonical model a movement ends its action. So the action
//! looks one node beyond the neighbours ([`View::is_expanded_beyond`]). Message locks on neighbours do not cover that
//! node. Waves and tiles lock all amoebots at which the action looks, so their runs are equivalent to sequential ones.
//!
//! The nodes in N* change only by moves of chain M, so they stay connected and without holes. The flag is needed for
//! the distribution: without the flag an amoebot often moves under conditions that differ from those under which it
//! expanded.
//!
//! The distribution, derived here. One amoebot at a time acts; it is drawn uniformly from all amoebots, expanded or
//! not. Suppose that each amoebot contracts before the next one expands. Then the cells at the moments without expanded
//! amoebots have the distribution of chain M, which is proportional to λ^e(σ). The cells at all moments do not have it:
//! a set with few edges has more free nodes next to it, so its amoebots are expanded more often. Amoebots that are
//! expanded at the same time hinder each other, so the distribution of chain M holds approximately. The exact
//! probabilities of the numbers of edges, computed from all states, differ from those of chain M by at most this
//! fraction:
//!
//! | amoebots, λ | no expanded amoebot | all moments, tails |
//! |---|---|---|
//! | 3, 1 | 0.0083 | 0.1911 |
//! | 3, 4 | 0.0053 | 0.1326 |
//! | 4, 1 | 0.0109 | 0.2626 |
//! | 4, 4 | 0.0099 | 0.2197 |

use crate::algorithm::packed_memory;
use acrasin_catalogue::counted;
use acrasin_runtime::FixedProbability;
use acrasin_runtime::choice::{Choices, Decision, pick_index, pick_with_probability};

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, Looks, View};
use crate::chain::compression::Chain;
use crate::chain::{Biases, ChainError, EdgeRing, power};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::parameter::{Parameter, ParameterKind};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::{Cell, Rotation};
use crate::model::operation::Movement;
use crate::model::orientation::Orientation;
use crate::model::shape::Shape;
use crate::model::system::System;
use crate::start::Contracted;

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Memory {
    /// Whether no expanded amoebot was next to either node of this amoebot when it expanded. False while contracted.
    pub flag: bool,
}

acrasin_runtime::pack_fields!(Memory { flag });

/// The labels of the actions. At most one is enabled at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Tries a direction.
    Expand,
    /// Contracts into the new node, or back into the old one.
    Contract,
}

/// Algorithm A with bias λ. It never terminates.
///
/// An action draws with [`Decision::Outcome`]: *expand* draws the label of the direction minus 1; *contract*
/// draws q, but only if the move is allowed and not certain.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, LocalCompression, Shape, start};
/// use acrasin_runtime::Seeded;
///
/// let algorithm = LocalCompression::new(4.0)?;
/// let line = start::line(Cell::ORIGIN, Direction::East, 10)?;
/// let mut execution = SequentialExecution::new(&algorithm, LocalCompression::start(&line, &[])?);
/// execution.run(200_000, &mut Uniform, &mut Seeded::new(1));
/// let shape = Shape::from_cells(LocalCompression::tails(execution.system()))?;
/// assert!(shape.is_connected() && shape.holes() == 0);
/// println!("{} edges, 9 at the start", shape.edges());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LocalCompression {
    lambda: f64,
}

impl Algorithm for LocalCompression {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[Action::Expand, Action::Contract]
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        match action {
            Action::Expand => a.is_contracted() && is_alone(a) && a.ports().any(|port| !a.connected(port)),
            Action::Contract => !a.is_contracted(),
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Ok(match action {
            Action::Expand => {
                let label = pick_index(choices, 6, Decision::Outcome).expect("six directions") as u8 + 1;
                let port = AmoebotPort::head(label);
                let is_free = a.ports().any(|own| own == port) && !a.connected(port);
                if !is_free {
                    return Ok(Effects::none());
                }
                // The guard ensures that no expanded amoebot is next to ℓ.
                let flag = !a.is_expanded_beyond(port);
                Effects::none().write_own(Memory { flag }).then(Movement::Expand(port))
            }
            Action::Contract => {
                let gain = tails_around(a).and_then(EdgeRing::gain).filter(|_| a.own().flag);
                let forward = gain.is_some_and(|gain| {
                    pick_with_probability(choices, self.acceptance(gain), Decision::Outcome)
                });
                let left = if forward { End::Tail } else { End::Head };
                Effects::none().write_own(Memory { flag: false }).then(Movement::Contract(left))
            }
        })
    }

    fn looks(&self) -> Looks {
        Looks::Beyond
    }

    fn conventions(&self) -> &'static [Convention] {
        // Not monotone: an action looks beyond the neighbours, and counts free nodes.
        &[Convention::Validity]
    }

    packed_memory!();
}

/// Whether there is no expanded neighbour.
fn is_alone(a: &View<'_, Memory>) -> bool {
    a.neighbours().all(|b| b.contracted)
}

/// N* around the edge from the tail to the head of an expanded amoebot; `None` if contracted. The ring follows the
/// amoebot's own sense of rotation, since the conditions of chain M are the same for the mirror image.
fn tails_around(a: &View<'_, Memory>) -> Option<EdgeRing> {
    let forward = AmoebotPort::tail(a.forward()?);
    let is_tail = |port| {
        let here = a.neighbour(port);
        here.is_some_and(|b| b.contracted || a.end_of_neighbour(port) == Some(End::Tail))
    };
    let turned = |turns| (0..turns).fold(forward, |port, _| port.turned(Rotation::Counterclockwise));
    let port = |bit| if bit < 5 { turned(bit + 1) } else { turned(bit).moved_to(End::Head) };
    Some(EdgeRing((0..8).filter(|bit| is_tail(port(*bit))).fold(0, |ring, bit| ring | 1 << bit)))
}

impl LocalCompression {
    /// The algorithm with bias λ.
    ///
    /// # Errors
    ///
    /// λ is not a finite number above 0.
    pub fn new(lambda: f64) -> Result<Self, ChainError> {
        Ok(Self { lambda: Biases::POSITIVE.checked("lambda", lambda)? })
    }

    /// The bias λ.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The probability of an allowed move that adds `gain` edges: min(1, λ^gain), rounded to the nearest multiple of
    /// 2^-31, but never 0.
    #[must_use]
    pub fn acceptance(&self, gain: i8) -> FixedProbability {
        let probability = power(self.lambda, gain).clamp(f64::MIN_POSITIVE, 1.0);
        FixedProbability::new(probability).expect("between 0 and 1")
    }

    /// The start configuration: all amoebots are contracted. Amoebot i is on cell i and has orientation i; without an
    /// entry it has the common orientation. O(area of the rectangle around the cells).
    ///
    /// # Errors
    ///
    /// The cells are not a valid start of [`Chain`]: there are none, too many or a duplicate. Or they are not
    /// connected, have a hole, are too spread out, or are near the limit of the lattice.
    pub fn start(cells: &[Cell], orientations: &[Orientation]) -> Result<System<Memory>, ChainError> {
        Chain::new(cells, 1.0)?;
        Ok(Contracted::new(cells, orientations).system(|_| Memory::default())?)
    }

    /// The cells of the tails, in the order of the amoebots. They are always connected and without holes. O(n).
    #[must_use]
    pub fn tails(system: &System<Memory>) -> Vec<Cell> {
        system.ids().map(|id| system.body(id).tail()).collect()
    }

    /// Whether no amoebot is expanded. O(n).
    #[must_use]
    pub fn is_contracted(system: &System<Memory>) -> bool {
        system.ids().all(|id| system.body(id).is_contracted())
    }
}

/// The catalogue entry of local compression, algorithm A.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "LocalCompression",
    title: "local compression (algorithm A)",
    summary: "amoebots: compression by algorithm A, in which amoebots expand and contract independently",
    parameters: &[Parameter::required("lambda", ParameterKind::Positive, "the bias λ")],
    needs: Needs::ENDLESS,
    read: |values| {
        let lambda = values.positive("lambda").expect("it is required");
        Ok(Construction::algorithm(LocalCompression::new(lambda).expect("a finite number above 0")))
    },
};

/// Describes algorithm A. The state of an amoebot is its flag. There is no goal, since compression runs forever.
impl Description for LocalCompression {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts { states: &["flag down", "flag up"], ..Facts::default() }
    }

    fn state(&self, memory: &Memory) -> usize {
        usize::from(memory.flag)
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, _: &System<Memory>) -> bool {
        false
    }

    fn fault(&self, system: &System<Memory>) -> Option<String> {
        let tails = Shape::from_cells(system.ids().map(|id| system.body(id).tail())).ok()?;
        let (parts, holes) = (tails.components(), tails.holes());
        (parts != 1 || holes != 0).then(|| {
            format!(
                "with every amoebot at its tail, the shape has {} and {}",
                counted(parts, "connected part"),
                counted(holes, "hole")
            )
        })
    }
}
