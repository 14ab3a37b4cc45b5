//! Counts of node states between rounds. Most figures follow from the censuses before and after, so rounds need not
//! count their events.
//!
//! A node passes through the same states for every Lock: it calls, waits while it competes, wins, holds its lock set,
//! unlocks and is released. The count of one transition and the numbers of nodes in each state determine the counts of
//! all other transitions. Every message to a lock set gets a reply, so replies are the messages sent minus those
//! pending.

use std::ops::AddAssign;

use acrasin_runtime::pack_fields;

use crate::network::LatticeKind;
use crate::round::Figures;
use crate::unchecked::{Kernel, Vectors, run_widest_or_portable};

use super::bands::Bands;
use super::lane_counts::Sums;
use super::planes::{COMPETES, HELD, LANES, LEAVES, Lanes, PortSide, SENT, TAKES, TOGGLE, side};
use super::store::RowGroup;

/// The number of nodes in each state, and the number of pending messages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Census {
    /// The number of nodes that have called Lock but have not won yet.
    waiting: u64,
    won: u64,
    holding: u64,
    /// The number of nodes that have called Unlock.
    leaving: u64,
    /// The number of messages to lock sets without a reply yet.
    pending: u64,
    /// The number of pending messages of nodes to themselves.
    pending_self: u64,
}

pack_fields!(Census { waiting, won, holding, leaving, pending, pending_self });

impl Census {
    /// The figures between this census and `now`, given the sums that were counted in between.
    pub(super) fn until(&self, now: &Self, sums: Sums, degree: u16) -> Figures {
        let ports = u64::from(degree) + 1;
        let Sums { active, trials, releases, late } = sums;
        // Differences may be negative; their sums are not. Hence the wrapping arithmetic.
        let unlocks = releases.wrapping_add(now.leaving.wrapping_sub(self.leaving));
        let grants = unlocks.wrapping_add(now.holding.wrapping_sub(self.holding));
        let wins = grants.wrapping_add(now.won.wrapping_sub(self.won));
        let calls = wins.wrapping_add(now.waiting.wrapping_sub(self.waiting));
        let casts = calls.wrapping_add(trials).wrapping_add(wins).wrapping_add(unlocks);
        let sent = casts.wrapping_mul(ports);
        let replies = sent.wrapping_sub(now.pending.wrapping_sub(self.pending));
        let own_replies = casts.wrapping_sub(now.pending_self.wrapping_sub(self.pending_self));
        Figures {
            activations: active,
            calls,
            trials,
            grants,
            releases,
            late_rejections: late,
            messages: sent.wrapping_add(replies),
            self_messages: casts.wrapping_add(own_replies),
            ..Figures::default()
        }
    }

    /// Adds the census of a group. The group's first row is at `base` in the group's memory.
    pub(super) fn count(
        &mut self,
        kind: LatticeKind,
        bands: Bands,
        planes: usize,
        group: &RowGroup<'_>,
        base: usize,
        vectors: Vectors,
    ) {
        for y in 0..group.rows {
            let rows = group.row_with_neighbours(base, y, bands.blocks * planes);
            let counts = run_widest_or_portable(vectors, CensusRow { kind, bands, planes, rows });
            let lanes = bands.counted(group.first + y);
            let [waiting, won, holding, leaving, pending, pending_self] =
                counts.map(|counts| counts[..lanes].iter().sum::<u64>());
            *self += Self { waiting, won, holding, leaving, pending, pending_self };
        }
    }
}

impl AddAssign for Census {
    fn add_assign(&mut self, other: Self) {
        let Self { waiting, won, holding, leaving, pending, pending_self } = other;
        self.waiting += waiting;
        self.won += won;
        self.holding += holding;
        self.leaving += leaving;
        self.pending += pending;
        self.pending_self += pending_self;
    }
}

/// The input of the census of a row, lane by lane.
struct CensusRow<'a> {
    kind: LatticeKind,
    bands: Bands,
    planes: usize,
    /// The row below, the row itself, and the row above.
    rows: [&'a [Lanes]; 3],
}

impl Kernel for CensusRow<'_> {
    type Output = [Lanes; 6];

    #[inline(always)]
    fn run(self) -> [Lanes; 6] {
        let Self { kind, bands, planes, rows: [below, own, above] } = self;
        let (blocks, across) = (bands.blocks, bands.across);
        let mut counts = [[0; LANES]; 6];
        for x in 0..blocks {
            let block = &own[x * planes..][..planes];
            for lane in 0..LANES {
                let (takes, leaves) = (block[TAKES][lane], block[LEAVES][lane]);
                counts[0][lane] += ones(block[HELD][lane] | block[COMPETES][lane]);
                counts[1][lane] += ones(takes & !leaves);
                counts[2][lane] += ones(takes & leaves);
                counts[3][lane] += ones(leaves & !takes);
            }
            // The toggles of the row itself, moved from the east, and moved from the west.
            let here = |row: &[Lanes]| row[x * planes + TOGGLE];
            let east = |row: &[Lanes]| {
                let next = row[(x + 1) % blocks * planes + TOGGLE];
                let next = if x + 1 == blocks { lanes_further_east(&next, across, 1) } else { next };
                let own = here(row);
                std::array::from_fn(|lane| own[lane] >> 1 | next[lane] << 63)
            };
            let west = |row: &[Lanes]| {
                let previous = row[(x + blocks - 1) % blocks * planes + TOGGLE];
                let previous =
                    if x == 0 { lanes_further_east(&previous, across, across - 1) } else { previous };
                let own = here(row);
                std::array::from_fn(|lane| own[lane] << 1 | previous[lane] >> 63)
            };
            for port in 0..=usize::from(kind.degree()) {
                let neighbour_bits: Lanes = match side(kind, port) {
                    PortSide::Own => here(own),
                    PortSide::East => east(own),
                    PortSide::West => west(own),
                    PortSide::Above => here(above),
                    PortSide::AboveWest => west(above),
                    PortSide::Below => here(below),
                    PortSide::BelowEast => east(below),
                };
                let of = if port == 0 { 4..6 } else { 4..5 };
                for counts in &mut counts[of] {
                    for lane in 0..LANES {
                        counts[lane] += ones(neighbour_bits[lane] ^ block[SENT + port][lane]);
                    }
                }
            }
        }
        counts
    }
}

#[inline(always)]
fn ones(word: u64) -> u64 {
    u64::from(word.count_ones())
}

/// The lanes of the bands that are `further` bands to the east.
#[inline(always)]
fn lanes_further_east(lanes: &Lanes, across: usize, further: usize) -> Lanes {
    std::array::from_fn(|lane| lanes[lane / across * across + (lane + further) % across])
}
