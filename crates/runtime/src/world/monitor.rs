//! The promises of the lock layer, checked after every step at a cost proportional to the step.
//!
//! A broken promise is a result, not a panic: the published rules break some of them, and that must be shown.

use std::fmt;

use crate::exclusion::Role;
use crate::node::NodeId;
use crate::port::{Port, PortSet};
use crate::topology::Topology;

/// A promise of the lock layer that did not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Violation {
    /// Mutual exclusion: two holders hold one node.
    CommonNode {
        /// The node.
        node: NodeId,
        /// Who held it.
        first: NodeId,
        /// Who holds it too.
        second: NodeId,
    },
    /// A Lock returned other ports than the node and its persistent neighbours.
    WrongLockSet {
        /// The holder.
        node: NodeId,
        /// What it returned.
        returned: PortSet,
        /// The neighbours connected without interruption since Lock was called, and the node itself.
        persistent: PortSet,
    },
    /// A Lock returned a port whose owner has not set its lock for the holder.
    MemberNotLocked {
        /// The holder.
        node: NodeId,
        /// The port.
        port: Port,
    },
    /// A critical section got access to a node that its holder does not hold.
    StrangerInSection {
        /// The holder.
        node: NodeId,
        /// Its port towards the stranger.
        port: Port,
    },
    /// A node that is held changed its lock.
    HeldNodeChangedLock {
        /// The node.
        node: NodeId,
        /// Its holder.
        holder: NodeId,
    },
    /// More than one message of one initiator's Lock in transit on one edge, or two sends of one role on one port.
    TooManyMessages {
        /// The sender.
        node: NodeId,
        /// Its port.
        port: Port,
        /// Whose turn it was.
        role: Role,
    },
    /// A release-lock came from a node that does not own the lock.
    ForeignRelease {
        /// The receiver.
        node: NodeId,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommonNode { node, first, second } => {
                write!(f, "mutual exclusion violated: nodes {first} and {second} both hold node {node}")
            }
            Self::WrongLockSet { node, returned, persistent } => write!(
                f,
                "Lock of node {node} returned {returned}, but its persistent closed neighbourhood is {persistent}"
            ),
            Self::MemberNotLocked { node, port } => {
                write!(f, "Lock of node {node} returned port {port}, whose owner is not locked by it")
            }
            Self::StrangerInSection { node, port } => {
                write!(
                    f,
                    "the critical section of node {node} reached a node by port {port} that it does not hold"
                )
            }
            Self::HeldNodeChangedLock { node, holder } => {
                write!(f, "node {node} changed its lock while node {holder} holds it")
            }
            Self::TooManyMessages { node, port, role } => write!(
                f,
                "node {node} sent a second {} message on port {port} before the first was answered",
                match role {
                    Role::Initiator => "initiator's",
                    Role::Participant => "participant's",
                }
            ),
            Self::ForeignRelease { node } => {
                write!(f, "node {node} received release-lock from a node that does not own its lock")
            }
        }
    }
}

impl std::error::Error for Violation {}

#[derive(Clone, Debug)]
pub(super) struct Monitor {
    holder: Vec<Option<Holder>>,
    /// The lock set that each node's last accepted Lock must return: what it asked for, without the ports whose edge
    /// has ended since.
    expected: Vec<PortSet>,
    /// Messages in transit from a node to itself.
    to_self: Vec<u8>,
    holders: u32,
    held: u32,
    violation: Option<Violation>,
}

/// A node, in four bytes with `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Holder(std::num::NonZeroU32);

impl Holder {
    fn new(node: NodeId) -> Self {
        Self(std::num::NonZeroU32::MIN.saturating_add(node.0))
    }
    fn node(self) -> NodeId {
        NodeId(self.0.get() - 1)
    }
}

impl Monitor {
    pub(super) fn new(nodes: u32) -> Self {
        Self {
            holder: vec![None; nodes as usize],
            expected: vec![PortSet::new(); nodes as usize],
            to_self: vec![0; nodes as usize],
            holders: 0,
            held: 0,
            violation: None,
        }
    }

    #[inline]
    pub(super) fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    pub(super) fn report(&mut self, violation: Violation) {
        self.violation.get_or_insert(violation);
    }

