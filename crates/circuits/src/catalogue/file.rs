//! Algorithms from files with an entry, so that a scenario can run them.

use acrasin_amoebot::library::entry::{ChosenAlgorithm, Needs};

use super::described::{PreparedAlgorithm, described};
use crate::process::CircuitResult;
use crate::table::CircuitTable;

/// The algorithm of a table with an entry that is not in the catalogue. A run is right if it reaches the goal.
#[must_use]
pub fn of_table(table: CircuitTable) -> ChosenAlgorithm {
    let needs = Needs { seed: table.has_seed(), ..Needs::NOTHING };
    let (title, pins) = (table.title(), table.pins());
    let construction = described(title, pins, move |_, seed| {
        Ok(PreparedAlgorithm {
            algorithm: table.clone().with_seed(seed as u32),
            oracle: Box::new(|run| {
                let is_right = run.algorithm().is_reached(run.memories());
                CircuitResult { is_right, figures: Vec::new() }
            }),
        })
    });
    ChosenAlgorithm::of_file((title, "circuits: an algorithm from a file"), needs, construction)
}
