//! Where amoebots stand at the start.

use std::fmt;

use acrasin_runtime::choice::{Choices, Decision, FixedProbability, pick_index, pick_with_probability};
use hashbrown::HashSet;

use crate::FixedHasher;
use crate::lattice::{Cell, Direction, Rotation};

/// Most cells of a start shape: a hexagon of them has a side of about 2,400.
pub const CELLS_MAX: usize = 1 << 24;

/// How often [`blob`] begins again after it died out.
pub const BLOB_ATTEMPTS: u32 = 100;

/// Why there is no such start shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StartError {
    /// No cells, or more than [`CELLS_MAX`].
    WrongCount {
        /// How many were asked for.
        cells: usize,
    },
    /// Every cell round the blob was refused, [`BLOB_ATTEMPTS`] times.
    DiedOut {
        /// How many cells were asked for.
        cells: usize,
        /// How many the largest attempt had.
        reached: usize,
    },
    /// The shape leaves the lattice.
    OutsideLattice {
        /// A cell at the limit.
        at: Cell,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { cells } => write!(f, "a shape of {cells} cells (accepted: 1 to {CELLS_MAX})"),
            Self::DiedOut { cells, reached } => write!(
                f,
                "the blob of {cells} cells died out {BLOB_ATTEMPTS} times, at {reached} cells or fewer: \
                 cells must be accepted with a higher probability"
            ),
            Self::OutsideLattice { at } => write!(f, "the shape leaves the lattice at {at}"),
        }
    }
}

impl std::error::Error for StartError {}

fn checked(cells: usize) -> Result<usize, StartError> {
    if (1..=CELLS_MAX).contains(&cells) { Ok(cells) } else { Err(StartError::WrongCount { cells }) }
}

fn step(at: Cell, direction: Direction) -> Result<Cell, StartError> {
    at.neighbour(direction).ok_or(StartError::OutsideLattice { at })
}

/// A straight line of `cells` cells from `first` in `direction`.
///
/// # Errors
///
/// No cells, too many, or cells beyond the limit of the lattice.
pub fn line(first: Cell, direction: Direction, cells: usize) -> Result<Vec<Cell>, StartError> {
    let mut line = Vec::with_capacity(checked(cells)?);
    line.push(first);
    for i in 1..cells {
        line.push(step(line[i - 1], direction)?);
    }
    Ok(line)
}

/// The counter-clockwise spiral round `centre`: the centre, then ring after ring, from the neighbour in direction
/// `first`. Its beginning is a hexagon, but for the last ring.
///
/// Each ring is laid out by its six straight sides; nothing looks at neighbours. So it is an oracle for algorithms
/// that find the spiral by looking at neighbours.
///
/// ```
/// use acrasin_amoebot::{Cell, Direction, Shape, start};
/// let hexagon = start::spiral(Cell::ORIGIN, Direction::East, 19)?;
/// assert_eq!(hexagon[1], Cell::new(1, 0)?);
/// assert_eq!(Shape::of(hexagon)?.edges(), 42); // as many as 19 cells can have
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// No cells, too many, or cells beyond the limit of the lattice.
pub fn spiral(centre: Cell, first: Direction, cells: usize) -> Result<Vec<Cell>, StartError> {
    let mut spiral = Vec::with_capacity(checked(cells)?);
    spiral.push(centre);
    // A ring ends at its corner clockwise of `first`; one step outwards from there is the next ring's corner.
    let outwards = first.turned(Rotation::Clockwise);
    let mut corner = centre;
    for ring in 1_u32.. {
        if spiral.len() == cells {
            break;
        }
        corner = step(corner, outwards)?;
        let mut at = corner;
        let mut side = first;
        'ring: for _ in 0..6 {
            side = side.turned(Rotation::Counterclockwise);
            for _ in 0..ring {
                if spiral.len() == cells {
                    break 'ring;
                }
                at = step(at, side)?;
                spiral.push(at);
            }
        }
    }
    Ok(spiral)
}

/// A random connected set that grows like a tree and may have holes; `centre` is its first cell.
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
    checked(cells)?;
    let mut reached = 0;
    for _ in 0..BLOB_ATTEMPTS {
        let blob = grow(centre, cells, acceptance, choices);
        if blob.len() == cells {
            return Ok(blob);
        }
        reached = reached.max(blob.len());
    }
    Err(StartError::DiedOut { cells, reached })
}

fn grow(centre: Cell, cells: usize, acceptance: FixedProbability, choices: &mut impl Choices) -> Vec<Cell> {
    let mut blob = vec![centre];
    let mut seen: HashSet<Cell, FixedHasher> = HashSet::default();
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
    use crate::shape::Shape;
    use acrasin_runtime::Digest;
    use acrasin_runtime::choice::Seeded;

    fn acceptance(probability: f64) -> FixedProbability {
        FixedProbability::new(probability).unwrap()
    }

    #[test]
    fn the_spiral_is_a_hexagon_ring_by_ring() {
        for first in Direction::ALL {
            let cells = spiral(Cell::ORIGIN, first, 61).unwrap();
            assert!(cells.windows(2).all(|pair| pair[0].direction_to(pair[1]).is_some()));
            assert_eq!(cells[1], Cell::ORIGIN.neighbour(first).unwrap());
            // Distance from the centre on the lattice.
            let radius = |c: &Cell| [c.x(), c.y(), c.x() + c.y()].map(i32::abs).into_iter().max().unwrap();
            let radii: Vec<i32> = cells.iter().map(radius).collect();
            assert!(radii.is_sorted());
            assert_eq!(
                [0, 1, 2, 3, 4].map(|r| radii.iter().filter(|x| **x == r).count()),
                [1, 6, 12, 18, 24]
            );
            // The most adjacent pairs that n cells can have: floor(3n - sqrt(12n - 3)).
            for n in 1..=61 {
                let edges = Shape::of(cells[..n].iter().copied()).unwrap().edges();
                assert_eq!(edges, (3.0 * n as f64 - (12.0 * n as f64 - 3.0).sqrt()).floor() as usize);
            }
        }
    }

    #[test]
    fn a_line_is_straight() {
        let cells = line(Cell::ORIGIN, Direction::NorthWest, 5).unwrap();
        assert_eq!(cells[4], Cell::new(-4, 4).unwrap());
        assert_eq!(Shape::of(cells).unwrap().edges(), 4);
    }

    #[test]
    fn counts_are_checked() {
        for cells in [0, CELLS_MAX + 1] {
            let wrong = Err(StartError::WrongCount { cells });
            assert_eq!(line(Cell::ORIGIN, Direction::East, cells), wrong);
            assert_eq!(spiral(Cell::ORIGIN, Direction::East, cells), wrong);
            assert_eq!(blob(Cell::ORIGIN, cells, FixedProbability::ONE, &mut Seeded::new(0)), wrong);
        }
        let corner = Cell::new(Cell::COORDINATE_MAX, 0).unwrap();
        assert_eq!(line(corner, Direction::East, 2), Err(StartError::OutsideLattice { at: corner }));
    }

    #[test]
    fn blobs_are_connected_and_golden() {
        let cells = blob(Cell::ORIGIN, 200, acceptance(0.8), &mut Seeded::new(7)).unwrap();
        let shape = Shape::of(cells.iter().copied()).unwrap();
        assert_eq!((shape.cells().len(), shape.components()), (200, 1));
        assert_eq!(Digest::of(&cells).to_string(), "7457bdb24d05f59abe816d1a18bddaa0");
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
        let blob = grow(Cell::ORIGIN, 4000, acceptance(probability), &mut choices);
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
