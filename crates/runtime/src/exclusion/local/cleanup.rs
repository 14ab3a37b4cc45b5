//! Algorithm 3: CleanUp, which removes neighbours whose edges have vanished.

use super::{LocalRun, LockNote, Memory, Message, Phase};
use crate::exclusion::ActionEffects;

impl LocalRun<'_> {
    /// CleanUp, exactly once per action execution; consumes the detector's report. Removes the neighbours whose edge
    /// has vanished. If no candidate is left, it promotes the nodes on hold to applicants.
    #[inline(always)] // A part of every action, and nearly always there is nothing to do.
    pub(super) fn clean_up(&mut self, memory: &mut Memory) {
        if let Some(disconnected) = self.disconnected.take()
            && !disconnected.is_empty()
        {
            disconnected.iter().for_each(|port| memory.forget(port));
        }
        if memory.candidates().is_empty() {
            if !memory.on_hold().is_empty() {
                promote(memory, self.effects);
            }
            memory.phase = if memory.applicants().is_empty() { Phase::Idle } else { Phase::Prepare };
        }
    }
}

fn promote(memory: &mut Memory, effects: &mut ActionEffects<Message, LockNote>) {
    let promoted = memory.on_hold_mut().take();
    effects.sends.extend(promoted.iter().map(|port| (port, Message::Ready)));
    memory.applicants_mut().extend_from(&promoted);
}
