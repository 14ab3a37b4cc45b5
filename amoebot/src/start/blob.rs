//! Random blobs and other random connected sets.

use acrasin_runtime::choice::{Choices, Decision, FixedProbability, pick_index, pick_with_probability};
use hashbrown::HashSet;

use super::error::{StartError, checked};
use super::form::BLOB_ATTEMPTS;
use crate::FixedHasher;
use crate::model::lattice::{Cell, Direction, Rotation};

/// The treatment of a cell that was picked but did not join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum RefusedCell {
    /// The cell stays empty permanently.
    #[default]
    ForEver,
    /// The cell enters the frontier again as soon as another neighbour joins, as in AmoebotSim. About half as many
    /// cells inside then stay empty.
    UntilProposedAgain,
}

/// The rules by which a random connected set grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The probability that a picked cell joins.
    pub acceptance: FixedProbability,
    /// The treatment of a picked cell that does not join.
    pub refused: RefusedCell,
    /// Whether holes may form. If not, a cell joins only if its joined neighbours are consecutive. A cell that cannot
    /// join can be picked again once another neighbour has joined.
    pub holes: bool,
}

impl Growth {
    /// The growth of [`blob`]: a cell that does not join stays empty permanently, and holes may form.
    #[must_use]
    pub const fn tree_like(acceptance: FixedProbability) -> Self {
        Self { acceptance, refused: RefusedCell::ForEver, holes: true }
    }

    /// The growth of AmoebotSim's random trees: a picked cell joins with probability 0.8, and otherwise can be picked
    /// again once another neighbour has joined.
    #[must_use]
    pub fn of_amoebot_sim() -> Self {
        let acceptance = FixedProbability::new(0.8).expect("a probability");
        Self { acceptance, refused: RefusedCell::UntilProposedAgain, holes: true }
    }

    /// Growth without holes, in which every picked cell joins if it can.
    #[must_use]
    pub const fn without_holes() -> Self {
        Self { acceptance: FixedProbability::ONE, refused: RefusedCell::UntilProposedAgain, holes: false }
    }
}

/// A random connected set that grows like a tree and may have holes; `centre` is its first cell. AmoebotSim's hole
/// probability is one minus `acceptance`. With acceptance 1 every picked cell joins. The blob then has about half as
/// many holes as with 0.8, consisting of cells that were not picked yet.
///
/// Repeatedly one cell of the frontier is picked uniformly. With probability `acceptance` it joins, and its neighbours
/// that were never in the frontier enter it. Otherwise it stays empty permanently. A blob whose frontier runs empty
/// starts over. All draws are made as [`Decision::Initial`]. See [`grown`] for other rules.
///
/// ```
/// use acrasin_amoebot::{Cell, Shape, start};
/// use acrasin_runtime::{FixedProbability, Seeded};
/// let acceptance = FixedProbability::new(0.8).expect("a probability");
/// let cells = start::blob(Cell::ORIGIN, 50, acceptance, &mut Seeded::new(1))?;
/// assert!(Shape::from_cells(cells)?.is_connected());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// No cells were requested, or too many; a cell is beyond the limit of the lattice; or the frontier ran empty
/// [`BLOB_ATTEMPTS`] times.
pub fn blob(
    centre: Cell,
    cells: usize,
    acceptance: FixedProbability,
    choices: &mut impl Choices,
) -> Result<Vec<Cell>, StartError> {
    grown(centre, cells, Growth::tree_like(acceptance), choices)
}

/// A random connected set that grows by the given rules. Like [`blob`] in all other respects.
///
/// ```
/// use acrasin_amoebot::start::{self, Growth};
/// use acrasin_amoebot::{Cell, Shape};
/// use acrasin_runtime::Seeded;
/// let cells = start::grown(Cell::ORIGIN, 500, Growth::without_holes(), &mut Seeded::new(1))?;
/// assert_eq!(Shape::from_cells(cells)?.holes(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`blob`].
pub fn grown(
    centre: Cell,
    cells: usize,
    growth: Growth,
    choices: &mut impl Choices,
) -> Result<Vec<Cell>, StartError> {
    grown_avoiding(&[], centre, cells, growth, choices)
}

/// A [`blob`] next to and around the object, which avoids the object's cells. The centre is not an object cell.
pub(super) fn blob_avoiding(
    object: &[Cell],
    centre: Cell,
    cells: usize,
    acceptance: FixedProbability,
    choices: &mut impl Choices,
) -> Result<Vec<Cell>, StartError> {
    grown_avoiding(object, centre, cells, Growth::tree_like(acceptance), choices)
}

