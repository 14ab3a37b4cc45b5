//! Moving spanning forest: the root walks along a path, and every other amoebot follows.
//!
//! Source: the spanning forest primitive of Derakhshandeh, Gmyr, Richa, Scheideler, Strothmann, "An algorithmic
//! framework for shape formation problems in self-organizing particle systems", NANOCOM 2015, as described in later
//! surveys. The text of the paper was not compared; the guards are our own.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | follow p | idle; the neighbour at port p is root or follower | parent := p; follower |
//! | push | contracted follower; the port to its parent leads to the tail of an expanded amoebot | parent := the direction to the head of that amoebot; Push it |
//! | pull p | A is an expanded root or follower; at port p of the tail is a contracted tail-child | the parent of that child := the direction to the head of A; Pull it |
//! | retract | expanded root or follower; no tail-child, no idle neighbour | Contract(tail) |
//! | advance | contracted root with a step left; the next node is empty | one step less; Expand to it |
//! | swap | contracted root with a step left; a contracted amoebot Q is on the next node | Q: root with the rest of the path; itself: follower, parent := the port to Q |
//!
//! The next node is the node to which the next step of the path leads. A tail-child of A is a neighbour whose parent
//! port leads to the tail of A. The adversary decides which child gets the tail. The parent is the amoebot on the node
//! to which the parent port leads. So if a parent pulls one of several children, that child becomes the parent of the
//! other children at this node.
//!
//! Parents never form a cycle. A handover gives a node from a parent to its child. The amoebots whose parent port leads
//! to the node were siblings of the child, and are now its children. Before a swap all parents lead to the root R.
//! Afterwards Q has no parent, and R has the parent Q: from any amoebot parents lead to Q, or to R as before and so to
//! Q. The previous place of Q in the tree does not matter, and Q may have been idle.
//!
//! Termination. An amoebot gives up a node only to a child, or if it has no tail-child and no idle neighbour. So no
//! amoebot loses its parent or its connection. Each advance expands one more amoebot, each handover passes the
//! expansion from a parent to a child, and a retraction ends it. So there are finitely many actions between two steps
//! of the root. While an amoebot is idle, some amoebot can follow. Without idle amoebots, an expanded amoebot without
//! expanded tail-children can act. If no amoebot is expanded, the root can act until the path ends.
//!
//! Deviations. "No children" is "no tail-child": otherwise an expanded amoebot with a child at its head only would stay
//! expanded forever. A root waits until Q is contracted: an expanded Q may be about to leave the node. The root's
//! memory contains the position on the path, and the translation of the path's labels into the root's own; the swap
//! hands both over. So the path is that of the first root, for any orientations. There is only one root, since two
//! roots that move apart would disconnect the system.

use crate::algorithm::packed_memory;
use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{AlgorithmFigure, Facts, Further};
use crate::algorithm::description::{Description, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, Neighbour, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::forest::outside_trees;
use crate::library::parameter::{Parameter, ParameterError, ParameterKind};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::Cell;
use crate::model::operation::Movement;
use crate::model::operation::OperationError;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// The public memory: the state of the amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// The amoebot is not part of the tree yet.
    Idle,
    /// The amoebot is part of the tree and follows its parent.
    Follower {
        /// The port of the head to the parent.
        parent: AmoebotPort,
    },
    /// The root, with its progress on the path.
    Root(PathWalk),
}

acrasin_runtime::pack_variants!(Memory { Idle, Follower { parent }, Root(walk) });

/// The progress of the walk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathWalk {
    /// The number of steps taken so far.
    pub done: u16,
    /// The translation of the path's labels into those of the current root.
    pub frame: LabelFrame,
}

acrasin_runtime::pack_fields!(PathWalk { done, frame });

/// The translation of the first root's labels into those of another amoebot: a rotation, and a reflection if the two
/// have different chirality.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelFrame {
    /// The amoebot's own label, 1 to 6, of the direction that the first root labels 1.
    first: u8,
    is_mirrored: bool,
}

acrasin_runtime::pack_fields!(LabelFrame { first, is_mirrored });

impl LabelFrame {
    /// The identity translation, for the first root.
    pub const FIRST: Self = Self { first: 1, is_mirrored: false };

