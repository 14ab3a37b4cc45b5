//! [`Topology`]: the graph at one instant, in flat storage.

use std::hash::{Hash, Hasher};

use super::TopologyError;
use crate::limits::{NODES_MAX, SLOTS_MAX};
use crate::node::NodeId;
use crate::pack::{Pack, PackError, Saved};
use crate::port::{LinkPort, Port, PortSet};

/// The other end of an edge, as seen from a node: the neighbour and its port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The neighbour. Only the simulator knows it; the node's program does not.
    pub peer: NodeId,
    /// The neighbour's port for this edge.
    pub peer_port: LinkPort,
}

/// An edge as a pair of nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The smaller end.
    pub a: NodeId,
    /// The larger end.
    pub b: NodeId,
}

crate::pack_fields!(Edge { a, b });

/// Counts of the messages towards one end of an edge that are in transit or have not left yet.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// The number of messages of initiators.
    pub(crate) initiator: u8,
    /// The number of messages of participants.
    pub(crate) participant: u8,
}

#[derive(Clone, Copy, Debug)]
struct PortSlot {
    // Flat fields: a nested `Link` would cost four bytes of padding.
    peer: NodeId,
    peer_port: LinkPort,
    traffic: Traffic,
}

impl PortSlot {
    #[inline]
    fn link(&self) -> Link {
        Link { peer: self.peer, peer_port: self.peer_port }
    }
}

/// The time-varying graph: `n` nodes with ports `1..=Δ`, each carrying an edge or none, and each node's unread
/// disconnection detector.
///
/// Storage is flat: one block of slots per node, whose length is the largest degree that the node has had, rounded up.
/// So a static graph takes memory only for its edges, and a node of degree 4095 is not a special case. `connect` and
/// `disconnect` take O(1), plus O(smaller degree) for the search for a parallel edge.
///
/// ```
/// use acrasin_runtime::{NodeId, Port, Topology};
/// let mut path = Topology::from_edges(3, 2, &[(0, 1), (1, 2)])?;
/// assert_eq!(path.degree(NodeId(1)), 2);
/// path.disconnect(NodeId(0), Port(1))?;
/// assert!(path.detector(NodeId(1)).contains(Port(1)));
/// assert_eq!(path.link(NodeId(1), Port(1)), None);
/// # Ok::<(), acrasin_runtime::TopologyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Topology {
    ports: u16,
    blocks: Vec<SlotRange>,
    slots: Vec<Option<PortSlot>>,
    /// The unread reports of each node. Empty until an edge vanishes, so a static graph stores no detectors.
    detectors: Vec<PortSet>,
    edges: u64,
    /// The number of edges that have appeared so far.
    stamp: u64,
}

#[derive(Clone, Copy, Debug)]
struct SlotRange {
    first: u32,
    room: u16,
    degree: u16,
}

impl Topology {
    /// Creates a graph of `nodes` nodes with ports `1..=ports` each, and no edges.
    ///
    /// # Errors
    ///
    /// More than [`NODES_MAX`] nodes.
    pub fn new(nodes: u32, ports: u16) -> Result<Self, TopologyError> {
        if nodes > NODES_MAX {
            return Err(TopologyError::TooLarge { asked: u64::from(nodes), limit: u64::from(NODES_MAX) });
        }
        Ok(Self {
            ports,
            blocks: vec![SlotRange { first: 0, room: 0, degree: 0 }; nodes as usize],
            slots: Vec::new(),
            detectors: Vec::new(),
            edges: 0,
            stamp: 0,
        })
    }

    /// Creates a graph without edges that has a slot for each of the ports `1..=ports` of each node. For graphs in
    /// which most ports will carry an edge.
    ///
    /// # Errors
    ///
    /// Too many nodes or slots.
    pub fn with_all_slots(nodes: u32, ports: u16) -> Result<Self, TopologyError> {
        let total = u64::from(nodes) * u64::from(ports);
        // Before the nodes are allocated.
        if nodes <= NODES_MAX && total > SLOTS_MAX {
            return Err(TopologyError::TooLarge { asked: total, limit: SLOTS_MAX });
        }
        let mut topology = Self::new(nodes, ports)?;
        for (block, first) in topology.blocks.iter_mut().zip((0..).step_by(usize::from(ports.max(1)))) {
            (block.first, block.room) = (first, ports);
        }
        topology.slots = vec![None; total as usize];
        Ok(topology)
    }

