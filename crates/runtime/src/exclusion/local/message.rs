//! [`Message`]: the eight kinds of messages.

use std::fmt;

use super::Action;
use crate::exclusion::Role;

/// A priority, drawn uniformly from `0..K`.
// Packed, so that a message takes 5 bytes instead of 8: many are in transit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(Rust, packed)]
pub struct Priority(pub u32);

/// A message of the algorithm: 3 bits, and log₂ K bits for the priority of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Message {
    /// Initiator: I want to lock you.
    Prepare,
    /// Participant: you may compete.
    Ready,
    /// Initiator: I compete with this priority.
    RequestLock(Priority),
    /// Participant: you had the unique highest priority here, or not.
    Win(bool),
    /// Initiator: you are in my lock set.
    SetLock,
    /// Participant: I am in your lock set.
    AckLock,
    /// Initiator: you are free.
    ReleaseLock,
    /// Participant: I am free.
    AckUnlock,
}

impl Message {
    /// The action that receives this message.
    #[inline]
    #[must_use]
    pub fn received_by(self) -> Action {
        match self {
            Self::Prepare => Action::ReceivePrepare,
            Self::Ready => Action::ReceiveReady,
            Self::RequestLock(_) => Action::ReceiveRequest,
            Self::Win(_) => Action::ReceiveWin,
            Self::SetLock => Action::ReceiveSetLock,
            Self::AckLock => Action::ReceiveAckLock,
            Self::ReleaseLock => Action::ReceiveRelease,
            Self::AckUnlock => Action::ReceiveAckUnlock,
        }
    }

    /// Whether the initiator of a Lock or a participant sends the message.
    #[inline]
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Self::Prepare | Self::RequestLock(_) | Self::SetLock | Self::ReleaseLock => Role::Initiator,
            Self::Ready | Self::Win(_) | Self::AckLock | Self::AckUnlock => Role::Participant,
        }
    }

    /// The name of the message's kind in the paper and in files, without its argument.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Prepare => "prepare",
            Self::Ready => "ready",
            Self::RequestLock(_) => "request-lock",
            Self::Win(_) => "win",
            Self::SetLock => "set-lock",
            Self::AckLock => "ack-lock",
            Self::ReleaseLock => "release-lock",
            Self::AckUnlock => "ack-unlock",
        }
    }

    /// The names of all kinds, in the order in which a Lock and its Unlock use them.
    pub const KINDS: [&'static str; 8] =
        ["prepare", "ready", "request-lock", "win", "set-lock", "ack-lock", "release-lock", "ack-unlock"];

    /// The index of the message's kind in [`Message::KINDS`].
    #[inline]
    #[must_use]
    pub fn kind_index(self) -> usize {
        match self {
            Self::Prepare => 0,
            Self::Ready => 1,
            Self::RequestLock(_) => 2,
            Self::Win(_) => 3,
            Self::SetLock => 4,
            Self::AckLock => 5,
            Self::ReleaseLock => 6,
            Self::AckUnlock => 7,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::RequestLock(Priority(priority)) => write!(f, "request-lock({priority})"),
            Self::Win(won) => write!(f, "win({won})"),
            other => f.write_str(other.kind()),
        }
    }
}
