//! The labels.

use std::fmt;

use super::message::Kind;
use crate::pack::{Pack, PackError};

/// An action: a call of the application, or the receipt of a message. The wait for permissions, and the change of state when
/// they are there, are part of the action that ends with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// The entry sequence, on Lock.
    Entry,
    /// The exit sequence, on Unlock.
    Exit,
    /// Upon receiving a message.
    Receive(Kind),
    /// The change of state, where it is a step of its own: under the printed text alone.
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

/// Its number in [`Action::ALL`].
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
