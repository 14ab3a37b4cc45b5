//! What algorithms promise, each as the monitor that looks on while a world runs: one file a promise.
//!
//! | file | promise | paper |
//! |---|---|---|
//! | `disjoint_lock_sets.rs` | [`DisjointLockSets`]: a holder holds itself and its persistent neighbours, alone | Daymude, Richa, Scheideler |
//! | `one_at_a_time.rs` | [`OneAtATime`]: one node is inside, in the whole graph | Hélary, Mostefaoui, Raynal |
//! | `at_least_at_most.rs` | [`AtLeastAtMost`]: of each closed neighbourhood at least l and at most k are inside | Kamei, Kakugawa |
//!
//! An algorithm names its promise as a type, so a world has the monitor that it needs and no other, at no cost in a step.
//! The cost of a check is proportional to the step. A broken promise is a result, not a panic: published rules break some
//! of them, and that must be shown.

mod at_least_at_most;
mod disjoint_lock_sets;
mod one_at_a_time;
mod violation;

pub use at_least_at_most::AtLeastAtMost;
pub use disjoint_lock_sets::DisjointLockSets;
pub use one_at_a_time::OneAtATime;
pub use violation::Violation;

use std::fmt::Debug;

use super::{Anomaly, Exclusion, Seating, Status};
use crate::node::NodeId;
use crate::port::{Port, PortSet};
use crate::topology::Topology;

/// The promises by name: what chooses the properties that are checked, and the words of a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Guarantee {
    /// Each lock set is the caller with its persistent neighbours (or with the one it chose), lock sets are disjoint, and
    /// an edge carries at most two messages, one for the Lock of each end.
    DisjointLockSets,
    /// At most one node is inside.
    OneAtATime,
    /// Of each closed neighbourhood at least l and at most k nodes are inside.
    AtLeastAtMost,
}

/// A promise, as the state of the monitor that asserts it after every step of a world.
///
/// The world tells it what happens, in the order in which it does; whatever a promise has no use for it ignores. `node` is
/// the node that acts.
pub trait Promise<E: Exclusion>: Clone + Debug + Send + Sync {
    /// Which it is.
    const GUARANTEE: Guarantee;
    /// Whether who holds whom is not to be seen from the memories: then it belongs to a configuration.
    const REMEMBERS_HOLDERS: bool = false;

    /// For a world at its start, in which nobody has acted.
    fn new(topology: &Topology, seating: &Seating) -> Self;

    /// The first violation, if any.
    fn violation(&self) -> Option<&Violation>;
    /// How many nodes hold now.
    fn holders(&self) -> u32;
    /// How many nodes a holder holds now.
    fn held(&self) -> u32;
    /// Who holds a node now, if anybody does.
    fn holder_of(&self, node: NodeId) -> Option<NodeId>;
    /// The neighbours that the section of a holder gets access to, with the holder's ports, in increasing order.
    fn members(
        exclusion: &E,
        holder: (NodeId, &E::Memory),
        topology: &Topology,
        into: &mut Vec<(Port, NodeId)>,
    );

    /// What the node's Lock must return if it succeeds, where the promise says it.
    fn claimed(&self, _node: NodeId) -> Option<&PortSet> {
        None
    }
    /// The port whose owner has locked the node, where the promise knows of such.
    fn lock(_exclusion: &E, _memory: &E::Memory) -> Option<Port> {
        None
    }
    /// Behind whom a member keeps the owner of a port waiting: see [`LockSets::kept_behind`](super::LockSets::kept_behind).
    fn kept_behind<'m>(_exclusion: &E, _memory: &'m E::Memory, _port: Port) -> Option<&'m PortSet> {
        None
    }

    /// An idle node calls Lock for these ports.
    fn lock_called(&mut self, _node: NodeId, _claimed: &PortSet) {}
    /// The node executes an action; before it, its lock was this, and edges that have ended count for nothing.
    fn acted(
        &mut self,
        _exclusion: &E,
        _acted: (NodeId, &E::Memory),
        _lock_before: Option<Port>,
        _topology: &Topology,
    ) {
    }
    /// Its Lock has succeeded and returned these ports. `lock` reads a node's [lock](Self::lock).
    fn granted(
        &mut self,
        node: NodeId,
        returned: &PortSet,
        topology: &Topology,
        lock: impl Fn(NodeId) -> Option<Port>,
    );
    /// Its section is about to get access to a member.
    fn entering(&mut self, _node: NodeId, _port: Port, _member: NodeId) {}
    /// Its section is over, and it begins to release these members.
    fn releasing(&mut self, node: NodeId, members: &[(Port, NodeId)]);
    /// Its action met something that a correct surrounding never causes.
    fn met(&mut self, _node: NodeId, _anomaly: Anomaly) {}
    /// A message is on its way, or about to be.
    fn sent(&mut self, _exclusion: &E, _by: (NodeId, Port), _message: E::Message, _topology: &mut Topology) {}
    /// A message is received.
    fn received(
        &mut self,
        _exclusion: &E,
        _by: (NodeId, Port),
        _message: E::Message,
        _topology: &mut Topology,
    ) {
    }
    /// The edge on a port of a node to `other` has ended: told for both ends.
    fn edge_ended(&mut self, _node: NodeId, _port: Port, _other: NodeId) {}

    /// Begins a configuration that is restored: nobody holds anything, nothing is in transit, nothing is broken.
    fn restore(&mut self);
    /// What the Lock of a waiting node must return; nothing for other nodes.
    fn restore_claimed(&mut self, _node: NodeId, _claimed: PortSet) {}
    /// A message is on its way to a port of a node, or about to be.
    fn restore_message(
        &mut self,
        _exclusion: &E,
        _to: (NodeId, Port),
        _message: E::Message,
        _topology: &mut Topology,
    ) {
    }
    /// A node is held, where holders are [remembered](Self::REMEMBERS_HOLDERS).
    fn restore_holder(&mut self, _member: NodeId, _holder: NodeId) {}
    /// Where a node is between Lock and Unlock.
    fn restore_status(&mut self, node: NodeId, status: Status, topology: &Topology);

    /// Takes over what another monitor of the same plan knows of one node.
    fn assume_node(&mut self, _node: NodeId, _other: &Self) {}
    /// Takes over all the rest.
    fn assume_rest(&mut self, other: &Self);

    /// The bytes that it occupies outside its own size.
    fn bytes(&self) -> usize;
}
