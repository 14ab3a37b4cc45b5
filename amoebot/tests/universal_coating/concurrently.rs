//! Universal coating in waves and under the concurrency framework.

use acrasin_amoebot::check::conditions::conventions;
use acrasin_amoebot::library::universal_coating::{Action, Memory};
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{Cell, Direction, Shape, System, UniversalCoating, View, enabled_actions, start};
use acrasin_runtime::{FixedProbability, Seeded};

use super::oracle::{cell, fault_at_the_end, line, objects, placed};
use super::second_layer::elected;

fn starts() -> Vec<System<Memory>> {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let mut choices = Seeded::new(5);
    let blob = start::blob(cell(1, 0), 24, acceptance, &mut choices).expect("a blob");
    let clear =
        |object: &[Cell]| blob.iter().copied().filter(|cell| !object.contains(cell)).collect::<Vec<_>>();
    let near = objects()
        .into_iter()
        .filter_map(|(_, object)| UniversalCoating::start(&clear(&object), &object, &[]).ok());
    let column = line(cell(1, 0), Direction::East, 24);
    let column = UniversalCoating::start(&column, &[Cell::ORIGIN], &[]).expect("a good start");
    near.chain([column]).collect()
}

#[test]
fn in_waves() {
    let starts = starts();
    assert!(starts.len() >= 3);
    for start in starts {
        let mut waves = Waves::new(&UniversalCoating, start.clone(), 3).with_log();
        assert!(waves.run(100_000), "terminates");
        assert_eq!(fault_at_the_end(waves.system()), None);
        assert_eq!(waves.counts().invalid, 0);
        let replayed = waves.log().expect("kept").replay(&UniversalCoating, start).expect("the same actions");
        assert!(replayed == *waves.system());
    }
}

#[test]
fn with_locks() {
    for start in starts() {
        let mut run = Concurrent::new(&UniversalCoating, start.clone(), TryLocks::new(start.len()));
        assert!(run.run(5_000_000, &mut UniformEnabled, &mut Seeded::new(4)), "terminates");
        assert_eq!(fault_at_the_end(run.system()), None);
        assert_eq!(run.counts().invalid, 0);
        assert!(run.log().replay(&UniversalCoating, start).expect("the same actions") == *run.system());
    }
}

/// The conventions of the framework hold in all states of three amoebots on one cell. They also hold for eight and ten
/// amoebots from the election of a leader on. There is one exception: inactive amoebots follow "some" neighbour, here
/// the first, and an arriving amoebot can be the first.
#[test]
fn the_conventions_are_met_except_the_followed_neighbour() {
    let shapes = Shape::all_connected(3).expect("few cells");
    let three = shapes.iter().flat_map(|shape| placed(shape.cells(), &[Cell::ORIGIN])).collect();
    let column = |n| line(cell(1, 0), Direction::East, n);
    let later =
        [8, 10].into_iter().flat_map(|n| (0..8).map(move |seed| elected(&column(n), &[Cell::ORIGIN], seed)));
    let found = |starts: Vec<_>| conventions(&UniversalCoating, starts, 1 << 20).expect("few states");
    let (early, late) = (found(three), found(later.collect()));
    assert_eq!((early.aborted, early.looked_beyond, early.not_monotone, early.compared), (0, 0, 40, 3816));
    assert_eq!((late.aborted, late.looked_beyond, late.not_monotone, late.compared), (0, 0, 0, 24));
    for (state, id) in &early.examples {
        let system = state.system();
        let actions = enabled_actions(&UniversalCoating, View::new(&system, *id));
        assert_eq!(actions.collect::<Vec<_>>(), [Action::Follow]);
    }
}
