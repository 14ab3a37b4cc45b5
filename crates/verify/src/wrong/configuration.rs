//! [`WrongConfiguration`]: the parts of a packed configuration. A wrong world changes these parts as no step does.

use acrasin_runtime::exclusion::local::{Memory, Message, State};
use acrasin_runtime::{Demand, Pack, PackError, Port, PortSet};

/// A detector reading by a node that has not acted since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Read {
    /// The ports that the detector reported.
    pub(super) report: PortSet,
    /// The ports that carried an edge when the detector was read.
    pub(super) alive: PortSet,
}

/// The parts that `World::pack` writes for one node, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NodeConfiguration {
    memory: Memory,
    demand: Demand,
    /// The ports that the disconnection detector reports.
    pub(super) report: PortSet,
    /// The lock set that the node's Lock must return; `None` while the node does not wait.
    expected: Option<PortSet>,
    pub(super) inbox: Vec<(Port, Message)>,
    /// The messages that have not left yet; `None` if messages leave at once.
    pub(super) outbox: Option<Vec<(Port, Message)>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WrongConfiguration {
    /// The remaining numbers of disconnections and connections.
    pub(super) left: [u8; 2],
    pub(super) reads: Vec<Option<Read>>,
    edges: Vec<u8>,
    pub(super) nodes: Vec<NodeConfiguration>,
    /// The holder of each node, packed as `World::pack` writes it.
    holders: Vec<u8>,
}

impl WrongConfiguration {
    /// Parses the output of [`pack`](Self::pack).
    ///
    /// # Panics
    ///
    /// Panics if the bytes are not such an output.
    pub(super) fn unpack(mut bytes: &[u8], nodes: usize, edge_bytes: usize, asynchronous: bool) -> Self {
        let from = &mut bytes;
        let left = [0; 2].map(|_: u8| u8::unpack(from).expect("packed here"));
        let reads = (0..nodes).map(|_| unpack_read(from).expect("packed here")).collect();
        let (edges, nodes, holders) =
            unpack_world(from, nodes, edge_bytes, asynchronous).expect("packed by the world");
        Self { left, reads, edges, nodes, holders }
    }

    /// Replaces the parts of the world by those of a world that `World::pack` has written.
    pub(super) fn set_world(&mut self, packed: &[u8]) {
        let asynchronous = self.nodes.iter().any(|node| node.outbox.is_some());
        let (nodes, edge_bytes) = (self.nodes.len(), self.edges.len());
        (self.edges, self.nodes, self.holders) =
            unpack_world(&mut &*packed, nodes, edge_bytes, asynchronous).expect("packed by the world");
    }

    pub(super) fn pack(&self) -> Vec<u8> {
        let mut into = self.left.to_vec();
        for read in &self.reads {
            into.push(u8::from(read.is_some()));
            if let Some(Read { report, alive }) = read {
                report.pack(&mut into);
                alive.pack(&mut into);
            }
        }
        into.extend(self.pack_world());
        into
    }

    /// Packs the world as `World::pack` does.
    pub(super) fn pack_world(&self) -> Vec<u8> {
        let mut into = self.edges.clone();
        for node in &self.nodes {
            node.memory.pack(&mut into);
            node.demand.pack(&mut into);
            node.report.pack(&mut into);
            if let Some(expected) = &node.expected {
                expected.pack(&mut into);
            }
            for messages in [Some(&node.inbox), node.outbox.as_ref()].into_iter().flatten() {
                (messages.len() as u64).pack(&mut into);
                for (port, message) in messages {
                    port.pack(&mut into);
                    message.pack(&mut into);
                }
            }
        }
        into.extend(&self.holders);
        into
    }
}

fn unpack_read(from: &mut &[u8]) -> Result<Option<Read>, PackError> {
    Ok(match u8::unpack(from)? {
        0 => None,
        _ => Some(Read { report: PortSet::unpack(from)?, alive: PortSet::unpack(from)? }),
    })
}

type ConfigurationParts = (Vec<u8>, Vec<NodeConfiguration>, Vec<u8>);

fn unpack_world(
    from: &mut &[u8],
    nodes: usize,
    edge_bytes: usize,
    asynchronous: bool,
) -> Result<ConfigurationParts, PackError> {
    let (edges, rest) = from.split_at_checked(edge_bytes).ok_or(PackError)?;
    *from = rest;
    let mut all = Vec::with_capacity(nodes);
    for _ in 0..nodes {
        let memory = Memory::unpack(from)?;
        let (demand, report) = (Demand::unpack(from)?, PortSet::unpack(from)?);
        let waits = matches!(memory.state, State::Prepare | State::Compete | State::Win);
        let expected = if waits { Some(PortSet::unpack(from)?) } else { None };
        let inbox = unpack_messages(from)?;
        let outbox = if asynchronous { Some(unpack_messages(from)?) } else { None };
        all.push(NodeConfiguration { memory, demand, report, expected, inbox, outbox });
    }
    Ok((edges.to_vec(), all, std::mem::take(from).to_vec()))
}

fn unpack_messages(from: &mut &[u8]) -> Result<Vec<(Port, Message)>, PackError> {
    (0..u64::unpack(from)?).map(|_| Ok((Port::unpack(from)?, Message::unpack(from)?))).collect()
}
