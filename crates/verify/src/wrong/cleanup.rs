//! Wrong versions of Algorithm 3, in which the detector's report is lost, or processed late, incompletely or twice, or
//! nodes on hold are not promoted correctly.

use acrasin_runtime::Port;
use acrasin_runtime::exclusion::local::{Action, Memory, Message};

use super::action_run::ActionRun;
use super::entry::{Consequence, WrongEntry, entries};
use super::fault::{CleanUpFault, RuleFault, Variable};
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
            // The second pass of `Twice` happens where the node's own messages are handled.
            Self::Swallowed(_) | Self::Last(_) | Self::Twice => run.right(memory),
            Self::NeverPromoted => {
                let mut waiting = memory.on_hold_mut().take();
                run.right(memory);
                waiting.subtract(report);
                memory.on_hold_mut().extend_from(&waiting);
            }
            Self::PromotedAfterApplicants => {
                let mut applicants = memory.applicants().to_set();
                applicants.subtract(report);
                if applicants.is_empty() {
                    run.right(memory);
                } else {
                    Self::NeverPromoted.execute(run, memory);
                }
            }
            Self::PromotedNotTold => {
                let mut waiting = memory.on_hold().to_set();
                waiting.subtract(report);
                run.right(memory);
                run.retain_sends(|port, message| !(message == Message::Ready && waiting.contains(port)));
            }
            Self::PromotedStayOnHold => {
                let mut waiting = memory.on_hold().to_set();
                waiting.subtract(report);
                waiting.remove(Port::SELF);
                run.right(memory);
                memory.on_hold_mut().extend_from(&waiting);
            }
        }
    }
}

/// A function that removes a port from one set of a memory and returns whether the port was in it.
type Removal = fn(&mut Memory, Port) -> bool;

/// Removes a port from every variable except one.
fn forget_except(memory: &mut Memory, port: Port, kept: Variable) {
    let sets: [(Variable, Removal); 7] = [
        (Variable::LockSet, |memory, port| memory.lock_set_mut().remove(port)),
        (Variable::Replied, |memory, port| memory.replied_mut().remove(port)),
        (Variable::Results, |memory, port| memory.won_mut().remove(port)),
        (Variable::Results, |memory, port| memory.lost_mut().remove(port)),
        (Variable::OnHold, |memory, port| memory.on_hold_mut().remove(port)),
        (Variable::Applicants, |memory, port| memory.applicants_mut().remove(port)),
        (Variable::Candidates, |memory, port| memory.candidates_mut().remove(port)),
    ];
    for (_, remove) in sets.into_iter().filter(|&(variable, _)| variable != kept) {
        remove(memory, port);
    }
    if kept != Variable::Lock && memory.lock == Some(port) {
        memory.lock = None;
    }
    if kept != Variable::Priorities {
        memory.priorities.retain(|from| from != port);
    }
}

