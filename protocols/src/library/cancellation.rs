//! Pairwise cancellation of two opposite votes.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::opinion::{Ternary, three_fifths};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`Cancellation`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "pairwise-cancellation",
    "opposite votes cancel; the votes that remain are the difference",
    "A, B, 0",
    |_| ProtocolInstance::of(&Cancellation, |agents| Cancellation.initial_counts(agents)),
)
.with_proved(ProvedClaim::eventually("A = 0 or B = 0", &["A", "B"]));

/// Opposite votes cancel: A, B -> 0, 0, symmetric. An agent whose vote is cancelled has no answer.
///
/// - **Source:** the cancellation phase of Draief, Vojnovic, "Convergence speed of binary interval consensus", SIAM J.
///   Control Optim. 50 (2012), and of Angluin, Aspnes, Eisenstat, Distributed Computing 21 (2008).
/// - **Claim:** let `a` agents vote A, and `b <= a` vote B. The mean number of interactions until no B is left is the
///   sum over k in 1..=b of n (n-1) / (2 k (a-b+k)). That is about pi^2 n^2 / 12 for a = b = n/2.
/// - **Oracle:** the formula; #A - #B is conserved.
/// - **Odd cases:** from a tie no agent has a vote in the end.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cancellation;

impl Cancellation {
    /// Example initial counts: three fifths vote A, rounded up, the rest B. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        three_fifths(agents, 1)
    }
}

impl Protocol for Cancellation {
    type State = Ternary;
    type Output = Ternary;

    fn transition(&self, initiator: Ternary, responder: Ternary) -> (Ternary, Ternary) {
        match (initiator, responder) {
            (Ternary::Decided(x), Ternary::Decided(y)) if x != y => (Ternary::Undecided, Ternary::Undecided),
            unchanged => unchanged,
        }
    }

    fn output(&self, state: Ternary) -> Ternary {
        state
    }
}

impl FiniteProtocol for Cancellation {
    fn states(&self) -> Vec<Ternary> {
        Ternary::ALL.to_vec()
    }

    fn state_name(&self, state: Ternary) -> String {
        match state {
            Ternary::Undecided => "0",
            decided => decided.letter(),
        }
        .to_owned()
    }

    fn output_name(&self, output: &Ternary) -> String {
        self.state_name(*output)
    }
}