fn grown_avoiding(
    object: &[Cell],
    centre: Cell,
    cells: usize,
    growth: Growth,
    choices: &mut impl Choices,
) -> Result<Vec<Cell>, StartError> {
    checked(cells)?;
    let mut reached = 0;
    for _ in 0..BLOB_ATTEMPTS {
        let blob = grow(object, centre, cells, growth, choices);
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
    growth: Growth,
    choices: &mut impl Choices,
) -> Vec<Cell> {
    let mut blob = vec![centre];
    let mut seen: HashSet<Cell, FixedHasher> = object.iter().copied().collect();
    seen.insert(centre);
    // The cells that have joined. Only two of the rules need them.
    let mut inside: HashSet<Cell, FixedHasher> = HashSet::default();
    inside.insert(centre);
    let mut frontier: Vec<Cell> = Vec::new();
    let mut joined = centre;
    while blob.len() < cells {
        frontier.extend(joined.neighbours().filter(|&next| seen.insert(next)));
        loop {
            let Some(picked) = pick_index(choices, frontier.len(), Decision::Initial) else { return blob };
            let cell = frontier.swap_remove(picked);
            let can_join = growth.holes || arcs(cell, &inside) == 1;
            if can_join && pick_with_probability(choices, growth.acceptance, Decision::Initial) {
                joined = cell;
                blob.push(cell);
                break;
            }
            if !can_join || growth.refused == RefusedCell::UntilProposedAgain {
                seen.remove(&cell);
            }
        }
        if !growth.holes {
            inside.insert(joined);
        }
    }
    blob
}

/// The number of arcs that the joined neighbours of a cell form. If there is only one arc, adding the cell does not
/// create a hole.
fn arcs(cell: Cell, inside: &HashSet<Cell, FixedHasher>) -> usize {
    let is_inside = |direction| cell.neighbour(direction).is_some_and(|next| inside.contains(&next));
    let ends =
        |direction: &Direction| is_inside(*direction) && !is_inside(direction.turned(Rotation::Clockwise));
    Direction::ALL.iter().filter(|direction| ends(direction)).count()
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
        let shape = Shape::from_cells(cells.iter().copied()).unwrap();
        assert_eq!((shape.cells().len(), shape.components()), (200, 1));
        assert_eq!(Digest::of(&cells).to_string(), "7457bdb24d05f59abe816d1a18bddaa0");
    }

    #[test]
    fn if_nothing_is_refused_there_are_about_half_as_many_holes() {
        let holes = |probability| -> usize {
            let blobs = (0..20).map(|seed| {
                blob(Cell::ORIGIN, 500, acceptance(probability), &mut Seeded::new(seed)).unwrap()
            });
            blobs.map(|cells| Shape::from_cells(cells).unwrap().holes()).sum()
        };
        let (all_join, some_refused) = (holes(1.0), holes(0.8));
        assert!(some_refused > 500, "{some_refused} holes of 20 blobs");
        assert!((some_refused * 2 / 5..some_refused * 3 / 5).contains(&all_join), "{all_join} holes");
    }

    fn holes_of(growth: Growth) -> usize {
        let shapes = (0..20).map(|seed| grown(Cell::ORIGIN, 500, growth, &mut Seeded::new(seed)).unwrap());
        shapes
            .map(|cells| Shape::from_cells(cells).unwrap())
            .map(|shape| shape.components() + shape.holes() - 1)
            .sum()
    }

    #[test]
    fn cells_proposed_again_leave_fewer_holes() {
        let (permanently, again) =
            (holes_of(Growth::tree_like(acceptance(0.8))), holes_of(Growth::of_amoebot_sim()));
        assert!(
            (permanently * 2 / 5..permanently * 7 / 10).contains(&again),
            "{again} holes, and {permanently}"
        );
        let cells = grown(Cell::ORIGIN, 200, Growth::of_amoebot_sim(), &mut Seeded::new(7)).unwrap();
        assert_ne!(cells, blob(Cell::ORIGIN, 200, acceptance(0.8), &mut Seeded::new(7)).unwrap());
    }

    #[test]
    fn without_holes_there_are_none_and_the_rule_is_why() {
        let growth = Growth::without_holes();
        assert_eq!(holes_of(growth), 0);
        assert_eq!(holes_of(Growth { acceptance: acceptance(0.5), ..growth }), 0);
        assert_eq!(
            holes_of(Growth { refused: RefusedCell::ForEver, acceptance: acceptance(0.9), ..growth }),
            0
        );
        assert!(holes_of(Growth { holes: true, ..growth }) > 100);
    }

    #[test]
    fn a_blob_that_no_cell_may_join_dies_out() {
        let error = blob(Cell::ORIGIN, 2, FixedProbability::ZERO, &mut Seeded::new(0));
        assert_eq!(error, Err(StartError::DiedOut { cells: 2, reached: 1 }));
    }

    /// The fraction of picked cells that joined, equal to the acceptance if refused cells stay empty.
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
        let blob = grow(&[], Cell::ORIGIN, 4000, Growth::tree_like(acceptance(probability)), &mut choices);
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
