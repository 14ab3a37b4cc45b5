//! Starts that are refused, with the cells named.

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::erosion::Memory;
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{Cell, Direction, Erosion, Orientation, Shape, start};

use super::unchecked;
use crate::refused::{refuses_bad_cells, refuses_what_is_not_connected};

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("a cell near the origin")
}

fn refused(cells: &[Cell]) -> StartError {
    Erosion::start(cells, &[]).expect_err("a bad start")
}

#[test]
fn no_cells_or_one_twice() {
    refuses_bad_cells(refused);
}

#[test]
fn cells_that_are_not_connected() {
    refuses_what_is_not_connected(refused);
    // As far apart as the lattice allows. For a part with a hole, being disconnected is reported first.
    let max = Cell::COORDINATE_MAX;
    let far = [cell(-max, -max), cell(max, max)];
    assert_eq!(refused(&far), StartError::Disconnected { from: far[0], cell: far[1] });
    let ring_and_more: Vec<Cell> = Cell::ORIGIN.neighbours().chain([cell(0, 9)]).collect();
    assert!(matches!(refused(&ring_and_more), StartError::Disconnected { .. }));
}

#[test]
fn cells_with_a_hole() {
    let centre = cell(-7, 3);
    let ring: Vec<Cell> = centre.neighbours().collect();
    assert_eq!(refused(&ring), StartError::Hole { cell: centre });
    assert_eq!(refused(&ring).to_string(), "cell (-7, 3) is empty and enclosed: the cells must have no hole");
    assert!(Erosion::start(&ring[1..], &[]).is_ok());
}

/// Whether no walk over empty cells leads away from the shape.
fn is_enclosed(shape: &Shape, cell: Cell) -> bool {
    let mut reached = BTreeSet::from([cell]);
    let mut open = vec![cell];
    let near = -1..=shape.cells().len() as i32;
    while let Some(at) = open.pop() {
        if shape.cells().contains(&at) {
            continue;
        }
        if !near.contains(&at.x()) || !near.contains(&at.y()) {
            return false;
        }
        open.extend(at.neighbours().filter(|next| reached.insert(*next)));
    }
    true
}

/// The test recognises holes by Euler's formula and locates them by walking, unlike the check of the start.
#[test]
fn exactly_the_shapes_with_holes_are_refused() {
    let mut refused = [0; 8];
    for n in 1..=8 {
        for shape in Shape::all_connected(n).expect("few cells") {
            match Erosion::start(shape.cells(), &[]) {
                Ok(system) => assert!(shape.holes() == 0 && system.shape() == Ok(shape)),
                Err(error) => {
                    assert!(shape.holes() > 0);
                    refused[n - 1] += 1;
                    let side = n as i32;
                    let mut all = (0..side).flat_map(|x| (0..side).map(move |y| cell(x, y)));
                    let smallest = all.find(|at| !shape.cells().contains(at) && is_enclosed(&shape, *at));
                    assert_eq!(error, StartError::Hole { cell: smallest.expect("a hole") });
                }
            }
        }
    }
    assert_eq!(refused, [0, 0, 0, 0, 0, 1, 12, 99]);
}

#[test]
fn holes_inside_holes_and_two_holes_of_different_size() {
    // A hexagon of radius 3 without its inner hexagon of radius 1: the smallest empty cell is named.
    let mut cells = start::spiral(Cell::ORIGIN, Direction::East, 37).expect("a spiral");
    let inner: Vec<Cell> = cells.drain(..7).collect();
    let smallest = *inner.iter().min().expect("seven cells");
    assert_eq!(refused(&cells), StartError::Hole { cell: smallest });
    // With the hole filled except for the cell in the middle, that cell is named.
    cells.extend(inner.iter().filter(|cell| **cell != Cell::ORIGIN));
    assert_eq!(refused(&cells), StartError::Hole { cell: Cell::ORIGIN });
    cells.push(Cell::ORIGIN);
    assert!(Erosion::start(&cells, &[]).is_ok());
}

/// Cells at the limit of the lattice have fewer neighbours; empty cells there still count as outside.
#[test]
fn the_limit_of_the_lattice_encloses_nothing() {
    let max = Cell::COORDINATE_MAX;
    let corner = cell(max, max);
    let round_corner: Vec<Cell> = corner.neighbours().collect();
    assert!(Erosion::start(&round_corner, &[]).is_ok());
    let ring: Vec<Cell> = cell(max - 1, -max + 1).neighbours().collect();
    assert_eq!(refused(&ring), StartError::Hole { cell: cell(max - 1, -max + 1) });
}

/// The goal requires one leader, and that every other amoebot is eroded.
#[test]
fn the_leader_and_the_end_of_an_election() {
    let pair = Shape::from_cells([cell(0, 0), cell(1, 0)]).expect("a shape");
    let mut system = unchecked(&pair, &[Orientation::COMMON], Memory::Eroded);
    assert_eq!((Erosion::leader(&system), Erosion::is_finished(&system)), (None, false));
    for (memory, finished) in
        [(Memory::Eroded, true), (Memory::Candidate, false), (Memory::Null, false), (Memory::Leader, false)]
    {
        system.write(AmoebotId(0), None, memory).expect("its own memory");
        system.write(AmoebotId(1), None, Memory::Leader).expect("its own memory");
        let leader = (memory != Memory::Leader).then_some(AmoebotId(1));
        assert_eq!((Erosion::leader(&system), Erosion::is_finished(&system)), (leader, finished));
    }
}
