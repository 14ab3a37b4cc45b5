//! The word that a node publishes.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr, Sub};

use bytemuck::Pod;

/// The state of the node's own Lock, in bits 0 to 2 of a word. The first trial has a separate code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum LockCode {
    /// The node has no Lock outstanding.
    Idle = 0,
    /// The node waits until every participant is ready.
    Prepare = 1,
    /// The node competes in the first trial of its Lock.
    First = 2,
    /// The node competes in a later trial of its Lock.
    Later = 3,
    /// The node has won everywhere and sets the locks.
    Win = 4,
    /// The node holds its lock set.
    Locked = 5,
    /// The node releases its lock set.
    Unlock = 6,
}

impl LockCode {
    /// Decodes the code in the low three bits.
    pub(crate) fn of_bits(bits: u64) -> Self {
        match bits & 7 {
            0 => Self::Idle,
            1 => Self::Prepare,
            2 => Self::First,
            3 => Self::Later,
            4 => Self::Win,
            5 => Self::Locked,
            _ => Self::Unlock,
        }
    }
}

/// Bit 3: flips with every message to the whole lock set.
pub(crate) const TOGGLE: u32 = 3;
/// Bit 4: whether the node is locked.
pub(crate) const LOCK: u32 = 4;
/// From bit 5, one bit per port: flips with every reply on the port.
pub(crate) const SENT: u32 = 5;

/// An unsigned integer that serves as a set of ports and as a published word:
///
/// | bits | content |
/// |---|---|
/// | 0-2 | [`LockCode`] |
/// | 3 | toggle: flips with every message to the lock set (prepare, request, set-lock, release) |
/// | 4 | this node is locked |
/// | from 5, Δmax + 1 | sent: flips with every reply on the port |
/// | then Δmax + 1 | won: whether the last reply on the port was win(true) |
/// | the rest | the priority drawn last |
///
/// Δmax is 8 for 32 bits and 16 for 64.
///
/// If the graph changes, a node has a second word, the *edge word*. It has four fields of Δmax bits each, for ports 1
/// and above: the ports with an edge, the lock set, the detector, and the skipped ports. A port is skipped if an odd
/// number of messages to the lock set were not sent on it. The neighbour on such a port inverts the toggle, so that no
/// message seems to be pending.
pub(crate) trait NodeWord:
    Pod
    + Ord
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Δmax, the largest port.
    const PORTS: u32;
    /// The first bit of `won`.
    const WON: u32 = SENT + Self::PORTS + 1;
    /// The first bit of the lock set in an edge word. The ports with an edge begin at bit 0.
    const MEMBER: u32 = Self::PORTS;
    /// The first bit of the detector in an edge word.
    const DETECTOR: u32 = 2 * Self::PORTS;
    /// The first bit of the skipped ports in an edge word.
    const SKIPPED: u32 = 3 * Self::PORTS;
    /// The first bit of the priority.
    const PRIORITY: u32 = Self::WON + Self::PORTS + 1;
    /// The largest K for which a priority fits in the word.
    const PRIORITIES: u32;
    /// The word with no bit set.
    const NONE: Self;
    /// A block of 64 zero words.
    const BLANK: &'static [Self; 64];
    /// A word with only bit 0 set.
    const ONE: Self;
    /// A word with all bits set.
    const ALL: Self;

    /// The number of bits set, as a word.
    fn ones(self) -> Self;
    /// Creates a word from the low bits of a number.
    fn of(number: u64) -> Self;
    /// The word as a number.
    fn number(self) -> u64;

    /// A mask: all bits set if the condition holds, otherwise none.
    #[inline(always)]
    fn when(condition: bool) -> Self {
        if condition { Self::ALL } else { Self::NONE }
    }

    /// A mask: all bits set if any bit of the word is set, otherwise none.
    #[inline(always)]
    fn any(self) -> Self {
        Self::when(self != Self::NONE)
    }

    /// The ports `0..=degree`.
    #[inline(always)]
    fn ports(degree: u32) -> Self {
        Self::ALL >> (Self::PORTS_OF_ALL - degree)
    }

    /// The index of the highest bit of the word.
    const PORTS_OF_ALL: u32;

    /// The state of the node's lock, as a code.
    #[inline(always)]
    fn code(self) -> LockCode {
        LockCode::of_bits(self.number())
    }

    /// The toggle bit, which flips with every message to the lock set.
    #[inline(always)]
    fn toggle(self) -> bool {
        self.number() >> TOGGLE & 1 == 1
    }

    /// Whether the node is locked.
    #[inline(always)]
    fn is_locked(self) -> bool {
        self.number() >> LOCK & 1 == 1
    }

    /// The ports on which the number of replies is odd.
    #[inline(always)]
    fn sent(self) -> Self {
        self >> SENT & Self::ports(Self::PORTS)
    }

    /// The ports on which the last reply was win(true).
    #[inline(always)]
    fn won(self) -> Self {
        self >> Self::WON & Self::ports(Self::PORTS)
    }

    /// A field of an edge word, as a set of ports without port 0.
    #[inline(always)]
    fn field(self, from: u32) -> Self {
        (self >> from) << 1 & Self::ports(Self::PORTS)
    }

    /// The ports with an edge in an edge word, and port 0.
    #[inline(always)]
    fn present(self) -> Self {
        self.field(0) | Self::ONE
    }

    /// The lock set in an edge word, with port 0. Not meaningful while no Lock is outstanding.
    #[inline(always)]
    fn members(self) -> Self {
        self.field(Self::MEMBER) | Self::ONE
    }

    /// The ports in an edge word whose loss the detector has not yet reported.
    #[inline(always)]
    fn detector(self) -> Self {
        self.field(Self::DETECTOR)
    }

    /// The skipped ports of an edge word.
    #[inline(always)]
    fn skipped(self) -> Self {
        self.field(Self::SKIPPED)
    }

    /// The edge word after an activation: with this lock set and these skipped ports, and with the detector read.
    #[inline(always)]
    fn after(self, members: Self, skipped: Self) -> Self {
        self & Self::ALL >> (Self::PORTS_OF_ALL + 1 - Self::PORTS)
            | (members & Self::ports(Self::PORTS)) >> 1 << Self::MEMBER
            | (skipped & Self::ports(Self::PORTS)) >> 1 << Self::SKIPPED
    }

    /// Whether bit `index` is set.
    #[inline(always)]
    fn has(self, index: u32) -> bool {
        self >> index & Self::ONE == Self::ONE
    }

    /// The priority that the node drew last.
    #[inline(always)]
    fn priority(self) -> u32 {
        (self >> Self::PRIORITY).number() as u32
    }
}

