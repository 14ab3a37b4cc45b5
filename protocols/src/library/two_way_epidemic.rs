//! The two-way epidemic: of two agents that meet, an infected one infects the other.

use super::entry::{ProtocolEntry, ProtocolInstance};
use super::proved::ProvedClaim;
use acrasin_runtime::choice::Choices;

use super::one_way_epidemic::Health;
use crate::group::{GroupRule, take_maximum};
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`TwoWayEpidemic`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "two-way-epidemic",
    "both agents take the maximum: one infected agent is enough to infect all",
    "S, I",
    |_| ProtocolInstance::of(&TwoWayEpidemic, |agents| TwoWayEpidemic.initial_counts(agents)),
)
.with_proved(ProvedClaim::eventually("S = 0", &["S", "I"]).given("I >= 1"));

/// Information that passes both ways: I, S -> I, I, symmetric. Both take the maximum.
///
/// - **Source:** Angluin, Aspnes, Eisenstat, "Fast computation by population protocols with a leader", DISC 2006.
/// - **Claim:** from one infected agent, every agent is infected after (n-1) H_{n-1} interactions on average: twice
///   as fast as one-way.
/// - **Oracle:** the formula; the number of infected agents never falls. On any connected graph all agents are finally
///   infected if one agent was infected at the start.
/// - **Group:** every agent of the lock set takes the maximum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TwoWayEpidemic;

impl TwoWayEpidemic {
    /// Example initial counts: one infected agent. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        Health::outbreak(agents)
    }
}

impl Protocol for TwoWayEpidemic {
    type State = Health;
    type Output = Health;

    fn transition(&self, initiator: Health, responder: Health) -> (Health, Health) {
        let both = initiator.max(responder);
        (both, both)
    }

    fn output(&self, state: Health) -> Health {
        state
    }

    fn group(&self, own: &mut Health, others: &mut [Health], _choices: &mut dyn Choices) {
        take_maximum(own, others);
    }
}

impl FiniteProtocol for TwoWayEpidemic {
    fn states(&self) -> Vec<Health> {
        Health::ALL.to_vec()
    }

    fn state_name(&self, state: Health) -> String {
        state.letter().to_owned()
    }

    fn output_name(&self, output: &Health) -> String {
        output.letter().to_owned()
    }

    fn group_rule(&self) -> GroupRule {
        GroupRule::Maximum
    }
}