    /// The amoebot's own label for a label of the first root.
    ///
    /// # Panics
    ///
    /// Panics if the label is not 1 to 6.
    #[must_use]
    pub const fn label(self, letter: u8) -> u8 {
        assert!(letter >= 1 && letter <= 6, "labels go from 1 to 6");
        let turns = if self.is_mirrored { 7 - letter } else { letter - 1 };
        (self.first - 1 + turns) % 6 + 1
    }

    /// The translation for the neighbour at a port of A; `self` is the translation for A.
    pub(crate) fn handed_to<M>(self, a: &View<'_, M>, port: AmoebotPort) -> Result<Self, OperationError> {
        let first = a.label_of_neighbour(port, self.label(1))?;
        let second = a.label_of_neighbour(port, self.label(2))?;
        Ok(Self { first, is_mirrored: second != first % 6 + 1 })
    }
}

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// An idle amoebot joins the tree, with the neighbour at this port as its parent.
    Follow(AmoebotPort),
    /// Pushes its parent.
    Push,
    /// Pulls the child at this port.
    Pull(AmoebotPort),
    /// Contracts into the head.
    Retract,
    /// The root takes a step.
    Advance,
    /// The root gives its role to the amoebot in its way.
    Swap,
}

/// The moving spanning forest: a root and the path that it walks. Final: every amoebot is contracted and in the tree of
/// the root, which is at the end of the path from the first root's cell. This holds under every sequential schedule,
/// fair or not, with any orientations. The tests explore all schedules of up to five amoebots. Measurements suggest
/// that the walk takes O(steps + n) rounds.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, ForestWalk, start};
/// use acrasin_amoebot::AmoebotId;
/// use acrasin_runtime::Seeded;
///
/// // From the centre of a hexagon ten steps to the east, and five to the north-east.
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 19)?;
/// let walk = ForestWalk::new(&[[1; 10].as_slice(), &[2; 5]].concat())?;
/// let mut execution = SequentialExecution::new(&walk, walk.start(&cells, AmoebotId(0), &[])?);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(2015)));
/// let system = execution.system();
/// assert!(walk.is_finished(system) && system.is_connected());
/// let root = ForestWalk::root(system).expect("there is always one");
/// assert_eq!(system.body(root).head(), Cell::new(10, 5)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForestWalk {
    path: Vec<u8>,
}

impl Algorithm for ForestWalk {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        const ACTIONS: [Action; 16] = {
            let mut actions = [Action::Push; 16];
            let mut label = 1;
            while label <= 6 {
                actions[label - 1] = Action::Follow(AmoebotPort::head(label as u8));
                actions[label + 6] = Action::Pull(AmoebotPort::tail(label as u8));
                label += 1;
            }
            actions[13] = Action::Retract;
            actions[14] = Action::Advance;
            actions[15] = Action::Swap;
            actions
        };
        &ACTIONS
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let own = *a.own();
        match action {
            Action::Follow(port) => {
                own == Memory::Idle && a.read(port).is_ok_and(|memory| *memory != Memory::Idle)
            }
            Action::Push => {
                a.is_contracted()
                    && matches!(own, Memory::Follower { parent } if a.end_of_neighbour(parent) == Some(End::Tail))
            }
            Action::Pull(port) => {
                !a.is_contracted() && a.neighbour(port).is_some_and(|b| b.contracted && is_tail_child(a, &b))
            }
            Action::Retract => {
                !a.is_contracted() && a.all_neighbours(|b| *b.memory != Memory::Idle && !is_tail_child(a, &b))
            }
            Action::Advance => self.next(a).is_some_and(|(_, next)| !a.connected(next)),
            Action::Swap => {
                self.next(a).is_some_and(|(_, next)| a.neighbour(next).is_some_and(|q| q.contracted))
            }
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let next = || self.next(a).ok_or(ActionError::Undefined("no next node"));
        Ok(match action {
            Action::Follow(parent) => Effects::none().write_own(Memory::Follower { parent }),
            Action::Push => {
                let Memory::Follower { parent } = *a.own() else {
                    return Err(ActionError::Undefined("a follower without a parent"));
                };
                let forward = a.forward_of_neighbour(parent);
                let forward = forward.ok_or(ActionError::Undefined("a contracted parent is pushed"))?;
                let behind = Memory::Follower { parent: AmoebotPort::head(forward) };
                Effects::none().write_own(behind).then(Movement::Push(parent))
            }
            Action::Pull(port) => {
                let forward = a.forward().ok_or(ActionError::Undefined("a contracted amoebot pulls"))?;
                // After the handover the child's head is where the tail of A was.
                let parent = AmoebotPort::head(a.label_of_neighbour(port, forward)?);
                Effects::none().write(port, Memory::Follower { parent }).then(Movement::Pull(port))
            }
            Action::Retract => Effects::none().then(Movement::Contract(End::Tail)),
            Action::Advance => {
                let (walk, next) = next()?;
                Effects::none().write_own(Memory::Root(walk)).then(Movement::Expand(next))
            }
            Action::Swap => {
                let (walk, parent) = next()?;
                let theirs = PathWalk { frame: walk.frame.handed_to(a, parent)?, ..walk };
                Effects::none().write_own(Memory::Follower { parent }).write(parent, Memory::Root(theirs))
            }
        })
    }

