//! The planes of all nodes, in groups of rows that threads work on.

use crate::unchecked::{Kernel, Vectors, run_widest};

use super::aligned::Aligned;
use super::fault::Fault;
use super::partition::{DRIFT, Partition};
use super::planes::{LANES, Lanes};

/// All planes.
#[derive(Debug)]
pub(super) struct Store {
    partition: Partition,
    memory: Aligned,
    /// Rows beside the groups: for each group those below it, from the nearest, and those above it.
    ghosts: Aligned,
    /// Where the first row of every group is in the memory of the group, counted in rows.
    base: usize,
}

/// What a thread works on.
pub(super) struct Group<'a> {
    /// The row of the bands that the first row is.
    pub(super) first: usize,
    /// Rows.
    pub(super) rows: usize,
    pub(super) memory: &'a mut [Lanes],
    /// The rows beside it, from the nearest: below and above in turn. Empty if they are in `memory`, beside its rows.
    pub(super) ghosts: &'a [Lanes],
}

impl Store {
    /// All planes zero.
    pub(super) fn new(partition: Partition) -> Self {
        let (memory, ghosts) = (Aligned::zeroed(partition.vectors()), Aligned::zeroed(partition.ghosts()));
        Self { partition, memory, ghosts, base: partition.rounds }
    }

    #[cfg(test)]
    pub(super) fn set_fault(&mut self, fault: Fault) {
        self.partition.fault = fault;
    }

    pub(super) fn partition(&self) -> Partition {
        self.partition
    }

    /// Rounds that can be done at once now, whether rows move upward then, and where the first row of each group is.
    pub(super) fn next(&self) -> (usize, bool, usize) {
        let moved = (self.base - self.partition.rounds) / DRIFT;
        let room = self.partition.rounds - moved;
        if room >= moved { (room, true, self.base) } else { (moved, false, self.base) }
    }

    /// Notes that rows have moved.
    pub(super) fn moved(&mut self, rounds: usize, upward: bool) {
        if upward {
            self.base += rounds * DRIFT;
        } else {
            self.base -= rounds * DRIFT;
        }
    }

    /// A row of the bands.
    fn row(&self, row: usize) -> &[Lanes] {
        Rows { partition: self.partition, memory: self.memory.get(), base: self.base }.get(row)
    }

    /// A plane of 64 nodes: column `x` of a row of the torus.
    pub(super) fn word(&self, row: u32, x: usize, plane: usize) -> u64 {
        let (lane, y, x) = self.partition.bands.place(row, x);
        self.row(y)[x * self.partition.planes + plane][lane]
    }

    /// Calls `found` with the number of each word of the torus in which two planes have common bits, and with those bits:
    /// by row of the bands, then by place in it, then by lane.
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

    /// Writes into the memory of a lattice that is one group the rows beside it.
    pub(super) fn surround(&mut self, rounds: usize, vectors: Vectors) {
        let (partition, base) = (self.partition, self.base);
        let row = partition.row();
        let (below, rows) = self.memory.get_mut().split_at_mut(base * row);
        let (rows, above) = rows.split_at_mut(partition.rows * row);
        let rows = Rows { partition, memory: rows, base: 0 };
        for away in 0..rounds {
            let start = (base - 1 - away) * row;
            rows.beside(-1 - away as i64, &mut below[start..][..row], vectors);
            rows.beside((partition.rows + away) as i64, &mut above[away * row..][..row], vectors);
        }
    }

    /// The rows beside each group, to be written, and the rows that they are copies of.
    pub(super) fn ghosts(&mut self) -> (Rows<'_>, impl Iterator<Item = (usize, &mut [Lanes])>) {
        let rows = Rows { partition: self.partition, memory: self.memory.get(), base: self.base };
        let length = 2 * self.partition.rounds * self.partition.row();
        (rows, self.ghosts.get_mut().chunks_exact_mut(length.max(1)).enumerate())
    }

    /// The groups, each with the rows beside it as they were written by [`ghosts`](Self::ghosts).
    pub(super) fn groups(&mut self) -> impl Iterator<Item = Group<'_>> {
        let partition = self.partition;
        let (memory, ghosts) = (partition.room() * partition.row(), 2 * partition.rounds * partition.row());
        let ghosts = self.ghosts.get().chunks_exact(ghosts);
        let ghosts = ghosts.map(Some).chain(std::iter::repeat(None)).map(Option::unwrap_or_default);
        self.memory.get_mut().chunks_exact_mut(memory).zip(ghosts).enumerate().map(
            move |(group, (memory, ghosts))| Group {
                first: group * partition.rows,
                rows: partition.rows_of(group),
                memory,
                ghosts,
            },
        )
    }
}

impl Group<'_> {
    /// The row below a row of the group, the row itself and the row above, of so many vectors. The first row is at `base`.
    pub(super) fn around(&self, base: usize, y: usize, vectors: usize) -> [&[Lanes]; 3] {
        let row = |place: usize| &self.memory[place * vectors..][..vectors];
        let ghost = |ghost: usize| &self.ghosts[ghost * vectors..][..vectors];
        let below = if y == 0 && !self.ghosts.is_empty() { ghost(0) } else { row(base + y - 1) };
        let above = if y + 1 == self.rows && !self.ghosts.is_empty() { ghost(1) } else { row(base + y + 1) };
        [below, row(base + y), above]
    }
}

/// Rows to be read.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    partition: Partition,
    memory: &'a [Lanes],
    base: usize,
}

impl<'a> Rows<'a> {
    /// A row of the bands.
    fn get(self, row: usize) -> &'a [Lanes] {
        let (group, y) = (row / self.partition.rows, row % self.partition.rows);
        let start = (group * self.partition.room() + self.base + y) * self.partition.row();
        &self.memory[start..][..self.partition.row()]
    }

    /// Writes the rows beside a group: nearest first, below and above in turn.
    pub(super) fn around(self, group: usize, rounds: usize, into: &mut [Lanes], vectors: Vectors) {
        let first = (group * self.partition.rows) as i64;
        let end = first + self.partition.rows_of(group) as i64;
        let row = self.partition.row();
        for (away, into) in (0..rounds as i64).zip(into.chunks_exact_mut(2 * row)) {
            let (below, above) = into.split_at_mut(row);
            self.beside(first - 1 - away, below, vectors);
            self.beside(end + away, above, vectors);
        }
    }

    /// Writes a row of the bands, or one before the first or behind the last: there bands go on in their neighbours.
    fn beside(self, row: i64, into: &mut [Lanes], vectors: Vectors) {
        let (bands, rows) = (self.partition.bands, self.partition.bands.rows as i64);
        if (0..rows).contains(&row) {
            return into.copy_from_slice(self.get(row as usize));
        }
        let upward = row < 0;
        let inside = if upward { row + rows } else { row - rows };
        if self.partition.has(Fault::BandsApart) {
            return into.copy_from_slice(self.get(inside as usize));
        }
        let from = self.get(inside as usize);
        run_widest(vectors, Turned { from, into, across: bands.across, upward });
        if !bands.even() {
            // Where the torus closes, bands do not go on as they do elsewhere.
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

/// Copies rows to the next band: each lane to the one that is `across` lanes higher, or lower.
struct Turned<'a> {
    from: &'a [Lanes],
    into: &'a mut [Lanes],
    across: usize,
    upward: bool,
}

impl Kernel for Turned<'_> {
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
            // There is one band above the other.
            _ => each.for_each(|(from, into)| *into = *from),
        }
    }
}
