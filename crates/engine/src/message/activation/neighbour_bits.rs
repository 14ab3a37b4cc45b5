//! Gathers the published bits of the neighbours.

use super::FaultInjection;
use crate::message::word::{NodeWord, TOGGLE};

/// The position, in a neighbour's word, of the bits that concern a port.
pub(crate) trait BitLayout<W: NodeWord>: FaultInjection {
    /// The bit in which the neighbour on `port` publishes the parity of its replies to this node.
    fn acked_at(port: u32) -> u32;
    /// The bit in which the neighbour on `port` publishes whether its last reply to this node was win(true).
    fn won_at(port: u32) -> u32;
}

/// The published bits of the neighbours on the ports of one block, one bit per port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighbourBits<W> {
    pub(crate) toggle: W,
    pub(crate) code: [W; 3],
    pub(crate) acked: W,
    pub(crate) won: W,
}

/// Gathers the bits of a block. `near[p]` is the word of the neighbour on port `p` of the block.
#[inline(always)]
pub(crate) fn gather_bits<W: NodeWord, S: BitLayout<W>>(near: &[W]) -> NeighbourBits<W> {
    let mut bits = NeighbourBits { toggle: W::NONE, code: [W::NONE; 3], acked: W::NONE, won: W::NONE };
    for (&word, port) in near.iter().zip(0..) {
        bits.code[0] |= moved(word, 0, port);
        bits.code[1] |= moved(word, 1, port);
        bits.code[2] |= moved(word, 2, port);
        bits.toggle |= moved(word, TOGGLE, port);
        bits.acked |= moved(word, S::acked_at(port), port);
        bits.won |= moved(word, S::won_at(port), port);
    }
    bits
}

/// A word with bit `from` of this word at position `to`; all other bits are 0.
#[inline(always)]
pub(crate) fn moved<W: NodeWord>(word: W, from: u32, to: u32) -> W {
    let moved = if from >= to { word >> (from - to) } else { word << (to - from) };
    moved & W::ONE << to
}

/// A mask with all bits set if bit `bit` of the word is set, otherwise with no bit set.
#[inline(always)]
pub(crate) fn mask<W: NodeWord>(word: W, bit: u32) -> W {
    W::when(word >> bit & W::ONE != W::NONE)
}

/// The lowest port of a set, as a set.
#[inline(always)]
pub(crate) fn lowest<W: NodeWord>(set: W) -> W {
    set & !(set - set.min(W::ONE))
}

/// The ports of a node that belong to each of its relations.
#[derive(Clone, Copy)]
pub(crate) struct PortRelations<W> {
    /// The ports to initiators whose lock set would contain this node.
    pub(crate) participant: W,
    /// The current lock set of this node.
    pub(crate) member: W,
    /// The lock set that this node would get by calling Lock now.
    pub(crate) neighbourhood: W,
    /// The ports whose neighbour has left this node out of an odd number of its messages. For these ports the
    /// neighbour's toggle must be inverted, because it flips with every message.
    pub(crate) skipped: W,
    /// The ports that this node has left out of an odd number of its messages.
    pub(crate) skips: W,
}

impl<W: NodeWord> PortRelations<W> {
    /// The relations of a node whose edges never change; `ports` are its ports.
    #[inline(always)]
    pub(crate) fn lasting(ports: W) -> Self {
        Self { participant: ports, member: ports, neighbourhood: ports, skipped: W::NONE, skips: W::NONE }
    }
}
