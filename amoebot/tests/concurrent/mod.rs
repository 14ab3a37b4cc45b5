//! The concurrency framework: the same results as sequential runs, for every interleaving of the steps.

mod collisions;
mod every_message;
mod every_order;
mod library;
mod random_orders;

use acrasin_amoebot::library::hexagon;
use acrasin_amoebot::{Algorithm, Cell, Direction, Hexagon, Shape, System, start};

/// Every connected shape of `n` amoebots, with each amoebot as the seed of a hexagon.
pub(crate) fn hexagons(n: usize) -> Vec<System<hexagon::Memory>> {
    let of = |shape: &Shape| {
        let cells = shape.cells().to_vec();
        (0..n).map(move |seed| Hexagon::start(&cells, seed, &[]).expect("a connected shape"))
    };
    Shape::all_connected(n).expect("few cells").iter().flat_map(of).collect()
}

/// The cells of the spiral around the seed, sorted.
pub(crate) fn expected(system: &System<hexagon::Memory>) -> Vec<Cell> {
    let seed = system.ids().find(|id| system.memory(*id).state == hexagon::State::Seed).expect("a seed");
    let mut cells = start::spiral(system.body(seed).head(), Direction::East, system.len()).expect("near");
    cells.sort();
    cells
}

/// Whether no guard of the sequential algorithm holds.
pub(crate) fn is_at_rest<A: Algorithm>(algorithm: &A, system: &System<A::Memory>) -> bool {
    let view = |id| acrasin_amoebot::View::new(system, id);
    system.ids().all(|id| acrasin_amoebot::enabled_actions(algorithm, view(id)).next().is_none())
}
