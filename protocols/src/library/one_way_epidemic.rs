//! The one-way epidemic: an infected initiator infects the responder.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`OneWayEpidemic`].
pub(super) const ENTRY: ProtocolEntry =
    ProtocolEntry::new("one-way-epidemic", "an infected initiator infects the responder", "S, I", |_| {
        ProtocolInstance::of(&OneWayEpidemic, |agents| OneWayEpidemic.initial_counts(agents))
    })
    .with_proved(ProvedClaim::eventually("S = 0", &["S", "I"]).given("I >= 1"));

/// The health of an agent: whether it has caught the epidemic. `Susceptible` is the smaller value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Health {
    /// The epidemic has not reached the agent.
    Susceptible,
    /// The epidemic has reached the agent, which stays infected.
    Infected,
}

impl Health {
    pub(super) const ALL: [Self; 2] = [Self::Susceptible, Self::Infected];

    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Susceptible => "S",
            Self::Infected => "I",
        }
    }

    /// Counts with one infected agent and all others susceptible.
    pub(super) fn outbreak(agents: u64) -> Vec<u64> {
        let infected = agents.min(1);
        vec![agents - infected, infected]
    }
}

/// Information that an initiator passes on: (I, S) -> (I, I). Nothing else changes.
///
/// - **Source:** Angluin, Aspnes, Eisenstat, "Fast computation by population protocols with a leader", DISC 2006.
/// - **Claim:** from one infected agent, every agent is infected after 2(n-1) H_{n-1} interactions on average. The
///   variance is the sum over i in 1..n of (1 - p_i) / p_i^2, where p_i = i (n-i) / (n (n-1)).
/// - **Oracle:** the two formulas; the number of infected agents never falls. Without an infected agent nothing
///   ever happens.
/// - **Group:** the holder of the lock infects every agent of its lock set if it is infected itself; otherwise nothing
///   changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OneWayEpidemic;

impl OneWayEpidemic {
    /// Example initial counts: one infected agent. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        Health::outbreak(agents)
    }
}

impl Protocol for OneWayEpidemic {
    type State = Health;
    type Output = Health;

    fn transition(&self, initiator: Health, responder: Health) -> (Health, Health) {
        (initiator, responder.max(initiator))
    }

    fn output(&self, state: Health) -> Health {
        state
    }
}

impl FiniteProtocol for OneWayEpidemic {
    fn states(&self) -> Vec<Health> {
        Health::ALL.to_vec()
    }

    fn state_name(&self, state: Health) -> String {
        state.letter().to_owned()
    }

    fn output_name(&self, output: &Health) -> String {
        output.letter().to_owned()
    }
}
