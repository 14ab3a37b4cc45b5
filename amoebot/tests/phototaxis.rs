//! Phototaxis: visibility of the light, chain M without it, the exact drift of a few amoebots, invariants, bad
//! input.

use std::collections::BTreeMap;

use acrasin_amoebot::chain::LockedChain;
use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::{Cell, Direction, Phototaxis, Shape, start};
use acrasin_runtime::Seeded;

use crate::refused::refuses_bad_chains;
use crate::steps;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

/// Whether no amoebot is in this direction from the cell, checked cell by cell up to the furthest amoebot.
fn sees(cells: &[Cell], from: Cell, towards: Direction) -> bool {
    let mut next = from;
    for _ in 0..2 * cells.len() {
        next = next.neighbour(towards).expect("far from the limit");
        if cells.contains(&next) {
            return false;
        }
    }
    true
}

/// Half cells towards the light, by the geometry of the plane: (x, y) is x (1, 0) + y (1/2, √3/2).
fn half_cells(direction: Direction, towards: Direction) -> i64 {
    let plane = |direction: Direction| {
        let (x, y) = direction.step();
        (f64::from(x) + f64::from(y) / 2.0, f64::from(y) * 0.75_f64.sqrt())
    };
    let ((a, b), (c, d)) = (plane(direction), plane(towards));
    (2.0 * (a * c + b * d)).round() as i64
}

/// In the light an amoebot moves with a quarter of the probability, in the shade as in chain M. So the
/// acceptance alone tells which amoebots are lit.
#[test]
fn an_amoebot_with_none_before_the_light_sees_it() {
    let cells = start::line(Cell::ORIGIN, Direction::NorthEast, 12).expect("a short line");
    let mut seen = BTreeMap::new();
    for towards in Direction::ALL {
        let mut chain = Phototaxis::new(&cells, 4.0, 0.25, towards).expect("a start");
        let mut choices = Seeded::new(3);
        for _ in 0..300 {
            chain.run(100, &mut choices).expect("a small grid");
            let cells = chain.cells();
            let shade = Chain::new(&cells, 4.0).expect("connected, without holes");
            for (amoebot, &from) in cells.iter().enumerate() {
                for direction in Direction::ALL {
                    let is_lit = sees(&cells, from, towards);
                    let expected = shade.acceptance(amoebot, direction) / if is_lit { 4 } else { 1 };
                    assert_eq!(
                        chain.acceptance(amoebot, direction),
                        expected,
                        "{from} {direction:?} {towards:?}"
                    );
                    *seen.entry((is_lit, expected > 0)).or_insert(0_u64) += 1;
                }
            }
        }
    }
    assert!(seen.len() == 4 && seen.values().all(|times| *times > 1000), "{seen:?}");
}

#[test]
fn where_every_amoebot_acts_always_it_is_chain_m() {
    let cells = start::line(Cell::ORIGIN, Direction::East, 40).expect("a short line");
    let mut chain = Chain::new(&cells, 4.0).expect("a start");
    let mut crawling = Phototaxis::new(&cells, 4.0, 1.0, Direction::West).expect("a start");
    let (mut choices, mut same) = (Seeded::new(8), Seeded::new(8));
    for _ in 0..20_000 {
        let made = chain.step(&mut choices).expect("a small grid");
        assert_eq!(crawling.step(&mut same).expect("a small grid"), made);
        assert_eq!(crawling.cells(), chain.cells());
    }
    assert_eq!((crawling.digest(), crawling.perimeter()), (chain.digest(), chain.perimeter()));
    assert!(chain.moves() > 1000, "{}", chain.moves());
}

#[test]
fn amoebots_stay_connected_without_holes_and_the_drift_is_that_of_their_centre() {
    let cells = start::spiral(Cell::ORIGIN, Direction::West, 30).expect("a small spiral");
    for (lambda, lit, towards) in
        [(1.0, 0.25, Direction::East), (9.0, 0.25, Direction::NorthWest), (4.0, 0.0, Direction::SouthWest)]
    {
        let mut chain = Phototaxis::new(&cells, lambda, lit, towards).expect("a start");
        let mut choices = Seeded::new(11);
        let along = |cells: &[Cell]| {
            // Twice the product with the unit vector of the light, summed: linear in the coordinates.
            let (east, north_east) =
                (half_cells(Direction::East, towards), half_cells(Direction::NorthEast, towards));
            cells
                .iter()
                .map(|cell| i64::from(cell.x()) * east + i64::from(cell.y()) * north_east)
                .sum::<i64>()
        };
        for _ in 0..20_000 {
            if chain.step(&mut choices).expect("a small grid") {
                let shape = Shape::from_cells(chain.cells()).expect("some cells");
                assert_eq!((shape.cells().len(), shape.components(), shape.holes()), (cells.len(), 1, 0));
                let half_cells = along(&chain.cells()) - along(&cells);
                assert_eq!(chain.drift(), half_cells as f64 / 2.0 / cells.len() as f64);
            }
        }
        assert!(chain.moves() > 100, "{}", chain.moves());
    }
}

