//! [`DisjointLockSets`]: no node is held by two holders.

use std::num::NonZeroU32;

use crate::exclusion::{Anomaly, Guarantee, InitialKnowledge, LockSets, Promise, Role, Status, Violation};
use crate::node::NodeId;
use crate::port::{Port, PortColumn, PortSet, PortsRef};
use crate::topology::{Link, Topology, Traffic};

/// Each Lock returns the caller and its persistent neighbours (or the neighbour that it chose). Lock sets are disjoint.
/// Each edge carries at most one message for the Lock of each end.
#[derive(Clone, Debug)]
pub struct DisjointLockSets {
    holder: Vec<Option<Holder>>,
    /// The lock set that each node's last accepted Lock must return: the requested ports, without those whose edge has
    /// vanished since.
    claimed: PortColumn,
    /// For each node, the number of messages in transit from it to itself.
    to_self: Vec<u8>,
    holders: u32,
    held: u32,
    violation: Option<Violation>,
}

/// A node, such that `Option<Holder>` takes four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Holder(NonZeroU32);

impl Holder {
    fn new(node: NodeId) -> Self {
        Self(NonZeroU32::MIN.saturating_add(node.0))
    }
    fn node(self) -> NodeId {
        NodeId(self.0.get() - 1)
    }
}

impl DisjointLockSets {
    #[cold]
    fn report(&mut self, violation: Violation) {
        self.violation.get_or_insert(violation);
    }

    #[inline]
    fn holder(&self, node: NodeId) -> Option<NodeId> {
        self.holder[node.index()].map(Holder::node)
    }

    /// Removes `member` from the lock set of `node`.
    fn let_go(&mut self, node: NodeId, member: NodeId) {
        let holder = &mut self.holder[member.index()];
        if *holder == Some(Holder::new(node)) {
            *holder = None;
            self.held -= 1;
        }
    }
}

impl<E: LockSets> Promise<E> for DisjointLockSets {
    const GUARANTEE: Guarantee = Guarantee::DisjointLockSets;
    const REMEMBERS_HOLDERS: bool = true;

    fn new(topology: &Topology, _seating: &InitialKnowledge) -> Self {
        let nodes = topology.node_count() as usize;
        Self {
            holder: vec![None; nodes],
            claimed: PortColumn::new(nodes),
            to_self: vec![0; nodes],
            holders: 0,
            held: 0,
            violation: None,
        }
    }

    #[inline]
    fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    fn holders(&self) -> u32 {
        self.holders
    }

    #[inline]
    fn held(&self) -> u32 {
        self.held
    }

    #[inline]
    fn holder_of(&self, node: NodeId) -> Option<NodeId> {
        self.holder(node)
    }

    /// The lock set without the ports in the holder's detector that the holder has not read yet. (Fault F14: the
    /// returned set becomes stale inside the section.)
    fn members(
        exclusion: &E,
        (node, memory): (NodeId, &E::Memory),
        topology: &Topology,
        into: &mut Vec<(Port, NodeId)>,
    ) {
        let lock_set = exclusion.lock_set(memory);
        let detector = topology.detector(node);
        into.extend(lock_set.iter().filter(|&port| !detector.contains(port)).filter_map(|port| {
            // Port 0 has no link.
            topology.link(node, port).map(|link| (port, link.peer))
        }));
    }

