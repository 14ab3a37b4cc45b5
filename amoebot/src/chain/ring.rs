//! The eight cells around an edge of the lattice, and which moves along the edge they allow.

/// The set of occupied cells among the eight cells around an edge of the lattice, as bits.
///
/// The edge leads from ℓ in direction d to ℓ′. The cells are in counter-clockwise order, so each is adjacent to the
/// previous and the next cell, and to no other cell of the ring:
///
/// | bit | cell | next to |
/// |---|---|---|
/// | 0 | ℓ + d turned counter-clockwise once | both |
/// | 1, 2, 3 | ℓ + d turned counter-clockwise 2, 3, 4 times | ℓ |
/// | 4 | ℓ + d turned counter-clockwise 5 times | both |
/// | 5, 6, 7 | ℓ′ + d turned counter-clockwise 5, 6, 7 times | ℓ′ |
///
/// ```
/// use acrasin_amoebot::chain::EdgeRing;
/// assert_eq!(EdgeRing(0b0000_0011).gain(), Some(-1)); // one of two neighbours remains
/// assert_eq!(EdgeRing(0b0010_0010).gain(), Some(0)); // Property 2: no amoebot is next to both ends
/// assert_eq!(EdgeRing(0b0000_0010).gain(), None); // would be alone
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeRing(pub u8);

impl EdgeRing {
    /// The cells next to both ends.
    pub const BOTH_ENDS: u8 = 0b0001_0001;
    /// The cells next to ℓ.
    pub const NEXT_TO_FIRST: u8 = 0b0001_1111;
    /// The cells next to ℓ′.
    pub const NEXT_TO_SECOND: u8 = 0b1111_0001;
    /// An amoebot with this many neighbours must not move: ℓ′ is the only free cell next to it, so ℓ would become a
    /// hole.
    pub const NEIGHBOURS_THAT_HOLD: u32 = 5;

    /// The paper's e: the number of amoebots next to ℓ, without the acting one.
    #[must_use]
    pub const fn neighbours_before(self) -> u32 {
        (self.0 & Self::NEXT_TO_FIRST).count_ones()
    }

    /// The paper's e′: the number of amoebots next to ℓ′, without the acting one.
    #[must_use]
    pub const fn neighbours_after(self) -> u32 {
        (self.0 & Self::NEXT_TO_SECOND).count_ones()
    }

    /// Property 1: one or two amoebots are next to both ends, and every amoebot on the ring is connected to one
    /// of them along the ring.
    #[must_use]
    pub const fn has_property_1(self) -> bool {
        let mut joined = self.0 & Self::BOTH_ENDS;
        // The furthest cell is four steps away from a cell next to both ends.
        let mut step = 0;
        while step < 4 {
            joined |= (joined.rotate_left(1) | joined.rotate_right(1)) & self.0;
            step += 1;
        }
        self.0 & Self::BOTH_ENDS != 0 && joined == self.0
    }

    /// Property 2: no amoebot is next to both ends, each end has a neighbour, and the neighbours of each end are
    /// connected by amoebots next to that end.
    #[must_use]
    pub const fn has_property_2(self) -> bool {
        self.0 & Self::BOTH_ENDS == 0 && in_one_piece(self.0 >> 1) && in_one_piece(self.0 >> 5)
    }

    /// e′ - e if the amoebot at ℓ may move to a free ℓ′, else `None`.
    #[must_use]
    pub const fn gain(self) -> Option<i8> {
        let may_leave = self.neighbours_before() < Self::NEIGHBOURS_THAT_HOLD;
        if may_leave && (self.has_property_1() || self.has_property_2()) {
            Some(self.neighbours_after() as i8 - self.neighbours_before() as i8)
        } else {
            None
        }
    }
}

/// Whether some of the lowest three bits are set, and the set bits are consecutive.
const fn in_one_piece(row: u8) -> bool {
    !matches!(row & 0b111, 0b000 | 0b101)
}

/// For each [`EdgeRing`], e′ - e if the move is allowed.
pub type MoveTable = [Option<i8>; 256];

/// [`EdgeRing::gain`] of every ring, computed at compile time: 110 of 256 rings allow a move. Six of these, with e′ =
/// 5, would fill a hole and never occur, so 104 remain.
pub const MOVES: MoveTable = {
    let mut moves = [None; 256];
    let mut ring = 0;
    while ring < 256 {
        moves[ring] = EdgeRing(ring as u8).gain();
        ring += 1;
    }
    moves
};
