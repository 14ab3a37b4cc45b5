//! The partition of a lattice into groups of rows, and the distance by which rows move in memory.

use super::bands::Bands;
use super::fault::SlicedFault;
use super::planes::Lanes;

/// The maximum number of rounds in one pass. More rounds would save little memory traffic, but more rows would be
/// computed twice.
pub(super) const ROUNDS_MAX: usize = 4;

/// The number of rows by which a row moves in a round. Row `y` is written over row `y - 2`, which is needed only for
/// row `y - 1`.
pub(super) const DRIFT: usize = 2;

/// The number of nodes from which a lattice is divided into groups. A round of fewer nodes takes less than about 50
/// microseconds; handing it to other threads would take longer.
pub(super) const GROUP_NODES_MIN: u64 = 1 << 18;

/// The minimum number of rows of a group, if there are several groups. Less than a fifteenth of all rows is then
/// computed twice at the borders of groups.
const GROUP_ROWS_MIN: usize = 56;

/// The maximum size of the rows that a thread works on, in bytes: half of the smallest second-level cache of current
/// server processors.
const CACHE: usize = 1 << 20;

/// The partition of the rows of a lattice into groups, which depends on the lattice alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partition {
    pub(super) bands: Bands,
    /// The number of planes of a block.
    pub(super) planes: usize,
    /// The number of groups.
    pub(super) groups: usize,
    /// The number of rows of a group; the last group may have fewer.
    pub(super) rows: usize,
    /// The maximum number of rounds in one pass.
    pub(super) rounds: usize,
    #[cfg(test)]
    pub(super) fault: SlicedFault,
}

impl Partition {
    /// Whether the store has this deliberate fault. Always false outside tests.
    pub(super) fn has(self, fault: SlicedFault) -> bool {
        #[cfg(test)]
        return self.fault == fault;
        #[cfg(not(test))]
        return matches!((self, fault), (_, SlicedFault::None));
    }

    pub(super) fn new(bands: Bands, planes: usize, nodes: u64) -> Self {
        let groups = if nodes < GROUP_NODES_MIN { 1 } else { (bands.rows / GROUP_ROWS_MIN).max(1) };
        let rows = bands.rows.div_ceil(groups);
        let groups = bands.rows.div_ceil(rows);
        let row_bytes = bands.blocks * planes * size_of::<Lanes>();
        // The number of rounds for which the rows from the first one read to the last one written fit in the cache.
        let fitting = (CACHE / row_bytes).saturating_sub(DRIFT + 2) / (DRIFT + 1);
        let last = bands.rows - (groups - 1) * rows;
        let cached = bands.rows * row_bytes <= CACHE;
        let rounds = if cached { 1 } else { fitting.min(last / 8).clamp(1, ROUNDS_MAX) };
        Self {
            bands,
            planes,
            groups,
            rows,
            rounds,
            #[cfg(test)]
            fault: SlicedFault::None,
        }
    }

    /// Another partition, with these bands, groups of `rows` rows, and `rounds` rounds in one pass.
    #[cfg(test)]
    pub(super) fn cut(self, bands: Bands, rows: usize, rounds: usize) -> Self {
        let rows = rows.min(bands.rows);
        let groups = bands.rows.div_ceil(rows);
        Self { bands, groups, rows, rounds: rounds.min(bands.rows), ..self }
    }

    /// The number of vectors in a row.
    pub(super) fn row(self) -> usize {
        self.bands.blocks * self.planes
    }

    /// The number of rows in the memory of a group: its own rows, the adjacent rows, and space to move.
    pub(super) fn room(self) -> usize {
        self.rows + 2 * self.rounds + self.rounds * DRIFT
    }

    /// The number of vectors of all groups.
    pub(super) fn vectors(self) -> usize {
        self.groups * self.room() * self.row()
    }

    /// The number of vectors of the ghost rows next to the groups, if there are several groups.
    pub(super) fn ghosts(self) -> usize {
        if self.groups == 1 { 0 } else { self.groups * 2 * self.rounds * self.row() }
    }

    /// The size of a store in bytes; the largest number if it overflows.
    pub(super) fn bytes(self) -> u64 {
        ((self.vectors() + self.ghosts()) as u64).saturating_mul(size_of::<Lanes>() as u64)
    }

    /// The number of rows of a group.
    pub(super) fn rows_of(self, group: usize) -> usize {
        self.rows.min(self.bands.rows - group * self.rows)
    }
}
