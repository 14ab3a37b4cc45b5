//! Trains and the fold of a line into a rhombus.

use acrasin_amoebot::{Body, Cell};
use acrasin_circuits::library::{LineToRhombus, Train};
use acrasin_circuits::{CircuitRun, Coins};

use crate::structures::{cell, common, ran};

fn line(amoebots: i32) -> Vec<Cell> {
    (0..amoebots).map(|x| cell(x, 0)).collect()
}

/// The cell of amoebot i after k folds. Each fold turns (column, row), first (i, 0), into (column / 2, 2 row + column
/// mod 2).
fn folded(number: i32, folds: u32) -> Cell {
    let (x, y) = (0..folds).fold((number, 0), |(x, y), _| (x / 2, 2 * y + x % 2));
    cell(x, y)
}

#[test]
fn a_line_of_a_power_of_four_becomes_a_rhombus() {
    for folds in 0..=6 {
        let amoebots = 4_i32.pow(folds);
        let run = ran(common(&line(amoebots), 3), LineToRhombus, 0);
        assert_eq!(run.rounds_done(), u64::from(4 * folds + 2));
        for (number, body) in run.structure().bodies().iter().enumerate() {
            assert_eq!(*body, Body::contracted(folded(number as i32, folds)));
        }
    }
}

/// Lines of up to 4^10 = 1,048,576 amoebots fold into rhombi.
#[test]
#[ignore = "minutes without optimisation"]
fn a_line_of_a_million_becomes_a_rhombus() {
    for folds in 7..=10 {
        let amoebots = 4_i32.pow(folds);
        let run = ran(common(&line(amoebots), 3), LineToRhombus, 0);
        assert_eq!(run.rounds_done(), u64::from(4 * folds + 2));
        let bodies = run.structure().bodies().iter().enumerate();
        assert!(bodies.into_iter().all(|(number, body)| body.head() == folded(number as i32, folds)));
    }
}

#[test]
fn a_row_expands_by_its_length_and_back() {
    for amoebots in 1..20 {
        let mut run =
            CircuitRun::new(common(&line(amoebots), 0), Train::row(amoebots as usize, 1), Coins::keyed(0))
                .unwrap();
        assert!(run.round().unwrap());
        let last = run.structure().bodies()[amoebots as usize - 1];
        assert_eq!(last.head(), cell(2 * amoebots - 1, 0));
        assert!(run.round().unwrap());
        // The anchor contracts to its head, so the row begins one cell further.
        let heads = run.structure().bodies().iter().map(|body| body.head());
        assert!(heads.eq((1..=amoebots).map(|x| cell(x, 0))));
    }
}

#[test]
fn a_pump_leaves_the_shape_as_before() {
    for (width, height, column) in [(4, 3, 2), (5, 2, 1), (3, 4, 1)] {
        let cells: Vec<Cell> = (0..height).flat_map(|y| (0..width).map(move |x| cell(x, y))).collect();
        let movers: Vec<usize> = (0..height).map(|y| (y * width + column) as usize).collect();
        let run = ran(common(&cells, 0), Train::pump(cells.len(), &movers, 3), 0);
        assert_eq!(run.rounds_done(), 6);
        assert!(run.structure().bodies().iter().map(|body| body.head()).eq(cells));
    }
}

/// A worm of m cells moves m cells in two rounds, and so does a crawl of several rows. The floor does not move.
#[test]
fn worms_and_crawls_go_their_length_in_two_rounds() {
    for (length, height, cycles) in [(1, 1, 3), (2, 1, 3), (5, 1, 4), (3, 2, 3), (4, 3, 2)] {
        let floor: Vec<Cell> = (0..60).map(|x| cell(x, 0)).collect();
        let block = (1..=height).flat_map(|y| (0..length).map(move |x| cell(x, y)));
        let cells: Vec<Cell> = floor.iter().copied().chain(block).collect();
        let rows: Vec<Vec<usize>> =
            (0..height).map(|y| (0..length).map(|x| (60 + y * length + x) as usize).collect()).collect();
        let run = ran(common(&cells, 0), Train::crawl(cells.len(), &rows, cycles), 0);
        let goes = length * cycles as i32;
        for (before, body) in cells.iter().zip(run.structure().bodies()) {
            let dx = if before.y() == 0 { 0 } else { goes };
            assert_eq!(*body, Body::contracted(before.translated(dx, 0).unwrap()), "{length} by {height}");
        }
    }
}
