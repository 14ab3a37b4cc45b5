//! Coating of objects large enough to count as infinite, compared with its goal.

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::coating::{Action, CoatingError, Memory, State};
use acrasin_amoebot::run::execution::{FromFn, RoundRobinActivation, Uniform};
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{
    ActionError, ActionOrder, Adversary, Algorithm, Amoebot, Body, Cell, Chirality, Coating, Direction,
    Effects, EnabledSet, Movement, Orientation, SequentialExecution, SequentialExploration, Shape, System,
    SystemError, View, explore, start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

/// Two arms of an object that meet at the origin: straight, or with a corner that is concave on one side and convex on
/// the other.
const STRAIGHT: [Direction; 2] = [Direction::East, Direction::West];
const BLUNT: [Direction; 2] = [Direction::East, Direction::NorthWest];
const SHARP: [Direction; 2] = [Direction::East, Direction::NorthEast];

/// The object, with arms so long that n amoebots never reach their ends.
fn object(arms: [Direction; 2], n: usize) -> Vec<Cell> {
    arms.map(|arm| start::line(Cell::ORIGIN, arm, 2 * n + 8).expect("a short line")).concat()
}

fn is_beside(cell: Cell, object: &[Cell]) -> bool {
    cell.neighbours().any(|next| object.contains(&next))
}

/// All starts of these cells, translated to positions next to the object near the origin.
fn placed(cells: &[Cell], object: &[Cell], far: i32) -> Vec<System<Memory>> {
    let mut starts = Vec::new();
    for (dx, dy) in (-20..=20).flat_map(|dx| (-20..=20).map(move |dy| (dx, dy))) {
        let cells: Vec<Cell> = cells.iter().map(|cell| cell.translated(dx, dy).expect("not far")).collect();
        let near = |cell: &Cell| cell.x().abs() <= far && cell.y().abs() <= far && is_beside(*cell, object);
        if cells.iter().any(near) && !cells.iter().any(|cell| object.contains(cell)) {
            starts.push(Coating::start(&cells, object, &[]).expect("a good start"));
        }
    }
    starts
}

/// The goal of coating, checked on cells and memories.
fn is_coated(system: &System<Memory>) -> bool {
    let good = |id| {
        let memory = system.memory(id);
        is_beside(system.body(id).head(), system.object())
            && system.body(id).is_contracted()
            && memory.state == State::Leader
            && !memory.complaint
    };
    system.ids().all(good)
}

/// Whether all amoebots are connected with the object, which is itself connected.
fn is_connected(system: &System<Memory>) -> bool {
    let touches = |cell: &Cell| cell.neighbours().any(|next| system.object().binary_search(&next).is_ok());
    let mut open: BTreeSet<Cell> = system.cells().into_iter().collect();
    let mut border: Vec<Cell> = open.iter().copied().filter(touches).collect();
    open.retain(|cell| !touches(cell));
    while let Some(cell) = border.pop() {
        border.extend(cell.neighbours().filter(|next| open.remove(next)));
    }
    open.is_empty()
}

fn all_schedules<A>(algorithm: &A, starts: Vec<System<Memory>>) -> SequentialExploration<Memory>
where
    A: Algorithm<Memory = Memory> + Sync,
{
    explore(algorithm, starts, is_coated, Scope::default()).expect("few states")
}

/// Whether every run ends, with every amoebot next to the object.
fn always_coats(all: &SequentialExploration<Memory>) -> bool {
    all.always_succeeds() && !all.finals.is_empty()
}

/// The numbers of initial, reachable and final states, and the length of the longest run.
fn explored(arms: [Direction; 2], n: usize) -> (usize, usize, usize, u32) {
    let object = object(arms, n);
    let shapes = Shape::all_connected(n).expect("few cells");
    let starts: Vec<_> = shapes.iter().flat_map(|shape| placed(shape.cells(), &object, 2)).collect();
    let all = all_schedules(&Coating, starts);
    assert!(always_coats(&all), "{arms:?}, n = {n}: {:?}", all.stuck.first());
    let ends = all.finals.iter().map(|state| state.system());
    assert!(ends.into_iter().all(|system| is_connected(&system) && system.len() == n));
    (all.initial, all.states, all.finals.len(), all.longest_run.expect("no cycle"))
}

#[test]
fn every_order_along_a_straight_surface() {
    let found = [1, 2, 3, 4].map(|n| explored(STRAIGHT, n));
    assert_eq!(found, [(10, 20, 10, 1), (32, 268, 22, 10), (120, 3601, 43, 25), (488, 52_818, 92, 47)]);
}

#[test]
fn every_order_round_a_blunt_corner_inside_and_outside() {
    let found = [1, 2, 3, 4].map(|n| explored(BLUNT, n));
    assert_eq!(found, [(9, 18, 9, 1), (29, 242, 20, 10), (109, 3298, 42, 25), (445, 48_574, 96, 47)]);
}

#[test]
fn every_order_round_a_sharp_corner_inside_and_outside() {
    let found = [1, 2, 3, 4].map(|n| explored(SHARP, n));
    assert_eq!(found, [(9, 18, 9, 1), (28, 223, 19, 10), (105, 3045, 43, 25), (433, 45_299, 104, 47)]);
}

/// The surface of one cell has six nodes, so there is room for five amoebots and a gap.
#[test]
fn every_order_round_one_cell() {
    for n in 1..=4 {
        let shapes = Shape::all_connected(n).expect("few cells");
        let starts = shapes.iter().flat_map(|shape| placed(shape.cells(), &[Cell::ORIGIN], 1)).collect();
        assert!(always_coats(&all_schedules(&Coating, starts)), "n = {n}");
    }
    let line = start::line(cell(1, 0), Direction::East, 5).expect("a short line");
    let five = Coating::start(&line, &[Cell::ORIGIN], &[]).expect("a gap is left");
    assert!(always_coats(&all_schedules(&Coating, vec![five])));
}

/// Without a gap a surplus complaint circles forever, so the surface must have more nodes than there are amoebots.
#[test]
fn a_surface_without_a_gap_is_not_enough() {
    let ring = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 1, width: 1 }).expect("six cells");
    let short = CoatingError::SurfaceTooShort { surface: 6, amoebots: 6 };
    assert_eq!(Coating::start(&ring, &[Cell::ORIGIN], &[]).unwrap_err(), short);
    let of = |(i, &cell): (usize, &Cell)| Amoebot {
        body: Body::contracted(cell),
        orientation: Orientation::COMMON,
        memory: Memory { state: State::Leader, parent: None, complaint: i == 0 },
    };
    let full = System::new(ring.iter().enumerate().map(of).collect()).expect("different cells");
    let all = all_schedules(&Coating, vec![full.with_object([Cell::ORIGIN]).expect("a free cell")]);
    assert!(all.is_cyclic() && all.finals.is_empty());
}