    fn conventions(&self) -> &'static [Convention] {
        // Only a root expands next to other amoebots, and it is not a child.
        Convention::FRAMEWORK
    }

    packed_memory!();
}

/// Whether the parent port of neighbour B leads to the tail of the expanded amoebot A.
fn is_tail_child(a: &View<'_, Memory>, b: &Neighbour<'_, Memory>) -> bool {
    matches!(*b.memory, Memory::Follower { parent } if a.pointed_at_by(b, parent) == Some(End::Tail))
}

impl ForestWalk {
    /// The maximum number of steps of a path.
    pub const STEPS_MAX: usize = u16::MAX as usize;

    /// The algorithm for a path, which may be empty. Each step of the path is a direction, given as a label of the
    /// first root, 1 to 6.
    ///
    /// # Errors
    ///
    /// A label is not 1 to 6, or there are more than [`STEPS_MAX`](Self::STEPS_MAX) steps.
    pub fn new(path: &[u8]) -> Result<Self, PathError> {
        if path.len() > Self::STEPS_MAX {
            return Err(PathError::TooLong { steps: path.len() });
        }
        match path.iter().position(|label| !(1..=6).contains(label)) {
            Some(at) => Err(PathError::NoLabel { label: path[at], at }),
            None => Ok(Self { path: path.to_vec() }),
        }
    }

    /// The steps, as given.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// For a contracted root with a step left: its progress after that step, and the port of the step. `None` for other
    /// amoebots.
    fn next(&self, a: &View<'_, Memory>) -> Option<(PathWalk, AmoebotPort)> {
        let Memory::Root(walk) = *a.own() else { return None };
        let letter = *self.path.get(usize::from(walk.done)).filter(|_| a.is_contracted())?;
        Some((PathWalk { done: walk.done + 1, ..walk }, AmoebotPort::head(walk.frame.label(letter))))
    }

    /// The cell at the end of the path, if the path starts at `from` and its labels are read with this orientation.
    /// O(steps).
    ///
    /// # Errors
    ///
    /// The path leaves the lattice.
    pub fn destination(&self, from: Cell, orientation: Orientation) -> Result<Cell, StartError> {
        self.path.iter().try_fold(from, |at, label| {
            at.neighbour(orientation.direction(*label)).ok_or(StartError::OutsideLattice { at })
        })
    }

    /// The start configuration: all amoebots are contracted, and idle except the root. Amoebot i is on cell i and has
    /// orientation i; without an entry it has the common orientation. O(n + steps).
    ///
    /// # Errors
    ///
    /// There are no cells, too many, or a duplicate; the root does not exist; the cells are not connected; or the path
    /// leaves the lattice.
    pub fn start(
        &self,
        cells: &[Cell],
        root: AmoebotId,
        orientations: &[Orientation],
    ) -> Result<System<Memory>, StartError> {
        let walk = PathWalk { done: 0, frame: LabelFrame::FIRST };
        let memory = |id| if id == root { Memory::Root(walk) } else { Memory::Idle };
        let system = Contracted::new(cells, orientations).with_root(root).system(memory)?;
        self.destination(system.body(root).head(), system.amoebot(root).orientation)?;
        Ok(system)
    }

