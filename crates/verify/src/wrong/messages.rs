//! Messages that are not sent, and repairs that are missing.

use acrasin_runtime::exclusion::local::{Action, Rules};

use super::entry::{Consequence, Entry};
use super::fault::Fault;
use super::setting::Setting;

const fn unsent(by: Action, kind: &'static str) -> Fault {
    Fault::Unsent { by, kind, self_only: false }
}

const fn unsent_to_self(by: Action, kind: &'static str) -> Fault {
    Fault::Unsent { by, kind, self_only: true }
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "prepare-not-to-self",
        what: "InitLock sends no prepare to the node itself, and waits for its ready.",
        about: "InitLock",
        fault: unsent_to_self(Action::InitLock, "prepare"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 10,
    },
    Entry {
        name: "ready-unsent",
        what: "ReceivePrepare makes an applicant and does not say ready.",
        about: "ReceivePrepare",
        fault: unsent(Action::ReceivePrepare, "ready"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 10,
    },
    Entry {
        name: "first-request-not-to-self",
        what: "CheckStart sends no request-lock to the node itself.",
        about: "CheckStart",
        fault: unsent_to_self(Action::CheckStart, "request-lock"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 20,
    },
    Entry {
        name: "later-request-not-to-self",
        what: "CheckWin sends no request-lock to the node itself after a defeat.",
        about: "CheckWin",
        fault: unsent_to_self(Action::CheckWin, "request-lock"),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 2_000,
    },
    Entry {
        name: "win-unsent",
        what: "CheckPriorities decides and tells no node.",
        about: "CheckPriorities",
        fault: unsent(Action::CheckPriorities, "win"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 20,
    },
    Entry {
        name: "late-rejection-unsent",
        what: "ReceiveRequest does not answer a late request, nor keep it.",
        about: "R1",
        fault: unsent(Action::ReceiveRequest, "win"),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 2_000,
    },
    Entry {
        name: "set-lock-not-to-self",
        what: "CheckWin sends no set-lock to the node itself.",
        about: "CheckWin",
        fault: unsent_to_self(Action::CheckWin, "set-lock"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 30,
    },
    Entry {
        name: "ack-lock-unsent",
        what: "ReceiveSetLock sets the lock and does not acknowledge.",
        about: "ReceiveSetLock",
        fault: unsent(Action::ReceiveSetLock, "ack-lock"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 30,
    },
    Entry {
        name: "release-not-to-self",
        what: "InitUnlock sends no release-lock to the node itself.",
        about: "InitUnlock",
        fault: unsent_to_self(Action::InitUnlock, "release-lock"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 30,
    },
    Entry {
        name: "ack-unlock-unsent",
        what: "ReceiveRelease clears the lock and does not acknowledge.",
        about: "ReceiveRelease",
        fault: unsent(Action::ReceiveRelease, "ack-unlock"),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 30,
    },
    Entry {
        name: "late-requests-kept",
        what: "R1 is missing: a late first request waits for the next round.",
        about: "F1, Lemma 4.6",
        fault: Fault::Rules(Rules { reject_late_requests: false, ..Rules::REPAIRED }),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 2_000,
    },
    Entry {
        name: "clean-up-guard-as-published",
        what: "R2 is missing: CleanUp is not enabled in state win without applicants.",
        about: "F2, Lemma 4.4",
        fault: Fault::Rules(Rules { clean_up_always: false, ..Rules::REPAIRED }),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Dead,
        within: 200,
    },
    Entry {
        name: "ignored-calls-swallow-the-report",
        what: "R3 is missing: a call that is ignored reads the detector and does not clean up.",
        about: "F3",
        fault: Fault::Rules(Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED }),
        setting: Setting::EDGE.changing(1, 0).misused(),
        shows: Consequence::Promise,
        within: 500,
    },
];
