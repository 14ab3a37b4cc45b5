//! Larger systems under fair and unfair schedules.

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::universal_coating::{Action, Memory};
use acrasin_amoebot::run::execution::{Activated, FromFn, RoundRobinActivation, Uniform};
use acrasin_amoebot::{
    Adversary, Algorithm, Cell, Chirality, Direction, EnabledSet, Orientation, SequentialExecution, System,
    UniversalCoating, View, enabled_actions, start,
};
use acrasin_runtime::choice::{Decision, pick_index};
use acrasin_runtime::{FixedProbability, Seeded};

use super::oracle::{cell, fault, fault_at_the_end, line, objects, rings};

const ACTIVATIONS_MAX: u64 = 2_000_000;

/// Runs to the end. No state may have a fault, and no amoebot may get farther away than the farthest one at the start.
/// Returns the number of rounds.
fn run(start: &System<Memory>, activation: &mut impl Adversary, choices: &mut Seeded) -> u64 {
    // Large systems are checked only now and then.
    let is_small = start.len() < 60;
    let near = if is_small { no_farther(start) } else { BTreeSet::new() };
    let mut execution = SequentialExecution::new(&UniversalCoating, start.clone());
    while !execution.has_terminated() {
        assert!(execution.counts().activations < ACTIVATIONS_MAX, "no end");
        let id = activation.next(execution.enabled(), choices);
        let before = (complaints(execution.system()), execution.counts().moves);
        let activated = execution.activate(id, choices);
        let Activated::Completed { action, .. } = activated else { continue };
        let (now, system) = (complaints(execution.system()), execution.system());
        let moved = execution.counts().moves != before.1;
        assert!(!moved || !is_small || near.contains(&system.body(id).head()));
        assert!(now <= before.0 || action == Action::Complain);
        assert!(action != Action::Forward || system.ids().all(|id| system.memory(id).complaints <= 2));
        // Other actions do not affect what is checked.
        let is_due = is_small || execution.counts().actions % 256 == 0;
        if is_due && moved || action == Action::Lead {
            assert_eq!(fault(system), None, "{action:?}");
        }
    }
    assert_eq!(fault_at_the_end(execution.system()), None);
    assert_eq!(execution.counts().failures, 0, "enabled actions succeed");
    execution.counts().rounds
}

/// The nodes that are at most as far from the object as the farthest amoebot.
fn no_farther(system: &System<Memory>) -> BTreeSet<Cell> {
    let near = (1..).map(|layers| rings(system.object(), layers).into_iter().flatten().collect());
    let holds_all = |near: &BTreeSet<Cell>| system.cells().iter().all(|cell| near.contains(cell));
    near.into_iter().find(holds_all).expect("every amoebot is somewhere")
}

fn complaints(system: &System<Memory>) -> u32 {
    system.ids().map(|id| u32::from(system.memory(id).complaints)).sum()
}

/// Activates, among all enabled amoebots, one whose action comes first in a list.
struct Prefers(Vec<Action>);

impl Prefers {
    fn run(&self, start: &System<Memory>, choices: &mut Seeded) {
        let mut execution = SequentialExecution::new(&UniversalCoating, start.clone());
        while !execution.has_terminated() {
            assert!(execution.counts().activations < ACTIVATIONS_MAX, "no end");
            let rank = |id: AmoebotId| {
                let action = enabled_actions(&UniversalCoating, View::new(execution.system(), id)).next();
                self.0.iter().position(|listed| Some(*listed) == action)
            };
            let ranks: Vec<_> = execution.enabled().ids().iter().map(|id| (rank(*id), *id)).collect();
            let best = ranks.iter().map(|(rank, _)| *rank).min().expect("an amoebot");
            let best: Vec<AmoebotId> =
                ranks.iter().filter(|(rank, _)| *rank == best).map(|(_, id)| *id).collect();
            let picked = pick_index(choices, best.len(), Decision::Activation).expect("an amoebot");
            execution.activate(best[picked], choices);
        }
        assert_eq!(fault_at_the_end(execution.system()), None);
    }
}

