//! The state of a run as bytes: [`World::save`] and [`World::load`].

use super::{Envelope, World};
use crate::exclusion::{Exclusion, Promise};
use crate::node::NodeId;
use crate::pack::{Pack, PackError, Saved as _, pack_list};
use crate::port::{Port, PortSet};
use crate::section::CriticalSection;

/// Sequence numbers of messages are below this bound.
const SEQUENCES: u64 = 1 << 48;

impl<E: Exclusion, S: CriticalSection> World<E, S>
where
    E::Memory: Pack,
    E::Message: Pack,
    S::State: Pack,
{
    /// Appends everything that later steps depend on: the configuration with the age and the order of messages, the
    /// order of active nodes, counters, and the capacities that [`bytes`](Self::bytes) counts. `has_graph` says
    /// whether edges are saved; they need not be if the graph never changes.
    ///
    /// Returns `false` if a promise is broken, because such a run has ended.
    ///
    /// Size: about ten bytes per node and per message, and five per edge.
    pub fn save(&self, has_graph: bool, into: &mut Vec<u8>) -> bool {
        if self.violation().is_some() {
            return false;
        }
        (self.topology.node_count(), self.sequence, self.steps).pack(into);
        if has_graph {
            self.topology.save(into);
        }
        for node in self.topology.nodes() {
            self.memory(node).pack(into);
            self.states[node.index()].pack(into);
            self.topology.detector(node).pack(into);
            if let Some(claimed) = self.monitor.claimed(node) {
                claimed.pack(into);
            }
            let inbox = &self.inboxes[node.index()];
            (inbox.len(), inbox.capacity()).pack(into);
            for envelope in inbox {
                // New messages have short numbers.
                let age = self.sequence - envelope.sequence();
                (envelope.port, age).pack(into);
                envelope.message.pack(into);
            }
            if let Some(outbox) = self.outboxes.get(node.index()) {
                (outbox.len(), outbox.capacity()).pack(into);
                for &(port, message) in outbox {
                    port.pack(into);
                    message.pack(into);
                }
            }
        }
        self.pack_holders(into);
        pack_list(self.active.members().iter(), into);
        true
    }

    /// Loads the state that [`save`](Self::save) wrote for a world of the same plan.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state. The world is then unusable until a load succeeds.
    pub fn load(&mut self, has_graph: bool, from: &mut &[u8]) -> Result<(), PackError> {
        let (nodes, sequence, steps) = <(u32, u64, u64)>::unpack(from)?;
        if nodes != self.topology.node_count() || sequence >= SEQUENCES {
            return Err(PackError);
        }
        (self.sequence, self.steps) = (sequence, steps);
        if has_graph {
            self.topology.load(from)?;
        }
        self.monitor.restore();
        self.scratch.clear_touched();
        // A load that failed before may have left the order of active nodes incomplete.
        self.active.clear();
        for node in self.topology.nodes() {
            self.memories[node.index()] = Pack::unpack(from)?;
            self.states[node.index()].unpack_into(from)?;
            self.topology.restore_node(node, PortSet::unpack(from)?);
            if self.monitor.claimed(node).is_some() {
                self.monitor.restore_claimed(node, PortSet::unpack(from)?);
            }
            self.load_messages(node, from)?;
        }
        self.restore_monitor(from)?;
        for node in self.topology.nodes() {
            self.refresh(node);
        }
        self.active.order(&Vec::unpack(from)?)
    }

    fn load_messages(&mut self, node: NodeId, from: &mut &[u8]) -> Result<(), PackError> {
        let mut inbox = list_with_capacity(self.sequence, from)?;
        let (topology, sequence) = (&self.topology, self.sequence);
        let has_port = |port: Port| port.is_self() || topology.link(node, port).is_some();
        for _ in 0..inbox.0 {
            let (port, age) = <(Port, u64)>::unpack(from)?;
            let message = E::Message::unpack(from)?;
            let sent = sequence.checked_sub(age).filter(|&sent| sent < sequence && has_port(port));
            inbox.1.push(Envelope::new(port, message, sent.ok_or(PackError)?));
        }
        self.inboxes[node.index()] = inbox.1;
        if self.outboxes.is_empty() {
            return Ok(());
        }
        let mut outbox = list_with_capacity(u64::MAX, from)?;
        for _ in 0..outbox.0 {
            let port = Port::unpack(from)?;
            if !has_port(port) {
                return Err(PackError);
            }
            outbox.1.push((port, E::Message::unpack(from)?));
        }
        self.outboxes[node.index()] = outbox.1;
        Ok(())
    }
}

/// The largest capacity that is restored. No list of a run is larger, so a larger number is refused.
const CAPACITY_MAX: usize = 1 << 16;

/// Reads the number of elements that follow, at most `most`. Also returns an empty list with the saved capacity.
fn list_with_capacity<T>(most: u64, from: &mut &[u8]) -> Result<(usize, Vec<T>), PackError> {
    let (length, capacity) = <(usize, usize)>::unpack(from)?;
    // Each element takes at least two bytes.
    if length as u64 > most
        || length > from.len() / 2
        || capacity < length
        || capacity > CAPACITY_MAX.max(2 * length)
    {
        return Err(PackError);
    }
    Ok((length, Vec::with_capacity(capacity)))
}
