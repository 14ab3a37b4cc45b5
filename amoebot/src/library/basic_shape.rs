//! Basic shape formation: the amoebots gather around the seed in a line, a hexagon, a triangle, or a square.
//!
//! Source: Derakhshandeh, Gmyr, Richa, Scheideler, Strothmann, "An algorithmic framework for shape formation problems
//! in self-organizing particle systems", NANOCOM 2015, in the form of later surveys. The text of the paper was not
//! compared.
//!
//! The forest and the walk around the structure are those of [hexagon formation](crate::library::hexagon): its actions
//! α1, α2, α5, α6 are unchanged. The forms differ only in α3: in the direction at which the new retiree aims.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | α3 | contracted root; no idle neighbour; a seed or retired neighbour aims here | dir := aim of the form; retired |
//! | α4 | contracted root; the node at GetNextDir(ccw) is empty | dir := GetNextDir(ccw); Expand(dir) |
//!
//! Let i be the port of the new retiree that leads to the amoebot aiming at it.
//!
//! | form | aim of the new retiree |
//! |---|---|
//! | line | opposite of i. The seed aims at both sides: its dir and the opposite of it |
//! | hexagon | the first port clockwise from i that leads to no retired amoebot, nor to the seed |
//! | triangle | the next port clockwise from i; if the seed or a retired amoebot is there, the opposite of i |
//! | square, signal down | the second port clockwise from i, and the signal is up from here on; if the structure is there, the opposite of i |
//! | square, signal up | the next port clockwise from i, and the signal is down from here on; if the structure is there, the opposite of i |
//! | vertex triangle, signal down | first of its row, with the structure neither clockwise next to i nor counter-clockwise: the next port clockwise from i. Otherwise the opposite of i if the structure is at the second port clockwise from i; if not, the row ends: the second port counter-clockwise from i, and the signal is up from here on |
//! | vertex triangle, signal up | the mirror image of it |
//!
//! "The structure" consists of the seed and the retired amoebots. The square of the triangular lattice is a rhombus:
//! blunt and sharp corners alternate, and the signal tells which kind of corner comes next. The vertex triangle is
//! filled row by row, in alternating direction, and the signal tells on which side the previous row lies. Each retiree
//! passes on the signal of the amoebot that aimed at it. This takes no additional memory: a retired amoebot has no
//! parent to follow. Its signal is up if it stores a parent port all the same, namely port i. The signal of the seed is
//! down.
//!
//! Deviations. The papers assume amoebots that act atomically. Here the aims are combined with canonical hexagon
//! formation; this combination, and the claims about it, are our own. Hexagon formation expands in the direction it
//! last wrote. Here that direction could be outdated: a retiree that does not aim at the root may be there by now, and
//! the root would wait forever. So α4 computes the direction again. As in hexagon formation, α1 requires "contracted",
//! the actions are evaluated in the order α1 to α6, chirality must be common, and "some" is the first port. The papers
//! also let the square, and the triangle with the seed at a corner, pass on a turn signal of one bit. The exact rule of
//! the papers was not available; the one here is our own.

use crate::algorithm::packed_memory;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::hexagon::{Action, Hexagon, Memory, State};
use crate::library::parameter::{Parameter, ParameterKind};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::{Cell, Rotation};
use crate::model::operation::Movement;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::StartError;

/// The shape to form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TargetShape {
    /// A straight line through the seed.
    Line,
    /// A hexagon with the seed in the middle, filled counter-clockwise, starting in the seed's direction.
    Hexagon,
    /// An equilateral triangle with the seed in the middle, filled counter-clockwise, one side after the other.
    Triangle,
    /// A rhombus with the seed in the middle, filled counter-clockwise: k rows of k amoebots each for k² amoebots.
    Square,
    /// An equilateral triangle with the seed at a corner, filled row by row in alternating direction.
    VertexTriangle,
}

