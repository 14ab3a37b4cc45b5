//! Runs of the library's algorithms with energy distribution.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::hexagon;
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::{FromFn, RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{
    Adversary, Algorithm, Cell, Chirality, Coating, Direction, EnabledSet, EnergyDistribution, Erosion,
    Hexagon, Orientation, SequentialExecution, Shape, System, start,
};
use acrasin_runtime::Seeded;

use super::watch::{Watched, watched};
use super::{Outer, blob, hexagon_starts, is_full, uneven};

/// Makes one run under each of several adversaries, fair or not.
fn under_all<A: Algorithm>(
    distribution: &EnergyDistribution<A>,
    start: &System<Outer<A>>,
    seed: u64,
    check: impl Fn(&Watched<Outer<A>>),
) {
    let under = |activation: &mut dyn FnMut(&EnabledSet, &mut Seeded) -> AmoebotId| {
        let mut choices = Seeded::new(seed);
        let mut own = Seeded::new(seed + 1);
        let mut adversary = FromFn(|enabled: &EnabledSet| activation(enabled, &mut own));
        let end = watched(distribution, distribution, start.clone(), &mut adversary, &mut choices);
        let end = end.unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
        assert!(is_full(distribution, &end.system));
        assert_eq!(end.harvested, end.spent + distribution.stored(&end.system));
        check(&end);
    };
    under(&mut |enabled, own| Uniform.next(enabled, own));
    let mut turns = RoundRobinActivation::default();
    under(&mut |enabled, own| turns.next(enabled, own));
    // Unfair: always the lowest, always the highest, always the last enabled.
    under(&mut |enabled, _| *enabled.ids().iter().min().expect("an amoebot"));
    under(&mut |enabled, _| *enabled.ids().iter().max().expect("an amoebot"));
    under(&mut |enabled, _| *enabled.ids().last().expect("an amoebot"));
}

fn is_the_hexagon(distribution: &EnergyDistribution<Hexagon>, system: &System<Outer<Hexagon>>) {
    let inner = distribution.inner(system);
    assert!(Hexagon::is_finished(&inner));
    let seed = inner.ids().find(|id| inner.memory(*id).state == hexagon::State::Seed);
    let seed = inner.body(seed.expect("the seed stays")).head();
    let mut spiral = start::spiral(seed, Direction::East, inner.len()).expect("a spiral");
    spiral.sort();
    assert_eq!(inner.cells(), spiral);
}

#[test]
fn all_small_starts_end_in_the_hexagon() {
    let distribution = EnergyDistribution::new(Hexagon, 3, uneven).expect("in range");
    for n in 1..=4 {
        for (seed, hexagon) in hexagon_starts(n).iter().enumerate() {
            let start = distribution.start(hexagon, &[seed % n]).expect("connected");
            under_all(&distribution, &start, seed as u64, |end| is_the_hexagon(&distribution, &end.system));
        }
    }
}

#[test]
fn blobs_end_in_the_hexagon() {
    let every: Vec<Orientation> =
        Orientation::all().filter(|turn| turn.chirality == Chirality::Standard).collect();
    assert_eq!(every.len(), 6);
    for (seed, sources) in [&[0][..], &[29], &[3, 17, 3]].into_iter().enumerate() {
        let distribution = EnergyDistribution::new(Hexagon, 5, |_| 4).expect("in range");
        let orientations: Vec<Orientation> = (0..30).map(|i| every[5 * i % 6]).collect();
        let hexagon = Hexagon::start(&blob(30, seed as u64), 0, &orientations).expect("connected");
        let start = distribution.start(&hexagon, sources).expect("connected");
        under_all(&distribution, &start, seed as u64, |end| is_the_hexagon(&distribution, &end.system));
    }
}

#[test]
fn erosion_elects_one_leader_and_spends_for_two_actions_each() {
    let distribution = EnergyDistribution::new(Erosion, 4, |_| 3).expect("in range");
    let mut shapes: Vec<Vec<Cell>> =
        vec![start::spiral(Cell::ORIGIN, Direction::East, 24).expect("a spiral")];
    for n in 1..=4 {
        let all = Shape::all_connected(n).expect("few cells");
        shapes.extend(all.iter().filter(|shape| shape.holes() == 0).map(|shape| shape.cells().to_vec()));
    }
    for (seed, cells) in shapes.iter().enumerate() {
        let erosion = Erosion::start(cells, &[]).expect("connected, without a hole");
        let start = distribution.start(&erosion, &[seed % cells.len()]).expect("connected");
        under_all(&distribution, &start, seed as u64, |end| {
            assert!(Erosion::is_finished(&distribution.inner(&end.system)));
            assert_eq!(end.spent, 2 * 3 * cells.len() as u64);
        });
    }
}

/// The inner algorithm sees the object of the system. Coating allows amoebots to separate, so every amoebot is a
/// source.
#[test]
fn coating_sees_its_object() {
    let object: Vec<Cell> = (-30..=30).map(|x| Cell::new(x, -1).expect("near")).collect();
    let heap: Vec<Cell> = (0..9).map(|i| Cell::new(i % 3, i / 3).expect("near")).collect();
    let coating = Coating::start(&heap, &object, &[]).expect("on the object");
    let distribution = EnergyDistribution::new(Coating, 2, |_| 1).expect("in range");
    let all: Vec<usize> = (0..9).collect();
    let start = distribution.start(&coating, &all).expect("sources");
    assert_eq!(distribution.inner(&start), coating);
    under_all(&distribution, &start, 1, |end| {
        assert!(Coating::is_finished(&distribution.inner(&end.system)));
    });
}

/// For these blobs, at a capacity of 10 and a demand of 5, energy distribution takes at most about 60 times as many
/// rounds. The bound that this test requires grows with n, the bound of the paper with n².
#[test]
fn the_overhead_in_rounds_is_below_4n() {
    for n in [8, 16, 32, 64] {
        let distribution = EnergyDistribution::new(Hexagon, 10, |_| 5).expect("in range");
        let hexagon = Hexagon::start(&blob(n, 7), 0, &[]).expect("connected");
        let mut plain = SequentialExecution::new(&Hexagon, hexagon.clone());
        assert!(plain.run(10_000_000, &mut UniformEnabled, &mut Seeded::new(1)));
        let mut paid =
            SequentialExecution::new(&distribution, distribution.start(&hexagon, &[0]).expect("connected"));
        assert!(paid.run(100_000_000, &mut UniformEnabled, &mut Seeded::new(1)));
        is_the_hexagon(&distribution, paid.system());
        let (plain, paid) = (plain.counts(), paid.counts());
        println!("n = {n}: {plain:?}, paid {paid:?}");
        assert!(paid.rounds > plain.rounds && paid.rounds <= 4 * n as u64 * plain.rounds, "{paid:?}");
        // Each unit for an action is harvested, and carried at least once on average.
        assert!(paid.actions > 5 * plain.actions && paid.failures == 0);
    }
}

#[test]
fn with_locks_and_in_waves() {
    let distribution = EnergyDistribution::new(Hexagon, 3, uneven).expect("in range");
    let hexagon = Hexagon::start(&blob(12, 3), 0, &[]).expect("connected");
    let start = distribution.start(&hexagon, &[5]).expect("connected");
    for seed in 0..5 {
        let mut run = Concurrent::new(&distribution, start.clone(), TryLocks::new(start.len()));
        assert!(run.run(5_000_000, &mut UniformEnabled, &mut Seeded::new(seed)), "terminates");
        is_the_hexagon(&distribution, run.system());
        assert!(is_full(&distribution, run.system()) && run.counts().invalid == 0 && run.counts().width > 1);
        assert!(run.log().replay(&distribution, start.clone()).expect("valid") == *run.system());
    }
    let hexagon = Hexagon::start(&blob(40, 3), 0, &[]).expect("connected");
    let start = distribution.start(&hexagon, &[5]).expect("connected");
    let mut waves = Waves::new(&distribution, start.clone(), 4).with_log();
    assert!(waves.run(1_000_000), "terminates");
    is_the_hexagon(&distribution, waves.system());
    assert!(
        is_full(&distribution, waves.system()) && waves.counts().invalid == 0 && waves.counts().width > 1
    );
    assert!(waves.log().expect("logged").replay(&distribution, start).expect("valid") == *waves.system());
}
