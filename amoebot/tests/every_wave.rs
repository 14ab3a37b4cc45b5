//! Every choice of lock sets in waves of small systems.

use acrasin_amoebot::check::waves::{LockSetExtent, WavesExploration, explore_waves};
use acrasin_amoebot::check::{CheckLimits, Questions};
use acrasin_amoebot::library::erosion;
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{Erosion, Hexagon, Shape, System};

use crate::concurrent::{expected, hexagons};

fn explored<A>(
    algorithm: &A,
    start: System<A::Memory>,
    sets: LockSetExtent,
    is_goal: impl Fn(&System<A::Memory>) -> bool + Sync,
) -> WavesExploration<A::Memory>
where
    A: acrasin_amoebot::Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync,
{
    explore_waves(algorithm, start, sets, &Questions::from_goal(&is_goal), CheckLimits::default()).unwrap()
}

fn one_leader(system: &System<erosion::Memory>) -> bool {
    system.ids().filter(|id| *system.memory(*id) == erosion::Memory::Leader).count() == 1
}

#[test]
fn hexagons_are_unique_for_every_order_of_priorities() {
    let (mut states, mut moves) = (0, 0);
    for start in hexagons(3) {
        let cells = expected(&start);
        let is_goal = |end: &System<_>| Hexagon::is_finished(end) && end.cells() == cells;
        let found = explored(&Hexagon, start.clone(), LockSetExtent::Neighbourhoods, is_goal);
        let wrong = (found.wrong_ends, found.hopeless, found.overlapping, found.disconnected, found.invalid);
        assert_eq!(wrong, (0, 0, 0, 0, 0), "{:?}", found.way);
        assert!(found.ends > 0);
        // A run with drawn priorities ends in one of these shapes.
        let mut run = Waves::new(&Hexagon, start, 3);
        assert!(run.run(1_000) && found.final_shapes.contains(&run.system().shape().unwrap()));
        assert!(run.counts().waves >= found.depth as u64 / 4);
        states += found.states;
        moves += found.moves;
    }
    println!("three amoebots: {states} states, {moves} waves");
}

/// If amoebots lock only themselves, two adjacent amoebots erode in one wave.
#[test]
fn lock_sets_without_neighbours_are_caught() {
    let (mut wrong_starts, mut states) = (0, 0);
    for shape in Shape::all_connected(3).unwrap() {
        let start = Erosion::start(shape.cells(), &[]).unwrap();
        let right = explored(&Erosion, start.clone(), LockSetExtent::Neighbourhoods, one_leader);
        assert_eq!((right.wrong_ends, right.overlapping, right.width), (0, 0, 1));
        states += right.states;
        let wrong = explored(&Erosion, start, LockSetExtent::Alone, one_leader);
        assert!(wrong.overlapping > 0 && wrong.width > 1);
        let (what, way) = wrong.way.unwrap();
        assert!(what.contains("overlap") && !way.is_empty());
        wrong_starts += usize::from(wrong.wrong_ends > 0);
    }
    println!("erosion of three: {states} states; {wrong_starts} of 11 starts go wrong without neighbours");
    assert!(wrong_starts > 0);
}