/// A blob at a random place next to the object, in all orientations of one chirality.
fn blob(object: &[Cell], n: usize, choices: &mut Seeded) -> System<Memory> {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let turned = |i| Orientation { first: Direction::from_index((i % 6) as u8), ..Orientation::COMMON };
    let orientations: Vec<Orientation> = (0..n).map(turned).collect();
    for _ in 0..10_000 {
        let mut coordinate = || pick_index(choices, 25, Decision::Initial).expect("one of 25") as i32 - 12;
        let centre = cell(coordinate(), coordinate());
        let cells = start::blob(centre, n, acceptance, choices).expect("a blob");
        if let Ok(start) = UniversalCoating::start(&cells, object, &orientations) {
            return start;
        }
    }
    panic!("no place for a blob of {n}");
}

/// Numbers of amoebots to test: below, at and above the capacity of the first layer and of the first two layers, and a
/// number that reaches into the third.
fn counts(object: &[Cell]) -> Vec<usize> {
    let rings = rings(object, 3);
    let (one, two, three) = (rings[0].len(), rings[1].len(), rings[2].len());
    let counts = [one / 2, one - 1, one, one + 1, one + two / 2, one + two, one + two + three / 3];
    counts.into_iter().filter(|n| *n <= 52).collect()
}

#[test]
fn blobs_always_coat() {
    for (_, object) in objects() {
        for (seed, n) in counts(&object).into_iter().enumerate() {
            let mut choices = Seeded::new(seed as u64);
            let start = blob(&object, n, &mut choices);
            run(&start, &mut Uniform, &mut choices);
            run(&start, &mut RoundRobinActivation::default(), &mut choices);
            let first = FromFn(|enabled: &EnabledSet| *enabled.ids().iter().min().expect("some"));
            let last = FromFn(|enabled: &EnabledSet| *enabled.ids().iter().max().expect("some"));
            run(&start, &mut { first }, &mut choices);
            run(&start, &mut { last }, &mut choices);
        }
    }
}

/// Random objects with blobs of random sizes next to them. Starts that are refused are left out.
#[test]
fn objects_of_any_form_are_coated() {
    let mut choices = Seeded::new(17);
    let between = |low: usize, high: usize, choices: &mut Seeded| {
        low + pick_index(choices, high - low, Decision::Initial).expect("a range that is not empty")
    };
    let mut coated = 0;
    for _ in 0..160 {
        let size = between(2, 20, &mut choices);
        let acceptance = FixedProbability::new(0.7).expect("a probability");
        let object = start::blob(Cell::ORIGIN, size, acceptance, &mut choices).expect("a blob");
        let centre = cell(
            object[0].x() + between(0, 9, &mut choices) as i32 - 4,
            between(0, 9, &mut choices) as i32 - 4,
        );
        let n = between(4, 40, &mut choices);
        let cells = start::blob(centre, n, acceptance, &mut choices).expect("a blob");
        let cells: Vec<Cell> = cells.into_iter().filter(|cell| !object.contains(cell)).collect();
        let Ok(start) = UniversalCoating::start(&cells, &object, &[]) else { continue };
        run(&start, &mut Uniform, &mut choices);
        run(&start, &mut RoundRobinActivation::default(), &mut choices);
        Prefers(any_order(&mut choices)).run(&start, &mut choices);
        coated += 1;
    }
    assert_eq!(coated, 26);
}

/// Amoebots of mirrored chirality coat as well: each turns the other way.
#[test]
fn mirrored_amoebots_coat() {
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let column = line(cell(1, 0), Direction::East, 20);
    let start = UniversalCoating::start(&column, &[Cell::ORIGIN], &[mirrored; 20]).expect("a good start");
    let mut choices = Seeded::new(1);
    let found = run(&start, &mut Uniform, &mut choices);
    assert!(found > 20, "{found} rounds");
}

/// Runs end under adversaries that prefer actions in a random order.
#[test]
fn runs_end_for_every_order_of_preference() {
    for i in 0..100 {
        let mut choices = Seeded::new(i as u64);
        let order = any_order(&mut choices);
        let (_, object) = objects().swap_remove(i % 2);
        let start = blob(&object, 6 + i % 9, &mut choices);
        Prefers(order).run(&start, &mut choices);
    }
}

