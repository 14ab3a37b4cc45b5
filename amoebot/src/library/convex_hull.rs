//! Convex hull: a leader walks around an object, learns the extent of its hull, and leads the other amoebots along the
//! hull until the hull is closed.
//!
//! Source: Daymude, Gmyr, Hinnenthal, Kostitsyna, Scheideler, Richa, "Convex hull formation for programmable matter",
//! ICDCN 2020. The phases of the paper's algorithm and its rule for distances were known to us; the text was not
//! compared. The hull is the border of the intersection of six half-planes that contain the object and the cells around
//! it, one for each direction of the lattice.
//!
//! *Learning.* The leader walks with the object on one side. For each half-plane it knows its distance to the border of
//! the cells seen so far. A step changes a distance by 1, 0 or -1, and a step beyond a border moves the border. Once
//! the leader has touched all six borders without moving one, they are the borders of the hull. *Building.* The leader
//! walks on along the border, and turns where the distance to the next border is 0.
//!
//! All other amoebots are in a tree that the leader pulls along, and the leader swaps roles with an amoebot in its way,
//! as in the [moving spanning forest](crate::library::forest_walk). An amoebot on a cell that the leader has passed
//! while building knows that it is *on the hull*. When such an amoebot is on the next cell, the hull is closed, and the
//! leader waits.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | follow p | idle; the neighbour at port p is leader or follower | parent := p; follower |
//! | pull p | expanded leader or follower; at port p of the tail is a contracted tail-child | its parent := the direction to the head of this one; its head is on the hull if this tail is, its tail if its head was; Pull it |
//! | retract | expanded leader or follower; no tail-child, no idle neighbour | Contract(tail) |
//! | advance | contracted leader; the next cell is empty | a step of the walk; Expand to it |
//! | swap | contracted leader; a contracted amoebot Q is on the next cell, and not on the hull | a step of the walk, by Q: leader; itself: follower, parent := the port to Q |
//!
//! Termination. The cells that the leader has passed while building are a gapless segment of the hull. An amoebot that
//! leaves such a cell is the parent of the amoebot behind it, and pulls it. Only the last amoebot of the segment can
//! leave its cell without a child. Children next to the segment join it, at the latest when the end of the segment
//! passes them. So the segment grows until it is the whole hull, if there are enough amoebots. If the last amoebots of
//! the segment are still expanded then, the leader and the end of the segment move on.
//!
//! Deviations. The leader keeps the six distances as numbers. In the paper its followers form six [binary
//! counters](crate::library::binary_counter), so that all memories are constant. The number of amoebots must be at
//! least the number of cells of the hull. Surplus amoebots stay next to the hull. No amoebot learns that the algorithm
//! has terminated. Guards and marks are our own. Orientations are arbitrary; objects must satisfy the conditions of
//! [coating].

use crate::algorithm::packed_memory;
use acrasin_catalogue::counted;

use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{AlgorithmFigure, Description, Facts, Further, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, Neighbour, View};
use crate::library::coating;
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::forest_walk::LabelFrame;
use crate::model::body::{AmoebotPort, End};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::operation::Movement;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

mod hull;

pub use hull::Hull;

/// The role of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HullRole {
    /// The amoebot is not in the tree yet.
    Idle,
    /// The amoebot is part of the tree and follows its parent.
    Follower {
        /// The port of the head to the parent.
        parent: AmoebotPort,
    },
    /// The leader, which walks around the object.
    Leader(HullWalk),
}

acrasin_runtime::pack_variants!(HullRole { Idle, Follower { parent }, Leader(walk) });

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory {
    /// The amoebot's role.
    pub role: HullRole,
    /// Whether the leader has passed the cell of the head while building.
    pub is_head_on_hull: bool,
    /// Whether the leader has passed the cell of the tail while building; false if contracted.
    pub is_tail_on_hull: bool,
}

acrasin_runtime::pack_fields!(Memory { role, is_head_on_hull, is_tail_on_hull });

/// The phase of the leader.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HullPhase {
    /// The leader learns where the hull is.
    Learning,
    /// The leader leads the others along the hull.
    Building,
}

acrasin_runtime::pack_variants!(HullPhase { Learning, Building });

/// The knowledge of the leader. A direction is stored as a letter, a number from 0 to 5: its label in the frame of the
/// amoebot that led first, minus one. `frame` translates it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HullWalk {
    /// The translation of letters into labels of the current leader.
    pub frame: LabelFrame,
    /// The letter of a direction towards the object; used only while learning.
    pub wall: u8,
    /// The distance to the border in the direction of each letter; the object is clockwise of the border.
    pub distances: [u32; 6],
    /// A bit for each border: whether the leader has touched it since a border last moved.
    pub seen: u8,
    /// The current phase.
    pub task: HullPhase,
}

