//! Loosely-stabilising leader election with a timer.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use super::fratricide::LeaderRole;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`LooseLeader`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "loosely-stabilising-leader",
    "from any start, soon one leader for a long time: leaders renew timers; a timer of 0 makes a leader",
    "L0 to Ls, F0 to Fs",
    |values| {
        let protocol = LooseLeader { longest: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("s", "the longest timer", 1, LooseLeader::MAX_LONGEST as i64, 40)] });

/// The state of an agent of [`LooseLeader`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TimedLeader {
    /// Whether the agent leads.
    pub role: LeaderRole,
    /// The remaining interactions without news of a leader, after which the agent may become one.
    pub timer: u16,
}

/// Of two leaders, the responder becomes a follower. If at least one of the two agents leads, both timers restart at s.
/// If neither leads, both take the larger timer minus 1. If this timer is 0, the initiator becomes a leader, with timer
/// s.
///
/// - **Source:** Sudo, Nakamura, Yamauchi, Ooshita, Kakugawa, Masuzawa, "Loosely-stabilizing leader election in a
///   population protocol model", Theoretical Computer Science 444 (2012).
/// - **Claim:** from any start one leader is reached soon, and it stays the only one for a time that is exponential in
///   s / log n. The bounds of the paper were not confirmed. Measured: from 1000 agents without a leader, one leader is
///   left after 0.7 to 1.7 times n^2 interactions for s from 20 to 60. In most of that time leaders merge, as in
///   [`Fratricide`](super::Fratricide). No leader was lost within 10^8 interactions.
/// - **Oracle:** among three agents, one leader stays the only one for 3 (3^s - 1) / 2 interactions on average from
///   fresh timers. From any start, one leader is reached with probability 1, but it never stays forever, however large
///   s is.
/// - **Odd cases:** if s is small compared with log n, leaders appear and disappear again and again.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LooseLeader {
    longest: u16,
}

impl LooseLeader {
    /// The longest timer with which the protocol still fits in a table.
    pub const MAX_LONGEST: u16 = 2047;

    /// Creates the protocol with timers from 0 to `longest`.
    ///
    /// # Errors
    ///
    /// `longest` is 0 or above [`MAX_LONGEST`](Self::MAX_LONGEST).
    pub fn new(longest: u16) -> Result<Self, ParameterError> {
        Ok(Self { longest: in_range("loosely-stabilising-leader", "s", longest, 1, Self::MAX_LONGEST)? })
    }

    /// Example initial counts: every agent follows, and all timers are at 0. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let timers = usize::from(self.longest) + 1;
        let mut counts = vec![0; 2 * timers];
        counts[timers] = agents;
        counts
    }
}

impl Protocol for LooseLeader {
    type State = TimedLeader;
    type Output = LeaderRole;

    fn transition(&self, initiator: TimedLeader, responder: TimedLeader) -> (TimedLeader, TimedLeader) {
        let leader = TimedLeader { role: LeaderRole::Leader, timer: self.longest };
        let follower = TimedLeader { role: LeaderRole::Follower, timer: self.longest };
        match (initiator.role, responder.role) {
            (LeaderRole::Leader, _) => (leader, follower),
            (LeaderRole::Follower, LeaderRole::Leader) => (follower, leader),
            (LeaderRole::Follower, LeaderRole::Follower) => {
                let timer = initiator.timer.max(responder.timer).saturating_sub(1);
                let both = TimedLeader { role: LeaderRole::Follower, timer };
                if timer == 0 { (leader, both) } else { (both, both) }
            }
        }
    }

    fn output(&self, state: TimedLeader) -> LeaderRole {
        state.role
    }
}

impl FiniteProtocol for LooseLeader {
    fn states(&self) -> Vec<TimedLeader> {
        let of = |role| (0..=self.longest).map(move |timer| TimedLeader { role, timer });
        of(LeaderRole::Leader).chain(of(LeaderRole::Follower)).collect()
    }

    fn state_name(&self, state: TimedLeader) -> String {
        format!("{}{}", state.role.letter(), state.timer)
    }

    fn output_name(&self, output: &LeaderRole) -> String {
        output.letter().to_owned()
    }
}
