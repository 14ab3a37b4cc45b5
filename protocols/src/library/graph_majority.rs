//! Exact majority with four states on any connected graph.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::opinion::{Opinion, OpinionToken, three_fifths};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`GraphMajority`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "graph-majority",
    "four-state majority on any connected graph: votes walk until they cancel",
    "A, B, a, b",
    |_| ProtocolInstance::of(&GraphMajority, |agents| GraphMajority.initial_counts(agents)),
)
.with_proved(ProvedClaim::computes("A > B", [&["A"], &["B"]], &["A", "B"]).given("A != B"));

/// Exact majority in which votes walk. The rules are A, B -> a, b; A, b -> a, A; A, a -> a, A; B, a -> b, B; B, b -> b,
/// B; all symmetric. A vote moves to the other agent if that agent holds a shadow, and leaves a shadow of its own
/// opinion. The answer is the letter, A or B.
///
/// - **Source:** the swap form of binary interval consensus: Bénézit, Thiran, Vetterli, ICASSP 2009; Draief,
///   Vojnovic, SIAM J. Control Optim. 50 (2012).
/// - **Claim:** always correct on every connected graph unless the start is tied.
/// - **Oracle:** #A - #B is conserved; the answers agree in the end on rings, paths and complete graphs.
/// - **Odd cases:** votes walk forever, so a finished population is settled
///   ([`is_settled`](crate::analysis::is_settled)) but not silent. From a tie all votes cancel and both answers
///   stay, silently.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphMajority;

impl GraphMajority {
    /// Example initial counts: three fifths vote A, rounded up, the rest B. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        three_fifths(agents, 2)
    }
}

impl Protocol for GraphMajority {
    type State = OpinionToken;
    type Output = Opinion;

    fn transition(&self, initiator: OpinionToken, responder: OpinionToken) -> (OpinionToken, OpinionToken) {
        use OpinionToken::{Strong, Weak};
        match (initiator, responder) {
            (Strong(x), Strong(y)) if x != y => (Weak(x), Weak(y)),
            (Strong(x), Weak(_)) => (Weak(x), initiator),
            (Weak(_), Strong(y)) => (responder, Weak(y)),
            unchanged => unchanged,
        }
    }

    fn output(&self, state: OpinionToken) -> Opinion {
        state.opinion()
    }
}

impl FiniteProtocol for GraphMajority {
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
