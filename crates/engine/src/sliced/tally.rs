//! What is counted, a number a lane.

use crate::round::Figures;

use super::planes::{LANES, Lanes};

/// Counts of the nodes of each lane.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    active: Lanes,
    calls: Lanes,
    trials: Lanes,
    grants: Lanes,
    releases: Lanes,
    /// Messages to the whole lock set.
    casts: Lanes,
    replies: Lanes,
    own_replies: Lanes,
    late: Lanes,
}

/// What one block adds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) active: Lanes,
    pub(super) calls: Lanes,
    pub(super) trials: Lanes,
    pub(super) grants: Lanes,
    pub(super) releases: Lanes,
    pub(super) casts: Lanes,
    pub(super) replies: Lanes,
    pub(super) own_replies: Lanes,
    pub(super) late: Lanes,
}

impl Tally {
    #[inline(always)]
    pub(super) fn add(&mut self, more: &Counted) {
        let add = |sum: &mut Lanes, more: &Lanes| {
            for lane in 0..LANES {
                sum[lane] += more[lane];
            }
        };
        add(&mut self.active, &more.active);
        add(&mut self.calls, &more.calls);
        add(&mut self.trials, &more.trials);
        add(&mut self.grants, &more.grants);
        add(&mut self.releases, &more.releases);
        add(&mut self.casts, &more.casts);
        add(&mut self.replies, &more.replies);
        add(&mut self.own_replies, &more.own_replies);
        add(&mut self.late, &more.late);
    }

    /// The figures of the first `lanes` lanes, on a lattice whose nodes have `degree` neighbours.
    pub(super) fn figures(&self, lanes: usize, degree: u16) -> Figures {
        let sum = |counts: &Lanes| counts[..lanes].iter().sum::<u64>();
        let casts = sum(&self.casts);
        Figures {
            activations: sum(&self.active),
            calls: sum(&self.calls),
            trials: sum(&self.trials),
            grants: sum(&self.grants),
            releases: sum(&self.releases),
            late_rejections: sum(&self.late),
            messages: casts * u64::from(degree + 1) + sum(&self.replies),
            self_messages: casts + sum(&self.own_replies),
            ..Figures::default()
        }
    }
}
