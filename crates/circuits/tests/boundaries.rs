//! The boundary test on all shapes of up to six cells, against flooding of the outside.

use std::collections::BTreeSet;

use acrasin_amoebot::Cell;
use acrasin_circuits::CircuitRun;
use acrasin_circuits::library::BoundaryTest;

use crate::structures::{Numbers, blob, cell, common, ran, shapes};

/// The empty cells that are connected with infinity, within a box around the structure.
fn outside(cells: &[Cell]) -> BTreeSet<Cell> {
    let low = cells.iter().map(|cell| cell.x().min(cell.y())).min().unwrap() - 1;
    let high = cells.iter().map(|cell| cell.x().max(cell.y())).max().unwrap() + 1;
    let inside = |cell: &Cell| (low..=high).contains(&cell.x()) && (low..=high).contains(&cell.y());
    let mut reached = BTreeSet::from([cell(low, low)]);
    let mut stack = vec![cell(low, low)];
    while let Some(at) = stack.pop() {
        for next in at.neighbours().filter(inside) {
            if !cells.contains(&next) && reached.insert(next) {
                stack.push(next);
            }
        }
    }
    reached
}

/// Whether each boundary has one leader. Boundaries are determined by flooding the empty cells.
fn has_right_answers(cells: &[Cell], run: &CircuitRun<BoundaryTest>) -> bool {
    let outside = outside(cells);
    cells.iter().zip(run.memories()).all(|(at, memory)| {
        let has = |label: u8| cells.contains(&at.neighbours().nth(usize::from(label - 1)).unwrap());
        let firsts: Vec<u8> = match (1..=6).any(has) {
            false => vec![1],
            true => (1..=6).filter(|label| !has(*label) && has((label + 4) % 6 + 1)).collect(),
        };
        let right = firsts
            .iter()
            .map(|first| outside.contains(&at.neighbours().nth(usize::from(first - 1)).unwrap()));
        memory.parts.iter().map(|part| part.is_outer == Some(true)).eq(right) && memory.has_inner.is_some()
    })
}

/// Checks the result on a shape. With many repetitions leaders are almost always unique; a run with two leaders on one
/// boundary is repeated with another seed.
fn check(cells: &[Cell], has_holes: bool) {
    let run = (0..20).map(|seed| ran(common(cells, 4), BoundaryTest { repetitions: 6 }, seed));
    let run = run.into_iter().find(|run| has_right_answers(cells, run));
    let run = run.unwrap_or_else(|| panic!("{cells:?}"));
    assert!(run.memories().iter().all(|memory| memory.has_inner == Some(has_holes)), "{cells:?}");
}

#[test]
fn all_shapes_of_up_to_six_cells() {
    for shape in shapes(6) {
        check(shape.cells(), shape.holes() > 0);
    }
}

#[test]
fn larger_structures_with_holes() {
    let ring: Vec<Cell> = acrasin_amoebot::start::hexagon(Cell::ORIGIN, 5).unwrap();
    let holes = [cell(0, 0), cell(2, 0), cell(-2, 2), cell(-2, 1), cell(0, -2)];
    let cells: Vec<Cell> = ring.into_iter().filter(|at| !holes.contains(at)).collect();
    check(&cells, true);
    let mut numbers = Numbers::new(4);
    for _ in 0..10 {
        let cells = blob(60, &mut numbers);
        let holes = acrasin_amoebot::Shape::from_cells(cells.iter().copied()).unwrap().holes();
        check(&cells, holes > 0);
    }
}

/// Nearly all runs are correct, since the probability of two leaders is small.
#[test]
fn most_seeds_are_right_at_once() {
    let cells: Vec<Cell> = acrasin_amoebot::start::ring(
        Cell::ORIGIN,
        acrasin_amoebot::start::RingSize { hole_side: 1, width: 1 },
    )
    .unwrap();
    let right = (0..200).filter(|seed| {
        let run = ran(common(&cells, 4), BoundaryTest { repetitions: 6 }, *seed);
        has_right_answers(&cells, &run)
    });
    assert!(right.count() >= 195);
}
