//! Waves of disjoint lock sets: results equal those of sequential runs, for any number of threads.

use std::sync::atomic::{AtomicU64, Ordering};

use acrasin_amoebot::library::erosion;
use acrasin_amoebot::run::parallel::{WaveCounts, Waves};
use acrasin_amoebot::{
    Algorithm, BasicShape, Cell, Erosion, Hexagon, MaximalIndependentSet, System, View, enabled_actions,
    start,
};
use acrasin_runtime::{FixedProbability, Seeded};

fn blob(n: usize, seed: u64) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).unwrap();
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).unwrap()
}

fn spiral(n: usize) -> Vec<Cell> {
    let mut cells = start::spiral(Cell::ORIGIN, acrasin_amoebot::Direction::East, n).unwrap();
    cells.sort();
    cells
}

fn is_at_rest<A: Algorithm>(algorithm: &A, system: &System<A::Memory>) -> bool {
    system.ids().all(|id| enabled_actions(algorithm, View::new(system, id)).next().is_none())
}

#[test]
fn hexagons_are_those_of_one_at_a_time_and_equal_their_replay() {
    for (n, seed) in [(1, 0), (2, 0), (50, 1), (50, 2), (700, 3)] {
        let start = Hexagon::start(&blob(n, seed), 0, &[]).unwrap();
        let mut waves = Waves::new(&Hexagon, start.clone(), seed).with_log();
        assert!(waves.run(1_000_000));
        assert!(Hexagon::is_finished(waves.system()) && is_at_rest(&Hexagon, waves.system()));
        assert_eq!(waves.system().cells(), spiral(n));
        let counts = waves.counts();
        assert_eq!((counts.invalid, counts.locks), (0, counts.actions + counts.expand_failures));
        assert!(n < 50 || (counts.width > 3 && counts.lock_failures > 0), "{counts:?}");
        let log = waves.log().unwrap();
        assert_eq!(log.len() as u64, counts.actions);
        assert_eq!(&log.replay(&Hexagon, start).unwrap(), waves.system());
    }
}

#[test]
fn other_algorithms_reach_their_goals_in_waves() {
    let cells = blob(300, 4);
    let independent = MaximalIndependentSet::start(&cells, &[]).unwrap();
    let mut waves = Waves::new(&MaximalIndependentSet, independent.clone(), 1).with_log();
    assert!(waves.run(10_000));
    assert!(MaximalIndependentSet::is_finished(waves.system()));
    assert_eq!(&waves.log().unwrap().replay(&MaximalIndependentSet, independent).unwrap(), waves.system());

    for form in crate::basic_shape::FORMS {
        let algorithm = BasicShape { form };
        let mut waves = Waves::new(&algorithm, BasicShape::start(&blob(55, 5), 0, &[]).unwrap(), 2);
        assert!(waves.run(1_000_000));
        assert!(BasicShape::is_finished(waves.system()));
    }

    let solid = start::spiral(Cell::ORIGIN, acrasin_amoebot::Direction::East, 400).unwrap();
    let start = Erosion::start(&solid, &[]).unwrap();
    let mut waves = Waves::new(&Erosion, start.clone(), 3).with_log();
    assert!(waves.run(10_000));
    let leaders = waves.system().ids().filter(|id| *waves.system().memory(*id) == erosion::Memory::Leader);
    assert_eq!(leaders.count(), 1);
    assert!(waves.counts().width > 10);
    assert_eq!(&waves.log().unwrap().replay(&Erosion, start).unwrap(), waves.system());
}

/// If amoebots claim only themselves, two neighbours act at the same moment.
#[test]
fn too_few_claims_are_caught() {
    let start = MaximalIndependentSet::start(&blob(400, 7), &[]).unwrap();
    for seed in 0..20 {
        let mut waves = Waves::new(&MaximalIndependentSet, start.clone(), seed).with_checks();
        assert!(waves.run(10_000));
        assert_eq!(waves.overlap(), None);
        let mut wrong =
            Waves::new(&MaximalIndependentSet, start.clone(), seed).without_neighbours().with_checks();
        wrong.run(10_000);
        assert_eq!(wrong.overlap().map(|overlap| overlap.step), Some(0));
    }
}

