//! Some rows of all bands, through a few rounds.
//!
//! # In place
//!
//! What a round writes of a row is needed by no other row of that round, but what it overwrites may be. So rows move:
//! a round reads row `y` at some place and writes it [`DRIFT`] rows further down, where a row was that no row still
//! needs. The next round moves rows further down, or all up again, in the opposite order. There is one copy of the
//! lattice, and what is written is in the cache because it was just read.
//!
//! # Several rounds at once
//!
//! If the lattice is larger than the cache, memory is the limit and not the processor. Then each row is read once for
//! several rounds: the second round follows the first one row behind it, and so on. Each round needs one row more on
//! either side than the next one, so the rows beside the group are worked on too, `rounds - 1` of them for the first
//! round; they are not counted.

use std::marker::PhantomData;

use crate::draw::Stream;
use crate::unchecked::{Kernel, Vectors, run_widest};

use super::activate::activate;
use super::bands::Bands;
use super::fault::Fault;
use super::masks::{Mask, Who, first_numbers};
use super::planes::{BITS_MAX, Lanes, Shape};
use super::tally::Tally;

/// Rounds at once, at most: more would save little memory traffic, and cost rows that are worked on twice.
pub(super) const ROUNDS_MAX: usize = 4;

/// How many rows a row moves in a round: where row `y` goes, row `y - 2` was, which only row `y - 1` still needed.
pub(super) const DRIFT: usize = 2;

/// One round: who acts, and with which draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<'a> {
    pub(super) active: Who<'a>,
    pub(super) wanting: Who<'a>,
    pub(super) priorities: Stream,
}

/// Who acts and who wants in each round.
#[derive(Default, Debug)]
pub(super) struct Scratch {
    active: [Mask; ROUNDS_MAX],
    wanting: [Mask; ROUNDS_MAX],
}

/// What happened in a group of rows.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tallies {
    /// Rows up to that of the last row of the torus in its band.
    pub(super) up_to_last: Tally,
    /// Rows after that: the last band has them from the next one.
    pub(super) after_last: Tally,
    /// Rows of other groups.
    pub(super) beside: Tally,
}

/// Rounds of a group of rows.
pub(super) struct Sweep<'a> {
    pub(super) bands: Bands,
    /// The rows of the group, with room beside them.
    pub(super) memory: &'a mut [Lanes],
    /// Where the first row of the group is, counted in rows. There are as many rows of others beside the group as there
    /// are turns.
    pub(super) base: usize,
    /// Whether rows move to higher places.
    pub(super) upward: bool,
    /// The row of the bands that the first row of the group is.
    pub(super) first: usize,
    /// Rows of the group.
    pub(super) rows: usize,
    /// For each bit of a priority whether it is drawn: all bits or none.
    pub(super) drawn: &'a [u64; BITS_MAX],
    /// One turn a round.
    pub(super) turns: &'a [Turn<'a>],
    pub(super) scratch: &'a mut Scratch,
}

impl Sweep<'_> {
    /// Runs the rounds with vectors of this width.
    pub(super) fn run<S: Shape, const N: usize>(self, vectors: Vectors) -> Tallies {
        let (first, rows) = (self.first as i64, self.rows as i64);
        for (turn, now) in self.turns.iter().enumerate() {
            let margin = (self.turns.len() - 1 - turn) as i64;
            let rows = first - margin..first + rows + margin;
            self.scratch.active[turn].set(now.active, self.bands, rows.clone(), vectors);
            self.scratch.wanting[turn].set(now.wanting, self.bands, rows, vectors);
        }
        let kernel = Of::<S, N>(self, PhantomData);
        // Mistakes are compiled once.
        if const { S::FAULT.is(Fault::None) } { run_widest(vectors, kernel) } else { kernel.run() }
    }
}

struct Of<'a, S, const N: usize>(Sweep<'a>, PhantomData<S>);

impl<S: Shape, const N: usize> Kernel for Of<'_, S, N> {
    type Output = Tallies;

    #[inline(always)]
    fn run(self) -> Tallies {
        let mut sweep = self.0;
        let mut tallies = Tallies::default();
        let margin = sweep.turns.len() as i64 - 1;
        let rows = sweep.rows as i64;
        for step in 0..rows + 2 * margin {
            for (turn, lag) in (0..=margin).enumerate() {
                let reached = step - margin - lag;
                let y = if sweep.upward { rows - 1 - reached } else { reached };
                if (lag - margin..rows + margin - lag).contains(&y) {
                    row::<S, N>(&mut sweep, turn, y, &mut tallies);
                }
            }
        }
        tallies
    }
}

/// One round of a row.
#[inline(always)]
fn row<S: Shape, const N: usize>(sweep: &mut Sweep<'_>, turn: usize, y: i64, tallies: &mut Tallies) {
    let bands = sweep.bands;
    let blocks = bands.blocks;
    let (memory, _) = sweep.memory.as_chunks_mut::<N>();
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

    let now = &sweep.turns[turn];
    let margin = (sweep.turns.len() - 1 - turn) as i64;
    let active = sweep.scratch.active[turn].row((y + margin) as usize);
    let wanting = sweep.scratch.wanting[turn].row((y + margin) as usize);
    let first = first_numbers(bands, sweep.first as i64 + y);
    let last = bands.last().1 as i64 - sweep.first as i64;
    let tally = if y < 0 || y >= sweep.rows as i64 {
        &mut tallies.beside
    } else if y <= last {
        &mut tallies.up_to_last
    } else {
        &mut tallies.after_last
    };
    for (x, out) in write.iter_mut().enumerate() {
        let open = S::FAULT.is(Fault::RowsOpen);
        let east = if x + 1 < blocks {
            x + 1
        } else if open {
            x
        } else {
            0
        };
        let west = if x == 0 { blocks - 1 } else { x - 1 };
        let counted = activate::<S, N>(
            &own[x],
            &own[east],
            &own[west],
            &above[x],
            &above[west],
            &below[x],
            &below[east],
            active.get(x),
            wanting.get(x),
            &first,
            x as u64,
            now.priorities,
            sweep.drawn,
            out,
        );
        tally.add(&counted);
    }
}
