//! The guards of the actions that need neither a message nor a call.
//!
//! They are evaluated on the memory *before* CleanUp: a guard that is false only because of an unread disconnection
//! stays false until an action executes CleanUp.

use super::{Action, Local, Memory, Phase, State};

impl Local {
    /// The enabled Check* action of the initiator's side, if any; its state allows at most one.
    #[inline(always)] // Asked twice a step.
    pub(super) fn initiator_check(memory: &Memory) -> Option<Action> {
        // The test that nearly always fails comes first.
        let all_answered = match memory.state {
            State::Compete => memory.has_all_results(),
            _ => memory.has_all_replies(),
        };
        if !all_answered {
            return None;
        }
        match memory.state {
            State::Idle | State::Locked => None,
            State::Prepare => Some(Action::CheckStart),
            State::Compete => Some(Action::CheckWin),
            State::Win => Some(Action::CheckDone),
            State::Unlock => Some(Action::CheckUnlocked),
        }
    }

    /// Whether `action` is enabled; false for actions that need a message or a call.
    #[inline]
    #[must_use]
    pub fn guard(&self, memory: &Memory, disconnected: bool, action: Action) -> bool {
        match action {
            Action::CheckStart | Action::CheckWin | Action::CheckDone | Action::CheckUnlocked => {
                Self::initiator_check(memory) == Some(action)
            }
            Action::CheckPriorities => {
                memory.phase == Phase::Compete && memory.candidates().len() == memory.priorities.len()
            }
            Action::CleanUp => {
                disconnected
                    // R2 drops the rest of this guard, which the published rules have.
                    && (self.rules.clean_up_always
                        || memory.phase != Phase::Idle
                        || memory.state == State::Unlock)
            }
            _ => false,
        }
    }
}
