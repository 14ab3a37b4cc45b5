//! Objects of simple forms, and amoebots next to an object.

use acrasin_runtime::choice::{Choices, Decision, FixedProbability, pick_index};
use hashbrown::HashSet;

use super::blob::blob_avoiding;
use super::error::{StartError, checked, step};
use super::form::ObjectForm;
use super::shapes::{counted, hexagon, line};
use crate::FixedHasher;
use crate::model::lattice::{Cell, Direction, Rotation};

impl ObjectForm {
    /// Checks the parameters, and returns the number of cells.
    ///
    /// # Errors
    ///
    /// A length is 0, a bay does not have 1 to 5 sides, or there are too many cells.
    pub fn checked_count(self) -> Result<usize, StartError> {
        let sizes = match self {
            Self::Wall { length: size }
            | Self::Hexagon { side: size }
            | Self::Triangle { side: size }
            | Self::Boulder { cells: size } => [size, 1, 1],
            Self::Parallelogram { width, height } | Self::Corner { width, height } => [width, height, 1],
            Self::Staircase { steps, tread, rise } => [steps, tread, rise],
            // Six sides would be a ring, with a hole.
            Self::Bay { side, sides } => [side, if sides > 5 { 0 } else { sides }, 1],
        };
        if sizes.contains(&0) { Err(StartError::NoForm { form: self }) } else { counted(self.count()) }
    }
}

/// The cells of an object, without duplicates. The first cell is the origin: for a hexagon its centre, for a corner the
/// cell where the walls meet. All draws are made as [`Decision::Initial`]. O(cells), for a boulder on average.
///
/// ```
/// use acrasin_amoebot::{Coating, start};
/// use acrasin_runtime::Seeded;
/// let mut choices = Seeded::new(1);
/// let boulder = start::object(start::ObjectForm::Boulder { cells: 100 }, &mut choices)?;
/// let column = start::beside(&boulder, start::Stand::Column, 20, &mut choices)?;
/// assert!(Coating::start(&column, &boulder, &[]).is_ok());
/// # Ok::<(), start::StartError>(())
/// ```
///
/// # Errors
///
/// As for [`ObjectForm::checked_count`].
pub fn object(form: ObjectForm, choices: &mut impl Choices) -> Result<Vec<Cell>, StartError> {
    let count = form.checked_count()?;
    match form {
        ObjectForm::Wall { .. } => line(Cell::ORIGIN, Direction::East, count),
        ObjectForm::Hexagon { side } => hexagon(Cell::ORIGIN, side),
        ObjectForm::Triangle { side } => rows(count, |row| side - row),
        ObjectForm::Parallelogram { width, .. } => rows(count, |_| width),
        ObjectForm::Corner { width, height } => {
            let mut cells = line(Cell::ORIGIN, Direction::East, width as usize)?;
            cells.extend(&line(Cell::ORIGIN, Direction::NorthWest, height as usize + 1)?[1..]);
            Ok(cells)
        }
        ObjectForm::Staircase { steps, tread, rise } => {
            let one = [(Direction::East, tread), (Direction::NorthEast, rise)];
            strokes(count, (0..steps).flat_map(|_| one))
        }
        ObjectForm::Bay { side, sides } => {
            let turned = |i: u32| Direction::from_index(i as u8 % 6);
            strokes(count, (0..sides).map(|i| (turned(i + 1), side)))
        }
        ObjectForm::Boulder { .. } => Ok(boulder(count, choices)),
    }
}

/// Rows from the bottom to the top, each half a cell further east than the row below.
fn rows(count: usize, width: impl Fn(u32) -> u32) -> Result<Vec<Cell>, StartError> {
    let mut cells = Vec::with_capacity(count);
    let mut first = Cell::ORIGIN;
    for row in 0.. {
        cells.append(&mut line(first, Direction::East, width(row) as usize)?);
        if cells.len() == count {
            break;
        }
        first = step(first, Direction::NorthEast)?;
    }
    Ok(cells)
}

/// The cells of straight pieces, one after the other.
fn strokes(count: usize, pieces: impl Iterator<Item = (Direction, u32)>) -> Result<Vec<Cell>, StartError> {
    let mut cells = Vec::with_capacity(count);
    let mut at = Cell::ORIGIN;
    cells.push(at);
    for (direction, steps) in pieces {
        for _ in 0..steps {
            at = step(at, direction)?;
            cells.push(at);
        }
    }
    Ok(cells)
}

type CellSet = HashSet<Cell, FixedHasher>;

