//! Sets of cells up to translation.

use std::collections::BTreeSet;

use crate::model::lattice::{Cell, Direction};
use crate::model::sort::{ITEMS_AT_ONCE, sort_while};

/// A set of cells up to translation, in normal form: sorted, with smallest coordinates 0.
///
/// Two sets of cells are translates of each other exactly if their shapes are equal.
///
/// ```
/// use acrasin_amoebot::{Cell, Shape};
/// let far = Shape::from_cells([Cell::new(7, 7)?, Cell::new(6, 8)?])?;
/// let near = Shape::from_cells([Cell::new(0, 1)?, Cell::new(1, 0)?])?;
/// assert_eq!(far, near);
/// assert!(far.is_connected() && far.holes() == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shape(Vec<Cell>);

/// Counts of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeCounts {
    /// The number of pairs of adjacent cells.
    pub edges: usize,
    /// The number of connected components.
    pub components: usize,
    /// The number of bounded connected sets of cells outside of the shape.
    pub holes: usize,
}

/// Errors of forming or listing shapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// No cell was given.
    #[error("a shape without cells (accepted: 1 or more)")]
    Empty,
    /// The cells are further apart than [`Cell::COORDINATE_MAX`] in one coordinate.
    #[error("two cells that are more than {} apart in one coordinate", Cell::COORDINATE_MAX)]
    TooWide,
    /// The shapes with this many cells cannot be listed: there are none, or too many.
    #[error("all connected shapes of {cells} cells (accepted: 1 to {} cells)", Shape::LISTED_CELLS_MAX)]
    CannotList {
        /// The requested number of cells.
        cells: usize,
    },
}

impl Shape {
    /// The maximum number of cells for which [`all_connected`](Self::all_connected) lists every shape. There are
    /// 362,671 shapes of 10 cells, and nearly five times as many for each further cell.
    pub const LISTED_CELLS_MAX: usize = 10;

    /// The shape of these cells; duplicates count once.
    ///
    /// # Errors
    ///
    /// No cells were given, or they are too far apart.
    pub fn from_cells(cells: impl IntoIterator<Item = Cell>) -> Result<Self, ShapeError> {
        let cells = cells.into_iter().collect();
        Self::from_cells_while(cells, &|| true).map(|shape| shape.expect("there is time for it"))
    }

    /// The shape of these cells, or `None` once `has_time`, which is called every few milliseconds, returns false.
    ///
    /// # Errors
    ///
    /// No cells were given, or they are too far apart.
    pub fn from_cells_while(
        mut cells: Vec<Cell>,
        has_time: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, ShapeError> {
        let (dx, dy) = to_normal(cells.iter().copied()).ok_or(ShapeError::Empty)?;
        for cell in &mut cells {
            *cell = cell.translated(dx, dy).ok_or(ShapeError::TooWide)?;
        }
        let is_sorted = sort_while(&mut cells, |cell| *cell, has_time).is_some();
        cells.dedup();
        Ok(is_sorted.then_some(Self(cells)))
    }

    /// The cells, sorted.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.0
    }

    fn contains(&self, cell: Cell) -> bool {
        self.0.binary_search(&cell).is_ok()
    }

    /// The number of connected components. Nearly O(n): it uses union-find.
    #[must_use]
    pub fn components(&self) -> usize {
        self.counts().components
    }

