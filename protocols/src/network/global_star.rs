//! A constructor of a spanning star: one agent is linked to all others.

use super::constructor::Constructor;

/// The state of an agent of [`GlobalStar`]: its role in a star.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OnStar {
    /// The centre of the star, or a candidate for it (c).
    Centre,
    /// A leaf of the star (p).
    Leaf,
}

/// Of two centres one becomes a leaf, centres attract leaves, and leaves repel each other. The rules are (c, c, 0) ->
/// (c, p, 1); (p, p, 1) -> (p, p, 0); (c, p, 0) -> (c, p, 1), symmetric.
///
/// - **Source:** Michail, Spirakis, PODC 2014: Global-Star.
/// - **Claim:** a stable spanning star after Theta(n^2 log n) interactions, which is optimal.
/// - **Oracle:** the final graph; exact means of 3 and 4 agents; means of 1.00, 0.95, 0.91 times n^2 ln n for n = 8,
///   16, 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GlobalStar;

impl Constructor for GlobalStar {
    type State = OnStar;

    fn start(&self) -> OnStar {
        OnStar::Centre
    }

    fn transition(&self, initiator: OnStar, responder: OnStar, is_active: bool) -> (OnStar, OnStar, bool) {
        use OnStar::{Centre, Leaf};
        match (initiator, responder, is_active) {
            (Centre, Centre, false) => (Centre, Leaf, true),
            (Leaf, Leaf, true) => (Leaf, Leaf, false),
            (Centre, Leaf, false) | (Leaf, Centre, false) => (initiator, responder, true),
            unchanged => unchanged,
        }
    }
}
