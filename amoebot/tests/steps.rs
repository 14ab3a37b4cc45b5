//! Checks of steps that apply to all chains.

use acrasin_amoebot::chain::{ChainError, ChainRule, MarkovChain};
use acrasin_amoebot::{Cell, Direction};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Scripted;

/// Each change that a step can make, with its acceptance. The smallest q forces every possible change, so this
/// shows the actual steps.
pub(crate) fn each_change<R: ChainRule + Clone>(
    start: &MarkovChain<R>,
    mut seen: impl FnMut(&MarkovChain<R>, u64),
) {
    for amoebot in 0..start.cells().len() {
        for direction in Direction::ALL {
            let acceptance = start.acceptance(amoebot, direction);
            let picks = [amoebot as u32, direction.index().into(), 0, 0];
            let mut chain = start.clone();
            let is_made = chain.step(&mut Scripted::new(&picks)).expect("a small grid");
            assert_eq!((is_made, chain.moves()), (acceptance > 0, u64::from(acceptance > 0)));
            if is_made {
                seen(&chain, acceptance);
            }
        }
    }
}

/// Two amoebots walk away from the initial grid.
pub(crate) fn the_grid_follows<R: ChainRule>(chain: &mut MarkovChain<R>) {
    let mut choices = Seeded::new(5);
    let mut furthest = 0;
    for _ in 0..100_000 {
        chain.step(&mut choices).expect("a small grid");
        let cells = chain.cells();
        assert!(cells[0].direction_to(cells[1]).is_some());
        furthest = furthest.max(cells[0].x().abs()).max(cells[0].y().abs());
    }
    assert!(furthest > 100, "beyond several grids: {furthest}");
    assert_eq!(chain.edges(), 1);
}

/// At the limit of the lattice a chain of two stops with an error, and the amoebots have not moved.
pub(crate) fn a_walk_over_the_limit_is_an_error<R: ChainRule>(
    chain: impl FnOnce(&[Cell]) -> Result<MarkovChain<R>, ChainError>,
) {
    let limit = Cell::COORDINATE_MAX - 16;
    let cell = |x| Cell::new(x, 0).expect("within the limit");
    let mut chain = chain(&[cell(limit), cell(limit - 1)]).expect("a start");
    let mut choices = Seeded::new(1);
    loop {
        let (before, steps) = (chain.digest(), chain.steps());
        if let Err(error) = chain.step(&mut choices) {
            assert!(
                matches!(error, ChainError::AtLimit { amoebot: Some(_), cell, .. } if cell.x() > limit),
                "{error}"
            );
            assert_eq!((chain.digest(), chain.steps()), (before, steps));
            break;
        }
        assert!(steps < 10_000_000, "two amoebots leave a grid of 65 cells");
    }
}

/// The correlation of the second values of consecutive samples, in units of its standard error for independent samples.
pub(crate) fn correlation(samples: &[(u64, u64)]) -> f64 {
    let n = samples.len() as f64;
    let mean = samples.iter().map(|sample| sample.1).sum::<u64>() as f64 / n;
    let off = |sample: (u64, u64)| sample.1 as f64 - mean;
    let product: f64 = samples.windows(2).map(|pair| off(pair[0]) * off(pair[1])).sum();
    product / samples.iter().map(|sample| off(*sample).powi(2)).sum::<f64>() * n.sqrt()
}
