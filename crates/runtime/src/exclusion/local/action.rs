//! [`Action`]: the actions of Algorithms 1-3.

use std::fmt;

/// An action, by the paper's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // The names are the paper's; each is documented where it is implemented.
pub enum Action {
    InitLock,
    ReceivePrepare,
    ReceiveReady,
    CheckStart,
    CleanUp,
    ReceiveRequest,
    CheckPriorities,
    ReceiveWin,
    CheckWin,
    ReceiveSetLock,
    ReceiveAckLock,
    CheckDone,
    InitUnlock,
    ReceiveRelease,
    ReceiveAckUnlock,
    CheckUnlocked,
}

impl Action {
    /// All actions, in the order in which the paper lists them.
    pub const ALL: [Self; 16] = [
        Self::InitLock,
        Self::ReceivePrepare,
        Self::ReceiveReady,
        Self::CheckStart,
        Self::CleanUp,
        Self::ReceiveRequest,
        Self::CheckPriorities,
        Self::ReceiveWin,
        Self::CheckWin,
        Self::ReceiveSetLock,
        Self::ReceiveAckLock,
        Self::CheckDone,
        Self::InitUnlock,
        Self::ReceiveRelease,
        Self::ReceiveAckUnlock,
        Self::CheckUnlocked,
    ];

    /// The actions whose guard depends only on the node's own memory: they need no message and no call.
    pub const CHECKS: [Self; 6] = [
        Self::CheckStart,
        Self::CheckPriorities,
        Self::CheckWin,
        Self::CheckDone,
        Self::CheckUnlocked,
        Self::CleanUp,
    ];

    /// The paper's name of the action.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InitLock => "InitLock",
            Self::ReceivePrepare => "ReceivePrepare",
            Self::ReceiveReady => "ReceiveReady",
            Self::CheckStart => "CheckStart",
            Self::CleanUp => "CleanUp",
            Self::ReceiveRequest => "ReceiveRequest",
            Self::CheckPriorities => "CheckPriorities",
            Self::ReceiveWin => "ReceiveWin",
            Self::CheckWin => "CheckWin",
            Self::ReceiveSetLock => "ReceiveSetLock",
            Self::ReceiveAckLock => "ReceiveAckLock",
            Self::CheckDone => "CheckDone",
            Self::InitUnlock => "InitUnlock",
            Self::ReceiveRelease => "ReceiveRelease",
            Self::ReceiveAckUnlock => "ReceiveAckUnlock",
            Self::CheckUnlocked => "CheckUnlocked",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
