//! Chain M and separation with locks on cells: the distribution, invariants, any number of threads.

use acrasin_amoebot::chain::LockedChain;
use acrasin_amoebot::{Cell, Chain, Direction, Separation, Shape, start};

/// The number of waves in a batch. Means of batches are regarded as independent.
const BATCH: usize = 4000;
const BATCHES: usize = 50;

/// Means over many waves, each with its standard error.
fn means(mut next: impl FnMut() -> [f64; 2]) -> [(f64, f64); 2] {
    let mut batches = Vec::new();
    for _ in 0..BATCHES {
        let mut sums = [0.0; 2];
        for _ in 0..BATCH {
            let sample = next();
            sums = [sums[0] + sample[0], sums[1] + sample[1]];
        }
        batches.push(sums.map(|sum| sum / BATCH as f64));
    }
    [0, 1].map(|which| {
        let n = BATCHES as f64;
        let mean = batches.iter().map(|batch| batch[which]).sum::<f64>() / n;
        let squares: f64 = batches.iter().map(|batch| (batch[which] - mean).powi(2)).sum();
        (mean, (squares / (n - 1.0) / n).sqrt())
    })
}

fn is_near((mean, error): (f64, f64), known: f64) -> bool {
    (mean - known).abs() < 5.0 * error
}

/// Compares mean perimeters with those of the distribution of chain M. A correct sampler fails with probability below
/// 1e-5; samplers with another bias are rejected.
#[test]
fn chain_m_in_waves_and_in_tiles_has_the_known_law() {
    for (n, two, four, six) in [(4, 5.261538, 4.848, 4.622010), (5, 6.769231, 6.050992, 5.706093)] {
        let line = start::line(Cell::ORIGIN, Direction::East, n).unwrap();
        for locked in [LockedChain::new, LockedChain::with_tiles] {
            let mut locked = locked(Chain::new(&line, 4.0).unwrap(), 11);
            let [perimeter, _] = means(|| {
                locked.run(1).unwrap();
                [locked.chain().perimeter() as f64, 0.0]
            });
            println!("n = {n}: {perimeter:.4?}, {four} is known");
            assert!(is_near(perimeter, four), "{perimeter:?}");
            assert!(!is_near(perimeter, two) && !is_near(perimeter, six), "{perimeter:?}");
        }
    }
}

/// Compares the mean perimeter and the mean number of unlike edges, with two amoebots of each colour. Moves and swaps
/// occur.
#[test]
fn separation_in_waves_and_in_tiles_has_the_known_law() {
    let line = start::line(Cell::ORIGIN, Direction::East, 4).unwrap();
    let known = [(4.0, 4.0, [4.672429, 2.547105]), (4.0, 0.25, [5.231121, 2.967963])];
    for (lambda, gamma, law) in known {
        let start = Separation::new(&line, &[0, 0, 1, 1], lambda, gamma).unwrap();
        for locked in [LockedChain::new, LockedChain::with_tiles] {
            let mut locked = locked(start.clone(), 12);
            let found = means(|| {
                locked.run(1).unwrap();
                [locked.chain().perimeter() as f64, locked.chain().unlike_edges() as f64]
            });
            println!("lambda = {lambda}, gamma = {gamma}: {found:.4?}, {law:?} is known");
            assert!(is_near(found[0], law[0]) && is_near(found[1], law[1]), "{found:?}");
            let other = known.iter().find(|(_, other, _)| *other != gamma).expect("two").2;
            assert!(!is_near(found[0], other[0]) && !is_near(found[1], other[1]), "another law is rejected");
        }
    }
}

#[test]
fn waves_keep_amoebots_connected_without_holes_and_count_their_edges() {
    let line = start::line(Cell::ORIGIN, Direction::East, 60).unwrap();
    let mut waves = LockedChain::new(Chain::new(&line, 4.0).unwrap(), 1);
    for _ in 0..3_000 {
        waves.run(10).unwrap();
        let shape = Shape::from_cells(waves.chain().cells()).unwrap();
        assert!(shape.is_connected() && shape.holes() == 0 && shape.cells().len() == 60);
        assert_eq!(shape.edges() as u64, waves.chain().edges());
    }
    // One amoebot in sixteen is at the beginning of a locked edge, one in sixteen at its end; the second acts if
    // the first is not there.
    let share = waves.chain().steps() as f64 / waves.waves() as f64 / 60.0;
    assert!((0.0625..0.125).contains(&share), "{share}");
    waves.run(400_000).unwrap();
    assert!(waves.chain().perimeter() < 50, "118 at the start, 24 at best: {}", waves.chain().perimeter());
}

#[test]
fn windows_keep_amoebots_connected_without_holes_and_count_their_edges() {
    let line = start::line(Cell::ORIGIN, Direction::East, 200).unwrap();
    let mut windows = LockedChain::with_tiles(Chain::new(&line, 1.0).unwrap(), 1);
    for _ in 0..1_000 {
        windows.run(5).unwrap();
        let shape = Shape::from_cells(windows.chain().cells()).unwrap();
        assert!(shape.is_connected() && shape.holes() == 0 && shape.cells().len() == 200);
        assert_eq!(shape.edges() as u64, windows.chain().edges());
    }
    assert_eq!(windows.chain().steps(), 4 * 200 * 5_000);
    let mut windows = LockedChain::with_tiles(Chain::new(&line[..60], 4.0).unwrap(), 1);
    windows.run(20_000).unwrap();
    assert!(
        windows.chain().perimeter() < 50,
        "118 at the start, 24 at best: {}",
        windows.chain().perimeter()
    );
}

#[test]
fn waves_and_windows_do_not_depend_on_the_number_of_threads() {
    for locked in [LockedChain::new, LockedChain::with_tiles] {
        let run = |threads, seed| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let solid = start::spiral(Cell::ORIGIN, Direction::East, 100_000).unwrap();
            let mut locked = locked(Chain::new(&solid, 2.0).unwrap(), seed);
            pool.install(|| locked.run(40)).unwrap();
            (locked.chain().digest(), locked.chain().steps(), locked.chain().moves())
        };
        let alone = run(1, 1);
        assert!(alone.1 > 200_000 && alone.2 > 300, "{alone:?}");
        for threads in [2, 3, 7] {
            assert_eq!(run(threads, 1), alone);
        }
        assert_ne!(run(2, 2), alone);
    }
}
