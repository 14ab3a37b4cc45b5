//! Canonical hexagon formation: the amoebots gather around the seed in a counter-clockwise spiral.
//!
//! Source: Daymude, Richa, Scheideler, "The canonical amoebot model: algorithms and concurrency control", DISC 2021.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | α1 | idle or follower, contracted; a neighbour is seed or retired | parent := none; root; dir := GetNextDir(ccw) |
//! | α2 | idle; a neighbour is follower or root | parent := a port to it; follower |
//! | α3 | contracted root; no idle neighbour; the dir of a seed or retired neighbour points here | dir := GetNextDir(cw); retired |
//! | α4 | contracted root; the node at dir is empty | Expand(dir) |
//! | α5 | expanded follower or root; no idle neighbour; a tail-child is contracted | root: dir := GetNextDir(ccw); its parent := the port back here; Pull it |
//! | α6 | expanded follower or root; no idle neighbour; no tail-child | root: dir := GetNextDir(ccw); Contract(tail) |
//!
//! Deviations. α1 requires "contracted", unlike the published table: otherwise some runs of four amoebots end in a
//! wrong configuration. The actions are evaluated in the order α1 to α6, which the published table does not specify:
//! with α4 before α3 a root can circle forever. Clockwise is as the amoebot sees it, so chirality must be common. Where
//! the paper says "some", we take the first port.

use crate::algorithm::packed_memory;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::memory::merged;
use crate::algorithm::{ActionError, Algorithm, Effects, Neighbour, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::{Cell, Rotation};
use crate::model::operation::Movement;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// The state of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// The amoebot is the centre of the hexagon.
    Seed,
    /// The amoebot is not in a tree yet.
    Idle,
    /// The amoebot follows its parent.
    Follower,
    /// The amoebot walks clockwise around the structure.
    Root,
    /// The amoebot is permanently part of the structure.
    Retired,
}

acrasin_runtime::pack_variants!(State { Seed, Idle, Follower, Root, Retired });

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory {
    /// The state of the amoebot.
    pub state: State,
    /// The port to the parent of a follower; `None` for other amoebots.
    pub parent: Option<AmoebotPort>,
    /// For a root the port of its next step; for a seed or retired amoebot the port at which the structure grows.
    pub dir: Option<AmoebotPort>,
}

acrasin_runtime::pack_fields!(Memory { state, parent, dir });

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
}

/// Hexagon formation. Final: every amoebot is contracted, on the first n cells of the [spiral](crate::start::spiral)
/// around the seed that starts in the seed's direction. This holds under every sequential schedule, fair or not, if
/// chirality is common. The tests explore all schedules of up to five amoebots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hexagon;

impl Algorithm for Hexagon {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[Action::Alpha1, Action::Alpha2, Action::Alpha3, Action::Alpha4, Action::Alpha5, Action::Alpha6]
    }

    fn possible(&self, own: &Memory, is_contracted: bool) -> &[Action] {
        match (own.state, is_contracted) {
            (State::Seed | State::Retired, _) => &[],
            (State::Idle, _) => &[Action::Alpha1, Action::Alpha2],
            (State::Follower, true) => &[Action::Alpha1],
            (State::Root, true) => &[Action::Alpha3, Action::Alpha4],
            (State::Follower | State::Root, false) => &[Action::Alpha5, Action::Alpha6],
        }
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let is = |states: &[State]| states.contains(&a.own().state);
        match action {
            Action::Alpha1 => {
                is(&[State::Idle, State::Follower])
                    && a.is_contracted()
                    && a.any_neighbour(|b| in_structure(&b))
            }
            Action::Alpha2 => is(&[State::Idle]) && a.any_neighbour(|b| in_tree(&b)),
            Action::Alpha3 => {
                is(&[State::Root]) && a.is_contracted() && pointed_at_by_structure(a) && no_idle_neighbour(a)
            }
            Action::Alpha4 => {
                is(&[State::Root]) && a.is_contracted() && a.own().dir.is_some_and(|dir| !a.connected(dir))
            }
            Action::Alpha5 => {
                is(&[State::Follower, State::Root])
                    && !a.is_contracted()
                    && contracted_child(a).is_some()
                    && no_idle_neighbour(a)
            }
            Action::Alpha6 => {
                is(&[State::Follower, State::Root])
                    && !a.is_contracted()
                    && a.find_neighbour_at(End::Tail, |b| is_tail_child(a, b)).is_none()
                    && no_idle_neighbour(a)
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
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let own = *a.own();
        Ok(match action {
            Action::Alpha1 => {
                let dir = Some(next_dir(a, Rotation::Counterclockwise)?);
                Effects::none().write_own(Memory { state: State::Root, parent: None, dir })
            }
            Action::Alpha2 => {
                let parent = [End::Head, End::Tail].iter().find_map(|end| a.find_neighbour_at(*end, in_tree));
                let parent = parent.ok_or(undefined("no parent"))?.port;
                Effects::none().write_own(Memory { state: State::Follower, parent: Some(parent), ..own })
            }
            Action::Alpha3 => {
                let dir = Some(next_dir(a, Rotation::Clockwise)?);
                Effects::none().write_own(Memory { state: State::Retired, dir, ..own })
            }
            Action::Alpha4 => {
                let dir = own.dir.ok_or(undefined("a root without a direction"))?;
                Effects::none().then(Movement::Expand(dir))
            }
            Action::Alpha5 => {
                let child = contracted_child(a).ok_or(undefined("no child"))?;
                // After the handover the child's head is where the tail of A was.
                let forward = a.forward().ok_or(undefined("a contracted amoebot pulls"))?;
                let back = AmoebotPort::head(a.label_of_neighbour(child.port, forward)?);
                let adopted = Memory { parent: Some(back), ..*child.memory };
                turn_root(a)?.write(child.port, adopted).then(Movement::Pull(child.port))
            }
            Action::Alpha6 => turn_root(a)?.then(Movement::Contract(End::Tail)),
        })
    }

    fn conventions(&self) -> &'static [Convention] {
        // Idle amoebots follow their first active neighbour, and a newcomer can come first.
        Convention::NOT_MONOTONE
    }

    packed_memory!();
}

