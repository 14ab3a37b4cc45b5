//! Long runs compared with the exact distribution, by perimeter and gap perimeter.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use acrasin_amoebot::Bridging;
use acrasin_amoebot::chain::LockedChain;
use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::model::lattice::Direction;
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::{Choices, Decision, Scripted};

use super::{Mistake, State, World, cell, moves, worlds};
use crate::steps::correlation;

const SAMPLES: usize = 12_000;
/// A number of samples that suffices to detect a chain with a very wrong distribution.
const FEW_SAMPLES: usize = 4_000;
/// The number of steps between samples: enough that no dependence is visible.
const APART: usize = 1_200;

/// The anchors at a shore, three cells apart on land, with one amoebot more than the number needed to connect them.
fn world() -> World {
    World { amoebots: 3, ..worlds().swap_remove(0) }
}

fn start(world: &World) -> State {
    world.space().pop_first().expect("some state")
}

/// The values p and 2 g of one run.
fn samples(count: usize, mut step: impl FnMut() -> (u64, u64)) -> Vec<(u64, u64)> {
    let mut next = || (0..APART).map(|_| step()).last().expect("some steps");
    (0..count + 100).map(|_| next()).skip(100).collect()
}

fn right_samples(lambda: f64, gamma: f64) -> Vec<(u64, u64)> {
    let world = world();
    let mut chain = world.chain(&start(&world), lambda, gamma);
    let mut choices = Seeded::new(2018);
    samples(SAMPLES, || {
        chain.step(&mut choices).expect("room for all");
        (chain.perimeter(), chain.gap_perimeter())
    })
}

/// The samples of a run computed from the definitions, with a planted mistake.
fn samples_with(lambda: f64, gamma: f64, mistake: Mistake) -> Vec<(u64, u64)> {
    let world = world();
    let space: Vec<State> = world.space().into_iter().collect();
    let number = |state: &State| space.binary_search(state).expect("a state of the space");
    // Indexed by 6 times the amoebot plus the direction.
    let row = |state: &State| {
        let mut row = vec![(number(state), 0); 6 * world.amoebots];
        for (from, direction, to, probability) in moves(&world, state, (lambda, gamma), mistake) {
            let amoebot = state.iter().position(|cell| *cell == from).expect("one of them");
            let accepted = (probability * f64::from(1_u32 << 31)).round() as u32;
            row[6 * amoebot + usize::from(direction.index())] = (number(&to), accepted);
        }
        row
    };
    let table: Vec<Vec<(usize, u32)>> = space.iter().map(row).collect();
    let measures: Vec<(u64, u64)> = space.iter().map(|state| world.perimeters(state)).collect();
    let mut choices = Seeded::new(2018);
    let mut pick =
        move |bound: usize, why| choices.pick(NonZeroU32::new(bound as u32).expect("above 0"), why);
    let mut at = number(&start(&world));
    samples(FEW_SAMPLES, || {
        let (to, accepted) = table[at][pick(6 * world.amoebots, Decision::Action) as usize];
        if pick(1 << 31, Decision::Outcome) < accepted {
            at = to;
        }
        measures[at]
    })
}

/// The chi-squared statistic of the samples, and its degrees of freedom. Values that are expected fewer than 10
/// times are merged.
fn chi_square(samples: &[(u64, u64)], lambda: f64, gamma: f64) -> (f64, usize) {
    let world = world();
    let mut expected: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    for (state, p) in world.law(lambda, gamma) {
        *expected.entry(world.perimeters(&state)).or_default() += p * samples.len() as f64;
    }
    assert!(samples.iter().all(|sample| expected.contains_key(sample)));
    let count = |value| samples.iter().filter(|sample| *sample == value).count() as f64;
    let mut terms = Vec::new();
    let mut rare = (0.0, 0.0);
    for (value, expected) in &expected {
        if *expected < 10.0 {
            rare = (rare.0 + count(value), rare.1 + expected);
        } else {
            terms.push((count(value), *expected));
        }
    }
    if rare.1 > 0.0 {
        terms.push(rare);
    }
    (terms.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum(), terms.len() - 1)
}

/// A correct sampler's statistic exceeds this with a probability of about 1e-6: the quantile by Wilson and
/// Hilferty.
fn limit(degrees: usize) -> f64 {
    let ninth = 2.0 / (9.0 * degrees as f64);
    degrees as f64 * (1.0 - ninth + 4.753_424 * ninth.sqrt()).powi(3)
}

