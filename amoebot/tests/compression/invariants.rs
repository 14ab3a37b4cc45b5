//! The amoebots are connected and without holes after every step.

use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::chain::{MOVES, MoveTable};
use acrasin_amoebot::{Cell, Direction, Shape, start};
use acrasin_runtime::{FixedProbability, Seeded};

use super::{without_hold, without_properties};
use crate::steps;

/// A blob without holes.
fn blob(n: usize) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    let blobs = (0..100)
        .map(|seed| start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).expect("a blob"));
    let hole_free =
        |cells: &Vec<Cell>| Shape::from_cells(cells.iter().copied()).expect("some cells").holes() == 0;
    blobs.into_iter().find(hole_free).expect("some blob has no holes")
}

fn starts() -> Vec<Vec<Cell>> {
    let line = |direction, n| start::line(Cell::ORIGIN, direction, n).expect("a short line");
    let spiral = |n| start::spiral(Cell::ORIGIN, Direction::West, n).expect("a small spiral");
    vec![
        line(Direction::East, 1),
        line(Direction::NorthWest, 2),
        line(Direction::East, 30),
        line(Direction::NorthEast, 12),
        spiral(7),
        spiral(37),
        blob(40),
    ]
}

/// The first fault after a step; `None` if there is none: several parts, holes, or a wrong number of edges.
fn first_fault(cells: &[Cell], lambda: f64, moves: &MoveTable, steps: u64) -> Option<String> {
    let mut chain = Chain::with_moves(cells, lambda, moves).expect("a start");
    let mut choices = Seeded::new(17);
    for step in 0..steps {
        if chain.step(&mut choices).expect("a small grid") {
            let now = chain.cells();
            let shape = Shape::from_cells(now.iter().copied()).expect("some cells");
            let found = (shape.cells().len(), shape.components(), shape.holes(), shape.edges() as u64);
            if found != (cells.len(), 1, 0, chain.edges()) {
                return Some(format!("step {step}: cells, parts, holes, edges {found:?}"));
            }
        }
    }
    assert_eq!(chain.steps(), steps);
    None
}

#[test]
fn amoebots_stay_connected_without_holes() {
    for cells in starts() {
        for lambda in [0.5, 1.0, 2.0, 4.0, 6.0] {
            assert_eq!(
                first_fault(&cells, lambda, &MOVES, 20_000),
                None,
                "{} amoebots, {lambda}",
                cells.len()
            );
        }
    }
}

#[test]
fn rules_left_out_are_noticed() {
    for cells in starts().into_iter().filter(|cells| cells.len() > 7) {
        let fault = first_fault(&cells, 1.0, &without_properties(), 20_000);
        assert!(fault.is_some(), "{} amoebots without properties", cells.len());
    }
    // Holes need amoebots close together.
    let hexagon = start::spiral(Cell::ORIGIN, Direction::East, 37).expect("a small spiral");
    assert!(first_fault(&hexagon, 4.0, &without_hold(), 20_000).expect("a hole").contains("(37, 1, 1, "));
}

/// Two amoebots walk away from the initial grid.
#[test]
fn the_grid_follows() {
    let start = start::line(Cell::ORIGIN, Direction::East, 2).expect("a short line");
    let mut chain = Chain::new(&start, 1.0).expect("a start");
    steps::the_grid_follows(&mut chain);
}
