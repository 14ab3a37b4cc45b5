//! Invariants of steps, and bad input.

use acrasin_amoebot::{Cell, Direction, Separation, Shape, start};
use acrasin_runtime::Seeded;

use super::{edges, state};
use crate::refused::refuses_bad_chains;
use crate::steps;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

#[test]
fn amoebots_stay_connected_without_holes_and_keep_their_colours() {
    let line = start::line(Cell::ORIGIN, Direction::NorthEast, 24).expect("a short line");
    let spiral = start::spiral(Cell::ORIGIN, Direction::West, 30).expect("a small spiral");
    for cells in [line, spiral] {
        let colours: Vec<u8> = (0..cells.len()).map(|i| [0, 1, 1, 254][i % 4]).collect();
        for (lambda, gamma) in [(1.0, 1.0), (4.0, 4.0), (4.0, 0.25), (0.5, 6.0)] {
            let mut chain = Separation::new(&cells, &colours, lambda, gamma).expect("a start");
            let mut choices = Seeded::new(11);
            for _ in 0..20_000 {
                if chain.step(&mut choices).expect("a small grid") {
                    let shape = Shape::from_cells(chain.cells()).expect("some cells");
                    assert_eq!((shape.cells().len(), shape.components(), shape.holes()), (cells.len(), 1, 0));
                    let (all, like) = edges(&state(&chain));
                    assert_eq!((chain.edges(), chain.unlike_edges()), (all, all - like));
                }
            }
            let sorted = |mut colours: Vec<u8>| {
                colours.sort_unstable();
                colours
            };
            assert_eq!(sorted(chain.colours()), sorted(colours.clone()));
            assert!(chain.moves() > 1_000, "{}", chain.moves());
        }
    }
}

/// Two amoebots walk away from the initial grid, and keep their colours.
#[test]
fn the_grid_follows() {
    let mut chain = Separation::new(&[cell(0, 0), cell(1, 0)], &[3, 7], 1.0, 1.0).expect("a start");
    steps::the_grid_follows(&mut chain);
    let mut colours = chain.colours();
    colours.sort_unstable();
    assert_eq!((colours, chain.edges(), chain.unlike_edges()), (vec![3, 7], 1, 1));
}

/// At the limit of the lattice a chain stops with an error, and the amoebots have not moved.
#[test]
fn a_walk_over_the_limit_is_an_error() {
    steps::a_walk_over_the_limit_is_an_error(|cells| Separation::new(cells, &[0, 1], 1.0, 1.0));
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let pair = [cell(0, 0), cell(1, 0)];
    let error = |cells: &[Cell], colours: &[u8], lambda, gamma| {
        Separation::new(cells, colours, lambda, gamma).expect_err("a bad start")
    };
    for bad in [0.0, -1.0, 9e-61, 1.1e60, f64::NAN, f64::INFINITY] {
        let lambda = error(&pair, &[0, 1], bad, 4.0).to_string();
        assert_eq!(lambda, format!("lambda is {bad} (accepted: numbers from 1e-60 to 1e60)"));
        let gamma = error(&pair, &[0, 1], 4.0, bad).to_string();
        assert_eq!(gamma, format!("gamma is {bad} (accepted: numbers from 1e-60 to 1e60)"));
    }
    assert!(Separation::new(&pair, &[0, 254], 1e-60, 1e60).is_ok());
    assert_eq!(
        error(&pair, &[0], 4.0, 4.0).to_string(),
        "1 colour for 2 cells (accepted: one for each cell)"
    );
    assert_eq!(
        error(&pair, &[0, 255], 4.0, 4.0).to_string(),
        "colour 255 on cell (1, 0) (accepted: 0 to 254)"
    );
    refuses_bad_chains(|cells| error(cells, &vec![0; cells.len()], 4.0, 4.0));
}
