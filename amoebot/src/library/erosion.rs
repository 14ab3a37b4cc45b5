//! Deterministic leader election by erosion: candidates drop out from the border inwards until one is left.
//!
//! Source: Briones, Chhabra, Daymude, Richa, "Asynchronous deterministic leader election in three-dimensional
//! programmable matter", ICDCN 2023; here for the plane. The text of the paper was not compared.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | become candidate | null | candidate |
//! | erode | candidate; no null neighbour; candidate neighbours exactly one, or 2 to 5 in one contiguous arc | eroded |
//! | declare | candidate; no null neighbour; no candidate neighbour | leader |
//!
//! Deviations. The labels of the actions are those of this file. One variable with four values distinguishes candidates
//! and the leader. [`Erosion::start`] refuses systems with holes: with a hole, the candidates around it would remain a
//! ring forever.
//!
//! No amoebot moves, and an action writes to its own memory only. Erosion keeps the remaining null and candidate
//! amoebots connected and without holes. Neighbours must act one at a time: if the last two candidates eroded
//! together, none would be left.

use crate::algorithm::packed_memory;
use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::{Cell, Rotation};
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::start::{Contracted, StartError};

/// The public memory: the state of the amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// The amoebot has not acted yet.
    Null,
    /// The amoebot may become the leader.
    Candidate,
    /// The amoebot has left the election permanently.
    Eroded,
    /// The amoebot has declared itself the leader.
    Leader,
}

acrasin_runtime::pack_variants!(Memory { Null, Candidate, Eroded, Leader });

/// The labels of the actions. At most one is enabled at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Becomes a candidate.
    BecomeCandidate,
    /// Drops out of the election.
    Erode,
    /// Declares itself the leader.
    Declare,
}

/// Leader election by erosion. Final: one leader, and every other amoebot is eroded, after 2n actions of n amoebots.
/// This holds under every sequential schedule, fair or not, with any orientations, if the amoebots are connected and
/// have no hole. The tests explore all schedules on all such shapes of up to six amoebots, and of seven amoebots from
/// the state in which all are candidates. That state suffices, since a null amoebot can always become a candidate, so
/// these actions can be moved to the front of every run.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, Erosion, start};
/// use acrasin_runtime::Seeded;
///
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 30)?;
/// let mut execution = SequentialExecution::new(&Erosion, Erosion::start(&cells, &[])?);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(2023)));
/// assert_eq!(execution.counts().actions, 60);
/// let leader = Erosion::leader(execution.system()).expect("one leader");
/// println!("{leader} at {}", execution.system().body(leader).head());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Erosion;

impl Algorithm for Erosion {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[Action::BecomeCandidate, Action::Erode, Action::Declare]
    }

    fn possible(&self, own: &Memory, _: bool) -> &[Action] {
        match own {
            Memory::Null => &[Action::BecomeCandidate],
            Memory::Candidate => &[Action::Erode, Action::Declare],
            Memory::Eroded | Memory::Leader => &[],
        }
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let is_candidate = *a.own() == Memory::Candidate;
        let has = |state| a.any_neighbour(|b| *b.memory == state);
        match action {
            Action::BecomeCandidate => *a.own() == Memory::Null,
            Action::Erode => is_candidate && !has(Memory::Null) && candidate_arcs(a) == 1,
            Action::Declare => is_candidate && !has(Memory::Null) && !has(Memory::Candidate),
        }
    }

    fn execute(
        &self,
        action: Action,
        _: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Ok(Effects::none().write_own(match action {
            Action::BecomeCandidate => Memory::Candidate,
            Action::Erode => Memory::Eroded,
            Action::Declare => Memory::Leader,
        }))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

/// The number of arcs of consecutive ports with candidate neighbours, counted by the last port of each arc. The number
/// is 0 without candidates, and also if all six neighbours are candidates, since the arc then has no last port.
fn candidate_arcs(a: &View<'_, Memory>) -> usize {
    let candidate = |port: AmoebotPort| a.neighbour(port).is_some_and(|b| *b.memory == Memory::Candidate);
    AmoebotPort::at(End::Head)
        .filter(|port| candidate(*port) && !candidate(port.turned(Rotation::Counterclockwise)))
        .count()
}

impl Erosion {
    /// The start configuration: all amoebots are contracted and null. Amoebot i is on cell i and has orientation i;
    /// without an entry it has the common orientation. O(n log n).
    ///
    /// # Errors
    ///
    /// There are no cells, too many, or a duplicate; or the cells are not connected or have a hole. If there are
    /// several holes, the error names a cell of the hole that contains the smallest cell.
    pub fn start(cells: &[Cell], orientations: &[Orientation]) -> Result<System<Memory>, StartError> {
        Contracted::new(cells, orientations).without_holes().system(|_| Memory::Null)
    }

    /// The leader; `None` if no amoebot or more than one has declared itself.
    #[must_use]
    pub fn leader(system: &System<Memory>) -> Option<AmoebotId> {
        let mut leaders = system.ids().filter(|id| *system.memory(*id) == Memory::Leader);
        let first = leaders.next()?;
        leaders.next().is_none().then_some(first)
    }

    /// Whether there is one leader, and every other amoebot is eroded.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        Self::leader(system)
            .is_some_and(|leader| system.ids().all(|id| id == leader || *system.memory(id) == Memory::Eroded))
    }
}

/// The catalogue entry of leader election by erosion.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "Erosion",
    title: "leader election by erosion",
    summary: "amoebots: leader election by erosion, for shapes without holes",
    parameters: &[],
    needs: Needs::NOTHING,
    read: |_| Ok(Construction::algorithm(Erosion)),
};

impl Description for Erosion {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["null", "candidate", "eroded", "leader"],
            settled_states: &["eroded", "leader"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        // The names are in the order of the variants.
        *memory as usize
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
