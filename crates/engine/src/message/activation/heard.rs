//! What the neighbours publish, gathered.

use super::Mistakes;
use crate::message::word::{TOGGLE, Word};

/// How the word behind a port is to be read: where the bits are that concern this port.
pub(crate) trait Sight<W: Word>: Mistakes {
    /// Where the neighbour on `port` says whether the number of its replies to us is odd.
    fn acked_at(port: u32) -> u32;
    /// Where the neighbour on `port` says whether its last reply to us was win(true).
    fn won_at(port: u32) -> u32;
}

/// What the neighbours on the ports of one block publish, a bit a port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard<W> {
    pub(crate) toggle: W,
    pub(crate) code: [W; 3],
    pub(crate) acked: W,
    pub(crate) won: W,
}

/// Gathers the bits of a block: `near[p]` is the word behind port `p` of the block.
#[inline(always)]
pub(crate) fn hear<W: Word, S: Sight<W>>(near: &[W]) -> Heard<W> {
    let mut heard = Heard { toggle: W::NONE, code: [W::NONE; 3], acked: W::NONE, won: W::NONE };
    for (&word, port) in near.iter().zip(0..) {
        heard.code[0] |= moved(word, 0, port);
        heard.code[1] |= moved(word, 1, port);
        heard.code[2] |= moved(word, 2, port);
        heard.toggle |= moved(word, TOGGLE, port);
        heard.acked |= moved(word, S::acked_at(port), port);
        heard.won |= moved(word, S::won_at(port), port);
    }
    heard
}

/// One bit of a word, at another place.
#[inline(always)]
pub(crate) fn moved<W: Word>(word: W, from: u32, to: u32) -> W {
    let moved = if from >= to { word >> (from - to) } else { word << (to - from) };
    moved & W::ONE << to
}

/// A bit of a word as a mask.
#[inline(always)]
pub(crate) fn mask<W: Word>(word: W, bit: u32) -> W {
    W::when(word >> bit & W::ONE != W::NONE)
}

/// The lowest port of a set, as a set.
#[inline(always)]
pub(crate) fn lowest<W: Word>(set: W) -> W {
    set & !(set - set.min(W::ONE))
}

/// Which ports count.
#[derive(Clone, Copy)]
pub(crate) struct Reach<W> {
    /// The ports whose owners would have this node in their lock set.
    pub(crate) participant: W,
    /// The lock set that this node has now.
    pub(crate) member: W,
    /// The lock set that it would get by calling Lock now.
    pub(crate) neighbourhood: W,
    /// The ports on which the neighbour's toggle is to be inverted: it has skipped this node.
    pub(crate) skipped: W,
    /// The ports that this node has skipped itself.
    pub(crate) skips: W,
}

impl<W: Word> Reach<W> {
    /// The same ports always: the graph stays as it is.
    #[inline(always)]
    pub(crate) fn lasting(ports: W) -> Self {
        Self { participant: ports, member: ports, neighbourhood: ports, skipped: W::NONE, skips: W::NONE }
    }
}
