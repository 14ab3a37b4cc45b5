//! The messages that may be received or leave next: any of them, or the oldest in each direction of an edge if the
//! algorithm assumes FIFO.

use std::cmp::Ordering;

use super::{Envelope, World};
use crate::exclusion::Exclusion;
use crate::node::NodeId;
use crate::port::Port;
use crate::section::CriticalSection;
use crate::step::StepError;

impl<E: Exclusion, S: CriticalSection> World<E, S> {
    #[inline]
    pub(super) fn is_fifo(&self) -> bool {
        self.exclusion.assumes().is_fifo()
    }

    /// The messages that the node may receive next: all in transit to it, or only the oldest on each port if channels
    /// are first in, first out. In no particular order.
    pub fn receivable(&self, node: NodeId) -> impl Iterator<Item = &Envelope<E::Message>> {
        let inbox = self.in_transit(node);
        let is_fifo = self.is_fifo();
        inbox.iter().filter(move |&envelope| !is_fifo || std::ptr::eq(oldest_on(inbox, envelope), envelope))
    }

    /// The message that the node must receive first in order to receive `envelope`: `envelope` itself, or the oldest on
    /// the same port if channels are first in, first out.
    #[must_use]
    pub fn first_for<'w>(
        &'w self,
        node: NodeId,
        envelope: &'w Envelope<E::Message>,
    ) -> &'w Envelope<E::Message> {
        if self.is_fifo() { oldest_on(self.in_transit(node), envelope) } else { envelope }
    }

    /// The messages that may leave the node next: all that have not left, or only the first on each port if channels
    /// are first in, first out.
    pub(super) fn may_leave(&self, node: NodeId) -> impl Iterator<Item = (Port, E::Message)> {
        let unsent = self.unsent(node);
        let is_fifo = self.is_fifo();
        unsent.iter().enumerate().filter_map(move |(index, &send)| {
            let first = !is_fifo || unsent[..index].iter().all(|&(port, _)| port != send.0);
            first.then_some(send)
        })
    }

    /// Position in the inbox of a message that the node may receive now.
    #[inline]
    pub(super) fn find_in_transit(
        &self,
        node: NodeId,
        port: Port,
        message: E::Message,
    ) -> Result<usize, StepError> {
        let inbox = &self.inboxes[node.index()];
        let is_it = |envelope: &Envelope<E::Message>| envelope.port == port && envelope.message == message;
        let found = inbox.iter().position(is_it).ok_or(StepError::NoSuchMessage(node))?;
        if self.is_fifo() {
            let oldest = oldest_on(inbox, &inbox[found]);
            if oldest.message != message {
                return Err(StepError::NotFirst(node, port));
            }
            // The oldest of equal messages.
            return Ok(inbox.iter().position(|other| other.sequence() == oldest.sequence()).unwrap_or(found));
        }
        Ok(found)
    }

    /// Position in the outbox of a message that may leave now.
    pub(super) fn find_unsent(
        &self,
        node: NodeId,
        port: Port,
        message: E::Message,
    ) -> Result<usize, StepError> {
        let unsent = self.unsent(node);
        let found = unsent.iter().position(|&send| send == (port, message));
        let found = found.ok_or(StepError::NoSuchMessage(node))?;
        if self.is_fifo() && unsent[..found].iter().any(|&(other, _)| other == port) {
            return Err(StepError::NotFirst(node, port));
        }
        Ok(found)
    }

    /// Writes the messages in transit to a node in a canonical order: sorted, or by port and age if the order on a port
    /// matters.
    pub(super) fn canonical_inbox(&self, node: NodeId, into: &mut Vec<(Port, E::Message)>) {
        into.clear();
        if self.is_fifo() {
            let inbox = self.in_transit(node);
            let age = |at: usize| (inbox[at].port, inbox[at].sequence());
            let order = positions(inbox.len(), &|a, b| age(a).cmp(&age(b)));
            into.extend(order.into_iter().map(|at| (inbox[at].port, inbox[at].message)));
        } else {
            into.extend(self.in_transit(node).iter().map(|envelope| (envelope.port, envelope.message)));
            sort_messages(into);
        }
    }

    /// Like [`canonical_inbox`](Self::canonical_inbox), for the messages that have not left a node.
    pub(super) fn canonical_outbox(&self, node: NodeId, into: &mut Vec<(Port, E::Message)>) {
        into.clear();
        into.extend_from_slice(self.unsent(node));
        if self.is_fifo() {
            sort_by_port(into);
        } else {
            sort_messages(into);
        }
    }
}

/// Sorts messages by port and keeps the order on each port.
pub(super) fn sort_by_port<M: Copy>(messages: &mut Vec<(Port, M)>) {
    if messages.is_sorted_by_key(|&(port, _)| port) {
        return;
    }
    let order = positions(messages.len(), &|a, b| messages[a].0.cmp(&messages[b].0));
    *messages = order.into_iter().map(|at| messages[at]).collect();
}

/// Sorts messages by port and content.
pub(super) fn sort_messages<M: Copy + Ord>(messages: &mut Vec<(Port, M)>) {
    if messages.is_sorted() {
        return;
    }
    let order = positions(messages.len(), &|a, b| messages[a].cmp(&messages[b]));
    *messages = order.into_iter().map(|at| messages[at]).collect();
}

/// The positions of a list, sorted by its elements; the sort is stable. Positions are sorted instead of elements, so
/// that the sort is compiled once for all algorithms.
#[inline(never)]
fn positions(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// The oldest message in the inbox on the port of `envelope`, which is in the inbox.
fn oldest_on<'w, M>(inbox: &'w [Envelope<M>], envelope: &'w Envelope<M>) -> &'w Envelope<M> {
    let same_port = inbox.iter().filter(|other| other.port == envelope.port);
    same_port.min_by_key(|other| other.sequence()).unwrap_or(envelope)
}
