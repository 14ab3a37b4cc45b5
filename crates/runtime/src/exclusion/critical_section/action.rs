//! [`Action`]: the actions of a process.

use std::fmt;

use super::message::Kind;
use crate::pack::{Pack, PackError};

/// A call of the application, or the receipt of a message. Every action ends with the test for all permissions
/// and, if they are there, the change of state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// The entry sequence, on Lock.
    Entry,
    /// The exit sequence, on Unlock.
    Exit,
    /// Upon receiving a message.
    Receive(Kind),
    /// The change of state as a step of its own, only with
    /// [`SectionErratum::ChangeApart`](super::SectionErratum::ChangeApart).
    Change,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 11] = [
        Self::Entry,
        Self::Exit,
        Self::Receive(Kind::Request),
        Self::Receive(Kind::Grant),
        Self::Receive(Kind::Release),
        Self::Receive(Kind::Preempt),
        Self::Receive(Kind::Relinquish),
        Self::Receive(Kind::Trigger),
        Self::Receive(Kind::RequestByTrigger),
        Self::Receive(Kind::Done),
        Self::Change,
    ];
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entry => "entry",
            Self::Exit => "exit",
            Self::Receive(Kind::Request) => "receive_request",
            Self::Receive(Kind::Grant) => "receive_grant",
            Self::Receive(Kind::Release) => "receive_release",
            Self::Receive(Kind::Preempt) => "receive_preempt",
            Self::Receive(Kind::Relinquish) => "receive_relinquish",
            Self::Receive(Kind::Trigger) => "receive_trigger",
            Self::Receive(Kind::RequestByTrigger) => "receive_request_by_trigger",
            Self::Receive(Kind::Done) => "receive_done",
            Self::Change => "change",
        })
    }
}

/// Packed as its index in [`Action::ALL`].
impl Pack for Action {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(match self {
            Self::Entry => 0,
            Self::Exit => 1,
            Self::Receive(kind) => 2 + *kind as u8,
            Self::Change => 10,
        });
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Self::ALL.get(usize::from(u8::unpack(from)?)).copied().ok_or(PackError)
    }
}
