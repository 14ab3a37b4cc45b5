//! Algorithm 1: the next step of the node's own Lock.

use super::neighbour_bits::{NeighbourBits, PortRelations, lowest, mask};
use super::{FaultInjection, MessageFault};
use crate::message::word::{LockCode, NodeWord};

/// The replies of the lock set's members on one block of ports to this node's own Lock.
#[derive(Clone, Copy)]
pub(crate) struct RepliesReceived<W> {
    /// The members that have not replied to the last message.
    pub(crate) missing: W,
    /// The members whose last reply was not win(true).
    pub(crate) lost: W,
}

/// Reads the replies. `toggle` is the node's own toggle, as a mask.
#[inline(always)]
pub(crate) fn replies<W: NodeWord>(
    bits: &NeighbourBits<W>,
    toggle: W,
    relations: &PortRelations<W>,
) -> RepliesReceived<W> {
    let member = relations.member;
    RepliesReceived { missing: member & (bits.acked ^ toggle ^ relations.skips), lost: member & !bits.won }
}

/// The next step of the initiator. All fields but `code` are masks.
#[derive(Clone, Copy)]
pub(crate) struct InitiatorStep<W> {
    /// The new state of the node's own Lock, as a [`LockCode`].
    pub(crate) code: W,
    /// Whether a message goes to the whole lock set.
    pub(crate) sends: W,
    /// Whether Lock is called.
    pub(crate) calls: W,
    /// Whether a trial begins, which draws a priority.
    pub(crate) tries: W,
    /// Whether Lock has succeeded.
    pub(crate) granted: W,
    /// Whether Unlock is complete.
    pub(crate) released: W,
}

/// The successor of each code after a trial that was not won everywhere, four bits per code, starting with idle.
const NEXT: u32 = 0x0065_3321;
/// The successor of each code after a trial that was won.
const NEXT_WON: u32 = 0x0065_4421;
/// The codes in which the next step sends messages, as bits: all but win (granted) and unlock (released).
const SENDS: u32 = 0b010_1111;

/// One step of the initiator in the state `code`. The mask `wants` tells whether the node calls Lock if it is idle, the
/// mask `unlocks` whether it calls Unlock if it holds its lock set.
#[inline(always)]
pub(crate) fn advance<W: NodeWord, M: FaultInjection>(
    code: W,
    replies: &RepliesReceived<W>,
    wants: W,
    unlocks: W,
) -> InitiatorStep<W> {
    let idle = is(code, LockCode::Idle);
    let locked = is(code, LockCode::Locked);
    let complete = !replies.missing.any();
    let mut lost = replies.lost;
    if M::FAULT == MessageFault::OneDefeatForgiven {
        lost = lost & !lowest(lost);
    }
    let won = !lost.any();
    let go = idle & wants | locked & unlocks | !idle & !locked & complete;
    let four = (code << 2).number() as u32;
    let table = W::of(u64::from(NEXT_WON)) & won | W::of(u64::from(NEXT)) & !won;
    let next = table >> four & W::of(7);
    let sends = go & mask(W::of(u64::from(SENDS)), code.number() as u32);
    InitiatorStep {
        code: next & go | code & !go,
        sends,
        calls: go & idle,
        tries: go & (is(next, LockCode::First) | is(next, LockCode::Later)),
        granted: go & is(code, LockCode::Win),
        released: go & is(code, LockCode::Unlock),
    }
}

/// Whether two codes are equal, as a mask.
#[inline(always)]
fn is<W: NodeWord>(code: W, other: LockCode) -> W {
    W::when(code == W::of(other as u64))
}