#[test]
fn long_runs_have_the_known_law() {
    for (lambda, gamma) in [(4.0, 2.0), (2.0, 0.5), (1.0, 4.0)] {
        let samples = right_samples(lambda, gamma);
        let (statistic, degrees) = chi_square(&samples, lambda, gamma);
        let correlation = correlation(&samples);
        println!("{lambda} {gamma}: {statistic:.2} of {:.2}, {degrees}, {correlation:.2}", limit(degrees));
        assert!(degrees >= 4, "{degrees}");
        assert!(statistic < limit(degrees), "{lambda} {gamma}: {statistic}");
        assert!(correlation.abs() < 5.0, "{lambda} {gamma}: dependent samples: {correlation}");
    }
}

/// Runs with locks on cells have the same distribution, over land and gap.
#[test]
fn waves_and_windows_have_the_known_law() {
    // An amoebot acts in one of eight to sixteen waves, in one of three steps, and four times in a window. So
    // four waves stand for a step, and a window for sixteen.
    for (is_in_tiles, times, steps) in [(false, 4, 1), (true, 1, 16)] {
        let found = |lambda, gamma| {
            let world = world();
            let chain = world.chain(&start(&world), lambda, gamma);
            let mut locked = if is_in_tiles {
                LockedChain::with_tiles(chain, 2018)
            } else {
                LockedChain::new(chain, 2018)
            };
            let mut asked = 0;
            samples(FEW_SAMPLES, || {
                if asked % steps == 0 {
                    locked.run(times).expect("room for all");
                }
                asked += 1;
                (locked.chain().perimeter(), locked.chain().gap_perimeter())
            })
        };
        for (lambda, gamma) in [(4.0, 2.0), (2.0, 0.5)] {
            let samples = found(lambda, gamma);
            let (statistic, degrees) = chi_square(&samples, lambda, gamma);
            println!("{lambda} {gamma}: {statistic:.2} of {:.2}, {degrees}", limit(degrees));
            assert!(degrees >= 4 && statistic < limit(degrees), "{lambda} {gamma}: {statistic}");
            assert!(correlation(&samples).abs() < 5.0, "dependent samples");
        }
        let (statistic, degrees) = chi_square(&found(4.0, 1.5), 4.0, 2.0);
        assert!(statistic > limit(degrees), "another bias is rejected: {statistic}");
    }
}

#[test]
fn biased_chains_are_rejected() {
    let judge = |what: &str, samples: &[(u64, u64)], rejected: bool| {
        let (statistic, degrees) = chi_square(samples, 4.0, 2.0);
        println!("{what}: {statistic:.2} of {:.2}", limit(degrees));
        assert_eq!(statistic > limit(degrees), rejected, "{what}: {statistic}");
    };
    judge("by the definitions", &samples_with(4.0, 2.0, Mistake::None), false);
    judge("halves as wholes", &samples_with(4.0, 2.0, Mistake::HalvesAsWholes), true);
    judge("the gap pays", &samples_with(4.0, 2.0, Mistake::GapPays), true);
    judge("own gap only", &samples_with(4.0, 2.0, Mistake::OwnGapOnly), true);
    judge("gamma off by a fifth", &right_samples(4.0, 1.6), true);
    judge("lambda off by a fifth", &right_samples(4.8, 2.0), true);
}

/// A step makes the draws that the documentation names.
#[test]
fn q_is_compared_to_62_digits() {
    // Off the anchor's land, with one neighbour before and after: 2 g goes from 2 to 4.
    let land = |cell: acrasin_amoebot::Cell| cell.y() < 1;
    let bridge = || Bridging::new(&[cell(1, 0)], &[cell(0, 0)], land, 4.0, 4.0).expect("a start");
    assert_eq!((bridge().perimeter(), bridge().gap_perimeter()), (2, 0));
    assert_eq!(bridge().acceptance(0, Direction::NorthWest), Chain::CERTAIN >> 2);
    let moved = |high: u32, low: &[u32]| {
        let mut chain = bridge();
        let picks: Vec<u32> =
            [0, Direction::NorthWest.index().into(), high].into_iter().chain(low.iter().copied()).collect();
        let mut script = Scripted::new(&picks);
        let moved = chain.step(&mut script).expect("room for all");
        assert_eq!(script.fault(), None);
        assert_eq!((chain.steps(), chain.moves()), (1, u64::from(moved)));
        assert_eq!(chain.gap_perimeter(), if moved { 2 } else { 0 });
        moved
    };
    assert!(moved((1 << 29) - 1, &[]));
    assert!(!moved(1 << 29, &[0]));
    assert!(!moved((1 << 29) + 1, &[]));
}
