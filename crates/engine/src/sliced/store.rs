//! The planes of all nodes, in groups of rows that threads work on.

use crate::unchecked::{Kernel, Vectors, run_widest};

use super::aligned::Aligned;
use super::bands::Bands;
use super::fault::Fault;
use super::planes::{LANES, Lanes};
use super::sweep::{DRIFT, ROUNDS_MAX};

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
pub(super) struct Plan {
    pub(super) bands: Bands,
    /// Planes of a block.
    planes: usize,
    /// Groups.
    pub(super) groups: usize,
    /// Rows of a group; the last one may have fewer.
    pub(super) rows: usize,
    /// Rounds at once, at most.
    pub(super) rounds: usize,
    #[cfg(test)]
    pub(super) fault: Fault,
}

impl Plan {
    /// Whether the store makes a deliberate mistake; only in tests.
    fn has(self, fault: Fault) -> bool {
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
    fn row(self) -> usize {
        self.bands.blocks * self.planes
    }

    /// Rows of memory of a group: its own, those beside it, and room to move.
    fn room(self) -> usize {
        self.rows + 2 * self.rounds + self.rounds * DRIFT
    }

    /// Vectors of all groups.
    fn vectors(self) -> usize {
        self.groups * self.room() * self.row()
    }

    /// Vectors of the rows beside the groups, if there are several.
    fn ghosts(self) -> usize {
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

/// All planes.
#[derive(Debug)]
pub(super) struct Store {
    plan: Plan,
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
    pub(super) fn new(plan: Plan) -> Self {
        let (memory, ghosts) = (Aligned::zeroed(plan.vectors()), Aligned::zeroed(plan.ghosts()));
        Self { plan, memory, ghosts, base: plan.rounds }
    }

    #[cfg(test)]
    pub(super) fn set_fault(&mut self, fault: Fault) {
        self.plan.fault = fault;
    }

    pub(super) fn plan(&self) -> Plan {
        self.plan
    }

    /// Rounds that can be done at once now, whether rows move upward then, and where the first row of each group is.
    pub(super) fn next(&self) -> (usize, bool, usize) {
        let moved = (self.base - self.plan.rounds) / DRIFT;
        let room = self.plan.rounds - moved;
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
        Rows { plan: self.plan, memory: self.memory.get(), base: self.base }.get(row)
    }

    /// A plane of 64 nodes: column `x` of a row of the torus.
    pub(super) fn word(&self, row: u32, x: usize, plane: usize) -> u64 {
        let (lane, y, x) = self.plan.bands.place(row, x);
        self.row(y)[x * self.plan.planes + plane][lane]
    }

    /// Writes into the memory of a lattice that is one group the rows beside it.
    pub(super) fn surround(&mut self, rounds: usize, vectors: Vectors) {
        let (plan, base) = (self.plan, self.base);
        let row = plan.row();
        let (below, rows) = self.memory.get_mut().split_at_mut(base * row);
        let (rows, above) = rows.split_at_mut(plan.rows * row);
        let rows = Rows { plan, memory: rows, base: 0 };
        for away in 0..rounds {
            let start = (base - 1 - away) * row;
            rows.beside(-1 - away as i64, &mut below[start..][..row], vectors);
            rows.beside((plan.rows + away) as i64, &mut above[away * row..][..row], vectors);
        }
    }

    /// The rows beside each group, to be written, and the rows that they are copies of.
    pub(super) fn ghosts(&mut self) -> (Rows<'_>, impl Iterator<Item = (usize, &mut [Lanes])>) {
        let rows = Rows { plan: self.plan, memory: self.memory.get(), base: self.base };
        let length = 2 * self.plan.rounds * self.plan.row();
        (rows, self.ghosts.get_mut().chunks_exact_mut(length.max(1)).enumerate())
    }

    /// The groups, each with the rows beside it as they were written by [`ghosts`](Self::ghosts).
    pub(super) fn groups(&mut self) -> impl Iterator<Item = Group<'_>> {
        let plan = self.plan;
        let (memory, ghosts) = (plan.room() * plan.row(), 2 * plan.rounds * plan.row());
        let ghosts = self.ghosts.get().chunks_exact(ghosts);
        let ghosts = ghosts.map(Some).chain(std::iter::repeat(None)).map(Option::unwrap_or_default);
        self.memory.get_mut().chunks_exact_mut(memory).zip(ghosts).enumerate().map(
            move |(group, (memory, ghosts))| Group {
                first: group * plan.rows,
                rows: plan.rows_of(group),
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
    plan: Plan,
    memory: &'a [Lanes],
    base: usize,
}

impl<'a> Rows<'a> {
    /// A row of the bands.
    fn get(self, row: usize) -> &'a [Lanes] {
        let (group, y) = (row / self.plan.rows, row % self.plan.rows);
        let start = (group * self.plan.room() + self.base + y) * self.plan.row();
        &self.memory[start..][..self.plan.row()]
    }

    /// Writes the rows beside a group: nearest first, below and above in turn.
    pub(super) fn around(self, group: usize, rounds: usize, into: &mut [Lanes], vectors: Vectors) {
        let first = (group * self.plan.rows) as i64;
        let end = first + self.plan.rows_of(group) as i64;
        let row = self.plan.row();
        for (away, into) in (0..rounds as i64).zip(into.chunks_exact_mut(2 * row)) {
            let (below, above) = into.split_at_mut(row);
            self.beside(first - 1 - away, below, vectors);
            self.beside(end + away, above, vectors);
        }
    }

    /// Writes a row of the bands, or one before the first or behind the last: there bands go on in their neighbours.
    fn beside(self, row: i64, into: &mut [Lanes], vectors: Vectors) {
        let (bands, rows) = (self.plan.bands, self.plan.bands.rows as i64);
        if (0..rows).contains(&row) {
            return into.copy_from_slice(self.get(row as usize));
        }
        let upward = row < 0;
        let inside = if upward { row + rows } else { row - rows };
        if self.plan.has(Fault::BandsApart) {
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
