//! Chain M in tiles: the distribution, invariants, any number of threads.

use acrasin_amoebot::chain::compression::TiledChain;
use acrasin_amoebot::{Cell, Direction, Shape, start};

use super::SHAPES_WITH_EDGES;
use super::stationary::law;

fn line(n: usize) -> Vec<Cell> {
    start::line(Cell::ORIGIN, Direction::East, n).unwrap()
}

/// The edge counts after each window of one run; the first 500 windows are left out.
fn samples(n: usize, lambda: f64, windows: usize) -> Vec<u64> {
    let mut chain = TiledChain::new(&line(n), lambda, 7).unwrap();
    chain.run(500).unwrap();
    let mut next = || {
        chain.run(1).unwrap();
        chain.edges()
    };
    (0..windows).map(|_| next()).collect()
}

/// The number of windows in a batch. Samples decorrelate within 25 windows (6 amoebots, λ = 4), so batches are
/// independent.
const BATCH: usize = 250;

/// The mean of a function of the samples, and its standard error by the means of the batches.
fn mean(samples: &[u64], of: impl Fn(u64) -> f64) -> (f64, f64) {
    let batch = |batch: &[u64]| batch.iter().map(|edges| of(*edges)).sum::<f64>() / BATCH as f64;
    let means: Vec<f64> = samples.chunks_exact(BATCH).map(batch).collect();
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let squares: f64 = means.iter().map(|batch| (batch - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Mean and variance of the edge counts under the distribution.
fn moments(shapes: &[(u64, u64)], lambda: f64) -> (f64, f64) {
    let moment = |power| {
        let of = |((edges, _), p): (&(u64, u64), f64)| p * (*edges as f64).powi(power);
        shapes.iter().zip(law(shapes, lambda)).map(of).sum::<f64>()
    };
    (moment(1), moment(2) - moment(1).powi(2))
}

/// The deviation of the runs of 3 to 6 amoebots from the distribution of this λ, in standard errors; positive if
/// they have more edges. A small change δ of ln λ changes a mean by δ times the variance, so the means are
/// weighted.
fn score(runs: &[Vec<u64>], lambda: f64) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for (edges, (_, shapes)) in runs.iter().zip(SHAPES_WITH_EDGES) {
        let ((found, error), (known, variance)) = (mean(edges, |e| e as f64), moments(shapes, lambda));
        sum += (found - known) * variance / error.powi(2);
        squares += (variance / error).powi(2);
    }
    sum / squares.sqrt()
}

/// The largest deviation of an edge count's share from its probability, in standard errors.
fn furthest(edges: &[u64], shapes: &[(u64, u64)], lambda: f64) -> f64 {
    let off = |((count, _), p): (&(u64, u64), f64)| {
        let (share, error) = mean(edges, |e| f64::from(u8::from(e == *count)));
        (share - p).abs() / error
    };
    shapes.iter().zip(law(shapes, lambda)).map(off).fold(0.0, f64::max)
}

/// A run of each system, from 3 to 6 amoebots.
fn runs(lambda: f64, windows: [usize; 4]) -> Vec<Vec<u64>> {
    SHAPES_WITH_EDGES.iter().zip(windows).map(|((n, _), windows)| samples(*n, lambda, windows)).collect()
}

/// A correct sampler fails with probability below 2e-4: 15 figures of 5 standard errors from 48 batches or more, below
/// 1e-5 each. The test is sharpest at λ = 2 and with more amoebots, where samples vary much and decorrelate fast.
#[test]
fn long_runs_in_tiles_have_the_known_law() {
    let runs = runs(2.0, [12_000, 16_000, 22_000, 32_000]);
    let mut independent = 0.0;
    for (edges, (n, shapes)) in runs.iter().zip(SHAPES_WITH_EDGES) {
        let furthest = furthest(edges, shapes, 2.0);
        independent += moments(shapes, 2.0).1 / mean(edges, |e| e as f64).1.powi(2);
        println!("n = {n}: {furthest:.2}");
        assert!(furthest < 5.0, "n = {n}: {furthest}");
    }
    // This many independent samples would be equally informative.
    assert!(independent > 4_000.0, "{independent}");
    let scores = [1.8, 2.0, 2.2].map(|lambda| score(&runs, lambda));
    println!("like {independent:.0} independent samples; scores {scores:.2?}");
    assert!(scores[1].abs() < 5.0, "{scores:?}");
    // The samples do not fit a λ that is a tenth smaller or larger.
    assert!(scores[0] > 5.0 && scores[2] < -5.0, "{scores:?}");
}

/// The test rejects another bias: a chain for λ = 4 is distinguished from chains for 2, 3 or 5. A correct sampler fails
/// with probability below 4e-4: 32 batches.
#[test]
fn tiles_for_another_bias_are_rejected() {
    let runs = runs(4.0, [8_000; 4]);
    for (edges, (n, shapes)) in runs.iter().zip(SHAPES_WITH_EDGES) {
        let furthest = [2.0, 4.0].map(|lambda| furthest(edges, shapes, lambda));
        println!("n = {n}: {furthest:.2?}");
        assert!(furthest[0] > 5.0 && furthest[1] < 5.0, "n = {n}: {furthest:?}");
    }
    let scores = [3.0, 4.0, 5.0].map(|lambda| score(&runs, lambda));
    println!("{scores:.2?}");
    assert!(scores[1].abs() < 5.0 && scores[0] > 5.0 && scores[2] < -5.0, "{scores:?}");
}

#[test]
fn tiles_keep_amoebots_connected_without_holes_and_count_their_edges() {
    for (n, windows) in [(3, 300), (4, 300), (5, 300), (6, 300), (60, 1200)] {
        let mut chain = TiledChain::new(&line(n), 4.0, 1).unwrap();
        for _ in 0..windows {
            chain.run(1).unwrap();
            let shape = Shape::from_cells(chain.cells()).unwrap();
            assert!(shape.is_connected() && shape.holes() == 0);
            assert_eq!(shape.edges() as u64, chain.edges());
            assert_eq!(shape.cells().len(), n);
        }
        assert_eq!(chain.windows(), windows);
        if n == 60 {
            assert!(chain.moves() > 1000 && chain.steps() > 30_000);
            // The line crosses tile borders, which must not remain visible: it becomes one cluster (118 at the
            // start, 24 at best).
            chain.run(20_000).unwrap();
            assert!(chain.perimeter() < 50, "{}", chain.perimeter());
        }
    }
}

#[test]
fn tiles_do_not_depend_on_the_number_of_threads() {
    let run = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let solid = start::spiral(Cell::ORIGIN, Direction::East, 20_000).unwrap();
        let mut chain = TiledChain::new(&solid, 2.0, seed).unwrap();
        pool.install(|| chain.run(60)).unwrap();
        (chain.digest(), chain.steps(), chain.moves(), chain.edges())
    };
    let alone = run(1, 1);
    for threads in [2, 3, 7] {
        assert_eq!(run(threads, 1), alone);
    }
    assert_ne!(run(2, 2), alone);
}