/// A mutant: coating with one wrong action.
struct Wrong {
    action: Action,
    /// Whether the guard of the wrong action lacks a condition; otherwise its operations lack a write.
    by_guard: bool,
}

impl Algorithm for Wrong {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Coating.actions()
    }
    fn order(&self) -> ActionOrder {
        Coating.order()
    }
    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let careless = self.by_guard && action == self.action && action == Action::Retract;
        Coating.enabled(action, a) || careless && !a.is_contracted() && a.own().state != State::Inactive
    }
    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let right = Coating.execute(action, a, choices)?;
        match right.movement() {
            Some(movement @ Movement::Expand(_)) if !self.by_guard && action == self.action => {
                Ok(Effects::none().then(movement))
            }
            _ => Ok(right),
        }
    }
}

/// A column of n amoebots on the surface of one cell.
fn column(n: usize) -> System<Memory> {
    let line = start::line(cell(1, 0), Direction::East, n).expect("a short line");
    Coating::start(&line, &[Cell::ORIGIN], &[]).expect("a gap is left")
}

#[test]
fn a_retreat_from_children_is_caught() {
    assert!(always_coats(&all_schedules(&Coating, vec![column(3)])));
    let wrong = Wrong { action: Action::Retract, by_guard: true };
    let all = all_schedules(&wrong, vec![column(3)]);
    assert!(!always_coats(&all) && !all.stuck.is_empty(), "an amoebot is left behind");
    assert!(all.stuck.iter().any(|state| !is_connected(&state.system())));
}

#[test]
fn a_complaint_that_is_not_consumed_is_caught() {
    let wrong = Wrong { action: Action::Advance, by_guard: false };
    assert!(all_schedules(&wrong, vec![column(2)]).is_cyclic(), "leaders walk around forever");
}

/// Runs to the end, and checks in every state that all amoebots are connected with the object.
fn run(start: System<Memory>, activation: &mut impl Adversary, choices: &mut Seeded) {
    let mut execution = SequentialExecution::new(&Coating, start);
    let mut actions = 0;
    while !execution.has_terminated() {
        assert!(!execution.run(1, activation, choices) || execution.has_terminated());
        assert!(execution.counts().activations < 1_000_000, "no end");
        if std::mem::replace(&mut actions, execution.counts().actions) != execution.counts().actions {
            assert!(is_connected(execution.system()));
        }
    }
    assert!(is_coated(execution.system()) && Coating::is_finished(execution.system()));
    assert_eq!(execution.counts().failures, 0, "enabled actions succeed");
}

