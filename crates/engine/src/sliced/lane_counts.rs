//! The counts of events in rounds, one number per lane. The other figures follow from these counts and a
//! [`Census`](super::census::Census).

use std::ops::AddAssign;

use acrasin_runtime::pack_fields;

use super::bands::Bands;
use super::planes::{LANES, Lanes};

/// The most events of one kind in a round for each node, with the rows that are computed twice or in ghost rows.
const EVENTS_MAX: u128 = 64;

/// The largest sum that is restored. Sums of several of them do not overflow.
const COUNT_MAX: u128 = 1 << 60;

/// Counts of events at the nodes of each lane.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LaneTotals {
    active: Lanes,
    trials: Lanes,
    releases: Lanes,
    late: Lanes,
}

/// The counts of events in one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneCounts {
    pub(super) active: Lanes,
    pub(super) trials: Lanes,
    pub(super) releases: Lanes,
    pub(super) late: Lanes,
}

pack_fields!(LaneTotals { active, trials, releases, late });
pack_fields!(SweepTotals { up_to_last, after_last, ghosts });

impl LaneTotals {
    #[inline(always)]
    pub(super) fn add(&mut self, more: &LaneCounts) {
        let add = |sum: &mut Lanes, more: &Lanes| {
            for lane in 0..LANES {
                sum[lane] += more[lane];
            }
        };
        add(&mut self.active, &more.active);
        add(&mut self.trials, &more.trials);
        add(&mut self.releases, &more.releases);
        add(&mut self.late, &more.late);
    }

    /// Adds all counts of `other`.
    fn plus(&mut self, other: &Self) {
        let Self { active, trials, releases, late } = *other;
        self.add(&LaneCounts { active, trials, releases, late });
    }

    /// Whether no count exceeds what `rounds` rounds of `nodes` nodes allow.
    fn is_possible(&self, rounds: u64, nodes: u32) -> bool {
        let most = u128::from(rounds) * u128::from(nodes) * EVENTS_MAX;
        let Self { active, trials, releases, late } = self;
        [active, trials, releases, late].into_iter().all(|counts| {
            let sum: u128 = counts.iter().map(|&count| u128::from(count)).sum();
            sum <= most.min(COUNT_MAX)
        })
    }

    /// The sums over the first `lanes` lanes.
    fn sums(&self, lanes: usize) -> Sums {
        let sum = |counts: &Lanes| counts[..lanes].iter().sum();
        Sums {
            active: sum(&self.active),
            trials: sum(&self.trials),
            releases: sum(&self.releases),
            late: sum(&self.late),
        }
    }
}

/// The counts of events in some rows of the bands.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct SweepTotals {
    /// The counts of a band's rows up to the row in which the torus ends in the last band.
    pub(super) up_to_last: LaneTotals,
    /// The counts of the following rows, which the last band repeats from the next band.
    pub(super) after_last: LaneTotals,
    /// The counts of ghost rows, which belong to other groups.
    pub(super) ghosts: LaneTotals,
}

impl SweepTotals {
    /// Whether these can be the counts of some of `rounds` rounds. Restored counts are checked, because later rounds
    /// add to them.
    pub(super) fn is_possible(&self, rounds: u64, nodes: u32) -> bool {
        let Self { up_to_last, after_last, ghosts } = self;
        [up_to_last, after_last, ghosts].into_iter().all(|counts| counts.is_possible(rounds, nodes))
    }

    /// The sums, with each row of the torus counted once.
    pub(super) fn sums(&self, bands: Bands) -> Sums {
        let last = bands.last().1;
        let (first, rest) =
            (self.up_to_last.sums(bands.counted(last)), self.after_last.sums(bands.counted(last + 1)));
        Sums {
            active: first.active + rest.active,
            trials: first.trials + rest.trials,
            releases: first.releases + rest.releases,
            late: first.late + rest.late,
        }
    }
}

/// Counts of events, summed over all nodes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Sums {
    pub(super) active: u64,
    pub(super) trials: u64,
    pub(super) releases: u64,
    /// The number of first requests that were rejected at once.
    pub(super) late: u64,
}

impl AddAssign for SweepTotals {
    fn add_assign(&mut self, other: Self) {
        self.up_to_last.plus(&other.up_to_last);
        self.after_last.plus(&other.after_last);
        self.ghosts.plus(&other.ghosts);
    }
}
