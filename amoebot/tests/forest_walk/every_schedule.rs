//! All schedules from all connected shapes, with each amoebot as the root, along all short paths.

use acrasin_amoebot::check::Scope;
use acrasin_amoebot::check::concurrent::explore_concurrent;
use acrasin_amoebot::library::forest_walk::{ForestWalk, Memory};
use acrasin_amoebot::run::concurrent::TryLocks;
use acrasin_amoebot::{Orientation, System, explore};

use super::{Seen, assorted, every_state, is_right, paths, starts, walked};

/// Explores every state of every start along every path: no cycle, no stuck amoebot, no aborted action. Returns the
/// number of initial systems, and the summed counters.
fn explored(n: usize, paths: &[Vec<u8>], orientations: &[Orientation]) -> (usize, Seen) {
    let (mut initial, mut all) = (0, Seen::default());
    for path in paths {
        let walk = ForestWalk::new(path).expect("labels");
        for start in starts(&walk, n, orientations) {
            let seen = every_state(&walk, start.clone(), path)
                .unwrap_or_else(|fault| panic!("{fault}: path {path:?} from {:?}", start.cells()));
            initial += 1;
            all.states += seen.states;
            all.swaps += seen.swaps;
            all.handovers += seen.handovers;
            all.contests += seen.contests;
        }
        let every = explore(&walk, starts(&walk, n, orientations), |s| walk.is_finished(s), Scope::default());
        assert!(every.expect("few states").always_succeeds(), "n = {n}, path {path:?}");
    }
    (initial, all)
}

#[test]
fn every_path_of_up_to_three_steps_with_up_to_three() {
    let short: Vec<_> = (0..=3).flat_map(paths).collect();
    assert_eq!(short.len(), 44);
    for n in 1..=3 {
        let (initial, seen) = explored(n, &short, &assorted(n));
        println!("n = {n}: {initial} starts, {seen:?}");
        assert_eq!(initial, 44 * [1, 6, 33][n - 1]);
        assert_eq!((seen.swaps > 0, seen.handovers > 0), (n > 1, n > 1));
    }
}

#[test]
fn every_path_of_two_steps_with_four() {
    let (initial, seen) = explored(4, &paths(2), &assorted(4));
    println!("n = 4: {initial} starts, {seen:?}");
    assert_eq!(initial, 6 * 176);
    assert!(seen.swaps > 0 && seen.contests > 0, "two children wanted the same tail");
}

/// Paths around a triangle, back and forth, along a line, and through other amoebots.
#[test]
fn longer_paths_with_four() {
    let paths = [vec![1, 3, 5, 1, 3, 5], vec![1, 4, 1, 4, 1], vec![1, 1, 1, 1, 1], vec![1, 2, 1, 6, 5]];
    let (initial, seen) = explored(4, &paths, &[]);
    println!("n = 4, longer: {initial} starts, {seen:?}");
    assert_eq!(initial, 4 * 176);
    assert!(seen.swaps > 0 && seen.contests > 0);
}

#[test]
fn five_along_one_path() {
    let (initial, seen) = explored(5, &[vec![1, 2]], &assorted(5));
    println!("n = 5: {initial} starts, {seen:?}");
    assert_eq!(initial, 930);
    assert!(seen.swaps > 0 && seen.contests > 0);
}

/// All interleavings of the steps of the concurrency framework reach the same goal, and lock sets never overlap.
#[test]
fn every_order_of_steps_with_locks() {
    let mut states = 0;
    for (n, path) in [(2, vec![1, 2, 4]), (3, vec![1])] {
        let walk = ForestWalk::new(&path).expect("labels");
        for start in starts(&walk, n, &assorted(n)) {
            let root = ForestWalk::root(&start).expect("a root");
            let walked = walked(start.body(root).head(), start.amoebot(root).orientation, &path);
            let is_goal = |system: &System<Memory>| is_right(system, &walked);
            let locks = |system: &System<Memory>| TryLocks::new(system.len());
            let found = explore_concurrent(&walk, [start], locks, is_goal, 1 << 20).expect("few states");
            assert!(found.always_succeeds() && found.disconnected == 0, "n = {n}: {found:?}");
            assert!(!found.finals.is_empty() && found.lock_failures > 0);
            states += found.states;
        }
    }
    println!("with locks: {states} states");
}
