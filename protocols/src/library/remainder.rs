//! Remainder predicates: parity and other sums modulo a number.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, three_fifths_at, whole};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};
use crate::table::MAX_STATES;

/// The catalogue entry of [`Remainder`].
pub(super) const ENTRY: ProtocolEntry =
    ProtocolEntry::new("remainder", "whether a x + b y = c mod m", "L0 to L(m-1), f!, f", |values| {
        let modulus = small(values[0]);
        let [remainder, first, second] = [1, 2, 3].map(|place| small(values[place]) % modulus);
        let protocol = Remainder { modulus, remainder };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents, [first, second]))
    })
    .with_parameters(
        const {
            const MOST: i64 = Remainder::MAX_MODULUS as i64;
            &[
                whole("m", "the modulus", 2, MOST, 2),
                whole("c", "the remainder, taken mod m", 0, MOST, 1),
                whole("a", "the weight of the first input, taken mod m", 0, MOST, 1),
                whole("b", "the weight of the second input, taken mod m", 0, MOST, 0),
            ]
        },
    )
    .with_proved(ProvedClaim::computes("L1 mod 2 = 1", [&["yes"], &["no"]], &["L1", "L0"]));

/// The state of an agent of [`Remainder`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Summed {
    /// A leader, with this sum modulo m.
    Leader(u16),
    /// A follower, with the last answer that it has heard.
    Follower(bool),
}

/// Computes whether the sum of the inputs is c modulo m. If at least one of two agents leads, the initiator leads
/// afterwards, with the sum w of both (a follower counts as 0). The responder becomes a follower. Both answer whether w
/// = c. With m = 2 the predicate is parity.
///
/// - **Source:** Angluin, Aspnes, Diamadi, Fischer, Peralta, Distributed Computing 18 (2006).
/// - **Claim:** correct from every input on the complete graph. From n leaders, one is left after (n-1)^2 interactions
///   on average.
/// - **Oracle:** the predicate itself, for every input of small populations; the formula; the sum of the leaders modulo
///   m is conserved.
/// - **Odd cases:** the last leader walks forever, so the population is settled but not silent.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remainder {
    modulus: u16,
    remainder: u16,
}

impl Remainder {
    /// The largest modulus with which the protocol still fits in a table.
    pub const MAX_MODULUS: u16 = MAX_STATES as u16 - 2;

    /// Creates the predicate that the sum is `remainder` (taken modulo `modulus`).
    ///
    /// # Errors
    ///
    /// The modulus is below 2 or above [`MAX_MODULUS`](Self::MAX_MODULUS).
    pub fn new(modulus: u16, remainder: u16) -> Result<Self, ParameterError> {
        let modulus = in_range("remainder", "m", modulus, 2, Self::MAX_MODULUS)?;
        Ok(Self { modulus, remainder: remainder % modulus })
    }

    /// Example initial counts: three fifths of the agents, rounded up, have the first of the two inputs, the rest the
    /// second. They sum to `agents`.
    ///
    /// # Panics
    ///
    /// Panics if an input is not below the modulus.
    #[must_use]
    pub fn initial_counts(&self, agents: u64, inputs: [u16; 2]) -> Vec<u64> {
        assert!(inputs.iter().all(|&input| input < self.modulus), "inputs are below the modulus");
        three_fifths_at(agents, usize::from(self.modulus) + 2, inputs.map(usize::from))
    }
}

impl Protocol for Remainder {
    type State = Summed;
    type Output = bool;

    fn transition(&self, initiator: Summed, responder: Summed) -> (Summed, Summed) {
        let sum = match (initiator, responder) {
            (Summed::Leader(u), Summed::Leader(v)) => (u + v) % self.modulus,
            (Summed::Leader(u), Summed::Follower(_)) | (Summed::Follower(_), Summed::Leader(u)) => u,
            unchanged => return unchanged,
        };
        (Summed::Leader(sum), Summed::Follower(sum == self.remainder))
    }

    fn output(&self, state: Summed) -> bool {
        match state {
            Summed::Leader(sum) => sum == self.remainder,
            Summed::Follower(answer) => answer,
        }
    }
}

impl FiniteProtocol for Remainder {
    fn states(&self) -> Vec<Summed> {
        (0..self.modulus).map(Summed::Leader).chain([true, false].map(Summed::Follower)).collect()
    }

    fn state_name(&self, state: Summed) -> String {
        match state {
            Summed::Leader(sum) => format!("L{sum}"),
            Summed::Follower(answer) => if answer { "f!" } else { "f" }.to_owned(),
        }
    }

    fn output_name(&self, output: &bool) -> String {
        if *output { "yes" } else { "no" }.to_owned()
    }
}