    /// Creates a graph with the given edges. Each node numbers its ports 1, 2, ... in the order in which its edges are
    /// listed.
    ///
    /// # Errors
    ///
    /// A node that does not exist, a self-loop, an edge listed twice, a degree above `ports`, or too many nodes or
    /// slots. Cost: O(nodes + edges · log degree).
    pub fn from_edges(nodes: u32, ports: u16, edges: &[(u32, u32)]) -> Result<Self, TopologyError> {
        let mut topology = Self::new(nodes, ports)?;
        let mut degrees = vec![0_u32; nodes as usize];
        for &(a, b) in edges {
            for node in [a, b] {
                topology.check_node(NodeId(node))?;
                degrees[node as usize] += 1;
            }
            if a == b {
                return Err(TopologyError::SelfLoop { node: NodeId(a) });
            }
        }
        if let Some(node) = degrees.iter().position(|&degree| degree > u32::from(ports)) {
            let (node, degree) = (NodeId(node as u32), degrees[node]);
            return Err(TopologyError::DegreeAboveDelta { node, degree, ports });
        }
        let total: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
        if total > SLOTS_MAX {
            return Err(TopologyError::TooLarge { asked: total, limit: SLOTS_MAX });
        }
        topology.slots.reserve_exact(total as usize);
        for (block, &degree) in topology.blocks.iter_mut().zip(&degrees) {
            *block = SlotRange { first: topology.slots.len() as u32, room: degree as u16, degree: 0 };
            topology.slots.resize(topology.slots.len() + degree as usize, None);
        }
        for &(a, b) in edges {
            let (a, b) = (NodeId(a), NodeId(b));
            let port = |topology: &Self, node: NodeId| {
                LinkPort::new(topology.blocks[node.index()].degree + 1).expect("a degree is below 65535")
            };
            let (a_port, b_port) = (port(&topology, a), port(&topology, b));
            topology.join(a, a_port, b, b_port);
        }
        topology.check_simple()?;
        Ok(topology)
    }

