//! The tails are connected and without holes after every action.

use acrasin_amoebot::library::local_compression::{Action, Memory};
use acrasin_amoebot::run::execution::{Adversary, SequentialExecution, Uniform, UniformEnabled};
use acrasin_amoebot::{Algorithm, Cell, Direction, LocalCompression, Orientation, start};
use acrasin_runtime::Seeded;

use super::{Mistake, Wrong, algorithm, tails};

/// The first fault after an action, if any.
fn first_fault<A>(algorithm: &A, cells: &[Cell], mut activation: impl Adversary, most: u64) -> Option<String>
where
    A: Algorithm<Memory = Memory, Action = Action>,
{
    let all: Vec<Orientation> = Orientation::all().collect();
    let orientations: Vec<Orientation> = all.into_iter().cycle().take(cells.len()).collect();
    let start = LocalCompression::start(cells, &orientations).expect("a start");
    let mut execution = SequentialExecution::new(algorithm, start);
    let mut choices = Seeded::new(2016);
    for _ in 0..most {
        let before = execution.counts().moves;
        assert!(!execution.run(1, &mut activation, &mut choices), "it never ends");
        if execution.counts().moves > before {
            let shape = tails(execution.system());
            let found = (shape.cells().len(), shape.components(), shape.holes());
            if found != (cells.len(), 1, 0) {
                return Some(format!("cells, parts, holes {found:?}"));
            }
        }
    }
    assert_eq!(execution.counts().failures, 0);
    assert!(execution.counts().moves > most / 20, "{:?}", execution.counts());
    None
}

fn starts() -> Vec<Vec<Cell>> {
    let line = |n| start::line(Cell::ORIGIN, Direction::NorthEast, n).expect("a short line");
    let spiral = |n| start::spiral(Cell::ORIGIN, Direction::West, n).expect("a small spiral");
    vec![line(1), line(2), line(5), spiral(7), line(30), spiral(30)]
}

#[test]
fn tails_stay_connected_without_holes() {
    for cells in starts() {
        for lambda in [0.5, 1.0, 2.0, 4.0, 6.0] {
            let algorithm = algorithm(lambda);
            let faults = [
                first_fault(&algorithm, &cells, Uniform, 5_000),
                first_fault(&algorithm, &cells, UniformEnabled, 5_000),
            ];
            assert_eq!(faults, [None, None], "{} amoebots, lambda = {lambda}", cells.len());
        }
    }
}

#[test]
fn heads_that_count_are_noticed() {
    for cells in starts().iter().filter(|cells| cells.len() >= 5) {
        let wrong = Wrong(algorithm(1.0), Mistake::HeadsCount);
        for fault in
            [first_fault(&wrong, cells, Uniform, 5_000), first_fault(&wrong, cells, UniformEnabled, 5_000)]
        {
            assert!(fault.is_some(), "{} amoebots", cells.len());
        }
    }
}
