//! Hole elimination: amoebots join a structure around the seed where they are. An amoebot that would enclose a hole
//! there walks on instead.
//!
//! Source: the group of Derakhshandeh, Gmyr, Richa, Scheideler and Strothmann (2015 to 2017). The group had the idea to
//! eliminate holes by a spanning forest and a structure around a seed, as in shape formation. The group's rules were
//! not available; the rules here, and all claims, are ours.
//!
//! The forest is that of [hexagon formation](crate::library::hexagon): α1, α2, α5, α6 are its actions, except for a
//! root's next direction. The *structure* consists of the seed and the retired amoebots. It never has a hole.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | α1, α2 | as in hexagon formation | as in hexagon formation |
//! | α3 | contracted root; no idle neighbour; its neighbours in the structure are consecutive | retired |
//! | α4 | contracted root; the node at dir is empty | Expand(dir) |
//! | α5, α6 | as in hexagon formation | root: dir := the next node along the wall; Pull or Contract as there |
//! | α7 | contracted root; the structure is at dir | dir := the next port counter-clockwise that does not lead to the structure |
//! | α8 | contracted root; at dir is a contracted root whose dir leads here | both turn dir once counter-clockwise |
//!
//! The guard of α3 prevents holes. In a structure without holes, a node can be filled safely if its neighbours in the
//! structure are consecutive. If they form two or three separate groups, filling the node would separate free nodes
//! from each other. Amoebots that are not neighbours do not affect the guards of each other, so locks on neighbours
//! suffice. Without locks the algorithm fails.
//!
//! A root walks clockwise along the structure, into each bay and out again. Some node along the wall of a bay can
//! always be filled, so a root that walks in stays there. A root that was inside from the start may come out while
//! another root comes in. If they meet where a bay is one node wide, they exchange their paths by α8.

use crate::algorithm::packed_memory;
use acrasin_catalogue::counted;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::memory::merged;
use crate::algorithm::{ActionError, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::hexagon::{self, Hexagon, Memory, State, is_structure, no_idle_neighbour};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::{Cell, Rotation};
use crate::model::operation::Movement;
use crate::model::orientation::Orientation;
use crate::model::shape::Shape;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::StartError;

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Becomes a root.
    Alpha1,
    /// Becomes a follower.
    Alpha2,
    /// A root becomes a part of the structure.
    Alpha3,
    /// A root expands along the structure.
    Alpha4,
    /// Pulls a child.
    Alpha5,
    /// Contracts into the head.
    Alpha6,
    /// A root updates its direction after the structure has grown.
    Alpha7,
    /// A root exchanges its path with a root that walks towards it.
    Alpha8,
}

/// Hole elimination. Final: every amoebot is contracted and in the structure, which is connected and has no hole. This
/// holds under every sequential schedule, fair or not, if chirality is common. The final cells depend on the start and
/// the schedule; a start without holes may remain unchanged. The tests explore all schedules of up to four amoebots,
/// and of six in a ring. Larger systems were tested by runs of hundreds of amoebots; there is no proof.
///
/// ```
/// use acrasin_amoebot::library::hole_elimination::HoleElimination;
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, start};
/// use acrasin_runtime::Seeded;
///
/// // A ring of twelve around a hole of seven cells.
/// let ring = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 2, width: 1 })?;
/// let mut execution = SequentialExecution::new(&HoleElimination, HoleElimination::start(&ring, 0, &[])?);
/// assert_eq!(execution.system().shape()?.holes(), 1);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(1)));
/// assert!(HoleElimination::is_finished(execution.system()));
/// assert_eq!(execution.system().shape()?.holes(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HoleElimination;

