//! Start shapes without random choices: lines, hexagons, spirals, rings.

use super::error::{StartError, checked, step};
use super::form::RingSize;
use crate::model::lattice::{Cell, Direction, Rotation};

/// A straight line of `cells` cells from `first` in `direction`.
///
/// # Errors
///
/// There are no cells, too many, or cells beyond the limit of the lattice.
pub fn line(first: Cell, direction: Direction, cells: usize) -> Result<Vec<Cell>, StartError> {
    let mut line = Vec::with_capacity(checked(cells)?);
    line.push(first);
    for i in 1..cells {
        line.push(step(line[i - 1], direction)?);
    }
    Ok(line)
}

/// The regular hexagon around `centre` with `side` cells on each side, 3 `side` (`side` - 1) + 1 in total; the
/// centre is the first. For other numbers of cells use a [`spiral`].
///
/// ```
/// use acrasin_amoebot::{Cell, start};
/// assert_eq!(start::hexagon(Cell::ORIGIN, 1)?, [Cell::ORIGIN]);
/// assert_eq!(start::hexagon(Cell::ORIGIN, 3)?.len(), 19);
/// # Ok::<(), start::StartError>(())
/// ```
///
/// # Errors
///
/// The side is 0, there are too many cells, or some cells are beyond the limit of the lattice.
pub fn hexagon(centre: Cell, side: u32) -> Result<Vec<Cell>, StartError> {
    let side = u128::from(side);
    let cells = if side == 0 { 0 } else { 3 * side * (side - 1) + 1 };
    spiral(centre, Direction::East, counted(cells)?)
}

/// The counter-clockwise spiral around `centre`: the centre, then ring after ring, each from the neighbour in direction
/// `first`. Every prefix is a hexagon and a part of the next ring.
///
/// Each ring is laid out by its six straight sides, without reading neighbours. So it is an independent oracle for
/// algorithms that find the spiral by reading neighbours.
///
/// ```
/// use acrasin_amoebot::{Cell, Direction, Shape, start};
/// let hexagon = start::spiral(Cell::ORIGIN, Direction::East, 19)?;
/// assert_eq!(hexagon[1], Cell::new(1, 0)?);
/// assert_eq!(Shape::from_cells(hexagon)?.edges(), 42); // the most that 19 cells can have
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// There are no cells, too many, or cells beyond the limit of the lattice.
pub fn spiral(centre: Cell, first: Direction, cells: usize) -> Result<Vec<Cell>, StartError> {
    let mut spiral = Vec::with_capacity(checked(cells)?);
    spiral.push(centre);
    let mut corner = centre;
    for radius in 1_u32.. {
        if spiral.len() == cells {
            break;
        }
        corner = step(corner, outwards(first))?;
        add_lap(&mut spiral, cells, Lap { corner, first, radius })?;
    }
    Ok(spiral)
}

/// A hexagonal ring around a hole: the cells at distance `hole_side` or more from `centre`, in `width` laps, the
/// innermost first. In total it has 3 `width` (2 `hole_side` + `width` - 1) cells.
///
/// ```
/// use acrasin_amoebot::{Cell, Shape, start};
/// let cells = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 2, width: 1 })?;
/// assert_eq!(cells.len(), 12);
/// assert_eq!(Shape::from_cells(cells)?.holes(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The side of the hole or the width is 0, there are too many cells, or some cells are beyond the limit of the lattice.
pub fn ring(centre: Cell, ring: RingSize) -> Result<Vec<Cell>, StartError> {
    if ring.hole_side == 0 || ring.width == 0 {
        return Err(StartError::NoRing { ring });
    }
    let (hole, width) = (u128::from(ring.hole_side), u128::from(ring.width));
    let count = counted(3 * width * (2 * hole + width - 1))?;
    let mut cells = Vec::with_capacity(count);
    let (first, mut corner) = (Direction::East, centre);
    for radius in 1..ring.hole_side + ring.width {
        corner = step(corner, outwards(first))?;
        if radius >= ring.hole_side {
            add_lap(&mut cells, count, Lap { corner, first, radius })?;
        }
    }
    Ok(cells)
}

pub(super) fn counted(cells: u128) -> Result<usize, StartError> {
    checked(usize::try_from(cells).unwrap_or(usize::MAX))
}

/// The direction from the last cell of a lap to the first corner of the next lap.
fn outwards(first: Direction) -> Direction {
    first.turned(Rotation::Clockwise)
}

/// The cells at one distance from a centre.
#[derive(Clone, Copy, Debug)]
struct Lap {
    corner: Cell,
    first: Direction,
    radius: u32,
}

