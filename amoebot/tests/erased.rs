//! Type-erased algorithms behave like the typed algorithms.

use std::fmt::Debug;

use acrasin_amoebot::algorithm::Convention;
use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, AnyMemory, erased, known};
use acrasin_amoebot::library::{erosion, hexagon};
use acrasin_amoebot::run::concurrent::{Concurrent, NoLocks, TryLocks};
use acrasin_amoebot::run::execution::{SequentialExecution, Uniform, UniformEnabled};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::simultaneous::{Concurrency, Rounds};
use acrasin_amoebot::{
    Algorithm, Cell, Direction, Erosion, Hexagon, MaximalIndependentSet, System, TokenElection, start,
};
use acrasin_runtime::{FixedProbability, Seeded};

fn blob(n: usize) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).unwrap();
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(4)).unwrap()
}

/// Runs the typed and the type-erased algorithm in every driver, and compares the systems.
fn same<A>(algorithm: &A, system: &System<A::Memory>)
where
    A: Algorithm<Memory: Send + Sync + Debug + 'static, Action: Send + Sync> + Sync,
{
    let any = AnyAlgorithm::new(algorithm);
    assert_eq!((any.order(), any.conventions()), (algorithm.order(), algorithm.conventions()));
    assert_eq!(format!("{:?}", any.actions()), format!("{:?}", algorithm.actions()));
    let compare = |typed: &System<A::Memory>, boxed: &System<AnyMemory>, way: &str| {
        assert_eq!(known::<A::Memory>(boxed).as_ref(), Some(typed), "{way}");
        assert_eq!(boxed.configuration().digest(), typed.configuration().digest(), "{way}");
        assert_ne!(typed, system, "{way}: something has happened");
    };
    for steps in [100, 5_000] {
        let mut typed = SequentialExecution::new(algorithm, system.clone());
        let mut boxed = SequentialExecution::new(&any, erased(system));
        typed.run(steps, &mut Uniform, &mut Seeded::new(steps));
        boxed.run(steps, &mut Uniform, &mut Seeded::new(steps));
        assert_eq!(boxed.counts(), typed.counts());
        compare(typed.system(), boxed.system(), "one at a time");

        let mut typed = Concurrent::new(algorithm, system.clone(), TryLocks::new(system.len()));
        let mut boxed = Concurrent::new(&any, erased(system), TryLocks::new(system.len()));
        typed.run(10 * steps, &mut UniformEnabled, &mut Seeded::new(steps));
        boxed.run(10 * steps, &mut UniformEnabled, &mut Seeded::new(steps));
        assert_eq!(boxed.counts(), typed.counts());
        compare(typed.system(), boxed.system(), "with locks");

        // Where amoebots write concurrently, memories are merged.
        let mut typed = Concurrent::new(algorithm, system.clone(), NoLocks);
        let mut boxed = Concurrent::new(&any, erased(system), NoLocks);
        typed.run(10 * steps, &mut UniformEnabled, &mut Seeded::new(steps));
        boxed.run(10 * steps, &mut UniformEnabled, &mut Seeded::new(steps));
        compare(typed.system(), boxed.system(), "without locks");

        let mut typed = Rounds::new(algorithm, system.clone(), Concurrency::Isolated(2));
        let mut boxed = Rounds::new(&any, erased(system), Concurrency::Isolated(2));
        typed.run(steps / 10, &mut Seeded::new(steps));
        boxed.run(steps / 10, &mut Seeded::new(steps));
        compare(typed.system(), boxed.system(), "in rounds");

        let mut typed = Waves::new(algorithm, system.clone(), steps);
        let mut boxed = Waves::new(&any, erased(system), steps);
        typed.run(steps / 10);
        boxed.run(steps / 10);
        compare(typed.system(), boxed.system(), "in waves");
    }
}

#[test]
fn runs_without_types_are_the_same() {
    let cells = blob(40);
    same(&Hexagon, &Hexagon::start(&cells, 3, &[]).unwrap());
    same(&MaximalIndependentSet, &MaximalIndependentSet::start(&cells, &[]).unwrap());
    same(&TokenElection, &TokenElection::start(&cells, &[]).unwrap());
    let line = start::line(Cell::ORIGIN, Direction::East, 30).unwrap();
    same(&Erosion, &Erosion::start(&line, &[]).unwrap());
}

#[test]
fn memories_know_their_type() {
    let line = start::line(Cell::ORIGIN, Direction::East, 3).unwrap();
    let system = erased(&Erosion::start(&line, &[]).unwrap());
    assert!(known::<erosion::Memory>(&system).is_some());
    assert!(known::<hexagon::Memory>(&system).is_none());
    assert_eq!(AnyMemory::new(7_u8), AnyMemory::new(7_u8));
    assert_ne!(AnyMemory::new(7_u8), AnyMemory::new(8_u8));
    assert_ne!(AnyMemory::new(7_u8), AnyMemory::new(7_u16), "of another type");
    assert_eq!(format!("{:?}", AnyMemory::new(7_u8)), "7");
    assert_eq!(AnyMemory::new(7_u8).get(), Some(&7_u8));
    assert_eq!(AnyAlgorithm::new(&Erosion).conventions(), Convention::ALL);
}
