//! How nodes that may act at the same time are found.

use std::fmt;

/// How nodes that may act at the same time are found.
///
/// The order that a wave equals is a function of seed, wave, and network, and of whether the network is cut into tiles:
/// [`Tiles`](Self::Tiles) has one order, [`Hashed`](Self::Hashed) and [`PerNode`](Self::PerNode) have another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scheme {
    /// Tiles where the network has locality; elsewhere what [`Cost`] and the number of threads ask for. The order is a
    /// function of seed, wave and network alone.
    #[default]
    Auto,
    /// Strips of rows of a torus, or blocks of consecutive nodes; the nodes at borders in a phase of their own.
    Tiles,
    /// Competitions in batches, for words of a small table that several nodes share: two nodes far apart may keep each
    /// other waiting.
    Hashed,
    /// Competitions in batches, for a word of every node.
    PerNode,
}

/// What a critical section costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cost {
    /// Some nanoseconds: a table is looked up.
    #[default]
    Cheap,
    /// From about 100 ns: finding out who may act at the same time costs less.
    Expensive,
}

/// The scheme does not fit the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SchemeError {
    /// Tiles were asked for, and the network cannot be cut.
    NoLocality {
        /// Nodes of the network.
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
