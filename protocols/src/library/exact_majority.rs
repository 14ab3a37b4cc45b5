//! Exact majority with four states.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::opinion::{Opinion, OpinionToken, three_fifths};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`ExactMajority`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "exact-majority",
    "four-state majority on complete graphs: never wrong unless the start is tied",
    "A, B, a, b",
    |_| ProtocolInstance::of(&ExactMajority, |agents| ExactMajority.initial_counts(agents)),
)
.with_proved(ProvedClaim::computes("A > B", [&["A"], &["B"]], &["A", "B"]).given("A != B"));

/// Opposite votes cancel into shadows, and shadows follow the remaining votes: A, B -> a, b; A, b -> A, a; B, a -> B,
/// b; all symmetric. The answer is the letter, A or B.
///
/// - **Source:** Draief, Vojnovic, "Convergence speed of binary interval consensus", SIAM J. Control Optim. 50
///   (2012); Mertzios, Nikoletseas, Raptopoulos, Spirakis, ICALP 2014.
/// - **Claim:** on the complete graph, always correct unless the start is tied; O(n log n / epsilon) interactions,
///   where epsilon is the difference divided by n.
/// - **Oracle:** #A - #B is conserved. Mean time until neither B nor b is left, from (n, agents for A): (10, 6)
///   65.5272; (20, 12) 182.6460; (20, 11) 353.6886.
/// - **Odd cases:** from a tie all votes cancel, and the last cancellation leaves an `a` and a `b`: the population
///   falls silent with both answers, without agreement. On a graph that is not complete it can fall silent in a wrong
///   state, because votes do not move: use [`GraphMajority`](super::GraphMajority) there.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExactMajority;

impl ExactMajority {
    /// Example initial counts: three fifths vote A, rounded up, the rest B. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        three_fifths(agents, 2)
    }
}

impl Protocol for ExactMajority {
    type State = OpinionToken;
    type Output = Opinion;

    fn transition(&self, initiator: OpinionToken, responder: OpinionToken) -> (OpinionToken, OpinionToken) {
        use OpinionToken::{Strong, Weak};
        match (initiator, responder) {
            (Strong(x), Strong(y)) if x != y => (Weak(x), Weak(y)),
            (Strong(x), Weak(_)) => (initiator, Weak(x)),
            (Weak(_), Strong(y)) => (Weak(y), responder),
            unchanged => unchanged,
        }
    }

    fn output(&self, state: OpinionToken) -> Opinion {
        state.opinion()
    }
}

impl FiniteProtocol for ExactMajority {
    fn states(&self) -> Vec<OpinionToken> {
        OpinionToken::ALL.to_vec()
    }

    fn state_name(&self, state: OpinionToken) -> String {
        state.letter().to_owned()
    }

    fn output_name(&self, output: &Opinion) -> String {
        output.letter().to_owned()
    }
}
