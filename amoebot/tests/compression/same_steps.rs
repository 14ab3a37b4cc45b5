//! The fast chain compared with the reference, state by state.

use std::num::NonZeroU32;

use acrasin_amoebot::chain::compression::{FastChain, StepDraws};
use acrasin_amoebot::{Cell, Chain, Direction, start};

fn same_steps(cells: &[Cell], lambda: f64, seed: u64, pieces: &[u64]) {
    let mut fast = FastChain::new(cells, lambda, seed).unwrap();
    let mut chain = Chain::new(cells, lambda).unwrap();
    let mut draws = StepDraws::new(seed, NonZeroU32::new(cells.len() as u32).unwrap());
    for &steps in pieces {
        let moves = (fast.run(steps).unwrap(), chain.run(steps, &mut draws).unwrap());
        assert_eq!(moves.0, moves.1);
        assert_eq!(fast.chain().cells(), chain.cells());
        let figures = |chain: &Chain| (chain.steps(), chain.moves(), chain.edges(), chain.digest());
        assert_eq!(figures(fast.chain()), figures(&chain));
    }
    assert!(cells.len() == 1 || chain.moves() > 0);
}

#[test]
fn the_fast_chain_takes_the_same_steps() {
    let line = |n| start::line(Cell::ORIGIN, Direction::NorthEast, n).unwrap();
    // One step at a time, then many; expansion far beyond the first grid, too.
    let pieces = [vec![1; 500], vec![17, 0, 100_000]].concat();
    for (n, lambda, seed) in [(1, 4.0, 1), (2, 0.5, 2), (3, 1.0, 3), (7, 6.0, 4), (40, 4.0, 5), (40, 0.7, 6)]
    {
        same_steps(&line(n), lambda, seed, &pieces);
    }
    let solid = start::spiral(Cell::ORIGIN, Direction::East, 1000).unwrap();
    same_steps(&solid, 2.0, 7, &[300_000, 1, 300_000]);
}

#[test]
fn the_grid_grows_with_a_chain_that_spreads() {
    let solid = start::spiral(Cell::ORIGIN, Direction::East, 60).unwrap();
    let mut fast = FastChain::new(&solid, 0.5, 3).unwrap();
    let before = fast.bytes();
    fast.run(20_000_000).unwrap();
    assert!(fast.bytes() != before, "laid out again");
    same_steps(&solid, 0.5, 3, &[4_000_000]);
}
