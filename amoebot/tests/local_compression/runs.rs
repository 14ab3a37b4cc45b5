//! Long runs under uniform activation, sampled only when no amoebot is expanded.

use acrasin_amoebot::library::local_compression::{Action, Memory};
use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
use acrasin_amoebot::{Algorithm, Cell, Direction, LocalCompression, start};
use acrasin_runtime::Seeded;

use super::{Mistake, SHAPES_WITH_EDGES, Wrong, algorithm, law_of_chain, tails};

/// The chi-squared statistic of a correct sampler exceeds this with probability 1e-6, for 1 to 4 degrees of
/// freedom.
const LIMITS: [f64; 4] = [23.928, 27.631, 30.665, 33.377];

const SAMPLES: usize = 1_200;

/// A number of samples that suffices to reject a chain with a very wrong distribution.
const FEW_SAMPLES: usize = 300;

/// Edge counts of one run, sampled every `8 n²` activations. A sample with an expanded amoebot is void: waiting
/// until there is none would change the distribution.
fn samples<A>(algorithm: &A, n: usize, count: usize) -> Vec<u64>
where
    A: Algorithm<Memory = Memory, Action = Action>,
{
    let line = start::line(Cell::ORIGIN, Direction::East, n).expect("a short line");
    let mut execution =
        SequentialExecution::new(algorithm, LocalCompression::start(&line, &[]).expect("a start"));
    let mut choices = Seeded::new(2016);
    let mut samples = Vec::new();
    while samples.len() < count + 100 {
        execution.run(8 * (n * n) as u64, &mut Uniform, &mut choices);
        if LocalCompression::is_contracted(execution.system()) {
            samples.push(tails(execution.system()).edges() as u64);
        }
    }
    samples.split_off(100)
}

fn chi_square(samples: &[u64], shapes: &[(u64, u64)], lambda: f64) -> f64 {
    let expected = law_of_chain(shapes, lambda).into_iter().map(|p| p * samples.len() as f64);
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

/// The distribution of the chain holds only approximately. For up to 5 amoebots the error is below 0.015 (see the exact
/// distributions). It adds less than 1200 times its square, 0.3, to the expected chi-squared statistic. For 6 the exact
/// distribution is unknown, as there are too many states; an error of 0.03 would add 1.
#[test]
fn long_runs_have_the_law_of_the_chain() {
    for (index, (n, shapes)) in SHAPES_WITH_EDGES.into_iter().enumerate() {
        for &lambda in if n == 3 { &[1.0, 4.0][..] } else { &[4.0] } {
            let samples = samples(&algorithm(lambda), n, SAMPLES);
            let (statistic, correlation) = (chi_square(&samples, shapes, lambda), correlation(&samples));
            println!("n = {n}, lambda = {lambda}: {statistic:.2}, {correlation:.2}");
            assert!(statistic < LIMITS[index], "n = {n}, lambda = {lambda}: {statistic}");
            let other = chi_square(&samples, shapes, lambda / 2.0);
            assert!(other > LIMITS[index], "n = {n}: the law of half of lambda passes: {other}");
            assert!(correlation.abs() < 5.0, "n = {n}, lambda = {lambda}: dependent samples: {correlation}");
        }
    }
}

#[test]
fn biased_variants_are_rejected() {
    for (index, (n, shapes)) in SHAPES_WITH_EDGES.into_iter().enumerate() {
        let count = if n == 3 { SAMPLES } else { FEW_SAMPLES };
        let ignores = samples(&Wrong(algorithm(4.0), Mistake::IgnoresBias), n, count);
        let halved = samples(&algorithm(2.0), n, count);
        for (what, samples) in [("no bias", ignores), ("half of lambda", halved)] {
            let statistic = chi_square(&samples, shapes, 4.0);
            println!("n = {n}, {what}: {statistic:.2}");
            assert!(statistic > LIMITS[index], "n = {n}: {what} passes: {statistic}");
        }
    }
}

#[test]
fn without_the_flag_long_runs_are_rejected() {
    for (index, (n, shapes)) in SHAPES_WITH_EDGES.into_iter().enumerate().take(3) {
        let samples = samples(&Wrong(algorithm(4.0), Mistake::AlwaysFlag), n, SAMPLES);
        let statistic = chi_square(&samples, shapes, 4.0);
        println!("n = {n}: {statistic:.2}");
        assert!(statistic > LIMITS[index], "n = {n}: {statistic}");
    }
}
