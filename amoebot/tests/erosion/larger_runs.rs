//! Several hundred amoebots under random and other schedules.

use acrasin_amoebot::library::erosion::Memory;
use acrasin_amoebot::run::execution::{FromFn, RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::{
    Adversary, Cell, Chirality, Direction, EnabledSet, Erosion, Orientation, SequentialCounts,
    SequentialExecution, System, start,
};
use acrasin_runtime::Seeded;

/// Every amoebot has another frame: all directions, both chiralities.
fn started(cells: &[Cell]) -> System<Memory> {
    let frames: Vec<Orientation> = Orientation::all().collect();
    let orientations: Vec<Orientation> = (0..cells.len()).map(|i| frames[(i * 7) % 12]).collect();
    assert!(orientations.iter().any(|own| own.chirality == Chirality::Mirrored) || cells.len() < 3);
    Erosion::start(cells, &orientations).expect("connected, no hole")
}

fn line(n: usize) -> Vec<Cell> {
    start::line(Cell::ORIGIN, Direction::NorthWest, n).expect("a short line")
}

/// A full hexagon, in which amoebots have as many neighbours as possible.
fn hexagon(n: usize) -> Vec<Cell> {
    start::spiral(Cell::ORIGIN, Direction::West, n).expect("a spiral")
}

/// A winding path with a gap between its windings: nearly every amoebot has two separate neighbours.
fn coil(n: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::ORIGIN];
    for side in 0.. {
        let direction = Direction::from_index((side % 6) as u8);
        // Two more cells per turn, in steps, keep one empty cell between the windings.
        for _ in 0..(side / 3 + 2) {
            if cells.len() == n {
                return cells;
            }
            let last = *cells.last().expect("one or more");
            cells.push(last.neighbour(direction).expect("near the origin"));
        }
    }
    cells
}

const STARTS: [fn(usize) -> Vec<Cell>; 3] = [line, hexagon, coil];

/// Runs to the end, and checks that there is one leader after 2n actions.
fn run(cells: &[Cell], seed: u64, activation: &mut impl Adversary) -> SequentialCounts {
    let mut execution = SequentialExecution::new(&Erosion, started(cells));
    assert!(execution.run(10_000_000, activation, &mut Seeded::new(seed)), "seed {seed}: no end");
    assert!(Erosion::is_finished(execution.system()), "seed {seed}");
    let counts = execution.counts();
    assert_eq!((counts.actions, counts.moves, counts.failures), (2 * cells.len() as u64, 0, 0));
    counts
}

#[test]
fn uniform_runs_elect_one_leader() {
    for start in STARTS {
        for seed in 0..10 {
            run(&start(300), seed, &mut Uniform);
        }
    }
}

#[test]
fn every_activation_elects_one_leader() {
    for start in STARTS {
        for n in [1, 2, 7, 50, 300] {
            let cells = start(n);
            run(&cells, 1, &mut RoundRobinActivation::default());
            run(&cells, 1, &mut UniformEnabled);
            // Unfair: always the last one, or the first, that is enabled.
            run(&cells, 1, &mut FromFn(|enabled: &EnabledSet| *enabled.ids().iter().max().expect("some")));
            run(&cells, 1, &mut FromFn(|enabled: &EnabledSet| *enabled.ids().iter().min().expect("some")));
        }
    }
}

#[test]
fn a_uniform_run_can_be_stopped_before_its_end() {
    let mut execution = SequentialExecution::new(&Erosion, started(&line(300)));
    assert!(!execution.run(300, &mut Uniform, &mut Seeded::new(1)));
    assert_eq!(Erosion::leader(execution.system()), None);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let counts = STARTS.map(|start| run(&start(300), 11, &mut Uniform));
    let found = counts.map(|counts| (counts.activations, counts.rounds, counts.sweeps));
    // A line and a coil are both paths: the same run.
    let path = (46_155, 102, 23);
    assert_eq!(found, [path, (6296, 8, 3), path]);
    let mut choices = Seeded::new(11);
    let mut execution = SequentialExecution::new(&Erosion, started(&hexagon(300)));
    assert!(execution.run(10_000_000, &mut Uniform, &mut choices));
    let leader = Erosion::leader(execution.system()).expect("one leader");
    assert_eq!(execution.system().body(leader).head(), Cell::new(-3, 2).expect("near the origin"));
}
