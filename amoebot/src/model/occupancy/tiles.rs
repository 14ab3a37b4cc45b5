//! Square tiles of cells, found by hashing.

use std::hash::{BuildHasherDefault, Hasher};

use crate::model::id::AmoebotId;
use hashbrown::HashMap;

use crate::model::lattice::{Cell, Direction};

const BITS: u32 = 4;
const SIDE: usize = 1 << BITS;
const CELLS: usize = SIDE * SIDE;

/// The occupancy of a tile: for each cell the identity of its amoebot plus one, or 0 if the cell is free.
type TileCells = [u32; CELLS];

/// The cells of the tiles that contain an amoebot.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileOccupancy {
    places: HashMap<u64, u32, BuildHasherDefault<TileHasher>>,
    tiles: Vec<TileCells>,
    /// The number of occupied cells of each tile.
    counts: Vec<u16>,
    free: Vec<u32>,
}

/// The tile of a cell, and the cell's index in it.
#[inline]
fn place(cell: Cell) -> (u64, usize) {
    let (x, y) = (cell.x() as u32, cell.y() as u32);
    let tile = u64::from(x >> BITS) << 32 | u64::from(y >> BITS);
    let low = SIDE - 1;
    (tile, (y as usize & low) << BITS | (x as usize & low))
}

impl TileOccupancy {
    /// The occupant of a cell: its identity plus one, 0 for a free cell.
    #[inline]
    pub(crate) fn get(&self, cell: Cell) -> u32 {
        let (tile, at) = place(cell);
        self.places.get(&tile).map_or(0, |tile| self.tiles[*tile as usize][at])
    }

    /// The occupants of the six neighbours of a cell, by [`Direction::index`], in the encoding of [`get`](Self::get).
    /// Takes one tile lookup, or more for a cell at the border of its tile.
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
            Direction::ALL.map(|direction| cell.neighbour(direction).map_or(0, |cell| self.get(cell)))
        }
    }

    /// Puts an amoebot on a cell; returns the previous occupant as [`get`](Self::get) does.
    pub(crate) fn insert(&mut self, cell: Cell, id: AmoebotId) -> u32 {
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
        before
    }

    /// Frees a cell; returns the previous occupant as [`get`](Self::get) does.
    pub(crate) fn remove(&mut self, cell: Cell) -> u32 {
        let (key, at) = place(cell);
        let Some(&number) = self.places.get(&key) else { return 0 };
        let tile = number as usize;
        let before = std::mem::take(&mut self.tiles[tile][at]);
        self.counts[tile] -= u16::from(before > 0);
        if self.counts[tile] == 0 {
            self.places.remove(&key);
            self.free.push(number);
        }
        before
    }

    /// The bytes of the storage.
    pub(crate) fn bytes(&self) -> usize {
        // Each slot of the hash table has one control byte.
        self.places.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.tiles.capacity() * size_of::<TileCells>()
            + self.counts.capacity() * size_of::<u16>()
            + self.free.capacity() * size_of::<u32>()
    }
}

/// Hashes by one multiplication: tile numbers are not adversarial, and neighbours differ in their low bits.
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
        // Multiplies by the golden ratio. The high half is folded down, since the hash table uses both ends.
        let product = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }
}

#[cfg(test)]
impl TileOccupancy {
    /// The number of occupied cells, and of tiles.
    pub(crate) fn counted(&self) -> (usize, usize) {
        (self.counts.iter().map(|count| usize::from(*count)).sum(), self.places.len())
    }
}
