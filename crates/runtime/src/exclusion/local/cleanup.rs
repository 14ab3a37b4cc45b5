//! Algorithm 3: CleanUp.

use super::{Memory, Message, Phase, Run};

impl Run<'_> {
    /// CleanUp, exactly once per action execution; consumes the detector's report. Forgets the neighbours whose edge
    /// has ended; if no candidate is left, lets those on hold apply.
    #[inline(always)] // A part of every action, and nearly always there is nothing to do.
    pub(super) fn clean_up(&mut self, memory: &mut Memory) {
        for port in self.disconnected.take().into_iter().flatten() {
            memory.forget(port);
        }
        if memory.candidates().is_empty() {
            if !memory.on_hold().is_empty() {
                self.promote(memory);
            }
            memory.phase = if memory.applicants().is_empty() { Phase::Idle } else { Phase::Prepare };
        }
    }

    fn promote(&mut self, memory: &mut Memory) {
        let promoted = memory.on_hold_mut().take();
        self.send_to_all(Message::Ready, promoted.as_ports());
        memory.applicants_mut().extend_from(&promoted);
    }
}
