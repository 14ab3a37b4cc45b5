//! Compression, chain M: the table, invariants, the exact distribution of small systems, long runs, bad input.

mod exact;
mod invariants;
mod locked;
mod runs;
mod same_steps;
mod stationary;
mod table;
mod tiles;

use acrasin_amoebot::Shape;
use acrasin_amoebot::chain::{EdgeRing, MOVES, MoveTable};

/// N_n(e): the number of connected sets of n cells without holes that have e adjacent pairs, up to translation.
const SHAPES_WITH_EDGES: [(usize, &[(u64, u64)]); 4] = [
    (3, &[(2, 9), (3, 2)]),
    (4, &[(3, 29), (4, 12), (5, 3)]),
    (5, &[(4, 99), (5, 60), (6, 21), (7, 6)]),
    (6, &[(5, 348), (6, 280), (7, 129), (8, 42), (9, 14)]),
];

fn hole_free_shapes(n: usize) -> Vec<Shape> {
    let all = Shape::all_connected(n).expect("few cells");
    all.into_iter().filter(|shape| shape.holes() == 0).collect()
}

/// A table of moves given by a function.
fn table(changed: impl Fn(EdgeRing) -> Option<i8>) -> MoveTable {
    std::array::from_fn(|ring| changed(EdgeRing(ring as u8)))
}

/// e′ - e, whether or not the move is allowed.
fn gain_of_all(ring: EdgeRing) -> i8 {
    ring.neighbours_after() as i8 - ring.neighbours_before() as i8
}

/// Ignores both properties.
fn without_properties() -> MoveTable {
    table(|ring| (ring.neighbours_before() < 5).then(|| gain_of_all(ring)))
}

/// Lets amoebots with five neighbours move.
fn without_hold() -> MoveTable {
    table(|ring| (ring.has_property_1() || ring.has_property_2()).then(|| gain_of_all(ring)))
}

/// Ignores Property 2.
fn without_property_2() -> MoveTable {
    table(|ring| ring.gain().filter(|_| ring.has_property_1()))
}

/// Accepts every move that does not lose neighbours, and any other move with probability λ^-1, regardless of how many
/// neighbours it loses.
fn with_wrong_loss() -> MoveTable {
    MOVES.map(|gain| gain.map(|gain| gain.max(-1)))
}
