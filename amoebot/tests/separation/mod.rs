//! Separation and integration: the exact distribution of small systems, the steps, long runs, bad input.

mod exact;
mod invariants;
mod runs;

use std::collections::BTreeMap;

use acrasin_amoebot::model::lattice::Cell;
use acrasin_amoebot::{Separation, Shape};

/// A coloured set of cells up to translation.
type Coloured = Vec<(Cell, u8)>;

fn coloured(cells: &[Cell], colours: &[u8]) -> Coloured {
    let shape = Shape::from_cells(cells.iter().copied()).expect("some cells");
    let mut order: Vec<(Cell, u8)> = cells.iter().copied().zip(colours.iter().copied()).collect();
    // A translation keeps the order of the cells.
    order.sort_unstable();
    shape.cells().iter().copied().zip(order.into_iter().map(|(_, colour)| colour)).collect()
}

fn state(chain: &Separation) -> Coloured {
    coloured(&chain.cells(), &chain.colours())
}

/// All hole-free connected sets of n cells, half of them of colour 0 and the others of colour 1.
fn all_coloured(n: usize) -> Vec<Coloured> {
    let shapes = Shape::all_connected(n).expect("few cells");
    let hole_free = shapes.iter().filter(|shape| shape.holes() == 0);
    let halves = (0_u32..1 << n).filter(|set| set.count_ones() as usize == n / 2);
    let halves: Vec<u32> = halves.collect();
    let of = |shape: &Shape, set: u32| -> Coloured {
        shape.cells().iter().enumerate().map(|(i, cell)| (*cell, (set >> i & 1) as u8)).collect()
    };
    hole_free.flat_map(|shape| halves.iter().map(move |set| of(shape, *set))).collect()
}

/// The number of adjacent pairs, and the number of adjacent pairs of one colour.
fn edges(state: &Coloured) -> (u64, u64) {
    let pairs = state.iter().enumerate().flat_map(|(i, a)| state[..i].iter().map(move |b| (a, b)));
    let adjacent = pairs.filter(|(a, b)| a.0.direction_to(b.0).is_some());
    adjacent.fold((0, 0), |(all, like), (a, b)| (all + 1, like + u64::from(a.1 == b.1)))
}

/// The distribution λ^e γ^a on [`all_coloured`] sets.
fn law(n: usize, lambda: f64, gamma: f64) -> BTreeMap<Coloured, f64> {
    let weight = |state: &Coloured| {
        let (all, like) = edges(state);
        lambda.powi(all as i32) * gamma.powi(like as i32)
    };
    let weights: Vec<(Coloured, f64)> =
        all_coloured(n).into_iter().map(|s| (s.clone(), weight(&s))).collect();
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    weights.into_iter().map(|(state, weight)| (state, weight / sum)).collect()
}
