//! Every algorithm of the library through the framework and in waves: the same goals as one amoebot at a time, and each
//! run equal to its replay.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::{basic_shape, erosion};
use acrasin_amoebot::run::concurrent::{Concurrent, Locks, MessageLocks, TryLocks};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{
    Algorithm, BasicShape, Boundary, Cell, ChiralityAgreement, Coating, Direction, Erosion, Forest,
    MaximalIndependentSet, Orientation, System, start,
};
use acrasin_runtime::scheduler::Sequential;
use acrasin_runtime::{FixedProbability, Seeded};

fn blob(n: usize) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).unwrap();
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(9)).unwrap()
}

fn concurrently<A: Algorithm, L: Locks>(
    algorithm: &A,
    start: &System<A::Memory>,
    locks: L,
    is_finished: impl Fn(&System<A::Memory>) -> bool,
) {
    let mut run = Concurrent::new(algorithm, start.clone(), locks);
    assert!(run.run(5_000_000, &mut UniformEnabled, &mut Seeded::new(4)), "terminates");
    assert!(is_finished(run.system()));
    assert_eq!(run.counts().invalid, 0);
    assert!(run.log().replay(algorithm, start.clone()).unwrap() == *run.system());
}

/// With locks that can fail, with messages, and in waves.
fn reaches_its_goal<A>(
    algorithm: &A,
    start: &System<A::Memory>,
    is_finished: impl Fn(&System<A::Memory>) -> bool,
) where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
    A::Action: Send + Sync,
{
    assert!(!is_finished(start), "there is something to do");
    concurrently(algorithm, start, TryLocks::new(start.len()), &is_finished);
    concurrently(algorithm, start, MessageLocks::new(start, Box::new(Sequential::new())), &is_finished);
    let mut waves = Waves::new(algorithm, start.clone(), 4).with_log();
    assert!(waves.run(100_000), "terminates");
    assert!(is_finished(waves.system()));
    assert_eq!(waves.counts().invalid, 0);
    assert!(waves.log().unwrap().replay(algorithm, start.clone()).unwrap() == *waves.system());
}

#[test]
fn algorithms_in_which_nobody_moves() {
    let cells = blob(14);
    let independent = MaximalIndependentSet::start(&cells, &[]).unwrap();
    reaches_its_goal(&MaximalIndependentSet, &independent, MaximalIndependentSet::is_finished);
    let forest = Forest::start(&cells, &[AmoebotId(0), AmoebotId(9)], &[]).unwrap();
    reaches_its_goal(&Forest, &forest, Forest::is_finished);
    let assorted: Vec<Orientation> = Orientation::all().chain(Orientation::all()).take(14).collect();
    let chirality = ChiralityAgreement::start(&cells, 3, &assorted).unwrap();
    reaches_its_goal(&ChiralityAgreement, &chirality, ChiralityAgreement::is_finished);
    let boundary = Boundary::start(&cells, &[]).unwrap();
    reaches_its_goal(&Boundary, &boundary, Boundary::is_finished);
    let solid = start::spiral(Cell::ORIGIN, Direction::East, 14).unwrap();
    let one_leader = |system: &System<erosion::Memory>| {
        system.ids().filter(|id| *system.memory(*id) == erosion::Memory::Leader).count() == 1
    };
    reaches_its_goal(&Erosion, &Erosion::start(&solid, &[]).unwrap(), one_leader);
}

#[test]
fn algorithms_in_which_amoebots_move() {
    let cells = blob(10);
    for form in [basic_shape::Form::Line, basic_shape::Form::Hexagon, basic_shape::Form::Triangle] {
        let start = BasicShape::start(&cells, 0, &[]).unwrap();
        reaches_its_goal(&BasicShape { form }, &start, BasicShape::is_finished);
    }
    // A straight surface below them.
    let object: Vec<Cell> = (-30..=30).map(|x| Cell::new(x, -1).unwrap()).collect();
    let heap: Vec<Cell> = (0..3).flat_map(|y| (0..3).map(move |x| Cell::new(x, y).unwrap())).collect();
    let start = Coating::start(&heap, &object, &[]).unwrap();
    reaches_its_goal(&Coating, &start, Coating::is_finished);
}
