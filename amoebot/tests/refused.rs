//! Checks that all starts refuse invalid cells, and with which errors.

use std::fmt::Debug;

use acrasin_amoebot::chain::ChainError;
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{AmoebotId, Cell, SystemError};

/// A cell in the row of the origin.
pub(crate) fn cell(x: i32) -> Cell {
    Cell::new(x, 0).expect("a cell near the origin")
}

/// Checks that an empty list of cells and a list with duplicates are refused.
pub(crate) fn refuses_bad_cells<E: Debug + From<StartError> + PartialEq>(error: impl Fn(&[Cell]) -> E) {
    let none = StartError::System(SystemError::WrongCount { amoebots: 0 });
    assert_eq!(none.to_string(), "0 amoebots (accepted: 1 to 16777216)");
    assert_eq!(error(&[]), none.into());
    let (first, second) = (AmoebotId(0), AmoebotId(1));
    let twice = StartError::System(SystemError::TwoOnOneCell { cell: cell(1), first, second });
    assert_eq!(twice.to_string(), "amoebots 0 and 1 are both on cell (1, 0): a cell holds one");
    assert_eq!(error(&[cell(1), cell(1)]), twice.into());
}

/// Checks that cells that are not connected are refused, with an error that starts from the first cell.
pub(crate) fn refuses_what_is_not_connected<E: Debug + From<StartError> + PartialEq>(
    error: impl Fn(&[Cell]) -> E,
) {
    let apart = StartError::Disconnected { from: cell(1), cell: cell(3) };
    assert_eq!(apart.to_string(), "cell (3, 0) cannot be reached from (1, 0): the cells must be connected");
    assert_eq!(error(&[cell(1), cell(0), cell(3)]), apart.into());
}

/// Makes the checks above, and checks that a nonexistent seed or root is refused.
pub(crate) fn refuses_bad_seeds(role: &'static str, error: impl Fn(&[Cell], usize) -> StartError) {
    refuses_bad_cells(|cells| error(cells, 0));
    refuses_what_is_not_connected(|cells| error(cells, 0));
    let apart = StartError::Disconnected { from: cell(1), cell: cell(3) };
    assert_eq!(error(&[cell(0), cell(1), cell(3)], 1), apart);
    let none = StartError::NoCell { role, position: 1, cells: 1 };
    assert_eq!(error(&[cell(1)], 1), none);
    assert_eq!(none.to_string(), format!("{role} 1 of 1 cell (accepted: below 1, counted from 0)"));
}

/// Checks that invalid cells of a chain are refused.
pub(crate) fn refuses_bad_chains(error: impl Fn(&[Cell]) -> ChainError) {
    refuses_bad_cells(&error);
    refuses_what_is_not_connected(&error);
    let centre = Cell::new(5, -2).expect("near the origin");
    let ring: Vec<Cell> = centre.neighbours().collect();
    let hole = StartError::Hole { cell: centre };
    assert_eq!(error(&ring), hole.into());
    assert_eq!(hole.to_string(), "cell (5, -2) is empty and enclosed: the cells must have no hole");
}