/// The mean drift of a step in the long run, in half cells of one amoebot. The distribution of shapes is
/// computed by iterating the chain until it no longer changes. `is_lit` tells which amoebots are in the light.
fn exact_drift(n: usize, lambda: f64, lit: f64, is_lit: impl Fn(&[Cell], Cell) -> bool) -> f64 {
    let shapes: Vec<Shape> =
        Shape::all_connected(n).expect("few cells").into_iter().filter(|shape| shape.holes() == 0).collect();
    let number = |shape: &Shape| shapes.binary_search(shape).expect("moves lead to shapes of the list");
    let certain = Chain::CERTAIN as f64 * 6.0 * n as f64;
    // For each shape: the target, the probability, and the displacement of each move.
    let moves: Vec<Vec<(usize, f64, i64)>> = shapes
        .iter()
        .map(|shape| {
            let chain = Chain::new(shape.cells(), lambda).expect("connected, without holes");
            let cells = chain.cells();
            let mut moves = Vec::new();
            for (amoebot, &from) in cells.iter().enumerate() {
                for direction in Direction::ALL {
                    let acceptance = chain.acceptance(amoebot, direction) as f64;
                    if acceptance > 0.0 {
                        let mut after = cells.clone();
                        after[amoebot] = from.neighbour(direction).expect("far from the limit");
                        let acts = if is_lit(&cells, from) { lit } else { 1.0 };
                        let target = number(&Shape::from_cells(after).expect("some cells"));
                        moves.push((
                            target,
                            acceptance / certain * acts,
                            half_cells(direction, Direction::East),
                        ));
                    }
                }
            }
            moves
        })
        .collect();
    let mut law = vec![1.0 / shapes.len() as f64; shapes.len()];
    for _ in 0..100_000 {
        let mut next = law.clone();
        for (from, moves) in moves.iter().enumerate() {
            for (to, probability, _) in moves {
                next[*to] += law[from] * probability;
                next[from] -= law[from] * probability;
            }
        }
        let change: f64 = law.iter().zip(&next).map(|(before, after)| (before - after).abs()).sum();
        law = next;
        if change < 1e-14 {
            break;
        }
    }
    law.iter()
        .zip(&moves)
        .map(|(p, moves)| p * moves.iter().map(|(_, q, far)| q * *far as f64).sum::<f64>())
        .sum()
}

/// The mean drift of a step and its standard error, from a hundred stretches of a run.
fn measured_drift(mut chain: Phototaxis, steps: u64) -> (f64, f64) {
    const STRETCHES: u64 = 100;
    let mut choices = Seeded::new(2018);
    let n = chain.cells().len() as f64;
    let mut before = chain.drift();
    let drifts: Vec<f64> = (0..STRETCHES)
        .map(|_| {
            chain.run(steps / STRETCHES, &mut choices).expect("a small grid");
            let drift = (chain.drift() - before) * 2.0 * n / (steps / STRETCHES) as f64;
            before = chain.drift();
            drift
        })
        .collect();
    let mean = drifts.iter().sum::<f64>() / STRETCHES as f64;
    let variance = drifts.iter().map(|drift| (drift - mean).powi(2)).sum::<f64>() / (STRETCHES - 1) as f64;
    (mean, (variance / STRETCHES as f64).sqrt())
}

/// The deviation of the measured drift from the exact value, in standard errors.
fn off(chain: Phototaxis, steps: u64, exact: f64) -> f64 {
    let (mean, error) = measured_drift(chain, steps);
    println!("{mean:.3e} ± {error:.1e}, exact {exact:.3e}");
    (mean - exact) / error
}