    fn check_simple(&self) -> Result<(), TopologyError> {
        let mut peers = Vec::new();
        for node in self.nodes() {
            peers.clear();
            peers.extend(self.links(node).map(|(_, link)| link.peer));
            peers.sort_unstable();
            if let Some(pair) = peers.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(TopologyError::Adjacent { a: node, b: pair[0] });
            }
        }
        Ok(())
    }

    fn check_node(&self, node: NodeId) -> Result<(), TopologyError> {
        if node.index() < self.blocks.len() {
            Ok(())
        } else {
            Err(TopologyError::NoSuchNode { node, nodes: self.node_count() })
        }
    }

    fn check_port(&self, node: NodeId, port: Port) -> Result<LinkPort, TopologyError> {
        self.check_node(node)?;
        port.link().filter(|_| port.0 <= self.ports).ok_or(TopologyError::NoSuchPort {
            node,
            port,
            ports: self.ports,
        })
    }

    /// The number of nodes.
    #[inline]
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// All nodes, in increasing order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.blocks.len()).map(|node| NodeId(node as u32))
    }

    /// Δ: the ports of every node are `1..=Δ`.
    #[inline]
    #[must_use]
    pub fn ports(&self) -> u16 {
        self.ports
    }

    /// The number of edges now.
    #[inline]
    #[must_use]
    pub fn edge_count(&self) -> u64 {
        self.edges
    }

    /// The edges now, sorted. Cost: O(nodes + edges).
    #[must_use]
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges: Vec<Edge> = self
            .nodes()
            .flat_map(|a| self.links(a).map(move |(_, link)| Edge { a, b: link.peer }))
            .filter(|edge| edge.a < edge.b)
            .collect();
        edges.sort_unstable();
        edges
    }

    /// The current number of neighbours of `node`.
    #[inline]
    #[must_use]
    pub fn degree(&self, node: NodeId) -> u16 {
        self.blocks[node.index()].degree
    }

    /// The largest current degree.
    #[must_use]
    pub fn degree_max(&self) -> u16 {
        self.blocks.iter().map(|block| block.degree).max().unwrap_or(0)
    }

    #[inline]
    fn slot_index(&self, node: NodeId, port: Port) -> Option<usize> {
        let block = self.blocks[node.index()];
        let place = port.0.wrapping_sub(1);
        (place < block.room).then(|| block.first as usize + usize::from(place))
    }

    #[inline]
    fn slot(&self, node: NodeId, port: Port) -> Option<&PortSlot> {
        self.slots[self.slot_index(node, port)?].as_ref()
    }

    /// The other end of the edge on a port; `None` if the port carries no edge now.
    #[inline]
    #[must_use]
    pub fn link(&self, node: NodeId, port: Port) -> Option<Link> {
        self.slot(node, port).map(PortSlot::link)
    }

    /// The ports of `node` that carry an edge now, in order, with the other ends.
    pub fn links(&self, node: NodeId) -> impl Iterator<Item = (LinkPort, Link)> + '_ {
        let block = self.blocks[node.index()];
        let first = block.first as usize;
        self.slots[first..first + usize::from(block.room)].iter().zip(1..=u16::MAX).filter_map(
            |(slot, port)| {
                slot.as_ref().map(|slot| (LinkPort::new(port).expect("counted from 1"), slot.link()))
            },
        )
    }

    /// The node itself and its ports that carry an edge now: the closed neighbourhood `N[u]`.
    #[must_use]
    pub fn closed_neighbourhood(&self, node: NodeId) -> PortSet {
        let mut ports = PortSet::from_port(Port::SELF);
        for (port, _) in self.links(node) {
            ports.insert(port.into());
        }
        ports
    }

    /// The port of `a` whose edge leads to `b`; `None` if they are not adjacent. Cost: O(degree of `a`).
    #[must_use]
    pub fn port_towards(&self, a: NodeId, b: NodeId) -> Option<LinkPort> {
        self.links(a).find(|(_, link)| link.peer == b).map(|(port, _)| port)
    }

    /// Whether the two nodes are adjacent now. Cost: O(smaller degree).
    #[must_use]
    pub fn adjacent(&self, a: NodeId, b: NodeId) -> bool {
        let (few, many) =
            if self.blocks[a.index()].room <= self.blocks[b.index()].room { (a, b) } else { (b, a) };
        self.port_towards(few, many).is_some()
    }

    /// The lowest port of `node` without an edge, if there is one; adversaries over the graph use it for new edges.
    #[must_use]
    pub fn lowest_open_port(&self, node: NodeId) -> Option<LinkPort> {
        let block = self.blocks[node.index()];
        let first = block.first as usize;
        let open = self.slots[first..first + usize::from(block.room)].iter().position(Option::is_none);
        let port = open.map_or(u32::from(block.room) + 1, |open| open as u32 + 1);
        u16::try_from(port).ok().filter(|&port| port <= self.ports).and_then(LinkPort::new)
    }

    /// The disconnection detector `D(u)`: ports whose edge has vanished since the node's last action.
    #[inline]
    #[must_use]
    pub fn detector(&self, node: NodeId) -> &PortSet {
        static NOTHING: PortSet = PortSet::new();
        assert!(node.index() < self.blocks.len(), "there is no node {node}");
        self.detectors.get(node.index()).unwrap_or(&NOTHING)
    }

    /// Whether the detector has something to report. Called once or twice per step; the detector is nearly always
    /// empty.
    #[inline]
    #[must_use]
    pub(crate) fn has_report(&self, node: NodeId) -> bool {
        self.detectors.get(node.index()).is_some_and(|detector| !detector.is_empty())
    }

    #[inline]
    fn detector_mut(&mut self, node: NodeId) -> &mut PortSet {
        if self.detectors.is_empty() {
            self.detectors.resize(self.blocks.len(), PortSet::new());
        }
        &mut self.detectors[node.index()]
    }

    /// Reads and resets the detector, as every action does at its start.
    #[inline]
    pub(crate) fn read_detector(&mut self, node: NodeId) -> PortSet {
        match self.detectors.get_mut(node.index()) {
            Some(detector) if !detector.is_empty() => detector.take(),
            _ => PortSet::new(),
        }
    }

    /// The link on a port, and the messages in transit over it towards the node; `None` if the port carries no edge.
    #[inline]
    pub(crate) fn link_with_traffic(&self, node: NodeId, port: Port) -> Option<(Link, Traffic)> {
        self.slot(node, port).map(|slot| (slot.link(), slot.traffic))
    }

    #[inline]
    pub(crate) fn traffic_mut(&mut self, node: NodeId, port: Port) -> Option<&mut Traffic> {
        let index = self.slot_index(node, port)?;
        self.slots[index].as_mut().map(|slot| &mut slot.traffic)
    }

    /// Adds an edge instance between port `a_port` of `a` and port `b_port` of `b`.
    ///
    /// A port without an edge can be used even if the node has not yet read that its last edge vanished. Detectors do
    /// not change.
    ///
    /// # Errors
    ///
    /// [`TopologyError`] if a node or port does not exist, a port is taken, or the nodes are equal or adjacent.
    pub fn connect(&mut self, a: NodeId, a_port: Port, b: NodeId, b_port: Port) -> Result<(), TopologyError> {
        let (a_link, b_link) = (self.check_port(a, a_port)?, self.check_port(b, b_port)?);
        if a == b {
            return Err(TopologyError::SelfLoop { node: a });
        }
        for (node, port) in [(a, a_port), (b, b_port)] {
            if self.slot(node, port).is_some() {
                return Err(TopologyError::PortTaken { node, port });
            }
        }
        if self.adjacent(a, b) {
            return Err(TopologyError::Adjacent { a, b });
        }
        for (node, port) in [(a, a_port), (b, b_port)] {
            self.make_room(node, port.0)?;
        }
        self.join(a, a_link, b, b_link);
        Ok(())
    }

    fn join(&mut self, a: NodeId, a_port: LinkPort, b: NodeId, b_port: LinkPort) {
        self.stamp += 1;
        self.edges += 1;
        for (node, port, peer, peer_port) in [(a, a_port, b, b_port), (b, b_port, a, a_port)] {
            let index = self.slot_index(node, port.into()).expect("there is room for the port");
            self.slots[index] = Some(PortSlot { peer, peer_port, traffic: Traffic::default() });
            self.blocks[node.index()].degree += 1;
        }
    }

    /// Moves a node's block to the end of the storage, with room for `port`. The new room is at least twice the
    /// old one, so abandoned blocks exceed the live ones by at most a constant factor.
    fn make_room(&mut self, node: NodeId, port: u16) -> Result<(), TopologyError> {
        let block = self.blocks[node.index()];
        if port <= block.room {
            return Ok(());
        }
        let room = port.max(block.room.saturating_mul(2)).max(4).min(self.ports);
        let first = self.slots.len();
        let asked = first as u64 + u64::from(room);
        if asked > SLOTS_MAX {
            return Err(TopologyError::TooLarge { asked, limit: SLOTS_MAX });
        }
        let old = block.first as usize;
        self.slots.extend_from_within(old..old + usize::from(block.room));
        self.slots.resize(first + usize::from(room), None);
        self.blocks[node.index()] = SlotRange { first: first as u32, room, ..block };
        Ok(())
    }

    /// Removes the edge on a port: the detectors of both ends report their ports. Returns the other end.
    ///
    /// Messages in transit belong to the `World`, which discards them.
    ///
    /// # Errors
    ///
    /// [`TopologyError`] if the node, the port or the edge does not exist.
    pub fn disconnect(&mut self, node: NodeId, port: Port) -> Result<Link, TopologyError> {
        self.check_port(node, port)?;
        let link = self.link(node, port).ok_or(TopologyError::PortOpen { node, port })?;
        for (node, port) in [(node, port), (link.peer, link.peer_port.into())] {
            let index = self.slot_index(node, port).expect("both ends of an edge have a slot");
            self.slots[index] = None;
            self.blocks[node.index()].degree -= 1;
            self.detector_mut(node).insert(port);
        }
        self.edges -= 1;
        Ok(link)
    }

    /// Adds or removes an edge when a configuration is restored: detectors do not report it.
    pub(crate) fn restore_edge(
        &mut self,
        edge: [(NodeId, Port); 2],
        present: bool,
    ) -> Result<(), TopologyError> {
        let [(a, a_port), (b, b_port)] = edge;
        let found =
            self.link(a, a_port).is_some_and(|link| (link.peer, Port::from(link.peer_port)) == (b, b_port));
        match (found, present) {
            (true, false) => {
                for (node, port) in edge {
                    let index = self.slot_index(node, port).expect("both ends of an edge have a slot");
                    self.slots[index] = None;
                    self.blocks[node.index()].degree -= 1;
                }
                self.edges -= 1;
                Ok(())
            }
            (false, true) => self.connect(a, a_port, b, b_port),
            _ => Ok(()),
        }
    }

    /// Sets the unread detector of a node, and clears the counts of messages towards the node.
    #[inline]
    pub(crate) fn restore_node(&mut self, node: NodeId, detector: PortSet) {
        if !(self.detectors.is_empty() && detector.is_empty()) {
            *self.detector_mut(node) = detector;
        }
        let block = self.blocks[node.index()];
        let first = block.first as usize;
        for slot in self.slots[first..first + usize::from(block.room)].iter_mut().flatten() {
            slot.traffic = Traffic::default();
        }
    }

    /// Copies all edges of another graph, with the counts of messages on them.
    #[inline]
    pub(crate) fn assume_links(&mut self, other: &Self) {
        if self.stamp != other.stamp || self.edges != other.edges {
            self.blocks.clone_from(&other.blocks);
        }
        self.slots.clone_from(&other.slots);
        (self.edges, self.stamp) = (other.edges, other.stamp);
    }

    /// Copies the unread detector of a node from another graph.
    #[inline]
    pub(crate) fn assume_detector(&mut self, node: NodeId, other: &Self) {
        if !(self.detectors.is_empty() && other.detectors.is_empty()) {
            self.detector_mut(node).clone_from(other.detector(node));
        }
    }

    /// The size of the storage in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<SlotRange>()
            + self.slots.capacity() * size_of::<Option<PortSlot>>()
            + self.detectors.capacity() * size_of::<PortSet>()
            + self.detectors.iter().map(PortSet::heap_bytes).sum::<usize>()
    }
}

