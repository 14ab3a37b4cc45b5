//! The initiator and the participant of a node that is one word.

use super::initiator::{advance, replies};
use super::neighbour_bits::{NeighbourBits, PortRelations, mask};
use super::participant::{ParticipantState, answers, requests};
use super::{FaultInjection, MessageFault};
use crate::message::word::{LOCK, NodeWord, SENT, TOGGLE};

/// The effects of one activation on a node's word, and the counters of the activation. Counters are packed into words
/// so that 64 of them can be added.
#[derive(Clone, Copy)]
pub(crate) struct ActivationOutcome<W> {
    /// The new published word; a newly drawn priority is not in it yet.
    pub(crate) word: W,
    /// The numbers of calls, trials, grants and releases: 8 bits each.
    pub(crate) steps: W,
    /// The numbers of messages, and of first requests rejected at once: 16 bits each.
    pub(crate) messages: W,
    /// The number of messages to the node itself.
    pub(crate) own: W,
    /// The new lock set.
    pub(crate) members: W,
    /// The new set of [skipped](PortRelations::skips) ports. Bits above the ports have no meaning.
    pub(crate) skips: W,
}

/// The calls that the node would make now, as masks.
#[derive(Clone, Copy)]
pub(crate) struct Intent<W> {
    /// Whether the node calls Lock if it is idle.
    pub(crate) wants: W,
    /// Whether the node calls Unlock if it is locked.
    pub(crate) unlocks: W,
}

/// Access to the neighbours of the nodes of a block, and a hook for the outcome.
pub(crate) trait NeighbourAccess<W: NodeWord> {
    /// The published bits of a node's neighbours.
    fn bits(&self, lane: usize) -> NeighbourBits<W>;
    /// The ports that belong to each relation of a node.
    fn relations(&self, lane: usize) -> PortRelations<W>;
    /// The port of the only competitor with the highest priority, as a one-bit set; empty on a tie or without
    /// competitors. Ignored unless the node decides in this activation.
    fn favourite(&self, lane: usize, competitors: W) -> W;
    /// Receives the outcome of a node, and whether it acts (a mask).
    fn after(&mut self, lane: usize, acts: W, outcome: &ActivationOutcome<W>);
}

/// One macro activation of a node that is one word.
#[inline(always)]
pub(crate) fn activate<W: NodeWord, M: FaultInjection>(
    own: W,
    access: &impl NeighbourAccess<W>,
    lane: usize,
    intent: Intent<W>,
) -> ActivationOutcome<W> {
    let (sent, won) = (own.sent(), own.won());
    let (bits, relations) = (access.bits(lane), access.relations(lane));
    let requests = requests::<W, M>(&bits, sent, &relations);
    let state = ParticipantState::new::<M>(&requests, mask(own, LOCK));
    let answers = answers::<W, M>(&requests, &state, access.favourite(lane, requests.compete));
    let replies = replies(&bits, mask(own, TOGGLE), &relations);
    let advance = advance::<W, M>(own & W::of(7), &replies, intent.wants, intent.unlocks);

    let sent = sent ^ answers.answered;
    let stale = if M::FAULT == MessageFault::ResultsStay {
        answers.answered & !requests.compete
    } else {
        answers.answered
    };
    let won = won & !stale | answers.winner;
    let toggle = own & W::ONE << TOGGLE ^ advance.sends & W::ONE << TOGGLE;
    let lock = state.locked() & W::ONE << LOCK;
    let priority = own & W::ALL << W::PRIORITY;
    let members = relations.neighbourhood & advance.calls | relations.member & !advance.calls;
    let skips = relations.skips ^ advance.sends & !members;
    let messages = answers.answered.ones() + (members & advance.sends).ones();
    ActivationOutcome {
        word: advance.code | toggle | lock | sent << SENT | won << W::WON | priority,
        steps: advance.calls & W::ONE
            | advance.tries & W::ONE << 8
            | advance.granted & W::ONE << 16
            | advance.released & W::ONE << 24,
        messages: messages | answers.late.ones() << 16,
        own: (answers.answered & W::ONE) + (advance.sends & W::ONE),
        members,
        skips,
    }
}
