//! Configurations as byte strings: [`World::pack`] and [`World::restore`].

use super::channels::{sort_by_port, sort_messages};
use super::{Envelope, Naming, World};
use crate::exclusion::{Exclusion, Promise, Status};
use crate::node::NodeId;
use crate::pack::{Pack, PackError, take_byte};
use crate::port::{Port, PortSet};
use crate::section::CriticalSection;
use crate::topology::CandidateEdge;

/// Offsets of the parts of a packed configuration: the edges, then one part per node, then the holders.
#[derive(Clone, Debug, Default)]
pub struct PackedOffsets {
    /// Start and end of the edges, then the end of each node's part.
    bounds: Vec<usize>,
    /// Start of each node's messages in transit.
    messages: Vec<usize>,
    /// The number of edges.
    edges: u64,
}

impl<E: Exclusion, S: CriticalSection> World<E, S>
where
    E::Memory: Pack,
    E::Message: Pack,
    S::State: Pack,
{
    /// Appends the configuration: which of the candidate edges exist, memories, states, unread detectors, messages in
    /// transit or not yet sent, and the data that the monitor needs. Messages are written as multisets, or in their
    /// order if it matters.
    ///
    /// Two configurations of one plan are equal if and only if their bytes are. The bytes differ if
    /// [`digest`](Self::digest) differs, and if the data of the promise differ (the ports that a Lock must return, the
    /// holder of each node).
    ///
    /// Not included: the age of messages and edges, counters, and whether a promise was broken before.
    ///
    /// # Panics
    ///
    /// Panics if an edge exists that is not a candidate.
    pub fn pack(&self, candidates: &[CandidateEdge], into: &mut Vec<u8>) {
        self.pack_edges(candidates, into);
        for node in self.topology.nodes() {
            self.pack_own(node, into);
            self.pack_transit(node, into);
        }
        self.pack_holders(into);
    }

    /// Like [`pack`](Self::pack) but faster, for a world that had the configuration `before` and has taken
    /// exactly one step since. Parts that the step has not touched are copied.
    ///
    /// # Panics
    ///
    /// Panics if an edge exists that is not a candidate.
    pub fn pack_changed(
        &self,
        candidates: &[CandidateEdge],
        (before, parts): (&[u8], &PackedOffsets),
        into: &mut Vec<u8>,
    ) {
        // One step adds or removes at most one edge.
        let edges_changed = self.topology.edge_count() != parts.edges;
        if edges_changed {
            self.pack_edges(candidates, into);
        }
        let mut unchanged = parts.bounds[usize::from(edges_changed)];
        for node in self.topology.nodes() {
            if self.scratch.changed().any(|changed| changed == node) {
                into.extend_from_slice(&before[unchanged..parts.bounds[node.index() + 1]]);
                self.pack_own(node, into);
            } else if self.scratch.beside.contains(&node) {
                // It has only received messages.
                into.extend_from_slice(&before[unchanged..parts.messages[node.index()]]);
            } else {
                continue;
            }
            self.pack_transit(node, into);
            unchanged = parts.bounds[node.index() + 2];
        }
        into.extend_from_slice(&before[unchanged..parts.bounds[parts.bounds.len() - 1]]);
        self.pack_holders(into);
    }

    fn pack_edges(&self, candidates: &[CandidateEdge], into: &mut Vec<u8>) {
        let mut found = 0;
        for eight in candidates.chunks(8) {
            let mut bits = 0_u8;
            for (edge, bit) in eight.iter().zip(0..) {
                let present = self.has_edge(edge);
                bits |= u8::from(present) << bit;
                found += u64::from(present);
            }
            into.push(bits);
        }
        assert_eq!(found, self.topology.edge_count(), "every edge must be a candidate");
    }

    fn pack_own(&self, node: NodeId, into: &mut Vec<u8>) {
        self.memory(node).pack(into);
        self.states[node.index()].pack(into);
        self.topology.detector(node).pack(into);
        if self.status(node) == Status::Waiting
            && let Some(claimed) = self.monitor.claimed(node)
        {
            claimed.pack(into);
        }
    }

    fn pack_transit(&self, node: NodeId, into: &mut Vec<u8>) {
        if self.is_fifo() {
            return self.pack_in_order(node, |port| port, into);
        }
        pack_messages(self.in_transit(node), |envelope| (envelope.port, envelope.message), into);
        if !self.outboxes.is_empty() {
            pack_messages(self.unsent(node), |&send| send, into);
        }
    }

    /// Like [`pack_transit`](Self::pack_transit), for channels on which the order matters, with ports renamed by
    /// `name`.
    fn pack_in_order(&self, node: NodeId, name: impl Fn(Port) -> Port, into: &mut Vec<u8>) {
        let mut messages = Vec::new();
        let mut write = |messages: &mut Vec<(Port, E::Message)>| {
            messages.iter_mut().for_each(|(port, _)| *port = name(*port));
            sort_by_port(messages);
            (messages.len() as u64).pack(into);
            for (port, message) in messages {
                port.pack(into);
                message.pack(into);
            }
        };
        self.canonical_inbox(node, &mut messages);
        write(&mut messages);
        if !self.outboxes.is_empty() {
            self.canonical_outbox(node, &mut messages);
            write(&mut messages);
        }
    }

    pub(super) fn pack_holders(&self, into: &mut Vec<u8>) {
        if !E::Promise::REMEMBERS_HOLDERS {
            return;
        }
        into.push(u8::from(self.held() > 0));
        if self.held() > 0 {
            for node in self.topology.nodes() {
                self.holder_of(node).map_or(0, |holder| u64::from(holder.0) + 1).pack(into);
            }
        }
    }

    /// Appends the configuration as [`pack`](Self::pack) would after renaming nodes and ports. States are
    /// copied, so they must not contain names. Returns `false` and appends nothing if the algorithm cannot
    /// rename its memories.
    ///
    /// # Panics
    ///
    /// Panics if `names` is for another number of nodes.
    pub fn pack_renamed(&self, candidates: &[CandidateEdge], names: &Naming, into: &mut Vec<u8>) -> bool {
        let start = into.len();
        for eight in candidates.chunks(8) {
            let bits = eight.iter().zip(0..).map(|(&edge, bit)| {
                let present = self.has_edge(&names.old_edge(edge));
                u8::from(present) << bit
            });
            into.push(bits.fold(0, |all, bit| all | bit));
        }
        for node in self.topology.nodes().map(|new| names.old_node(new)) {
            let ports = names.ports(node);
            let Some(memory) = self.exclusion.rename(self.memory(node), ports) else {
                into.truncate(start);
                return false;
            };
            memory.pack(into);
            self.states[node.index()].pack(into);
            ports.set(self.topology.detector(node)).pack(into);
            if self.status(node) == Status::Waiting
                && let Some(claimed) = self.monitor.claimed(node)
            {
                ports.set(claimed).pack(into);
            }
            if self.is_fifo() {
                self.pack_in_order(node, |port| ports.port(port), into);
                continue;
            }
            let envelope = |envelope: &Envelope<E::Message>| (ports.port(envelope.port), envelope.message);
            pack_messages(self.in_transit(node), envelope, into);
            if !self.outboxes.is_empty() {
                pack_messages(self.unsent(node), |&(port, message)| (ports.port(port), message), into);
            }
        }
        if !E::Promise::REMEMBERS_HOLDERS {
            return true;
        }
        into.push(u8::from(self.held() > 0));
        if self.held() > 0 {
            for node in self.topology.nodes().map(|new| names.old_node(new)) {
                let holder = self.holder_of(node).map(|holder| names.node(holder));
                holder.map_or(0, |holder| u64::from(holder.0) + 1).pack(into);
            }
        }
        true
    }

    fn has_edge(&self, edge: &CandidateEdge) -> bool {
        let CandidateEdge { a, b } = *edge;
        let link = self.topology.link(a.0, a.1);
        link.is_some_and(|link| (link.peer, Port::from(link.peer_port)) == b)
    }

    /// Sets this world to the configuration at the front of `from`, which [`pack`](Self::pack) wrote for a
    /// world of the same plan with the same candidates. Counters start at zero, and no promise counts as
    /// broken.
    ///
    /// # Errors
    ///
    /// [`PackError`] if the bytes are not such a configuration. The world is then unusable until a restore
    /// succeeds.
    pub fn restore(&mut self, candidates: &[CandidateEdge], from: &mut &[u8]) -> Result<(), PackError> {
        self.restore_parts(candidates, (from, 0), &mut PackedOffsets::default())
    }

    /// Like [`restore`](Self::restore), and records the offsets of the parts. `before` is the number of bytes
    /// that precede `from` in the string.
    ///
    /// # Errors
    ///
    /// [`PackError`] if the bytes are not such a configuration. The world is then unusable until a restore
    /// succeeds.
    pub fn restore_parts(
        &mut self,
        candidates: &[CandidateEdge],
        (from, before): (&mut &[u8], usize),
        parts: &mut PackedOffsets,
    ) -> Result<(), PackError> {
        let end = before + from.len();
        parts.bounds.clear();
        parts.messages.clear();
        parts.bounds.push(before);
        self.restore_edges(candidates, from)?;
        parts.edges = self.topology.edge_count();
        parts.bounds.push(end - from.len());
        self.monitor.restore();
        (self.sequence, self.steps) = (0, 0);
        self.scratch.clear_touched();
        for node in self.topology.nodes() {
            self.restore_own(node, from)?;
            parts.messages.push(end - from.len());
            self.restore_transit(node, from)?;
            parts.bounds.push(end - from.len());
        }
        self.restore_monitor(from)?;
        for node in self.topology.nodes() {
            self.refresh(node);
        }
        Ok(())
    }

    fn restore_own(&mut self, node: NodeId, from: &mut &[u8]) -> Result<(), PackError> {
        self.memories[node.index()].unpack_into(from)?;
        self.states[node.index()].unpack_into(from)?;
        self.topology.restore_node(node, PortSet::unpack(from)?);
        let is_kept = self.status(node) == Status::Waiting && self.monitor.claimed(node).is_some();
        self.monitor.restore_claimed(node, if is_kept { PortSet::unpack(from)? } else { PortSet::new() });
        Ok(())
    }

    fn restore_transit(&mut self, node: NodeId, from: &mut &[u8]) -> Result<(), PackError> {
        let inbox = &mut self.inboxes[node.index()];
        inbox.clear();
        for _ in 0..u64::unpack(from)? {
            let (port, message) = (Port::unpack(from)?, E::Message::unpack(from)?);
            inbox.push(Envelope::new(port, message, self.sequence));
            self.sequence += 1;
        }
        if let Some(outbox) = self.outboxes.get_mut(node.index()) {
            outbox.clear();
            for _ in 0..u64::unpack(from)? {
                outbox.push((Port::unpack(from)?, E::Message::unpack(from)?));
            }
        }
        Ok(())
    }

    fn restore_edges(&mut self, candidates: &[CandidateEdge], from: &mut &[u8]) -> Result<(), PackError> {
        let (bits, rest) = from.split_at_checked(candidates.len().div_ceil(8)).ok_or(PackError)?;
        *from = rest;
        let is_set = |index: usize| bits[index / 8] >> (index % 8) & 1 == 1;
        // Missing edges first, because an edge that appears may need a port that they free.
        for present in [false, true] {
            for (_, edge) in candidates.iter().enumerate().filter(|&(index, _)| is_set(index) == present) {
                self.topology.restore_edge([edge.a, edge.b], present).map_err(|_| PackError)?;
            }
        }
        Ok(())
    }

    pub(super) fn restore_monitor(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let nodes = self.topology.node_count();
        for node in self.topology.nodes() {
            for envelope in &self.inboxes[node.index()] {
                let (to, message) = ((node, envelope.port), envelope.message);
                self.monitor.restore_message(&self.exclusion, to, message, &mut self.topology);
            }
            for &(port, message) in self.outboxes.get(node.index()).map_or(&[][..], Vec::as_slice) {
                let end = match self.topology.link(node, port) {
                    Some(link) => (link.peer, link.peer_port.into()),
                    None => (node, port),
                };
                self.monitor.restore_message(&self.exclusion, end, message, &mut self.topology);
            }
        }
        if E::Promise::REMEMBERS_HOLDERS && take_byte(from)? == 1 {
            for member in self.topology.nodes() {
                if let Some(holder) = u64::unpack(from)?.checked_sub(1) {
                    let holder =
                        u32::try_from(holder).ok().filter(|&holder| holder < nodes).ok_or(PackError)?;
                    self.monitor.restore_holder(member, NodeId(holder));
                }
            }
        }
        for node in self.topology.nodes() {
            self.monitor.restore_status(node, self.status(node), &self.topology);
        }
        Ok(())
    }
}

/// Appends messages as a multiset, in sorted order. They are nearly always few, so a buffer on the stack suffices.
#[inline]
fn pack_messages<T, M: Pack + Ord + Copy>(
    messages: &[T],
    read: impl Fn(&T) -> (Port, M),
    into: &mut Vec<u8>,
) {
    const FEW: usize = 8;
    (messages.len() as u64).pack(into);
    let mut write = |sorted: &[(Port, M)]| {
        for (port, message) in sorted {
            port.pack(into);
            message.pack(into);
        }
    };
    let Some(first) = messages.first() else { return };
    if messages.len() <= FEW {
        let mut sorted = [read(first); FEW];
        for (count, message) in messages.iter().enumerate().skip(1) {
            let message = read(message);
            let mut place = count;
            while place > 0 && sorted[place - 1] > message {
                sorted[place] = sorted[place - 1];
                place -= 1;
            }
            sorted[place] = message;
        }
        write(&sorted[..messages.len()]);
    } else {
        let mut sorted: Vec<(Port, M)> = messages.iter().map(read).collect();
        sort_messages(&mut sorted);
        write(&sorted);
    }
}
