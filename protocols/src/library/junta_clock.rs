//! A phase clock driven by a junta.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use super::leader_clock::is_ahead;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`JuntaClock`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "junta-clock",
    "phase clock: both agents take the later phase, members of a junta one phase more",
    "J0 to J(m-1) (junta), F0 to F(m-1)",
    |values| {
        let protocol = JuntaClock { phases: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("m", "the number of phases", 4, JuntaClock::MAX_PHASES as i64, 128)] });

/// The state of an agent that follows a phase clock driven by a junta.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Paced {
    /// Whether the agent is in the junta that drives the clock.
    pub is_member: bool,
    /// The agent's phase of the clock.
    pub phase: u16,
}

/// Phases 0 to m-1 in a circle. Only the responder changes. It takes the later of the initiator's phase x and its own
/// phase y; a member of the junta takes the later of x and y+1. A phase is later than another if it is ahead by at most
/// half of the circle.
///
/// - **Source:** Gąsieniec, Stachowiak, "Fast space optimal leader election in population protocols", SODA 2018. The
///   constants of the paper were not confirmed.
/// - **Claim:** let the junta have n^(1 - epsilon) agents, and m be a suitable constant. With high probability, one
///   round of m phases takes Theta(n log n) interactions, and all agents stay within half of the circle.
/// - **Oracle:** all phases lie in one half of the circle while the clock runs; without a junta the clock stops when
///   all phases are equal; no agent joins or leaves the junta.
/// - **Odd cases:** if the junta is a constant fraction of the agents, the phases drift apart.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JuntaClock {
    phases: u16,
}

impl JuntaClock {
    /// The maximum number of phases that fit in a table.
    pub const MAX_PHASES: u16 = 2048;

    /// Creates a clock with this number of phases.
    ///
    /// # Errors
    ///
    /// Fewer than 4, or more than [`MAX_PHASES`](Self::MAX_PHASES).
    pub fn new(phases: u16) -> Result<Self, ParameterError> {
        Ok(Self { phases: in_range("junta-clock", "m", phases, 4, Self::MAX_PHASES)? })
    }

    /// Example initial counts: a junta of the square root of the agents, rounded down; every agent in phase 0. They sum
    /// to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let phases = usize::from(self.phases);
        let mut counts = vec![0; 2 * phases];
        counts[0] = agents.isqrt();
        counts[phases] = agents - counts[0];
        counts
    }

    /// The phase of a responder after an interaction.
    pub(super) fn next(self, initiator: u16, responder: Paced) -> u16 {
        let own = (responder.phase + u16::from(responder.is_member)) % self.phases;
        if is_ahead(initiator, own, self.phases) { initiator } else { own }
    }
}

impl Protocol for JuntaClock {
    type State = Paced;
    type Output = u16;

    fn transition(&self, initiator: Paced, responder: Paced) -> (Paced, Paced) {
        (initiator, Paced { phase: self.next(initiator.phase, responder), ..responder })
    }

    fn output(&self, state: Paced) -> u16 {
        state.phase
    }
}

impl FiniteProtocol for JuntaClock {
    fn states(&self) -> Vec<Paced> {
        let of = |is_member| (0..self.phases).map(move |phase| Paced { is_member, phase });
        of(true).chain(of(false)).collect()
    }

    fn state_name(&self, state: Paced) -> String {
        format!("{}{}", if state.is_member { 'J' } else { 'F' }, state.phase)
    }

    fn output_name(&self, output: &u16) -> String {
        output.to_string()
    }
}
