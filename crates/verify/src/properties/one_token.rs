//! There is exactly one token, held or in transit, and a node inside has the token.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::tree_token::{Application, Memory, Message};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// The token is unique, and the nodes' variables agree with its position.
///
/// There is one token: held, in transit or about to be sent. A node inside has the token. A node that has the token and
/// does not serve a client is its own lender. Only a node that serves a client has asked for the token, and only once.
/// A node that has lent the token waits for its return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneToken;

impl<E, S> Property<E, S> for OneToken
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "one token, and who is inside has it"
    }
    fn source(&self) -> &'static str {
        "RR-1692, Properties 1 to 3"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        let is_token = |message: &Message| matches!(message, Message::Token(_));
        let count = |node| {
            let coming = world.in_transit(node).iter().filter(|envelope| is_token(&envelope.message)).count();
            let going = world.unsent(node).iter().filter(|(_, message)| is_token(message)).count();
            usize::from(world.memory(node).token) + coming + going
        };
        let mut requests = vec![0; world.topology().node_count() as usize];
        for node in world.topology().nodes() {
            let coming = world.in_transit(node).iter().map(|envelope| &envelope.message);
            for message in coming.chain(world.unsent(node).iter().map(|(_, message)| message)) {
                if let Message::Request(client) = message {
                    requests[client.0 as usize] += 1;
                }
            }
        }
        let tokens: usize = world.topology().nodes().map(count).sum();
        if tokens != 1 {
            return Err(format!("there are {tokens} tokens"));
        }
        each_node(world, |node, memory| {
            let Memory { identifier, token, asked, lender, mandator, application, .. } = memory;
            let outstanding: usize = requests[node.index()];
            let fault = if outstanding > usize::from(*asked) {
                "has a request on its way that it does not wait for"
            } else if *application == Application::Inside && !token {
                "is inside without the token"
            } else if *token && !asked && *lender != Some(*identifier) {
                "has the token and no client, and is not its lender"
            } else if mandator.is_some() && !asked {
                "has asked for the token for no node"
            } else if !token && *lender == Some(*identifier) && !(*asked && mandator.is_none()) {
                "has lent the token and does not wait for it"
            } else {
                return None;
            };
            Some(fault.to_owned())
        })
    }
}
