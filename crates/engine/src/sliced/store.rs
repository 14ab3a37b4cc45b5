//! The planes of all nodes, in groups of rows for threads.

use acrasin_runtime::PackError;

use crate::saved::SavedWord as _;
use crate::unchecked::{Kernel, Vectors, run_widest};

use super::aligned::Aligned;
use super::fault::SlicedFault;
use super::partition::{DRIFT, Partition};
use super::planes::{LANES, Lanes};

/// All planes of a run.
#[derive(Debug)]
pub(super) struct PlaneStore {
    partition: Partition,
    memory: Aligned,
    /// Ghost rows next to the groups. For each group: the rows below the group, nearest first, then those above it.
    ghosts: Aligned,
    /// The position of each group's first row in the group's memory, in rows.
    base: usize,
}

/// The rows that a thread works on.
pub(super) struct RowGroup<'a> {
    /// The first row of the group, as a row of the bands.
    pub(super) first: usize,
    /// The number of rows.
    pub(super) rows: usize,
    pub(super) memory: &'a mut [Lanes],
    /// The ghost rows next to the group, nearest first, alternately below and above. Empty if they are in `memory`.
    pub(super) ghosts: &'a [Lanes],
}

impl PlaneStore {
    /// Creates a store with all planes zero.
    pub(super) fn new(partition: Partition) -> Self {
        let (memory, ghosts) = (Aligned::zeroed(partition.vectors()), Aligned::zeroed(partition.ghosts()));
        Self { partition, memory, ghosts, base: partition.rounds }
    }

    #[cfg(test)]
    pub(super) fn set_fault(&mut self, fault: SlicedFault) {
        self.partition.fault = fault;
    }

    pub(super) fn partition(&self) -> Partition {
        self.partition
    }

    /// The number of rounds that the next pass can execute, the direction in which its rows move (true: upward), and
    /// the position of the first row of each group.
    pub(super) fn next(&self) -> (usize, bool, usize) {
        let moved = (self.base - self.partition.rounds) / DRIFT;
        let room = self.partition.rounds - moved;
        if room >= moved { (room, true, self.base) } else { (moved, false, self.base) }
    }

    /// Records that rows have moved in a pass of this many rounds.
    pub(super) fn moved(&mut self, rounds: usize, upward: bool) {
        if upward {
            self.base += rounds * DRIFT;
        } else {
            self.base -= rounds * DRIFT;
        }
    }

    /// A row of the bands.
    fn row(&self, row: usize) -> &[Lanes] {
        GroupRows { partition: self.partition, memory: self.memory.get(), base: self.base }.get(row)
    }

    /// A plane of 64 nodes: column `x` of a row of the torus.
    pub(super) fn word(&self, row: u32, x: usize, plane: usize) -> u64 {
        let (lane, y, x) = self.partition.bands.place(row, x);
        self.row(y)[x * self.partition.planes + plane][lane]
    }

    /// Appends all planes, in the order of the torus: row, word of 64 nodes, plane.
    pub(super) fn save(&self, (height, words): (u32, usize), into: &mut Vec<u8>) {
        let planes = self.partition.planes;
        for (row, x) in (0..height).flat_map(|row| (0..words).map(move |x| (row, x))) {
            for plane in 0..planes {
                self.word(row, x, plane).append(into);
            }
        }
    }

