//! Random blobs.

use acrasin_runtime::choice::{Choices, Decision, FixedProbability, pick_index, pick_with_probability};
use hashbrown::HashSet;

use super::error::{StartError, checked};
use super::form::BLOB_ATTEMPTS;
use crate::FixedHasher;
use crate::model::lattice::Cell;

/// A random connected set that grows like a tree and may have holes; `centre` is its first cell. The hole probability of
/// the AmoebotSim figures is one minus `acceptance`; with acceptance 1 nothing is refused, and there are about half as
/// many holes as with 0.8: cells that were not picked yet.
///
/// Again and again one cell of the frontier is picked uniformly; with probability `acceptance` it joins and its
/// neighbours that were never in the frontier enter it, otherwise it stays empty for ever. Made after the tree-like
/// blobs of AmoebotSim, which accepts with probability 0.8; whether it too refuses a cell for ever is not known. A blob
/// whose frontier runs empty begins again. Draws are for [`Decision::Initial`].
///
/// ```
/// use acrasin_amoebot::{Cell, Shape, start};
/// use acrasin_runtime::{FixedProbability, Seeded};
/// let acceptance = FixedProbability::new(0.8).expect("a probability");
/// let cells = start::blob(Cell::ORIGIN, 50, acceptance, &mut Seeded::new(1))?;
/// assert!(Shape::of(cells)?.is_connected());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// No cells, too many, cells beyond the limit of the lattice, or a frontier that ran empty [`BLOB_ATTEMPTS`] times.
pub fn blob(
    centre: Cell,
    cells: usize,
    acceptance: FixedProbability,
    choices: &mut impl Choices,
) -> Result<Vec<Cell>, StartError> {
    blob_avoiding(&[], centre, cells, acceptance, choices)
}

/// The same round and beside what it avoids; the centre is not of that.
pub(super) fn blob_avoiding(
    object: &[Cell],
    centre: Cell,
    cells: usize,
    acceptance: FixedProbability,
    choices: &mut impl Choices,
) -> Result<Vec<Cell>, StartError> {
    checked(cells)?;
    let mut reached = 0;
    for _ in 0..BLOB_ATTEMPTS {
        let blob = grow(object, centre, cells, acceptance, choices);
        if blob.len() == cells {
            return Ok(blob);
        }
        reached = reached.max(blob.len());
    }
    Err(StartError::DiedOut { cells, reached })
}

fn grow(
    object: &[Cell],
    centre: Cell,
    cells: usize,
    acceptance: FixedProbability,
    choices: &mut impl Choices,
) -> Vec<Cell> {
    let mut blob = vec![centre];
    let mut seen: HashSet<Cell, FixedHasher> = object.iter().copied().collect();
    seen.insert(centre);
    let mut frontier: Vec<Cell> = Vec::new();
    let mut joined = centre;
    while blob.len() < cells {
        frontier.extend(joined.neighbours().filter(|&next| seen.insert(next)));
        loop {
            let Some(picked) = pick_index(choices, frontier.len(), Decision::Initial) else { return blob };
            let cell = frontier.swap_remove(picked);
            if pick_with_probability(choices, acceptance, Decision::Initial) {
                joined = cell;
                blob.push(cell);
                break;
            }
        }
    }
    blob
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::shape::Shape;
    use crate::start::CELLS_MAX;
    use acrasin_runtime::Digest;
    use acrasin_runtime::choice::Seeded;

    fn acceptance(probability: f64) -> FixedProbability {
        FixedProbability::new(probability).unwrap()
    }

    #[test]
    fn counts_are_checked() {
        for cells in [0, CELLS_MAX + 1] {
            let wrong = Err(StartError::WrongCount { cells });
            assert_eq!(blob(Cell::ORIGIN, cells, FixedProbability::ONE, &mut Seeded::new(0)), wrong);
        }
    }

    #[test]
    fn blobs_are_connected_and_golden() {
        let cells = blob(Cell::ORIGIN, 200, acceptance(0.8), &mut Seeded::new(7)).unwrap();
        let shape = Shape::of(cells.iter().copied()).unwrap();
        assert_eq!((shape.cells().len(), shape.components()), (200, 1));
        assert_eq!(Digest::of(&cells).to_string(), "7457bdb24d05f59abe816d1a18bddaa0");
    }

    #[test]
    fn if_nothing_is_refused_there_are_about_half_as_many_holes() {
        let holes = |probability| -> usize {
            let blobs = (0..20).map(|seed| {
                blob(Cell::ORIGIN, 500, acceptance(probability), &mut Seeded::new(seed)).unwrap()
            });
            blobs.map(|cells| Shape::of(cells).unwrap().holes()).sum()
        };
        let (all_join, some_refused) = (holes(1.0), holes(0.8));
        assert!(some_refused > 500, "{some_refused} holes of 20 blobs");
        assert!((some_refused * 2 / 5..some_refused * 3 / 5).contains(&all_join), "{all_join} holes");
    }

    #[test]
    fn a_blob_that_nobody_may_join_dies_out() {
        let error = blob(Cell::ORIGIN, 2, FixedProbability::ZERO, &mut Seeded::new(0));
        assert_eq!(error, Err(StartError::DiedOut { cells: 2, reached: 1 }));
    }

    /// Rejected cells stay empty: of the cells that were looked at, the share that joined is the acceptance.
    fn share_of_joined(probability: f64) -> f64 {
        struct Counted(Seeded, u32);
        impl Choices for Counted {
            fn pick(&mut self, bound: std::num::NonZeroU32, why: Decision) -> u32 {
                if bound.get() == 1 << 31 {
                    self.1 += 1;
                }
                self.0.pick(bound, why)
            }
        }
        let mut choices = Counted(Seeded::new(3), 0);
        let blob = grow(&[], Cell::ORIGIN, 4000, acceptance(probability), &mut choices);
        (blob.len() - 1) as f64 / f64::from(choices.1)
    }

    #[test]
    fn cells_join_with_the_probability_given() {
        // Five standard errors of 5,000 draws.
        let tolerance = 5.0 * (0.8 * 0.2 / 5000.0_f64).sqrt();
        assert!((share_of_joined(0.8) - 0.8).abs() < tolerance);
        assert!((share_of_joined(0.75) - 0.8).abs() > tolerance, "a biased generator is noticed");
    }
}
