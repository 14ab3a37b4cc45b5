//! Schemes for finding nodes that may act at the same time.

use std::fmt;

/// A scheme for finding nodes that may act at the same time.
///
/// The order of a wave is a function of seed, wave and network, and of whether the network is divided into tiles.
/// [`Tiles`](Self::Tiles) has one order; [`Hashed`](Self::Hashed) and [`PerNode`](Self::PerNode) share another order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WaveScheme {
    /// Tiles if the network has locality. Otherwise the scheme depends on [`Cost`] and the number of threads, but the
    /// order still depends only on seed, wave and network.
    #[default]
    Auto,
    /// Strips of rows of a torus, or blocks of consecutive nodes. The nodes at borders have a separate phase.
    Tiles,
    /// Batches of nodes that compete for words of a small table. Several nodes share a word, so two nodes far apart
    /// may delay each other.
    Hashed,
    /// Batches of nodes that compete for one word per node.
    PerNode,
}

/// The cost of a critical section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cost {
    /// A section takes a few nanoseconds, such as a table lookup.
    #[default]
    Cheap,
    /// A section takes about 100 ns or more, which is longer than it takes to find the nodes that may act at the same
    /// time.
    Expensive,
}

/// The error of a scheme that cannot be used on the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SchemeError {
    /// Tiles were requested, but the network cannot be divided into tiles.
    NoLocality {
        /// The number of nodes of the network.
        nodes: u32,
    },
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLocality { nodes } => write!(
                f,
                "tiles on {nodes} nodes: the graph is too small, or more than 3 % of the nodes have a neighbour whose \
                 number is far from theirs; choose Auto, Hashed or PerNode"
            ),
        }
    }
}

impl std::error::Error for SchemeError {}
