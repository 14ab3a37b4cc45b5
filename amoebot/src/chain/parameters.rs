//! What is chosen for a chain, apart from its biases.

/// How the steps of a chain are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// One amoebot a step, with a mask of neighbours for each.
    Masks,
    /// In tiles, on all threads: a step is a window, in which each tile attempts a move for every second of its cells. For
    /// 100,000 amoebots and more.
    Tiles,
    /// With locks on cells, on all threads: a step is a wave, in which those at edges that are far apart act. See
    /// [`LockedChain`](super::LockedChain).
    Waves,
}

/// Who has which colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colouring {
    /// Amoebot i has colour i modulo the number of colours.
    InTurn,
    /// As many of each colour as in turn, in a random order.
    Random,
}
