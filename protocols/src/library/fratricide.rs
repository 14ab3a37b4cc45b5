//! Leader election by fratricide.

use super::entry::{Entry, Instance};
use crate::protocol::{FiniteProtocol, Protocol};

/// The entry of the catalogue.
pub(super) const ENTRY: Entry = Entry::new(
    "fratricide",
    "leader election on complete graphs: of two leaders, the responder gives up",
    "L, F",
    |_| Instance::of(&Fratricide, |agents| Fratricide.initial_counts(agents)),
);

/// Whether an agent still claims to lead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Claims to lead.
    Leader,
    /// Gave up, forever.
    Follower,
}

impl Role {
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Leader => "L",
            Self::Follower => "F",
        }
    }
}

/// Of two leaders that meet, the responder gives up: (L, L) -> (L, F). Nothing else changes.
///
/// - **Source:** Angluin, Aspnes, Diamadi, Fischer, Peralta, Distributed Computing 18 (2006). Linear parallel time
///   is the best that a fixed number of states allows (Doty, Soloveichik, DISC 2015).
/// - **Claim:** from l leaders, one is left after n (n-1) (1 - 1/l) interactions on average; from all leaders after
///   (n-1)^2, with variance n^2 (n-1)^2 sum over l in 2..=n of 1 / (l (l-1))^2, minus (n-1)^2.
/// - **Oracle:** the formulas; the number of leaders never rises and never reaches 0.
/// - **Odd cases:** on a graph that is not complete, leaders that are not neighbours all stay: the protocol elects
///   one leader on complete graphs only. Without a leader at the start there never is one.
/// - **Group:** the holder of the lock, if it leads, makes followers of all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fratricide;

impl Fratricide {
    /// Example initial counts: every agent leads. One count per state, in the order of
    /// [`states`](FiniteProtocol::states); they sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        vec![agents, 0]
    }
}

impl Protocol for Fratricide {
    type State = Role;
    type Output = Role;

    fn transition(&self, initiator: Role, responder: Role) -> (Role, Role) {
        match (initiator, responder) {
            (Role::Leader, Role::Leader) => (Role::Leader, Role::Follower),
            unchanged => unchanged,
        }
    }

    fn output(&self, state: Role) -> Role {
        state
    }
}

impl FiniteProtocol for Fratricide {
    fn states(&self) -> Vec<Role> {
        vec![Role::Leader, Role::Follower]
    }

    fn state_name(&self, state: Role) -> String {
        state.letter().to_owned()
    }

    fn output_name(&self, output: &Role) -> String {
        output.letter().to_owned()
    }
}
