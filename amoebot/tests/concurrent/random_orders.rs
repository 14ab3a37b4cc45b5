//! Random interleavings of the steps, larger systems, and locks by message passing.

use acrasin_amoebot::library::{erosion, hexagon};
use acrasin_amoebot::run::concurrent::{
    Completed, Concurrent, Locks, LogCursor, MessageLocks, NoLocks, Stepped, TryLocks,
};
use acrasin_amoebot::run::execution::{RoundRobinActivation, UniformEnabled};
use acrasin_amoebot::{Algorithm, AmoebotId, Cell, Direction, Erosion, Hexagon, System, start};
use acrasin_runtime::choice::{Decision, pick_index};
use acrasin_runtime::scheduler::{Asynchronous, NewestFirst, Scheduler, Sequential};
use acrasin_runtime::{FixedProbability, NodeId, Seeded};

use super::{expected, is_at_rest};

fn blob(n: usize, seed: u64) -> System<hexagon::Memory> {
    let acceptance = FixedProbability::new(0.8).unwrap();
    let cells = start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).unwrap();
    Hexagon::start(&cells, 0, &[]).unwrap()
}

#[test]
fn hexagons_with_try_locks_equal_their_replay() {
    for seed in 0..5 {
        let start = blob(40, seed);
        let mut run = Concurrent::new(&Hexagon, start.clone(), TryLocks::new(40));
        assert!(run.run(10_000_000, &mut UniformEnabled, &mut Seeded::new(seed)));
        let counts = run.counts();
        assert!(Hexagon::is_finished(run.system()));
        assert_eq!(run.system().cells(), expected(&start));
        assert_eq!(counts.invalid, 0);
        assert!(counts.width > 2 && counts.lock_failures > 0, "{counts:?}");
        assert_eq!(run.log().len() as u64, counts.actions);
        assert_eq!(&run.log().replay(&Hexagon, start).unwrap(), run.system());
    }
}

/// The follower that is about to be pulled can become a root between its parent's read and its pull.
#[test]
fn larger_hexagons_can_go_wrong_without_locks() {
    let wrong = (0..5).filter(|seed| {
        let start = blob(40, *seed);
        let mut run = Concurrent::new(&Hexagon, start, NoLocks);
        let has_terminated = run.run(10_000_000, &mut UniformEnabled, &mut Seeded::new(*seed));
        assert!(has_terminated || run.failed().is_some());
        !Hexagon::is_finished(run.system())
    });
    assert!(wrong.count() > 0);
}