const fn undefined(what: &'static str) -> ActionError {
    ActionError::Undefined(what)
}

/// Whether an amoebot with this memory is part of the structure: seed or retired.
pub(super) fn is_structure(memory: &Memory) -> bool {
    matches!(memory.state, State::Seed | State::Retired)
}

fn in_structure(neighbour: &Neighbour<'_, Memory>) -> bool {
    is_structure(neighbour.memory)
}

fn in_tree(neighbour: &Neighbour<'_, Memory>) -> bool {
    matches!(neighbour.memory.state, State::Follower | State::Root)
}

pub(super) fn no_idle_neighbour(a: &View<'_, Memory>) -> bool {
    a.all_neighbours(|neighbour| neighbour.memory.state != State::Idle)
}

/// Whether the variable `dir` of some seed or retired neighbour points at A.
fn pointed_at_by_structure(a: &View<'_, Memory>) -> bool {
    a.any_neighbour(|b| {
        is_structure(b.memory) && b.memory.dir.is_some_and(|dir| a.pointed_at_by(&b, dir).is_some())
    })
}

/// Whether the parent port of a neighbour leads to the tail of the expanded amoebot A.
fn is_tail_child(a: &View<'_, Memory>, b: &Neighbour<'_, Memory>) -> bool {
    b.memory.parent.is_some_and(|parent| a.pointed_at_by(b, parent) == Some(End::Tail))
}

/// The first contracted tail-child, with the tail port to it; `None` if there is none.
fn contracted_child<'a>(a: &View<'a, Memory>) -> Option<Neighbour<'a, Memory>> {
    a.find_neighbour_at(End::Tail, |b| b.contracted && is_tail_child(a, b))
}

/// The operation "if root: dir := GetNextDir(ccw)".
fn turn_root(a: &View<'_, Memory>) -> Result<Effects<Memory>, ActionError> {
    let own = *a.own();
    if own.state != State::Root {
        return Ok(Effects::none());
    }
    let dir = Some(next_dir(a, Rotation::Counterclockwise)?);
    Ok(Effects::none().write_own(Memory { dir, ..own }))
}

/// GetNextDir(c): turns in rotation c, starting at a head port to a seed or retired neighbour. Returns the first port
/// that does not lead to such a neighbour. Turning counter-clockwise gives a clockwise walk around the structure, and
/// vice versa.
fn next_dir(a: &View<'_, Memory>, c: Rotation) -> Result<AmoebotPort, ActionError> {
    let mut is_structure = [false; 6];
    a.find_neighbour_at(End::Head, |b| {
        is_structure[usize::from(b.port.label()) - 1] = in_structure(b);
        false
    });
    let at_structure = |port: &AmoebotPort| is_structure[usize::from(port.label()) - 1];
    let first = AmoebotPort::at(End::Head)
        .find(at_structure)
        .ok_or(undefined("GetNextDir without a neighbour in the structure"))?;
    let round = std::iter::successors(Some(first), |port| Some(port.turned(c)));
    round.take(6).find(|port| !at_structure(port)).ok_or(undefined("GetNextDir inside the structure"))
}

impl Hexagon {
    /// The start configuration: all amoebots are contracted, and idle except the seed at position `seed`, whose `dir`
    /// is its port 1. Amoebot i is on cell i and has orientation i; without an entry it has the common orientation.
    ///
    /// # Errors
    ///
    /// `cells` is empty, too long, has a duplicate or is not connected, or `seed` is not an index of it.
    pub fn start(
        cells: &[Cell],
        seed: usize,
        orientations: &[Orientation],
    ) -> Result<System<Memory>, StartError> {
        Contracted::new(cells, orientations).with_seed(seed).system(|id| {
            let is_seed = id.index() == seed;
            let state = if is_seed { State::Seed } else { State::Idle };
            Memory { state, parent: None, dir: is_seed.then_some(AmoebotPort::head(1)) }
        })
    }

    /// Whether every amoebot is contracted and part of the structure of one seed.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        system.ids().all(|id| system.body(id).is_contracted() && is_structure(system.memory(id)))
            && system.ids().filter(|id| system.memory(*id).state == State::Seed).count() == 1
    }
}

/// The catalogue entry of hexagon formation.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "Hexagon",
    title: "hexagon formation",
    summary: "amoebots: all amoebots form a hexagon around a seed",
    parameters: &[],
    needs: Needs { seed: true, common_chirality: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(Hexagon)),
};

impl Description for Hexagon {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["seed", "idle", "follower", "root", "retired"],
            settled_states: &["seed", "retired"],
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        // The names are in the order of the variants.
        memory.state as usize
    }

    fn detail(&self, memory: &Memory) -> Detail {
        Detail { parent: memory.parent, direction: memory.dir, tokens: 0 }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, placement.seed, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
