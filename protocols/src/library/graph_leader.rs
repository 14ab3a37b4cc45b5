//! Leader election with six states on any connected graph.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::fratricide::LeaderRole;
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`GraphLeader`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "graph-leader",
    "leader election on any connected graph: tokens walk, and when two black tokens meet, one turns white",
    "Lb, Lw, L_, Fb, Fw, F_",
    |_| ProtocolInstance::of(&GraphLeader, |agents| GraphLeader.initial_counts(agents)),
)
.with_proved(ProvedClaim::eventually("Lb + Lw + L_ = 1", &["Lb"]));

/// The colour of a walking token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dye {
    /// A black token. At least one black token stays forever.
    Black,
    /// A white token, which turns the first candidate that it reaches into a follower and disappears.
    White,
}

/// The state of an agent of [`GraphLeader`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    /// Whether the agent is still a candidate.
    pub role: LeaderRole,
    /// The token that the agent holds; `None` if it holds none.
    pub token: Option<Dye>,
}

/// Two agents swap their tokens. If both tokens are black, the token of the responder turns white. A candidate that
/// holds a white token becomes a follower, and the token disappears.
///
/// - **Source:** Beauquier, Blanchard, Burman, "Self-stabilizing leader election in population protocols over arbitrary
///   communication graphs", OPODIS 2013; Alistarh, Rybicki, Voitovych, "Near-optimal leader election in population
///   protocols on graphs", PODC 2022.
/// - **Claim:** if all agents start as candidates with black tokens, one leader is left, on every connected graph. The
///   time is at most the worst-case hitting time of a walk, times n log n.
/// - **Oracle:** #candidates = #black + #white, and #black >= 1, after every interaction; means on complete graphs and
///   rings of 8, 16, 32 agents: 60, 289, 1203 and 81, 697, 4585.
/// - **Odd cases:** the last black token walks forever, so the final population is settled but not silent. If the
///   numbers of candidates and of tokens differ at the start, the protocol may fail to elect a leader.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphLeader;

impl GraphLeader {
    /// Example initial counts: every agent is a candidate and holds a black token. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        vec![agents, 0, 0, 0, 0, 0]
    }

    fn holding(role: LeaderRole, token: Option<Dye>) -> Candidate {
        match (role, token) {
            (LeaderRole::Leader, Some(Dye::White)) => Candidate { role: LeaderRole::Follower, token: None },
            _ => Candidate { role, token },
        }
    }
}

impl Protocol for GraphLeader {
    type State = Candidate;
    type Output = LeaderRole;

    fn transition(&self, initiator: Candidate, responder: Candidate) -> (Candidate, Candidate) {
        let to_responder = match (initiator.token, responder.token) {
            (Some(Dye::Black), Some(Dye::Black)) => Some(Dye::White),
            (token, _) => token,
        };
        (Self::holding(initiator.role, responder.token), Self::holding(responder.role, to_responder))
    }

    fn output(&self, state: Candidate) -> LeaderRole {
        state.role
    }
}

impl FiniteProtocol for GraphLeader {
    fn states(&self) -> Vec<Candidate> {
        let tokens = [Some(Dye::Black), Some(Dye::White), None];
        let of = |role| tokens.map(|token| Candidate { role, token });
        [of(LeaderRole::Leader), of(LeaderRole::Follower)].concat()
    }

    fn state_name(&self, state: Candidate) -> String {
        let token = match state.token {
            Some(Dye::Black) => 'b',
            Some(Dye::White) => 'w',
            None => '_',
        };
        format!("{}{token}", state.role.letter())
    }

    fn output_name(&self, output: &LeaderRole) -> String {
        output.letter().to_owned()
    }
}
