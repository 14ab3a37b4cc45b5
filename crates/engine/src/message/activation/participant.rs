//! Algorithm 2: the replies of a node to neighbours that want it in their lock sets.

use super::neighbour_bits::{NeighbourBits, PortRelations, lowest, mask};
use super::{FaultInjection, MessageFault};
use crate::message::word::NodeWord;

/// The requests of the initiators of a block to this node, one bit per port.
#[derive(Clone, Copy)]
pub(crate) struct Requests<W> {
    /// The ports with unanswered set-locks.
    pub(crate) set: W,
    /// The ports with unanswered releases.
    release: W,
    /// The ports with unanswered prepares.
    prepare: W,
    /// The ports with unanswered first requests.
    first: W,
    /// The ports of competitors.
    pub(crate) compete: W,
    /// The ports of competitors whose first request was answered: the candidates before this activation.
    before: W,
    /// The ports of competitors that have been answered and have not yet sent the priority of their next trial.
    owe: W,
}

impl<W: NodeWord> Requests<W> {
    /// No requests.
    pub(crate) const NOTHING: Self = Self {
        set: W::NONE,
        release: W::NONE,
        prepare: W::NONE,
        first: W::NONE,
        compete: W::NONE,
        before: W::NONE,
        owe: W::NONE,
    };

    /// The union of the requests of two blocks. [`ParticipantState`] reads only whether each set is empty.
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self {
            set: self.set | other.set,
            release: self.release | other.release,
            prepare: self.prepare | other.prepare,
            first: self.first | other.first,
            compete: self.compete | other.compete,
            before: self.before | other.before,
            owe: self.owe | other.owe,
        }
    }
}

/// Sorts the published bits of a block into requests.
#[inline(always)]
pub(crate) fn requests<W: NodeWord, M: FaultInjection>(
    bits: &NeighbourBits<W>,
    sent: W,
    relations: &PortRelations<W>,
) -> Requests<W> {
    let [low, middle, high] = bits.code;
    let participant = relations.participant;
    let pending = bits.toggle ^ relations.skipped ^ sent;
    let mut compete = participant & middle & !high;
    if M::FAULT == MessageFault::NotItsOwnCandidate {
        compete = compete & !W::ONE;
    }
    let first = compete & !low & pending;
    let mut before = compete & !first;
    if M::FAULT == MessageFault::FirstRequestsBefore {
        before = compete;
    }
    Requests {
        set: participant & pending & high & !middle & !low,
        release: participant & pending & high & middle,
        prepare: participant & pending & low & !middle & !high,
        first,
        compete,
        before,
        owe: compete & !pending,
    }
}

/// The highest priority of a block's competitors, and the competitors that have it.
#[derive(Clone, Copy)]
pub(crate) struct TopPriority<W> {
    /// The highest priority, or 0 without competitors.
    pub(crate) highest: W,
    /// The competitors that have the highest priority.
    pub(crate) top: W,
}

/// Compares the priorities of the competitors. Priorities begin at bit `priority` of the words.
#[inline(always)]
pub(crate) fn contest<W: NodeWord>(near: &[W], compete: W, priority: u32) -> TopPriority<W> {
    // Setting the bits below the priority makes every key positive, and lets it be compared without a shift.
    let low = !(W::ALL << priority);
    let mut highest = W::NONE;
    for (&word, port) in near.iter().zip(0..) {
        highest = highest.max((word | low) & mask(compete, port));
    }
    let mut top = W::NONE;
    for (&word, port) in near.iter().zip(0..) {
        top |= W::when(word | low == highest) & W::ONE << port;
    }
    TopPriority { highest, top: top & compete }
}

/// The port of the only competitor with the highest priority, as a one-bit set; empty on a tie or without competitors.
#[inline(always)]
pub(crate) fn favourite<W: NodeWord, M: FaultInjection>(near: &[W], compete: W) -> W {
    let top = contest(near, compete, W::PRIORITY).top;
    let lowest = lowest(top);
    if M::FAULT == MessageFault::TiesAreWon { lowest } else { top & W::when(top == lowest) }
}

/// The state of the participant over all blocks, as masks with all bits or no bits set.
#[derive(Clone, Copy)]
pub(crate) struct ParticipantState<W> {
    /// Whether there was a candidate before this activation.
    before: W,
    /// Whether the priority of some candidate has not arrived.
    owe: W,
    /// Whether the node is locked, after the set-locks and releases of this activation.
    locked: W,
}

impl<W: NodeWord> ParticipantState<W> {
    /// Combines the requests of all blocks with a mask that tells whether the node was locked before. `requests` is the
    /// union over the blocks.
    #[inline(always)]
    pub(crate) fn new<M: FaultInjection>(requests: &Requests<W>, locked: W) -> Self {
        let mut state = Self {
            before: requests.before.any(),
            owe: requests.owe.any(),
            locked: (locked | requests.set.any()) & !requests.release.any(),
        };
        match M::FAULT {
            MessageFault::HoldsIgnored => state.before = W::NONE,
            MessageFault::DecidesEarly => state.owe = W::NONE,
            _ => {}
        }
        state
    }

    /// Whether a competitor can win, as a mask.
    #[inline(always)]
    pub(crate) fn decides(&self) -> W {
        !self.owe & !self.locked
    }

    /// Whether the node is locked after this activation, as a mask.
    #[inline(always)]
    pub(crate) fn locked(&self) -> W {
        self.locked
    }
}

/// The replies to the ports of a block.
#[derive(Clone, Copy)]
pub(crate) struct RepliesSent<W> {
    /// The ports that are answered.
    pub(crate) answered: W,
    /// The answered port that receives win(true), if there is one.
    pub(crate) winner: W,
    /// The answered first requests that are rejected at once.
    pub(crate) late: W,
}

/// Answers the requests on the ports of a block. `favourite` is the only competitor with the highest priority of all
/// blocks, if it belongs to this block.
#[inline(always)]
pub(crate) fn answers<W: NodeWord, M: FaultInjection>(
    requests: &Requests<W>,
    state: &ParticipantState<W>,
    favourite: W,
) -> RepliesSent<W> {
    let mut late = requests.first & state.owe;
    if M::FAULT == MessageFault::LateRequestsWait {
        late = W::NONE;
    }
    let ready = requests.prepare & !state.before;
    let decided = requests.compete & !state.owe;
    let free = if M::FAULT == MessageFault::LockIgnored { W::ALL } else { !state.locked };
    RepliesSent {
        answered: requests.set | requests.release | ready | decided | late,
        winner: decided & favourite & free,
        late,
    }
}
