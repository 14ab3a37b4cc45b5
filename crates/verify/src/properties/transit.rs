//! At most one message is in transit for each edge and initiator: at most two on an edge, and one on port 0.

use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::exclusion::{Exclusion, Role};
use acrasin_runtime::{CriticalSection, NodeId, Port, World};

use super::Property;

/// At most two messages are in transit on an edge, counting both directions, and at most one from a node to itself
/// (Theorem 4.1, specification 3.4). For each initiator an edge carries the request or the reply, never both. Messages
/// that have not left yet count too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwoInTransit;

impl<E, S> Property<E, S> for TwoInTransit
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "at most two messages in transit on an edge"
    }
    fn source(&self) -> &'static str {
        "Theorem 4.1"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        // An edge is identified by the initiator's end.
        let mut seen: Vec<(NodeId, Port)> = Vec::new();
        let topology = world.topology();
        let mut count = |receiver: NodeId, port: Port, message: Message| {
            let initiator = match (message.role(), topology.link(receiver, port)) {
                (Role::Initiator, Some(link)) => (link.peer, link.peer_port.into()),
                (Role::Participant, _) | (_, None) => (receiver, port),
            };
            if seen.contains(&initiator) {
                let (node, port) = initiator;
                return Err(format!(
                    "two messages in transit for the Lock of node {node} on its port {port}"
                ));
            }
            seen.push(initiator);
            Ok(())
        };
        for node in topology.nodes() {
            for envelope in world.in_transit(node) {
                count(node, envelope.port, envelope.message)?;
            }
            for &(port, message) in world.unsent(node) {
                match topology.link(node, port) {
                    Some(link) => count(link.peer, link.peer_port.into(), message)?,
                    None => count(node, port, message)?,
                }
            }
        }
        Ok(())
    }
}
