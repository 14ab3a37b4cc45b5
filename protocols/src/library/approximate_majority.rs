//! Approximate majority in which both agents can change.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::opinion::{Ternary, three_fifths};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`ApproximateMajority`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "approximate-majority",
    "opposite opinions cancel, and undecided agents adopt an opinion; fast, may err",
    "A, B, U",
    |_| ProtocolInstance::of(&ApproximateMajority, |agents| ApproximateMajority.initial_counts(agents)),
)
.with_proved(ProvedClaim::eventually("A = n or B = n or U = n", &["A", "B"]));

/// Opposite opinions cancel, undecided agents follow: A, B -> U, U; A, U -> A, A; B, U -> B, B; all symmetric.
///
/// - **Source:** the symmetric variant of Angluin, Aspnes, Eisenstat, "A simple population protocol for fast robust
///   approximate majority", Distributed Computing 21 (2008).
/// - **Claim:** consensus after Theta(n log n) interactions with high probability. The consensus is the initial
///   majority if its lead is omega(sqrt(n log n)) agents.
/// - **Oracle:** P(all end in A) and mean time, exact, from (n, agents for A): (10, 6) 0.886645, 35.2453; (20, 12)
///   0.942630, 86.3737; (30, 18) 0.970500, 139.9183; (40, 24) 0.984494, 194.7669.
/// - **Odd cases:** it may err, more often for a smaller initial lead. The last A and the last B may cancel each other;
///   then all agents are undecided forever. With one A, one B and no other agent this is certain. From a tie each
///   opinion wins with the same probability.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ApproximateMajority;

impl ApproximateMajority {
    /// Example initial counts: three fifths for A, rounded up, the rest for B. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        three_fifths(agents, 1)
    }
}

impl Protocol for ApproximateMajority {
    type State = Ternary;
    type Output = Ternary;

    fn transition(&self, initiator: Ternary, responder: Ternary) -> (Ternary, Ternary) {
        match (initiator, responder) {
            (Ternary::A, Ternary::B) | (Ternary::B, Ternary::A) => (Ternary::Undecided, Ternary::Undecided),
            (decided, Ternary::Undecided) | (Ternary::Undecided, decided) => (decided, decided),
            unchanged => unchanged,
        }
    }

    fn output(&self, state: Ternary) -> Ternary {
        state
    }
}

impl FiniteProtocol for ApproximateMajority {
    fn states(&self) -> Vec<Ternary> {
        Ternary::ALL.to_vec()
    }

    fn state_name(&self, state: Ternary) -> String {
        state.letter().to_owned()
    }

    fn output_name(&self, output: &Ternary) -> String {
        output.letter().to_owned()
    }
}
