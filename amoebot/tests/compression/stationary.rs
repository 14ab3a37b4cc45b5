//! Long runs compared with the exact stationary distribution: an edge count e has probability N_n(e) λ^e / Σ.

use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::chain::{MOVES, MoveTable};
use acrasin_amoebot::{Cell, Direction, start};
use acrasin_runtime::Seeded;

use super::{SHAPES_WITH_EDGES, with_wrong_loss};

/// E\[p\] for λ = 1, 2, 4, 6, for each n of [`SHAPES_WITH_EDGES`].
const MEAN_PERIMETERS: [[f64; 4]; 4] = [
    [3.818182, 3.692308, 3.529412, 3.428571],
    [5.590909, 5.261538, 4.848000, 4.622010],
    [7.354839, 6.769231, 6.050992, 5.706093],
    [9.114391, 8.237903, 7.179927, 6.731586],
];
const LAMBDAS: [f64; 4] = [1.0, 2.0, 4.0, 6.0];

/// The chi-squared statistic of a correct sampler exceeds this with probability 1e-6, for 1 to 4 degrees of
/// freedom.
const LIMITS: [f64; 4] = [23.928, 27.631, 30.665, 33.377];

/// The probabilities of the edge counts, the lowest first.
pub(crate) fn law(shapes: &[(u64, u64)], lambda: f64) -> Vec<f64> {
    let weight = |&(edges, count): &(u64, u64)| count as f64 * lambda.powi(edges as i32);
    let sum: f64 = shapes.iter().map(weight).sum();
    shapes.iter().map(|shape| weight(shape) / sum).collect()
}

/// Mean and standard deviation of the perimeter under the distribution.
fn perimeter(n: usize, shapes: &[(u64, u64)], lambda: f64) -> (f64, f64) {
    let moment = |power| {
        let of = |((edges, _), p): (&(u64, u64), f64)| p * ((3 * n - 3) as f64 - *edges as f64).powi(power);
        shapes.iter().zip(law(shapes, lambda)).map(of).sum::<f64>()
    };
    (moment(1), (moment(2) - moment(1).powi(2)).sqrt())
}

/// Edge counts of one run, `10 n²` steps apart; the first counts are left out.
fn samples(n: usize, lambda: f64, moves: &MoveTable, count: usize) -> Vec<u64> {
    let line = start::line(Cell::ORIGIN, Direction::East, n).expect("a short line");
    let mut chain = Chain::with_moves(&line, lambda, moves).expect("a start");
    let mut choices = Seeded::new(2016);
    let mut next = || {
        chain.run(10 * (n * n) as u64, &mut choices).expect("a small grid");
        chain.edges()
    };
    (0..count + 100).map(|_| next()).skip(100).collect()
}

/// The chi-squared statistic of the counts for this λ.
fn chi_square(samples: &[u64], shapes: &[(u64, u64)], lambda: f64) -> f64 {
    let expected = law(shapes, lambda).into_iter().map(|p| p * samples.len() as f64);
    let counts = shapes.iter().map(|(edges, _)| samples.iter().filter(|e| *e == edges).count() as f64);
    counts.zip(expected).map(|(count, expected)| (count - expected).powi(2) / expected).sum()
}

/// The correlation of consecutive samples, in units of its standard error for independent samples.
fn correlation(samples: &[u64]) -> f64 {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<u64>() as f64 / n;
    let off = |e: u64| e as f64 - mean;
    let product: f64 = samples.windows(2).map(|pair| off(pair[0]) * off(pair[1])).sum();
    product / samples.iter().map(|e| off(*e).powi(2)).sum::<f64>() * n.sqrt()
}

#[test]
fn mean_perimeters_of_the_law_are_as_known() {
    for ((n, shapes), known) in SHAPES_WITH_EDGES.into_iter().zip(MEAN_PERIMETERS) {
        for (lambda, known) in LAMBDAS.into_iter().zip(known) {
            let mean = perimeter(n, shapes, lambda).0;
            assert!((mean - known).abs() <= 5.01e-7, "n = {n}, lambda = {lambda}: {mean} {known}");
        }
    }
}

/// A correct sampler fails in any of these runs with probability below 1e-4: 16 chi-squares of 1e-6, and 16
/// correlations and 16 means of 5 standard errors, below 6e-7 each.
#[test]
fn long_runs_have_the_known_law() {
    for ((index, (n, shapes)), known) in (0..).zip(SHAPES_WITH_EDGES).zip(MEAN_PERIMETERS) {
        for (lambda, known) in LAMBDAS.into_iter().zip(known) {
            let count = if lambda == 4.0 { 30_000 } else { 4_000 };
            let samples = samples(n, lambda, &MOVES, count);
            let mean = samples.iter().map(|e| 3 * n as u64 - 3 - e).sum::<u64>() as f64 / count as f64;
            let error = perimeter(n, shapes, lambda).1 / (count as f64).sqrt();
            let (statistic, correlation) = (chi_square(&samples, shapes, lambda), correlation(&samples));
            println!(
                "n = {n}, lambda = {lambda}: {statistic:.2}, {:.2}, {correlation:.2}",
                (mean - known) / error
            );
            assert!((mean - known).abs() < 5.0 * error, "n = {n}, lambda = {lambda}: {mean}, not {known}");
            assert!(statistic < LIMITS[index], "n = {n}, lambda = {lambda}: {statistic}");
            assert!(correlation.abs() < 5.0, "n = {n}, lambda = {lambda}: dependent samples: {correlation}");
        }
    }
}

#[test]
fn biased_chains_are_rejected() {
    for (index, (n, shapes)) in (0..).zip(SHAPES_WITH_EDGES) {
        for lambda in [3.6, 4.4] {
            let statistic = chi_square(&samples(n, lambda, &MOVES, 30_000), shapes, 4.0);
            println!("n = {n}, lambda = {lambda}: {statistic:.2}");
            assert!(statistic > LIMITS[index], "n = {n}: lambda off by a tenth passes: {statistic}");
        }
        if n > 3 {
            let statistic = chi_square(&samples(n, 4.0, &with_wrong_loss(), 30_000), shapes, 4.0);
            println!("n = {n}, wrong loss: {statistic:.2}");
            assert!(statistic > LIMITS[index], "n = {n}: a wrong acceptance passes: {statistic}");
        }
    }
}