impl Action {
    /// The action of hexagon formation with the same number.
    fn of_hexagon(self) -> hexagon::Action {
        match self {
            Self::Alpha1 => hexagon::Action::Alpha1,
            Self::Alpha2 => hexagon::Action::Alpha2,
            Self::Alpha3 => hexagon::Action::Alpha3,
            Self::Alpha5 => hexagon::Action::Alpha5,
            Self::Alpha6 => hexagon::Action::Alpha6,
            Self::Alpha4 | Self::Alpha7 | Self::Alpha8 => hexagon::Action::Alpha4,
        }
    }
}

impl Algorithm for HoleElimination {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        use Action::{Alpha1, Alpha2, Alpha3, Alpha4, Alpha5, Alpha6, Alpha7, Alpha8};
        &[Alpha1, Alpha2, Alpha3, Alpha4, Alpha5, Alpha6, Alpha7, Alpha8]
    }

    fn possible(&self, own: &Memory, is_contracted: bool) -> &[Action] {
        match (own.state, is_contracted) {
            (State::Seed | State::Retired, _) => &[],
            (State::Idle, _) => &[Action::Alpha1, Action::Alpha2],
            (State::Follower, true) => &[Action::Alpha1],
            (State::Root, true) => &[Action::Alpha3, Action::Alpha4, Action::Alpha7, Action::Alpha8],
            (State::Follower | State::Root, false) => &[Action::Alpha5, Action::Alpha6],
        }
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let is_walking = a.own().state == State::Root && a.is_contracted();
        match action {
            Action::Alpha3 => is_walking && pieces(a) == 1 && no_idle_neighbour(a),
            Action::Alpha4 => is_walking && a.own().dir.is_some_and(|dir| !a.connected(dir)),
            Action::Alpha7 => is_walking && a.own().dir.is_some_and(|dir| leads_to_structure(a, dir)),
            Action::Alpha8 => is_walking && a.own().dir.is_some_and(|dir| comes_here(a, dir)),
            Action::Alpha1 | Action::Alpha2 | Action::Alpha5 | Action::Alpha6 => {
                Hexagon.enabled(action.of_hexagon(), a)
            }
        }
    }

    fn after_write(&self, read: &Memory, written: Memory, now: &Memory) -> Memory {
        Memory {
            state: merged(read.state, written.state, now.state),
            parent: merged(read.parent, written.parent, now.parent),
            dir: merged(read.dir, written.dir, now.dir),
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let own = *a.own();
        let dir = || own.dir.ok_or(ActionError::Undefined("a root without a direction"));
        Ok(match action {
            Action::Alpha1 | Action::Alpha2 => Hexagon.execute(action.of_hexagon(), a, choices)?,
            Action::Alpha3 => {
                Effects::none().write_own(Memory { state: State::Retired, parent: None, dir: None })
            }
            Action::Alpha4 => Effects::none().then(Movement::Expand(dir()?)),
            Action::Alpha5 | Action::Alpha6 => {
                let effects = Hexagon.execute(action.of_hexagon(), a, choices)?;
                if own.state == State::Root { along_the_wall(a, &effects)? } else { effects }
            }
            Action::Alpha7 => {
                Effects::none().write_own(Memory { dir: Some(first_outside(a, dir()?)?), ..own })
            }
            Action::Alpha8 => {
                let turned = |memory: Memory| Memory {
                    dir: memory.dir.map(|dir| dir.turned(Rotation::Counterclockwise)),
                    ..memory
                };
                let port = dir()?;
                Effects::none().write_own(turned(own)).write(port, turned(*a.read(port)?))
            }
        })
    }

    fn conventions(&self) -> &'static [Convention] {
        Hexagon.conventions()
    }

    packed_memory!();
}

fn leads_to_structure(a: &View<'_, Memory>, port: AmoebotPort) -> bool {
    a.read(port).is_ok_and(is_structure)
}

/// The number of groups of consecutive neighbours in the structure around the contracted amoebot A.
fn pieces(a: &View<'_, Memory>) -> usize {
    let begins = |port: &AmoebotPort| {
        leads_to_structure(a, *port) && !leads_to_structure(a, port.turned(Rotation::Clockwise))
    };
    AmoebotPort::at(End::Head).filter(begins).count()
}

