//! Tests that no node comes before another node more often than after it.

use acrasin_engine::network::PortNetwork;
use acrasin_engine::waves::{TaskWaves, WaveScheme};
use acrasin_engine::{Draws, LatticeKind};

use super::graphs;

const WAVES: u64 = 3000;
const CELLS: usize = 16;

fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// The accepted maximum of chi-square with 15 degrees of freedom, which has mean 15 and standard deviation 5.5. A fair
/// order exceeds it once in 10^8.
const LIMIT: f64 = 70.0;

/// Counts of the watched nodes: in each sixteenth of the order, and before their successors.
fn places(orders: impl Iterator<Item = Vec<u32>>, watched: &[u32]) -> (Vec<Vec<u32>>, Vec<u32>) {
    let (mut counts, mut first) = (vec![vec![0; CELLS]; watched.len()], vec![0; watched.len()]);
    for order in orders {
        let mut place_of = vec![0; order.len()];
        for (place, &node) in order.iter().enumerate() {
            place_of[node as usize] = place;
        }
        for (i, &node) in watched.iter().enumerate() {
            counts[i][place_of[node as usize] * CELLS / order.len()] += 1;
            let next = (node as usize + 1) % order.len();
            first[i] += u32::from(place_of[node as usize] < place_of[next]);
        }
    }
    (counts, first)
}

fn check<N: PortNetwork>(waves: &TaskWaves<N>) {
    let nodes = waves.network().nodes();
    assert_eq!(nodes as usize % CELLS, 0, "sixteenths of one size");
    let watched: Vec<u32> = (0..16).map(|i| i * (nodes - 1) / 15).collect();
    let (counts, first) = places((0..WAVES).map(|wave| waves.turns(wave)), &watched);
    for ((counts, first), node) in counts.iter().zip(first).zip(watched) {
        assert!(chi_square(counts) < LIMIT, "node {node}: {counts:?}");
        // Fair coins: standard deviation 27.
        assert!(u64::from(first).abs_diff(WAVES / 2) < 150, "node {node} before the next one: {first}");
    }
}

#[test]
fn places_in_a_tiled_order_are_uniform() {
    let square = TaskWaves::new(graphs::torus(LatticeKind::Square, 16, 12), Draws::new(1)).with_tiles_of(64);
    let triangular =
        TaskWaves::new(graphs::torus(LatticeKind::Triangular, 9, 16), Draws::new(2)).with_tiles_of(9);
    check(&square.with_scheme(WaveScheme::Tiles).unwrap());
    check(&triangular.with_scheme(WaveScheme::Tiles).unwrap());
    let ring = TaskWaves::new(graphs::table(&graphs::ring(320)), Draws::new(3)).with_tiles_of(40);
    check(&ring.with_scheme(WaveScheme::Tiles).unwrap());
}

#[test]
fn places_in_a_shuffled_order_are_uniform() {
    for nodes in [16, 64, 80, 1008] {
        check(&TaskWaves::new(graphs::table(&graphs::random_regular(nodes, 2, 1)), Draws::new(4)));
    }
}

#[test]
fn an_order_with_fixed_tiles_is_rejected() {
    // The tiles of wave 0 in all waves: a node at a border always has its turn with the borders.
    let rotated = |wave: u64| -> Vec<u32> {
        let middles = (0..8_u32).filter(|row| !matches!(row % 4, 0 | 3));
        let borders = (0..8_u32).filter(|row| matches!(row % 4, 0 | 3));
        let rows = middles.chain(borders);
        rows.flat_map(|row| (0..16).map(move |x| row * 16 + (x + wave as u32 * 7) % 16)).collect()
    };
    let (counts, _) = places((0..WAVES).map(rotated), &[0, 17]);
    assert!(counts.iter().all(|counts| chi_square(counts) > LIMIT));
}

#[test]
fn an_order_that_prefers_small_numbers_is_rejected() {
    // A node with an even number bids the lower of two draws, one with an odd number a single draw.
    let biased = |wave: u64| -> Vec<u32> {
        let draw = |i: u64| acrasin_engine::draw::mix(wave * 1000 + i);
        let bid = |&node: &u32| match node % 2 {
            0 => draw(u64::from(node)).min(draw(500 + u64::from(node))),
            _ => draw(u64::from(node)),
        };
        let mut order: Vec<u32> = (0..160).collect();
        order.sort_by_cached_key(bid);
        order
    };
    let (counts, first) = places((0..WAVES).map(biased), &[0, 80]);
    assert!(counts.iter().all(|counts| chi_square(counts) > LIMIT));
    assert!(first.iter().all(|&first| u64::from(first).abs_diff(WAVES / 2) > 150));
}
