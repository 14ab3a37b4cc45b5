//! The occupant of each cell.
//!
//! Amoebots are nearly always close together. The cells of a rectangle around them are then stored row by row, and a
//! lookup is one access. If the rectangle would be mostly empty, as for a long diagonal line, cells are stored in
//! square tiles of 256 cells, which are found by hashing. A tile without amoebots is reused. Both forms take four bytes
//! per cell and behave alike.

use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;

mod rectangle;
mod tiles;

pub(crate) use rectangle::Rectangle;
use tiles::TileOccupancy;

/// A map from cells to amoebots.
#[derive(Clone, Debug)]
pub(crate) enum Occupancy {
    /// All cells of a rectangle.
    Rectangle(Rectangle),
    /// The cells of some tiles.
    Tiles(TileOccupancy),
}

impl Occupancy {
    /// An empty map with room for amoebots on these cells.
    pub(crate) fn enclosing(cells: impl Iterator<Item = Cell>) -> Self {
        match Rectangle::enclosing(cells) {
            Some(rectangle) => Self::Rectangle(rectangle),
            None => Self::Tiles(TileOccupancy::default()),
        }
    }

    /// The occupant of a cell.
    #[inline]
    pub(crate) fn get(&self, cell: Cell) -> Option<AmoebotId> {
        self.number(cell).checked_sub(1).map(AmoebotId)
    }

    /// The occupant of a cell as its identity plus one, 0 for a free cell.
    #[inline]
    pub(crate) fn number(&self, cell: Cell) -> u32 {
        match self {
            Self::Rectangle(rectangle) => rectangle.get(cell),
            Self::Tiles(tiles) => tiles.get(cell),
        }
    }

    /// The occupants of the six neighbours of a cell, by
    /// [`Direction::index`](crate::model::lattice::Direction::index): the identity plus one, 0 for a free cell.
    #[inline(always)]
    pub(crate) fn around(&self, cell: Cell) -> [u32; 6] {
        match self {
            Self::Rectangle(rectangle) => rectangle.around(cell),
            Self::Tiles(tiles) => tiles.around(cell),
        }
    }

    /// Puts an amoebot on a cell; returns the previous occupant.
    #[inline]
    pub(crate) fn insert(&mut self, cell: Cell, id: AmoebotId) -> Option<AmoebotId> {
        if let Self::Rectangle(rectangle) = self {
            if let Some(before) = rectangle.replace(cell, id.0 + 1) {
                return before.checked_sub(1).map(AmoebotId);
            }
            self.widen(cell);
        }
        match self {
            Self::Rectangle(rectangle) => rectangle.replace(cell, id.0 + 1),
            Self::Tiles(tiles) => Some(tiles.insert(cell, id)),
        }
        .and_then(|before| before.checked_sub(1).map(AmoebotId))
    }

    /// Puts an amoebot on a cell. Does nothing if the map is a rectangle that does not contain the cell.
    #[inline]
    pub(crate) fn put_inside(&mut self, cell: Cell, id: AmoebotId) {
        match self {
            Self::Rectangle(rectangle) => {
                rectangle.replace(cell, id.0 + 1);
            }
            Self::Tiles(tiles) => {
                tiles.insert(cell, id);
            }
        }
    }

    /// Frees a cell; returns the previous occupant.
    #[inline]
    pub(crate) fn remove(&mut self, cell: Cell) -> Option<AmoebotId> {
        let before = match self {
            Self::Rectangle(rectangle) => rectangle.replace(cell, 0)?,
            Self::Tiles(tiles) => tiles.remove(cell),
        };
        before.checked_sub(1).map(AmoebotId)
    }

    /// Makes room for a cell outside of the rectangle. O(area).
    #[cold]
    #[inline(never)]
    fn widen(&mut self, cell: Cell) {
        let Self::Rectangle(rectangle) = self else { return };
        let wider = Rectangle::enclosing(rectangle.occupied().map(|(cell, _)| cell).chain([cell]));
        *self = match wider {
            Some(mut wider) => {
                for (cell, id) in rectangle.occupied() {
                    wider.replace(cell, id.0 + 1);
                }
                Self::Rectangle(wider)
            }
            None => {
                let mut tiles = TileOccupancy::default();
                for (cell, id) in rectangle.occupied() {
                    tiles.insert(cell, id);
                }
                Self::Tiles(tiles)
            }
        };
    }

