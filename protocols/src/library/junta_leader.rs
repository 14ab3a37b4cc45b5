//! Leader election in rounds of coin tosses, paced by the clock of a junta.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::in_range;
use super::fratricide::LeaderRole;
use super::junta::{Climber, Junta};
use super::junta_clock::{JuntaClock, Paced};
use crate::protocol::Protocol;

/// The state of an agent of [`JuntaLeader`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Elector {
    /// The level that the agent has reached in the junta election, and whether it still climbs.
    pub climber: Climber,
    /// The highest level that the agent has heard of. An agent that has itself reached this level considers itself a
    /// member of the junta.
    pub highest: u16,
    /// The phase of the agent's clock.
    pub phase: u16,
    /// The bit that other agents read as a coin.
    pub coin: bool,
    /// Whether the agent still contends.
    pub role: LeaderRole,
    /// The agent's last toss, while the agent contends.
    pub toss: Toss,
    /// The best toss of any contender that the agent has heard of.
    pub best: Toss,
}

/// A toss of a coin in a round. Later rounds are better, and heads are better than tails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Toss {
    /// The round, counted from 1; 0 before the first round.
    pub round: u16,
    /// Whether the coin showed heads.
    pub is_heads: bool,
}

/// Every agent starts as a contender. The agents elect a [`Junta`], which drives a [`JuntaClock`]. An agent that hears
/// of a higher level restarts its clock. When a contender's clock passes 0, the contender tosses a coin: it reads the
/// bit of its partner. Each agent toggles its own bit in each interaction, as in
/// [`SyntheticCoin`](super::SyntheticCoin). The best toss spreads, and a contender with a worse toss gives up. As a
/// back-up, if two contenders with the same toss meet, the responder gives up.
///
/// The type allows about 10^9 states, but a run meets only some thousands. So the protocol has no table, and
/// [`lazy`](crate::lazy) runs it.
///
/// - **Source:** after Gąsieniec, Stachowiak, "Fast space optimal leader election in population protocols", SODA 2018.
///   The rounds follow the paper in outline. We added the number of the round to each toss, so that a contender exists
///   at any time, even if clocks are far apart. The protocols of Gąsieniec, Stachowiak, Uznański, SPAA 2019, and of
///   Berenbrink, Giakkoupis, Kling, STOC 2020, are faster.
/// - **Claim:** one leader with probability 1; O(n log^2 n) interactions with high probability. Measurements agree with
///   the bound; its constants were not confirmed.
/// - **Oracle:** the number of contenders never rises and never reaches 0; some contender has the best toss; one
///   contender is left far sooner than by [`Fratricide`](super::Fratricide).
/// - **Odd cases:** after the last round only the back-up reduces the number of contenders.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JuntaLeader {
    junta: Junta,
    clock: JuntaClock,
    rounds: u16,
}

impl JuntaLeader {
    /// Creates the protocol with `phases` phases of the clock and tosses in `rounds` rounds.
    ///
    /// # Errors
    ///
    /// `phases` is a number that [`JuntaClock::new`] refuses, or `rounds` is 0.
    pub fn new(phases: u16, rounds: u16) -> Result<Self, ParameterError> {
        let rounds = in_range("junta-leader", "rounds", rounds, 1, u16::MAX)?;
        Ok(Self { junta: Junta::new(12)?, clock: JuntaClock::new(phases)?, rounds })
    }

    /// The initial state of every agent.
    #[must_use]
    pub fn start(&self) -> Elector {
        let none = Toss { round: 0, is_heads: false };
        Elector {
            climber: Climber::START,
            highest: 0,
            phase: 0,
            coin: false,
            role: LeaderRole::Leader,
            toss: none,
            best: none,
        }
    }

    /// Advances the responder's clock. A contender whose clock passes 0 tosses for its next round, if rounds remain;
    /// the result is the initiator's coin bit.
    fn tick(self, initiator: Elector, responder: &mut Elector) {
        let is_member = responder.highest > 0 && responder.climber.level == responder.highest;
        let before = responder.phase;
        responder.phase = self.clock.next(initiator.phase, Paced { is_member, phase: before });
        // Phases only advance, so a smaller phase means that the clock passed 0.
        let contends = responder.role == LeaderRole::Leader;
        if responder.phase < before && contends && responder.toss.round < self.rounds {
            responder.toss = Toss { round: responder.toss.round + 1, is_heads: initiator.coin };
        }
    }
}

impl Protocol for JuntaLeader {
    type State = Elector;
    type Output = LeaderRole;

    fn transition(&self, initiator: Elector, responder: Elector) -> (Elector, Elector) {
        let (mut first, mut second) = (initiator, responder);
        (first.climber, second.climber) = self.junta.transition(initiator.climber, responder.climber);
        let levels = [initiator.highest, responder.highest, first.climber.level, second.climber.level];
        let highest = levels.into_iter().max().expect("four levels");
        for agent in [&mut first, &mut second] {
            if agent.highest < highest {
                (agent.highest, agent.phase) = (highest, 0);
            }
        }
        self.tick(first, &mut second);
        (first.coin, second.coin) = (!initiator.coin, !responder.coin);
        let mut best = first.best.max(second.best);
        for contender in [&first, &second].into_iter().filter(|agent| agent.role == LeaderRole::Leader) {
            best = best.max(contender.toss);
        }
        for agent in [&mut first, &mut second] {
            agent.best = best;
            if agent.toss < best {
                agent.role = LeaderRole::Follower;
            }
        }
        if first.role == LeaderRole::Leader && second.role == LeaderRole::Leader {
            second.role = LeaderRole::Follower;
        }
        // The toss of a follower is not used again.
        for agent in [&mut first, &mut second].into_iter().filter(|agent| agent.role == LeaderRole::Follower)
        {
            agent.toss = self.start().toss;
        }
        (first, second)
    }

    fn output(&self, state: Elector) -> LeaderRole {
        state.role
    }
}
