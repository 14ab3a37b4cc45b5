//! How a lattice is cut into groups of rows, and how far rows move.

use super::bands::Bands;
use super::fault::Fault;
use super::planes::Lanes;

/// Rounds at once, at most: more would save little memory traffic, and cost rows that are worked on twice.
pub(super) const ROUNDS_MAX: usize = 4;

/// How many rows a row moves in a round: where row `y` goes, row `y - 2` was, which only row `y - 1` still needed.
pub(super) const DRIFT: usize = 2;

/// Below this many nodes the lattice is one group: a round takes less than about 50 microseconds, and handing it to
/// other threads would take longer than doing it.
pub(super) const GROUP_NODES_MIN: u64 = 1 << 18;

/// Rows of a group at least, if there are several: what is done twice where groups meet stays below a fifteenth.
const GROUP_ROWS_MIN: usize = 56;

/// Bytes of the cache of a core that rows may take which a thread works on: half of the smallest second-level cache of
/// current server processors.
const CACHE: usize = 1 << 20;

/// How the rows of a lattice are cut into groups: a function of the lattice alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partition {
    pub(super) bands: Bands,
    /// Planes of a block.
    pub(super) planes: usize,
    /// Groups.
    pub(super) groups: usize,
    /// Rows of a group; the last one may have fewer.
    pub(super) rows: usize,
    /// Rounds at once, at most.
    pub(super) rounds: usize,
    #[cfg(test)]
    pub(super) fault: Fault,
}

impl Partition {
    /// Whether the store makes a deliberate mistake; only in tests.
    pub(super) fn has(self, fault: Fault) -> bool {
        #[cfg(test)]
        return self.fault == fault;
        #[cfg(not(test))]
        return matches!((self, fault), (_, Fault::None));
    }

    pub(super) fn new(bands: Bands, planes: usize, nodes: u64) -> Self {
        let groups = if nodes < GROUP_NODES_MIN { 1 } else { (bands.rows / GROUP_ROWS_MIN).max(1) };
        let rows = bands.rows.div_ceil(groups);
        let groups = bands.rows.div_ceil(rows);
        let row_bytes = bands.blocks * planes * size_of::<Lanes>();
        // Rows between the first one that is read and the last one that is written.
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
            fault: Fault::None,
        }
    }

    /// Other bands, groups of so many rows, and so many rounds at once.
    #[cfg(test)]
    pub(super) fn cut(self, bands: Bands, rows: usize, rounds: usize) -> Self {
        let rows = rows.min(bands.rows);
        let groups = bands.rows.div_ceil(rows);
        Self { bands, groups, rows, rounds: rounds.min(bands.rows), ..self }
    }

    /// Vectors in a row.
    pub(super) fn row(self) -> usize {
        self.bands.blocks * self.planes
    }

    /// Rows of memory of a group: its own, those beside it, and room to move.
    pub(super) fn room(self) -> usize {
        self.rows + 2 * self.rounds + self.rounds * DRIFT
    }

    /// Vectors of all groups.
    pub(super) fn vectors(self) -> usize {
        self.groups * self.room() * self.row()
    }

    /// Vectors of the rows beside the groups, if there are several.
    pub(super) fn ghosts(self) -> usize {
        if self.groups == 1 { 0 } else { self.groups * 2 * self.rounds * self.row() }
    }

    /// Bytes of a store; saturates.
    pub(super) fn bytes(self) -> u64 {
        ((self.vectors() + self.ghosts()) as u64).saturating_mul(size_of::<Lanes>() as u64)
    }

    /// Rows of a group.
    pub(super) fn rows_of(self, group: usize) -> usize {
        self.rows.min(self.bands.rows - group * self.rows)
    }
}
