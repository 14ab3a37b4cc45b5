//! Wrong rule sets in which messages are not sent, or repairs are missing.

use acrasin_runtime::exclusion::local::{Action, Rules};

use super::entry::entries;
use super::fault::RuleFault;

const fn unsent(by: Action, kind: &'static str) -> RuleFault {
    RuleFault::Unsent { by, kind, self_only: false }
}

const fn unsent_to_self(by: Action, kind: &'static str) -> RuleFault {
    RuleFault::Unsent { by, kind, self_only: true }
}

entries! {
    "prepare-not-to-self", "InitLock":
        "InitLock sends no prepare to the node itself, but waits for its ready.",
        unsent_to_self(Action::InitLock, "prepare") => EDGE, Dead within 10;
    "ready-unsent", "ReceivePrepare":
        "ReceivePrepare records an applicant, but does not answer ready.",
        unsent(Action::ReceivePrepare, "ready") => EDGE, Dead within 10;
    "first-request-not-to-self", "CheckStart":
        "CheckStart sends no request-lock to the node itself.",
        unsent_to_self(Action::CheckStart, "request-lock") => EDGE, Dead within 20;
    "later-request-not-to-self", "CheckWin":
        "CheckWin sends no request-lock to the node itself after a defeat.",
        unsent_to_self(Action::CheckWin, "request-lock") => EDGE_BOTH, Dead within 2_000;
    "win-unsent", "CheckPriorities":
        "CheckPriorities decides, but sends no results.",
        unsent(Action::CheckPriorities, "win") => EDGE, Dead within 20;
    "late-rejection-unsent", "R1":
        "ReceiveRequest neither answers nor keeps a late request.",
        unsent(Action::ReceiveRequest, "win") => EDGE_BOTH, Dead within 2_000;
    "set-lock-not-to-self", "CheckWin":
        "CheckWin sends no set-lock to the node itself.",
        unsent_to_self(Action::CheckWin, "set-lock") => EDGE, Dead within 30;
    "ack-lock-unsent", "ReceiveSetLock":
        "ReceiveSetLock sets the lock and does not acknowledge.",
        unsent(Action::ReceiveSetLock, "ack-lock") => EDGE, Dead within 30;
    "release-not-to-self", "InitUnlock":
        "InitUnlock sends no release-lock to the node itself.",
        unsent_to_self(Action::InitUnlock, "release-lock") => EDGE, Dead within 30;
    "ack-unlock-unsent", "ReceiveRelease":
        "ReceiveRelease clears the lock and does not acknowledge.",
        unsent(Action::ReceiveRelease, "ack-unlock") => EDGE, Dead within 30;
    "late-requests-kept", "F1, Lemma 4.6":
        "R1 is missing: a late first request waits for the next round.",
        RuleFault::Rules(Rules { reject_late_requests: false, ..Rules::REPAIRED }) => EDGE_BOTH, Dead within 2_000;
    "clean-up-guard-as-published", "F2, Lemma 4.4":
        "R2 is missing: CleanUp is not enabled in state win without applicants.",
        RuleFault::Rules(Rules { clean_up_always: false, ..Rules::REPAIRED })
            => EDGE.changing(1, 0), Dead within 200;
    "ignored-calls-swallow-the-report", "F3":
        "R3 is missing: an ignored call reads the detector, but does not clean up.",
        RuleFault::Rules(Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED })
            => EDGE.changing(1, 0).misused(), Promise within 500;
}
