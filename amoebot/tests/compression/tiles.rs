//! Chain M in tiles: the law, what never changes, any number of threads.

use acrasin_amoebot::compression::TiledChain;
use acrasin_amoebot::{Cell, Direction, Shape, start};

use crate::SHAPES_WITH_EDGES;
use crate::stationary::{LIMITS, chi_square, correlation};

fn line(n: usize) -> Vec<Cell> {
    start::line(Cell::ORIGIN, Direction::East, n).unwrap()
}

/// Edge counts of one run, `25 n` windows apart, in which each amoebot is drawn about `14 n` times.
fn samples(n: usize, lambda: f64, count: usize) -> Vec<u64> {
    let mut chain = TiledChain::new(&line(n), lambda, 7).unwrap();
    let mut next = || {
        chain.run(25 * n as u64).unwrap();
        chain.edges()
    };
    (0..count + 20).map(|_| next()).skip(20).collect()
}

/// Both pass for a right sampler but with probability 1e-5: chi-squares of 1e-6, correlations of 5 standard errors.
#[test]
fn long_runs_in_tiles_have_the_known_law() {
    for (index, (n, shapes)) in SHAPES_WITH_EDGES.into_iter().enumerate() {
        let edges = samples(n, 4.0, 400);
        let found = chi_square(&edges, shapes, 4.0);
        assert!(found < LIMITS[index], "n = {n}: {found}");
        assert!(correlation(&edges).abs() < 5.0, "n = {n}");
        // The same samples are not those of another bias.
        assert!(chi_square(&edges, shapes, 2.0) > LIMITS[index], "n = {n}");
    }
}

#[test]
fn tiles_keep_amoebots_connected_without_holes_and_count_their_edges() {
    let mut chain = TiledChain::new(&line(60), 4.0, 1).unwrap();
    for _ in 0..60 {
        chain.run(20).unwrap();
        let shape = Shape::of(chain.cells()).unwrap();
        assert!(shape.is_connected() && shape.holes() == 0);
        assert_eq!(shape.edges() as u64, chain.edges());
        assert_eq!(shape.cells().len(), 60);
    }
    assert!(chain.moves() > 1000 && chain.steps() > 30_000);
    // The line crosses borders of tiles, which must not remain visible: it becomes one lump (118 at the start, 24 at best).
    chain.run(20_000).unwrap();
    assert!(chain.perimeter() < 50, "{}", chain.perimeter());
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
