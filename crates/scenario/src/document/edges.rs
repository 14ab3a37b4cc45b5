//! Weights and directions of the edges of a graph: `weights` and `direction`.

use acrasin_protocols::uniform::InitiatorEnd;
use serde::{Deserialize, Serialize};

/// The weights of edges: `weights`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum EdgeWeights {
    /// All edges have weight 1.
    #[default]
    Equal,
    /// The weights in the graph file.
    Column,
    /// The product of the degrees of both ends.
    DegreeProduct,
}

/// The end of an edge that is the initiator: `direction`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Initiator {
    /// Either end, with equal probability.
    #[default]
    Either,
    /// The end that the edge leads from.
    #[serde(rename = "Forward")]
    Tail,
    /// The end that the edge leads to.
    #[serde(rename = "Backward")]
    Head,
}

impl Initiator {
    pub(crate) fn direction(self) -> InitiatorEnd {
        if self == Self::Either { InitiatorEnd::Either } else { InitiatorEnd::FirstInitiates }
    }

    /// The ends of an edge, the initiator first.
    #[must_use]
    pub fn ends(self, [tail, head]: [u32; 2]) -> [u32; 2] {
        if self == Self::Head { [head, tail] } else { [tail, head] }
    }

    /// The description in reports.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Either => "in a random direction",
            Self::Tail => "its first end is the initiator",
            Self::Head => "its second end is the initiator",
        }
    }
}