entries! {
    "lock-kept-for-the-dead", "Lemma 4.4, F5":
        "CleanUp does not clear a lock whose owner has left.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::Lock))
            => EDGE_CYCLIC.changing(1, 0), Unreachable within 20_000;
    "lock-set-keeps-the-dead", "Algorithm 3":
        "CleanUp does not remove ports from L.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::LockSet)) => EDGE.changing(1, 0), Dead within 200;
    "answers-of-the-dead-kept", "Algorithm 3, R within L":
        "CleanUp does not remove ports from R.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::Replied)) => EDGE.changing(1, 0), Dead within 200;
    "results-of-the-dead-kept", "Algorithm 3, W within L":
        "CleanUp does not remove ports from W.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::Results)) => EDGE.changing(1, 0), Dead within 200;
    "on-hold-keeps-the-dead", "Algorithm 3":
        "CleanUp does not remove ports from H: a new neighbour on the port receives an unrequested ready.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::OnHold)) => EDGE_BOTH.changing(1, 1), Dead within 20_000;
    "applicants-keep-the-dead", "Table 1, A within N":
        "CleanUp does not remove ports from A.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::Applicants)) => EDGE.changing(1, 0), Invariant within 200;
    "candidates-keep-the-dead", "Algorithm 3":
        "CleanUp does not remove ports from C.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::Candidates))
            => EDGE_BOTH.changing(1, 0), Dead within 20_000;
    "priorities-of-the-dead-kept", "Algorithm 3, P within C":
        "CleanUp does not remove pairs from P.",
        RuleFault::CleanUp(CleanUpFault::Keeps(Variable::Priorities))
            => EDGE_BOTH.changing(1, 0), Dead within 20_000;
    "report-swallowed-by-clean-up", "Algorithm 3":
        "CleanUp reads the detector, but does nothing else.",
        RuleFault::CleanUp(CleanUpFault::Swallowed(Action::CleanUp)) => EDGE.changing(1, 0), Dead within 200;
    "report-swallowed-by-check-unlocked", "CheckUnlocked":
        "CheckUnlocked reads the detector, but does not clean up: a candidate that has left stays in C.",
        RuleFault::CleanUp(CleanUpFault::Swallowed(Action::CheckUnlocked))
            => EDGE_BOTH.changing(1, 1), Dead within 20_000;
    "init-lock-cleans-up-last", "2.2, point 4":
        "InitLock cleans up after L := N: a new neighbour on a port just freed is removed from L.",
        RuleFault::CleanUp(CleanUpFault::Last(Action::InitLock)) => EDGE.changing(1, 1), Promise within 500;
    "receive-prepare-cleans-up-last", "2.2, point 5":
        "ReceivePrepare cleans up after its body: the new neighbour on a port just freed is forgotten.",
        RuleFault::CleanUp(CleanUpFault::Last(Action::ReceivePrepare)) => EDGE.changing(1, 1), Dead within 500;
    "check-start-cleans-up-last", "2.2, point 1":
        "CheckStart cleans up after its body: it sends a request to a new neighbour on a port of L just freed.",
        RuleFault::CleanUp(CleanUpFault::Last(Action::CheckStart)) => EDGE.changing(1, 1), Invariant within 500;
    "check-priorities-cleans-up-last", "2.2, point 2":
        "CheckPriorities cleans up after its body: it answers a new neighbour on a port just freed.",
        RuleFault::CleanUp(CleanUpFault::Last(Action::CheckPriorities)) => EDGE.changing(1, 1), Dead within 500;
    "check-win-cleans-up-last", "2.2, point 1":
        "CheckWin cleans up after its body: it decides on results of neighbours that have left.",
        RuleFault::CleanUp(CleanUpFault::Last(Action::CheckWin)) => EDGE.changing(1, 1), Dead within 500;
    "report-consumed-twice", "F6, 2.3":
        "The bodies that handle the node's own messages inside an action process the detector's report again.",
        RuleFault::CleanUp(CleanUpFault::Twice) => EDGE.changing(1, 1), Promise within 500;
    "never-promoted", "Algorithm 3":
        "CleanUp never turns nodes on hold into applicants.",
        RuleFault::CleanUp(CleanUpFault::NeverPromoted) => EDGE_BOTH, Dead within 2_000;
    "promoted-not-told", "Algorithm 3":
        "CleanUp turns nodes on hold into applicants, but does not answer ready.",
        RuleFault::CleanUp(CleanUpFault::PromotedNotTold) => EDGE_BOTH, Dead within 2_000;
    "promoted-stay-on-hold", "Algorithm 3":
        "CleanUp turns nodes on hold into applicants, but does not clear H.",
        RuleFault::CleanUp(CleanUpFault::PromotedStayOnHold) => EDGE_BOTH, Promise within 3_000;
    "promoted-after-applicants", "Lockout freedom, Theorem 4.1":
        "CleanUp turns nodes on hold into applicants only if there are no others, which can always come first.",
        RuleFault::CleanUp(CleanUpFault::PromotedAfterApplicants) => PATH_PAIRS, Starvation within 90_000;
}

/// Defines faults in which one action drops the detector's report, each as `NAME: ACTION => SETTING, CONSEQUENCE within
/// CONFIGURATIONS;`.
macro_rules! swallowed {
    ($($name:literal $(, $about:literal)?: $action:ident
        => $setting:ident $(.$change:ident($($by:expr),*))*, $shows:ident within $within:literal;)*) => {
        pub(super) const SWALLOWED: &[WrongEntry] = &[$(WrongEntry {
            name: concat!("report-swallowed-by-", $name),
            what: concat!(stringify!($action), " reads the detector, but does not clean up."),
            about: concat!(stringify!($action) $(, ", ", $about)?),
            fault: RuleFault::CleanUp(CleanUpFault::Swallowed(Action::$action)),
            setting: Setting::$setting $(.$change($($by),*))*,
            shows: Consequence::$shows,
            within: $within,
        }),*];
    };
}

swallowed! {
    "init-lock": InitLock => EDGE_BOTH.changing(1, 0), Dead within 10_000;
    "receive-prepare": ReceivePrepare => EDGE.changing(1, 0).sent(), Dead within 500;
    "receive-ready": ReceiveReady => EDGE.changing(1, 0).sent(), Dead within 500;
    "check-start": CheckStart => EDGE.changing(1, 0), Dead within 200;
    "receive-request": ReceiveRequest => EDGE.changing(1, 0).sent(), Dead within 500;
    "check-priorities": CheckPriorities => EDGE.changing(1, 0), Dead within 200;
    "receive-win": ReceiveWin => EDGE.changing(1, 0).sent(), Dead within 500;
    "check-win": CheckWin => EDGE.changing(1, 0), Dead within 200;
    "receive-set-lock": ReceiveSetLock => EDGE.changing(1, 0).sent(), Promise within 500;
    "receive-ack-lock": ReceiveAckLock => EDGE.changing(1, 0).sent(), Promise within 500;
    "check-done", "F14": CheckDone => EDGE.changing(1, 0), Promise within 200;
    "init-unlock": InitUnlock => EDGE.changing(1, 0), Dead within 200;
    "receive-ack-unlock": ReceiveAckUnlock => EDGE.changing(1, 0).sent(), Dead within 500;
}
