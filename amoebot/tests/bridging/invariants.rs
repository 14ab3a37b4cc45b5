//! Invariants of steps, and bad input.

use std::collections::BTreeSet;

use acrasin_amoebot::chain::bridging::Surroundings;
use acrasin_amoebot::chain::bridging::landscape::{self, Slope};
use acrasin_amoebot::chain::{ChainError, EdgeRing};
use acrasin_amoebot::start::{CELLS_MAX, StartError};
use acrasin_amoebot::{AmoebotId, SystemError};
use acrasin_amoebot::{Bridging, Cell, Direction, Shape};
use acrasin_runtime::Seeded;

use super::{cell, walk};

#[test]
fn bridges_stay_connected_without_holes_and_keep_their_anchors() {
    let shapes = [
        landscape::v_shape(9, Slope::THIRTY_DEGREES).expect("a V"),
        landscape::v_shape(6, Slope::NINETY_DEGREES).expect("a V"),
        landscape::n_shape(5).expect("an N"),
    ];
    for shape in shapes {
        for (lambda, gamma) in [(1.0, 1.0), (4.0, 2.0), (4.0, 0.25), (0.5, 6.0)] {
            let mut chain = shape.chain(lambda, gamma).expect("a start");
            let mut choices = Seeded::new(11);
            for _ in 0..10_000 {
                if chain.step(&mut choices).expect("room for all") {
                    assert!(chain.objects().iter().all(|object| shape.objects().contains(object)));
                    let all: BTreeSet<Cell> =
                        chain.cells().into_iter().chain(chain.objects().iter().copied()).collect();
                    let whole = Shape::from_cells(all.iter().copied()).expect("some cells");
                    let count = shape.cells().len() + 2;
                    assert_eq!((whole.cells().len(), whole.components(), whole.holes()), (count, 1, 0));
                    let walk = walk(&all);
                    let gap = |cell: &Cell| u64::from(!shape.is_land(*cell));
                    let halves: u64 = walk.iter().map(|(a, b)| gap(a) + gap(b)).sum();
                    assert_eq!((chain.perimeter(), chain.gap_perimeter()), (walk.len() as u64, halves));
                    let weighted = walk.len() as f64 + 0.25 * halves as f64;
                    assert_eq!(chain.weighted_perimeter(1.5), weighted);
                }
            }
            assert_eq!(chain.steps(), 10_000);
            assert!(chain.moves() > 300, "{}", chain.moves());
        }
    }
}