    /// The root; `None` only in systems that do not come from a start. O(n).
    #[must_use]
    pub fn root(system: &System<Memory>) -> Option<AmoebotId> {
        system.ids().find(|id| matches!(system.memory(*id), Memory::Root(_)))
    }

    /// The parent of an amoebot; `None` for the root and idle amoebots.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn parent(system: &System<Memory>, id: AmoebotId) -> Option<AmoebotId> {
        match *system.memory(id) {
            Memory::Follower { parent } => system.neighbour(id, parent),
            Memory::Idle | Memory::Root(_) => None,
        }
    }

    /// Whether every amoebot is contracted and in the tree of the one root, which is at the end of the path.
    /// O(n).
    #[must_use]
    pub fn is_finished(&self, system: &System<Memory>) -> bool {
        let mut roots = system.ids().filter_map(|id| match *system.memory(id) {
            Memory::Root(walk) => Some(walk),
            Memory::Idle | Memory::Follower { .. } => None,
        });
        let is_at_end = |walk: PathWalk| usize::from(walk.done) == self.path.len();
        roots.next().is_some_and(is_at_end)
            && roots.next().is_none()
            && system.ids().all(|id| system.body(id).is_contracted())
            && outside_trees(
                system,
                |memory| matches!(memory, Memory::Root(_)),
                |id| Self::parent(system, id),
            )
            .is_empty()
    }
}

/// Errors of a path for the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// There are more steps than [`ForestWalk::STEPS_MAX`].
    #[error("a path of {steps} steps (accepted: up to {})", ForestWalk::STEPS_MAX)]
    TooLong {
        /// The number of steps given.
        steps: usize,
    },
    /// A number is not a label.
    #[error("label {label} at step {at}, counted from 0 (accepted: 1 to 6)")]
    NoLabel {
        /// The number that is not a label.
        label: u8,
        /// The position of the step, from 0.
        at: usize,
    },
}

/// The catalogue entry of the moving spanning forest.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "ForestWalk",
    title: "spanning forest that moves",
    summary: "amoebots: a spanning forest whose root walks a path",
    parameters: &[Parameter::required(
        "path",
        ParameterKind::Text,
        "the directions of the root's steps, as its own labels 1 to 6",
    )],
    needs: Needs { seed: true, ..Needs::NOTHING },
    read: |values| walk(values.text("path").expect("it is required")).map(Construction::algorithm),
};

/// Reads a path that is written as digits, one per step.
fn walk(path: &str) -> Result<ForestWalk, ParameterError> {
    // Characters other than digits count as 0, which is not a label.
    let label = |letter: char| letter.to_digit(10).map_or(0, |digit| digit as u8);
    ForestWalk::new(&path.chars().map(label).collect::<Vec<_>>()).map_err(|error| match error {
        PathError::NoLabel { at, .. } => {
            let letter = path.chars().nth(at).unwrap_or_default();
            ParameterError::new("path", format!("step {} of the path is {letter:?}", at + 1))
                .accepting("digits 1 to 6, the root's own labels of directions")
        }
        PathError::TooLong { steps } => ParameterError::new("path", format!("a path of {steps} steps"))
            .accepting(format!("up to {}", ForestWalk::STEPS_MAX)),
    })
}

impl Description for ForestWalk {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts { states: &["idle", "root", "follower"], ..Facts::default() }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory {
            Memory::Idle => 0,
            Memory::Root(_) => 1,
            Memory::Follower { .. } => 2,
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        let parent = if let Memory::Follower { parent } = *memory { Some(parent) } else { None };
        Detail { parent, ..Detail::default() }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        let root = AmoebotId(placement.seed as u32);
        Self::start(self, &placement.cells, root, &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(self, system)
    }

    fn further(&self, system: &System<Memory>) -> Option<Further> {
        let root = system.body(Self::root(system)?).head();
        let figures = vec![AlgorithmFigure::text("root", "cell of the root", root.to_string())];
        Some(Further { key: "walk", title: "PathWalk", figures })
    }
}