acrasin_runtime::pack_fields!(HullWalk { frame, wall, distances, seen, task });

const LETTERS: u8 = 6;

impl HullWalk {
    /// The initial knowledge of a leader that has the object in direction `wall`.
    const fn beside(wall: u8) -> Self {
        Self { frame: LabelFrame::FIRST, wall, distances: [0; 6], seen: 0, task: HullPhase::Learning }
    }

    /// The knowledge after a step in the direction of a letter.
    ///
    /// Steps in directions k + 4 and k + 5 lead away from the border in direction k. Steps in directions k + 1 and k +
    /// 2 lead towards it.
    fn after(mut self, letter: u8) -> Self {
        let mut is_moved = false;
        for (along, distance) in (0..LETTERS).zip(&mut self.distances) {
            match (letter + LETTERS - along) % LETTERS {
                1 | 2 if *distance == 0 => is_moved = true,
                1 | 2 => *distance -= 1,
                4 | 5 => *distance += 1,
                _ => {}
            }
        }
        if is_moved {
            self.seen = 0;
        }
        for (along, distance) in self.distances.iter().enumerate() {
            self.seen |= u8::from(*distance == 0) << along;
        }
        if self.seen == (1 << LETTERS) - 1 {
            self.task = HullPhase::Building;
        }
        self.wall = (letter + LETTERS - 2) % LETTERS;
        self
    }

    /// The letter of the direction in which the hull continues from the leader's cell; `None` if the cell is not on the
    /// hull.
    fn along_hull(&self) -> Option<u8> {
        let is_at = |letter: u8| self.distances[usize::from(letter % LETTERS)] == 0;
        (0..LETTERS).find(|letter| is_at(*letter) && !is_at(letter + LETTERS - 1))
    }

    fn port(&self, letter: u8) -> AmoebotPort {
        AmoebotPort::head(self.frame.label(letter + 1))
    }
}

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// An idle amoebot joins the tree, with the neighbour at this port as its parent.
    Follow(AmoebotPort),
    /// Pulls the child at this port.
    Pull(AmoebotPort),
    /// Contracts.
    Retract,
    /// The leader takes a step.
    Advance,
    /// The leader gives its role to the amoebot in its way.
    Swap,
}

/// Convex hull of an object without passages one cell wide. Final: a contracted amoebot on every cell of the [`Hull`],
/// and every amoebot contracted. This holds under every sequential schedule, fair or not, with any orientations. The
/// leader stores numbers up to the width of the object, so its memory is logarithmic. The tests explore all schedules
/// around the smallest objects; for larger ones the claim rests on runs and the argument above.
///
/// ```
/// use acrasin_amoebot::library::convex_hull::{ConvexHull, Hull};
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, start};
/// use acrasin_runtime::Seeded;
///
/// // Two walls with an angle between them, and forty amoebots in a row away from one.
/// let object = start::object(start::ObjectForm::Corner { width: 6, height: 5 }, &mut Seeded::new(1))?;
/// let hull = Hull::around(&object).expect("an object has cells");
/// let row: Vec<Cell> = (1..=40).map(|y| Cell::new(3, y)).collect::<Result<_, _>>()?;
/// let mut execution = SequentialExecution::new(&ConvexHull, ConvexHull::start(&row, &object, 0, &[])?);
/// assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(1)));
/// assert!(ConvexHull::is_finished(execution.system()));
/// assert!(hull.cells().iter().all(|cell| execution.system().occupant(*cell).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConvexHull;