/// A blob of n amoebots next to the object near the corner, with random orientations of one chirality.
fn blob(arms: [Direction; 2], n: usize, choices: &mut Seeded) -> System<Memory> {
    let object = object(arms, n);
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let cells = start::blob(Cell::ORIGIN, n, acceptance, choices).expect("a blob");
    let places = placed(&cells, &object, 4);
    let place = &places[choices.next_below(places.len())];
    let cells: Vec<Cell> = place.ids().map(|id| place.body(id).head()).collect();
    let turned = |i| Orientation { first: Direction::from_index((i % 6) as u8), ..Orientation::COMMON };
    let orientations: Vec<Orientation> = (0..n).map(turned).collect();
    Coating::start(&cells, &object, &orientations).expect("a good start")
}

trait NextBelow {
    fn next_below(&mut self, bound: usize) -> usize;
}

impl NextBelow for Seeded {
    fn next_below(&mut self, bound: usize) -> usize {
        let decision = acrasin_runtime::choice::Decision::Initial;
        acrasin_runtime::choice::pick_index(self, bound, decision).expect("a place near the corner")
    }
}

#[test]
fn thirty_amoebots_always_coat() {
    for arms in [STRAIGHT, BLUNT, SHARP] {
        for seed in 0..3 {
            let mut choices = Seeded::new(seed);
            let start = blob(arms, 30, &mut choices);
            run(start.clone(), &mut Uniform, &mut choices);
            run(start.clone(), &mut RoundRobinActivation::default(), &mut choices);
            let first = FromFn(|enabled: &EnabledSet| *enabled.ids().iter().min().expect("some"));
            let last = FromFn(|enabled: &EnabledSet| *enabled.ids().iter().max().expect("some"));
            run(start.clone(), &mut { first }, &mut choices);
            run(start, &mut { last }, &mut choices);
        }
    }
}

#[test]
fn bad_starts_are_refused_with_the_cells_concerned() {
    let wall = object(STRAIGHT, 4);
    let refused = |cells: &[Cell], object: &[Cell], frames: &[Orientation], error: StartError, part: &str| {
        assert_eq!(Coating::start(cells, object, frames).unwrap_err(), error.into());
        assert!(error.to_string().contains(part), "{error}");
    };
    let one = [cell(0, 1)];
    refused(&[], &wall, &[], SystemError::WrongCount { amoebots: 0 }.into(), "0 amoebots");
    let inside = SystemError::ObjectOnAmoebot { cell: cell(2, 0), amoebot: AmoebotId(0) };
    refused(&[cell(2, 0)], &wall, &[], inside.into(), "(2, 0)");
    let apart = StartError::Disconnected { from: cell(0, 1), cell: cell(2, 1) };
    refused(&[cell(0, 1), cell(2, 1)], &wall, &[], apart, "(2, 1)");
    let parts: Vec<Cell> = wall.iter().copied().chain([cell(40, 0)]).collect();
    refused(&one, &parts, &[], StartError::DisconnectedObject { cell: cell(40, 0) }, "(40, 0)");
    refused(&[cell(0, 2)], &wall, &[], StartError::NoneBeside { object: 31 }, "no amoebot is next to");
    refused(&one, &[], &[], StartError::NoObject, "an object of 0 cells");
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let mixed = StartError::MixedChirality { first: AmoebotId(0), other: AmoebotId(1) };
    refused(&[cell(0, 1), cell(1, 1)], &wall, &[Orientation::COMMON, mirrored], mixed, "amoebots 0 and 1");
    assert!(Coating::start(&[cell(0, 1), cell(1, 1)], &wall, &[mirrored, mirrored]).is_ok());
}

/// A pocket one cell wide is a trap, but a pocket two cells wide is not.
#[test]
fn objects_that_trap_are_refused() {
    let drawn = |rows: &str| {
        let drawing = start::drawing(rows).expect("a drawing");
        Coating::start(&drawing.contracted().expect("contracted"), drawing.object(), &[])
    };
    // The pocket is three cells deep: the layer would have to come back over itself.
    let narrow = drawn("(0, 0)\n* . . .\n # # . # #\n  # # . # #\n # # . # # #\n  # # # # #\n");
    let tunnel = |cells: &[Cell]| CoatingError::Tunnel { cells: cells.to_vec() };
    let error = narrow.unwrap_err();
    assert_eq!(error, tunnel(&[cell(3, -1), cell(4, -2)]));
    assert!(error.to_string().contains("(3, -1), (4, -2)"), "{error}");
    let wide = drawn("(0, 0)\n* . . .\n # # . . # #\n  # # . . # #\n # # . . # # #\n  # # # # #\n");
    assert!(wide.is_ok(), "{wide:?}");
}
