//! Majority by alternately cancelling and splitting votes, paced by a phase clock.

use acrasin_catalogue::parameter::ParameterError;

use super::cancel_split::{CancelSplit, Share};
use super::fratricide::LeaderRole;
use super::leader_clock::{Clocked, LeaderClock};
use super::opinion::Opinion;
use crate::protocol::Protocol;

/// The state of an agent of [`ClockedMajority`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClockedVote {
    /// The phase of the agent's clock, and the agent's role in driving the clock.
    pub clock: Clocked,
    /// The share of a vote that the agent holds; `None` if it holds none.
    pub share: Option<Share>,
    /// Whether the agent's share results from a split in this round.
    pub has_split: bool,
    /// The output: the opinion of the agent's share, or of the last share that it heard of.
    pub opinion: Opinion,
}

/// The rules of [`CancelSplit`], separated in time by a [`LeaderClock`]. While both agents are in the first half of a
/// round, opposite shares of one weight cancel. While both are in the second half, a share that has not split in this
/// round splits with an agent without a share. So nearly all shares have the same weight at any time, and a lead of d
/// votes becomes a lead of 2 d shares in each round. The responder follows the clock as in [`LeaderClock`]. Agents
/// without a share adopt the opinion of agents with a share.
///
/// With many phases the protocol has too many states for a table: [`lazy`](crate::lazy) runs it.
///
/// - **Source:** Angluin, Aspnes, Eisenstat, "Fast computation by population protocols with a leader", Distributed
///   Computing 21 (2008); Bilke, Cooper, Elsässer, Radzik, PODC 2017.
/// - **Claim:** correct with high probability for any lead, after O(n log^2 n) interactions. Measurements agree with
///   the bound; its constants were not confirmed.
/// - **Oracle:** the signed sum of the weights is conserved; a lead of 2 among 1000 or more agents is decided
///   correctly, far sooner than by [`ExactMajority`](super::ExactMajority).
/// - **Odd cases:** a clock with too few phases for the population lets cancelling and splitting overlap, and then
///   opposite votes of different weights can stay forever.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockedMajority {
    votes: CancelSplit,
    clock: LeaderClock,
}

impl ClockedMajority {
    /// Creates the protocol with votes that can be split `levels` times, and a clock of `phases` phases.
    ///
    /// # Errors
    ///
    /// The errors of [`CancelSplit::new`] and [`LeaderClock::new`].
    pub fn new(levels: u16, phases: u16) -> Result<Self, ParameterError> {
        Ok(Self { votes: CancelSplit::new(levels)?, clock: LeaderClock::new(phases)? })
    }

    /// The initial state of an agent with this vote. One agent is the leader, which drives the clock.
    #[must_use]
    pub fn start(&self, opinion: Opinion, role: LeaderRole) -> ClockedVote {
        let share = Some(Share { opinion, level: 0 });
        ClockedVote { clock: Clocked { role, phase: 0 }, share, has_split: false, opinion }
    }

    /// The weight of a state in units of the lightest vote, with its sign. The sum over all agents is conserved.
    #[must_use]
    pub fn weight(&self, state: ClockedVote) -> i64 {
        self.votes.weight(state.share)
    }

    /// Whether the agent is in the second half of its round, in which shares split.
    fn splits(self, state: ClockedVote) -> bool {
        state.clock.phase >= self.clock.phases() / 2
    }

    /// Exchanges the shares of two agents.
    fn exchange(self, first: &mut ClockedVote, second: &mut ClockedVote) {
        let both_split = self.splits(*first);
        if both_split != self.splits(*second) {
            return;
        }
        let meets_no_share = first.share.is_none() != second.share.is_none();
        // An agent without a share has not split.
        let is_due = meets_no_share && both_split && !first.has_split && !second.has_split;
        let is_opposite = !both_split && first.share.is_some() && second.share.is_some();
        if is_due || is_opposite {
            let before = (first.share, second.share);
            (first.share, second.share) = self.votes.transition(before.0, before.1);
            let has_split = is_due && (first.share, second.share) != before;
            (first.has_split, second.has_split) = (has_split, has_split);
        }
    }
}

impl Protocol for ClockedMajority {
    type State = ClockedVote;
    type Output = Opinion;

    fn transition(&self, initiator: ClockedVote, responder: ClockedVote) -> (ClockedVote, ClockedVote) {
        let (mut first, mut second) = (initiator, responder);
        let before = second.clock.phase;
        second.clock = self.clock.transition(first.clock, second.clock).1;
        // Phases only advance, so a smaller phase means that the clock passed 0: a round begins.
        second.has_split &= second.clock.phase >= before;
        self.exchange(&mut first, &mut second);
        match (first.share, second.share) {
            (Some(share), None) => second.opinion = share.opinion,
            (None, Some(share)) => first.opinion = share.opinion,
            (Some(one), Some(other)) => (first.opinion, second.opinion) = (one.opinion, other.opinion),
            (None, None) => {}
        }
        (first, second)
    }

    fn output(&self, state: ClockedVote) -> Opinion {
        state.opinion
    }
}
