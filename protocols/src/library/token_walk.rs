//! Tokens that walk and merge.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`TokenWalk`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "token-walk",
    "tokens swap along the chosen edge, and two tokens that meet become one",
    "_, T",
    |_| ProtocolInstance::of(&TokenWalk, |agents| TokenWalk.initial_counts(agents)),
)
.with_proved(ProvedClaim::eventually("T = 1", &["T"]));

/// A token moves across the chosen edge. Two tokens merge when the edge between them is chosen: T, _ -> _, T,
/// symmetric; T, T -> T, _. An agent in state `true` holds a token.
///
/// - **Source:** folklore: coalescing random walks; Israeli, Jalfon, "Token management schemes and random walks yield
///   self-stabilizing mutual exclusion", PODC 1990.
/// - **Claim:** on a ring of n agents with uniformly random edges, two tokens at distance d merge after
///   (n/4) (d (n-d) + n-1) interactions on average. One token has visited every agent after n^2 (n-1) / 4. On the
///   complete graph two tokens merge after n (n-1) / 2.
/// - **Oracle:** the three formulas; the number of tokens never rises and never falls to 0.
/// - **Odd cases:** the last token walks forever, so the final population is settled but not silent.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TokenWalk;

impl TokenWalk {
    /// Example initial counts: every agent holds a token. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        vec![0, agents]
    }
}

impl Protocol for TokenWalk {
    type State = bool;
    type Output = bool;

    fn transition(&self, initiator: bool, responder: bool) -> (bool, bool) {
        match (initiator, responder) {
            (true, true) => (true, false),
            (a, b) => (b, a),
        }
    }

    fn output(&self, state: bool) -> bool {
        state
    }
}

impl FiniteProtocol for TokenWalk {
    fn states(&self) -> Vec<bool> {
        vec![false, true]
    }

    fn state_name(&self, state: bool) -> String {
        if state { "T" } else { "_" }.to_owned()
    }

    fn output_name(&self, output: &bool) -> String {
        self.state_name(*output)
    }
}
