//! Convex hulls compared with their definition, under every schedule around small objects and under random ones
//! around larger objects. Leaders that stop learning too early, and lost marks, are detected.

use std::collections::BTreeSet;

use acrasin_amoebot::algorithm::description::Description;
use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::convex_hull::{
    Action, ConvexHull, Hull, HullError, HullPhase, HullRole, Memory,
};
use acrasin_amoebot::run::execution::{RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::start::{ObjectForm, StartError};
use acrasin_amoebot::{
    ActionError, ActionOrder, Adversary, Algorithm, Cell, Direction, Effects, Orientation,
    SequentialExecution, Shape, System, View, explore, start,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

/// The hull by its definition, cell by cell: within all six borders, and on one of them.
fn plain_hull(object: &[Cell]) -> Vec<Cell> {
    let lines: [fn(i32, i32) -> i32; 6] =
        [|x, _| x, |x, _| -x, |_, y| y, |_, y| -y, |x, y| x + y, |x, y| -x - y];
    let most = lines.map(|line| 1 + object.iter().map(|cell| line(cell.x(), cell.y())).max().unwrap());
    let distances = |x: i32, y: i32| (0..6).map(move |at| most[at] - lines[at](x, y));
    let box_of = (-most[1]..=most[0]).flat_map(|x| (-most[3]..=most[2]).map(move |y| (x, y)));
    let at_border = box_of.filter(|(x, y)| distances(*x, *y).min() == Some(0));
    at_border.map(|(x, y)| cell(x, y)).collect()
}

/// The `count` free cells that are nearest to `first`, by steps over free cells.
fn gathered(first: Cell, object: &[Cell], count: usize) -> Vec<Cell> {
    let (mut cells, mut visited, mut at) = (vec![first], BTreeSet::from([first]), 0);
    while cells.len() < count {
        cells.extend(cells[at].neighbours().filter(|next| !object.contains(next) && visited.insert(*next)));
        at += 1;
    }
    cells.truncate(count);
    cells
}

fn beside(object: &[Cell]) -> BTreeSet<Cell> {
    let near = object.iter().flat_map(|cell| cell.neighbours());
    near.filter(|cell| !object.contains(cell)).collect()
}

fn is_built(system: &System<Memory>) -> bool {
    let is_taken = |cell: &Cell| system.occupant(*cell).is_some_and(|id| system.body(id).is_contracted());
    plain_hull(system.object()).iter().all(is_taken) && ConvexHull::is_finished(system)
}

fn small(object: &[Cell], first: Cell, more: usize) -> System<Memory> {
    let cells = gathered(first, object, Hull::around(object).expect("cells").len() + more);
    ConvexHull::start(&cells, object, 0, &[]).expect("a good start")
}

#[test]
fn every_schedule_round_the_smallest_objects() {
    let one = [Cell::ORIGIN];
    let row = start::line(cell(1, 0), Direction::East, 6).unwrap();
    let starts = [
        small(&one, cell(1, 0), 0),
        small(&one, cell(1, 0), 1),
        ConvexHull::start(&row, &one, 0, &[]).unwrap(),
        small(&[Cell::ORIGIN, cell(1, 0)], cell(0, 1), 0),
    ];
    let states = starts.map(|start| {
        let all = explore(&ConvexHull, [start], is_built, Scope::default()).unwrap();
        assert!(all.always_succeeds(), "never disconnected, no cycle, no amoebot stuck or aborted");
        for state in &all.finals {
            assert_eq!(ConvexHull.fault(&state.system()), None);
        }
        all.states
    });
    assert_eq!(states, [8491, 26_118, 900, 163_377]);
}

/// Runs to the end, and checks that there is never a fault and that the goal is reached.
fn ends_well(system: System<Memory>, activation: &mut impl Adversary, seed: u64, every: u64) {
    let mut choices = Seeded::new(seed);
    let mut execution = SequentialExecution::new(&ConvexHull, system);
    while !execution.run(every, activation, &mut choices) {
        assert_eq!(ConvexHull.fault(execution.system()), None, "seed {seed}");
        assert!(execution.counts().activations < 20_000_000, "seed {seed}: no end");
    }
    assert!(is_built(execution.system()), "seed {seed}: {:?}", execution.system().object());
    assert_eq!(execution.counts().failures, 0, "enabled actions succeed");
}

/// Runs from each cell next to each object of up to five cells, including bays. The walk is the same under every
/// schedule.
#[test]
fn every_small_object_is_learned_from_everywhere() {
    let (mut runs, mut tunnels) = (0, 0);
    for object in (1..=5).flat_map(|n| Shape::all_connected(n).expect("few cells")) {
        let object = object.cells().to_vec();
        assert_eq!(Hull::around(&object).map(|hull| hull.cells()), Some(sorted(plain_hull(&object))));
        assert_eq!(Hull::around(&object).map(|hull| hull.len()), Some(plain_hull(&object).len()));
        for first in beside(&object) {
            let cells = gathered(first, &object, plain_hull(&object).len());
            match ConvexHull::start(&cells, &object, 0, &[]) {
                Ok(system) => ends_well(system, &mut UniformEnabled, runs, u64::MAX),
                Err(HullError::Tunnel { .. }) => tunnels += 1,
                Err(error) => panic!("{error}"),
            }
            runs += 1;
        }
    }
    assert!(runs > 2000 && tunnels < runs / 4, "{tunnels} of {runs}");
}

fn sorted(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_unstable();
    cells
}

#[test]
fn boulders_and_bays_are_enclosed_whatever_the_orientations() {
    let mixed: Vec<Orientation> = (0..2000).filter_map(|at| Orientation::all().nth(at % 12)).collect();
    for seed in 1..=6 {
        let bay = ObjectForm::Bay { side: 6, sides: 5 };
        for form in [ObjectForm::Boulder { cells: 150 }, bay, ObjectForm::Wall { length: 20 }] {
            let object = start::object(form, &mut Seeded::new(seed)).unwrap();
            let around: Vec<Cell> = beside(&object).into_iter().collect();
            let first = around[seed as usize * 7 % around.len()];
            let cells = gathered(first, &object, plain_hull(&object).len() + 13 * (seed as usize - 1));
            let start = |orientations| ConvexHull::start(&cells, &object, 0, orientations).unwrap();
            ends_well(start(&mixed), &mut UniformEnabled, seed, 500);
            ends_well(start(&[]), &mut RoundRobinActivation::default(), seed, 5000);
            ends_well(start(&mixed[5..]), &mut Uniform, seed, 5000);
        }
    }
}

/// A rule that is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// Stops learning after six borders, even if some have moved since.
    TrustsTooSoon,
    /// A pulled amoebot does not learn that it is on the hull.
    ForgetsMarks,
    /// An expanded amoebot contracts even with children.
    LetsGo,
}

impl Wrong {
    fn instead(self, own: &Memory, mut written: Memory) -> Memory {
        match (self, own.role, &mut written.role) {
            (Self::TrustsTooSoon, HullRole::Leader(before), HullRole::Leader(walk)) => {
                walk.seen |= before.seen;
                if walk.seen == 0b11_1111 {
                    walk.task = HullPhase::Building;
                }
            }
            (Self::ForgetsMarks, _, HullRole::Follower { .. }) => written.is_head_on_hull = false,
            _ => {}
        }
        written
    }
}

impl Algorithm for Wrong {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        ConvexHull.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        match (self, action) {
            (Self::LetsGo, Action::Retract) => !view.is_contracted(),
            _ => ConvexHull.enabled(action, view),
        }
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let effects = ConvexHull.execute(action, view, choices)?;
        let altered = effects.writes().iter().fold(Effects::none(), |effects, (whose, memory)| {
            let memory = self.instead(view.own(), *memory);
            match whose {
                None => effects.write_own(memory),
                Some(port) => effects.write(*port, memory),
            }
        });
        Ok(match effects.movement() {
            Some(movement) => altered.then(movement),
            None => altered,
        })
    }
}

