//! Approximate majority in which only the responder changes.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::opinion::{Ternary, three_fifths};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`ApproximateMajorityOneWay`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "approximate-majority-one-way",
    "approximate majority in which only the responder changes",
    "A, B, U",
    |_| {
        ProtocolInstance::of(&ApproximateMajorityOneWay, |agents| {
            ApproximateMajorityOneWay.initial_counts(agents)
        })
    },
)
.with_proved(ProvedClaim::eventually("A = n or B = n", &["A", "B"]));

/// The initiator makes an opponent undecided, and gives its opinion to an undecided agent. It never changes itself: (A,
/// B) -> (A, U); (B, A) -> (B, U); (A, U) -> (A, A); (B, U) -> (B, B).
///
/// - **Source:** Angluin, Aspnes, Eisenstat, "A simple population protocol for fast robust approximate majority",
///   Distributed Computing 21 (2008).
/// - **Claim:** consensus after O(n log n) interactions with high probability.
/// - **Oracle:** from a agents for A and n - a for B, no agent undecided, P(all end in A) = P(Bin(n-1, 1/2) <= a-1).
///   Mean time from (n, a): (10, 6) 63.4413; (20, 12) 166.5329; (30, 18) 278.2423; (40, 24) 393.4881.
/// - **Odd cases:** it may err. Unlike the two-way form it always decides: the last decided agent cannot become
///   undecided. From a tie each opinion wins with probability 1/2.
/// - **Group:** the holder of the lock meets every agent of its lock set once, as initiator; so it never changes
///   itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ApproximateMajorityOneWay;

impl ApproximateMajorityOneWay {
    /// Example initial counts: three fifths for A, rounded up, the rest for B. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        three_fifths(agents, 1)
    }
}

impl Protocol for ApproximateMajorityOneWay {
    type State = Ternary;
    type Output = Ternary;

    fn transition(&self, initiator: Ternary, responder: Ternary) -> (Ternary, Ternary) {
        let becomes = match (initiator, responder) {
            (Ternary::A, Ternary::B) | (Ternary::B, Ternary::A) => Ternary::Undecided,
            (Ternary::Decided(_), Ternary::Undecided) => initiator,
            _ => responder,
        };
        (initiator, becomes)
    }

    fn output(&self, state: Ternary) -> Ternary {
        state
    }
}

impl FiniteProtocol for ApproximateMajorityOneWay {
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
