//! Larger systems under fair and unfair schedules.

use std::collections::BTreeSet;

use acrasin_amoebot::execution::{Adversary, RoundRobin, Uniform};
use acrasin_amoebot::universal_coating::{Action, Memory};
use acrasin_amoebot::{
    Activation, Algorithm, Cell, Chirality, Direction, EnabledSet, Execution, Orientation, System,
    UniversalCoating, View, enabled_actions, start,
};
use acrasin_runtime::choice::{Decision, pick_index};
use acrasin_runtime::{FixedProbability, NodeId, Seeded};

use crate::oracle::{all_know_their_layer, cell, hangs_together, is_coated, line, objects, rings};

const ACTIVATIONS_MAX: u64 = 2_000_000;

/// Runs to the end; in every state all hang together with the object, nobody gets farther away than somebody was at
/// the start, and a complaint vanishes only with a movement.
fn run(start: &System<Memory>, activation: &mut impl Activation, choices: &mut Seeded) -> u64 {
    let near = no_farther(start);
    let mut execution = Execution::new(&UniversalCoating, start.clone());
    while !execution.has_terminated() {
        assert!(execution.counts().activations < ACTIVATIONS_MAX, "no end");
        let id = activation.next(execution.enabled(), choices);
        let before = (complaints(execution.system()), execution.counts().actions, execution.counts().moves);
        execution.activate(id, choices);
        if execution.counts().actions != before.1 {
            let moved = execution.counts().moves != before.2;
            assert!(complaints(execution.system()) + usize::from(moved) >= before.0);
            assert!(!moved || hangs_together(execution.system()));
            assert!(near.contains(&execution.system().body(id).head()));
        }
    }
    assert!(is_coated(execution.system()) && UniversalCoating::is_finished(execution.system()));
    assert!(all_know_their_layer(execution.system()));
    assert_eq!(execution.counts().failures, 0, "enabled actions succeed");
    execution.counts().rounds
}

/// The nodes that are no farther from the object than the farthest amoebot.
fn no_farther(system: &System<Memory>) -> BTreeSet<Cell> {
    let near = (1..).map(|layers| rings(system.object(), layers).into_iter().flatten().collect());
    let holds_all = |near: &BTreeSet<Cell>| system.cells().iter().all(|cell| near.contains(cell));
    near.into_iter().find(holds_all).expect("everybody is somewhere")
}

fn complaints(system: &System<Memory>) -> usize {
    let complains = |id| system.memory(id).place().is_some_and(|place| place.complaint);
    system.ids().filter(|id| complains(*id)).count()
}

/// Of all who can act, those who would do what comes first in a list; of them anybody.
struct Prefers(Vec<Action>);

impl Prefers {
    fn run(&self, start: &System<Memory>, choices: &mut Seeded) {
        let mut execution = Execution::new(&UniversalCoating, start.clone());
        while !execution.has_terminated() {
            assert!(execution.counts().activations < ACTIVATIONS_MAX, "no end");
            let rank = |id: NodeId| {
                let action = enabled_actions(&UniversalCoating, View::of(execution.system(), id)).next();
                self.0.iter().position(|listed| Some(*listed) == action)
            };
            let ranks: Vec<_> = execution.enabled().ids().iter().map(|id| (rank(*id), *id)).collect();
            let best = ranks.iter().map(|(rank, _)| *rank).min().expect("somebody");
            let best: Vec<NodeId> =
                ranks.iter().filter(|(rank, _)| *rank == best).map(|(_, id)| *id).collect();
            let picked = pick_index(choices, best.len(), Decision::Activation).expect("somebody");
            execution.activate(best[picked], choices);
        }
        assert!(is_coated(execution.system()) && UniversalCoating::is_finished(execution.system()));
    }
}

/// A blob somewhere beside the object, in all orientations of one chirality.
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

/// Below, at and above the room in the first layer, in the first two, and into the third.
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
            run(&start, &mut RoundRobin::default(), &mut choices);
            let first = Adversary(|enabled: &EnabledSet| *enabled.ids().iter().min().expect("some"));
            let last = Adversary(|enabled: &EnabledSet| *enabled.ids().iter().max().expect("some"));
            run(&start, &mut { first }, &mut choices);
            run(&start, &mut { last }, &mut choices);
        }
    }
}

/// Random objects with blobs of random sizes beside them, as far as they are accepted.
#[test]
fn objects_of_any_form_are_coated() {
    let mut choices = Seeded::new(17);
    let between = |low: usize, high: usize, choices: &mut Seeded| {
        low + pick_index(choices, high - low, Decision::Initial).expect("a range that is not empty")
    };
    let mut coated = 0;
    for _ in 0..200 {
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
        run(&start, &mut RoundRobin::default(), &mut choices);
        let mut left = UniversalCoating.actions().to_vec();
        let order = (1..=6).rev().map(|n| left.swap_remove(between(0, n, &mut choices))).collect();
        Prefers(order).run(&start, &mut choices);
        coated += 1;
    }
    assert_eq!(coated, 28);
}

/// A mirror image: everybody goes the other ways round.
#[test]
fn mirrored_amoebots_coat() {
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let column = line(cell(1, 0), Direction::East, 20);
    let start = UniversalCoating::start(&column, &[Cell::ORIGIN], &[mirrored; 20]).expect("a good start");
    let mut choices = Seeded::new(1);
    let found = run(&start, &mut Uniform, &mut choices);
    assert!(found > 20, "{found} rounds");
}

/// Every order of preference among the six actions.
#[test]
fn whoever_is_preferred_the_runs_end() {
    let mut orders: Vec<Vec<Action>> = vec![Vec::new()];
    for _ in 0..6 {
        let longer = |order: &Vec<Action>| {
            let left = UniversalCoating.actions().iter().filter(|action| !order.contains(action));
            left.map(|action| [&order[..], &[*action]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    assert_eq!(orders.len(), 720);
    for (i, order) in orders.into_iter().enumerate() {
        let mut choices = Seeded::new(i as u64);
        let (_, object) = objects().swap_remove(i % 2);
        let n = 6 + i % 9;
        let start = blob(&object, n, &mut choices);
        Prefers(order).run(&start, &mut choices);
    }
}

/// Rounds of a column of n that stands on the object.
fn rounds_of_a_column(object: &[Cell], n: usize) -> u64 {
    let column = line(cell(1, 0), Direction::East, n);
    let start = UniversalCoating::start(&column, object, &[]).expect("a good start");
    let mut execution = Execution::new(&UniversalCoating, start);
    assert!(execution.run(ACTIVATIONS_MAX, &mut RoundRobin::default(), &mut Seeded::new(1)));
    assert!(UniversalCoating::is_finished(execution.system()));
    execution.counts().rounds
}

/// The paper's algorithm needs O(n) rounds; this one about n^1.5 round a small object, and n^2 along a long one: whoever is
/// let in, all ahead of it must have moved on a step, each by a complaint of its own.
#[test]
fn rounds_grow_faster_than_n() {
    let one_cell = [10, 20, 40, 80].map(|n| rounds_of_a_column(&[Cell::ORIGIN], n));
    assert_eq!(one_cell, [69, 253, 659, 1825]);
    let wall = line(Cell::ORIGIN, Direction::NorthEast, 90);
    let along_a_wall = [10, 20, 40].map(|n| rounds_of_a_column(&wall, n));
    assert_eq!(along_a_wall, [120, 525, 2235]);
}