/// Runs, and checks after every step that lock sets are disjoint and that aborted actions have changed nothing.
fn run_checked<A: Algorithm, L: Locks>(run: &mut Concurrent<'_, A, L>, seed: u64) -> u64
where
    A::Memory: Clone,
{
    let (mut choices, mut aborted) = (Seeded::new(seed), 0);
    for _ in 0..1_000_000 {
        if run.has_terminated() {
            break;
        }
        if pick_index(&mut choices, 2, Decision::Adversary) == Some(0) && run.advance_locks(&mut choices) {
            continue;
        }
        let busy = run.busy().ids();
        let id = busy[pick_index(&mut choices, busy.len(), Decision::Activation).unwrap()];
        let before = run.system().clone();
        let stepped = run.step(id, &mut choices);
        let fruitless = matches!(
            stepped,
            Stepped::LockFailed
                | Stepped::ExpandFailed(_)
                | Stepped::Disabled
                | Stepped::Awakened
                | Stepped::Invalid(_)
        );
        if fruitless {
            aborted += 1;
            assert_eq!(run.system(), &before);
        }
        assert!(run.lock_sets_are_disjoint());
    }
    assert!(run.has_terminated());
    aborted
}

#[test]
fn lock_sets_are_disjoint_and_aborts_have_no_effect() {
    for seed in 0..3 {
        let mut run = Concurrent::new(&Hexagon, blob(15, seed), TryLocks::new(15));
        assert!(run_checked(&mut run, seed) > 100);
    }
}

fn schedulers() -> [Box<dyn Scheduler<Local, Outside<()>>>; 3] {
    [Box::new(Sequential::new()), Box::new(Asynchronous::new()), Box::new(NewestFirst::new())]
}

use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::lock::Outside;

#[test]
fn hexagons_over_messages_are_the_same() {
    for (seed, scheduler) in schedulers().into_iter().enumerate() {
        let start = blob(12, seed as u64);
        let locks = MessageLocks::new(&start, scheduler);
        let mut run = Concurrent::new(&Hexagon, start.clone(), locks);
        run_checked(&mut run, seed as u64);
        assert!(Hexagon::is_finished(run.system()));
        assert_eq!(run.system().cells(), expected(&start));
        let counts = run.counts();
        assert_eq!((counts.invalid, counts.lock_failures), (0, 0));
        assert!(counts.waits > 0 && counts.width > 1 && run.locks().world().messages_sent() > 1000);
        run.locks().check().unwrap();
        assert_eq!(&run.log().replay(&Hexagon, start).unwrap(), run.system());
        // The graph of the lock layer is that of the amoebots.
        let (world, system) = (run.locks().world(), run.system());
        for id in system.ids() {
            let mut links: Vec<_> =
                world.topology().links(NodeId(id.0)).map(|(_, link)| AmoebotId(link.peer.0)).collect();
            let mut neighbours: Vec<_> = system.neighbours(id).collect();
            links.sort();
            neighbours.sort();
            assert_eq!(links, neighbours);
        }
    }
}

#[test]
fn erosion_over_messages_has_one_leader() {
    for seed in 0..3 {
        let cells = start::line(Cell::ORIGIN, Direction::East, 9).unwrap();
        let start = Erosion::start(&cells, &[]).unwrap();
        let locks = MessageLocks::new(&start, Box::new(Sequential::new()));
        let mut run = Concurrent::new(&Erosion, start.clone(), locks);
        assert!(run.run(1_000_000, &mut RoundRobinActivation::default(), &mut Seeded::new(seed)));
        let leaders = run.system().ids().filter(|id| *run.system().memory(*id) == erosion::Memory::Leader);
        assert_eq!(leaders.count(), 1);
        assert!(is_at_rest(&Erosion, run.system()));
        assert_eq!(&run.log().replay(&Erosion, start).unwrap(), run.system());
    }
}

/// A cursor hands out all actions of the log during a run, in the order of the whole log. This also holds for a cursor
/// that begins in the middle. The order of completion would be different.
#[test]
fn actions_are_handed_out_in_the_order_of_their_locks() {
    let line = start::line(Cell::ORIGIN, Direction::West, 40).unwrap();
    let start_of_run = Hexagon::start(&line, 0, &[]).unwrap();
    let mut run = Concurrent::new(&Hexagon, start_of_run.clone(), TryLocks::new(40));
    let mut cursor = LogCursor::after(run.log(), 0);
    let (mut handed, mut early) = (Vec::new(), 0);
    for seed in 0.. {
        run.run(50, &mut UniformEnabled, &mut Seeded::new(seed));
        handed.extend(run.settled(&mut cursor));
        early = early.max(handed.len());
        let mut whole = handed.clone();
        whole.extend(run.done_after(&mut cursor.clone()));
        let again = run.done_after(&mut LogCursor::after(run.log(), 0));
        assert_eq!(whole, again);
        let rest = run.done_after(&mut LogCursor::after(run.log(), handed.len()));
        assert_eq!(rest, whole[handed.len()..]);
        let mut system = start_of_run.clone();
        for (at, completed) in whole.iter().enumerate() {
            completed.replay(at, &Hexagon, &mut system).unwrap();
        }
        assert_eq!(&system, run.system());
        if run.has_terminated() {
            break;
        }
    }
    assert!(early > 100, "{early} actions before the end");
    let by_completion: Vec<Completed> = run.log().completed_after(0).collect();
    assert_ne!(by_completion, run.log().completed().collect::<Vec<_>>());
}