    pub(super) fn holders(&self) -> u32 {
        self.holders
    }

    #[inline]
    pub(super) fn held(&self) -> u32 {
        self.held
    }

    #[inline]
    pub(super) fn holder_of(&self, node: NodeId) -> Option<NodeId> {
        self.holder[node.index()].map(Holder::node)
    }

    pub(super) fn lock_called(&mut self, node: NodeId, claimed: &PortSet) {
        self.expected[node.index()].clone_from(claimed);
    }

    /// The edge on a port of `node` to `other` has ended.
    pub(super) fn edge_ended(&mut self, node: NodeId, port: Port, other: NodeId) {
        self.expected[node.index()].remove(port);
        self.let_go(node, other);
    }

    /// The returned lock set against the definition, and who holds whom from now on. `locked_by` reads a node's lock.
    pub(super) fn granted(
        &mut self,
        node: NodeId,
        returned: &PortSet,
        topology: &Topology,
        locked_by: impl Fn(NodeId) -> Option<Port>,
    ) {
        let expected = &self.expected[node.index()];
        if returned != expected {
            let persistent = expected.clone();
            self.report(Violation::WrongLockSet { node, returned: returned.clone(), persistent });
        }
        self.holders += 1;
        for port in returned {
            let (member, their_port) = match topology.link(node, port) {
                _ if port.is_self() => (node, Port::SELF),
                Some(link) => (link.peer, link.peer_port.into()),
                // Already reported as a wrong lock set.
                None => continue,
            };
            if locked_by(member) != Some(their_port) || topology.detector(member).contains(their_port) {
                self.report(Violation::MemberNotLocked { node, port });
            }
            match self.holder[member.index()] {
                Some(first) if first.node() != node => {
                    self.report(Violation::CommonNode { node: member, first: first.node(), second: node });
                }
                Some(_) => {}
                None => {
                    self.holder[member.index()] = Some(Holder::new(node));
                    self.held += 1;
                }
            }
        }
    }

    /// A critical section is about to get access to a member.
    pub(super) fn entering(&mut self, node: NodeId, port: Port, member: NodeId) {
        if self.holder_of(member) != Some(node) {
            self.report(Violation::StrangerInSection { node, port });
        }
    }

    /// The holder begins to release the members it still holds.
    pub(super) fn releasing(&mut self, node: NodeId, members: &[(Port, NodeId)]) {
        self.holders = self.holders.saturating_sub(1);
        self.let_go(node, node);
        for &(_, member) in members {
            self.let_go(node, member);
        }
    }

    /// `member` is not in the lock set of `node` any more.
    pub(super) fn let_go(&mut self, node: NodeId, member: NodeId) {
        let holder = &mut self.holder[member.index()];
        if *holder == Some(Holder::new(node)) {
            *holder = None;
            self.held -= 1;
        }
    }

    #[inline]
    pub(super) fn lock_after_action(&mut self, node: NodeId, before: Option<Port>, after: Option<Port>) {
        if let (Some(holder), true) = (self.holder[node.index()], before != after) {
            self.report(Violation::HeldNodeChangedLock { node, holder: holder.node() });
        }
    }

    /// A message is on its way, or about to be. Per edge and initiator there is at most one, request or reply; so an
    /// action sends at most one message of each role on a port, and an edge carries at most two.
    #[inline]
    pub(super) fn sent(&mut self, node: NodeId, port: Port, role: Role, topology: &mut Topology) {
        let alone = match topology.link(node, port) {
            // Sent on a port whose edge has gone: lost at once.
            None if !port.is_self() => return,
            None => {
                let count = &mut self.to_self[node.index()];
                *count = count.saturating_add(1);
                *count == 1
            }
            Some(link) => {
                let back = topology.traffic(node, port);
                let there =
                    topology.traffic_mut(link.peer, link.peer_port.into()).expect("an edge has two ends");
                match role {
                    Role::Initiator => {
                        there.initiator = there.initiator.saturating_add(1);
                        there.initiator == 1 && back.participant == 0
                    }
                    Role::Participant => {
                        there.participant = there.participant.saturating_add(1);
                        there.participant == 1 && back.initiator == 0
                    }
                }
            }
        };
        if !alone {
            self.report(Violation::TooManyMessages { node, port, role });
        }
    }

