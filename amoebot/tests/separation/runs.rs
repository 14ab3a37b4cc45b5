//! Long runs compared with the exact distribution, by edges and edges of one colour.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::{Cell, Direction, Separation, start};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::{Choices, Decision, Scripted};

use super::{edges, law};
use crate::steps::correlation;

const SAMPLES: usize = 30_000;

fn chain(lambda: f64, gamma: f64) -> Separation {
    let line = start::line(Cell::ORIGIN, Direction::East, 4).expect("a short line");
    Separation::new(&line, &[0, 0, 1, 1], lambda, gamma).expect("a start")
}

/// Edges and unlike edges of one run, 320 steps apart.
fn samples(mut step: impl FnMut(), mut look: impl FnMut() -> (u64, u64)) -> Vec<(u64, u64)> {
    let mut next = || {
        (0..320).for_each(|_| step());
        look()
    };
    (0..SAMPLES + 100).map(|_| next()).skip(100).collect()
}

fn right_samples(lambda: f64, gamma: f64) -> Vec<(u64, u64)> {
    let chain = std::cell::RefCell::new(chain(lambda, gamma));
    let mut choices = Seeded::new(2019);
    samples(
        || {
            chain.borrow_mut().step(&mut choices).expect("a small grid");
        },
        || (chain.borrow().edges(), chain.borrow().unlike_edges()),
    )
}

/// Samples of a wrong chain, which makes every swap.
fn samples_ignoring_gamma_in_swaps(lambda: f64, gamma: f64) -> Vec<(u64, u64)> {
    let chain = std::cell::RefCell::new(chain(lambda, gamma));
    let mut choices = Seeded::new(2019);
    let mut pick = move |bound, why| choices.pick(NonZeroU32::new(bound).expect("above 0"), why);
    samples(
        || {
            let mut chain = chain.borrow_mut();
            let (amoebot, direction) = (pick(4, Decision::Activation), pick(6, Decision::Action));
            let cells = chain.cells();
            let target = cells[amoebot as usize].neighbour(Direction::from_index(direction as u8));
            let is_swap = target.is_some_and(|target| cells.contains(&target));
            let acceptance = chain.acceptance(amoebot as usize, Direction::from_index(direction as u8));
            let q = if is_swap { 0 } else { pick(1 << 31, Decision::Outcome) };
            // The second half of q rarely matters.
            let picks = [amoebot, direction, q, 0];
            if acceptance > 0 {
                chain.step(&mut Scripted::new(&picks)).expect("a small grid");
            }
        },
        || (chain.borrow().edges(), chain.borrow().unlike_edges()),
    )
}

/// The chi-squared statistic of the samples.
fn chi_square(samples: &[(u64, u64)], lambda: f64, gamma: f64) -> f64 {
    let mut expected: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    for (state, p) in law(4, lambda, gamma) {
        let (all, like) = edges(&state);
        *expected.entry((all, all - like)).or_default() += p * samples.len() as f64;
    }
    assert!(expected.values().all(|expected| *expected > 5.0), "{expected:?}");
    assert!(samples.iter().all(|sample| expected.contains_key(sample)));
    let term = |(value, expected): (&(u64, u64), &f64)| {
        let count = samples.iter().filter(|sample| *sample == value).count() as f64;
        (count - expected).powi(2) / expected
    };
    assert_eq!(expected.len(), 7, "6 degrees of freedom");
    expected.iter().map(term).sum()
}

/// The chi-squared statistic of a correct sampler exceeds this with probability 1e-6, for the 6 degrees of
/// freedom here.
const LIMIT: f64 = 38.258;

#[test]
fn long_runs_have_the_known_law() {
    for (lambda, gamma) in [(4.0, 4.0), (4.0, 0.25), (1.0, 4.0)] {
        let samples = right_samples(lambda, gamma);
        let (statistic, correlation) = (chi_square(&samples, lambda, gamma), correlation(&samples));
        println!("{lambda} {gamma}: {statistic:.2}, {correlation:.2}");
        assert!(statistic < LIMIT, "{lambda} {gamma}: {statistic}");
        assert!(correlation.abs() < 5.0, "{lambda} {gamma}: dependent samples: {correlation}");
    }
}

#[test]
fn biased_chains_are_rejected() {
    let reject = |what: &str, samples: &[(u64, u64)]| {
        let statistic = chi_square(samples, 4.0, 4.0);
        println!("{what}: {statistic:.2}");
        assert!(statistic > LIMIT, "{what} passes: {statistic}");
    };
    reject("gamma ignored in swaps", &samples_ignoring_gamma_in_swaps(4.0, 4.0));
    reject("gamma off by a tenth", &right_samples(4.0, 3.6));
    reject("lambda off by a tenth", &right_samples(4.4, 4.0));
}

/// A step makes the draws that the documentation names.
#[test]
fn q_is_compared_to_62_digits() {
    let swapped = |high: u32, low: &[u32]| {
        let mut chain = chain(4.0, 4.0);
        let picks: Vec<u32> =
            [1, Direction::East.index().into(), high].into_iter().chain(low.iter().copied()).collect();
        let mut script = Scripted::new(&picks);
        let changed = chain.step(&mut script).expect("a small grid");
        assert_eq!(script.fault(), None);
        changed
    };
    // 1/16 of 2^31.
    assert_eq!(chain(4.0, 4.0).acceptance(1, Direction::East), Chain::CERTAIN >> 4);
    assert!(swapped((1 << 27) - 1, &[]));
    assert!(!swapped(1 << 27, &[0]));
    assert!(!swapped((1 << 27) + 1, &[]));
}
