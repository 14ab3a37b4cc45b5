//! The memory of an amoebot.

use super::election::ElectionAgent;
use super::spot::LayerPlace;
use crate::model::body::AmoebotPort;

/// The maximum number of complaints that an amoebot holds.
pub const COMPLAINTS_MAX: u8 = 2;

/// The state of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// The amoebot is not part of a tree yet.
    Inactive,
    /// The amoebot follows its parent, or is about to settle.
    Follower,
    /// The amoebot is in the first layer, next to the object.
    Root,
    /// The amoebot is in a later layer, above retired amoebots.
    Walker,
    /// The amoebot is at rest permanently: its place in the layers, and its mark.
    Retired(LayerPlace, LayerMark),
}

acrasin_runtime::pack_variants!(State { Inactive, Follower, Root, Walker, Retired(place, mark) });

/// Whether the next layer begins above a retired amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayerMark {
    /// The next layer does not begin above this amoebot.
    None,
    /// The next layer begins above this amoebot.
    Marker,
    /// The next layer begins above this amoebot, which is the leader.
    Leader,
}

acrasin_runtime::pack_variants!(LayerMark { None, Marker, Leader });

/// Whether a root knows of an amoebot that is not yet in the first layer and could enter it. Such an amoebot is next to
/// this root, or next to a root behind it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CrowdBehind {
    /// There is such an amoebot, or there may be one.
    Present,
    /// There is no such amoebot.
    Absent,
    /// Such an amoebot has expanded to the next node. The root ahead of it may not know yet.
    Arriving,
}

acrasin_runtime::pack_variants!(CrowdBehind { Present, Absent, Arriving });

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory {
    /// The state of the amoebot.
    pub state: State,
    /// The port to the parent, which the amoebot follows; `None` without a parent.
    pub parent: Option<AmoebotPort>,
    /// The number of complaints that the amoebot holds.
    pub complaints: u8,
    /// A root's knowledge of amoebots that could follow into the first layer.
    pub behind: CrowdBehind,
    /// The data of the election.
    pub agent: ElectionAgent,
}

acrasin_runtime::pack_fields!(Memory { state, parent, complaints, behind, agent });

impl Memory {
    pub(super) const START: Self = Self {
        state: State::Inactive,
        parent: None,
        complaints: 0,
        behind: CrowdBehind::Present,
        agent: ElectionAgent::NEW,
    };

    /// The memory of an amoebot that retires at this place; all other variables are reset.
    pub(super) const fn retired(place: LayerPlace, mark: LayerMark) -> Self {
        Self { state: State::Retired(place, mark), ..Self::START }
    }

    /// Whether the amoebot has retired.
    #[must_use]
    pub const fn is_retired(&self) -> bool {
        matches!(self.state, State::Retired(..))
    }

    /// The memory after being pulled by an amoebot whose head is at `parent`.
    pub(super) fn pulled(self, parent: AmoebotPort) -> Self {
        Self { parent: Some(parent), agent: self.agent.displaced(), ..self }
    }

    /// The memory after contracting. Only followers keep their parent.
    pub(super) fn contracted(self) -> Self {
        let parent = self.parent.filter(|_| self.state == State::Follower);
        let behind = if self.behind == CrowdBehind::Arriving { CrowdBehind::Present } else { self.behind };
        Self { parent, behind, ..self }
    }
}