impl NodeWord for u32 {
    const PORTS: u32 = 8;
    const PRIORITIES: u32 = 1 << 9;
    const NONE: Self = 0;
    const BLANK: &'static [Self; 64] = &[0; 64];
    const ONE: Self = 1;
    const ALL: Self = u32::MAX;
    const PORTS_OF_ALL: u32 = 31;
    #[inline(always)]
    fn ones(self) -> Self {
        self.count_ones()
    }
    #[inline(always)]
    fn of(number: u64) -> Self {
        number as u32
    }
    #[inline(always)]
    fn number(self) -> u64 {
        u64::from(self)
    }
}

impl NodeWord for u64 {
    const PORTS: u32 = 16;
    const PRIORITIES: u32 = 1 << 16;
    const NONE: Self = 0;
    const BLANK: &'static [Self; 64] = &[0; 64];
    const ONE: Self = 1;
    const ALL: Self = u64::MAX;
    const PORTS_OF_ALL: u32 = 63;
    #[inline(always)]
    fn ones(self) -> Self {
        u64::from(self.count_ones())
    }
    #[inline(always)]
    fn of(number: u64) -> Self {
        number
    }
    #[inline(always)]
    fn number(self) -> u64 {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_word_do_not_overlap_and_fill_it() {
        assert_eq!((u32::WON, u32::PRIORITY), (14, 23));
        assert_eq!((u64::WON, u64::PRIORITY), (22, 39));
        assert_eq!(u32::PRIORITIES - 1, u32::MAX.priority());
        assert_eq!(1 << (64 - 39 - 9), u64::PRIORITIES);
        let word: u32 =
            6 | 1 << TOGGLE | 1 << LOCK | 0b1_0000_0001 << SENT | 0b1_1000_0000 << u32::WON | 300 << 23;
        assert_eq!(word.code(), LockCode::Unlock);
        assert!(word.toggle() && word.is_locked());
        assert_eq!((word.sent(), word.won(), word.priority()), (0b1_0000_0001, 0b1_1000_0000, 300));
        assert_eq!((u32::ports(0), u32::ports(8), u64::ports(16)), (1, 0x1ff, 0x1_ffff));
    }
}
