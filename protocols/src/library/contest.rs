//! Leader election by comparing values.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, in_range, small, whole};
use super::fratricide::LeaderRole;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`Contest`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "competing-values",
    "leader election: contenders count their meetings, and the lower value gives up",
    "L0 to Lm, F0 to Fm",
    |values| {
        let protocol = Contest { largest: small(values[0]) };
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents))
    },
)
.with_parameters(const { &[whole("m", "the largest value", 1, Contest::MAX_LARGEST as i64, 100)] });

/// The state of an agent of [`Contest`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rival {
    /// A leader contends; a follower passes on the largest value that it has heard of.
    pub role: LeaderRole,
    /// A contender's own value; for a follower, the largest value that it has heard of.
    pub value: u16,
}

/// Values are compared as they are before the interaction. A contender whose value is below the other agent's becomes a
/// follower and takes that value. Other contenders add 1 to theirs, up to m. Of two contenders at m, the responder
/// gives up. Followers take the larger value.
///
/// - **Source:** after Alistarh, Gelashvili, "Polylogarithmic-time leader election in population protocols", ICALP
///   2015. The abstract confirms the rules in outline. Ties, the cap m, and the bound (O(log^3 n) parallel time with
///   O(log^3 n) states) were not confirmed.
/// - **Claim:** one leader with probability 1 on the complete graph.
/// - **Oracle:** some contender always has the largest value, so at least one is left; the number of contenders never
///   rises. With m = 1 and from values 1 it is [`Fratricide`](super::Fratricide).
/// - **Odd cases:** the largest value rises to m even after the election, so the population falls silent late.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contest {
    largest: u16,
}

impl Contest {
    /// The largest value with which the protocol still fits in a table.
    pub const MAX_LARGEST: u16 = 2047;

    /// Creates the protocol with values from 0 to `largest`. Above [`MAX_LARGEST`](Self::MAX_LARGEST) the protocol has
    /// no table; [`lazy`](crate::lazy) runs it, and discovers its states.
    ///
    /// # Errors
    ///
    /// `largest` is 0.
    pub fn new(largest: u16) -> Result<Self, ParameterError> {
        Ok(Self { largest: in_range("competing-values", "m", largest, 1, u16::MAX)? })
    }

    /// Example initial counts: every agent contends with value 0. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        let mut counts = vec![0; 2 * (usize::from(self.largest) + 1)];
        counts[0] = agents;
        counts
    }

    /// The initial state of every agent.
    #[must_use]
    pub fn start(&self) -> Rival {
        Rival { role: LeaderRole::Leader, value: 0 }
    }

    /// The state of `own` after it meets `other`.
    fn after(self, own: Rival, other: Rival) -> Rival {
        if own.value < other.value {
            return Rival { role: LeaderRole::Follower, value: other.value };
        }
        match own.role {
            LeaderRole::Leader => Rival { value: self.largest.min(own.value.saturating_add(1)), ..own },
            LeaderRole::Follower => own,
        }
    }
}

impl Protocol for Contest {
    type State = Rival;
    type Output = LeaderRole;

    fn transition(&self, initiator: Rival, responder: Rival) -> (Rival, Rival) {
        let top = Rival { role: LeaderRole::Leader, value: self.largest };
        if initiator == top && responder == top {
            return (top, Rival { role: LeaderRole::Follower, ..top });
        }
        (self.after(initiator, responder), self.after(responder, initiator))
    }

    fn output(&self, state: Rival) -> LeaderRole {
        state.role
    }
}

impl FiniteProtocol for Contest {
    fn states(&self) -> Vec<Rival> {
        let of = |role| (0..=self.largest).map(move |value| Rival { role, value });
        of(LeaderRole::Leader).chain(of(LeaderRole::Follower)).collect()
    }

    fn state_name(&self, state: Rival) -> String {
        format!("{}{}", state.role.letter(), state.value)
    }

    fn output_name(&self, output: &LeaderRole) -> String {
        output.letter().to_owned()
    }
}
