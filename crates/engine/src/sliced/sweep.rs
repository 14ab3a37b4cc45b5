//! Runs a few rounds on a group of rows of all bands.
//!
//! # In place
//!
//! A round must not read a row that it has already written, so rows move. A round reads row `y` at one position and
//! writes it [`DRIFT`] rows further, over a row that is no longer needed. The next round moves rows further in the same
//! direction, or moves all of them back in the opposite order. So only one copy of the lattice is stored, and the
//! memory that is written is in the cache because it was just read.
//!
//! # Several rounds at once
//!
//! If the lattice is larger than the cache, memory is the bottleneck. In this case each row is read once for several
//! rounds: the second round follows one row behind the first, and so on. Each round needs one more row on either side
//! than the next round. So ghost rows are computed as well, in the first round `rounds - 1` on each side. The events of
//! ghost rows are not counted.

use std::marker::PhantomData;

use crate::draw::Stream;
use crate::unchecked::{Kernel, Vectors, run_widest, run_widest_or_portable};

use super::activate::activate;
use super::aligned::Aligned;
use super::bands::Bands;
use super::ends::ends;
use super::fault::SlicedFault;
use super::lane_counts::SweepTotals;
use super::masks::NodeSet;
use super::partition::DRIFT;
use super::planes::{BITS_MAX, PlaneShape};
use super::store::RowGroup;

/// The masks and draws of one round.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepRound<'a> {
    pub(super) active: NodeSet<'a>,
    pub(super) wanting: NodeSet<'a>,
    pub(super) priorities: Stream,
}

/// Space for the blocks beyond the ends of the current row.
pub(super) type EndBlocks = Aligned;

/// A pass of a few rounds over a group of rows.
pub(super) struct Sweep<'a> {
    pub(super) bands: Bands,
    /// The rows, with space next to them.
    pub(super) group: RowGroup<'a>,
    /// The position of the first row of the group, in rows. The group has as many ghost rows on each side as there are
    /// turns.
    pub(super) base: usize,
    /// Whether rows move to higher positions.
    pub(super) upward: bool,
    /// A mask for each bit of a priority: all bits set if the bit is drawn, otherwise none.
    pub(super) drawn: &'a [u64; BITS_MAX],
    /// One entry per round.
    pub(super) turns: &'a [SweepRound<'a>],
    pub(super) tallies: &'a mut SweepTotals,
    pub(super) scratch: &'a mut EndBlocks,
}

impl Sweep<'_> {
    /// Runs the rounds with vectors of this width.
    pub(super) fn run<S: PlaneShape, const N: usize>(&mut self, vectors: Vectors) {
        let kernel = SweepKernel::<S, N>(self, vectors, PhantomData);
        // Faulty code is compiled once and rarely used code twice, to save compile time.
        if const { !S::FAULT.is(SlicedFault::None) } {
            kernel.run();
        } else if const { S::DRAWN } {
            run_widest(vectors, kernel);
        } else {
            run_widest_or_portable(vectors, kernel);
        }
    }
}

struct SweepKernel<'s, 'a, S, const N: usize>(&'s mut Sweep<'a>, Vectors, PhantomData<S>);

impl<S: PlaneShape, const N: usize> Kernel for SweepKernel<'_, '_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(sweep, vectors, _) = self;
        let margin = sweep.turns.len() as i64 - 1;
        let rows = sweep.group.rows as i64;
        for step in 0..rows + 2 * margin {
            for (turn, lag) in (0..=margin).enumerate() {
                let reached = step - margin - lag;
                let y = if sweep.upward { rows - 1 - reached } else { reached };
                if (lag - margin..rows + margin - lag).contains(&y) {
                    row::<S, N>(sweep, vectors, turn, y);
                }
            }
        }
    }
}

/// Executes one round on a row.
#[inline(always)]
fn row<S: PlaneShape, const N: usize>(sweep: &mut Sweep<'_>, vectors: Vectors, turn: usize, y: i64) {
    let bands = sweep.bands;
    let blocks = bands.blocks;
    let (memory, _) = sweep.group.memory.as_chunks_mut::<N>();
    // The row is written beyond all rows that are still read.
    let moved = (turn * DRIFT) as i64;
    let place = (sweep.base as i64 + y + if sweep.upward { moved } else { -moved }) as usize;
    let (read, write, below) = if sweep.upward {
        let (read, write) = memory.split_at_mut((place + DRIFT) * blocks);
        (&*read, &mut write[..blocks], place - 1)
    } else {
        let (write, read) = memory.split_at_mut((place - DRIFT + 1) * blocks);
        let start = write.len() - blocks;
        (&*read, &mut write[start..], DRIFT - 2)
    };
    let read = &read[below * blocks..][..3 * blocks];
    let (below, own, above) = (&read[..blocks], &read[blocks..][..blocks], &read[2 * blocks..]);
    // The first round reads the ghost rows where they were written.
    let (ghosts, _) = sweep.group.ghosts.as_chunks::<N>();
    let (first, rows) = (sweep.group.first as i64, sweep.group.rows as i64);
    let read = |read, y: i64| {
        if turn > 0 || ghosts.is_empty() || (0..rows).contains(&y) {
            return read;
        }
        let ghost = if y < 0 { (-1 - y) * 2 } else { (y - rows) * 2 + 1 };
        &ghosts[ghost as usize * blocks..][..blocks]
    };
    let (below, own, above) = (read(below, y - 1), read(own, y), read(above, y + 1));

    let now = &sweep.turns[turn];
    let numbers = bands.first_numbers(first + y);
    let ends = ends::<S, N>(bands.across, vectors, [below, own, above], sweep.scratch.at_least(4 * N));
    let last = bands.last().1 as i64 - first;
    let tally = if y < 0 || y >= rows {
        &mut sweep.tallies.ghosts
    } else if y <= last {
        &mut sweep.tallies.up_to_last
    } else {
        &mut sweep.tallies.after_last
    };
    let mut starts = numbers.map(Stream::start);
    for (x, out) in write.iter_mut().enumerate() {
        let (east, below_east) =
            if x + 1 < blocks { (&own[x + 1], &below[x + 1]) } else { (ends.east, ends.below_east) };
        let (west, above_west) =
            if x > 0 { (&own[x - 1], &above[x - 1]) } else { (ends.west, ends.above_west) };
        let counted = activate::<S, N>(
            &own[x],
            east,
            west,
            &above[x],
            above_west,
            &below[x],
            below_east,
            &now.active.lanes(&numbers, &starts, x as u64),
            &now.wanting.lanes(&numbers, &starts, x as u64),
            &starts,
            now.priorities,
            sweep.drawn,
            out,
        );
        tally.add(&counted);
        for start in &mut starts {
            *start = start.wrapping_add(Stream::start(1));
        }
    }
}