/// Basic shape formation. Final: every amoebot is contracted, on these cells:
///
/// - line: a straight segment of n cells that contains the seed, along its direction. Only the numbers of amoebots on
///   the two sides of the seed depend on the start and the schedule.
/// - hexagon: the first n cells of the [spiral](crate::start::spiral) around the seed from its direction.
/// - triangle: the first n cells of another fixed sequence from the seed. They are a full equilateral triangle for n =
///   1, 3, 6, 10, 15 and so on. The distances of its three sides from the seed then differ by at most one step, and are
///   equal for n = 1, 10, 28, 55 and so on.
/// - square: the first n cells of a sequence that is a full rhombus around the seed. It is k by k for n = k², and k by
///   k + 1 for n = k(k + 1).
/// - vertex triangle: the first n cells, row by row, of the triangle with the seed at a corner. The triangle is full
///   for n = 1, 3, 6, 10, 15 and so on.
///
/// This holds under every sequential schedule, fair or not, if chirality is common. The tests explore all
/// schedules of up to five amoebots, four for the hexagon. Larger systems are tested by runs of fifty amoebots;
/// there is no proof.
///
/// ```
/// use acrasin_amoebot::library::basic_shape::{BasicShape, TargetShape};
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, start};
/// use acrasin_runtime::Seeded;
///
/// // Ten amoebots in a line become a triangle with four on each side.
/// let cells = start::line(Cell::ORIGIN, Direction::East, 10)?;
/// let triangle = BasicShape { form: TargetShape::Triangle };
/// let mut execution = SequentialExecution::new(&triangle, BasicShape::start(&cells, 0, &[])?);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(2015)));
/// assert!(BasicShape::is_finished(execution.system()));
/// assert_eq!(execution.system().shape()?.edges(), 18);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BasicShape {
    /// The target shape.
    pub form: TargetShape,
}

impl Algorithm for BasicShape {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        Hexagon.actions()
    }

    fn order(&self) -> ActionOrder {
        Hexagon.order()
    }

    fn possible(&self, own: &Memory, is_contracted: bool) -> &[Action] {
        Hexagon.possible(own, is_contracted)
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        match action {
            Action::Alpha3 => {
                a.own().state == State::Root
                    && a.is_contracted()
                    && a.all_neighbours(|b| b.memory.state != State::Idle)
                    && self.port_to_aiming(a).is_some()
            }
            Action::Alpha4 => {
                a.own().state == State::Root
                    && a.is_contracted()
                    && next_dir(a).is_some_and(|dir| !a.connected(dir))
            }
            Action::Alpha1 | Action::Alpha2 | Action::Alpha5 | Action::Alpha6 => Hexagon.enabled(action, a),
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        match action {
            Action::Alpha3 => {
                let i = self.port_to_aiming(a).ok_or(ActionError::Undefined("no amoebot aims here"))?;
                let signal = a.read(i).is_ok_and(|aiming| aiming.parent.is_some());
                let (aim, signal) = self.aim_of_retiree(a, i, signal)?;
                let parent = signal.then_some(i);
                Ok(Effects::none().write_own(Memory { state: State::Retired, parent, dir: Some(aim) }))
            }
            Action::Alpha4 => {
                let dir = next_dir(a)
                    .ok_or(ActionError::Undefined("GetNextDir without a neighbour in the structure"))?;
                let own = Memory { dir: Some(dir), ..*a.own() };
                Ok(Effects::none().write_own(own).then(Movement::Expand(dir)))
            }
            Action::Alpha1 | Action::Alpha2 | Action::Alpha5 | Action::Alpha6 => {
                Hexagon.execute(action, a, choices)
            }
        }
    }

    fn conventions(&self) -> &'static [Convention] {
        Hexagon.conventions()
    }

    packed_memory!();
}

impl BasicShape {
    /// The port of A to the seed or retired neighbour that aims at A; `None` if there is none.
    fn port_to_aiming(self, a: &View<'_, Memory>) -> Option<AmoebotPort> {
        let aims_here = |port: AmoebotPort, aim: Option<AmoebotPort>| {
            aim.is_some_and(|aim| a.pointed_at(port, aim).is_some())
        };
        let of_structure = a.neighbours().find(|b| match b.memory.state {
            State::Seed if self.form == TargetShape::Line => {
                aims_here(b.port, b.memory.dir) || aims_here(b.port, b.memory.dir.map(opposite))
            }
            State::Seed | State::Retired => aims_here(b.port, b.memory.dir),
            State::Idle | State::Follower | State::Root => false,
        })?;
        Some(of_structure.port)
    }

