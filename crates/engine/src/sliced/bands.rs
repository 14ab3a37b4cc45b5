//! The placement of nodes in lanes, rows and blocks.

use crate::network::Lattice;

use super::planes::{LANES, Lanes};

/// The largest number of words in a row of a band, unless the width cannot be divided further.
///
/// The rows that several simultaneous rounds need then fit in the second-level cache. Shorter rows lose more time at
/// their ends than they gain.
const BLOCKS_MAX: usize = 16;

/// A torus divided into [`LANES`] bands: a grid of bands, of which [`across`](Self::across) are side by side.
///
/// Word `x` of row `y` of a band is a word of the torus: 64 consecutive nodes of a row. A vector holds the words at the
/// same position of every band. So the words to the east, west, above or below form another vector, and lanes are mixed
/// only where a band ends.
///
/// If the height is not a multiple of the number of bands above one another, the last bands repeat rows of the first
/// bands. These rows are computed twice, with the same result, but are counted once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bands {
    height: u32,
    /// The first row of each band, as a row of the torus.
    first: [u64; LANES],
    /// The first word of each band, as a word of the row.
    column: [u64; LANES],
    /// The number of bands side by side: 1, 2, 4 or 8. The band of lane `l` has position `l % across` among them.
    pub(super) across: usize,
    /// The number of rows of a band.
    pub(super) rows: usize,
    /// The number of words in a row of a band.
    pub(super) blocks: usize,
}

impl Bands {
    /// Divides a lattice into bands. Its width must be a multiple of 64.
    pub(super) fn new(lattice: Lattice) -> Self {
        let words = lattice.width() as usize / 64;
        let divides = |across: &usize| words.is_multiple_of(*across);
        let narrow = |across: &usize| words / across <= BLOCKS_MAX;
        let mut choices = [1, 2, 4, LANES].into_iter().filter(divides);
        let widest = choices.clone().next_back().unwrap_or(1);
        Self::with_across(lattice, choices.find(narrow).unwrap_or(widest))
    }

    /// Divides a lattice into bands, of which `across` are side by side. This number must be 1, 2, 4 or 8, and a
    /// divisor of the number of words in a row.
    pub(super) fn with_across(lattice: Lattice, across: usize) -> Self {
        let (height, words) = (lattice.height(), lattice.width() as usize / 64);
        let rows = (height as usize).div_ceil(LANES / across);
        let first = std::array::from_fn(|lane| (lane / across * rows) as u64 % u64::from(height));
        let blocks = words / across;
        let column = std::array::from_fn(|lane| (lane % across * blocks) as u64);
        Self { height, first, column, across, rows, blocks }
    }

    /// The lane, the row and the block of a word of the torus.
    pub(super) fn place(self, row: u32, x: usize) -> (usize, usize, usize) {
        let row = row as usize;
        (row / self.rows * self.across + x / self.blocks, row % self.rows, x % self.blocks)
    }

    /// The row of the torus that is row `row` of a band, for `row` in `-rows..2 * rows`. Rows before the first or after
    /// the last belong to other bands.
    #[inline(always)]
    pub(super) fn row(self, lane: usize, row: i64) -> u64 {
        let height = u64::from(self.height);
        let mut row = (self.first[lane] + height).wrapping_add_signed(row);
        // Two subtractions suffice, and a remainder would cost more than a row of few nodes.
        for _ in 0..2 {
            row = if row >= height { row - height } else { row };
        }
        row
    }

    /// For each lane, the number of the first word of a row: its first node divided by 64.
    #[inline(always)]
    pub(super) fn first_numbers(self, row: i64) -> Lanes {
        let words = (self.across * self.blocks) as u64;
        std::array::from_fn(|lane| self.row(lane, row) * words + self.column[lane])
    }

    /// Whether no band repeats rows. If so, the row after the last row of a band is the first row of the next band.
    pub(super) fn even(self) -> bool {
        self.rows * LANES == self.height as usize * self.across
    }

    /// The position of the last row of the torus: the first lane that contains it, and the row in the band.
    pub(super) fn last(self) -> (usize, usize) {
        let (lane, row, _) = self.place(self.height - 1, 0);
        (lane, row)
    }

    /// The number of lanes whose nodes in this row are counted. The other lanes repeat rows.
    pub(super) fn counted(self, row: usize) -> usize {
        let (lane, last) = self.last();
        if row <= last { lane + self.across } else { lane }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::LatticeKind;

    #[test]
    fn every_word_is_in_a_band_and_bands_follow_one_another() {
        for (height, across) in (3..=70).flat_map(|height| [1, 2, 4, 8].map(|across| (height, across))) {
            let lattice = Lattice::new(LatticeKind::Square, 64 * 24, height).unwrap();
            let bands = Bands::with_across(lattice, across);
            assert_eq!((bands.blocks * across, bands.rows), (24, (height as usize).div_ceil(8 / across)));
            for (row, x) in (0..height).flat_map(|row| (0..24).map(move |x| (row, x))) {
                let (lane, y, block) = bands.place(row, x);
                assert!(lane < LANES && y < bands.rows && block < bands.blocks);
                assert_eq!(bands.row(lane, y as i64), u64::from(row));
                let number = bands.first_numbers(y as i64)[lane] + block as u64;
                assert_eq!(number, u64::from(row) * 24 + x as u64);
            }
            let rows = bands.rows as i64;
            for lane in 0..LANES {
                for y in -rows..2 * rows {
                    let expected = ((lane / across) as i64 * rows + y).rem_euclid(i64::from(height));
                    assert_eq!(bands.row(lane, y), expected as u64, "{height}: {lane}, {y}");
                }
            }
            let counted: usize = (0..bands.rows).map(|row| bands.counted(row)).sum();
            assert_eq!(counted, height as usize * across);
            assert_eq!(bands.even(), (height as usize).is_multiple_of(8 / across));
            assert_eq!(bands.row(bands.last().0, bands.last().1 as i64), u64::from(height) - 1);
        }
    }

    #[test]
    fn rows_are_cut_until_they_are_short() {
        let across = |words: u32| {
            let bands = Bands::new(Lattice::new(LatticeKind::Square, 64 * words, 9).unwrap());
            (bands.across, bands.blocks)
        };
        let cut = [(1, (1, 1)), (16, (1, 16)), (17, (1, 17)), (18, (2, 9)), (64, (4, 16)), (200, (8, 25))];
        for (words, cut) in cut {
            assert_eq!(across(words), cut, "{words}");
        }
    }
}
