//! Size estimation by the maximum of geometric random numbers.

use acrasin_catalogue::parameter::ParameterError;
use acrasin_runtime::choice::Choices;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use crate::protocol::{FiniteProtocol, Protocol, WeightedOutcomes, draw};

/// The catalogue entry of [`SizeEstimation`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "size-estimation",
    "all agents toss coins until tails; the largest number of tosses, about log2 n, spreads",
    "t1 to tm (tossing), 1 to m",
    |values| {
        let protocol = SizeEstimation { largest: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(
    const { &[whole("m", "the largest number of tosses", 2, SizeEstimation::MAX_LARGEST as i64, 40)] },
);

/// The state of an agent of [`SizeEstimation`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Estimate {
    /// The agent is still tossing; the number of its next toss, from 1.
    Tossing(u16),
    /// The agent has finished; the largest number of tosses that it knows.
    Known(u16),
}

/// Each agent draws G with P(G = g) = 2^-g, by one toss in each of its first interactions. After heads the agent
/// continues; after tails G is the number of its tosses, at most `largest`. When two agents that have finished meet,
/// both take the larger value.
///
/// - **Source:** folklore: Flajolet, Martin, "Probabilistic counting algorithms for data base applications", J.
///   Computer and System Sciences 31 (1985); in population protocols Alistarh, Aspnes, Eisenstat, Gelashvili, Rivest,
///   SODA 2017; with changing populations Kaaser, Lohmann, PODC 2024.
/// - **Claim:** P(all agree on at most g in the end) = (1 - 2^-g)^n for g < `largest`; the mean is the sum over g of 1
///   - (1 - 2^-g)^n, about log2 n + 1.3327.
/// - **Oracle:** the distribution; means of 7.9838 for n = 100, 14.6205 for n = 10^4, 21.2643 for n = 10^6.
/// - **Odd cases:** if `largest` is too small, the estimate stays below log2 n.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeEstimation {
    largest: u16,
}

impl SizeEstimation {
    /// The largest accepted cap. No population has 2^64 agents, so a larger cap would not be used. With this cap the
    /// outcomes of all pairs fit in a table.
    pub const MAX_LARGEST: u16 = 64;

    /// Creates the protocol with estimates up to `largest`.
    ///
    /// # Errors
    ///
    /// `largest` is below 2 or above [`MAX_LARGEST`](Self::MAX_LARGEST).
    pub fn new(largest: u16) -> Result<Self, ParameterError> {
        Ok(Self { largest: in_range("size-estimation", "m", largest, 2, Self::MAX_LARGEST)? })
    }

    /// Example initial counts: no agent has tossed. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let mut counts = vec![0; 2 * usize::from(self.largest)];
        counts[0] = agents;
        counts
    }

    /// The states after a toss: heads first, then tails. An agent that has finished keeps its state.
    fn toss(self, estimate: Estimate) -> Vec<Estimate> {
        match estimate {
            Estimate::Tossing(toss) if toss < self.largest => {
                vec![Estimate::Tossing(toss + 1), Estimate::Known(toss)]
            }
            Estimate::Tossing(toss) => vec![Estimate::Known(toss)],
            Estimate::Known(_) => vec![estimate],
        }
    }
}

impl Protocol for SizeEstimation {
    type State = Estimate;
    type Output = Option<u16>;

    /// The outcome in which every tossing agent gets tails.
    fn transition(&self, initiator: Estimate, responder: Estimate) -> (Estimate, Estimate) {
        if let (Estimate::Known(g), Estimate::Known(h)) = (initiator, responder) {
            return (Estimate::Known(g.max(h)), Estimate::Known(g.max(h)));
        }
        let tails = |estimate| *self.toss(estimate).last().expect("a toss has an outcome");
        (tails(initiator), tails(responder))
    }

    fn output(&self, state: Estimate) -> Option<u16> {
        match state {
            Estimate::Tossing(_) => None,
            Estimate::Known(largest) => Some(largest),
        }
    }

    fn outcomes(&self, initiator: Estimate, responder: Estimate) -> WeightedOutcomes<Estimate> {
        if let (Estimate::Known(_), Estimate::Known(_)) = (initiator, responder) {
            return vec![(1, self.transition(initiator, responder))];
        }
        let responders = self.toss(responder);
        let with = |first| responders.iter().map(move |&second| (1, (first, second)));
        self.toss(initiator).into_iter().flat_map(with).collect()
    }

    fn interact(
        &self,
        initiator: Estimate,
        responder: Estimate,
        choices: &mut dyn Choices,
    ) -> (Estimate, Estimate) {
        draw(&self.outcomes(initiator, responder), choices)
    }
}

impl FiniteProtocol for SizeEstimation {
    fn states(&self) -> Vec<Estimate> {
        (1..=self.largest).map(Estimate::Tossing).chain((1..=self.largest).map(Estimate::Known)).collect()
    }

    fn state_name(&self, state: Estimate) -> String {
        match state {
            Estimate::Tossing(toss) => format!("t{toss}"),
            Estimate::Known(largest) => largest.to_string(),
        }
    }

    fn output_name(&self, output: &Option<u16>) -> String {
        output.map_or_else(|| "none".to_owned(), |largest| largest.to_string())
    }
}
