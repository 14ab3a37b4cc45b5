//! Algorithm 3 gone wrong: the detector's report is thrown away, processed late, incompletely or twice, or those on
//! hold are not let in as they should be.

use acrasin_runtime::exclusion::local::{Action, Memory, Message};
use acrasin_runtime::{Port, PortSet};

use super::action_run::ActionRun;
use super::entry::{Consequence, Entry};
use super::fault::{CleanUpFault, Fault, Variable};
use super::setting::Setting;

impl CleanUpFault {
    pub(super) fn execute(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        let report = run.input.disconnected;
        match self {
            Self::Swallowed(action) if action == run.action => run.without_report(memory),
            Self::Last(action) if action == run.action => {
                run.without_report(memory);
                run.clean_up(memory);
            }
            Self::Keeps(variable) => {
                for port in report {
                    forget_except(memory, port, variable);
                }
                run.without_report(memory);
            }
            // The second pass of `Twice` is made where the node's own messages are handled.
            Self::Swallowed(_) | Self::Last(_) | Self::Twice => run.right(memory),
            Self::NobodyPromoted => {
                let mut waiting = memory.on_hold.take();
                run.right(memory);
                waiting.subtract(report);
                memory.on_hold.extend_from(&waiting);
            }
            Self::PromotedAfterApplicants => {
                let mut applicants = memory.applicants.clone();
                applicants.subtract(report);
                if applicants.is_empty() {
                    run.right(memory);
                } else {
                    Self::NobodyPromoted.execute(run, memory);
                }
            }
            Self::PromotedNotTold => {
                let mut waiting = memory.on_hold.clone();
                waiting.subtract(report);
                run.right(memory);
                run.retain_sends(|port, message| !(message == Message::Ready && waiting.contains(port)));
            }
            Self::PromotedStayOnHold => {
                let mut waiting = memory.on_hold.clone();
                waiting.subtract(report);
                waiting.remove(Port::SELF);
                run.right(memory);
                memory.on_hold.extend_from(&waiting);
            }
        }
    }
}

