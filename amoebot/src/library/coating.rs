//! Infinite-object coating: in the end every amoebot is next to an object that is large enough to count as infinite.
//!
//! Source: the complaint-based algorithm from before the canonical model (Derakhshandeh, Gmyr, Richa, Scheideler,
//! Strothmann and others, on coating), as described in surveys and implemented in AmoebotSim. No paper's text was
//! compared.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | lead | contracted, inactive or follower; next to the object | parent := none; leader |
//! | follow | inactive; a neighbour is leader or follower | parent := a port to it; follower |
//! | follow up | contracted follower; the port to its parent leads to the tail of an expanded amoebot | parent := the port in the direction of that amoebot's head; Push it |
//! | complain | contracted leader without complaint; a child | complaint |
//! | advance | contracted leader with a complaint; the next node is empty | no complaint; Expand to it |
//! | push ahead | contracted leader with a complaint; the next node has the tail of a leader | no complaint; Push it |
//! | forward | contracted leader with a complaint; a contracted leader without one is on the next node | the complaint is there instead |
//! | retract | expanded leader or follower; no inactive neighbour, no tail-child | Contract(tail) |
//!
//! The next node of a leader is the first node clockwise of the object. A child of A is a neighbour whose parent port
//! leads to A; it is a tail-child if that port leads to the tail of A.
//!
//! Details that the sources leave open are derived here. A complaint is consumed when a leader expands, so an expanded
//! leader never holds one; in the source contractions consume complaints as well. Only contracted leaders complain. A
//! leader behind another leader is not its child. So a leader may leave a gap behind it, and the amoebots are then
//! connected through the object. A parent is stored as a port to a node, so the amoebot on that node after a handover
//! becomes the parent. On a closed surface more nodes than amoebots are enough: then some complaint reaches a gap.
//! Clockwise is as the amoebot sees it, so chirality must be common. "Some neighbour" is the one at the first such
//! port.

use crate::algorithm::packed_memory;
use acrasin_catalogue::counted;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, Neighbour, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::{Cell, Direction, Rotation};
use crate::model::operation::Movement;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// The state of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// The amoebot is not part of a tree yet.
    Inactive,
    /// The amoebot follows its parent.
    Follower,
    /// The amoebot is next to the object.
    Leader,
}

acrasin_runtime::pack_variants!(State { Inactive, Follower, Leader });

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory {
    /// The state of the amoebot.
    pub state: State,
    /// The port to the parent of a follower.
    pub parent: Option<AmoebotPort>,
    /// Whether a leader holds a complaint: an amoebot behind it wants to reach the surface.
    pub complaint: bool,
}

acrasin_runtime::pack_fields!(Memory { state, parent, complaint });

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Becomes a leader.
    Lead,
    /// Becomes a follower.
    Follow,
    /// A follower pushes its parent.
    FollowUp,
    /// Creates a complaint.
    Complain,
    /// Expands along the surface.
    Advance,
    /// A leader pushes the next leader.
    PushAhead,
    /// Gives its complaint to the next leader.
    Forward,
    /// Contracts.
    Retract,
}

/// Infinite-object coating. Final: every amoebot is a contracted leader next to the object, without a complaint.
/// This holds under every sequential schedule, fair or not, if chirality is common and [`start`](Self::start)
/// accepts the start. The tests explore all schedules of up to four amoebots.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Coating, Direction, start};
/// use acrasin_runtime::Seeded;
///
/// // A column of ten stands on a long wall.
/// let wall = start::line(Cell::new(-30, 0)?, Direction::East, 60)?;
/// let column = start::line(Cell::new(0, 1)?, Direction::NorthEast, 10)?;
/// let mut execution = SequentialExecution::new(&Coating, Coating::start(&column, &wall, &[])?);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(1)));
/// assert!(Coating::is_finished(execution.system()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coating;

