//! What an amoebot remembers.

use super::election::Agent;
use super::spot::Spot;
use crate::model::body::Port;

/// No amoebot holds more complaints.
pub const COMPLAINTS_MAX: u8 = 2;

/// What an amoebot is at present.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// Not part of a tree yet.
    Inactive,
    /// Follows its parent, or is about to settle.
    Follower,
    /// In the first layer.
    Root,
    /// Above retired ones.
    Walker,
    /// At rest, and it knows where.
    Retired(Spot, Mark),
}

/// Whether the next layer begins above an amoebot that is retired.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// No.
    None,
    /// Yes.
    Marker,
    /// Yes, and it is the leader.
    Leader,
}

/// What a root knows of those outside that could follow it into the first layer, or those behind it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Crowd {
    /// An amoebot is there, or may be.
    Somebody,
    /// No amoebot is there.
    Nobody,
    /// It has expanded to the next node. The one ahead need not know yet.
    Arriving,
}

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory {
    /// What the amoebot is.
    pub state: State,
    /// The port to the one it follows.
    pub parent: Option<Port>,
    /// How many complaints it holds.
    pub complaints: u8,
    /// What a root knows of those who could follow it in.
    pub behind: Crowd,
    /// Its part in the election.
    pub agent: Agent,
}

impl Memory {
    pub(super) const START: Self = Self {
        state: State::Inactive,
        parent: None,
        complaints: 0,
        behind: Crowd::Somebody,
        agent: Agent::NEW,
    };

    /// At rest, with nothing else to remember.
    pub(super) const fn retired(place: Spot, mark: Mark) -> Self {
        Self { state: State::Retired(place, mark), ..Self::START }
    }

    /// Whether it is at rest.
    #[must_use]
    pub const fn is_retired(&self) -> bool {
        matches!(self.state, State::Retired(..))
    }

    /// Pulled by an amoebot, whose head is there then.
    pub(super) fn pulled(self, parent: Port) -> Self {
        Self { parent: Some(parent), agent: self.agent.displaced(), ..self }
    }

    /// Contracted after a movement. Only followers keep their parent.
    pub(super) fn contracted(self) -> Self {
        let parent = self.parent.filter(|_| self.state == State::Follower);
        let behind = if self.behind == Crowd::Arriving { Crowd::Somebody } else { self.behind };
        Self { parent, behind, ..self }
    }
}