#[test]
fn a_few_amoebots_drift_as_the_exact_chain_does() {
    let towards = Direction::East;
    let in_the_light = |cells: &[Cell], from| sees(cells, from, towards);
    for n in [3, 4, 5] {
        let cells = start::line(Cell::ORIGIN, Direction::East, n).expect("a short line");
        let chain = |lit| Phototaxis::new(&cells, 4.0, lit, towards).expect("a start");
        let drift = |lit| exact_drift(n, 4.0, lit, in_the_light);
        let steps = 3_000_000;
        let right = off(chain(0.25), steps, drift(0.25));
        assert!(right.abs() < 5.0, "{n}: {right} standard errors");
        // There is no drift where the light makes no difference, or where every amoebot is lit.
        assert!(drift(1.0).abs() < 1e-9);
        assert!(exact_drift(n, 4.0, 0.25, |_, _| true).abs() < 1e-9);
        // Wrong expectations: no amoebot casts a shadow, or another probability.
        for (what, wrong) in [("no shade", 0.0), ("half", drift(0.5))] {
            let off = off(chain(0.25), steps, wrong);
            assert!(off.abs() > 5.0, "{n}, {what}: {off} standard errors");
        }
    }
}

/// Chain M has no direction: its drift is 0 within the error, while that of phototaxis is not.
#[test]
fn many_amoebots_crawl_only_if_there_is_a_light() {
    let cells = start::spiral(Cell::ORIGIN, Direction::East, 16).expect("a small spiral");
    let chain = |lit| Phototaxis::new(&cells, 4.0, lit, Direction::NorthWest).expect("a start");
    let (dark, light) = (off(chain(1.0), 10_000_000, 0.0), off(chain(0.25), 10_000_000, 0.0));
    assert!(dark.abs() < 5.0, "{dark}");
    assert!(light.abs() > 10.0, "{light}");
}

/// In waves and in windows of tiles the amoebots move towards the light as well, but not if the light makes no
/// difference.
#[test]
fn many_crawl_in_waves_and_in_tiles() {
    let cells = start::spiral(Cell::ORIGIN, Direction::East, 60).expect("a small spiral");
    for (locked, times) in
        [(LockedChain::new as fn(Phototaxis, u64) -> _, 40_000), (LockedChain::with_tiles, 1_000)]
    {
        // The mean drift of some runs, and its standard error.
        let drift = |lit, light, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let drifts: Vec<f64> = (0..24)
                .map(|seed| {
                    let chain = Phototaxis::new(&cells, 4.0, lit, light).expect("a start");
                    let mut locked = locked(chain, seed);
                    pool.install(|| locked.run(times)).expect("a small grid");
                    let shape = Shape::from_cells(locked.chain().cells()).expect("some cells");
                    assert!(shape.is_connected() && shape.holes() == 0 && shape.cells().len() == 60);
                    locked.chain().drift()
                })
                .collect();
            let n = drifts.len() as f64;
            let mean = drifts.iter().sum::<f64>() / n;
            let squares: f64 = drifts.iter().map(|drift| (drift - mean).powi(2)).sum();
            (mean, (squares / (n - 1.0) / n).sqrt())
        };
        for light in [Direction::East, Direction::SouthWest] {
            let (mean, error) = drift(0.25, light, 1);
            let (dark, uncertain) = drift(1.0, light, 1);
            println!("{light:?}: {mean:.3} ± {error:.3} with a light, {dark:.3} ± {uncertain:.3} without");
            assert!(mean > 5.0 * error && dark.abs() < 5.0 * uncertain);
            assert_eq!(drift(0.25, light, 3), (mean, error));
        }
    }
}

#[test]
fn the_grid_follows() {
    let mut chain = Phototaxis::new(&[cell(0, 0), cell(1, 0)], 1.0, 0.25, Direction::East).expect("a start");
    steps::the_grid_follows(&mut chain);
}

#[test]
fn a_walk_over_the_limit_is_an_error() {
    steps::a_walk_over_the_limit_is_an_error(|cells| Phototaxis::new(cells, 1.0, 0.25, Direction::East));
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let pair = [cell(0, 0), cell(1, 0)];
    let error = |cells: &[Cell], lambda, lit| {
        Phototaxis::new(cells, lambda, lit, Direction::East).expect_err("a bad start")
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let lambda = error(&pair, bad, 0.5).to_string();
        assert_eq!(lambda, format!("lambda is {bad} (accepted: finite numbers above 0)"));
    }
    for bad in [-0.1, 1.1, f64::NAN] {
        let lit = error(&pair, 4.0, bad).to_string();
        assert_eq!(lit, format!("lit is {bad} (accepted: numbers from 0e0 to 1e0)"));
    }
    assert!(Phototaxis::new(&pair, 4.0, 0.0, Direction::West).is_ok());
    refuses_bad_chains(|cells| error(cells, 4.0, 0.25));
}