/// Grows a boulder by cells whose object neighbours are consecutive, so no hole forms. A cell that would put the object
/// on two sides of a free cell is postponed. The growth never gets stuck: a cell can always be added north-east of the
/// last cell of the highest row.
fn boulder(count: usize, choices: &mut impl Choices) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(count);
    let (mut object, mut seen) = (CellSet::default(), CellSet::default());
    let (mut frontier, mut waiting) = (Vec::new(), Vec::new());
    let mut joined = Cell::ORIGIN;
    seen.insert(joined);
    loop {
        object.insert(joined);
        cells.push(joined);
        if cells.len() == count {
            return cells;
        }
        frontier.extend(joined.neighbours().filter(|cell| seen.insert(*cell)));
        frontier.append(&mut waiting);
        joined = loop {
            let picked = pick_index(choices, frontier.len(), Decision::Initial);
            let picked = picked.expect("above the eastern end of the highest row there is one that fits");
            let cell = frontier.swap_remove(picked);
            if fits(&mut object, cell) {
                break cell;
            }
            waiting.push(cell);
        };
    }
}

/// Whether the object would still be on only one side of each free cell next to `cell` if `cell` joined it.
fn fits(object: &mut CellSet, cell: Cell) -> bool {
    if sides(object, cell) != 1 {
        return false;
    }
    object.insert(cell);
    let fits = cell.neighbours().all(|near| object.contains(&near) || sides(object, near) == 1);
    object.remove(&cell);
    fits
}

/// The number of separate arcs of object cells around a cell.
fn sides(object: &CellSet, cell: Cell) -> usize {
    let is_there = |direction| cell.neighbour(direction).is_some_and(|near| object.contains(&near));
    let begins =
        |direction: &Direction| is_there(*direction) && !is_there(direction.turned(Rotation::Clockwise));
    Direction::ALL.iter().filter(|direction| begins(direction)).count()
}

/// The arrangement of amoebots next to an object. The first amoebot is above the middle of the object's highest row.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Stand {
    /// A straight line to the north-east, away from the object.
    Column,
    /// A random heap that grows like a [`blob`](super::blob()), next to and around the object.
    Heap {
        /// The probability that a cell joins. A cell that does not join stays empty permanently.
        acceptance: FixedProbability,
    },
    /// A line along the object, clockwise: the beginning of a first layer.
    Layer,
}

/// The cells of this many connected amoebots next to an object. All draws are made as [`Decision::Initial`]. O(k log k
/// + cells) for k cells of the object.
///
/// # Errors
///
/// There is no object, there are no amoebots or too many, or a cell is beyond the limit of the lattice. Or a heap died
/// out, or the object has too few adjacent cells for the layer.
pub fn beside(
    object: &[Cell],
    stand: Stand,
    cells: usize,
    choices: &mut impl Choices,
) -> Result<Vec<Cell>, StartError> {
    checked(cells)?;
    let top = object.iter().map(|cell| cell.y()).max().ok_or(StartError::WrongCount { cells: 0 })?;
    let mut highest: Vec<Cell> = object.iter().copied().filter(|cell| cell.y() == top).collect();
    highest.sort_unstable();
    let foot = step(highest[highest.len() / 2], Direction::NorthEast)?;
    match stand {
        Stand::Column => line(foot, Direction::NorthEast, cells),
        Stand::Heap { acceptance } => blob_avoiding(object, foot, cells, acceptance, choices),
        Stand::Layer => layer(&object.iter().copied().collect(), foot, cells),
    }
}

/// The cells of a walk along the object, from a cell that has the object in the south-west. A cell of a passage one
/// cell wide is visited twice and counts once.
fn layer(object: &CellSet, foot: Cell, count: usize) -> Result<Vec<Cell>, StartError> {
    let next = |at: Cell, side: Direction| {
        let round = std::iter::successors(Some(side), |way| Some(way.turned(Rotation::Counterclockwise)));
        let mut free =
            round.take(6).filter(|way| at.neighbour(*way).is_none_or(|cell| !object.contains(&cell)));
        free.next().expect("the way back is free, or the first cell is above all of the object")
    };
    let (mut layer, mut visited) = (vec![foot], CellSet::default());
    visited.insert(foot);
    let first = next(foot, Direction::SouthWest);
    let (mut at, mut way) = (foot, first);
    while layer.len() < count {
        at = step(at, way)?;
        // The cell that was tested just before is also next to this one, and belongs to the object.
        let side = way.turned(Rotation::Clockwise).turned(Rotation::Clockwise);
        way = next(at, side);
        if (at, way) == (foot, first) {
            return Err(StartError::NoRoom { cells: count, room: layer.len() });
        }
        if visited.insert(at) {
            layer.push(at);
        }
    }
    Ok(layer)
}
