//! The guards of the actions that need neither a message nor a call.
//!
//! They are evaluated on the memory *before* CleanUp: a guard that is false only because of an unread disconnection
//! stays false until a CleanUp execution.

use super::{Action, Local, Memory, Phase, State};

impl Local {
    /// Whether `action` is enabled; false for actions that need a message or a call.
    #[inline]
    #[must_use]
    pub fn guard(&self, memory: &Memory, disconnected: bool, action: Action) -> bool {
        match action {
            Action::CheckStart => memory.state == State::Prepare && memory.replied == memory.lock_set,
            Action::CheckPriorities => {
                memory.phase == Phase::Compete && memory.candidates.len() == memory.priorities.len()
            }
            Action::CheckWin => memory.state == State::Compete && memory.results() == memory.lock_set.len(),
            Action::CheckDone => memory.state == State::Win && memory.replied == memory.lock_set,
            Action::CheckUnlocked => memory.state == State::Unlock && memory.replied == memory.lock_set,
            Action::CleanUp => {
                disconnected
                    // R2: the published guard has the second line too.
                    && (self.rules.clean_up_always
                        || memory.phase != Phase::Idle
                        || memory.state == State::Unlock)
            }
            _ => false,
        }
    }
}
