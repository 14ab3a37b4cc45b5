//! Runs in waves and in tiles, where an amoebot locks all amoebots that it reads, equal sequential runs.

use acrasin_amoebot::library::local_compression::{Action, Memory};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::tiles::Tiles;
use acrasin_amoebot::{Algorithm, Cell, Direction, LocalCompression, System, start};

use super::{Mistake, Wrong, algorithm, tails};

fn solid(n: usize) -> System<Memory> {
    let cells = start::spiral(Cell::ORIGIN, Direction::East, n).expect("a spiral");
    LocalCompression::start(&cells, &[]).expect("a start")
}

fn in_waves<A>(algorithm: &A, start: &System<Memory>, seed: u64) -> bool
where
    A: Algorithm<Memory = Memory, Action = Action> + Sync,
{
    let mut waves = Waves::new(algorithm, start.clone(), seed).with_log().with_checks();
    waves.run(200);
    assert!(waves.counts().actions > 300 && waves.counts().width > 2, "{:?}", waves.counts());
    assert_eq!(waves.overlap(), None);
    let log = waves.log().expect("asked for");
    let is_same = |end: Result<System<Memory>, _>| end.is_ok_and(|end| &end == waves.system());
    is_same(log.replay_in_full_view(algorithm, start.clone()))
        && is_same(log.replay(algorithm, start.clone()))
}

#[test]
fn waves_are_one_amoebot_after_another() {
    let start = solid(200);
    assert!((0..20).all(|seed| in_waves(&algorithm(4.0), &start, seed)));
    // With locks on neighbours, other amoebots enter free cells that it counts, as the replay shows.
    let narrow = Wrong(algorithm(4.0), Mistake::LocksNeighbours);
    assert!(!(0..20).all(|seed| in_waves(&narrow, &start, seed)));
}

#[test]
fn windows_of_tiles_are_one_amoebot_after_another() {
    let (start, algorithm) = (solid(200), algorithm(4.0));
    for seed in 0..20 {
        let mut tiles = Tiles::new(&algorithm, start.clone(), seed).with_side(12).with_log().with_checks();
        tiles.run(100);
        assert!(tiles.counts().actions > 1_000 && tiles.counts().width > 2, "{:?}", tiles.counts());
        assert_eq!((tiles.overlap(), tiles.counts().invalid), (None, 0));
        let log = tiles.log().expect("asked for");
        for end in [log.replay_in_full_view(&algorithm, start.clone()), log.replay(&algorithm, start.clone())]
        {
            assert!(&end.expect("a log") == tiles.system(), "{seed}");
        }
    }
}

/// Amoebots compress and stay connected without holes. The result does not depend on the number of threads.
#[test]
fn many_compress_on_any_number_of_threads() {
    let line = start::line(Cell::ORIGIN, Direction::East, 60).expect("a line");
    let start = LocalCompression::start(&line, &[]).expect("a start");
    let algorithm = algorithm(6.0);
    let on = |threads: usize, run: &(dyn Fn() -> System<Memory> + Sync)| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(run)
    };
    let waves = || {
        let mut waves = Waves::new(&algorithm, start.clone(), 7).wide_from(1);
        waves.run(40_000);
        waves.system().clone()
    };
    let tiles = || {
        let mut tiles = Tiles::new(&algorithm, start.clone(), 7).with_side(16);
        tiles.run(4_000);
        tiles.system().clone()
    };
    for run in [&waves as &(dyn Fn() -> System<Memory> + Sync), &tiles] {
        let alone = on(1, run);
        let shape = tails(&alone);
        println!("{} edges, 59 at the start", shape.edges());
        assert!(shape.is_connected() && shape.holes() == 0 && shape.edges() > 80, "{}", shape.edges());
        assert!(on(3, run) == alone);
    }
}
