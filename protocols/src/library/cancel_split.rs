//! Majority by cancelling and splitting votes.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, three_fifths_at, whole};
use super::opinion::Opinion;
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`CancelSplit`].
pub(super) const ENTRY: ProtocolEntry =
    ProtocolEntry::new(
        "cancel-split",
        "opposite votes of equal weight cancel, and a vote splits into two halves when it meets an empty agent",
        "A0 to Al, B0 to Bl, 0",
        |values| {
            let protocol = CancelSplit { levels: small(values[0]) };
            ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
        },
    )
    .with_parameters(
        const {
            &[whole(
                "l",
                "the number of times that a vote can be halved",
                0,
                CancelSplit::MAX_LEVELS as i64,
                8,
            )]
        },
    )
    .with_proved(ProvedClaim::eventually(
        "(A0 = 0 or B0 = 0) and (A1 = 0 or B1 = 0) and (A2 = 0 or B2 = 0) and (A3 = 0 or B3 = 0) and (A4 \
         = 0 or B4 = 0) and (A5 = 0 or B5 = 0) and (A6 = 0 or B6 = 0) and (A7 = 0 or B7 = 0) and (A8 = 0 \
         or B8 = 0)",
        &["A0", "B0"],
    ));

/// A share of a vote: it supports an opinion with weight 2^-`level`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Share {
    /// The supported opinion.
    pub opinion: Opinion,
    /// The number of times that the vote was split.
    pub level: u16,
}

/// Votes of weight 2^-level, level 0 to l. Opposite votes of one weight cancel: +v, -v -> 0, 0. A vote that meets an
/// agent without a vote splits: ±2^-i, 0 -> ±2^-(i+1), ±2^-(i+1) if i < l. Both symmetric; `None` is 0. The answer is
/// the sign.
///
/// - **Source:** Angluin, Aspnes, Eisenstat, Distributed Computing 21 (2008), as cancelling and doubling; Alistarh,
///   Aspnes, Gelashvili, "Space-optimal majority in population protocols", SODA 2018; Bilke, Cooper, Elsässer, Radzik,
///   "Brief announcement: population protocols for leader election and exact majority with O(log^2 n)
///   states and O(log^2 n) convergence time", PODC 2017.
/// - **Claim:** with a phase clock that keeps the levels apart, O(n log^2 n) interactions:
///   [`ClockedMajority`](super::ClockedMajority).
/// - **Oracle:** the signed sum of the weights is conserved; with l = 0 it is
///   [`Cancellation`](super::Cancellation).
/// - **Odd cases:** without the clock it can fall silent with opposite votes of different weights, so the agents need
///   not agree.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CancelSplit {
    levels: u16,
}

impl CancelSplit {
    /// The largest number of splits. In units of the lightest vote, the sum of 2^53 weights still fits in 128 bits.
    pub const MAX_LEVELS: u16 = 60;

    /// Creates the protocol with votes that can be split `levels` times.
    ///
    /// # Errors
    ///
    /// `levels` is above [`MAX_LEVELS`](Self::MAX_LEVELS).
    pub fn new(levels: u16) -> Result<Self, ParameterError> {
        Ok(Self { levels: in_range("cancel-split", "l", levels, 0, Self::MAX_LEVELS)? })
    }

    /// Example initial counts: three fifths vote A, rounded up, the rest B, all with unsplit votes. One count per
    /// state; they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let levels = usize::from(self.levels) + 1;
        three_fifths_at(agents, 2 * levels + 1, [0, levels])
    }

    /// The weight of a state in units of the lightest vote, with its sign. The sum over all agents is conserved.
    #[must_use]
    pub fn weight(&self, state: Option<Share>) -> i64 {
        state.map_or(0, |Share { opinion, level }| match opinion {
            Opinion::A => 1 << (self.levels - level),
            Opinion::B => -(1 << (self.levels - level)),
        })
    }

    fn half(&self, share: Share) -> Option<Share> {
        (share.level < self.levels).then_some(Share { level: share.level + 1, ..share })
    }
}

impl Protocol for CancelSplit {
    type State = Option<Share>;
    type Output = Option<Opinion>;

    fn transition(
        &self,
        initiator: Option<Share>,
        responder: Option<Share>,
    ) -> (Option<Share>, Option<Share>) {
        match (initiator, responder) {
            (Some(x), Some(y)) if x.level == y.level && x.opinion != y.opinion => (None, None),
            (Some(share), None) | (None, Some(share)) => match self.half(share) {
                Some(half) => (Some(half), Some(half)),
                None => (initiator, responder),
            },
            unchanged => unchanged,
        }
    }

    fn output(&self, state: Option<Share>) -> Option<Opinion> {
        state.map(|share| share.opinion)
    }
}

impl FiniteProtocol for CancelSplit {
    fn states(&self) -> Vec<Option<Share>> {
        let of = |opinion| (0..=self.levels).map(move |level| Some(Share { opinion, level }));
        of(Opinion::A).chain(of(Opinion::B)).chain([None]).collect()
    }

    fn state_name(&self, state: Option<Share>) -> String {
        state.map_or_else(|| "0".to_owned(), |share| format!("{}{}", share.opinion.letter(), share.level))
    }

    fn output_name(&self, output: &Option<Opinion>) -> String {
        output.map_or("0", Opinion::letter).to_owned()
    }
}