fn any_order(choices: &mut Seeded) -> Vec<Action> {
    let mut left = UniversalCoating.actions().to_vec();
    let mut take = |n| left.swap_remove(pick_index(choices, n, Decision::Initial).expect("some are left"));
    (1..=UniversalCoating.actions().len()).rev().map(&mut take).collect()
}

/// A hundred amoebots coat objects of several forms: on some they do not fill the first layer, on others they fill
/// three layers or more.
#[test]
fn a_hundred_coat() {
    let mut choices = Seeded::new(100);
    let acceptance = FixedProbability::new(1.0).expect("a probability");
    let round = start::blob(Cell::ORIGIN, 30, acceptance, &mut choices).expect("a blob");
    let wall = line(Cell::ORIGIN, Direction::East, 60);
    let others = [("round", round), ("wall", wall)];
    let mut coated = 0;
    for (_, object) in objects().into_iter().chain(others) {
        let far = object.iter().max_by_key(|cell| cell.x()).expect("a cell");
        let column = line(cell(far.x() + 1, far.y()), Direction::East, 100);
        let Ok(start) = UniversalCoating::start(&column, &object, &[]) else { continue };
        run(&start, &mut Uniform, &mut choices);
        run(&start, &mut RoundRobinActivation::default(), &mut choices);
        coated += 1;
    }
    assert_eq!(coated, 6);
}

/// The rounds of a column of n amoebots that stands on the object: under round robin and under random activation.
fn rounds_of_a_column(object: &[Cell], n: usize) -> [u64; 2] {
    let column = line(cell(1, 0), Direction::East, n);
    let start = UniversalCoating::start(&column, object, &[]).expect("a good start");
    let rounds = |activation: &mut dyn Adversary| {
        let mut execution = SequentialExecution::new(&UniversalCoating, start.clone());
        assert!(execution.run(20_000_000, activation, &mut Seeded::new(1)));
        assert!(UniversalCoating::is_finished(execution.system()));
        execution.counts().rounds
    };
    [rounds(&mut RoundRobinActivation::default()), rounds(&mut Uniform)]
}

/// Tests that O(n) rounds suffice. Along a wall without an end, one amoebot enters the first layer every five rounds.
#[test]
fn rounds_grow_as_n() {
    let wall = line(Cell::ORIGIN, Direction::NorthEast, 90);
    let round_one_cell = [10, 20, 40, 80, 160].map(|n| rounds_of_a_column(&[Cell::ORIGIN], n));
    assert_eq!(round_one_cell, [[52, 56], [110, 82], [145, 99], [291, 176], [538, 292]]);
    let along_a_wall = [10, 20, 40, 80].map(|n| rounds_of_a_column(&wall, n));
    assert_eq!(along_a_wall, [[44, 37], [84, 71], [164, 116], [324, 204]]);
    let is_linear = |found: &[[u64; 2]], counts: &[u64]| {
        found.iter().zip(counts).all(|(rounds, n)| rounds.iter().all(|rounds| *rounds <= 6 * n))
    };
    assert!(
        is_linear(&round_one_cell, &[10, 20, 40, 80, 160]) && is_linear(&along_a_wall, &[10, 20, 40, 80])
    );
}

/// The bound also holds if only one or a few nodes of the first layer are free, because left-over complaints are
/// dropped.
#[test]
fn rounds_grow_as_n_in_an_almost_full_layer() {
    let found = [(20, 36), (20, 40), (20, 43), (40, 83), (80, 163)].map(|(length, n)| {
        let wall = line(Cell::ORIGIN, Direction::NorthEast, length);
        let rounds = rounds_of_a_column(&wall, n);
        assert!(rounds.iter().all(|rounds| *rounds <= 6 * n as u64), "{n}: {rounds:?}");
        rounds
    });
    assert_eq!(found, [[148, 105], [164, 139], [177, 245], [337, 286], [657, 537]]);
}
