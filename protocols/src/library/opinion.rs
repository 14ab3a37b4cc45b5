//! The opinions of the majority protocols.

use super::entry::three_fifths_at;

/// One of two opinions, also as the output of an agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Opinion {
    /// Opinion A.
    A,
    /// Opinion B.
    B,
}

/// An opinion, or no opinion at present: the state and the output of an agent in the approximate majority protocols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ternary {
    /// The agent holds this opinion.
    Decided(Opinion),
    /// The agent holds no opinion.
    Undecided,
}

impl Ternary {
    /// An agent that is decided for A.
    pub const A: Self = Self::Decided(Opinion::A);
    /// An agent that is decided for B.
    pub const B: Self = Self::Decided(Opinion::B);

    pub(super) const ALL: [Self; 3] = [Self::A, Self::B, Self::Undecided];

    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::Undecided => "U",
        }
    }
}

/// An opinion that either counts as a vote (strong) or is a shadow of a vote (weak).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpinionToken {
    /// A vote that no opposite vote has cancelled (capital letter).
    Strong(Opinion),
    /// A shadow, which is not a vote; it takes the opinion of the last vote that the agent met (small letter).
    Weak(Opinion),
}

impl OpinionToken {
    pub(super) const ALL: [Self; 4] =
        [Self::Strong(Opinion::A), Self::Strong(Opinion::B), Self::Weak(Opinion::A), Self::Weak(Opinion::B)];

    /// The output of the agent.
    #[must_use]
    pub fn opinion(self) -> Opinion {
        match self {
            Self::Strong(opinion) | Self::Weak(opinion) => opinion,
        }
    }

    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Strong(Opinion::A) => "A",
            Self::Strong(Opinion::B) => "B",
            Self::Weak(Opinion::A) => "a",
            Self::Weak(Opinion::B) => "b",
        }
    }
}

impl Opinion {
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

/// Counts of initial opinions: three fifths for A, rounded up, so that A has a strict majority if there are agents. The
/// rest is for B, and `more` further states get 0.
pub(super) fn three_fifths(agents: u64, more: usize) -> Vec<u64> {
    three_fifths_at(agents, 2 + more, [0, 1])
}