    /// Whether the cells form one connected component.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.components() == 1
    }

    /// The number of pairs of adjacent cells. Nearly O(n).
    #[must_use]
    pub fn edges(&self) -> usize {
        self.counts().edges
    }

    /// The number of holes: bounded connected sets of cells outside of the shape. Nearly O(n).
    #[must_use]
    pub fn holes(&self) -> usize {
        self.counts().holes
    }

    fn counts(&self) -> ShapeCounts {
        self.counts_while(&|| true).expect("there is time for it")
    }

    /// Edges, components and holes, or `None` once `has_time`, which is called every few milliseconds, returns false.
    /// Nearly O(n): it uses union-find, and for the holes Euler's formula: cells - edges + triangles = components -
    /// holes.
    #[must_use]
    pub fn counts_while(&self, has_time: &dyn Fn() -> bool) -> Option<ShapeCounts> {
        let cells = self.0.len();
        // Union-find: a parent of each cell, in the same component.
        let mut nearer: Vec<u32> = (0..cells as u32).collect();
        let mut beside = vec![0_u8; cells];
        let mut components = cells;
        for (bit, direction) in LATER.into_iter().enumerate() {
            // Cells are sorted, and so are their neighbours in one direction: one pass over both lists suffices.
            let mut at = 0;
            for (from, beside) in beside.iter_mut().enumerate() {
                if from % ITEMS_AT_ONCE == 0 && !has_time() {
                    return None;
                }
                let Some(next) = self.0[from].neighbour(direction) else { continue };
                while self.0.get(at).is_some_and(|other| *other < next) {
                    at += 1;
                }
                if self.0.get(at) == Some(&next) {
                    *beside |= 1 << bit;
                    let [from, to] = [from, at].map(|at| stands_for(&mut nearer, at as u32));
                    components -= usize::from(from != to);
                    // Identities fit in 32 bits, since the number of cells is bounded.
                    nearer[from.max(to) as usize] = from.min(to);
                }
            }
        }
        let edges = beside.iter().map(|beside| beside.count_ones() as usize).sum();
        let triangles: usize =
            beside.iter().map(|beside| (beside & (beside >> 1)).count_ones() as usize).sum();
        Some(ShapeCounts { edges, components, holes: components + edges - cells - triangles })
    }

    /// The number of connected shapes of `cells` cells, as [`all_connected`](Self::all_connected) lists them.
    /// Source: the fixed polyhexes, OEIS A001207.
    ///
    /// # Errors
    ///
    /// `cells` is 0, or more than [`LISTED_CELLS_MAX`](Self::LISTED_CELLS_MAX).
    pub fn connected_count(cells: usize) -> Result<usize, ShapeError> {
        const COUNTS: [usize; Shape::LISTED_CELLS_MAX] =
            [1, 3, 11, 44, 186, 814, 3_652, 16_689, 77_359, 362_671];
        let at = cells.checked_sub(1).and_then(|at| COUNTS.get(at));
        at.copied().ok_or(ShapeError::CannotList { cells })
    }

    /// Every connected shape of `cells` cells, holes included, in increasing order.
    ///
    /// ```
    /// use acrasin_amoebot::Shape;
    /// assert_eq!(Shape::all_connected(4)?.len(), 44);
    /// # Ok::<(), acrasin_amoebot::model::shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `cells` is 0, or more than [`LISTED_CELLS_MAX`](Self::LISTED_CELLS_MAX).
    pub fn all_connected(cells: usize) -> Result<Vec<Self>, ShapeError> {
        if !(1..=Self::LISTED_CELLS_MAX).contains(&cells) {
            return Err(ShapeError::CannotList { cells });
        }
        let mut shapes = BTreeSet::from([Self(vec![Cell::ORIGIN])]);
        for _ in 1..cells {
            // A connected shape has a cell whose removal leaves it connected. So each shape is a smaller one
            // plus a cell.
            let mut larger = BTreeSet::new();
            for shape in &shapes {
                for next in shape.0.iter().flat_map(|cell| cell.neighbours()) {
                    if !shape.contains(next) {
                        larger.insert(Self::from_cells(shape.0.iter().copied().chain([next]))?);
                    }
                }
            }
            shapes = larger;
        }
        Ok(shapes.into_iter().collect())
    }
}

/// Three of the six directions, one for each axis. Consecutive entries are adjacent directions.
const LATER: [Direction; 3] = [Direction::East, Direction::NorthEast, Direction::NorthWest];

/// The representative of a cell's component in union-find. Shortens the path to it by path halving.
fn stands_for(nearer: &mut [u32], mut at: u32) -> u32 {
    while nearer[at as usize] != at {
        let next = nearer[nearer[at as usize] as usize];
        nearer[at as usize] = next;
        at = next;
    }
    at
}