impl Algorithm for Coating {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[
            Action::Lead,
            Action::Follow,
            Action::FollowUp,
            Action::Complain,
            Action::Advance,
            Action::PushAhead,
            Action::Forward,
            Action::Retract,
        ]
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let own = a.own();
        match action {
            Action::Lead => own.state != State::Leader && a.is_contracted() && is_beside_object(a),
            Action::Follow => own.state == State::Inactive && a.any_neighbour(|b| is_active(&b)),
            Action::FollowUp => {
                own.state == State::Follower
                    && a.is_contracted()
                    && own.parent.is_some_and(|parent| is_tail_of_expanded(a, parent))
            }
            Action::Complain => {
                own.state == State::Leader && a.is_contracted() && !own.complaint && has_child(a)
            }
            Action::Advance => complains(a).is_some_and(|next| !a.connected(next)),
            Action::PushAhead => complains(a).is_some_and(|next| {
                a.read(next).is_ok_and(|b| b.state == State::Leader) && is_tail_of_expanded(a, next)
            }),
            Action::Forward => complains(a).is_some_and(|next| {
                let ahead = a.neighbour(next);
                ahead.is_some_and(|b| b.contracted && b.memory.state == State::Leader && !b.memory.complaint)
            }),
            Action::Retract => {
                own.state != State::Inactive
                    && !a.is_contracted()
                    && a.all_neighbours(|b| b.memory.state != State::Inactive)
                    && !has_tail_child(a)
            }
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let own = *a.own();
        let next = || next(a).ok_or(ActionError::Undefined("no next node at the object"));
        let consumed = Memory { complaint: false, ..own };
        Ok(match action {
            Action::Lead => {
                let leader = Memory { state: State::Leader, parent: None, complaint: false };
                Effects::none().write_own(leader)
            }
            Action::Follow => {
                let parent = a.neighbours().find(is_active).ok_or(ActionError::Undefined("no parent"))?.port;
                Effects::none().write_own(Memory { state: State::Follower, parent: Some(parent), ..own })
            }
            Action::FollowUp => {
                let parent = own.parent.ok_or(ActionError::Undefined("a follower without a parent"))?;
                let forward = a.forward_of_neighbour(parent);
                let forward = forward.ok_or(ActionError::Undefined("a contracted parent is pushed"))?;
                let behind = Memory { parent: Some(AmoebotPort::head(forward)), ..own };
                Effects::none().write_own(behind).then(Movement::Push(parent))
            }
            Action::Complain => Effects::none().write_own(Memory { complaint: true, ..own }),
            Action::Advance => Effects::none().write_own(consumed).then(Movement::Expand(next()?)),
            Action::PushAhead => Effects::none().write_own(consumed).then(Movement::Push(next()?)),
            Action::Forward => {
                let ahead = next()?;
                let theirs = Memory { complaint: true, ..*a.read(ahead)? };
                Effects::none().write_own(consumed).write(ahead, theirs)
            }
            Action::Retract => Effects::none().then(Movement::Contract(End::Tail)),
        })
    }

    fn conventions(&self) -> &'static [Convention] {
        // Inactive amoebots follow their first active neighbour, and a newcomer can come first.
        Convention::NOT_MONOTONE
    }

    packed_memory!();
}

fn is_beside_object(a: &View<'_, Memory>) -> bool {
    AmoebotPort::at(End::Head).any(|port| a.object(port))
}

fn is_active(neighbour: &Neighbour<'_, Memory>) -> bool {
    neighbour.memory.state != State::Inactive
}

/// Whether the port leads to the tail of an expanded neighbour.
fn is_tail_of_expanded(a: &View<'_, Memory>, port: AmoebotPort) -> bool {
    a.end_of_neighbour(port) == Some(End::Tail)
}

/// The end of A to which the parent port of the neighbour at `port` leads; `None` if that neighbour is not a child of
/// A.
fn child_of(a: &View<'_, Memory>, port: AmoebotPort) -> Option<End> {
    a.pointed_at(port, a.read(port).ok()?.parent?)
}

fn has_child(a: &View<'_, Memory>) -> bool {
    a.neighbours().any(|b| child_of(a, b.port).is_some())
}

fn has_tail_child(a: &View<'_, Memory>) -> bool {
    a.neighbours().any(|b| child_of(a, b.port) == Some(End::Tail))
}

/// The port to the next node, if the amoebot is a contracted leader that holds a complaint.
fn complains(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    let own = a.own();
    let may = own.state == State::Leader && a.is_contracted() && own.complaint;
    if may { next(a) } else { None }
}

/// The first port clockwise of the object that does not lead to the object.
fn next(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    let after = |port: AmoebotPort| port.turned(Rotation::Clockwise);
    AmoebotPort::at(End::Head).filter(|port| a.object(*port)).map(after).find(|port| !a.object(*port))
}

/// Errors of starting coating.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoatingError {
    /// The amoebots or the object are not a valid start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The object is on two sides of some cells, so the layer would have to pass there twice.
    #[error(
        "the object traps amoebots: it is on two sides of {}, {} (accepted: passages two cells wide)",
        counted(.cells.len(), "cell"),
        first_cells(.cells)
    )]
    Tunnel {
        /// The cells with the object on two sides, sorted.
        cells: Vec<Cell>,
    },
    /// The surface is too short to count as infinite.
    #[error(
        "{surface} cells are next to the object, for {amoebots} amoebots (accepted: {} cells or more)",
        .amoebots + 1
    )]
    SurfaceTooShort {
        /// The number of cells next to the object.
        surface: usize,
        /// The number of amoebots.
        amoebots: usize,
    },
}

