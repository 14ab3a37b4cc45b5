//! Who is on which cell.
//!
//! Cells are stored in square tiles of 256, and tiles are found by hashing. Four bytes a cell, so a system that fills its
//! tiles takes little more than four bytes a cell; a tile that no amoebot is on any more is used again.

use std::hash::{BuildHasherDefault, Hasher};

use crate::model::id::AmoebotId;
use hashbrown::HashMap;

use crate::model::lattice::{Cell, Direction};

const BITS: u32 = 4;
const SIDE: usize = 1 << BITS;
const CELLS: usize = SIDE * SIDE;

/// The amoebot on each cell of a tile, its number plus one; 0 if the cell is free.
type Tile = [u32; CELLS];

/// A map from cells to amoebots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupancy {
    places: HashMap<u64, u32, BuildHasherDefault<TileHasher>>,
    tiles: Vec<Tile>,
    /// Occupied cells of each tile.
    counts: Vec<u16>,
    free: Vec<u32>,
}

/// The tile of a cell, and the place in it.
#[inline]
fn place(cell: Cell) -> (u64, usize) {
    let (x, y) = (cell.x() as u32, cell.y() as u32);
    let tile = u64::from(x >> BITS) << 32 | u64::from(y >> BITS);
    let low = SIDE - 1;
    (tile, (y as usize & low) << BITS | (x as usize & low))
}

impl Occupancy {
    /// Who is on a cell.
    #[inline]
    pub(crate) fn get(&self, cell: Cell) -> Option<AmoebotId> {
        let (tile, at) = place(cell);
        let tile = *self.places.get(&tile)?;
        self.tiles[tile as usize][at].checked_sub(1).map(AmoebotId)
    }

    /// Who is on each of the six neighbours of a cell, by [`Direction::index`]: the number plus one, 0 for no amoebot. One
    /// lookup of a tile, but at its border.
    #[inline]
    pub(crate) fn around(&self, cell: Cell) -> [u32; 6] {
        let (tile, at) = place(cell);
        let inside = |low: usize| (1..SIDE - 1).contains(&low);
        if inside(at & (SIDE - 1)) && inside(at >> BITS) {
            let Some(&tile) = self.places.get(&tile) else { return [0; 6] };
            let tile = &self.tiles[tile as usize];
            Direction::ALL.map(|direction| {
                let (dx, dy) = direction.step();
                let at = at.wrapping_add_signed((dy as isize) << BITS).wrapping_add_signed(dx as isize);
                tile[at & (CELLS - 1)]
            })
        } else {
            Direction::ALL.map(|direction| {
                let neighbour = cell.neighbour(direction).and_then(|cell| self.get(cell));
                neighbour.map_or(0, |id| id.0 + 1)
            })
        }
    }

    /// Puts an amoebot on a cell; returns who was there.
    pub(crate) fn insert(&mut self, cell: Cell, id: AmoebotId) -> Option<AmoebotId> {
        let (tile, at) = place(cell);
        let tile = *self.places.entry(tile).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.tiles.push([0; CELLS]);
                self.counts.push(0);
                (self.tiles.len() - 1) as u32
            })
        }) as usize;
        let before = std::mem::replace(&mut self.tiles[tile][at], id.0 + 1);
        self.counts[tile] += u16::from(before == 0);
        before.checked_sub(1).map(AmoebotId)
    }

    /// Frees a cell; returns who was there.
    pub(crate) fn remove(&mut self, cell: Cell) -> Option<AmoebotId> {
        let (key, at) = place(cell);
        let number = *self.places.get(&key)?;
        let tile = number as usize;
        let before = std::mem::take(&mut self.tiles[tile][at]).checked_sub(1).map(AmoebotId);
        self.counts[tile] -= u16::from(before.is_some());
        if self.counts[tile] == 0 {
            self.places.remove(&key);
            self.free.push(number);
        }
        before
    }

    /// The bytes of the storage.
    pub(crate) fn bytes(&self) -> usize {
        // A slot of the table has a byte beside it.
        self.places.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.tiles.capacity() * size_of::<Tile>()
            + self.counts.capacity() * size_of::<u16>()
            + self.free.capacity() * size_of::<u32>()
    }
}

/// One multiplication: tile numbers are no secret, and neighbours differ in their low bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TileHasher(u64);

impl Hasher for TileHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 ^ u64::from(byte));
        }
    }
    fn write_u64(&mut self, value: u64) {
        // The golden ratio; the high half comes down, since tables look at both ends.
        let product = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(changes in prop::collection::vec((-20..20_i32, -20..20_i32, 0..5_u32, any::<bool>()), 0..200)) {
            let (mut occupancy, mut model) = (Occupancy::default(), BTreeMap::new());
            for (x, y, id, put) in changes {
                let cell = Cell::new(x * 7, y * 5).unwrap();
                if put {
                    prop_assert_eq!(occupancy.insert(cell, AmoebotId(id)), model.insert(cell, AmoebotId(id)));
                } else {
                    prop_assert_eq!(occupancy.remove(cell), model.remove(&cell));
                }
            }
            for (x, y) in (-20..20).flat_map(|x| (-20..20).map(move |y| (x, y))) {
                let cell = Cell::new(x * 7, y * 5).unwrap();
                prop_assert_eq!(occupancy.get(cell), model.get(&cell).copied());
                let around = Direction::ALL.map(|direction| {
                    let next = cell.neighbour(direction).unwrap();
                    model.get(&next).map_or(0, |id| id.0 + 1)
                });
                prop_assert_eq!(occupancy.around(cell), around);
            }
            prop_assert_eq!(occupancy.counts.iter().map(|count| usize::from(*count)).sum::<usize>(), model.len());
            prop_assert!(occupancy.places.len() <= model.len());
        }
    }
}
