//! Averaging: two agents share their whole-numbered loads equally.

use acrasin_catalogue::parameter::ParameterError;
use acrasin_runtime::choice::Choices;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use super::proved::ProvedClaim;
use crate::group::{GroupRule, share_equally};
use crate::protocol::{FiniteProtocol, Protocol};
use crate::table::MAX_STATES;

/// The catalogue entry of [`Averaging`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "averaging",
    "two agents share their loads equally; the sum is conserved",
    "0 to m",
    |values| {
        let protocol = Averaging { largest: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("m", "the largest load", 1, Averaging::MAX_LARGEST as i64, 10)] })
.with_proved(ProvedClaim::eventually(
    "'0' + '1' = n or '1' + '2' = n or '2' + '3' = n or '3' + '4' = n or '4' + '5' = n or '5' + '6' \
         = n or '6' + '7' = n or '7' + '8' = n or '8' + '9' = n or '9' + '10' = n",
    &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
));

/// Two agents share their loads equally: i, j -> floor((i+j)/2), ceil((i+j)/2). Loads are 0..=m; the responder takes
/// the larger half.
///
/// - **Source:** Alistarh, Gelashvili, Vojnovic, "Fast and exact majority in population protocols", PODC 2015;
///   Berenbrink, Friedetzky, Kaaser, Kling, "Tight and simple load balancing", IPDPS 2019.
/// - **Claim:** the sum is conserved; the largest and the smallest load differ by at most 1 in the end, on every
///   connected graph. The bound of these papers was not confirmed: O(n log(n m)) interactions until loads differ by at
///   most 2.
/// - **Oracle:** the sum; the final spread; on the complete graph each interaction multiplies the sum of squared
///   deviations from the mean by 1 - 1/(n-1) on average, if rounding is negligible.
/// - **Odd cases:** unless the mean is a whole number, neighbouring loads i+1, i swap forever. So the final population
///   is settled ([`is_settled`](crate::analysis::is_settled)) but not silent. On graphs, these swaps bring distant
///   loads together.
/// - **Group:** every agent of the lock set takes the mean; the agents that take one unit of the remainder are
///   uniformly random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Averaging {
    largest: u16,
}

impl Averaging {
    /// The largest load with which the protocol still fits in a table.
    pub const MAX_LARGEST: u16 = MAX_STATES as u16 - 1;

    /// Creates the protocol with loads from 0 to `largest`.
    ///
    /// # Errors
    ///
    /// `largest` is 0 or above [`MAX_LARGEST`](Self::MAX_LARGEST).
    pub fn new(largest: u16) -> Result<Self, ParameterError> {
        Ok(Self { largest: in_range("averaging", "m", largest, 1, Self::MAX_LARGEST)? })
    }

    /// Example initial counts: half of the agents, rounded down, have the largest load, the others have load 0. One
    /// count per load; they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let mut counts = vec![0; usize::from(self.largest) + 1];
        counts[0] = agents - agents / 2;
        counts[usize::from(self.largest)] = agents / 2;
        counts
    }
}

impl Protocol for Averaging {
    type State = u16;
    type Output = u16;

    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        let floor = initiator.midpoint(responder);
        // `midpoint` rounds down; the other half is larger by at most one.
        (floor, floor + (initiator ^ responder) % 2)
    }

    fn output(&self, state: u16) -> u16 {
        state
    }

    fn group(&self, own: &mut u16, others: &mut [u16], choices: &mut dyn Choices) {
        share_equally(own, others, choices);
    }
}

impl FiniteProtocol for Averaging {
    fn states(&self) -> Vec<u16> {
        (0..=self.largest).collect()
    }

    fn state_name(&self, state: u16) -> String {
        state.to_string()
    }

    fn output_name(&self, output: &u16) -> String {
        output.to_string()
    }

    fn group_rule(&self) -> GroupRule {
        GroupRule::Mean
    }
}