    /// Moves the rectangle `into` to a corner and copies the occupants of its cells into it. Occupied cells also get
    /// the bits of `mark`. O(area of `into`).
    pub(crate) fn copy_to(&self, into: &mut Rectangle, corner: (i32, i32), mark: u32) {
        match self {
            Self::Rectangle(whole) => into.copy_of(whole, corner, mark),
            Self::Tiles(tiles) => into.copy_by(corner, mark, |cell| tiles.get(cell)),
        }
    }

    /// The bytes of the storage.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Rectangle(rectangle) => rectangle.bytes(),
            Self::Tiles(tiles) => tiles.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::lattice::Direction;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn is_a_map(
        mut occupancy: Occupancy,
        changes: Vec<(i32, i32, u32, bool)>,
        spread: i32,
    ) -> Result<Occupancy, TestCaseError> {
        let mut model = BTreeMap::new();
        for (x, y, id, put) in changes {
            let cell = Cell::new(x * spread, y * (spread - 2)).unwrap();
            if put {
                prop_assert_eq!(occupancy.insert(cell, AmoebotId(id)), model.insert(cell, AmoebotId(id)));
            } else {
                prop_assert_eq!(occupancy.remove(cell), model.remove(&cell));
            }
        }
        for (x, y) in (-20..20).flat_map(|x| (-20..20).map(move |y| (x, y))) {
            let cell = Cell::new(x * spread, y * (spread - 2)).unwrap();
            prop_assert_eq!(occupancy.get(cell), model.get(&cell).copied());
            let around = Direction::ALL.map(|direction| {
                let next = cell.neighbour(direction).unwrap();
                model.get(&next).map_or(0, |id| id.0 + 1)
            });
            prop_assert_eq!(occupancy.around(cell), around);
        }
        if let Occupancy::Tiles(tiles) = &occupancy {
            let (cells, tiles) = tiles.counted();
            prop_assert!(cells == model.len() && tiles <= model.len());
        }
        Ok(occupancy)
    }

    fn changes() -> impl Strategy<Value = Vec<(i32, i32, u32, bool)>> {
        prop::collection::vec((-20..20_i32, -20..20_i32, 0..5_u32, any::<bool>()), 0..200)
    }

    proptest! {
        #[test]
        fn tiles_behave_like_a_map(changes in changes()) {
            is_a_map(Occupancy::Tiles(TileOccupancy::default()), changes, 7)?;
        }

        /// The rectangle grows with the cells put into it, and is replaced by tiles if they are far apart.
        #[test]
        fn a_rectangle_behaves_like_a_map(changes in changes(), spread in 3..40_i32) {
            is_a_map(Occupancy::enclosing([Cell::ORIGIN].into_iter()), changes, spread)?;
        }
    }

    #[test]
    fn close_amoebots_are_a_rectangle_and_far_ones_are_tiles() {
        let mut occupancy = Occupancy::enclosing([Cell::ORIGIN].into_iter());
        assert!(matches!(occupancy, Occupancy::Rectangle(_)));
        occupancy.insert(Cell::ORIGIN, AmoebotId(7));
        occupancy.insert(Cell::new(10, -10).unwrap(), AmoebotId(8));
        assert!(matches!(occupancy, Occupancy::Rectangle(_)));
        occupancy.insert(Cell::new(-1000, 1000).unwrap(), AmoebotId(9));
        assert!(matches!(occupancy, Occupancy::Tiles(_)));
        assert_eq!(occupancy.get(Cell::ORIGIN), Some(AmoebotId(7)));
        let max = Cell::COORDINATE_MAX;
        let corners =
            [(-max, -max), (max, max), (-max, max), (max, -max)].map(|(x, y)| Cell::new(x, y).unwrap());
        for corner in corners {
            let mut occupancy = Occupancy::enclosing([corner].into_iter());
            assert!(matches!(occupancy, Occupancy::Rectangle(_)));
            occupancy.insert(corner, AmoebotId(1));
            assert_eq!((occupancy.get(corner), occupancy.around(corner)), (Some(AmoebotId(1)), [0; 6]));
            assert_eq!(occupancy.get(Cell::ORIGIN), None);
        }
        assert!(matches!(Occupancy::enclosing(corners.into_iter()), Occupancy::Tiles(_)));
    }
}
