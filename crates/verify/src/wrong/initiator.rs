//! Algorithm 1 gone wrong: bodies of the node that calls Lock and Unlock.

use std::num::NonZeroU32;

use acrasin_runtime::exclusion::local::{Action, Memory, Message, State};
use acrasin_runtime::{Choices, Decision, Port};

use super::action_run::ActionRun;
use super::entry::{Consequence, Entry};
use super::fault::{Fault, InitiatorFault};
use super::setting::Setting;

/// Draws 0 without asking anybody.
struct Zero;

impl Choices for Zero {
    fn pick(&mut self, _bound: NonZeroU32, _why: Decision) -> u32 {
        0
    }
}

impl InitiatorFault {
    pub(super) fn execute(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        let report = run.input.disconnected;
        match (self, run.action) {
            (Self::LockWhileWaiting, Action::InitLock) => {
                if matches!(memory.state, State::Prepare | State::Compete | State::Win) {
                    memory.state = State::Idle;
                }
                run.right(memory);
            }
            (Self::UnlockWhileWaiting, Action::InitUnlock) => {
                if matches!(memory.state, State::Prepare | State::Compete | State::Win) {
                    memory.state = State::Locked;
                }
                run.right(memory);
            }
            (Self::LocksOthersOnly, Action::InitLock) => {
                run.right(memory);
                if run.sends().iter().any(|send| send.1 == Message::Prepare) {
                    memory.lock_set.remove(Port::SELF);
                    run.retain_sends(|port, _| !port.is_self());
                }
            }
            (Self::ConstantPriority, _) => run.with_choices(memory, &mut Zero),
            (Self::OneVictoryWins, Action::CheckWin) => {
                let mut victories = memory.won.clone();
                victories.subtract(report);
                if !victories.is_empty() {
                    memory.lost.clear();
                }
                run.right(memory);
            }
            (Self::OwnDefeatIgnored, Action::CheckWin) => {
                memory.lost.remove(Port::SELF);
                run.right(memory);
            }
            (Self::ResultsKept, Action::CheckWin) => {
                let (mut won, mut lost) = (memory.won.clone(), memory.lost.clone());
                run.right(memory);
                if memory.state == State::Compete {
                    won.subtract(report);
                    lost.subtract(report);
                    (memory.won, memory.lost) = (won, lost);
                }
            }
            (Self::RepeatsWhereRefused, Action::CheckWin) => {
                let won = memory.won.clone();
                run.right(memory);
                run.retain_sends(|port, message| {
                    !(matches!(message, Message::RequestLock(_)) && won.contains(port))
                });
            }
            (Self::DefeatStartsAnew, Action::CheckWin) => {
                run.right(memory);
                if memory.state == State::Compete {
                    memory.state = State::Prepare;
                    for (_, message) in run.sends() {
                        if matches!(message, Message::RequestLock(_)) {
                            *message = Message::Prepare;
                        }
                    }
                }
            }
            (Self::AnswersKeptToWin, Action::CheckStart | Action::CheckWin)
            | (Self::AnswersKeptToUnlock, Action::CheckDone | Action::InitUnlock) => {
                let mut replied = memory.replied.clone();
                run.right(memory);
                replied.subtract(report);
                memory.replied = replied;
            }
            (Self::ReturnsBeforeCleanUp, Action::CheckDone) => {
                let lock_set = memory.lock_set.clone();
                run.right(memory);
                run.effects.granted = Some(lock_set);
            }
            _ => run.right(memory),
        }
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "lock-while-waiting",
        what: "InitLock accepts a second Lock while the first is under way.",
        about: "InitLock, state = bot",
        fault: Fault::Initiator(InitiatorFault::LockWhileWaiting),
        setting: Setting::EDGE.misused(),
        shows: Consequence::Promise,
        within: 500,
    },
    Entry {
        name: "unlock-while-waiting",
        what: "InitUnlock accepts an Unlock before Lock has succeeded.",
        about: "InitUnlock, state = locked",
        fault: Fault::Initiator(InitiatorFault::UnlockWhileWaiting),
        setting: Setting::EDGE.misused(),
        shows: Consequence::Promise,
        within: 500,
    },
    Entry {
        name: "locks-others-only",
        what: "InitLock leaves the node itself out of L.",
        about: "L := N",
        fault: Fault::Initiator(InitiatorFault::LocksOthersOnly),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "constant-priority",
        what: "Every priority drawn is the same: two contenders tie for ever.",
        about: "2.1, K = 1; Lemma 4.11",
        fault: Fault::Initiator(InitiatorFault::ConstantPriority),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Unreachable,
        within: 2_000,
    },
    Entry {
        name: "one-victory-wins",
        what: "CheckWin wins with one victory, whatever the defeats.",
        about: "CheckWin",
        fault: Fault::Initiator(InitiatorFault::OneVictoryWins),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 3_000,
    },
    Entry {
        name: "own-defeat-ignored",
        what: "CheckWin wins in spite of a defeat at the node itself.",
        about: "CheckWin",
        fault: Fault::Initiator(InitiatorFault::OwnDefeatIgnored),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 3_000,
    },
    Entry {
        name: "results-kept",
        what: "CheckWin starts the next trial with the results of the last one.",
        about: "CheckWin, W := {}",
        fault: Fault::Initiator(InitiatorFault::ResultsKept),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 20_000,
    },
    Entry {
        name: "repeats-where-refused",
        what: "CheckWin repeats the request only where it was refused.",
        about: "CheckWin",
        fault: Fault::Initiator(InitiatorFault::RepeatsWhereRefused),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 3_000,
    },
    Entry {
        name: "defeat-starts-anew",
        what: "CheckWin sends prepare again after a defeat.",
        about: "CheckWin",
        fault: Fault::Initiator(InitiatorFault::DefeatStartsAnew),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 3_000,
    },
    Entry {
        name: "answers-kept-to-win",
        what: "The answers to prepare count as answers to set-lock.",
        about: "CheckWin, R := {}",
        fault: Fault::Initiator(InitiatorFault::AnswersKeptToWin),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "answers-kept-to-unlock",
        what: "The answers to set-lock count as answers to release-lock.",
        about: "InitUnlock, R := {}",
        fault: Fault::Initiator(InitiatorFault::AnswersKeptToUnlock),
        setting: Setting::EDGE_AGAIN,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "returns-before-clean-up",
        what: "CheckDone returns L as it was before CleanUp.",
        about: "CheckDone, 2.4",
        fault: Fault::Initiator(InitiatorFault::ReturnsBeforeCleanUp),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Promise,
        within: 200,
    },
];
