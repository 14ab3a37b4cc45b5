//! The hull of an object: the expected result that the leader must find.

use crate::model::lattice::Cell;

/// The convex hull of an object: the border of the smallest hexagon with sides along the lattice that contains
/// all cells next to the object. None of its cells belongs to the object.
///
/// ```
/// use acrasin_amoebot::Cell;
/// use acrasin_amoebot::library::convex_hull::Hull;
///
/// let hull = Hull::around(&[Cell::ORIGIN]).expect("a cell");
/// let mut ring: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
/// ring.sort();
/// assert_eq!(hull.cells(), ring);
/// assert!(hull.contains(ring[0]) && !hull.contains(Cell::ORIGIN));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hull {
    /// For each direction, the largest distance by which a cell is to the left of the line in this direction through
    /// the origin.
    most: [i32; 6],
}

/// For each direction, the distance by which a cell is to the left of the line in this direction through the origin.
fn left_of(cell: Cell) -> [i32; 6] {
    let (x, y) = (cell.x(), cell.y());
    [y, -x, -x - y, -y, x, x + y]
}

impl Hull {
    /// The hull of an object of k cells; `None` without cells. O(k).
    #[must_use]
    pub fn around(object: &[Cell]) -> Option<Self> {
        let Self { most } = Self::round(object)?;
        Some(Self { most: most.map(|most| most + 1) })
    }

    /// The smallest hexagon that contains these cells.
    pub(super) fn round(cells: &[Cell]) -> Option<Self> {
        let reach = cells.iter().map(|cell| left_of(*cell));
        let most = reach.reduce(|most, reach| std::array::from_fn(|side| most[side].max(reach[side])))?;
        Some(Self { most })
    }

    fn distances(&self, cell: Cell) -> [i32; 6] {
        let reach = left_of(cell);
        std::array::from_fn(|side| self.most[side] - reach[side])
    }

    /// Whether a cell belongs to the hull.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        let distances = self.distances(cell);
        distances.iter().all(|distance| *distance >= 0) && distances.contains(&0)
    }

    /// Whether `known` are the distances from a cell to the borders, for some labelling of the directions.
    pub(super) fn is_at(&self, cell: Cell, known: [u32; 6]) -> bool {
        let there = self.distances(cell).map(i32::cast_unsigned);
        let turned = |first: usize, side: usize| there[(first + side) % 6];
        // A border to the right of a walk in one direction is to the left of a walk in the opposite one.
        let mirrored = |first: usize, side: usize| there[(first + 9 - side) % 6];
        (0..6).any(|first| {
            (0..6).all(|side| known[side] == turned(first, side))
                || (0..6).all(|side| known[side] == mirrored(first, side))
        })
    }

    /// The number of cells of the hull. O(rows).
    #[allow(clippy::len_without_is_empty)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows().map(|(_, [first, last])| if first == last { 1 } else { 2 }).sum::<usize>()
            + self.inside_of_ends()
    }

    /// The cells of the hull, sorted. O(cells).
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (y, [first, last]) in self.rows() {
            let is_end = y == self.most[0] || y == -self.most[3];
            let step = if is_end { 1 } else { (last - first).max(1) };
            let row = (first..=last).step_by(step as usize).filter_map(|x| Cell::new(x, y).ok());
            cells.extend(row);
        }
        cells.sort_unstable();
        cells
    }

    /// The rows of the hexagon, each with its first and last column.
    fn rows(&self) -> impl Iterator<Item = (i32, [i32; 2])> {
        let [top, west, south_west, bottom, east, north_east] = self.most;
        (-bottom..=top).map(move |y| (y, [(-west).max(-south_west - y), east.min(north_east - y)]))
    }

    /// The number of cells of the first and the last row that are not ends of these rows.
    fn inside_of_ends(&self) -> usize {
        let is_end = |y: i32| y == self.most[0] || y == -self.most[3];
        let ends = self.rows().filter(|(y, _)| is_end(*y));
        ends.map(|(_, [first, last])| (last - first - 1).max(0) as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::lattice::Direction;

    #[test]
    fn steps_to_the_left_go_further() {
        for walk in Direction::ALL {
            for step in Direction::ALL {
                let (dx, dy) = step.step();
                let ahead = left_of(Cell::ORIGIN.translated(dx, dy).unwrap())[usize::from(walk.index())];
                let turns = (6 + step.index() - walk.index()) % 6;
                assert_eq!(ahead, [0, 1, 1, 0, -1, -1][usize::from(turns)]);
            }
        }
    }
}
