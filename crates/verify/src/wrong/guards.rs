//! Guards that are inverted, hold too early, or never hold.

use acrasin_runtime::exclusion::local::{Action, Memory, Phase, State};

use super::entry::{Consequence, Entry};
use super::fault::{Fault, GuardFault};
use super::setting::Setting;

impl GuardFault {
    /// Turns the actions that are enabled under the right rules into those enabled under the wrong ones.
    pub(super) fn change(self, memory: &Memory, enabled: &mut Vec<Action>) {
        let answered = !memory.replied.is_empty();
        let (action, holds) = match self {
            Self::StartAtFirstReady => (Action::CheckStart, memory.state == State::Prepare && answered),
            Self::StartInverted => {
                (Action::CheckStart, memory.state == State::Prepare && memory.replied != memory.lock_set)
            }
            Self::WinAtFirstResult => {
                (Action::CheckWin, memory.state == State::Compete && memory.results() > 0)
            }
            Self::WinWithoutDefeat => {
                let undefeated = memory.lost.is_empty() && !memory.won.is_empty();
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
                (Action::CheckPriorities, right && memory.applicants.is_empty())
            }
            Self::NoCleanUp => (Action::CleanUp, false),
        };
        enabled.retain(|&other| other != action);
        if holds {
            enabled.push(action);
        }
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "start-at-first-ready",
        what: "CheckStart needs one ready instead of all.",
        about: "CheckStart",
        fault: Fault::Guard(GuardFault::StartAtFirstReady),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "start-inverted",
        what: "CheckStart is enabled while a ready is missing, and not when all are there.",
        about: "CheckStart",
        fault: Fault::Guard(GuardFault::StartInverted),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 10,
    },
    Entry {
        name: "win-at-first-result",
        what: "CheckWin needs one result instead of all.",
        about: "CheckWin",
        fault: Fault::Guard(GuardFault::WinAtFirstResult),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "win-without-defeat",
        what: "CheckWin does not wait for the missing results as long as none is a defeat.",
        about: "CheckWin",
        fault: Fault::Guard(GuardFault::WinWithoutDefeat),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "done-at-first-answer",
        what: "CheckDone needs one ack-lock instead of all.",
        about: "CheckDone",
        fault: Fault::Guard(GuardFault::DoneAtFirstAnswer),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "unlocked-at-first-answer",
        what: "CheckUnlocked needs one ack-unlock instead of all.",
        about: "CheckUnlocked",
        fault: Fault::Guard(GuardFault::UnlockedAtFirstAnswer),
        setting: Setting::EDGE_AGAIN,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "priorities-at-first-request",
        what: "CheckPriorities needs one priority instead of one of each candidate.",
        about: "CheckPriorities, |C| = |P|",
        fault: Fault::Guard(GuardFault::PrioritiesAtFirstRequest),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 5_000,
    },
    Entry {
        name: "priorities-wait-for-applicants",
        what: "CheckPriorities also waits until there are no applicants.",
        about: "F1, repair (a)",
        fault: Fault::Guard(GuardFault::PrioritiesWaitForApplicants),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 2_000,
    },
    Entry {
        name: "clean-up-never",
        what: "CleanUp is never enabled.",
        about: "R2, Lemma 4.4",
        fault: Fault::Guard(GuardFault::NoCleanUp),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
];
