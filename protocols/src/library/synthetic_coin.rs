//! A coin from the randomness of interactions.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`SyntheticCoin`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "synthetic-coin",
    "each agent toggles a bit in each interaction, which its partners use as a random coin",
    "0, 1",
    |_| ProtocolInstance::of(&SyntheticCoin, |agents| SyntheticCoin.initial_counts(agents)),
)
.with_proved(ProvedClaim::eventually("'1' mod 2 = 0", &["0"]));

/// Both agents toggle their bit. An agent that needs a coin reads the bit of the partner.
///
/// - **Source:** Alistarh, Aspnes, Eisenstat, Gelashvili, Rivest, "Time-space trade-offs in population protocols",
///   SODA 2017.
/// - **Claim:** from all bits 0, a bit is 1 after t interactions with probability (1 - (1 - 4/n)^t) / 2 on average over
///   the agents. So the coin is nearly fair after O(n) interactions.
/// - **Oracle:** the formula, exactly.
/// - **Odd cases:** the parity of the number of ones never changes; with 2 agents the two bits are always equal if they
///   are equal at the start.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SyntheticCoin;

impl SyntheticCoin {
    /// Example initial counts: all bits 0, the worst start for the coin. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        vec![agents, 0]
    }
}

impl Protocol for SyntheticCoin {
    type State = bool;
    type Output = bool;

    fn transition(&self, initiator: bool, responder: bool) -> (bool, bool) {
        (!initiator, !responder)
    }

    fn output(&self, state: bool) -> bool {
        state
    }
}

impl FiniteProtocol for SyntheticCoin {
    fn states(&self) -> Vec<bool> {
        vec![false, true]
    }

    fn state_name(&self, state: bool) -> String {
        u8::from(state).to_string()
    }

    fn output_name(&self, output: &bool) -> String {
        self.state_name(*output)
    }
}