/// Saves the edges and the sizes of the storage, because the record of a run contains the size of the storage. Unread
/// detectors are saved with the nodes.
impl Saved for Topology {
    fn save(&self, into: &mut Vec<u8>) {
        (self.node_count(), self.ports, self.stamp).pack(into);
        (!self.detectors.is_empty(), self.slots.len(), self.slots.capacity()).pack(into);
        for node in self.nodes() {
            self.blocks[node.index()].room.pack(into);
            let up = |&(_, link): &(LinkPort, Link)| node < link.peer;
            (self.links(node).filter(up).count() as u64).pack(into);
            for (port, Link { peer, peer_port }) in self.links(node).filter(up) {
                (Port::from(port), peer, Port::from(peer_port)).pack(into);
            }
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let (nodes, ports, stamp) = <(u32, u16, u64)>::unpack(from)?;
        if (nodes, ports) != (self.node_count(), self.ports) {
            return Err(PackError);
        }
        let (has_detectors, length, capacity) = <(bool, usize, usize)>::unpack(from)?;
        let mut loaded = Self::new(nodes, ports).map_err(|_| PackError)?;
        let mut edges: Vec<[(NodeId, Port); 2]> = Vec::new();
        let mut rooms = 0_u64;
        for a in self.nodes() {
            let room = u16::unpack(from)?;
            loaded.blocks[a.index()] = SlotRange { first: rooms as u32, room, degree: 0 };
            rooms += u64::from(room);
            if room > ports || rooms > SLOTS_MAX {
                return Err(PackError);
            }
            for _ in 0..u64::unpack(from)? {
                let (a_port, b, b_port) = Pack::unpack(from)?;
                edges.push([(a, a_port), (b, b_port)]);
            }
        }
        // Abandoned blocks take less than twice the room of the present ones, and vectors double.
        let (length_max, capacity_max) = (3 * rooms as usize, 2 * length.saturating_add(4));
        if !(rooms as usize..=length_max).contains(&length) || !(length..=capacity_max).contains(&capacity) {
            return Err(PackError);
        }
        loaded.slots.reserve_exact(capacity);
        loaded.slots.resize(length, None);
        for [(a, a_port), (b, b_port)] in edges {
            let has_slots = [(a, a_port), (b, b_port)]
                .iter()
                .all(|&(node, port)| node.0 < nodes && loaded.slot_index(node, port).is_some());
            if !has_slots || loaded.connect(a, a_port, b, b_port).is_err() {
                return Err(PackError);
            }
        }
        if has_detectors {
            loaded.detectors.resize(nodes as usize, PortSet::new());
        }
        loaded.stamp = stamp;
        *self = loaded;
        Ok(())
    }
}

/// Hashes edges by port and unread detectors, but not the age of edges.
impl Hash for Topology {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_ports_and_size(state);
        self.nodes().for_each(|node| self.hash_node(node, state));
    }
}

/// The parts of the graph that a digest covers, in their order.
impl Topology {
    pub(crate) fn hash_ports_and_size(&self, state: &mut impl Hasher) {
        state.write_u16(self.ports);
        state.write_u32(self.node_count());
    }

    pub(crate) fn hash_node(&self, node: NodeId, state: &mut impl Hasher) {
        state.write_u16(self.degree(node));
        for (port, link) in self.links(node) {
            // One write of what `(port, link.peer, link.peer_port).hash` writes in three.
            let ([a, b], [c, d, e, f], [g, h]) =
                (port.get().to_le_bytes(), link.peer.0.to_le_bytes(), link.peer_port.get().to_le_bytes());
            state.write(&[a, b, c, d, e, f, g, h]);
        }
        self.detector(node).hash(state);
    }
}

#[cfg(test)]
mod tests;
