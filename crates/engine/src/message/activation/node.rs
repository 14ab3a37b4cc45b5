//! The initiator and the participant of a node that is one word.

use super::heard::{Heard, Reach, mask};
use super::initiator::{advance, replies};
use super::participant::{Standing, answers, asked};
use super::{Fault, Mistakes};
use crate::message::word::{LOCK, SENT, TOGGLE, Word};

/// The effects of one activation on a word, and its counters. Counters are packed into words so that 64 of them can
/// be added.
#[derive(Clone, Copy)]
pub(crate) struct Outcome<W> {
    /// The new word, still with the old priority.
    pub(crate) word: W,
    /// Calls, trials, grants and releases: 8 bits each.
    pub(crate) steps: W,
    /// Messages, and first requests rejected at once: 16 bits each.
    pub(crate) messages: W,
    /// Messages to the node itself.
    pub(crate) own: W,
    /// The new lock set.
    pub(crate) members: W,
    /// The new set of skipped ports. Bits above the ports have no meaning.
    pub(crate) skips: W,
}

/// The calls that the node would make now, as masks.
#[derive(Clone, Copy)]
pub(crate) struct Intent<W> {
    /// Calls Lock if idle.
    pub(crate) wants: W,
    /// Calls Unlock if locked.
    pub(crate) unlocks: W,
}

/// Access to the neighbours of the nodes of a block, and a hook for the outcome.
pub(crate) trait Around<W: Word> {
    /// The published bits of the neighbours.
    fn heard(&self, lane: usize) -> Heard<W>;
    /// The ports that take part in each relation.
    fn reach(&self, lane: usize) -> Reach<W>;
    /// The only competitor with the highest priority, if there is one. Not called where no node can win.
    fn favourite(&self, lane: usize, competitors: W) -> W;
    /// Receives the outcome of a node, and whether it acts (a mask).
    fn after(&mut self, lane: usize, acts: W, outcome: &Outcome<W>);
}

/// One macro activation of a node that is one word.
#[inline(always)]
pub(crate) fn activate<W: Word, M: Mistakes>(
    own: W,
    around: &impl Around<W>,
    lane: usize,
    intent: Intent<W>,
) -> Outcome<W> {
    let (sent, won) = (own.sent(), own.won());
    let (heard, reach) = (around.heard(lane), around.reach(lane));
    let asked = asked::<W, M>(&heard, sent, &reach);
    let standing = Standing::new::<M>(&asked, mask(own, LOCK));
    let answers = answers::<W, M>(&asked, &standing, around.favourite(lane, asked.compete));
    let replies = replies(&heard, mask(own, TOGGLE), &reach);
    let advance = advance::<W, M>(own & W::of(7), &replies, intent.wants, intent.unlocks);

    let sent = sent ^ answers.answered;
    let stale =
        if M::FAULT == Fault::ResultsStay { answers.answered & !asked.compete } else { answers.answered };
    let won = won & !stale | answers.winner;
    let toggle = own & W::ONE << TOGGLE ^ advance.sends & W::ONE << TOGGLE;
    let lock = standing.locked() & W::ONE << LOCK;
    let priority = own & W::ALL << W::PRIORITY;
    let members = reach.neighbourhood & advance.calls | reach.member & !advance.calls;
    let skips = reach.skips ^ advance.sends & !members;
    let messages = answers.answered.ones() + (members & advance.sends).ones();
    Outcome {
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