/// Adds the six sides of a lap, counter-clockwise. Stops once `cells` has `most` cells.
fn add_lap(cells: &mut Vec<Cell>, most: usize, lap: Lap) -> Result<(), StartError> {
    let (mut at, mut side) = (lap.corner, lap.first);
    for _ in 0..6 {
        side = side.turned(Rotation::Counterclockwise);
        for _ in 0..lap.radius {
            if cells.len() == most {
                return Ok(());
            }
            at = step(at, side)?;
            cells.push(at);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::shape::Shape;
    use crate::start::CELLS_MAX;

    /// Distance from the origin on the lattice.
    fn radius(cell: &Cell) -> u32 {
        [cell.x(), cell.y(), cell.x() + cell.y()].map(i32::unsigned_abs).into_iter().max().unwrap()
    }

    #[test]
    fn the_spiral_is_a_hexagon_ring_by_ring() {
        for first in Direction::ALL {
            let cells = spiral(Cell::ORIGIN, first, 61).unwrap();
            assert!(cells.windows(2).all(|pair| pair[0].direction_to(pair[1]).is_some()));
            assert_eq!(cells[1], Cell::ORIGIN.neighbour(first).unwrap());
            let radii: Vec<u32> = cells.iter().map(radius).collect();
            assert!(radii.is_sorted());
            assert_eq!(
                [0, 1, 2, 3, 4].map(|r| radii.iter().filter(|x| **x == r).count()),
                [1, 6, 12, 18, 24]
            );
            // The most adjacent pairs that n cells can have: floor(3n - sqrt(12n - 3)).
            for n in 1..=61 {
                let edges = Shape::from_cells(cells[..n].iter().copied()).unwrap().edges();
                assert_eq!(edges, (3.0 * n as f64 - (12.0 * n as f64 - 3.0).sqrt()).floor() as usize);
            }
        }
    }

    #[test]
    fn a_line_is_straight() {
        let cells = line(Cell::ORIGIN, Direction::NorthWest, 5).unwrap();
        assert_eq!(cells[4], Cell::new(-4, 4).unwrap());
        assert_eq!(Shape::from_cells(cells).unwrap().edges(), 4);
    }

    /// All cells of a square around the origin whose distance from the origin is in the range, sorted.
    fn by_distance(range: std::ops::Range<u32>) -> Vec<Cell> {
        let square = (-12..=12).flat_map(|x| (-12..=12).map(move |y| Cell::new(x, y).unwrap()));
        square.filter(|cell| range.contains(&radius(cell))).collect()
    }

    #[test]
    fn hexagons_and_rings_are_the_cells_at_their_distances() {
        for side in 1..=6 {
            let mut cells = hexagon(Cell::ORIGIN, side).unwrap();
            cells.sort();
            assert_eq!(cells, by_distance(0..side));
            for width in 1..=5 {
                let mut cells = ring(Cell::ORIGIN, RingSize { hole_side: side, width }).unwrap();
                cells.sort();
                assert_eq!(cells, by_distance(side..side + width));
                assert!(Shape::from_cells(cells).unwrap().is_connected());
            }
        }
    }

    #[test]
    fn counts_are_checked() {
        for cells in [0, CELLS_MAX + 1] {
            let wrong = Err(StartError::WrongCount { cells });
            assert_eq!(line(Cell::ORIGIN, Direction::East, cells), wrong);
            assert_eq!(spiral(Cell::ORIGIN, Direction::East, cells), wrong);
        }
        let corner = Cell::new(Cell::COORDINATE_MAX, 0).unwrap();
        assert_eq!(line(corner, Direction::East, 2), Err(StartError::OutsideLattice { at: corner }));
        assert_eq!(hexagon(Cell::ORIGIN, 0), Err(StartError::WrongCount { cells: 0 }));
        // A hexagon of side 2365 has 16,772,581 cells, one of side 2366 more than 2^24.
        assert_eq!(hexagon(Cell::ORIGIN, 2365).unwrap().len(), 16_772_581);
        assert_eq!(hexagon(Cell::ORIGIN, 2366), Err(StartError::WrongCount { cells: 16_786_771 }));
        for none in [RingSize { hole_side: 0, width: 1 }, RingSize { hole_side: 1, width: 0 }] {
            assert_eq!(ring(Cell::ORIGIN, none), Err(StartError::NoRing { ring: none }));
        }
        let wide = RingSize { hole_side: u32::MAX, width: u32::MAX };
        assert!(matches!(ring(Cell::ORIGIN, wide), Err(StartError::WrongCount { .. })));
        let thin = |hole_side| ring(Cell::ORIGIN, RingSize { hole_side, width: 1 });
        assert_eq!(thin(2_796_202).unwrap().len(), 16_777_212);
        assert_eq!(thin(2_796_203), Err(StartError::WrongCount { cells: 16_777_218 }));
    }
}
