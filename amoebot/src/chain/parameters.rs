//! Options of chains, apart from their biases.

/// The way in which the steps of a chain are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// One amoebot per step, with a precomputed mask of neighbours for each cell.
    Masks,
    /// In tiles, on all threads. A step is a window: each tile that has amoebots attempts 2048 moves, at random cells.
    /// A tile has 64 × 64 cells, so there is one attempt per two cells. Pays off from 100,000 amoebots.
    Tiles,
    /// With locks on cells, on all threads. A step is a wave, in which amoebots at edges that are far apart act. See
    /// [`LockedChain`](super::LockedChain).
    Waves,
}

/// The assignment of colours to amoebots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colouring {
    /// Amoebot i has colour i modulo the number of colours.
    InTurn,
    /// The colours of [`InTurn`](Self::InTurn) in a random order, so the number of amoebots of each colour is
    /// unchanged.
    Random,
}
