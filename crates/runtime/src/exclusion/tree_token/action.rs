//! [`Action`]: the actions of a node.

use std::fmt;

use crate::pack::{Pack, PackError};

/// An action, by the paper's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// `enter_cs`, on Lock.
    EnterCs,
    /// `exit_cs`, on Unlock.
    ExitCs,
    /// The handler of `request(j)`.
    ReceiveRequest,
    /// The handler of `token(l)`.
    ReceiveToken,
    /// The end of a `wait(not asked)` as a separate step, only with
    /// [`TokenErratum::DrainedApart`](super::TokenErratum::DrainedApart).
    Wake,
}

impl Action {
    /// All actions; an action is packed as its index here.
    pub const ALL: [Self; 5] =
        [Self::EnterCs, Self::ExitCs, Self::ReceiveRequest, Self::ReceiveToken, Self::Wake];
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EnterCs => "enter_cs",
            Self::ExitCs => "exit_cs",
            Self::ReceiveRequest => "receive_request",
            Self::ReceiveToken => "receive_token",
            Self::Wake => "wake",
        })
    }
}

/// Packed as its index in [`Action::ALL`].
impl Pack for Action {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(*self as u8);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Self::ALL.get(usize::from(u8::unpack(from)?)).copied().ok_or(PackError)
    }
}
