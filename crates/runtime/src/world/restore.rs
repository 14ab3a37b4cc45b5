//! Configurations as byte strings: [`World::pack`] and [`World::restore`].

use super::{Envelope, World};
use crate::exclusion::{Exclusion, Status};
use crate::node::NodeId;
use crate::pack::{Pack, PackError, take_byte};
use crate::port::{Port, PortSet};
use crate::section::CriticalSection;

/// An edge that may exist, with the ports it uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CandidateEdge {
    /// One end and its port.
    pub a: (NodeId, Port),
    /// The other end and its port.
    pub b: (NodeId, Port),
}

impl<E: Exclusion, S: CriticalSection> World<E, S>
where
    E::Memory: Pack,
    E::Message: Pack,
    S::State: Pack,
{
    /// Appends the configuration: which of the candidate edges exist, memories, states, unread detectors, messages in
    /// transit or not yet sent (as multisets), and what the monitors need. Two configurations of one plan are equal if
    /// and only if the bytes are: those that [`digest`](Self::digest) tells apart, and those in which the promises of
    /// the lock layer (what a Lock must return, who holds whom) differ.
    ///
    /// Not in it: the age of messages and edges, counters, and a promise that was broken before.
    ///
    /// # Panics
    ///
    /// Panics if an edge exists that is not a candidate.
    pub fn pack(&self, candidates: &[CandidateEdge], into: &mut Vec<u8>) {
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
        let mut messages = Vec::new();
        for node in self.topology.nodes() {
            self.memory(node).pack(into);
            self.states[node.index()].pack(into);
            self.topology.detector(node).pack(into);
            if self.status(node) == Status::Waiting {
                self.monitor.expected(node).pack(into);
            }
            messages.clear();
            messages.extend(self.in_transit(node).iter().map(|envelope| (envelope.port, envelope.message)));
            pack_messages(&mut messages, into);
            if !self.outboxes.is_empty() {
                messages.clear();
                messages.extend_from_slice(self.unsent(node));
                pack_messages(&mut messages, into);
            }
        }
        into.push(u8::from(self.held() > 0));
        if self.held() > 0 {
            for node in self.topology.nodes() {
                self.holder_of(node).map_or(0, |holder| u64::from(holder.0) + 1).pack(into);
            }
        }
    }

    fn has_edge(&self, edge: &CandidateEdge) -> bool {
        let CandidateEdge { a, b } = *edge;
        let link = self.topology.link(a.0, a.1);
        link.is_some_and(|link| (link.peer, Port::from(link.peer_port)) == b)
    }

    /// Makes this world have the configuration at the front of `from`, which [`pack`](Self::pack) made from a world of
    /// the same plan with the same candidates. The world counts as new: no step yet, no promise broken.
    ///
    /// # Errors
    ///
    /// [`PackError`] if the bytes are not such a configuration; the world is then of no use until the next success.
    pub fn restore(&mut self, candidates: &[CandidateEdge], from: &mut &[u8]) -> Result<(), PackError> {
        self.restore_edges(candidates, from)?;
        self.monitor.restore();
        (self.sequence, self.steps) = (0, 0);
        self.scratch.touched.clear();
        for node in self.topology.nodes() {
            self.memories[node.index()] = E::Memory::unpack(from)?;
            self.states[node.index()] = S::State::unpack(from)?;
            self.topology.restore_node(node, PortSet::unpack(from)?);
            let expected =
                if self.status(node) == Status::Waiting { PortSet::unpack(from)? } else { PortSet::new() };
            self.monitor.restore_expected(node, expected);
            let inbox = &mut self.inboxes[node.index()];
            inbox.clear();
            for _ in 0..u64::unpack(from)? {
                let (port, message) = (Port::unpack(from)?, E::Message::unpack(from)?);
                inbox.push(Envelope { port, message, sequence: self.sequence });
                self.sequence += 1;
            }
            if let Some(outbox) = self.outboxes.get_mut(node.index()) {
                outbox.clear();
                for _ in 0..u64::unpack(from)? {
                    outbox.push((Port::unpack(from)?, E::Message::unpack(from)?));
                }
            }
        }
        self.restore_monitor(from)?;
        for node in self.topology.nodes() {
            self.refresh(node);
        }
        Ok(())
    }

    fn restore_edges(&mut self, candidates: &[CandidateEdge], from: &mut &[u8]) -> Result<(), PackError> {
        let (bits, rest) = from.split_at_checked(candidates.len().div_ceil(8)).ok_or(PackError)?;
        *from = rest;
        let is_set = |index: usize| bits[index / 8] >> (index % 8) & 1 == 1;
        // First those that go: a port may change hands.
        for present in [false, true] {
            for (_, edge) in candidates.iter().enumerate().filter(|&(index, _)| is_set(index) == present) {
                self.topology.restore_edge([edge.a, edge.b], present).map_err(|_| PackError)?;
            }
        }
        Ok(())
    }

    fn restore_monitor(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let nodes = self.topology.node_count();
        for node in self.topology.nodes() {
            for envelope in &self.inboxes[node.index()] {
                let role = self.exclusion.role(envelope.message);
                self.monitor.restore_message((node, envelope.port), role, &mut self.topology);
            }
            for &(port, message) in self.outboxes.get(node.index()).map_or(&[][..], Vec::as_slice) {
                let end = match self.topology.link(node, port) {
                    Some(link) => (link.peer, link.peer_port.into()),
                    None => (node, port),
                };
                self.monitor.restore_message(end, self.exclusion.role(message), &mut self.topology);
            }
        }
        if take_byte(from)? == 1 {
            for member in self.topology.nodes() {
                if let Some(holder) = u64::unpack(from)?.checked_sub(1) {
                    let holder =
                        u32::try_from(holder).ok().filter(|&holder| holder < nodes).ok_or(PackError)?;
                    self.monitor.restore_holder(member, NodeId(holder));
                }
            }
        }
        let holding = self.memories.iter().filter(|memory| self.exclusion.status(memory) == Status::Holding);
        let holders = holding.count() as u32;
        self.monitor.restore_holders(holders);
        Ok(())
    }
}

fn pack_messages<M: Pack + Ord>(messages: &mut [(Port, M)], into: &mut Vec<u8>) {
    messages.sort_unstable();
    (messages.len() as u64).pack(into);
    for (port, message) in messages {
        port.pack(into);
        message.pack(into);
    }
}
