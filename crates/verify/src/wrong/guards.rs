//! Wrong guards: inverted, true too early, or never true.

use acrasin_runtime::exclusion::local::{Action, Memory, Phase, State};

use super::entry::entries;
use super::fault::{GuardFault, RuleFault};

impl GuardFault {
    /// Changes the list of actions that the right rules enable into the list of those that the wrong rules enable.
    pub(super) fn change(self, memory: &Memory, enabled: &mut Vec<Action>) {
        let answered = !memory.replied().is_empty();
        let (action, holds) = match self {
            Self::StartAtFirstReady => (Action::CheckStart, memory.state == State::Prepare && answered),
            Self::StartInverted => {
                (Action::CheckStart, memory.state == State::Prepare && memory.replied() != memory.lock_set())
            }
            Self::WinAtFirstResult => {
                (Action::CheckWin, memory.state == State::Compete && memory.results() > 0)
            }
            Self::WinWithoutDefeat => {
                let undefeated = memory.lost().is_empty() && !memory.won().is_empty();
                let right = enabled.contains(&Action::CheckWin);
                (Action::CheckWin, memory.state == State::Compete && (right || undefeated))
            }
            Self::DoneAtFirstAnswer => (Action::CheckDone, memory.state == State::Win && answered),
            Self::UnlockedAtFirstAnswer => (Action::CheckUnlocked, memory.state == State::Unlock && answered),
            Self::PrioritiesAtFirstRequest => {
                (Action::CheckPriorities, memory.phase == Phase::Compete && !memory.priorities.is_empty())
            }
            Self::PrioritiesWaitForApplicants => {
                let right = enabled.contains(&Action::CheckPriorities);
                (Action::CheckPriorities, right && memory.applicants().is_empty())
            }
            Self::NoCleanUp => (Action::CleanUp, false),
        };
        enabled.retain(|&other| other != action);
        if holds {
            enabled.push(action);
        }
    }
}

entries! {
    "start-at-first-ready", "CheckStart":
        "CheckStart needs one ready instead of all.",
        RuleFault::Guard(GuardFault::StartAtFirstReady) => EDGE, Promise within 100;
    "start-inverted", "CheckStart":
        "CheckStart is enabled while a ready is missing, instead of when all have arrived.",
        RuleFault::Guard(GuardFault::StartInverted) => EDGE, Promise within 10;
    "win-at-first-result", "CheckWin":
        "CheckWin needs one result instead of all.",
        RuleFault::Guard(GuardFault::WinAtFirstResult) => EDGE, Promise within 100;
    "win-without-defeat", "CheckWin":
        "CheckWin does not wait for the missing results as long as none is a defeat.",
        RuleFault::Guard(GuardFault::WinWithoutDefeat) => EDGE, Promise within 100;
    "done-at-first-answer", "CheckDone":
        "CheckDone needs one ack-lock instead of all.",
        RuleFault::Guard(GuardFault::DoneAtFirstAnswer) => EDGE, Promise within 100;
    "unlocked-at-first-answer", "CheckUnlocked":
        "CheckUnlocked needs one ack-unlock instead of all.",
        RuleFault::Guard(GuardFault::UnlockedAtFirstAnswer) => EDGE_AGAIN, Promise within 100;
    "priorities-at-first-request", "CheckPriorities, |C| = |P|":
        "CheckPriorities needs one priority instead of one of each candidate.",
        RuleFault::Guard(GuardFault::PrioritiesAtFirstRequest) => EDGE_BOTH, Promise within 5_000;
    "priorities-wait-for-applicants", "F1, repair (a)":
        "CheckPriorities also waits until there are no applicants.",
        RuleFault::Guard(GuardFault::PrioritiesWaitForApplicants) => EDGE_BOTH, Dead within 2_000;
    "clean-up-never", "R2, Lemma 4.4":
        "CleanUp is never enabled.",
        RuleFault::Guard(GuardFault::NoCleanUp) => EDGE.changing(1, 0), Dead within 200;
}
