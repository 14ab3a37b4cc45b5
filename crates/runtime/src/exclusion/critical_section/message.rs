//! [`Message`]: the eight kinds of messages.

use std::fmt;

use crate::exclusion::RequestOwner;
use crate::node::NodeId;
use crate::pack::{Pack, PackError};

/// The right to be inside or outside the critical section. A request asks for one of the two; the paper has a kind of
/// request for each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Permission {
    /// To be in the critical section (MUTEX).
    Inside,
    /// To be outside the critical section (MUTIN).
    Outside,
}

impl Permission {
    /// Both permissions, in the order of the arbiters of a process.
    pub const ALL: [Self; 2] = [Self::Inside, Self::Outside];

    /// The other one of the two permissions.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Inside => Self::Outside,
            Self::Outside => Self::Inside,
        }
    }

    /// The permission to be inside, or to be outside.
    #[must_use]
    pub fn to_be(inside: bool) -> Self {
        if inside { Self::Inside } else { Self::Outside }
    }
}

/// `X` or `N`, as in the conformance files.
impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inside => "X",
            Self::Outside => "N",
        })
    }
}

/// The kinds of messages, by the paper's names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MessageKind {
    /// A process asks for a permission.
    Request,
    /// An arbiter grants a permission.
    Grant,
    /// A process returns a permission after a change of state.
    Release,
    /// An arbiter asks a process to return a permission.
    Preempt,
    /// A process returns a permission on demand and continues to wait.
    Relinquish,
    /// The leader raises the class of a request.
    Trigger,
    /// The process of a raised request tells its arbiters.
    RequestByTrigger,
    /// The process of a raised request has changed its state, so the leader may raise another.
    Done,
}

impl MessageKind {
    /// All kinds of messages.
    pub const ALL: [Self; 8] = [
        Self::Request,
        Self::Grant,
        Self::Release,
        Self::Preempt,
        Self::Relinquish,
        Self::Trigger,
        Self::RequestByTrigger,
        Self::Done,
    ];
}

/// `Req`, as in the conformance files.
impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request => "Req",
            Self::Grant => "Grant",
            Self::Release => "Rel",
            Self::Preempt => "Pre",
            Self::Relinquish => "Rlq",
            Self::Trigger => "Trg",
            Self::RequestByTrigger => "RbT",
            Self::Done => "Done",
        })
    }
}

/// A message between a process and an arbiter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Message {
    /// The kind of the message.
    pub kind: MessageKind,
    /// The permission that the message is about.
    pub permission: Permission,
    /// The stamp of the request, in messages about one. In a grant: 1 if it is an extra grant, otherwise 0.
    pub stamp: u32,
    /// The sender's clock when it sent the message.
    pub clock: u32,
}

impl Message {
    /// The critical section that the message is about: the section of the process that changes its state, which is the
    /// sender or the receiver. A permission that is returned for another process counts for the process that had it.
    pub(super) fn request_owner(self, from: NodeId, to: NodeId) -> RequestOwner {
        RequestOwner::new(match self.kind {
            MessageKind::Request
            | MessageKind::Release
            | MessageKind::Relinquish
            | MessageKind::RequestByTrigger
            | MessageKind::Done => from,
            MessageKind::Grant | MessageKind::Preempt | MessageKind::Trigger => to,
        })
    }
}

/// Written as in `Req(N, 3)`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, permission, stamp, .. } = self;
        match kind {
            MessageKind::Request | MessageKind::Trigger | MessageKind::RequestByTrigger => {
                write!(f, "{kind}({permission}, {stamp})")
            }
            MessageKind::Grant if *stamp > 0 => write!(f, "{kind}({permission}, extra)"),
            _ => write!(f, "{kind}({permission})"),
        }
    }
}

impl Pack for Message {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(self.kind as u8 * 2 + self.permission as u8);
        self.stamp.pack(into);
        self.clock.pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let byte = usize::from(u8::unpack(from)?);
        let kind = *MessageKind::ALL.get(byte / 2).ok_or(PackError)?;
        let (stamp, clock) = (u32::unpack(from)?, u32::unpack(from)?);
        Ok(Self { kind, permission: Permission::ALL[byte % 2], stamp, clock })
    }
}