    /// The table of forms: the aim of A when it retires, and the signal that A passes on. `i` is the port of A to the
    /// amoebot that aims at A, and `signal` is that amoebot's signal.
    fn aim_of_retiree(
        self,
        a: &View<'_, Memory>,
        i: AmoebotPort,
        signal: bool,
    ) -> Result<(AmoebotPort, bool), ActionError> {
        let next = i.turned(Rotation::Clockwise);
        Ok(match self.form {
            TargetShape::Line => (opposite(i), signal),
            TargetShape::Hexagon => {
                let outside = first_outside(a, i, Rotation::Clockwise);
                (outside.ok_or(ActionError::Undefined("retires inside the structure"))?, signal)
            }
            TargetShape::Triangle if leads_to_structure(a, next) => (opposite(i), signal),
            TargetShape::Triangle => (next, signal),
            TargetShape::Square => {
                let corner = if signal { next } else { next.turned(Rotation::Clockwise) };
                if leads_to_structure(a, corner) { (opposite(i), signal) } else { (corner, !signal) }
            }
            TargetShape::VertexTriangle => {
                let (inwards, outwards) = if signal {
                    (Rotation::Counterclockwise, Rotation::Clockwise)
                } else {
                    (Rotation::Clockwise, Rotation::Counterclockwise)
                };
                let (beside, away) = (i.turned(inwards), i.turned(outwards));
                if !leads_to_structure(a, beside) && !leads_to_structure(a, away) {
                    (beside, signal)
                } else if leads_to_structure(a, beside.turned(inwards)) {
                    (opposite(i), signal)
                } else {
                    (away.turned(outwards), !signal)
                }
            }
        })
    }

    /// The start configuration, equal to that of hexagon formation. All amoebots are contracted, and idle except the
    /// seed at position `seed`, whose variable `dir` is its port 1. Amoebot i is on cell i and has orientation i;
    /// without an entry it has the common orientation.
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

    /// Whether every amoebot is contracted and part of the structure of one seed.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        Hexagon::is_finished(system)
    }
}

fn leads_to_structure(a: &View<'_, Memory>, port: AmoebotPort) -> bool {
    a.read(port).is_ok_and(|memory| matches!(memory.state, State::Seed | State::Retired))
}

/// The first port that does not lead to the structure, turning in `rotation` from a port that does.
fn first_outside(a: &View<'_, Memory>, from: AmoebotPort, rotation: Rotation) -> Option<AmoebotPort> {
    let round = std::iter::successors(Some(from), |port| Some(port.turned(rotation)));
    round.take(6).find(|port| !leads_to_structure(a, *port))
}

/// GetNextDir(ccw) of hexagon formation: the port of a root's next step; `None` if there is no such port.
fn next_dir(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    let first = AmoebotPort::at(End::Head).find(|port| leads_to_structure(a, *port))?;
    first_outside(a, first, Rotation::Counterclockwise)
}

fn opposite(port: AmoebotPort) -> AmoebotPort {
    (0..3).fold(port, |port, _| port.turned(Rotation::Clockwise))
}

/// The catalogue entry of basic shape formation.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "BasicShape",
    title: "basic shape formation",
    summary: "amoebots: all amoebots form a line, hexagon, triangle or square that starts at a seed",
    parameters: &[Parameter::required(
        "form",
        ParameterKind::Word(&["Line", "Hexagon", "Triangle", "Square", "VertexTriangle"]),
        "what they form",
    )],
    needs: Needs { seed: true, common_chirality: true, ..Needs::NOTHING },
    read: |values| {
        let form = match values.word("form") {
            Some("Line") => TargetShape::Line,
            Some("Hexagon") => TargetShape::Hexagon,
            Some("Square") => TargetShape::Square,
            Some("VertexTriangle") => TargetShape::VertexTriangle,
            _ => TargetShape::Triangle,
        };
        Ok(Construction::algorithm(BasicShape { form }))
    },
};

/// Describes basic shape formation, with the states of hexagon formation.
impl Description for BasicShape {
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
        // The parent port that a retired amoebot remembers is its turn signal: it follows no amoebot.
        let parent = memory.parent.filter(|_| memory.state != State::Retired);
        Detail { parent, ..Hexagon.detail(memory) }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, placement.seed, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