/// A bay: a leader that starts inside it first touches borders that are not those of the object.
fn in_a_bay() -> System<Memory> {
    let object = start::object(ObjectForm::Bay { side: 4, sides: 5 }, &mut Seeded::new(1)).unwrap();
    let centre = (0..6).map(|at| object[at * object.len() / 6]);
    let (x, y) = centre.fold((0, 0), |(x, y), cell| (x + cell.x(), y + cell.y()));
    let first = beside(&object).into_iter().min_by_key(|cell| {
        let (dx, dy) = (cell.x() * 6 - x, cell.y() * 6 - y);
        dx.abs().max(dy.abs()).max((dx + dy).abs())
    });
    small(&object, first.expect("a cell beside it"), 0)
}

#[test]
fn a_leader_that_trusts_too_soon_is_noticed() {
    let mut execution = SequentialExecution::new(&Wrong::TrustsTooSoon, in_a_bay());
    let mut choices = Seeded::new(1);
    let is_noticed = (0..200).any(|_| {
        execution.run(100, &mut UniformEnabled, &mut choices);
        ConvexHull.fault(execution.system()).is_some()
    });
    assert!(is_noticed);
    ends_well(in_a_bay(), &mut UniformEnabled, 1, 100);
}

#[test]
fn without_marks_the_leader_never_stops() {
    let start = || small(&[Cell::ORIGIN], cell(1, 0), 2);
    let mut execution = SequentialExecution::new(&Wrong::ForgetsMarks, start());
    assert!(!execution.run(200_000, &mut UniformEnabled, &mut Seeded::new(1)));
    ends_well(start(), &mut UniformEnabled, 1, 200_000);
}

