//! Which node is where.

use crate::network::Lattice;

use super::planes::LANES;

/// A torus in [`LANES`] bands of as many rows, one above the other: row `y` of band `l` is row `l * rows + y` of the
/// torus, modulo its height. A vector holds 64 nodes of the same row of every band, so that what is east, west, above
/// or below a vector is another vector, and lanes never mix except where a band ends.
///
/// If the height is not a multiple of the number of bands, the last bands repeat rows of the first: those rows are
/// worked on twice, with the same result, and counted once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bands {
    height: u32,
    /// The row of the torus that the first row of each band is.
    first: [u64; LANES],
    /// Rows of a band.
    pub(super) rows: usize,
    /// Words in a row.
    pub(super) blocks: usize,
}

impl Bands {
    /// The width of the lattice is a multiple of 64.
    pub(super) fn new(lattice: Lattice) -> Self {
        let height = lattice.height();
        let rows = height.div_ceil(LANES as u32) as usize;
        let first = std::array::from_fn(|lane| (lane * rows) as u64 % u64::from(height));
        Self { height, first, rows, blocks: lattice.width() as usize / 64 }
    }

    /// The band and the row in it of a row of the torus.
    pub(super) fn place(self, row: u32) -> (usize, usize) {
        let row = row as usize;
        (row / self.rows, row % self.rows)
    }

    /// The row of the torus that row `row` of a band is; negative rows and those behind the last one are rows of other
    /// bands. `row` is in `-rows..2 * rows`.
    #[inline(always)]
    pub(super) fn row(self, lane: usize, row: i64) -> u64 {
        let height = u64::from(self.height);
        let mut row = (self.first[lane] + height).wrapping_add_signed(row);
        // Twice at most: a remainder would cost more than a row of few nodes.
        for _ in 0..2 {
            row = if row >= height { row - height } else { row };
        }
        row
    }

    /// Whether lanes move on by one where a band ends, all alike.
    pub(super) fn even(self) -> bool {
        self.rows * LANES == self.height as usize
    }

    /// The band that has the last row of the torus, and where.
    pub(super) fn last(self) -> (usize, usize) {
        self.place(self.height - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::LatticeKind;

    #[test]
    fn every_row_is_in_a_band_and_bands_follow_one_another() {
        for height in 3..=70 {
            let bands = Bands::new(Lattice::new(LatticeKind::Square, 64, height).unwrap());
            for row in 0..height {
                let (lane, y) = bands.place(row);
                assert!(lane < LANES && y < bands.rows);
                assert_eq!(bands.row(lane, y as i64), u64::from(row));
            }
            let rows = bands.rows as i64;
            for lane in 0..LANES {
                for y in -rows..2 * rows {
                    let expected = (lane as i64 * rows + y).rem_euclid(i64::from(height));
                    assert_eq!(bands.row(lane, y), expected as u64, "{height}: {lane}, {y}");
                }
            }
            assert_eq!(bands.even(), height % 8 == 0);
            assert_eq!(bands.row(bands.last().0, bands.last().1 as i64), u64::from(height) - 1);
        }
    }
}