/// The first cells in words.
fn first_cells(cells: &[Cell]) -> String {
    const NAMED: usize = 8;
    let names: Vec<String> = cells.iter().take(NAMED).map(Cell::to_string).collect();
    let more = if cells.len() > NAMED { ", ..." } else { "" };
    format!("{}{more}", names.join(", "))
}

impl Coating {
    /// The start configuration: all amoebots are contracted and inactive. Amoebot i is on cell i and has orientation i;
    /// without an entry it has the common orientation. O(n + k log k) for an object of k cells.
    ///
    /// # Errors
    ///
    /// There are no cells, too many, a duplicate, or one in the object. The amoebots or the object are not connected,
    /// or no amoebot is next to the object. The chirality is mixed. The surface has tunnels one cell wide, or no more
    /// cells than amoebots.
    pub fn start(
        cells: &[Cell],
        object: &[Cell],
        orientations: &[Orientation],
    ) -> Result<System<Memory>, CoatingError> {
        let start =
            Contracted::new(cells, orientations).with_object(object).connected().with_common_chirality();
        let system = start.system(|_| Memory { state: State::Inactive, parent: None, complaint: false })?;
        // An amoebot in a pocket of one cell is surrounded by the object, and has no side.
        let beside = cells.iter().find(|cell| sides(&system, **cell).next().is_some());
        let beside = *beside.ok_or(StartError::NoneBeside { object: system.object().len() })?;
        let surface = surface(&system, beside);
        let tunnel: Vec<Cell> =
            surface.iter().copied().filter(|cell| sides(&system, *cell).nth(1).is_some()).collect();
        if !tunnel.is_empty() {
            return Err(CoatingError::Tunnel { cells: tunnel });
        }
        if surface.len() <= cells.len() {
            return Err(CoatingError::SurfaceTooShort { surface: surface.len(), amoebots: cells.len() });
        }
        Ok(system)
    }

    /// Whether every amoebot is a contracted leader next to the object, without a complaint.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        system.ids().all(|id| {
            let (memory, body) = (system.memory(id), system.body(id));
            body.is_contracted()
                && memory.state == State::Leader
                && !memory.complaint
                && body.head().neighbours().any(|cell| system.is_object(cell))
        })
    }
}

fn is_object<M>(system: &System<M>, cell: Cell, direction: Direction) -> bool {
    cell.neighbour(direction).is_some_and(|cell| system.is_object(cell))
}

/// The arcs of object cells around a cell, up to three: for each arc, the direction just clockwise of it.
pub(crate) fn sides<M>(system: &System<M>, cell: Cell) -> impl Iterator<Item = Direction> {
    Direction::ALL.into_iter().filter(move |&direction| {
        let before = direction.turned(Rotation::Counterclockwise);
        !is_object(system, cell, direction) && is_object(system, cell, before)
    })
}

/// The cells next to the object that a walk along it from `start` visits, sorted. A walk passes a tunnel twice.
pub(crate) fn surface<M>(system: &System<M>, start: Cell) -> Vec<Cell> {
    let mut visited = Vec::new();
    let first = sides(system, start).next().map(|direction| (start, direction));
    let mut at = first;
    while let Some((cell, direction)) = at {
        visited.push(cell);
        at = cell.neighbour(direction).and_then(|next| {
            // Seen from the next cell, the object begins clockwise of the cell left behind.
            let back = direction.opposite();
            let round = std::iter::successors(Some(back), |way| Some(way.turned(Rotation::Clockwise)));
            let way = round.skip(1).take(6).find(|way| !is_object(system, next, *way))?;
            Some((next, way))
        });
        if at == first {
            break;
        }
    }
    visited.sort_unstable();
    visited.dedup();
    visited
}

/// The catalogue entry of coating.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "Coating",
    title: "coating",
    summary: "amoebots: all amoebots move next to an object",
    parameters: &[],
    needs: Needs { common_chirality: true, object: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(Coating)),
};

impl Description for Coating {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["inactive", "follower", "leader", "leader with a complaint"],
            settled_states: &["leader"],
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory.state {
            State::Inactive => 0,
            State::Follower => 1,
            State::Leader => 2 + usize::from(memory.complaint),
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        Detail { parent: memory.parent, direction: None, tokens: u8::from(memory.complaint) }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.object, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
