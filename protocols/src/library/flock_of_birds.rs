//! The flock of birds: three protocols that decide whether at least c agents are sick.

use acrasin_catalogue::parameter::{Parameter, ParameterError};

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, three_fifths_at, whole};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};
use crate::table::MAX_STATES;

const THRESHOLD: &[Parameter] = &[whole(
    "c",
    "the smallest number of sick agents that is enough",
    2,
    FlockOfBirds::MAX_THRESHOLD as i64,
    5,
)];

/// The catalogue entry of the variant that adds values.
pub(super) const SUM: ProtocolEntry = ProtocolEntry::new(
    "flock-of-birds",
    "whether c agents or more are sick: one of two agents collects the count of both",
    "0 to c",
    |values| instance(FlockOfBirds { count: SickCount::Sum, threshold: small(values[0]) }),
)
.with_parameters(THRESHOLD)
.with_proved(ProvedClaim::computes("'1' >= 5", [&["yes"], &["no"]], &["0", "1"]));

/// The catalogue entry of the variant in which agents climb levels.
pub(super) const TOWER: ProtocolEntry = ProtocolEntry::new(
    "flock-of-birds-tower",
    "whether c agents or more are sick: of two agents on the same level, one climbs to the next",
    "0 to c",
    |values| instance(FlockOfBirds { count: SickCount::Tower, threshold: small(values[0]) }),
)
.with_parameters(THRESHOLD)
.with_proved(ProvedClaim::computes("'1' >= 5", [&["yes"], &["no"]], &["0", "1"]));

/// The catalogue entry of the variant with powers of two.
pub(super) const SUCCINCT: ProtocolEntry = ProtocolEntry::new(
    "flock-of-birds-succinct",
    "whether 2^e agents or more are sick, with e + 2 states: powers of two merge",
    "0, 1, 2, 4, ..., 2^e",
    |values| instance(FlockOfBirds { count: SickCount::Powers, threshold: 1 << values[0] }),
)
.with_parameters(
    const { &[whole("e", "2^e sick agents are enough", 1, FlockOfBirds::MAX_EXPONENT as i64, 3)] },
)
.with_proved(ProvedClaim::computes("'1' >= 8", [&["yes"], &["no"]], &["0", "1"]));

fn instance(protocol: FlockOfBirds) -> ProtocolInstance {
    ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
}

/// The variant of the protocol, by the way in which agents count sick agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SickCount {
    /// Two agents add their values: one takes the sum, the other 0.
    Sum,
    /// Of two agents on one level, one climbs to the next level.
    Tower,
    /// Two agents with equal powers of two: one takes the next power of two, the other 0.
    Powers,
}

/// Whether at least c agents are sick. A sick agent starts in state 1, any other agent in 0. State c answers yes and
/// converts every agent that it meets. Symmetric. Two agents below c interact in one of three ways:
///
/// - as a sum: i, j -> i+j, 0; if i+j >= c, then i, j -> c, c;
/// - as a tower: (i, i) -> (i, i+1) from i = 1 on;
/// - succinct, only for c = 2^e, with values that are powers of two: 2^i, 2^i -> 2^(i+1), 0.
///
/// Facts:
///
/// - **Source:** Angluin, Aspnes, Diamadi, Fischer, Peralta, Distributed Computing 18 (2006) (the sum, c = 5); Blondin,
///   Esparza, Jaax, "Large flocks of small birds: on the minimal size of population protocols", STACS 2018 (the tower,
///   powers of two).
/// - **Claim:** right from every input on the complete graph; the succinct form needs log2(c) + 2 states.
/// - **Oracle:** the predicate itself, for every input of small populations; in the sum and succinct forms the values
///   add up to the number of sick agents, if it is below c.
/// - **Odd cases:** with c or more sick agents, all agents end in state c, silently.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlockOfBirds {
    count: SickCount,
    threshold: u16,
}

impl FlockOfBirds {
    /// The largest threshold with which the protocol still fits in a table.
    pub const MAX_THRESHOLD: u16 = MAX_STATES as u16 - 1;

    /// The largest exponent of the succinct form.
    pub const MAX_EXPONENT: u16 = 15;

    /// Creates the form that adds values.
    ///
    /// # Errors
    ///
    /// The threshold is below 2 or above [`MAX_THRESHOLD`](Self::MAX_THRESHOLD).
    pub fn sum(threshold: u16) -> Result<Self, ParameterError> {
        let threshold = in_range("flock-of-birds", "c", threshold, 2, Self::MAX_THRESHOLD)?;
        Ok(Self { count: SickCount::Sum, threshold })
    }

    /// Creates the form in which agents climb a tower of levels.
    ///
    /// # Errors
    ///
    /// The errors of [`sum`](Self::sum).
    pub fn tower(threshold: u16) -> Result<Self, ParameterError> {
        Ok(Self { count: SickCount::Tower, ..Self::sum(threshold)? })
    }

    /// Creates the succinct form with the threshold 2^`exponent`, in which values are powers of two.
    ///
    /// # Errors
    ///
    /// The exponent is 0 or above [`MAX_EXPONENT`](Self::MAX_EXPONENT).
    pub fn succinct(exponent: u16) -> Result<Self, ParameterError> {
        let exponent = in_range("flock-of-birds-succinct", "e", exponent, 1, Self::MAX_EXPONENT)?;
        Ok(Self { count: SickCount::Powers, threshold: 1 << exponent })
    }

    /// Example initial counts: three fifths are well, rounded up, the rest are sick. One count per state; they sum to
    /// `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        three_fifths_at(agents, self.states().len(), [0, 1])
    }

    /// The new values of two agents whose values are below the threshold.
    fn below(self, i: u16, j: u16) -> (u16, u16) {
        match self.count {
            SickCount::Sum if i + j >= self.threshold => (self.threshold, self.threshold),
            SickCount::Sum if i > 0 && j > 0 => (i + j, 0),
            SickCount::Tower if i == j && i > 0 => (i, i + 1),
            SickCount::Powers if i == j && i > 0 => (2 * i, 0),
            _ => (i, j),
        }
    }
}

impl Protocol for FlockOfBirds {
    type State = u16;
    type Output = bool;

    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        if initiator == self.threshold || responder == self.threshold {
            return (self.threshold, self.threshold);
        }
        self.below(initiator, responder)
    }

    fn output(&self, state: u16) -> bool {
        state == self.threshold
    }
}

impl FiniteProtocol for FlockOfBirds {
    fn states(&self) -> Vec<u16> {
        match self.count {
            SickCount::Sum | SickCount::Tower => (0..=self.threshold).collect(),
            SickCount::Powers => {
                [0].into_iter().chain((0..=self.threshold.ilog2()).map(|exponent| 1 << exponent)).collect()
            }
        }
    }

    fn state_name(&self, state: u16) -> String {
        state.to_string()
    }

    fn output_name(&self, output: &bool) -> String {
        if *output { "yes" } else { "no" }.to_owned()
    }
}
