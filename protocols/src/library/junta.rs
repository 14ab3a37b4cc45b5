//! Election of a junta: the few agents that reach the highest level.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`Junta`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "junta",
    "agents climb while they meet agents on their level or above; the highest are a junta",
    "a0 to al (active), s0 to sl (stopped)",
    |values| {
        let protocol = Junta { top: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("l", "the highest level", 1, Junta::MAX_TOP as i64, 12)] })
.with_proved(ProvedClaim::eventually(
    "a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 = 0",
    &["a0"],
));

/// The state of an agent of [`Junta`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Climber {
    /// Whether the agent still climbs.
    pub is_active: bool,
    /// The level that the agent has reached.
    pub level: u16,
}

impl Climber {
    /// Level 0, active: how every agent starts.
    pub const START: Self = Self { is_active: true, level: 0 };
}

/// Active agents climb as initiators. On level 0: of two active agents, the initiator goes to level 1 and the responder
/// becomes inactive on level 0. An active agent on level 0 that meets any other agent becomes inactive. An active agent
/// on level i > 0 goes to level i+1 if it meets an agent on level i or above. If it meets an agent on a lower level, it
/// becomes inactive. On the highest level l every agent is inactive. The junta is the set of agents on the highest
/// level that is reached.
///
/// - **Source:** Gąsieniec, Stachowiak, "Fast space optimal leader election in population protocols", SODA 2018. Above
///   level 0 only the initiator changes: this is our reading of the paper, which was not confirmed.
/// - **Claim:** O(n log n) interactions; the highest level is log2 log2 n + O(1), and O(sqrt(n log n)) agents reach it,
///   with high probability.
/// - **Oracle:** at most half of the agents leave level 0; the population falls silent without active agents; levels
///   and junta sizes for 10^3 to 10^5 agents.
/// - **Odd cases:** for each level, the number of agents at or above it never falls.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Junta {
    top: u16,
}

impl Junta {
    /// The largest accepted top level. In practice no agent climbs that high.
    pub const MAX_TOP: u16 = 100;

    /// Creates the protocol with levels from 0 to `top`.
    ///
    /// # Errors
    ///
    /// `top` is 0 or above [`MAX_TOP`](Self::MAX_TOP).
    pub fn new(top: u16) -> Result<Self, ParameterError> {
        Ok(Self { top: in_range("junta", "l", top, 1, Self::MAX_TOP)? })
    }

    /// Example initial counts: every agent is active on level 0. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let mut counts = vec![0; 2 * (usize::from(self.top) + 1)];
        counts[0] = agents;
        counts
    }

    fn climbed(self, climber: Climber) -> Climber {
        let level = climber.level + 1;
        Climber { is_active: level < self.top, level }
    }
}

impl Protocol for Junta {
    type State = Climber;
    type Output = u16;

    fn transition(&self, initiator: Climber, responder: Climber) -> (Climber, Climber) {
        let stopped = |climber| Climber { is_active: false, ..climber };
        if !initiator.is_active {
            return (initiator, responder);
        }
        match (initiator.level, responder) {
            (0, Climber::START) => (self.climbed(initiator), stopped(responder)),
            (level, _) if level > 0 && responder.level >= level && level < self.top => {
                (self.climbed(initiator), responder)
            }
            _ => (stopped(initiator), responder),
        }
    }

    fn output(&self, state: Climber) -> u16 {
        state.level
    }
}

impl FiniteProtocol for Junta {
    fn states(&self) -> Vec<Climber> {
        let of = |is_active| (0..=self.top).map(move |level| Climber { is_active, level });
        of(true).chain(of(false)).collect()
    }

    fn state_name(&self, state: Climber) -> String {
        format!("{}{}", if state.is_active { 'a' } else { 's' }, state.level)
    }

    fn output_name(&self, output: &u16) -> String {
        output.to_string()
    }
}
