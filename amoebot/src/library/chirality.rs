//! Chirality agreement: a seed spreads its sense of rotation, and amoebots with the opposite sense remember to mirror
//! it.
//!
//! Source: our own algorithm. Hexagon formation and related algorithms fail if amoebots turn in different senses. After
//! this algorithm all amoebots can turn in the same sense, each in its own labels.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | adopt | undecided; a neighbour has decided | the decision of the neighbour if it counts its ports in the same sense; otherwise the opposite |
//!
//! The published algorithms for chirality agreement solve a harder task: there is no seed, and an amoebot cannot see
//! how a neighbour counts. Here it can, as part of the public knowledge that handovers need as well
//! ([`View::label_of_neighbour`]): the neighbour's labels for two consecutive directions are ascending or descending.
//! In the table, "a neighbour" is the one at the first such port; every neighbour gives the same answer.
//!
//! No amoebot moves, and an action writes to its own memory only.

use crate::algorithm::packed_memory;
use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::AmoebotPort;
use crate::model::lattice::{Cell, Rotation};
use crate::model::operation::OperationError;
use crate::model::orientation::{Chirality, Orientation};
use crate::model::system::System;
use crate::start::{Contracted, StartError};

/// The public memory: how the amoebot must treat its own sense of rotation to turn as the seed does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// The amoebot does not know yet how its sense of rotation relates to that of the seed.
    Undecided,
    /// Its own sense of rotation is that of the seed.
    Keep,
    /// Its own sense of rotation is opposite to that of the seed.
    Mirror,
}

acrasin_runtime::pack_variants!(Memory { Undecided, Keep, Mirror });

impl Memory {
    /// The amoebot's own name for the sense of rotation that the seed calls `common`; `None` while undecided.
    ///
    /// With [`AmoebotPort::turned`] every amoebot can then turn as the seed does.
    #[must_use]
    pub const fn own_rotation(self, common: Rotation) -> Option<Rotation> {
        match (self, common) {
            (Self::Undecided, _) => None,
            (Self::Keep, _) => Some(common),
            (Self::Mirror, Rotation::Clockwise) => Some(Rotation::Counterclockwise),
            (Self::Mirror, Rotation::Counterclockwise) => Some(Rotation::Clockwise),
        }
    }

    const fn opposite(self) -> Self {
        match self {
            Self::Undecided => Self::Undecided,
            Self::Keep => Self::Mirror,
            Self::Mirror => Self::Keep,
        }
    }
}

/// The label of the only action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Adopt;

/// Chirality agreement. Final: every amoebot has decided, and can turn as the seed does, after one action of
/// each amoebot except the seed. This holds under every sequential schedule, fair or not, with any orientations, if
/// the amoebots are connected. The result does not depend on the schedule. The tests explore all schedules of up
/// to four amoebots.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, RoundRobinActivation};
/// use acrasin_amoebot::{Cell, ChiralityAgreement, Direction, Orientation, start};
/// use acrasin_runtime::Seeded;
///
/// let cells = start::line(Cell::ORIGIN, Direction::East, 12)?;
/// let orientations: Vec<Orientation> = Orientation::all().collect();
/// let start = ChiralityAgreement::start(&cells, 0, &orientations)?;
/// let mut execution = SequentialExecution::new(&ChiralityAgreement, start);
/// assert!(execution.run(1_000, &mut RoundRobinActivation::default(), &mut Seeded::new(3)));
/// let system = execution.system();
/// let standard = ChiralityAgreement::effective(system, system.ids().next().expect("the seed"));
/// assert!(system.ids().all(|id| ChiralityAgreement::effective(system, id) == standard));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChiralityAgreement;

impl Algorithm for ChiralityAgreement {
    type Memory = Memory;
    type Action = Adopt;

    fn actions(&self) -> &[Adopt] {
        &[Adopt]
    }

    fn enabled(&self, _: Adopt, a: &View<'_, Memory>) -> bool {
        *a.own() == Memory::Undecided && a.any_neighbour(|b| *b.memory != Memory::Undecided)
    }

    fn execute(
        &self,
        _: Adopt,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let decided = a.neighbours().find(|b| *b.memory != Memory::Undecided);
        let b = decided.ok_or(ActionError::Undefined("no neighbour has decided"))?;
        let same = counts_alike(a, b.port)?;
        Ok(Effects::none().write_own(if same { *b.memory } else { b.memory.opposite() }))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

/// Whether the neighbour at a port has the same sense of rotation as A: two directions with ascending labels at A also
/// have ascending labels at the neighbour.
fn counts_alike(a: &View<'_, Memory>, port: AmoebotPort) -> Result<bool, OperationError> {
    Ok(a.label_of_neighbour(port, 2)? == a.label_of_neighbour(port, 1)? % 6 + 1)
}

impl ChiralityAgreement {
    /// The start configuration: all amoebots are contracted, and undecided except the seed at position `seed`. Amoebot
    /// i is on cell i and has orientation i; without an entry it has the common orientation.
    ///
    /// # Errors
    ///
    /// `cells` is empty, too long, has a duplicate or is not connected, or `seed` is not an index of it.
    pub fn start(
        cells: &[Cell],
        seed: usize,
        orientations: &[Orientation],
    ) -> Result<System<Memory>, StartError> {
        let memory = |id: AmoebotId| if id.index() == seed { Memory::Keep } else { Memory::Undecided };
        Contracted::new(cells, orientations).with_seed(seed).system(memory)
    }

    /// The sense of rotation that an amoebot uses after its decision, as seen from outside; `None` if undecided.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn effective(system: &System<Memory>, id: AmoebotId) -> Option<Chirality> {
        let own = system.memory(id).own_rotation(Rotation::Counterclockwise)?;
        Some(match system.amoebot(id).orientation.rotation(own) {
            Rotation::Counterclockwise => Chirality::Standard,
            Rotation::Clockwise => Chirality::Mirrored,
        })
    }

    /// Whether every amoebot has decided, and all use the same sense of rotation.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        let first = Self::effective(system, AmoebotId(0));
        first.is_some() && system.ids().all(|id| Self::effective(system, id) == first)
    }
}

/// The catalogue entry of chirality agreement.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "ChiralityAgreement",
    title: "chirality agreement",
    summary: "amoebots: every amoebot learns the chirality of the seed",
    parameters: &[],
    needs: Needs { seed: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(ChiralityAgreement)),
};

impl Description for ChiralityAgreement {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts { states: &["undecided", "keeps", "mirrors"], is_static: true, ..Facts::default() }
    }

    fn state(&self, memory: &Memory) -> usize {
        // The names are in the order of the variants.
        *memory as usize
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, placement.seed, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