    #[inline]
    fn claimed(&self, node: NodeId) -> Option<PortsRef<'_>> {
        Some(self.claimed.get(node.index()))
    }

    #[inline]
    fn lock(exclusion: &E, memory: &E::Memory) -> Option<Port> {
        exclusion.locked_by(memory)
    }

    #[inline]
    fn lock_set<'m>(exclusion: &E, memory: &'m E::Memory) -> Option<PortsRef<'m>> {
        Some(exclusion.lock_set(memory))
    }

    fn kept_behind<'m>(exclusion: &E, memory: &'m E::Memory, port: Port) -> Option<PortsRef<'m>> {
        exclusion.kept_behind(memory, port)
    }

    fn lock_called(&mut self, node: NodeId, claimed: &PortSet) {
        self.claimed.assign(node.index(), claimed.as_ports());
    }

    fn edge_ended(&mut self, node: NodeId, port: Port, other: NodeId) {
        self.claimed.remove(node.index(), port);
        self.let_go(node, other);
    }

    /// Checks the returned lock set against its definition, and records the holder of each member.
    fn granted(
        &mut self,
        node: NodeId,
        returned: &PortSet,
        topology: &Topology,
        lock: impl Fn(NodeId) -> Option<Port>,
    ) {
        let claimed = self.claimed.get(node.index());
        if *returned != claimed {
            let persistent = claimed.to_set();
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
            if lock(member) != Some(their_port) || topology.detector(member).contains(their_port) {
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

    fn entering(&mut self, node: NodeId, port: Port, member: NodeId) {
        if self.holder(member) != Some(node) {
            self.report(Violation::StrangerInSection { node, port });
        }
    }

    fn releasing(&mut self, node: NodeId, members: &[(Port, NodeId)]) {
        self.holders = self.holders.saturating_sub(1);
        self.let_go(node, node);
        for &(_, member) in members {
            self.let_go(node, member);
        }
    }

    #[inline]
    fn acted(
        &mut self,
        exclusion: &E,
        (node, memory): (NodeId, &E::Memory),
        lock_before: Option<Port>,
        _topology: &Topology,
    ) {
        // Few nodes are held, so this test comes first.
        if let Some(holder) = self.holder[node.index()]
            && lock_before != exclusion.locked_by(memory)
        {
            self.report(Violation::HeldNodeChangedLock { node, holder: holder.node() });
        }
    }

    fn met(&mut self, node: NodeId, anomaly: Anomaly) {
        if anomaly == Anomaly::ForeignRelease {
            self.report(Violation::ForeignRelease { node });
        }
    }

    /// Checks a message that is sent. Per edge and initiator there is at most one message, a request or a reply. So
    /// an action sends at most one message of each role on a port, and an edge carries at most two.
    #[inline(always)] // Once for every message.
    fn sent(
        &mut self,
        exclusion: &E,
        (node, port): (NodeId, Port),
        over: Option<(Link, Traffic)>,
        message: E::Message,
        topology: &mut Topology,
    ) {
        let role = exclusion.role(message);
        let alone = match over {
            None => {
                let count = &mut self.to_self[node.index()];
                *count = count.saturating_add(1);
                *count == 1
            }
            Some((link, back)) => {
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
    fn received(
        &mut self,
        exclusion: &E,
        (node, port): (NodeId, Port),
        message: E::Message,
        topology: &mut Topology,
    ) {
        match topology.traffic_mut(node, port) {
            None => {
                let count = &mut self.to_self[node.index()];
                *count = count.saturating_sub(1);
            }
            Some(traffic) => {
                let count = match exclusion.role(message) {
                    Role::Initiator => &mut traffic.initiator,
                    Role::Participant => &mut traffic.participant,
                };
                *count = count.saturating_sub(1);
            }
        }
    }

    fn restore(&mut self) {
        self.holder.fill(None);
        self.to_self.fill(0);
        (self.holders, self.held, self.violation) = (0, 0, None);
    }

    #[inline]
    fn restore_claimed(&mut self, node: NodeId, claimed: PortSet) {
        self.claimed.assign(node.index(), claimed.as_ports());
    }

    #[inline]
    fn restore_message(
        &mut self,
        exclusion: &E,
        to: (NodeId, Port),
        message: E::Message,
        topology: &mut Topology,
    ) {
        let count = match (topology.traffic_mut(to.0, to.1), exclusion.role(message)) {
            (None, _) => &mut self.to_self[to.0.index()],
            (Some(traffic), Role::Initiator) => &mut traffic.initiator,
            (Some(traffic), Role::Participant) => &mut traffic.participant,
        };
        *count = count.saturating_add(1);
    }

    fn restore_holder(&mut self, member: NodeId, holder: NodeId) {
        self.holder[member.index()] = Some(Holder::new(holder));
        self.held += 1;
    }

    #[inline]
    fn restore_status(&mut self, _node: NodeId, status: Status, _topology: &Topology) {
        self.holders += u32::from(status == Status::Holding);
    }

    #[inline]
    fn assume_node(&mut self, node: NodeId, other: &Self) {
        self.claimed.assign(node.index(), other.claimed.get(node.index()));
    }

    #[inline]
    fn assume_rest(&mut self, other: &Self) {
        if self.held > 0 || other.held > 0 {
            self.holder.clone_from(&other.holder);
        }
        self.to_self.clone_from(&other.to_self);
        (self.holders, self.held) = (other.holders, other.held);
        if self.violation.is_some() || other.violation.is_some() {
            self.violation.clone_from(&other.violation);
        }
    }

    fn bytes(&self) -> usize {
        self.holder.capacity() * size_of::<Option<Holder>>() + self.claimed.bytes() + self.to_self.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exclusion::local::Local;

    /// In runs of the lock algorithm a second holder always shows first as a changed lock, so this test calls
    /// the check of a common node directly.
    #[test]
    fn two_holders_of_one_node_are_reported() {
        let path = Topology::from_edges(3, 2, &[(0, 1), (1, 2)]).unwrap();
        let monitor = &mut <DisjointLockSets as Promise<Local>>::new(&path, &InitialKnowledge::default());
        let own = |port: u16| [Port::SELF, Port(port)].into_iter().collect::<PortSet>();
        for node in [0, 2] {
            Promise::<Local>::lock_called(monitor, NodeId(node), &own(1));
        }
        // Node 1 claims to be locked by the caller: by port 1 for node 0, by port 2 for node 2.
        let to_0 = |node: NodeId| Some(Port(u16::from(node == NodeId(1))));
        Promise::<Local>::granted(monitor, NodeId(0), &own(1), &path, to_0);
        assert_eq!((&monitor.violation, monitor.held), (&None, 2));
        let to_2 = |node: NodeId| Some(Port(if node == NodeId(1) { 2 } else { 0 }));
        Promise::<Local>::granted(monitor, NodeId(2), &own(1), &path, to_2);
        let expected = Violation::CommonNode { node: NodeId(1), first: NodeId(0), second: NodeId(2) };
        assert_eq!(monitor.violation, Some(expected));
    }
}
