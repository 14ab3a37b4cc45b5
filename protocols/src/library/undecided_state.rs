//! Undecided-state dynamics of k opinions.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, spread, whole};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};
use crate::table::MAX_STATES;

const OPINIONS: &[acrasin_catalogue::parameter::Parameter] =
    &[whole("k", "how many opinions", 2, UndecidedState::MAX_OPINIONS as i64, 3)];

/// The catalogue entry of the one-way variant.
pub(super) const ONE_WAY: ProtocolEntry = ProtocolEntry::new(
    "undecided-state",
    "an agent that hears another opinion becomes undecided, then adopts the next opinion: k opinions, one-way",
    "0 to k-1, U",
    |values| instance(UndecidedState { opinions: small(values[0]), both_change: false }),
)
.with_parameters(OPINIONS)
.with_proved(ProvedClaim::eventually("'0' = n or '1' = n or '2' = n", &["0", "1", "2"]));

/// The catalogue entry of the two-way variant.
pub(super) const TWO_WAY: ProtocolEntry = ProtocolEntry::new(
    "undecided-state-two-way",
    "two agents of different opinions both become undecided; undecided agents adopt the next opinion: k opinions",
    "0 to k-1, U",
    |values| instance(UndecidedState { opinions: small(values[0]), both_change: true }),
)
.with_parameters(OPINIONS)
.with_proved(ProvedClaim::eventually("'0' = n or '1' = n or '2' = n or U = n", &["0", "1", "2"]));

fn instance(protocol: UndecidedState) -> ProtocolInstance {
    ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
}

/// Agents with different opinions become undecided, and undecided agents adopt an opinion. One-way, only the responder
/// changes: (i, j) -> (i, U) for i /= j, (i, U) -> (i, i). Two-way, both agents change: i, j -> U, U; i, U -> i, i;
/// symmetric. `None` is U.
///
/// - **Source:** Angluin, Aspnes, Eisenstat, Distributed Computing 21 (2008) for two opinions; Becchetti, Clementi,
///   Natale, Pasquale, Silvestri, "Plurality consensus in the gossip model", SODA 2015; Amir, Aspnes, Berenbrink,
///   Biermeier, Hahn, Kaaser, Lazarsfeld, "Fast convergence of k-opinion undecided state dynamics in the population
///   protocol model", PODC 2023.
/// - **Claim:** O(k n log n) interactions; the largest opinion wins if it leads by enough. The constants of the paper
///   were not confirmed.
/// - **Oracle:** with two opinions the tables of [`ApproximateMajorityOneWay`](super::ApproximateMajorityOneWay) and
///   [`ApproximateMajority`](super::ApproximateMajority); opinions with equal counts win equally often; an opinion that
///   no agent has never returns.
/// - **Odd cases:** the two-way form can end with every agent undecided; the one-way form cannot.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UndecidedState {
    opinions: u16,
    both_change: bool,
}

impl UndecidedState {
    /// The maximum number of opinions that fit in a table.
    pub const MAX_OPINIONS: u16 = MAX_STATES as u16 - 1;

    /// The form in which only the responder changes.
    ///
    /// # Errors
    ///
    /// Fewer than 2 opinions, or more than [`MAX_OPINIONS`](Self::MAX_OPINIONS).
    pub fn one_way(opinions: u16) -> Result<Self, ParameterError> {
        let opinions = in_range("undecided-state", "k", opinions, 2, Self::MAX_OPINIONS)?;
        Ok(Self { opinions, both_change: false })
    }

    /// The form in which both agents change.
    ///
    /// # Errors
    ///
    /// The errors of [`one_way`](Self::one_way).
    pub fn two_way(opinions: u16) -> Result<Self, ParameterError> {
        Ok(Self { both_change: true, ..Self::one_way(opinions)? })
    }

    /// Example initial counts: an equal number of agents for each opinion; the first opinions get one agent more if
    /// there is a remainder. One count per state; they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        spread(agents, usize::from(self.opinions) + 1, 0..self.opinions.into())
    }
}

impl Protocol for UndecidedState {
    type State = Option<u16>;
    type Output = Option<u16>;

    fn transition(&self, initiator: Option<u16>, responder: Option<u16>) -> (Option<u16>, Option<u16>) {
        match (initiator, responder) {
            (Some(i), Some(j)) if i != j => (initiator.filter(|_| !self.both_change), None),
            (Some(_), None) => (initiator, initiator),
            (None, Some(_)) if self.both_change => (responder, responder),
            unchanged => unchanged,
        }
    }

    fn output(&self, state: Option<u16>) -> Option<u16> {
        state
    }
}

impl FiniteProtocol for UndecidedState {
    fn states(&self) -> Vec<Option<u16>> {
        (0..self.opinions).map(Some).chain([None]).collect()
    }

    fn state_name(&self, state: Option<u16>) -> String {
        state.map_or_else(|| "U".to_owned(), |opinion| opinion.to_string())
    }

    fn output_name(&self, output: &Option<u16>) -> String {
        self.state_name(*output)
    }
}