/// The translation that brings cells into normal form; `None` without cells.
pub(crate) fn to_normal(cells: impl Iterator<Item = Cell>) -> Option<(i32, i32)> {
    let smallest = |(x, y): (i32, i32), cell: Cell| (x.min(cell.x()), y.min(cell.y()));
    let (x, y) = cells.fold((i32::MAX, i32::MAX), smallest);
    (x != i32::MAX).then_some((-x, -y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell(x: i32, y: i32) -> Cell {
        Cell::new(x, y).unwrap()
    }

    #[test]
    fn as_many_connected_shapes_as_known() {
        let known = [(1, 1), (3, 3), (11, 11), (44, 44), (186, 186), (814, 813)];
        for (cells, (all, without_holes)) in (1..).zip(known) {
            let shapes = Shape::all_connected(cells).unwrap();
            assert_eq!(shapes.len(), all);
            assert!(shapes.iter().all(|shape| shape.is_connected() && shape.cells().len() == cells));
            assert_eq!(shapes.iter().filter(|shape| shape.holes() == 0).count(), without_holes);
        }
        for cells in 1..=8 {
            assert_eq!(Shape::connected_count(cells), Ok(Shape::all_connected(cells).unwrap().len()));
        }
        assert_eq!(Shape::connected_count(10), Ok(362_671));
        for cells in [0, 11, usize::MAX] {
            assert_eq!(Shape::connected_count(cells), Err(ShapeError::CannotList { cells }));
        }
        assert_eq!(Shape::all_connected(0), Err(ShapeError::CannotList { cells: 0 }));
        assert_eq!(Shape::all_connected(11), Err(ShapeError::CannotList { cells: 11 }));
    }

    /// The numbers of hole-free shapes with each number of adjacent pairs equal known values.
    #[test]
    fn edges_of_hole_free_shapes_as_known() {
        let shapes = Shape::all_connected(6).unwrap();
        let with = |edges| shapes.iter().filter(|shape| shape.holes() == 0 && shape.edges() == edges).count();
        assert_eq!([5, 6, 7, 8, 9].map(with), [348, 280, 129, 42, 14]);
    }

    /// Regression: an interrupted run with a million amoebots ended 0.3 s late, because it first counted the shape.
    #[test]
    fn without_time_a_shape_is_not_counted() {
        let cells: Vec<Cell> = (0..2 * ITEMS_AT_ONCE as i32).map(|x| cell(x, 0)).collect();
        let shape = Shape::from_cells(cells.iter().copied()).unwrap();
        let expected = ShapeCounts { edges: cells.len() - 1, components: 1, holes: 0 };
        let looks = std::cell::Cell::new(0);
        let until = |end| {
            looks.set(0);
            let looks = &looks;
            move || looks.replace(looks.get() + 1) < end
        };
        for end in 0..6 {
            assert_eq!((shape.counts_while(&until(end)), looks.get()), (None, end + 1));
        }
        assert_eq!((shape.counts_while(&until(6)), looks.get()), (Some(expected), 6));
        for end in 0..3 {
            assert_eq!(Shape::from_cells_while(cells.clone(), &until(end)), Ok(None));
        }
        assert_eq!(Shape::from_cells_while(cells, &until(3)), Ok(Some(shape)));
    }

    #[test]
    fn sets_without_a_shape_are_refused() {
        assert_eq!(Shape::from_cells([]), Err(ShapeError::Empty));
        let max = Cell::COORDINATE_MAX;
        assert_eq!(Shape::from_cells([cell(0, 0), cell(max, 0)]).unwrap().components(), 2);
        assert_eq!(Shape::from_cells([cell(-1, 0), cell(max, 0)]), Err(ShapeError::TooWide));
        assert_eq!(Shape::from_cells([cell(3, 3), cell(3, 3)]).unwrap().cells(), [Cell::ORIGIN]);
    }

    /// The number of bounded connected sets of cells outside of the shape, found by flooding a box.
    fn holes_by_flooding(shape: &Shape, side: i32) -> usize {
        let inside = |c: Cell| (-1..=side).contains(&c.x()) && (-1..=side).contains(&c.y());
        let mut open: BTreeSet<Cell> = (-1..=side)
            .flat_map(|x| (-1..=side).map(move |y| cell(x, y)))
            .filter(|c| !shape.contains(*c))
            .collect();
        let mut parts = 0;
        while let Some(first) = open.pop_first() {
            parts += 1;
            let mut border = vec![first];
            while let Some(at) = border.pop() {
                border.extend(at.neighbours().filter(|next| inside(*next) && open.remove(next)));
            }
        }
        parts - 1
    }

    proptest! {
        #[test]
        fn holes_agree_with_flooding(cells in prop::collection::btree_set((0..7, 0..7), 1..40)) {
            let cells: Vec<Cell> = cells.into_iter().map(|(x, y)| cell(x, y)).collect();
            let shape = Shape::from_cells(cells.iter().copied()).unwrap();
            prop_assert_eq!(shape.holes(), holes_by_flooding(&shape, 7));
        }

        #[test]
        fn translates_have_one_shape(cells in prop::collection::btree_set((-5..5, -5..5), 1..20), dx in -1000..1000, dy in -1000..1000) {
            let cells: Vec<Cell> = cells.into_iter().map(|(x, y)| cell(x, y)).collect();
            let moved = cells.iter().map(|c| c.translated(dx, dy).unwrap());
            prop_assert_eq!(Shape::from_cells(moved).unwrap(), Shape::from_cells(cells.iter().copied()).unwrap());
        }
    }
}
