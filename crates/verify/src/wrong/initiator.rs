//! Wrong versions of Algorithm 1: actions of the node that calls Lock and Unlock.

use std::num::NonZeroU32;

use acrasin_runtime::exclusion::local::{Action, Memory, Message, State};
use acrasin_runtime::{Choices, Decision, Port};

use super::action_run::ActionRun;
use super::entry::entries;
use super::fault::{InitiatorFault, RuleFault};

/// Choices that always pick 0.
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
                    memory.lock_set_mut().remove(Port::SELF);
                    run.retain_sends(|port, _| !port.is_self());
                }
            }
            (Self::ConstantPriority, _) => run.with_choices(memory, &mut Zero),
            (Self::OneVictoryWins, Action::CheckWin) => {
                let mut victories = memory.won().to_set();
                victories.subtract(report);
                if !victories.is_empty() {
                    memory.lost_mut().clear();
                }
                run.right(memory);
            }
            (Self::OwnDefeatIgnored, Action::CheckWin) => {
                memory.lost_mut().remove(Port::SELF);
                run.right(memory);
            }
            (Self::ResultsKept, Action::CheckWin) => {
                let (mut won, mut lost) = (memory.won().to_set(), memory.lost().to_set());
                run.right(memory);
                if memory.state == State::Compete {
                    won.subtract(report);
                    lost.subtract(report);
                    memory.won_mut().assign(won.as_ports());
                    memory.lost_mut().assign(lost.as_ports());
                }
            }
            (Self::RepeatsWhereRefused, Action::CheckWin) => {
                let won = memory.won().to_set();
                run.right(memory);
                run.retain_sends(|port, message| {
                    !(matches!(message, Message::RequestLock(_)) && won.contains(port))
                });
            }
            (Self::DefeatRestarts, Action::CheckWin) => {
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
                let mut replied = memory.replied().to_set();
                run.right(memory);
                replied.subtract(report);
                memory.replied_mut().assign(replied.as_ports());
            }
            (Self::ReturnsBeforeCleanUp, Action::CheckDone) => {
                let lock_set = memory.lock_set().to_set();
                run.right(memory);
                run.effects.granted = Some(lock_set);
            }
            _ => run.right(memory),
        }
    }
}

entries! {
    "lock-while-waiting", "InitLock, state = bot":
        "InitLock accepts a second Lock while the first is outstanding.",
        RuleFault::Initiator(InitiatorFault::LockWhileWaiting) => EDGE.misused(), Promise within 500;
    "unlock-while-waiting", "InitUnlock, state = locked":
        "InitUnlock accepts an Unlock before Lock has succeeded.",
        RuleFault::Initiator(InitiatorFault::UnlockWhileWaiting) => EDGE.misused(), Promise within 500;
    "locks-others-only", "L := N":
        "InitLock leaves the node itself out of L.",
        RuleFault::Initiator(InitiatorFault::LocksOthersOnly) => EDGE, Promise within 100;
    "constant-priority", "2.1, K = 1; Lemma 4.11":
        "Every priority drawn is the same: two contenders tie forever.",
        RuleFault::Initiator(InitiatorFault::ConstantPriority) => EDGE_BOTH, Unreachable within 2_000;
    "one-victory-wins", "CheckWin":
        "CheckWin wins with one victory, regardless of defeats.",
        RuleFault::Initiator(InitiatorFault::OneVictoryWins) => EDGE_BOTH, Promise within 3_000;
    "own-defeat-ignored", "CheckWin":
        "CheckWin wins despite a defeat at the node itself.",
        RuleFault::Initiator(InitiatorFault::OwnDefeatIgnored) => EDGE_BOTH, Promise within 3_000;
    "results-kept", "CheckWin, W := {}":
        "CheckWin starts the next trial with the results of the last one.",
        RuleFault::Initiator(InitiatorFault::ResultsKept) => EDGE_BOTH, Promise within 20_000;
    "repeats-where-refused", "CheckWin":
        "CheckWin repeats the request only where it was refused.",
        RuleFault::Initiator(InitiatorFault::RepeatsWhereRefused) => EDGE_BOTH, Dead within 3_000;
    "defeat-restarts", "CheckWin":
        "CheckWin sends prepare again after a defeat.",
        RuleFault::Initiator(InitiatorFault::DefeatRestarts) => EDGE_BOTH, Dead within 3_000;
    "answers-kept-to-win", "CheckWin, R := {}":
        "The answers to prepare count as answers to set-lock.",
        RuleFault::Initiator(InitiatorFault::AnswersKeptToWin) => EDGE, Promise within 100;
    "answers-kept-to-unlock", "InitUnlock, R := {}":
        "The answers to set-lock count as answers to release-lock.",
        RuleFault::Initiator(InitiatorFault::AnswersKeptToUnlock) => EDGE_AGAIN, Promise within 100;
    "returns-before-clean-up", "CheckDone, 2.4":
        "CheckDone returns L as it was before CleanUp.",
        RuleFault::Initiator(InitiatorFault::ReturnsBeforeCleanUp) => EDGE.changing(1, 0), Promise within 200;
}
