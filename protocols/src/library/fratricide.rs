//! Leader election by fratricide: of two leaders that meet, one gives up.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`Fratricide`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "fratricide",
    "leader election on complete graphs: of two leaders, the responder gives up",
    "L, F",
    |_| ProtocolInstance::of(&Fratricide, |agents| Fratricide.initial_counts(agents)),
)
.with_proved(ProvedClaim::eventually("L = 1", &["L"]));

/// Whether an agent still claims to lead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LeaderRole {
    /// The agent claims to be the leader.
    Leader,
    /// The agent has given up permanently.
    Follower,
}

impl LeaderRole {
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Leader => "L",
            Self::Follower => "F",
        }
    }
}

/// Of two leaders that meet, the responder gives up: (L, L) -> (L, F). Nothing else changes.
///
/// - **Source:** Angluin, Aspnes, Diamadi, Fischer, Peralta, Distributed Computing 18 (2006). Linear parallel time
///   is the best that a fixed number of states allows (Doty, Soloveichik, DISC 2015).
/// - **Claim:** from l leaders, one is left after n (n-1) (1 - 1/l) interactions on average. If all agents lead at the
///   start, the mean is (n-1)^2. The variance is then n^2 (n-1)^2 times the sum over l in 2..=n of 1 / (l (l-1))^2,
///   minus (n-1)^2.
/// - **Oracle:** the formulas; the number of leaders never rises and never reaches 0.
/// - **Odd cases:** on a graph that is not complete, several leaders without an edge between them remain. The protocol
///   elects one leader on complete graphs only. If there is no leader at the start, there never is one.
/// - **Group:** the holder of the lock, if it leads, turns all other agents of its lock set into followers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fratricide;

impl Fratricide {
    /// Example initial counts: every agent leads. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        vec![agents, 0]
    }
}

impl Protocol for Fratricide {
    type State = LeaderRole;
    type Output = LeaderRole;

    fn transition(&self, initiator: LeaderRole, responder: LeaderRole) -> (LeaderRole, LeaderRole) {
        match (initiator, responder) {
            (LeaderRole::Leader, LeaderRole::Leader) => (LeaderRole::Leader, LeaderRole::Follower),
            unchanged => unchanged,
        }
    }

    fn output(&self, state: LeaderRole) -> LeaderRole {
        state
    }
}

impl FiniteProtocol for Fratricide {
    fn states(&self) -> Vec<LeaderRole> {
        vec![LeaderRole::Leader, LeaderRole::Follower]
    }

    fn state_name(&self, state: LeaderRole) -> String {
        state.letter().to_owned()
    }

    fn output_name(&self, output: &LeaderRole) -> String {
        output.letter().to_owned()
    }
}