    #[inline]
    pub(super) fn received(&mut self, node: NodeId, port: Port, role: Role, topology: &mut Topology) {
        match topology.traffic_mut(node, port) {
            None => {
                let count = &mut self.to_self[node.index()];
                *count = count.saturating_sub(1);
            }
            Some(traffic) => {
                let count = match role {
                    Role::Initiator => &mut traffic.initiator,
                    Role::Participant => &mut traffic.participant,
                };
                *count = count.saturating_sub(1);
            }
        }
    }

    /// What the node's Lock must return if it succeeds, as far as the graph is concerned.
    #[inline]
    pub(super) fn expected(&self, node: NodeId) -> &PortSet {
        &self.expected[node.index()]
    }

    /// Begins a configuration that is restored: nobody holds anything, nothing is in transit, nothing is broken.
    pub(super) fn restore(&mut self) {
        self.holder.fill(None);
        self.to_self.fill(0);
        (self.holders, self.held, self.violation) = (0, 0, None);
    }

    #[inline]
    pub(super) fn restore_expected(&mut self, node: NodeId, expected: PortSet) {
        self.expected[node.index()] = expected;
    }

    pub(super) fn restore_holder(&mut self, member: NodeId, holder: NodeId) {
        self.holder[member.index()] = Some(Holder::new(holder));
        self.held += 1;
    }

    /// A message is on its way to a port of a node, or about to be.
    #[inline]
    pub(super) fn restore_message(&mut self, to: (NodeId, Port), role: Role, topology: &mut Topology) {
        let count = match (topology.traffic_mut(to.0, to.1), role) {
            (None, _) => &mut self.to_self[to.0.index()],
            (Some(traffic), Role::Initiator) => &mut traffic.initiator,
            (Some(traffic), Role::Participant) => &mut traffic.participant,
        };
        *count = count.saturating_add(1);
    }

    pub(super) fn restore_holders(&mut self, holders: u32) {
        self.holders = holders;
    }

    /// Takes over what a node's Lock must return.
    #[inline]
    pub(super) fn assume_expected(&mut self, node: NodeId, other: &Self) {
        self.expected[node.index()].clone_from(&other.expected[node.index()]);
    }

    /// Takes over all the rest.
    #[inline]
    pub(super) fn assume_holders(&mut self, other: &Self) {
        if self.held > 0 || other.held > 0 {
            self.holder.clone_from(&other.holder);
        }
        self.to_self.clone_from(&other.to_self);
        (self.holders, self.held) = (other.holders, other.held);
        if self.violation.is_some() || other.violation.is_some() {
            self.violation.clone_from(&other.violation);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.holder.capacity() * size_of::<Option<Holder>>()
            + self.expected.capacity() * size_of::<PortSet>()
            + self.expected.iter().map(PortSet::heap_bytes).sum::<usize>()
            + self.to_self.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Through the lock algorithm a second holder always shows first as a lock that changed, so the check of the
    /// common node is tried alone.
    #[test]
    fn two_holders_of_one_node_are_reported() {
        let path = Topology::from_edges(3, 2, &[(0, 1), (1, 2)]).unwrap();
        let mut monitor = Monitor::new(3);
        let own = |port: u16| [Port::SELF, Port(port)].into_iter().collect::<PortSet>();
        for node in [0, 2] {
            monitor.lock_called(NodeId(node), &own(1));
        }
        // Node 1 is said to be locked by whoever asks: by port 1 for node 0, by port 2 for node 2.
        monitor.granted(NodeId(0), &own(1), &path, |node| Some(Port(u16::from(node == NodeId(1)))));
        assert_eq!((monitor.violation(), monitor.held()), (None, 2));
        monitor.granted(NodeId(2), &own(1), &path, |node| Some(Port(if node == NodeId(1) { 2 } else { 0 })));
        let expected = Violation::CommonNode { node: NodeId(1), first: NodeId(0), second: NodeId(2) };
        assert_eq!(monitor.violation(), Some(&expected));
    }
}
