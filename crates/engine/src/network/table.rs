//! [`PortTable`]: an arbitrary graph, stored as a table with one slot per port.

use std::fmt;

use acrasin_runtime::pack::{Pack as _, PackError, Saved};
use acrasin_runtime::{NodeId, Topology};

use super::PortNetwork;
use crate::saved::{load_words, save_words};
use crate::unchecked::prefetch;

/// A graph as a table of ports: 4 bytes per port up to Δ = 16, 6 bytes above.
///
/// A node has slots up to its highest port in use, or Δ slots ([`with_room`](Self::with_room)) so that edges can appear
/// later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortTable {
    ports: u16,
    /// The offsets of the nodes' slots; empty if every node has [`stride`](Self::stride) slots.
    first: Vec<u32>,
    stride: u32,
    nodes: u32,
    /// The slots. If Δ is at most 16, a slot has the neighbour in the low 28 bits, and the neighbour's port minus one
    /// in the high 4 bits.
    slots: Vec<u32>,
    /// The neighbours' ports if Δ is above 16, otherwise empty.
    back: Vec<u16>,
    full: bool,
}

/// Errors of constructing a [`PortTable`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PortTableError {
    /// There are more slots than 32-bit offsets can address.
    TooLarge {
        /// The requested number of slots.
        slots: u64,
        /// The maximum number of slots.
        limit: u64,
    },
}

impl fmt::Display for PortTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { slots, limit } => write!(f, "a graph with {slots} port slots: at most {limit}"),
        }
    }
}

impl std::error::Error for PortTableError {}

const PEER_BITS: u32 = 28;
const PEER: u32 = (1 << PEER_BITS) - 1;
const NONE: u32 = u32::MAX;
const PACKED_PORTS: u16 = 16;

impl PortTable {
    /// Creates a table with slots up to the highest port in use at each node.
    ///
    /// # Errors
    ///
    /// There are more than 2^32 - 1 slots.
    pub fn new(topology: &Topology) -> Result<Self, PortTableError> {
        let highest = |node: NodeId| topology.links(node).map(|(port, _)| port.get()).max().unwrap_or(0);
        let room: Vec<u16> = topology.nodes().map(highest).collect();
        Self::build(topology, &room)
    }

    /// Creates a table with slots for all Δ ports at every node.
    ///
    /// # Errors
    ///
    /// There are more than 2^32 - 1 slots.
    pub fn with_room(topology: &Topology) -> Result<Self, PortTableError> {
        Self::build(topology, &vec![topology.ports(); topology.node_count() as usize])
    }

    fn build(topology: &Topology, room: &[u16]) -> Result<Self, PortTableError> {
        let total: u64 = room.iter().map(|&room| u64::from(room)).sum();
        if total > u64::from(NONE - 1) {
            return Err(PortTableError::TooLarge { slots: total, limit: u64::from(NONE - 1) });
        }
        let ports = topology.ports();
        let uniform = room.windows(2).all(|pair| pair[0] == pair[1]);
        let stride = if uniform { u32::from(room.first().copied().unwrap_or(0)) } else { 0 };
        let mut first = Vec::new();
        if !uniform {
            first.reserve_exact(room.len() + 1);
            let mut offset = 0;
            for &room in room {
                first.push(offset);
                offset += u32::from(room);
            }
            first.push(offset);
        }
        let back = vec![0; if ports > PACKED_PORTS { total as usize } else { 0 }];
        let slots = vec![NONE; total as usize];
        let full = total == u64::from(ports) * room.len() as u64 && topology.edge_count() * 2 == total;
        let mut table = Self { ports, first, stride, nodes: topology.node_count(), slots, back, full };
        for node in topology.nodes() {
            for (port, link) in topology.links(node) {
                table.set(node.0, port.get(), Some((link.peer.0, link.peer_port.get())));
            }
        }
        Ok(table)
    }

    /// Whether every node has an edge on each of its Δ ports.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The number of slots of a node. Ports above this number never have an edge.
    #[inline]
    #[must_use]
    pub fn room(&self, node: u32) -> u16 {
        if self.first.is_empty() {
            self.stride as u16
        } else {
            (self.first[node as usize + 1] - self.first[node as usize]) as u16
        }
    }

    /// The number of edges of a node.
    #[must_use]
    pub fn degree(&self, node: u32) -> u16 {
        (1..=self.room(node)).filter(|&port| self.link(node, port).is_some()).count() as u16
    }

    #[inline]
    fn begin(&self, node: u32) -> usize {
        if self.first.is_empty() {
            node as usize * self.stride as usize
        } else {
            self.first[node as usize] as usize
        }
    }

    #[inline]
    fn slot(&self, node: u32, port: u16) -> usize {
        self.begin(node) + usize::from(port) - 1
    }

    /// The number of slots of all nodes.
    pub(crate) fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The number of slots per node, if it is the same for all nodes.
    #[inline(always)]
    pub(crate) fn stride(&self) -> Option<usize> {
        self.first.is_empty().then_some(self.stride as usize)
    }

    /// The index of a node's first slot among those of all nodes.
    #[inline(always)]
    pub(crate) fn first_slot(&self, node: u32) -> usize {
        if self.first.is_empty() {
            node as usize * self.stride as usize
        } else {
            self.first[node as usize] as usize
        }
    }

