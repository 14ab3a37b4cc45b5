//! Larger systems under random and other schedules.

use acrasin_amoebot::library::hexagon::Memory;
use acrasin_amoebot::run::execution::{FromFn, RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::{
    Adversary, Cell, Direction, EnabledSet, Hexagon, Orientation, SequentialCounts, SequentialExecution,
    System, start,
};
use acrasin_runtime::{FixedProbability, Seeded};

use super::spiral;
use crate::refused::refuses_bad_seeds;

/// A blob of n amoebots that grew from the seed, as in the figures of AmoebotSim.
fn blob(n: usize, choices: &mut Seeded) -> System<Memory> {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let cells = start::blob(Cell::ORIGIN, n, acceptance, choices).expect("a blob");
    Hexagon::start(&cells, 0, &[]).expect("a blob is connected")
}

/// A blob in which every amoebot except the seed has another direction as port 1.
fn turned_blob(n: usize, choices: &mut Seeded) -> System<Memory> {
    let turned = |i| Orientation { first: Direction::from_index((i % 6) as u8), ..Orientation::COMMON };
    let orientations: Vec<Orientation> = (0..n).map(turned).collect();
    let blob = blob(n, choices);
    let cells: Vec<Cell> = blob.ids().map(|id| blob.body(id).head()).collect();
    Hexagon::start(&cells, 0, &orientations).expect("a blob is connected")
}

/// A line from the seed.
fn line(n: usize, _: &mut Seeded) -> System<Memory> {
    let cells = start::line(Cell::ORIGIN, Direction::West, n).expect("a short line");
    Hexagon::start(&cells, 0, &[]).expect("a line is connected")
}

type Start = fn(usize, &mut Seeded) -> System<Memory>;

/// Runs to the end, which must be the spiral around the seed.
fn run(start: Start, n: usize, seed: u64, activation: &mut impl Adversary) -> SequentialCounts {
    let mut choices = Seeded::new(seed);
    let mut execution = SequentialExecution::new(&Hexagon, start(n, &mut choices));
    assert!(execution.run(100_000_000, activation, &mut choices), "n = {n}, seed {seed}: no end");
    assert!(Hexagon::is_finished(execution.system()));
    assert_eq!(execution.system().cells(), spiral(Cell::ORIGIN, Direction::East, n), "n = {n}, seed {seed}");
    let counts = execution.counts();
    assert_eq!(counts.failures, 0, "enabled actions succeed");
    counts
}

const RUNS: u32 = 30;

/// Mean and standard deviation over [`RUNS`] runs.
#[derive(Clone, Copy, Debug)]
struct Sample {
    mean: f64,
    deviation: f64,
}

impl Sample {
    fn of(values: &[u64]) -> Self {
        assert_eq!(values.len(), RUNS as usize);
        let mean = values.iter().sum::<u64>() as f64 / f64::from(RUNS);
        let squares: f64 = values.iter().map(|value| (*value as f64 - mean).powi(2)).sum();
        Self { mean, deviation: (squares / f64::from(RUNS - 1)).sqrt() }
    }

    /// Whether the means differ by at most 4 standard errors of both samples together.
    fn agrees_with(self, other: Self) -> bool {
        let variance = (self.deviation.powi(2) + other.deviation.powi(2)) / f64::from(RUNS);
        (self.mean - other.mean).abs() <= 4.0 * variance.sqrt()
    }
}

/// Rounds as AmoebotSim counts them, and movements.
fn measured(start: Start, n: usize) -> [Sample; 2] {
    let counts: Vec<SequentialCounts> =
        (0..RUNS).map(|seed| run(start, n, seed.into(), &mut Uniform)).collect();
    let of = |field: fn(&SequentialCounts) -> u64| Sample::of(&counts.iter().map(field).collect::<Vec<_>>());
    [of(|counts| counts.sweeps), of(|counts| counts.moves)]
}

/// Results of AmoebotSim on blobs, from 30 runs for each size: rounds and movements.
const AMOEBOTSIM: [(usize, [Sample; 2]); 2] = [
    (50, [Sample { mean: 31.3, deviation: 9.6 }, Sample { mean: 488.0, deviation: 185.0 }]),
    (200, [Sample { mean: 70.1, deviation: 15.0 }, Sample { mean: 2424.0, deviation: 745.0 }]),
];

#[test]
fn rounds_and_moves_are_those_of_amoebotsim() {
    for (n, theirs) in AMOEBOTSIM {
        let ours = measured(blob, n);
        println!("n = {n}: ours {ours:?}, theirs {theirs:?}");
        assert!(ours[0].agrees_with(theirs[0]) && ours[1].agrees_with(theirs[1]), "n = {n}: {ours:?}");
    }
}

#[test]
fn other_starts_do_not_pass_for_blobs() {
    let (n, theirs) = AMOEBOTSIM[0];
    let lines = measured(line, n);
    assert!(!lines[0].agrees_with(theirs[0]) && !lines[1].agrees_with(theirs[1]), "{lines:?}");
}

#[test]
fn every_activation_ends_in_the_spiral() {
    for n in [1, 2, 7, 50] {
        for start in [blob as Start, turned_blob, line] {
            run(start, n, 1, &mut RoundRobinActivation::default());
            run(start, n, 1, &mut UniformEnabled);
            // Unfair: always the last one, or the first, that is enabled.
            run(start, n, 1, &mut FromFn(|enabled: &EnabledSet| *enabled.ids().iter().max().expect("some")));
            run(start, n, 1, &mut FromFn(|enabled: &EnabledSet| *enabled.ids().iter().min().expect("some")));
        }
    }
}

/// Disabled amoebots do nothing, so choosing only among enabled amoebots gives the same distribution of movements.
#[test]
fn activating_only_the_enabled_changes_no_law() {
    let moves = |activation: &dyn Fn(u64) -> SequentialCounts| {
        Sample::of(&(0..u64::from(RUNS)).map(|seed| activation(seed).moves).collect::<Vec<_>>())
    };
    let any = moves(&|seed| run(blob, 50, seed, &mut Uniform));
    let enabled = moves(&|seed| run(blob, 50, seed + 1000, &mut UniformEnabled));
    assert!(any.agrees_with(enabled), "{any:?} {enabled:?}");
    let counts = run(blob, 50, 3, &mut UniformEnabled);
    assert_eq!(counts.activations, counts.actions);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let mut choices = Seeded::new(11);
    let mut execution = SequentialExecution::new(&Hexagon, blob(50, &mut choices));
    assert!(!execution.run(1000, &mut Uniform, &mut choices));
    assert_eq!(execution.system().configuration().digest().to_string(), "525924111c02cf337c18f138a599782c");
    assert!(execution.run(1_000_000, &mut Uniform, &mut choices));
    let counts = execution.counts();
    assert_eq!((counts.activations, counts.actions, counts.moves), (6585, 543, 482));
    assert_eq!((counts.rounds, counts.sweeps), (65, 25));
}

#[test]
fn starts_that_cannot_be_are_refused() {
    refuses_bad_seeds("seed", |cells, seed| Hexagon::start(cells, seed, &[]).expect_err("a bad start"));
}