/// The distance of amoebots from their only object cell can reach the number of amoebots. The grid has room for them.
#[test]
fn the_grid_reaches_as_far_as_the_amoebots() {
    for direction in Direction::ALL {
        let mut at = Cell::ORIGIN;
        let line = (0..6).map(|_| {
            at = at.neighbour(direction).expect("near");
            at
        });
        let line: Vec<Cell> = line.collect();
        let mut chain = Bridging::new(&line, &[Cell::ORIGIN], |_| true, 0.01, 1.0).expect("a start");
        let mut choices = Seeded::new(3);
        let mut furthest = 0;
        for _ in 0..30_000 {
            chain.step(&mut choices).expect("room for all");
            furthest =
                chain.cells().iter().map(|cell| cell.x().abs().max(cell.y().abs())).fold(furthest, i32::max);
        }
        assert_eq!(furthest, 6);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let shape = landscape::v_shape(8, Slope::SIXTY_DEGREES).expect("a V");
    let after = |seed| {
        let mut chain = shape.chain(4.0, 2.0).expect("a start");
        let moved = chain.run(20_000, &mut Seeded::new(seed)).expect("room for all");
        assert_eq!((moved, chain.steps()), (chain.moves(), 20_000));
        chain.digest()
    };
    assert_eq!(after(1), after(1));
    assert_ne!(after(1), after(2));
}

/// The change of the gap perimeter equals the sum over the ten triangles, for all occupied cells and all gap cells.
#[test]
fn the_gap_changes_as_the_triangles_say() {
    let (mut least, mut most) = (0, 0);
    for occupied in 0..=255_u8 {
        for gap in 0..=255_u8 {
            for ends in 0..4_u8 {
                let (first_over_gap, second_over_gap) = (ends & 1 == 1, ends & 2 == 2);
                let sum = |first: bool, second: bool| -> i8 {
                    // The ring, then ℓ, then ℓ′: whether occupied, whether over the gap.
                    let on = |index: usize| match index {
                        8 => (first, first_over_gap),
                        9 => (second, second_over_gap),
                        _ => (occupied >> index & 1 == 1, gap >> index & 1 == 1),
                    };
                    let of_first = (0..4).map(|i| [8, i, i + 1]);
                    let of_second = (4..8).map(|i| [9, i, (i + 1) % 8]);
                    let of_both = [[8, 9, 0], [8, 9, 4]];
                    let edge = |triangle: [usize; 3]| -> i8 {
                        let taken: Vec<bool> =
                            triangle.iter().map(|i| on(*i)).filter(|on| on.0).map(|on| on.1).collect();
                        if taken.len() == 2 { taken.iter().map(|gap| i8::from(*gap)).sum() } else { 0 }
                    };
                    of_first.chain(of_second).chain(of_both).map(edge).sum()
                };
                let found =
                    Surroundings { occupied: EdgeRing(occupied), gap, first_over_gap, second_over_gap }
                        .gap_change();
                assert_eq!(found, sum(false, true) - sum(true, false));
                if EdgeRing(occupied).gain().is_some() {
                    (least, most) = (least.min(found), most.max(found));
                }
            }
        }
    }
    assert_eq!((least, most), (-14, 8), "of allowed moves");
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let (one, post) = ([cell(1, 0)], [cell(0, 0)]);
    let error = |cells: &[Cell], objects: &[Cell], lambda, gamma| {
        Bridging::new(cells, objects, |_| true, lambda, gamma).expect_err("a bad start")
    };
    for bad in [0.0, -1.0, 9e-21, 1.1e20, f64::NAN, f64::INFINITY] {
        let lambda = error(&one, &post, bad, 4.0).to_string();
        assert_eq!(lambda, format!("lambda is {bad} (accepted: numbers from 1e-20 to 1e20)"));
        let gamma = error(&one, &post, 4.0, bad).to_string();
        assert_eq!(gamma, format!("gamma is {bad} (accepted: numbers from 1e-20 to 1e20)"));
    }
    assert!(Bridging::new(&one, &post, |_| true, 1e-20, 1e20).is_ok());
    let message = |cells: &[Cell], objects: &[Cell]| error(cells, objects, 4.0, 2.0).to_string();
    assert_eq!(error(&[], &post, 4.0, 2.0), SystemError::WrongCount { amoebots: 0 }.into());
    let many = vec![one[0]; CELLS_MAX];
    let too_many = ChainError::Start(StartError::WrongCount { cells: CELLS_MAX + 1 });
    assert_eq!(error(&many, &post, 4.0, 2.0), too_many);
    let at_the_limit = error(&many[1..], &post, 4.0, 2.0);
    assert!(matches!(at_the_limit, ChainError::TooSpread { .. }), "{at_the_limit}");
    assert_eq!(message(&one, &[]), "an object of 0 cells (accepted: one or more)");
    assert_eq!(
        message(&[cell(1, 0), post[0]], &post),
        "cell (0, 0) of the object is occupied by amoebot 1: a cell holds an amoebot or a part of the object"
    );
    assert_eq!(
        error(&[one[0], one[0]], &post, 4.0, 2.0),
        SystemError::TwoOnOneCell { cell: one[0], first: AmoebotId(0), second: AmoebotId(1) }.into()
    );
    // An anchor that no amoebot reaches.
    let apart = ChainError::Start(StartError::Disconnected { from: one[0], cell: cell(3, 0) });
    assert_eq!(error(&one, &[post[0], cell(3, 0)], 4.0, 2.0), apart);
    // Amoebots and objects that only together enclose a cell.
    let ring: Vec<Cell> = cell(5, -2).neighbours().collect();
    let hole = ChainError::Start(StartError::Hole { cell: cell(5, -2) });
    assert_eq!(error(&ring[..3], &ring[3..], 4.0, 2.0), hole);
}

/// With 40 amoebots the grid has wider margins than without objects, so a start near the limit of the lattice is
/// refused.
#[test]
fn a_post_near_the_limit_is_refused() {
    let line = |post: i32| (1..=40).map(|i| cell(post - i, 0)).collect::<Vec<_>>();
    let max = Cell::COORDINATE_MAX - 42;
    let chain = |post: i32| Bridging::new(&line(post), &[cell(post, 0)], |_| true, 4.0, 2.0);
    assert!(chain(max).is_ok());
    let cell = cell(max + 1, 0);
    assert_eq!(chain(max + 1).expect_err("too near"), ChainError::NearLimit { cell, max });
}

/// The two amoebots need little space, but the object is too long for the grid.
#[test]
fn a_grid_that_is_too_large_is_refused() {
    let line = |amoebots: i32| (1..=amoebots).map(|i| cell(i, 0)).collect::<Vec<_>>();
    let error = Bridging::new(&line(8190), &[Cell::ORIGIN], |_| true, 4.0, 2.0).expect_err("too many");
    let side = 2 * (8190 + 2) + 1;
    assert_eq!(error, ChainError::TooSpread { width: side, height: side });
}