/// Removes a port from every variable but one.
fn forget_except(memory: &mut Memory, port: Port, kept: Variable) {
    let sets: [(Variable, &mut PortSet); 7] = [
        (Variable::LockSet, &mut memory.lock_set),
        (Variable::Replied, &mut memory.replied),
        (Variable::Results, &mut memory.won),
        (Variable::Results, &mut memory.lost),
        (Variable::OnHold, &mut memory.on_hold),
        (Variable::Applicants, &mut memory.applicants),
        (Variable::Candidates, &mut memory.candidates),
    ];
    for (_, set) in sets.into_iter().filter(|&(variable, _)| variable != kept) {
        set.remove(port);
    }
    if kept != Variable::Lock && memory.lock == Some(port) {
        memory.lock = None;
    }
    if kept != Variable::Priorities {
        memory.priorities.retain(|&(from, _)| from != port);
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "lock-kept-for-the-dead",
        what: "CleanUp does not clear a lock whose owner has gone.",
        about: "Lemma 4.4, F5",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::Lock)),
        setting: Setting::EDGE_CYCLIC.changing(1, 0),
        shows: Consequence::Unreachable,
        within: 20_000,
    },
    Entry {
        name: "lock-set-keeps-the-dead",
        what: "CleanUp does not remove ports from L.",
        about: "Algorithm 3",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::LockSet)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "answers-of-the-dead-kept",
        what: "CleanUp does not remove ports from R.",
        about: "Algorithm 3, R within L",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::Replied)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "results-of-the-dead-kept",
        what: "CleanUp does not remove ports from W.",
        about: "Algorithm 3, W within L",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::Results)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "on-hold-keeps-the-dead",
        what: "CleanUp does not remove ports from H: a new neighbour on the port gets a ready it has not asked for.",
        about: "Algorithm 3",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::OnHold)),
        setting: Setting::EDGE_BOTH.changing(1, 1),
        shows: Consequence::Dead,
        within: 20_000,
    },
    Entry {
        name: "applicants-keep-the-dead",
        what: "CleanUp does not remove ports from A.",
        about: "Table 1, A within N",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::Applicants)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Invariant,
        within: 200,
    },
    Entry {
        name: "candidates-keep-the-dead",
        what: "CleanUp does not remove ports from C.",
        about: "Algorithm 3",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::Candidates)),
        setting: Setting::EDGE_BOTH.changing(1, 0),
        shows: Consequence::Dead,
        within: 20_000,
    },
    Entry {
        name: "priorities-of-the-dead-kept",
        what: "CleanUp does not remove pairs from P.",
        about: "Algorithm 3, P within C",
        fault: Fault::CleanUp(CleanUpFault::Keeps(Variable::Priorities)),
        setting: Setting::EDGE_BOTH.changing(1, 0),
        shows: Consequence::Dead,
        within: 20_000,
    },
    Entry {
        name: "report-swallowed-by-init-lock",
        what: "InitLock reads the detector and does not clean up.",
        about: "InitLock",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::InitLock)),
        setting: Setting::EDGE_BOTH.changing(1, 0),
        shows: Consequence::Dead,
        within: 10_000,
    },
    Entry {
        name: "report-swallowed-by-receive-prepare",
        what: "ReceivePrepare reads the detector and does not clean up.",
        about: "ReceivePrepare",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::ReceivePrepare)),
        setting: Setting::EDGE.changing(1, 0).sent(),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "report-swallowed-by-receive-ready",
        what: "ReceiveReady reads the detector and does not clean up.",
        about: "ReceiveReady",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::ReceiveReady)),
        setting: Setting::EDGE.changing(1, 0).sent(),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "report-swallowed-by-check-start",
        what: "CheckStart reads the detector and does not clean up.",
        about: "CheckStart",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::CheckStart)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "report-swallowed-by-clean-up",
        what: "CleanUp reads the detector and does nothing else.",
        about: "Algorithm 3",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::CleanUp)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "report-swallowed-by-receive-request",
        what: "ReceiveRequest reads the detector and does not clean up.",
        about: "ReceiveRequest",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::ReceiveRequest)),
        setting: Setting::EDGE.changing(1, 0).sent(),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "report-swallowed-by-check-priorities",
        what: "CheckPriorities reads the detector and does not clean up.",
        about: "CheckPriorities",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::CheckPriorities)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "report-swallowed-by-receive-win",
        what: "ReceiveWin reads the detector and does not clean up.",
        about: "ReceiveWin",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::ReceiveWin)),
        setting: Setting::EDGE.changing(1, 0).sent(),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "report-swallowed-by-check-win",
        what: "CheckWin reads the detector and does not clean up.",
        about: "CheckWin",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::CheckWin)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "report-swallowed-by-receive-set-lock",
        what: "ReceiveSetLock reads the detector and does not clean up.",
        about: "ReceiveSetLock",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::ReceiveSetLock)),
        setting: Setting::EDGE.changing(1, 0).sent(),
        shows: Consequence::Promise,
        within: 500,
    },
    Entry {
        name: "report-swallowed-by-receive-ack-lock",
        what: "ReceiveAckLock reads the detector and does not clean up.",
        about: "ReceiveAckLock",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::ReceiveAckLock)),
        setting: Setting::EDGE.changing(1, 0).sent(),
        shows: Consequence::Promise,
        within: 500,
    },
    Entry {
        name: "report-swallowed-by-check-done",
        what: "CheckDone reads the detector and does not clean up.",
        about: "CheckDone, F14",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::CheckDone)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Promise,
        within: 200,
    },
    Entry {
        name: "report-swallowed-by-init-unlock",
        what: "InitUnlock reads the detector and does not clean up.",
        about: "InitUnlock",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::InitUnlock)),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "report-swallowed-by-receive-ack-unlock",
        what: "ReceiveAckUnlock reads the detector and does not clean up.",
        about: "ReceiveAckUnlock",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::ReceiveAckUnlock)),
        setting: Setting::EDGE.changing(1, 0).sent(),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "report-swallowed-by-check-unlocked",
        what: "CheckUnlocked reads the detector and does not clean up: the candidate that has gone stays in C.",
        about: "CheckUnlocked",
        fault: Fault::CleanUp(CleanUpFault::Swallowed(Action::CheckUnlocked)),
        setting: Setting::EDGE_BOTH.changing(1, 1),
        shows: Consequence::Dead,
        within: 20_000,
    },
    Entry {
        name: "init-lock-cleans-up-last",
        what: "InitLock cleans up after L := N: a new neighbour on a port just freed is removed from L.",
        about: "2.2, point 4",
        fault: Fault::CleanUp(CleanUpFault::Last(Action::InitLock)),
        setting: Setting::EDGE.changing(1, 1),
        shows: Consequence::Promise,
        within: 500,
    },
    Entry {
        name: "receive-prepare-cleans-up-last",
        what: "ReceivePrepare cleans up after its body: the new neighbour on a port just freed is forgotten.",
        about: "2.2, point 5",
        fault: Fault::CleanUp(CleanUpFault::Last(Action::ReceivePrepare)),
        setting: Setting::EDGE.changing(1, 1),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "check-start-cleans-up-last",
        what: "CheckStart cleans up after its body: it sends a request to a new neighbour on a port of L just freed.",
        about: "2.2, point 1",
        fault: Fault::CleanUp(CleanUpFault::Last(Action::CheckStart)),
        setting: Setting::EDGE.changing(1, 1),
        shows: Consequence::Invariant,
        within: 500,
    },
    Entry {
        name: "check-priorities-cleans-up-last",
        what: "CheckPriorities cleans up after its body: it answers a new neighbour on a port just freed.",
        about: "2.2, point 2",
        fault: Fault::CleanUp(CleanUpFault::Last(Action::CheckPriorities)),
        setting: Setting::EDGE.changing(1, 1),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "check-win-cleans-up-last",
        what: "CheckWin cleans up after its body: it decides on results of neighbours that have gone.",
        about: "2.2, point 1",
        fault: Fault::CleanUp(CleanUpFault::Last(Action::CheckWin)),
        setting: Setting::EDGE.changing(1, 1),
        shows: Consequence::Dead,
        within: 500,
    },
    Entry {
        name: "report-consumed-twice",
        what: "The bodies that handle the node's own messages inside an action process the detector's report again.",
        about: "F6, 2.3",
        fault: Fault::CleanUp(CleanUpFault::Twice),
        setting: Setting::EDGE.changing(1, 1),
        shows: Consequence::Promise,
        within: 500,
    },
    Entry {
        name: "nobody-promoted",
        what: "CleanUp never lets in those on hold.",
        about: "Algorithm 3",
        fault: Fault::CleanUp(CleanUpFault::NobodyPromoted),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 2_000,
    },
    Entry {
        name: "promoted-not-told",
        what: "CleanUp lets in those on hold and does not say ready.",
        about: "Algorithm 3",
        fault: Fault::CleanUp(CleanUpFault::PromotedNotTold),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 2_000,
    },
    Entry {
        name: "promoted-stay-on-hold",
        what: "CleanUp lets in those on hold and does not clear H.",
        about: "Algorithm 3",
        fault: Fault::CleanUp(CleanUpFault::PromotedStayOnHold),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 3_000,
    },
    Entry {
        name: "promoted-after-applicants",
        what: "CleanUp lets in those on hold only when there are no applicants: others can always be before them.",
        about: "Lockout freedom, Theorem 4.1",
        fault: Fault::CleanUp(CleanUpFault::PromotedAfterApplicants),
        setting: Setting::PATH_PAIRS,
        shows: Consequence::Starvation,
        within: 90_000,
    },
];
