//! Golden runs, the degree of compression, draws, and invalid starts.

use crate::refused::refuses_bad_chains;
use crate::steps;
use acrasin_amoebot::SystemError;
use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::chain::{AREA_MAX, ChainError};
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{Cell, Direction, start};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::{Recorded, Scripted};

fn line(n: usize) -> Vec<Cell> {
    start::line(Cell::ORIGIN, Direction::East, n).expect("a short line")
}

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("within the limit")
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let mut chain = Chain::new(&line(100), 4.0).expect("a start");
    assert_eq!((chain.edges(), chain.perimeter(), chain.lambda()), (99, 198, 4.0));
    let moves = chain.run(100_000, &mut Seeded::new(2016)).expect("a small grid");
    assert_eq!((chain.steps(), chain.moves()), (100_000, moves));
    assert_eq!((moves, chain.edges()), (3492, 124));
    assert_eq!(chain.digest().to_string(), "effd9553467656a149c75c1d22d39dcc");
    let mut choices = Recorded::new(Seeded::new(2016));
    let mut again = Chain::new(&line(100), 4.0).expect("a start");
    assert_eq!(again.run(100_000, &mut choices), Ok(moves));
    let picks = choices.take();
    let (mut script, mut replayed) = (Scripted::new(&picks), Chain::new(&line(100), 4.0).expect("a start"));
    assert_eq!(replayed.run(100_000, &mut script), Ok(moves));
    assert_eq!(script.fault(), None);
    assert_eq!((again.digest(), replayed.digest()), (chain.digest(), chain.digest()));
}

/// As in the published pictures, 100 amoebots in a line are compressed after 5 million steps with λ = 4. With λ = 2
/// they are not even compressed after 20 million steps. The least perimeter is 32. A set counts as compressed if its
/// perimeter is at most twice that.
#[test]
fn four_compresses_and_two_does_not() {
    let perimeter_after = |lambda| {
        let mut chain = Chain::new(&line(100), lambda).expect("a start");
        chain.run(5_000_000, &mut Seeded::new(7)).expect("a small grid");
        println!("lambda = {lambda}: perimeter {}, {} moves", chain.perimeter(), chain.moves());
        chain.perimeter()
    };
    assert!(perimeter_after(4.0) <= 64);
    assert!(perimeter_after(2.0) > 64);
}

/// Amoebot 1 of a triangle moves away from one of its two neighbours if q < λ^-1.
#[test]
fn q_is_compared_to_62_digits() {
    let triangle = [cell(0, 0), cell(1, 0), cell(0, 1)];
    let moved = |lambda: f64, high: u32, low: &[u32]| {
        let mut chain = Chain::new(&triangle, lambda).expect("a start");
        let direction = Direction::NorthEast.index().into();
        let picks: Vec<u32> = [1, direction, high].into_iter().chain(low.iter().copied()).collect();
        let mut script = Scripted::new(&picks);
        let moved = chain.step(&mut script).expect("a small grid");
        assert_eq!(script.fault(), None, "as many draws as stated");
        assert_eq!((chain.steps(), chain.moves()), (1, moved.into()));
        moved
    };
    // 1/4: the first half decides, except for equality.
    assert!(moved(4.0, (1 << 29) - 1, &[]));
    assert!(!moved(4.0, 1 << 29, &[0]));
    assert!(!moved(4.0, (1 << 29) + 1, &[]));
    // 2^-40 is 2^22 of 2^62.
    let large = (1_u64 << 40) as f64;
    assert!(moved(large, 0, &[(1 << 22) - 1]));
    assert!(!moved(large, 0, &[1 << 22]));
    // Less than a unit is one unit.
    let acceptance =
        |lambda| Chain::new(&triangle, lambda).expect("a start").acceptance(1, Direction::NorthEast);
    assert_eq!(
        [1e300, f64::MAX, 4.0, 1.0, 0.5].map(acceptance),
        [1, 1, 1 << 60, Chain::CERTAIN, Chain::CERTAIN]
    );
    assert_eq!(Chain::new(&triangle, 4.0).expect("a start").acceptance(1, Direction::West), 0);
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let error = |cells: &[Cell], lambda| Chain::new(cells, lambda).expect_err("a bad start");
    for lambda in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let message = error(&line(3), lambda).to_string();
        assert_eq!(message, format!("lambda is {lambda} (accepted: finite numbers above 0)"));
    }
    assert!(Chain::new(&line(3), f64::MIN_POSITIVE).is_ok() && Chain::new(&line(3), f64::MAX).is_ok());
    refuses_bad_chains(|cells| error(cells, 4.0));
    let too_many = vec![Cell::ORIGIN; start::CELLS_MAX + 1];
    let wrong = SystemError::WrongCount { amoebots: start::CELLS_MAX + 1 };
    assert_eq!(error(&too_many, 4.0), wrong.into());
}

#[test]
fn grids_are_limited() {
    let max = Cell::COORDINATE_MAX - 16;
    let fits = [cell(max, 0), cell(max - 1, 0)];
    assert!(Chain::new(&fits, 4.0).is_ok());
    let beyond = [cell(max, 0), cell(max + 1, 0)];
    assert_eq!(
        Chain::new(&beyond, 4.0).expect_err("beyond"),
        ChainError::NearLimit { cell: cell(max + 1, 0), max }
    );
    // 33 rows: the widest grid has 8,134,407 columns, 32 of them margin.
    let columns = (AREA_MAX / 33) as i32;
    let row = |n: i32| [cell(0, 0), cell(n - 1, 0)];
    let error = |n| Chain::new(&row(n), 4.0).expect_err("two parts");
    assert!(matches!(error(columns - 32), ChainError::Start(StartError::Disconnected { .. })));
    let width = columns as u64 + 1;
    assert_eq!(error(columns - 31), ChainError::TooSpread { width, height: 33 });
    assert_eq!(
        error(columns - 31).to_string(),
        format!("a grid of {width} times 33 cells (accepted: at most {AREA_MAX} cells)")
    );
    // From one end of the lattice to the other: no overflow.
    let ends = [cell(-max, -max), cell(max, max)];
    assert!(matches!(Chain::new(&ends, 4.0), Err(ChainError::TooSpread { .. })));
}

/// At the limit of the lattice a chain stops with an error, and the amoebots have not moved.
#[test]
fn a_walk_over_the_limit_is_an_error() {
    steps::a_walk_over_the_limit_is_an_error(|cells| Chain::new(cells, 1.0));
}
