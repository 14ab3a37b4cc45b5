//! The opinions of the majority protocols: two, with or without a mark.

use super::entry::three_fifths_at;

/// One of two opinions; what an agent answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Opinion {
    /// The first opinion.
    A,
    /// The second opinion.
    B,
}

/// An opinion, or none for the moment. State and answer of the approximate majority protocols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ternary {
    /// Holds this opinion.
    Decided(Opinion),
    /// The agent holds no opinion.
    Undecided,
}

impl Ternary {
    /// Decided for A.
    pub const A: Self = Self::Decided(Opinion::A);
    /// Decided for B.
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

/// An opinion that is either a token, which counts as a vote, or a shadow of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpinionToken {
    /// A vote that no opposite vote has cancelled (capital letter).
    Strong(Opinion),
    /// No vote any more; follows the last strong token that it met (small letter).
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

/// Three fifths for A, rounded up, so that A has a strict majority unless there is no agent; the rest for B; 0 for
/// `more` further states.
pub(super) fn three_fifths(agents: u64, more: usize) -> Vec<u64> {
    three_fifths_at(agents, 2 + more, [0, 1])
}
