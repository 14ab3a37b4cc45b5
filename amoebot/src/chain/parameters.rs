//! Which chain, and with which biases.

/// A Markov chain on cells, before it has any.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MarkovChain {
    /// Chain M.
    Compression {
        /// The bias λ towards neighbours.
        lambda: f64,
        /// How the cells are stored.
        layout: Layout,
    },
    /// Chain M between anchors, from a landscape.
    Bridging {
        /// The bias λ towards a short perimeter.
        lambda: f64,
        /// The bias γ towards little perimeter over the gap.
        gamma: f64,
    },
    /// Chain M with colours.
    Separation {
        /// The bias λ towards neighbours.
        lambda: f64,
        /// The bias γ towards neighbours of the same colour.
        gamma: f64,
        /// Who has which.
        colouring: Colouring,
    },
}

/// How the cells of chain M are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// One amoebot a step, with a mask of neighbours for each.
    Masks,
    /// In tiles, on all threads: a step is a window, in which each tile attempts a move for every second of its cells. For
    /// 100,000 amoebots and more.
    Tiles,
}

/// Who has which colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colouring {
    /// Amoebot i has colour i modulo the number of colours.
    InTurn,
    /// As many of each colour as in turn, in a random order.
    Random,
}