/// Wide waves resolve all effects at the start of the wave and on all threads, narrow waves one after the other. All
/// states and awake amoebots are equal.
#[test]
fn wide_waves_do_what_narrow_ones_do() {
    fn compared<A>(algorithm: &A, start: &System<A::Memory>)
    where
        A: Algorithm + Sync,
        A::Memory: Send + Sync,
        A::Action: Send + Sync,
    {
        for seed in 0..3 {
            let mut narrow = Waves::new(algorithm, start.clone(), seed).wide_from(usize::MAX);
            let mut wide = Waves::new(algorithm, start.clone(), seed).wide_from(0).with_log();
            for wave in 0..400 {
                assert!(narrow.system() == wide.system(), "wave {wave}");
                assert_eq!(narrow.counts(), wide.counts(), "wave {wave}");
                assert_eq!(narrow.has_terminated(), wide.has_terminated(), "wave {wave}");
                narrow.wave();
                wide.wave();
            }
            assert!(wide.counts().actions > 300, "{:?}", wide.counts());
            assert!(&wide.log().unwrap().replay(algorithm, start.clone()).unwrap() == wide.system());
        }
    }
    compared(&Hexagon, &Hexagon::start(&blob(1500, 8), 0, &[]).unwrap());
    compared(&MaximalIndependentSet, &MaximalIndependentSet::start(&blob(1500, 9), &[]).unwrap());
    let solid = start::spiral(Cell::ORIGIN, acrasin_amoebot::Direction::East, 1500).unwrap();
    compared(&Erosion, &Erosion::start(&solid, &[]).unwrap());
}

/// A log taken in pieces has the same actions in the same order.
#[test]
fn pieces_of_a_log_are_the_log() {
    let start = Hexagon::start(&blob(300, 10), 0, &[]).unwrap();
    let mut whole = Waves::new(&Hexagon, start.clone(), 1).with_log();
    let mut pieces = Waves::new(&Hexagon, start.clone(), 1).with_log();
    let mut taken = Vec::new();
    while !pieces.has_terminated() {
        whole.run(7);
        pieces.run(7);
        taken.extend(pieces.take_completed());
        assert!(pieces.log().unwrap().is_empty());
    }
    assert_eq!(taken, whole.log().unwrap().completed().collect::<Vec<_>>());
    let mut system = start;
    for (at, completed) in taken.iter().enumerate() {
        completed.replay(at, &Hexagon, &mut system).unwrap();
    }
    assert!(&system == pieces.system());
}

/// A wave that is cancelled between any two chunks is discarded, so the run continues as if the wave had not begun.
#[test]
fn a_wave_that_is_cut_is_repeated() {
    let start = Hexagon::start(&blob(3_000, 6), 0, &[]).unwrap();
    let waves = || Waves::new(&Hexagon, start.clone(), 1).wide_from(1);
    let (mut whole, mut cut) = (waves(), waves());
    let calls = AtomicU64::new(0);
    let mut cuts = 0;
    for most in 0..300 {
        calls.store(0, Ordering::Relaxed);
        cut.run_while(1, &|| calls.fetch_add(1, Ordering::Relaxed) < most % 20);
        if cut.counts().waves == whole.counts().waves {
            cuts += 1;
        } else {
            whole.run(1);
        }
        let state = |waves: &Waves<'_, Hexagon>| {
            let mut bytes = Vec::new();
            assert!(waves.save(&mut bytes));
            bytes
        };
        assert_eq!(state(&cut), state(&whole), "after {most} waves");
    }
    assert!(cuts > 20 && cuts < 150, "{cuts}");
    whole.run(300);
    cut.run(300);
    assert_eq!((cut.counts(), cut.system().digest()), (whole.counts(), whole.system().digest()));
}

fn run_with<A>(
    algorithm: &A,
    start: &System<A::Memory>,
    threads: usize,
    seed: u64,
) -> (WaveCounts, System<A::Memory>)
where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
    A::Action: Send + Sync,
{
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut waves = Waves::new(algorithm, start.clone(), seed);
        waves.run(300);
        (waves.counts(), waves.system().clone())
    })
}

fn is_the_same_for_all_threads<A>(algorithm: &A, start: &System<A::Memory>) -> WaveCounts
where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
    A::Action: Send + Sync,
{
    let (counts, system) = run_with(algorithm, start, 1, 1);
    for threads in [2, 3, 7] {
        let other = run_with(algorithm, start, threads, 1);
        assert_eq!(other.0, counts);
        assert!(other.1 == system);
        assert_eq!(other.1.configuration().digest(), system.configuration().digest());
    }
    let otherwise = run_with(algorithm, start, 2, 2);
    assert!(otherwise.0 != counts && otherwise.1 != system);
    counts
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let cells = blob(20_000, 6);
    let independent = MaximalIndependentSet::start(&cells, &[]).unwrap();
    let counts = is_the_same_for_all_threads(&MaximalIndependentSet, &independent);
    // Long enough for several threads.
    assert!(counts.width > 1000);
    let hexagon = Hexagon::start(&cells, 0, &[]).unwrap();
    assert!(is_the_same_for_all_threads(&Hexagon, &hexagon).actions > 10_000);
}
