//! Options of chains, apart from their biases.

/// The execution of a chain's steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// One amoebot per step, with a precomputed mask of neighbours for each cell.
    Masks,
    /// In tiles, on all threads. A step is a window, in which each tile attempts a move for every second of its
    /// cells. Pays off from 100,000 amoebots.
    Tiles,
    /// With locks on cells, on all threads. A step is a wave, in which amoebots at edges far apart act. See
    /// [`LockedChain`](super::LockedChain).
    Waves,
}

/// The assignment of colours to amoebots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colouring {
    /// Amoebot i has colour i modulo the number of colours.
    InTurn,
    /// As many of each colour as [in turn](Self::InTurn), in a random order.
    Random,
}