    /// Sets all planes, including those of rows that bands repeat.
    pub(super) fn load(&mut self, (height, words): (u32, usize), from: &mut &[u8]) -> Result<(), PackError> {
        let (partition, base) = (self.partition, self.base);
        let (bands, planes) = (partition.bands, partition.planes);
        let length = height as usize * words * planes * size_of::<u64>();
        let (saved, rest) = from.split_at_checked(length).ok_or(PackError)?;
        *from = rest;
        let saved = saved.as_chunks::<{ size_of::<u64>() }>().0;
        for y in 0..bands.rows {
            let (group, in_group) = (y / partition.rows, y % partition.rows);
            let start = (group * partition.room() + base + in_group) * partition.row();
            let row = &mut self.memory.get_mut()[start..][..partition.row()];
            let numbers = bands.first_numbers(y as i64);
            for (x, block) in row.chunks_exact_mut(planes).enumerate() {
                for (plane, lanes) in block.iter_mut().enumerate() {
                    for (lane, word) in lanes.iter_mut().enumerate() {
                        *word = u64::from_le_bytes(saved[(numbers[lane] as usize + x) * planes + plane]);
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls `found` with the number of each word of the torus in which two planes have common bits, and with these
    /// bits. The order is: row of the bands, block, lane.
    pub(super) fn each_common(&self, first: usize, second: usize, mut found: impl FnMut(u64, u64)) {
        let (bands, planes) = (self.partition.bands, self.partition.planes);
        for y in 0..bands.rows {
            let (numbers, lanes) = (bands.first_numbers(y as i64), bands.counted(y));
            for (x, block) in (0..).zip(self.row(y).chunks_exact(planes)) {
                for lane in 0..lanes {
                    let common = block[first][lane] & block[second][lane];
                    if common != 0 {
                        found(numbers[lane] + x, common);
                    }
                }
            }
        }
    }

    /// Writes the ghost rows into the memory of a lattice that is one group.
    pub(super) fn surround(&mut self, rounds: usize, vectors: Vectors) {
        let (partition, base) = (self.partition, self.base);
        let row = partition.row();
        let (below, rows) = self.memory.get_mut().split_at_mut(base * row);
        let (rows, above) = rows.split_at_mut(partition.rows * row);
        let rows = GroupRows { partition, memory: rows, base: 0 };
        for away in 0..rounds {
            let start = (base - 1 - away) * row;
            rows.ghost_row(-1 - away as i64, &mut below[start..][..row], vectors);
            rows.ghost_row((partition.rows + away) as i64, &mut above[away * row..][..row], vectors);
        }
    }

    /// The ghost rows of each group, for writing, and the rows from which they are copied.
    pub(super) fn ghosts(&mut self) -> (GroupRows<'_>, impl Iterator<Item = (usize, &mut [Lanes])>) {
        let rows = GroupRows { partition: self.partition, memory: self.memory.get(), base: self.base };
        let length = 2 * self.partition.rounds * self.partition.row();
        (rows, self.ghosts.get_mut().chunks_exact_mut(length.max(1)).enumerate())
    }

    /// The groups, each with its ghost rows as written through [`ghosts`](Self::ghosts).
    pub(super) fn groups(&mut self) -> impl Iterator<Item = RowGroup<'_>> {
        let partition = self.partition;
        let (memory, ghosts) = (partition.room() * partition.row(), 2 * partition.rounds * partition.row());
        let ghosts = self.ghosts.get().chunks_exact(ghosts);
        let ghosts = ghosts.map(Some).chain(std::iter::repeat(None)).map(Option::unwrap_or_default);
        self.memory.get_mut().chunks_exact_mut(memory).zip(ghosts).enumerate().map(
            move |(group, (memory, ghosts))| RowGroup {
                first: group * partition.rows,
                rows: partition.rows_of(group),
                memory,
                ghosts,
            },
        )
    }
}

impl RowGroup<'_> {
    /// The rows below, at and above row `y` of the group, each of `vectors` vectors. The first row of the group is at
    /// position `base`.
    pub(super) fn row_with_neighbours(&self, base: usize, y: usize, vectors: usize) -> [&[Lanes]; 3] {
        let row = |place: usize| &self.memory[place * vectors..][..vectors];
        let ghost = |ghost: usize| &self.ghosts[ghost * vectors..][..vectors];
        let below = if y == 0 && !self.ghosts.is_empty() { ghost(0) } else { row(base + y - 1) };
        let above = if y + 1 == self.rows && !self.ghosts.is_empty() { ghost(1) } else { row(base + y + 1) };
        [below, row(base + y), above]
    }
}

/// Read access to the rows of all groups.
#[derive(Clone, Copy)]
pub(super) struct GroupRows<'a> {
    partition: Partition,
    memory: &'a [Lanes],
    base: usize,
}

impl<'a> GroupRows<'a> {
    /// A row of the bands.
    fn get(self, row: usize) -> &'a [Lanes] {
        let (group, y) = (row / self.partition.rows, row % self.partition.rows);
        let start = (group * self.partition.room() + self.base + y) * self.partition.row();
        &self.memory[start..][..self.partition.row()]
    }

    /// Writes the ghost rows of a group: nearest first, alternately below and above.
    pub(super) fn ghost_rows(self, group: usize, rounds: usize, into: &mut [Lanes], vectors: Vectors) {
        let first = (group * self.partition.rows) as i64;
        let end = first + self.partition.rows_of(group) as i64;
        let row = self.partition.row();
        for (away, into) in (0..rounds as i64).zip(into.chunks_exact_mut(2 * row)) {
            let (below, above) = into.split_at_mut(row);
            self.ghost_row(first - 1 - away, below, vectors);
            self.ghost_row(end + away, above, vectors);
        }
    }

    /// Writes a copy of a row of the bands to `into`. A row before the first row or after the last row is taken from
    /// the adjacent bands.
    fn ghost_row(self, row: i64, into: &mut [Lanes], vectors: Vectors) {
        let (bands, rows) = (self.partition.bands, self.partition.bands.rows as i64);
        if (0..rows).contains(&row) {
            return into.copy_from_slice(self.get(row as usize));
        }
        let upward = row < 0;
        let inside = if upward { row + rows } else { row - rows };
        if self.partition.has(SlicedFault::BandsApart) {
            return into.copy_from_slice(self.get(inside as usize));
        }
        let from = self.get(inside as usize);
        run_widest(vectors, RotatedRows { from, into, across: bands.across, upward });
        if !bands.even() {
            // Where the torus closes, the last band continues in the first at a different row.
            let end = if upward { 0 } else { LANES - bands.across };
            let (first, y, _) = bands.place(bands.row(end, row) as u32, 0);
            for lane in 0..bands.across {
                let (to, of) = ((end + lane) % LANES, (first + lane) % LANES);
                for (into, from) in into.iter_mut().zip(self.get(y)) {
                    into[to] = from[of];
                }
            }
        }
    }
}

/// A job that copies rows into the adjacent bands: each lane moves up or down by `across` lanes.
struct RotatedRows<'a> {
    from: &'a [Lanes],
    into: &'a mut [Lanes],
    across: usize,
    upward: bool,
}

impl Kernel for RotatedRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { from, into, across, upward } = self;
        let each = from.iter().zip(into);
        match if upward { across } else { LANES - across } {
            1 => each.for_each(|(&[a, b, c, d, e, f, g, h], into)| *into = [h, a, b, c, d, e, f, g]),
            2 => each.for_each(|(&[a, b, c, d, e, f, g, h], into)| *into = [g, h, a, b, c, d, e, f]),
            4 => each.for_each(|(&[a, b, c, d, e, f, g, h], into)| *into = [e, f, g, h, a, b, c, d]),
            6 => each.for_each(|(&[a, b, c, d, e, f, g, h], into)| *into = [c, d, e, f, g, h, a, b]),
            7 => each.for_each(|(&[a, b, c, d, e, f, g, h], into)| *into = [b, c, d, e, f, g, h, a]),
            // There is only one band above the other.
            _ => each.for_each(|(from, into)| *into = *from),
        }
    }
}
