//! Larger systems under random and other schedules, sequentially and concurrently, and their number of rounds.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::forest_walk::{ForestWalk, Memory, PathError};
use acrasin_amoebot::run::concurrent::{Concurrent, Locks, MessageLocks, TryLocks};
use acrasin_amoebot::run::execution::{Activated, RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::run::fairness::{HighestFirst, LowestFirst, Newest};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{
    Adversary, Cell, Direction, Fair, Fairness, Orientation, SequentialCounts, SequentialExecution, System,
    start,
};
use acrasin_runtime::choice::{Decision, pick_index};
use acrasin_runtime::scheduler::Sequential;
use acrasin_runtime::{FixedProbability, Seeded};

use super::{assorted, fault, is_right, unfit, walked};
use crate::refused::{cell, refuses_bad_seeds};
use acrasin_amoebot::start::StartError;

fn drawn_path(steps: usize, choices: &mut Seeded) -> Vec<u8> {
    (0..steps).map(|_| 1 + pick_index(choices, 6, Decision::Initial).expect("six") as u8).collect()
}

/// A walk, its start with the root in the middle of the list, and the cells of the path.
fn drawn(n: usize, path: &[u8], choices: &mut Seeded) -> (ForestWalk, System<Memory>, Vec<Cell>) {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let cells = start::blob(Cell::ORIGIN, n, acceptance, choices).expect("a blob");
    let walk = ForestWalk::new(path).expect("labels");
    let root = AmoebotId(n as u32 / 2);
    let start = walk.start(&cells, root, &assorted(n)).expect("a blob is connected");
    let walked = walked(cells[root.index()], start.amoebot(root).orientation, path);
    assert_eq!(
        walk.destination(cells[root.index()], start.amoebot(root).orientation).ok().as_ref(),
        walked.last()
    );
    (walk, start, walked)
}

fn end(
    walk: &ForestWalk,
    start: &System<Memory>,
    activation: &mut impl Adversary,
    seed: u64,
) -> (System<Memory>, SequentialCounts) {
    let mut execution = SequentialExecution::new(walk, start.clone());
    assert!(execution.run(100_000_000, activation, &mut Seeded::new(seed)), "no end");
    assert_eq!(execution.counts().failures, 0, "enabled actions succeed");
    (execution.system().clone(), execution.counts())
}

#[test]
fn every_activation_leads_to_the_end_of_the_path() {
    for (n, steps) in [(1, 5), (2, 30), (20, 60), (60, 200)] {
        let mut choices = Seeded::new(7 + n as u64);
        let path = drawn_path(steps, &mut choices);
        let (walk, start, walked) = drawn(n, &path, &mut choices);
        let check = |(system, _): (System<Memory>, SequentialCounts)| {
            assert!(is_right(&system, &walked) && walk.is_finished(&system), "n = {n}");
        };
        check(end(&walk, &start, &mut Uniform, 1));
        check(end(&walk, &start, &mut UniformEnabled, 2));
        check(end(&walk, &start, &mut RoundRobinActivation::default(), 3));
        check(end(&walk, &start, &mut LowestFirst::default(), 4));
        check(end(&walk, &start, &mut HighestFirst::default(), 5));
        check(end(&walk, &start, &mut Newest::default(), 6));
        check(end(&walk, &start, &mut Fair::new(HighestFirst::default(), Fairness::Weak { bound: 10 }), 7));
        check(end(&walk, &start, &mut Fair::new(LowestFirst::default(), Fairness::Strong { bound: 10 }), 8));
    }
}

/// Thirty amoebots, checked before and after each action.
#[test]
fn at_every_moment() {
    let (mut handovers, mut swaps) = (0, 0);
    for seed in 0..10 {
        let mut choices = Seeded::new(seed);
        let path = drawn_path(60, &mut choices);
        let (walk, start, walked) = drawn(30, &path, &mut choices);
        let mut execution = SequentialExecution::new(&walk, start);
        while !execution.has_terminated() {
            let id = AmoebotId(pick_index(&mut choices, 30, Decision::Activation).expect("amoebots") as u32);
            let before = execution.system().clone();
            let Activated::Completed { action, movement } = execution.activate(id, &mut choices) else {
                continue;
            };
            assert_eq!(unfit(&before, id, movement), None);
            assert_eq!(fault(execution.system(), &walked), None, "seed {seed}: after {action:?} of {id}");
            swaps += usize::from(action == acrasin_amoebot::library::forest_walk::Action::Swap);
            handovers += usize::from(movement.is_some_and(|movement| movement.moves() == 2));
        }
        assert!(is_right(execution.system(), &walked), "seed {seed}");
    }
    assert!(swaps > 50 && handovers > 1000, "{swaps} swaps, {handovers} handovers");
}

#[test]
fn concurrently_with_locks_and_in_waves() {
    let mut choices = Seeded::new(11);
    for (n, steps) in [(8, 20), (16, 40)] {
        let path = drawn_path(steps, &mut choices);
        let (walk, start, walked) = drawn(n, &path, &mut choices);
        concurrently(&walk, &start, &walked, TryLocks::new(n));
        concurrently(&walk, &start, &walked, MessageLocks::new(&start, Box::new(Sequential::new())));
    }
    let path = drawn_path(200, &mut choices);
    let (walk, start, walked) = drawn(100, &path, &mut choices);
    concurrently(&walk, &start, &walked, TryLocks::new(100));
    let mut waves = Waves::new(&walk, start.clone(), 4).with_log();
    assert!(waves.run(100_000), "terminates");
    assert!(is_right(waves.system(), &walked) && waves.counts().invalid == 0);
    assert!(waves.log().unwrap().replay(&walk, start).unwrap() == *waves.system());
}

fn concurrently(walk: &ForestWalk, start: &System<Memory>, walked: &[Cell], locks: impl Locks) {
    let mut run = Concurrent::new(walk, start.clone(), locks);
    assert!(run.run(20_000_000, &mut UniformEnabled, &mut Seeded::new(4)), "terminates");
    assert!(is_right(run.system(), walked));
    assert_eq!(run.counts().invalid, 0);
    assert!(run.log().replay(walk, start.clone()).unwrap() == *run.system());
}

/// The number of rounds divided by the sum of steps and amoebots: the maximum over some schedules.
fn rounds(cells: &[Cell], path: &[u8]) -> f64 {
    let walk = ForestWalk::new(path).expect("labels");
    let start = walk.start(cells, AmoebotId(0), &[]).expect("connected");
    let all = [
        end(&walk, &start, &mut Uniform, 1).1.rounds,
        end(&walk, &start, &mut UniformEnabled, 2).1.rounds,
        end(&walk, &start, &mut RoundRobinActivation::default(), 3).1.rounds,
        end(&walk, &start, &mut Fair::new(HighestFirst::default(), Fairness::Weak { bound: 10 }), 4).1.rounds,
    ];
    let most = *all.iter().max().expect("four");
    most as f64 / (path.len() + cells.len()) as f64
}

/// Paths straight away from the body, through it, and at random: the ratio stays the same when sizes double.
#[test]
fn rounds_grow_with_the_path_and_the_amoebots_only() {
    let mut choices = Seeded::new(5);
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let mut ratios = Vec::new();
    for n in [50, 100] {
        let shapes = [
            start::line(Cell::ORIGIN, Direction::East, n).expect("a line"),
            start::spiral(Cell::ORIGIN, Direction::East, n).expect("a spiral"),
            start::blob(Cell::ORIGIN, n, acceptance, &mut choices).expect("a blob"),
        ];
        for (shape, cells) in shapes.iter().enumerate() {
            for steps in [n, 4 * n] {
                let straight = vec![1; steps];
                let back_and_forth: Vec<u8> =
                    (0..steps).map(|i| if i / n % 2 == 0 { 1 } else { 4 }).collect();
                let random = drawn_path(steps, &mut choices);
                for (kind, path) in [straight, back_and_forth, random].iter().enumerate() {
                    let ratio = rounds(cells, path);
                    println!("n = {n}, shape {shape}, path {kind} of {steps}: {ratio:.2}");
                    ratios.push(ratio);
                }
            }
        }
    }
    // It is at most 1.70 for 800 amoebots, too. The second check excludes a count of rounds that misses some.
    assert!(ratios.iter().all(|ratio| *ratio < 2.0));
    assert!(ratios.iter().any(|ratio| *ratio > 1.5));
}

#[test]
fn starts_and_paths_that_cannot_be_are_refused() {
    let bad = ForestWalk::new(&[1, 6, 7]).expect_err("no label");
    assert_eq!(bad, PathError::NoLabel { label: 7, at: 2 });
    assert_eq!(bad.to_string(), "label 7 at step 2, counted from 0 (accepted: 1 to 6)");
    assert_eq!(ForestWalk::new(&[0]), Err(PathError::NoLabel { label: 0, at: 0 }));
    assert!(ForestWalk::new(&vec![1; ForestWalk::STEPS_MAX]).is_ok());
    let long = ForestWalk::new(&vec![1; ForestWalk::STEPS_MAX + 1]).expect_err("too long");
    assert_eq!(long.to_string(), "a path of 65536 steps (accepted: up to 65535)");

    let walk = ForestWalk::new(&[1, 1]).expect("labels");
    refuses_bad_seeds("root", |cells, root| {
        walk.start(cells, AmoebotId(root as u32), &[]).expect_err("a bad start")
    });
    let edge = cell(Cell::COORDINATE_MAX - 1);
    let at = cell(Cell::COORDINATE_MAX);
    assert_eq!(walk.start(&[edge], AmoebotId(0), &[]), Err(StartError::OutsideLattice { at }));
    let west = Orientation { first: Direction::West, ..Orientation::COMMON };
    assert!(walk.start(&[edge], AmoebotId(0), &[west]).is_ok(), "in its own labels it goes the other way");
}

/// The longest possible path, to its end.
#[test]
fn the_position_holds_the_longest_path() {
    let path = vec![1; ForestWalk::STEPS_MAX];
    let walk = ForestWalk::new(&path).expect("labels");
    let start = walk.start(&[Cell::ORIGIN], AmoebotId(0), &[]).expect("one amoebot");
    let (system, counts) = end(&walk, &start, &mut LowestFirst::default(), 1);
    assert_eq!(system.cells(), [Cell::new(65_535, 0).expect("near")]);
    assert_eq!(counts.actions, 2 * 65_535);
}
