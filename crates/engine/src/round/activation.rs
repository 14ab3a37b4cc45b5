//! Activation of nodes in a round, and the rules by which they call Lock.

use acrasin_runtime::NodeId;
use acrasin_runtime::choice::FixedProbability;

use crate::draw::{Draws, Purpose, Stream};

/// The rule that selects the active nodes of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActiveNodes<'a> {
    /// All nodes are active.
    All,
    /// Each node is active with this probability, independently ([`Purpose::Activation`], bit planes).
    Random(FixedProbability),
    /// The nodes that an adversary selects: node `u` is active if bit `u % 64` of word `u / 64` is set. Missing words
    /// count as 0.
    Given(&'a [u64]),
}

impl ActiveNodes<'_> {
    /// The active nodes of round `round`, in blocks of 64.
    #[must_use]
    pub fn in_round(&self, draws: Draws, round: u64) -> ActiveBlocks<'_> {
        match *self {
            Self::All => ActiveBlocks::All,
            Self::Random(probability) => {
                ActiveBlocks::Random(draws.stream(Purpose::Activation, round), probability)
            }
            Self::Given(words) => ActiveBlocks::Given(words),
        }
    }
}

/// The active nodes of one round. Bits beyond the last node may be set.
#[derive(Clone, Copy, Debug)]
pub enum ActiveBlocks<'a> {
    /// All nodes are active.
    All,
    /// Each node is active with this probability, drawn from this stream.
    Random(Stream, FixedProbability),
    /// The nodes whose bits are set are active.
    Given(&'a [u64]),
}

impl ActiveBlocks<'_> {
    /// Visits the active nodes among the first `count`, in increasing order.
    #[inline]
    pub(crate) fn for_each(self, count: u32, mut visit: impl FnMut(NodeId)) {
        for first in (0..count).step_by(64) {
            let exist = u64::MAX >> (64 - (count - first).min(64));
            let mut rest = self.block(u64::from(first / 64)) & exist;
            while rest != 0 {
                visit(NodeId(first + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
    }

    /// The active nodes among the 64 nodes from `64 * block` on, one bit per node.
    #[inline]
    #[must_use]
    pub fn block(&self, block: u64) -> u64 {
        match self {
            Self::All => u64::MAX,
            Self::Random(stream, probability) => stream.chances(block, *probability),
            Self::Given(words) => words.get(block as usize).copied().unwrap_or(0),
        }
    }
}

/// The rule by which idle active nodes call Lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanting {
    /// Every idle active node calls Lock.
    Always,
    /// A node calls Lock with this probability at each activation ([`Purpose::Demand`], bit planes).
    Chance(FixedProbability),
    /// No node calls Lock. Outstanding Locks are completed, and the system becomes quiescent.
    Never,
}

impl Wanting {
    /// Whether `node`, if idle and active, calls Lock in the round of this stream ([`Purpose::Demand`]).
    #[must_use]
    pub fn wants(self, stream: Stream, node: u32) -> bool {
        match self {
            Self::Always => true,
            Self::Chance(probability) => {
                stream.chances(u64::from(node / 64), probability) >> (node % 64) & 1 == 1
            }
            Self::Never => false,
        }
    }
}
