//! The interacting agents of an epoch and their order, independent of states.
//!
//! Which agents interact again within an epoch, and when, depends only on the number of agents. So other threads can
//! draw skeletons in advance, from separate random streams. States are assigned afterwards, epoch by epoch.

use super::draws::{RandomDraws, StreamPurpose};
use super::run_length::run_length;

/// The arguments of a skeleton; they identify an epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Wanted {
    pub(super) seed: u64,
    pub(super) agents: u64,
    /// The number of the epoch in its run.
    pub(super) number: u64,
    pub(super) interactions: u64,
}

/// The interactions of an epoch, without states.
///
/// Most interactions are between agents that interact once in this epoch; only their number is stored. The agents of
/// the other interactions (*collisions*, and the earlier interactions of colliding agents) are numbered in the order in
/// which they become known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Skeleton {
    pub(super) wanted: Wanted,
    /// The interactions of known agents, initiator first, in an order in which they can be evaluated.
    pub(super) steps: Vec<[u32; 2]>,
    /// The collisions of the epoch, in order.
    pub(super) collisions: Vec<SkeletonCollision>,
    /// The number of interactions between two agents that interact once in the epoch.
    pub(super) pairs: u64,
    /// A uniformly random permutation of the known agents: the order in which they get their states.
    pub(super) order: Vec<u32>,
    known: u32,
}

/// One interaction of an agent that has interacted earlier in the epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SkeletonCollision {
    /// The number of earlier interactions of the epoch.
    pub(super) place: u64,
    /// The number of earlier interactions of the two agents that must be evaluated before the collision: 0 to 2. Their
    /// steps come directly before that of the collision.
    pub(super) earlier: u8,
}

impl Skeleton {
    /// Draws the interactions of uniformly random ordered pairs of agents.
    pub(super) fn draw(&mut self, wanted: Wanted) {
        let Wanted { seed, agents, number, interactions } = wanted;
        let mut draws = RandomDraws::new(seed, StreamPurpose::Skeleton, number);
        self.wanted = wanted;
        (self.pairs, self.known) = (0, 0);
        self.steps.clear();
        self.collisions.clear();
        let mut done = 0;
        loop {
            let run = run_length(agents, self.touched(), &mut draws);
            if run >= interactions - done {
                self.pairs += interactions - done;
                break;
            }
            self.pairs += run;
            done += run;
            self.collision(agents, done, &mut draws);
            done += 1;
            if done == interactions {
                break;
            }
        }
        self.order.clear();
        for agent in 0..self.known {
            let place = draws.below(u64::from(agent) + 1) as usize;
            self.order.push(agent);
            self.order.swap(place, agent as usize);
        }
    }

    /// The number of agents that have interacted so far in the epoch.
    fn touched(&self) -> u64 {
        2 * self.pairs + u64::from(self.known)
    }

    /// Draws an interaction of an agent that has interacted earlier in the epoch, after `place` interactions.
    #[inline]
    fn collision(&mut self, agents: u64, place: u64, draws: &mut RandomDraws) {
        let touched = self.touched();
        let before = self.steps.len();
        // Of the ordered pairs that are not of two untouched agents, R(R-1) have two touched agents and 2R(n-R) have
        // one. The last bit decides which agent initiates.
        let ticket = draws.below(2 * (2 * agents - touched - 1));
        let first = self.known_now(None, draws);
        let second =
            if ticket >> 1 < touched - 1 { self.known_now(Some(first), draws) } else { self.new_agent() };
        let earlier = (self.steps.len() - before) as u8;
        self.steps.push(if ticket & 1 == 0 { [first, second] } else { [second, first] });
        self.collisions.push(SkeletonCollision { place, earlier });
    }

    /// Draws a uniformly random touched agent other than `but`. The agent becomes known.
    #[inline]
    fn known_now(&mut self, but: Option<u32>, draws: &mut RandomDraws) -> u32 {
        let delayed = 2 * self.pairs;
        let ticket = draws.below(delayed + u64::from(self.known) - u64::from(but.is_some()));
        if ticket < delayed {
            // Its only interaction must be evaluated now. Half of the delayed agents initiated.
            self.pairs -= 1;
            let pair = [self.new_agent(), self.new_agent()];
            self.steps.push(pair);
            return pair[(ticket & 1) as usize];
        }
        let place = (ticket - delayed) as u32;
        but.map_or(place, |but| place + u32::from(place >= but))
    }

    fn new_agent(&mut self) -> u32 {
        self.known += 1;
        self.known - 1
    }
}
