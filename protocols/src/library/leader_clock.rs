//! A phase clock driven by one leader.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use super::fratricide::LeaderRole;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`LeaderClock`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "leader-clock",
    "phase clock: a leader advances when it meets an agent of its own phase, and the others follow",
    "L0 to L(m-1), F0 to F(m-1)",
    |values| {
        let protocol = LeaderClock { phases: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("m", "the number of phases", 3, LeaderClock::MAX_PHASES as i64, 24)] });

/// Whether phase `x` is ahead of `y` by 1 to m/2, in a circle of m phases.
pub(super) fn is_ahead(x: u16, y: u16, phases: u16) -> bool {
    (1..=phases / 2).contains(&((x + phases - y) % phases))
}

/// The state of an agent that follows a phase clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Clocked {
    /// Whether the agent is the leader that drives the clock.
    pub role: LeaderRole,
    /// The agent's phase of the clock.
    pub phase: u16,
}

/// Phases 0 to m-1 in a circle. Only the responder changes. A follower takes the phase of an initiator that is ahead by
/// 1 to m/2. The leader advances to the next phase when the initiator is in the leader's phase.
///
/// - **Source:** Angluin, Aspnes, Eisenstat, "Fast computation by population protocols with a leader", Distributed
///   Computing 21 (2008).
/// - **Claim:** for a suitable constant m, one round of m phases takes Theta(n log n) interactions, and all agents stay
///   within half of the circle, with high probability.
/// - **Oracle:** with two agents, the leader reaches phase k after 4 k - 2 interactions on average; while all agents
///   are in the half circle behind the leader, no agent gets ahead of the leader; the length of rounds grows like n log
///   n.
/// - **Odd cases:** without a leader the clock stops when all phases are equal. If phases are spread over the whole
///   circle, no phase is ahead of all others.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeaderClock {
    phases: u16,
}

impl LeaderClock {
    /// The maximum number of phases that fit in a table.
    pub const MAX_PHASES: u16 = 2048;

    /// Creates a clock with this number of phases.
    ///
    /// # Errors
    ///
    /// Fewer than 3, or more than [`MAX_PHASES`](Self::MAX_PHASES).
    pub fn new(phases: u16) -> Result<Self, ParameterError> {
        Ok(Self { phases: in_range("leader-clock", "m", phases, 3, Self::MAX_PHASES)? })
    }

    /// The number of phases.
    #[must_use]
    pub fn phases(&self) -> u16 {
        self.phases
    }

    /// Example initial counts: one leader, every agent in phase 0. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let phases = usize::from(self.phases);
        let mut counts = vec![0; 2 * phases];
        counts[0] = agents.min(1);
        counts[phases] = agents - counts[0];
        counts
    }
}

impl Protocol for LeaderClock {
    type State = Clocked;
    type Output = u16;

    fn transition(&self, initiator: Clocked, responder: Clocked) -> (Clocked, Clocked) {
        let phase = match responder.role {
            LeaderRole::Follower if is_ahead(initiator.phase, responder.phase, self.phases) => {
                initiator.phase
            }
            LeaderRole::Leader if initiator.phase == responder.phase => (responder.phase + 1) % self.phases,
            _ => responder.phase,
        };
        (initiator, Clocked { phase, ..responder })
    }

    fn output(&self, state: Clocked) -> u16 {
        state.phase
    }
}

impl FiniteProtocol for LeaderClock {
    fn states(&self) -> Vec<Clocked> {
        let of = |role| (0..self.phases).map(move |phase| Clocked { role, phase });
        of(LeaderRole::Leader).chain(of(LeaderRole::Follower)).collect()
    }

    fn state_name(&self, state: Clocked) -> String {
        format!("{}{}", state.role.letter(), state.phase)
    }

    fn output_name(&self, output: &u16) -> String {
        output.to_string()
    }
}
