//! The abstract tree of the proofs, in which the father of a node is the node to which its request is or was sent.

use acrasin_runtime::exclusion::tree_token::{Memory, Message};
use acrasin_runtime::exclusion::{Exclusion, Identifier};
use acrasin_runtime::{CriticalSection, NodeId, Port, World};

use super::Property;

/// The fathers in the abstract tree of the proofs; `None` at a root. Cost: linear in nodes and messages.
///
/// * (a1) The owner of the token is a root: its own lender, with the token or waiting for its return. A node to which
///   the token is in transit, but not as a loan, is also a root.
/// * A node to which the token is in transit as a loan has the sender as father.
/// * (a2) A node whose request is in transit to another node, or in the queue of another node, has that node as
///   father.
/// * (a3) A node on whose behalf another node has asked (its mandator) has that node as father.
/// * All other nodes have their `father`.
///
/// Rule (a3) is read as "asked of i, and mandator of j is i, and j is not i". A node's own call in its own queue does
/// not count in (a2).
#[must_use]
pub fn abstract_tree<E, S>(world: &World<E, S>) -> Vec<Option<NodeId>>
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    let topology = world.topology();
    let mut behind: Vec<Option<NodeId>> = vec![None; topology.node_count() as usize];
    let mut hang = |client: Identifier, on: NodeId| {
        if client.0 != on.0 {
            behind[client.0 as usize] = Some(on);
        }
    };
    for node in topology.nodes() {
        let memory = world.memory(node);
        memory.mandator.into_iter().for_each(|mandator| hang(mandator, node));
        memory.waiting.iter().for_each(|&client| hang(client, node));
    }
    let mut token = None;
    let mut sent = |(from, to): (NodeId, NodeId), message: Message| match message {
        Message::Request(client) => behind[client.0 as usize] = Some(to),
        Message::Token(lender) => token = Some((from, to, lender)),
    };
    for node in topology.nodes() {
        let peer = |port: Port| topology.link(node, port).map_or(node, |link| link.peer);
        for envelope in world.in_transit(node) {
            sent((peer(envelope.port), node), envelope.message);
        }
        for &(port, message) in world.unsent(node) {
            sent((node, peer(port)), message);
        }
    }
    let father = |node: NodeId| {
        let memory = world.memory(node);
        let is_own_lender = memory.lender == Some(memory.identifier);
        match token {
            _ if is_own_lender && (memory.token || memory.asked) => None,
            Some((_, to, None)) if to == node => None,
            Some((from, to, Some(_))) if to == node => Some(from),
            _ => behind[node.index()]
                .filter(|_| memory.asked)
                .or_else(|| memory.father.map(|father| NodeId(father.0))),
        }
    };
    topology.nodes().map(father).collect()
}

/// The invariant that the abstract tree is a rooted tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AbstractTree;

impl<E, S> Property<E, S> for AbstractTree
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "the abstract tree is a rooted tree"
    }
    fn source(&self) -> &'static str {
        "RR-1692, Lemmas 1 to 3"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        let fathers = abstract_tree(world);
        let roots: Vec<NodeId> =
            world.topology().nodes().filter(|node| fathers[node.index()].is_none()).collect();
        if let [first, second, ..] = roots[..] {
            return Err(format!("nodes {first} and {second} are roots"));
        }
        for node in world.topology().nodes() {
            let (mut at, mut steps) = (node, 0);
            while let Some(father) = fathers[at.index()] {
                (at, steps) = (father, steps + 1);
                if steps == fathers.len() {
                    return Err(format!("there is no path from node {node} to a root"));
                }
            }
        }
        Ok(())
    }
}
