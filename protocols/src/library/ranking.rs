//! Silent self-stabilising ranking with as many states as agents.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use crate::protocol::{FiniteProtocol, Protocol};
use crate::table::MAX_STATES;

/// The catalogue entry of [`Ranking`].
pub(super) const ENTRY: ProtocolEntry =
    ProtocolEntry::new(
        "silent-ranking",
        "self-stabilising ranks of k agents: if two have the same rank, one takes the next",
        "0 to k-1",
        |values| {
            let protocol = Ranking { ranks: small(values[0]) };
            ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
        },
    )
    .with_parameters(
        const {
            &[whole(
                "k",
                "the number of ranks, equal to the number of agents",
                2,
                Ranking::MAX_RANKS as i64,
                10,
            )]
        },
    );

/// Of two agents of the same rank, the responder takes the next rank: (i, i) -> (i, i+1 mod k). The agent with rank 0
/// leads.
///
/// - **Source:** Cai, Izumi, Wada, "How to prove impossibility under global fairness: on space complexity of
///   self-stabilizing leader election on a population protocol model", Theory of Computing Systems 50 (2012).
/// - **Claim:** among k agents, from any start, each rank is finally taken by one agent, and then nothing changes.
///   Theta(k^3) interactions from the worst start; a silent leader election takes Omega(k^2) (Burman, Chen, Chen, Doty,
///   Nowak, Severson, Xu, PODC 2021).
/// - **Oracle:** from five agents of rank 0, 49.6198 interactions on average; from every start of small populations the
///   ranks end as a permutation with probability 1.
/// - **Odd cases:** with more agents than ranks the population never falls silent. With fewer agents than ranks it
///   falls silent with some ranks missing. If rank 0 is missing, there is no leader.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranking {
    ranks: u16,
}

impl Ranking {
    /// The maximum number of ranks that fit in a table.
    pub const MAX_RANKS: u16 = MAX_STATES as u16;

    /// Creates the protocol for `ranks` agents.
    ///
    /// # Errors
    ///
    /// Fewer than 2 or more than [`MAX_RANKS`](Self::MAX_RANKS).
    pub fn new(ranks: u16) -> Result<Self, ParameterError> {
        Ok(Self { ranks: in_range("silent-ranking", "k", ranks, 2, Self::MAX_RANKS)? })
    }

    /// Example initial counts: every agent has rank 0. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let mut counts = vec![0; self.ranks.into()];
        counts[0] = agents;
        counts
    }
}

impl Protocol for Ranking {
    type State = u16;
    type Output = bool;

    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        if initiator == responder {
            (initiator, (responder + 1) % self.ranks)
        } else {
            (initiator, responder)
        }
    }

    /// Whether the agent leads.
    fn output(&self, state: u16) -> bool {
        state == 0
    }
}

impl FiniteProtocol for Ranking {
    fn states(&self) -> Vec<u16> {
        (0..self.ranks).collect()
    }

    fn state_name(&self, state: u16) -> String {
        state.to_string()
    }

    fn output_name(&self, output: &bool) -> String {
        if *output { "leader" } else { "follower" }.to_owned()
    }
}