/// Whether a contracted root at the port is about to expand into the node of A.
fn comes_here(a: &View<'_, Memory>, port: AmoebotPort) -> bool {
    a.neighbour(port).is_some_and(|b| {
        b.contracted
            && b.memory.state == State::Root
            && b.memory.dir.is_some_and(|theirs| a.pointed_at(port, theirs).is_some())
    })
}

/// The first port that does not lead to the structure, turning counter-clockwise from a port.
fn first_outside(a: &View<'_, Memory>, from: AmoebotPort) -> Result<AmoebotPort, ActionError> {
    let round = std::iter::successors(Some(from), |port| Some(port.turned(Rotation::Counterclockwise)));
    let outside = round.take(6).find(|port| !leads_to_structure(a, *port));
    outside.ok_or(ActionError::Undefined("a root inside the structure"))
}

/// Adds to the effects the new direction of the root, along the wall. If d is the direction from its tail to its head,
/// the wall is next to the head, in direction d turned clockwise twice.
fn along_the_wall(a: &View<'_, Memory>, effects: &Effects<Memory>) -> Result<Effects<Memory>, ActionError> {
    let forward = a.forward().ok_or(ActionError::Undefined("a contracted root arrives"))?;
    let wall = (0..2).fold(AmoebotPort::head(forward), |port, _| port.turned(Rotation::Clockwise));
    let dir = Some(first_outside(a, wall)?);
    let written = effects.writes().iter().fold(Effects::none(), |effects, (whose, memory)| match whose {
        None => effects.write_own(Memory { dir, ..*memory }),
        Some(port) => effects.write(*port, *memory),
    });
    Ok(match effects.movement() {
        Some(movement) => written.then(movement),
        None => written,
    })
}

impl HoleElimination {
    /// The start configuration of hexagon formation: all amoebots are contracted, and idle except the seed at position
    /// `seed`. Amoebot i is on cell i and has orientation i; without an entry it has the common orientation.
    ///
    /// # Errors
    ///
    /// `cells` is empty, too long, has a duplicate or is not connected, or `seed` is not an index of it.
    pub fn start(
        cells: &[Cell],
        seed: usize,
        orientations: &[Orientation],
    ) -> Result<System<Memory>, StartError> {
        Hexagon::start(cells, seed, orientations)
    }

    /// Whether every amoebot is contracted and part of the structure of one seed, and there is no hole. O(n log
    /// n).
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        Hexagon::is_finished(system) && Self::flaw(system).is_none()
    }

    /// The numbers of connected parts and of holes of the structure; `None` if the structure is one part without holes.
    fn flaw(system: &System<Memory>) -> Option<(usize, usize)> {
        let of_structure = system.ids().filter(|id| is_structure(system.memory(*id)));
        let structure = Shape::from_cells(of_structure.map(|id| system.body(id).head())).ok()?;
        let (parts, holes) = (structure.components(), structure.holes());
        (parts > 1 || holes > 0).then_some((parts, holes))
    }
}

/// The catalogue entry of hole elimination.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "HoleElimination",
    title: "hole elimination",
    summary: "amoebots: all amoebots gather around a seed, without holes",
    parameters: &[],
    needs: Needs { seed: true, common_chirality: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(HoleElimination)),
};

/// Describes hole elimination, with the states of hexagon formation.
impl Description for HoleElimination {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Hexagon.facts()
    }

    fn state(&self, memory: &Memory) -> usize {
        Hexagon.state(memory)
    }

    fn detail(&self, memory: &Memory) -> Detail {
        Hexagon.detail(memory)
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, placement.seed, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }

    fn fault(&self, system: &System<Memory>) -> Option<String> {
        let (parts, holes) = Self::flaw(system)?;
        Some(format!("the structure has {} and {}", counted(parts, "connected part"), counted(holes, "hole")))
    }
}