impl Algorithm for ConvexHull {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        const ACTIONS: [Action; 15] = {
            let mut actions = [Action::Retract; 15];
            let mut label = 1;
            while label <= 6 {
                actions[label - 1] = Action::Follow(AmoebotPort::head(label as u8));
                actions[label + 5] = Action::Pull(AmoebotPort::tail(label as u8));
                label += 1;
            }
            actions[13] = Action::Advance;
            actions[14] = Action::Swap;
            actions
        };
        &ACTIONS
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        match action {
            Action::Follow(port) => {
                a.own().role == HullRole::Idle
                    && a.read(port).is_ok_and(|memory| memory.role != HullRole::Idle)
            }
            Action::Pull(port) => {
                !a.is_contracted() && a.neighbour(port).is_some_and(|b| b.contracted && is_tail_child(a, &b))
            }
            Action::Retract => {
                !a.is_contracted()
                    && a.all_neighbours(|b| b.memory.role != HullRole::Idle && !is_tail_child(a, &b))
            }
            Action::Advance => next(a).is_some_and(|(_, next)| !a.connected(next)),
            Action::Swap => next(a).is_some_and(|(_, next)| {
                a.neighbour(next).is_some_and(|q| q.contracted && !q.memory.is_head_on_hull)
            }),
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let own = *a.own();
        let next = || next(a).ok_or(ActionError::Undefined("no next cell"));
        Ok(match action {
            Action::Follow(parent) => {
                Effects::none().write_own(Memory { role: HullRole::Follower { parent }, ..own })
            }
            Action::Pull(port) => {
                let child = a.read(port)?;
                let forward = a.forward().ok_or(ActionError::Undefined("a contracted amoebot pulls"))?;
                // After the handover the child's head is where the tail of A was.
                let pulled = Memory {
                    role: HullRole::Follower {
                        parent: AmoebotPort::head(a.label_of_neighbour(port, forward)?),
                    },
                    is_head_on_hull: own.is_tail_on_hull,
                    is_tail_on_hull: child.is_head_on_hull,
                };
                let own = Memory { is_tail_on_hull: false, ..own };
                Effects::none().write_own(own).write(port, pulled).then(Movement::Pull(port))
            }
            Action::Retract => {
                let own = Memory { is_tail_on_hull: false, ..own };
                Effects::none().write_own(own).then(Movement::Contract(End::Tail))
            }
            Action::Advance => {
                let (walk, next) = next()?;
                let own = Memory { is_tail_on_hull: own.is_head_on_hull, ..leader(walk) };
                Effects::none().write_own(own).then(Movement::Expand(next))
            }
            Action::Swap => {
                let (walk, parent) = next()?;
                let theirs = leader(HullWalk { frame: walk.frame.handed_to(a, parent)?, ..walk });
                let own = Memory { role: HullRole::Follower { parent }, ..own };
                Effects::none().write_own(own).write(parent, theirs)
            }
        })
    }

    fn conventions(&self) -> &'static [Convention] {
        // Only the leader expands next to other amoebots, and it is not a child.
        Convention::FRAMEWORK
    }

    packed_memory!();
}

/// The memory of a contracted leader that has just reached a cell.
fn leader(walk: HullWalk) -> Memory {
    let is_head_on_hull = walk.task == HullPhase::Building;
    Memory { role: HullRole::Leader(walk), is_head_on_hull, is_tail_on_hull: false }
}

/// For a contracted leader: its knowledge after its next step, and the port of that step. `None` for other amoebots.
fn next(a: &View<'_, Memory>) -> Option<(HullWalk, AmoebotPort)> {
    let HullRole::Leader(walk) = a.own().role else { return None };
    if !a.is_contracted() {
        return None;
    }
    let letter = match walk.task {
        HullPhase::Building => walk.along_hull()?,
        HullPhase::Learning => {
            let mut round = (walk.wall..walk.wall + LETTERS).map(|letter| letter % LETTERS);
            round.find(|letter| !a.object(walk.port(*letter)))?
        }
    };
    Some((walk.after(letter), walk.port(letter)))
}

/// Whether the parent port of neighbour B leads to the tail of the expanded amoebot A.
fn is_tail_child(a: &View<'_, Memory>, b: &Neighbour<'_, Memory>) -> bool {
    matches!(b.memory.role, HullRole::Follower { parent } if a.pointed_at_by(b, parent) == Some(End::Tail))
}

/// Errors of starting the convex hull.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// The cells or the object are not a valid start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The leader is not next to the outside of the object.
    #[error("the leader is at cell {cell} (accepted: a cell next to the object, not in a hole of it)")]
    LeaderInside {
        /// The cell of the leader.
        cell: Cell,
    },
    /// A passage of the object is one cell wide.
    #[error("the object is on two sides of cell {cell} (accepted: passages two cells wide)")]
    Tunnel {
        /// A cell of the passage.
        cell: Cell,
    },
    /// There are fewer amoebots than cells of the hull.
    #[error("{} for a hull of {needed} cells (accepted: {needed} or more)", counted(*.given, "amoebot"))]
    TooFewAmoebots {
        /// The number of amoebots given.
        given: usize,
        /// The number of cells of the hull.
        needed: usize,
    },
}