    /// The slots of a node, if Δ is at most 16. Decode them with [`peer`](Self::peer).
    #[inline(always)]
    pub(crate) fn packed(&self, node: u32) -> &[u32] {
        let node = node as usize;
        if self.first.is_empty() {
            let stride = self.stride as usize;
            &self.slots[node * stride..][..stride]
        } else {
            &self.slots[self.first[node] as usize..self.first[node + 1] as usize]
        }
    }

    /// The neighbour in a packed slot and its port for the same edge; `None` without an edge.
    #[inline(always)]
    pub(crate) fn peer(slot: u32) -> Option<(u32, u32)> {
        (slot != NONE).then_some((slot & PEER, (slot >> PEER_BITS) + 1))
    }

    /// Writes one end of an edge to its slot, or empties the slot. The caller keeps both ends consistent.
    pub(crate) fn set(&mut self, node: u32, port: u16, link: Option<(u32, u16)>) {
        let slot = self.slot(node, port);
        match link {
            None => {
                self.slots[slot] = NONE;
                self.full = false;
            }
            Some((peer, back)) if self.back.is_empty() => {
                self.slots[slot] = peer | u32::from(back - 1) << PEER_BITS;
            }
            Some((peer, back)) => {
                self.slots[slot] = peer;
                self.back[slot] = back;
            }
        }
    }
}

/// Saves the present links. The offsets are not saved, because they follow from the initial graph.
impl Saved for PortTable {
    fn save(&self, into: &mut Vec<u8>) {
        self.full.pack(into);
        save_words(&self.slots, into);
        save_words(&self.back, into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.full.unpack_into(from)?;
        load_words(&mut self.slots, from)?;
        load_words(&mut self.back, from)?;
        let table = &*self;
        let is_slot = |(peer, port): (u32, u16)| peer < table.nodes && (1..=table.room(peer)).contains(&port);
        let mut links = (0..table.nodes)
            .flat_map(|node| (1..=table.room(node)).filter_map(move |port| table.link(node, port)));
        if links.all(is_slot) { Ok(()) } else { Err(PackError) }
    }
}

impl PortNetwork for PortTable {
    const FULL: bool = false;

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn ports(&self) -> u16 {
        self.ports
    }

    #[inline]
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        if port > self.room(node) {
            return None;
        }
        let slot = self.slot(node, port);
        match self.slots[slot] {
            NONE => None,
            packed if self.back.is_empty() => Some((packed & PEER, (packed >> PEER_BITS) as u16 + 1)),
            peer => Some((peer, self.back[slot])),
        }
    }

    fn bytes(&self) -> u64 {
        (self.first.capacity() * size_of::<u32>()
            + self.slots.capacity() * size_of::<u32>()
            + self.back.capacity() * size_of::<u16>()) as u64
    }

    #[inline]
    fn room(&self, node: u32) -> u16 {
        self.room(node)
    }

    #[inline(always)]
    fn peers(&self, node: u32) -> impl Iterator<Item = Option<u32>> {
        let mask = if self.back.is_empty() { PEER } else { u32::MAX };
        let begin = self.begin(node);
        let slots = &self.slots[begin..begin + usize::from(self.room(node))];
        slots.iter().map(move |&slot| (slot != NONE).then_some(slot & mask))
    }

    #[inline(always)]
    fn degree(&self, node: u32) -> u16 {
        if self.full { self.ports } else { self.peers(node).flatten().count() as u16 }
    }

    #[inline(always)]
    fn prefetch(&self, node: u32) {
        let first = self.begin(node);
        prefetch(&self.slots, first);
        // A node's slots may begin in one cache line and end in the next.
        prefetch(&self.slots, first + usize::from(self.ports.clamp(1, PACKED_PORTS)) - 1);
    }
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::Port;

    use super::*;

    fn agrees(table: &PortTable, topology: &Topology) {
        for node in topology.nodes() {
            for port in 1..=topology.ports() {
                let expected =
                    topology.link(node, Port(port)).map(|link| (link.peer.0, link.peer_port.get()));
                assert_eq!(table.link(node.0, port), expected, "{node}.{port}");
            }
        }
    }

    #[test]
    fn the_table_is_the_graph() {
        // A star with a path: irregular; ports with gaps; Δ on both sides of 16.
        for ports in [5, 16, 17, 300] {
            let edges: Vec<(u32, u32)> = (1..=5).map(|leaf| (0, leaf)).chain([(5, 6), (6, 7)]).collect();
            let mut topology = Topology::from_edges(8, ports, &edges).unwrap();
            topology.disconnect(NodeId(0), Port(2)).unwrap();
            topology.connect(NodeId(2), Port(ports), NodeId(7), Port(ports)).unwrap();
            for mut table in [PortTable::new(&topology).unwrap(), PortTable::with_room(&topology).unwrap()] {
                agrees(&table, &topology);
                assert!(!table.is_full());
                let mut changed = topology.clone();
                changed.disconnect(NodeId(2), Port(ports)).unwrap();
                table.set(2, ports, None);
                assert_ne!(table.link(7, ports), None, "the other end has not been told");
                table.set(7, ports, None);
                agrees(&table, &changed);
            }
        }
    }

    #[test]
    fn a_regular_graph_needs_no_offsets() {
        let ring: Vec<(u32, u32)> = (0..10).map(|node| (node, (node + 1) % 10)).collect();
        let topology = Topology::from_edges(10, 2, &ring).unwrap();
        let table = PortTable::new(&topology).unwrap();
        assert!(table.is_full());
        assert_eq!(table.bytes(), 10 * 2 * 4);
        agrees(&table, &topology);
    }
}
