//! The voter model: the responder adopts the colour of the initiator.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, spread, whole};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};
use crate::table::MAX_STATES;

/// The catalogue entry of [`Voter`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "voter",
    "the responder takes over the colour of the initiator",
    "0 to k-1",
    |values| {
        let protocol = Voter { colours: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("k", "how many colours", 2, Voter::MAX_COLOURS as i64, 2)] })
.with_proved(ProvedClaim::eventually("'0' = n or '1' = n", &["0", "1"]));

/// The responder adopts the colour of the initiator: (x, y) -> (x, x).
///
/// - **Source:** Clifford, Sudbury, "A model for spatial conflict", Biometrika 60 (1973); Hassin, Peleg,
///   "Distributed probabilistic polling", Information and Computation 171 (2001).
/// - **Claim:** a colour of c agents wins with probability c / n. Let `a` agents have the first of two colours. All
///   agree after `(n-1) (S + T)` interactions on average. S is the sum of `(n-a)/(n-j)` over j in `1..=a`, T the sum of
///   `a/j` over j in `a+1..n`.
/// - **Oracle:** the two formulas.
/// - **Odd cases:** a colour that no agent has never returns. On a graph that is not regular the probability of winning
///   is not c / n, but depends on the degrees.
/// - **Group:** the holder of the lock gives its colour to every agent of its lock set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Voter {
    colours: u16,
}

impl Voter {
    /// The maximum number of colours that fit in a table.
    pub const MAX_COLOURS: u16 = MAX_STATES as u16;

    /// Creates the protocol with this number of colours.
    ///
    /// # Errors
    ///
    /// Fewer than 2 colours, or more than [`MAX_COLOURS`](Self::MAX_COLOURS).
    pub fn new(colours: u16) -> Result<Self, ParameterError> {
        Ok(Self { colours: in_range("voter", "k", colours, 2, Self::MAX_COLOURS)? })
    }

    /// Example initial counts: an equal number of agents for each colour; the first colours get one agent more if there
    /// is a remainder. One count per colour; they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        spread(agents, self.colours.into(), 0..self.colours.into())
    }
}

impl Protocol for Voter {
    type State = u16;
    type Output = u16;

    fn transition(&self, initiator: u16, _responder: u16) -> (u16, u16) {
        (initiator, initiator)
    }

    fn output(&self, state: u16) -> u16 {
        state
    }
}

impl FiniteProtocol for Voter {
    fn states(&self) -> Vec<u16> {
        (0..self.colours).collect()
    }

    fn state_name(&self, state: u16) -> String {
        state.to_string()
    }

    fn output_name(&self, output: &u16) -> String {
        output.to_string()
    }
}
