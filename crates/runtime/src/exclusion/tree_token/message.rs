//! [`Message`]: the request and the token.

use std::fmt;

use crate::exclusion::{Identifier, RequestOwner};
use crate::node::NodeId;
use crate::pack::{Pack, PackError};

/// A message of the scheme: a request, or the token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Message {
    /// `request(j)`: node j wants the token. Other nodes may forward the request.
    Request(Identifier),
    /// `token(l)`: the token, lent by node l, or given permanently (`nil`).
    Token(Option<Identifier>),
}

impl Message {
    /// Requests and the outgoing token are about the section for which the client asks. The returning token is about
    /// the section that has ended.
    pub(super) fn request_owner(self, from: NodeId, to: NodeId) -> RequestOwner {
        match self {
            Self::Request(asker) => {
                let asker = NodeId(asker.0);
                RequestOwner { asker: Some(asker), client: asker, is_served: false }
            }
            Self::Token(_) => RequestOwner { asker: Some(to), client: from, is_served: true },
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(client) => write!(f, "request({client})"),
            Self::Token(Some(lender)) => write!(f, "token({lender})"),
            Self::Token(None) => f.write_str("token(nil)"),
        }
    }
}

/// One byte for the smallest identifiers: 0 is `token(nil)`, and larger numbers alternate between requests and lent
/// tokens.
impl Pack for Message {
    fn pack(&self, into: &mut Vec<u8>) {
        let number = match *self {
            Self::Token(None) => 0,
            Self::Request(client) => 1 + 2 * u64::from(client.0),
            Self::Token(Some(lender)) => 2 + 2 * u64::from(lender.0),
        };
        number.pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let Some(number) = u64::unpack(from)?.checked_sub(1) else { return Ok(Self::Token(None)) };
        let identifier = Identifier(u32::try_from(number / 2).map_err(|_| PackError)?);
        Ok(if number % 2 == 0 { Self::Request(identifier) } else { Self::Token(Some(identifier)) })
    }
}
