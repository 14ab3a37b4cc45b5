//! Fifty amoebots under random and other schedules, and starts that are refused.

use acrasin_amoebot::library::basic_shape::{BasicShape, TargetShape};
use acrasin_amoebot::run::execution::{FromFn, RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::{Adversary, Cell, Direction, EnabledSet, SequentialExecution, start};
use acrasin_runtime::{FixedProbability, Seeded};

use super::{FORMS, accepted};
use crate::refused::refuses_bad_seeds;

/// Runs from a blob that grew from the seed until the run ends. The final system must be correct.
fn run(form: TargetShape, n: usize, seed: u64, activation: &mut impl Adversary) -> Vec<Cell> {
    let mut choices = Seeded::new(seed);
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let cells = start::blob(Cell::ORIGIN, n, acceptance, &mut choices).expect("a blob");
    let system = BasicShape::start(&cells, 0, &[]).expect("a blob is connected");
    let algorithm = BasicShape { form };
    let mut execution = SequentialExecution::new(&algorithm, system);
    assert!(execution.run(10_000_000, activation, &mut choices), "{form:?}, n = {n}, seed {seed}: no end");
    assert!(BasicShape::is_finished(execution.system()));
    assert_eq!(execution.counts().failures, 0, "enabled actions succeed");
    let cells = execution.system().cells();
    assert!(
        accepted(form, Cell::ORIGIN, Direction::East, n).contains(&cells),
        "{form:?}, n = {n}, seed {seed}: {cells:?}"
    );
    cells
}

#[test]
fn fifty_amoebots_at_random() {
    for form in FORMS {
        for seed in 1..=3 {
            run(form, 50, seed, &mut Uniform);
            run(form, 50, seed, &mut UniformEnabled);
        }
    }
}

#[test]
fn unfair_and_regular_schedules() {
    for form in FORMS {
        for n in [1, 2, 7, 10, 50] {
            run(form, n, 4, &mut RoundRobinActivation::default());
            let last = |enabled: &EnabledSet| *enabled.ids().iter().max().expect("some");
            run(form, n, 4, &mut FromFn(last));
            let first = |enabled: &EnabledSet| *enabled.ids().iter().min().expect("some");
            run(form, n, 4, &mut FromFn(first));
        }
    }
}

/// The line is unique only up to the position of the seed.
#[test]
fn the_seed_is_not_always_at_the_same_place_of_the_line() {
    let first = run(TargetShape::Line, 50, 1, &mut Uniform);
    assert!((2..=3).any(|seed| run(TargetShape::Line, 50, seed, &mut Uniform) != first));
}

#[test]
fn starts_that_cannot_be_are_refused() {
    refuses_bad_seeds("seed", |cells, seed| BasicShape::start(cells, seed, &[]).expect_err("a bad start"));
}
