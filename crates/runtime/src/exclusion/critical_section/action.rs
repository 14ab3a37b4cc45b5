//! [`Action`]: the actions of a process.

use std::fmt;

use super::message::MessageKind;
use crate::pack::{Pack, PackError};

/// A call of the application, or the receipt of a message. Every action ends with a test: if all permissions are
/// granted, the process changes its state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// The entry sequence, on Lock.
    Entry,
    /// The exit sequence, on Unlock.
    Exit,
    /// The handler of a message of this kind.
    Receive(MessageKind),
    /// The change of state as a separate step, only with
    /// [`SectionErratum::ChangeApart`](super::SectionErratum::ChangeApart).
    Change,
}

impl Action {
    /// All actions; an action is packed as its index here.
    pub const ALL: [Self; 11] = [
        Self::Entry,
        Self::Exit,
        Self::Receive(MessageKind::Request),
        Self::Receive(MessageKind::Grant),
        Self::Receive(MessageKind::Release),
        Self::Receive(MessageKind::Preempt),
        Self::Receive(MessageKind::Relinquish),
        Self::Receive(MessageKind::Trigger),
        Self::Receive(MessageKind::RequestByTrigger),
        Self::Receive(MessageKind::Done),
        Self::Change,
    ];
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entry => "entry",
            Self::Exit => "exit",
            Self::Receive(MessageKind::Request) => "receive_request",
            Self::Receive(MessageKind::Grant) => "receive_grant",
            Self::Receive(MessageKind::Release) => "receive_release",
            Self::Receive(MessageKind::Preempt) => "receive_preempt",
            Self::Receive(MessageKind::Relinquish) => "receive_relinquish",
            Self::Receive(MessageKind::Trigger) => "receive_trigger",
            Self::Receive(MessageKind::RequestByTrigger) => "receive_request_by_trigger",
            Self::Receive(MessageKind::Done) => "receive_done",
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
