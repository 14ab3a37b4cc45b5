//! The plan of an amoebot for a movement half.

use acrasin_amoebot::{Direction, End};

/// A movement, in directions of the lattice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum JointAction {
    /// The head moves one cell in this direction and pushes the amoebots or objects that are in its way; the tail
    /// stays.
    Expand(Direction),
    /// The body shortens to one cell.
    Contract {
        /// The end that remains, with its bonds and its cell.
        stay: End,
    },
    /// A contracted amoebot takes over a node of the expanded amoebot in this direction.
    Push(Direction),
    /// An expanded amoebot gives one of its nodes to a contracted amoebot.
    Pull {
        /// The end that the amoebot keeps.
        stay: End,
        /// The direction from the node given up to the contracted amoebot.
        direction: Direction,
    },
}

/// A set of edges that leave a body, in directions of the lattice. Edges without a neighbour may be members.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BondSides(u16);

impl BondSides {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// The set of all twelve edges, six at each end.
    pub const ALL: Self = Self(0xfff);

    /// This set with one more edge.
    #[must_use]
    pub const fn with(self, end: End, direction: Direction) -> Self {
        Self(self.0 | Self::bit(end, direction))
    }

    /// This set without an edge.
    #[must_use]
    pub const fn without(self, end: End, direction: Direction) -> Self {
        Self(self.0 & !Self::bit(end, direction))
    }

    /// Whether an edge is a member.
    #[must_use]
    #[inline]
    pub const fn contains(self, end: End, direction: Direction) -> bool {
        self.0 & Self::bit(end, direction) != 0
    }

    /// The edges as bits: bit d for direction d of the head, bit 6 + d for the tail.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// The edges with these bits.
    pub(crate) const fn of_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    const fn bit(end: End, direction: Direction) -> u16 {
        let end = match end {
            End::Head => 0,
            End::Tail => 6,
        };
        1 << (direction.index() + end)
    }
}

/// The plan of one amoebot for a movement half. A contracted amoebot has edges at its head only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct JointPlan {
    /// The movement, if the amoebot moves.
    pub action: Option<JointAction>,
    /// The bonds that are released.
    pub released: BondSides,
    /// The bonds that move with the head in an expansion; the forward bond always does. The other bonds stay at the
    /// tail. Ignored for other movements.
    pub marked: BondSides,
}

impl JointPlan {
    /// The plan of an amoebot that does not move and keeps all bonds.
    pub const STILL: Self = Self { action: None, released: BondSides::NONE, marked: BondSides::NONE };

    /// A plan with this movement and all bonds.
    #[must_use]
    pub const fn of(action: JointAction) -> Self {
        Self { action: Some(action), ..Self::STILL }
    }

    /// This plan with a bond released.
    #[must_use]
    pub const fn releasing(self, end: End, direction: Direction) -> Self {
        Self { released: self.released.with(end, direction), ..self }
    }

    /// This plan with a bond at the head marked.
    #[must_use]
    pub const fn marking(self, direction: Direction) -> Self {
        Self { marked: self.marked.with(End::Head, direction), ..self }
    }

    /// This plan with all bonds released except for these.
    #[must_use]
    pub fn keeping(self, kept: impl IntoIterator<Item = (End, Direction)>) -> Self {
        let released =
            kept.into_iter().fold(BondSides::ALL, |all, (end, direction)| all.without(end, direction));
        Self { released, ..self }
    }
}

/// The amoebot or object that does not move on the lattice. It fixes the position of the structure, which amoebots
/// cannot observe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Anchor {
    /// An amoebot, by its number. In an expansion or push its tail is fixed; in a contraction or pull the end that it
    /// keeps is fixed.
    Amoebot(u32),
    /// An object, by its number.
    Object(u32),
}