#[test]
fn amoebots_that_let_go_are_noticed() {
    let start = small(&[Cell::ORIGIN], cell(1, 0), 0);
    let all = explore(&Wrong::LetsGo, [start], is_built, Scope::default()).unwrap();
    assert!(!all.always_succeeds());
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let object = start::line(Cell::ORIGIN, Direction::East, 3).unwrap();
    let row = start::line(cell(0, 1), Direction::West, 10).unwrap();
    let refused = |cells: &[Cell], object: &[Cell], leader| {
        ConvexHull::start(cells, object, leader, &[]).unwrap_err().to_string()
    };
    assert_eq!(refused(&row[..9], &object, 0), "9 amoebots for a hull of 10 cells (accepted: 10 or more)");
    assert!(ConvexHull::start(&row, &object, 0, &[]).is_ok());
    assert_eq!(
        refused(&row, &object, 5),
        "the leader is at cell (-5, 1) (accepted: a cell next to the object, not in a hole of it)"
    );
    assert!(refused(&row, &object, 10).contains("10 cells"), "{}", refused(&row, &object, 10));
    assert!(refused(&row, &[], 0).contains("object"));
    // Two arms of an object, one cell apart.
    let arms = [cell(0, 0), cell(1, 0), cell(2, 0), cell(-1, 1), cell(-1, 2), cell(0, 2), cell(1, 2)];
    let cells = gathered(cell(0, -1), &arms, 40);
    assert!(refused(&cells, &arms, 0).contains("accepted: passages two cells wide"));
    // In a hole.
    let ring = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 5, width: 1 }).unwrap();
    let inside = gathered(cell(0, 4), &ring, 20);
    assert!(refused(&inside, &ring, 0).contains("not in a hole of it"), "{}", refused(&inside, &ring, 0));
    let apart = ConvexHull::start(&[cell(0, 1), cell(7, 7)], &object, 0, &[]);
    assert!(matches!(apart, Err(HullError::Start(StartError::Disconnected { .. }))));
}
