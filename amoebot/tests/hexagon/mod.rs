//! Hexagon formation compared with its oracles.

mod every_schedule;
mod random_runs;
mod traps;

use acrasin_amoebot::library::hexagon::Memory;
use acrasin_amoebot::{Cell, Direction, Hexagon, Orientation, Shape, System, start};

/// Every connected shape of `n` amoebots with each of them as the seed. Orientations are assigned by position, that of
/// the seed first.
pub(crate) fn initial(n: usize, orientations: &[Orientation]) -> Vec<System<Memory>> {
    let of = |shape: &Shape| {
        let cells = shape.cells().to_vec();
        (0..n).map(move |seed| {
            let mut cells = cells.clone();
            cells.swap(0, seed);
            Hexagon::start(&cells, 0, orientations).expect("a connected shape")
        })
    };
    Shape::all_connected(n).expect("few cells").iter().flat_map(of).collect()
}

/// The cells of the spiral around `seed`, sorted.
pub(crate) fn spiral(seed: Cell, first: Direction, n: usize) -> Vec<Cell> {
    let mut cells = start::spiral(seed, first, n).expect("a spiral near the seed");
    cells.sort();
    cells
}