impl ConvexHull {
    /// The start configuration: all amoebots are contracted, and idle except the leader at position `leader`, which is
    /// next to the object. Amoebot i is on cell i and has orientation i; without an entry it has the common
    /// orientation. O(n + k log k) for an object of k cells.
    ///
    /// # Errors
    ///
    /// There are no cells, too many, a duplicate, or one in the object. The amoebots or the object are not connected.
    /// The leader is not next to the object, or is in a hole of it. A passage is one cell wide. Or there are fewer
    /// amoebots than the hull has cells.
    pub fn start(
        cells: &[Cell],
        object: &[Cell],
        leader: usize,
        orientations: &[Orientation],
    ) -> Result<System<Memory>, HullError> {
        let start = Contracted::new(cells, orientations).with_object(object).with_seed(leader);
        let idle = Memory { role: HullRole::Idle, is_head_on_hull: false, is_tail_on_hull: false };
        let mut system = start.system(|_| idle)?;
        let id = AmoebotId(leader as u32);
        let cell = system.body(id).head();
        let surface = coating::surface(&system, cell);
        let hull = Hull::around(system.object()).ok_or(StartError::NoObject)?;
        if Hull::round(&surface).as_ref() != Some(&hull) {
            return Err(HullError::LeaderInside { cell });
        }
        if let Some(&cell) = surface.iter().find(|cell| coating::sides(&system, **cell).nth(1).is_some()) {
            return Err(HullError::Tunnel { cell });
        }
        if cells.len() < hull.len() {
            return Err(HullError::TooFewAmoebots { given: cells.len(), needed: hull.len() });
        }
        let view = View::new(&system, id);
        let wall = (1..=LETTERS).find(|label| view.object(AmoebotPort::head(*label)));
        let walk = HullWalk::beside(wall.ok_or(HullError::LeaderInside { cell })? - 1);
        system.write(id, None, Memory { role: HullRole::Leader(walk), ..idle }).expect("its own memory");
        Ok(system)
    }

    /// The leader; `None` only in systems that do not come from a start. O(n).
    #[must_use]
    pub fn leader(system: &System<Memory>) -> Option<(AmoebotId, HullWalk)> {
        let walk = |id| match system.memory(id).role {
            HullRole::Leader(walk) => Some((id, walk)),
            HullRole::Idle | HullRole::Follower { .. } => None,
        };
        system.ids().find_map(walk)
    }

    /// Whether there is a leader, every amoebot is contracted, and each cell of the hull has an amoebot that knows it
    /// is on the hull. O(n + hull).
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        let is_on_hull =
            |cell: &Cell| system.occupant(*cell).is_some_and(|id| system.memory(id).is_head_on_hull);
        Self::leader(system).is_some()
            && system.ids().all(|id| system.body(id).is_contracted())
            && Hull::around(system.object()).is_some_and(|hull| hull.cells().iter().all(is_on_hull))
    }
}

/// The catalogue entry of the convex hull.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "ConvexHull",
    title: "convex hull",
    summary: "amoebots: a leader learns the convex hull of an object, and the other amoebots follow it around the object",
    parameters: &[],
    needs: Needs { seed: true, object: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(ConvexHull)),
};

impl Description for ConvexHull {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["idle", "follower", "on the hull", "leader that learns", "leader that builds"],
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory.role {
            HullRole::Idle => 0,
            HullRole::Follower { .. } => 1 + usize::from(memory.is_head_on_hull),
            HullRole::Leader(walk) => 3 + usize::from(walk.task == HullPhase::Building),
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        match memory.role {
            HullRole::Idle => Detail::default(),
            HullRole::Follower { parent } => Detail { parent: Some(parent), ..Detail::default() },
            HullRole::Leader(walk) => {
                let letter = (walk.task == HullPhase::Building).then(|| walk.along_hull()).flatten();
                Detail { direction: letter.map(|letter| walk.port(letter)), ..Detail::default() }
            }
        }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.object, placement.seed, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }

    /// Reports amoebots that are not connected, a missing leader, a mark outside the hull, or wrong borders in the
    /// leader's knowledge.
    fn fault(&self, system: &System<Memory>) -> Option<String> {
        let Some((id, walk)) = Self::leader(system) else { return Some("there is no leader".into()) };
        if !system.is_connected() {
            return Some("the amoebots are not connected".into());
        }
        let hull = Hull::around(system.object())?;
        let head = system.body(id).head();
        if walk.task == HullPhase::Building && !hull.is_at(head, walk.distances) {
            return Some(format!(
                "the leader at cell {head} builds with wrong distances to the borders of the hull"
            ));
        }
        let is_wrong = |id: &AmoebotId| {
            let (body, memory) = (system.body(*id), system.memory(*id));
            (memory.is_head_on_hull && !hull.contains(body.head()))
                || (memory.is_tail_on_hull && !hull.contains(body.tail()))
        };
        let beside = system.ids().find(is_wrong)?;
        Some(format!("amoebot {beside} counts a cell as part of the hull that is outside the hull"))
    }

    fn further(&self, system: &System<Memory>) -> Option<Further> {
        let hull = Hull::around(system.object())?;
        let taken = hull.cells().iter().filter(|cell| system.occupant(**cell).is_some()).count();
        let figures = vec![
            AlgorithmFigure::count("cells", "cells of the hull", hull.len() as u64),
            AlgorithmFigure::count("taken", "of them taken", taken as u64),
        ];
        Some(Further { key: "hull", title: "Hull", figures })
    }
}
