//! [`World`]: the whole state of a run.

use std::fmt;
use std::hash::{Hash, Hasher as _};
use std::ops::Range;

use super::active::ActiveSet;
use crate::digest::{Digest, DigestWriter};
use crate::exclusion::{
    ActionEffects, AssumptionError, Exclusion, InitialKnowledge, NodeInput, Promise, Status, Violation,
};
use crate::node::NodeId;
use crate::port::{Port, PortSet, PortsRef};
use crate::section::CriticalSection;
use crate::topology::Topology;

/// The number of bytes digested between two calls of `has_time`. Bytes are counted, not nodes: a node of a dense graph
/// has thousands of links and messages.
const DIGESTED_AT_ONCE: u64 = 1 << 17;

/// The number of nodes whose messages are prefetched together for a digest. It is more than a processor fetches at the
/// same time, and few enough for its first-level cache.
const FETCHED_AT_ONCE: usize = 1 << 6;

/// The time at which the messages of an action leave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Timing {
    /// At once, with the action: sequential and semi-synchronous schedules.
    #[default]
    AtOnce,
    /// One by one at later instants, while the graph may change: asynchronous schedules (Section 5 of the paper). The
    /// node is busy until all have left. If an edge vanishes, its messages that have not left are discarded.
    OneByOne,
}

/// The lock set that a call to Lock requests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LockSetRule {
    /// The closed neighbourhood.
    #[default]
    Neighbourhood,
    /// The node and one neighbour, picked when Lock is called.
    Pair,
}

/// The parts of a [`World`] at its start.
#[derive(Clone, Debug)]
pub struct Setup<E, S: CriticalSection> {
    /// The lock algorithm.
    pub exclusion: E,
    /// The critical section.
    pub section: S,
    /// The graph at the start.
    pub topology: Topology,
    /// The states under the locks, one per node.
    pub states: Vec<S::State>,
    /// The lock set that a call to Lock requests.
    pub lock_set: LockSetRule,
    /// The time at which messages leave.
    pub timing: Timing,
}

/// A message in transit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Envelope<M> {
    /// The receiver's port.
    pub port: Port,
    /// The content of the message.
    pub message: M,
    sequence: Sequence,
}

/// A number below 2^48 in six bytes, so that a message of local mutual exclusion takes 14 bytes instead of 16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(Rust, packed(2))]
struct Sequence {
    low: u32,
    high: u16,
}

impl<M> Envelope<M> {
    pub(super) const fn new(port: Port, message: M, sequence: u64) -> Self {
        Self { port, message, sequence: Sequence { low: sequence as u32, high: (sequence >> 32) as u16 } }
    }

    /// Position of the message among all messages of the run, in the order of sending. It stays below 2^48; a run would
    /// take years to reach that.
    #[inline]
    #[must_use]
    pub fn sequence(&self) -> u64 {
        let Sequence { low, high } = self.sequence;
        u64::from(high) << 32 | u64::from(low)
    }
}

/// The only state of a run: memories, messages in transit, the graph and its unread detectors, and the states under the
/// locks. Steps change it only through [`World::apply`].
///
/// ```
/// use acrasin_runtime::{
///     exclusion::local::{Action, Local}, LockSetRequest, Demand, LockOnly, LockSetRule, NodeId, Seeded, Setup, Step, Timing,
///     Topology, World,
/// };
/// let mut world = World::new(Setup {
///     exclusion: Local::new(1),
///     section: LockOnly,
///     topology: Topology::from_edges(2, 1, &[(0, 1)])?,
///     states: vec![Demand::Times(1), Demand::Times(0)],
///     lock_set: LockSetRule::Neighbourhood,
///     timing: Timing::AtOnce,
/// });
/// let mut choices = Seeded::new(1);
/// world.apply(&Step::Lock { node: NodeId(0), claim: LockSetRequest::Neighbourhood }, &mut choices, &mut ())?;
/// assert_eq!(world.in_transit(NodeId(1)).len(), 1); // prepare
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct World<E: Exclusion, S: CriticalSection> {
    pub(super) exclusion: E,
    pub(super) section: S,
    pub(super) lock_set: LockSetRule,
    pub(super) timing: Timing,
    pub(super) topology: Topology,
    pub(super) memories: Vec<E::Memory>,
    pub(super) states: Vec<S::State>,
    pub(super) inboxes: Vec<Vec<Envelope<E::Message>>>,
    /// Messages that have not left yet; empty unless [`Timing::OneByOne`].
    pub(super) outboxes: Vec<Vec<(Port, E::Message)>>,
    pub(super) active: ActiveSet,
    pub(super) monitor: E::Promise,
    pub(super) sequence: u64,
    pub(super) steps: u64,
    pub(super) scratch: StepBuffers<E>,
}

/// Buffers that are reused from step to step, to save allocations.
#[derive(Clone, Debug)]
pub(super) struct StepBuffers<E: Exclusion> {
    pub(super) effects: ActionEffects<E::Message, E::Note>,
    /// Lock set that a Lock requests; empty for other actions.
    pub(super) neighbourhood: PortSet,
    pub(super) report: PortSet,
    pub(super) neighbours: Vec<(Port, NodeId)>,
    /// The node that executed an action in the last step, if any.
    pub(super) acted: Option<NodeId>,
    /// Other nodes that the step concerned. Nodes in which the step changed more than the messages in transit come
    /// first.
    pub(super) beside: Vec<NodeId>,
    /// The number of nodes at the front of `beside` in which the step changed more than the messages in transit.
    pub(super) changed: usize,
}

impl<E: Exclusion> StepBuffers<E> {
    /// The nodes concerned by the last step.
    pub(super) fn touched(&self) -> impl Iterator<Item = NodeId> {
        self.acted.into_iter().chain(self.beside.iter().copied())
    }

    /// The nodes in which the last step changed more than the messages in transit.
    pub(super) fn changed(&self) -> impl Iterator<Item = NodeId> {
        self.acted.into_iter().chain(self.beside[..self.changed].iter().copied())
    }

    /// Clears the nodes of the last step.
    #[inline]
    pub(super) fn clear_touched(&mut self) {
        self.acted = None;
        self.beside.clear();
        self.changed = 0;
    }

    /// Records nodes in which the step changes more than the messages in transit. They must come before all others.
    pub(super) fn change(&mut self, nodes: impl Iterator<Item = NodeId>) {
        self.beside.extend(nodes);
        self.changed = self.beside.len();
    }

    fn new() -> Self {
        Self {
            effects: ActionEffects::new(),
            neighbourhood: PortSet::new(),
            report: PortSet::new(),
            neighbours: Vec::new(),
            acted: None,
            beside: Vec::new(),
            changed: 0,
        }
    }
}

impl<E: Exclusion, S: CriticalSection> World<E, S> {
    /// Creates a world at its start: all memories are initial, nothing is in transit.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state per node, and if the algorithm assumes more than a graph.
    #[must_use]
    pub fn new(setup: Setup<E, S>) -> Self {
        Self::with_knowledge(setup, &InitialKnowledge::default()).unwrap_or_else(|unmet| panic!("{unmet}"))
    }

    /// Creates a world at its start, for an algorithm whose nodes initially know more than their ports.
    ///
    /// # Errors
    ///
    /// [`AssumptionError`] if the graph or the initial knowledge violates an assumption of the algorithm.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state per node.
    pub fn with_knowledge(setup: Setup<E, S>, knowledge: &InitialKnowledge) -> Result<Self, AssumptionError> {
        let Setup { exclusion, section, topology, states, lock_set, timing } = setup;
        let nodes = topology.node_count();
        assert_eq!(states.len(), nodes as usize, "one state a node");
        let assumptions = exclusion.assumes();
        exclusion.check_start(&topology, knowledge)?;
        let memory =
            |node| exclusion.initial(NodeInput::new(node, assumptions.given, (&topology, knowledge)));
        let mut world = Self {
            lock_set,
            timing,
            memories: topology.nodes().map(memory).collect(),
            states,
            inboxes: vec![Vec::new(); nodes as usize],
            outboxes: vec![Vec::new(); if timing == Timing::OneByOne { nodes as usize } else { 0 }],
            active: ActiveSet::new(nodes),
            monitor: E::Promise::new(&topology, knowledge),
            sequence: 0,
            steps: 0,
            scratch: StepBuffers::new(),
            exclusion,
            section,
            topology,
        };
        for node in world.topology.nodes() {
            // Nodes may be inside from the start.
            world.monitor.restore_status(node, world.status(node), &world.topology);
            world.refresh(node);
        }
        Ok(world)
    }

    /// The lock algorithm.
    #[must_use]
    pub fn exclusion(&self) -> &E {
        &self.exclusion
    }

    /// The critical section.
    #[must_use]
    pub fn section(&self) -> &S {
        &self.section
    }

    /// The current graph.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The lock set that a call to Lock requests.
    #[must_use]
    pub fn lock_set_rule(&self) -> LockSetRule {
        self.lock_set
    }

    /// The time at which messages leave.
    #[must_use]
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// A node's memory.
    #[must_use]
    pub fn memory(&self, node: NodeId) -> &E::Memory {
        &self.memories[node.index()]
    }

    /// The lock status of a node.
    #[must_use]
    pub fn status(&self, node: NodeId) -> Status {
        self.exclusion.status(&self.memories[node.index()])
    }

    /// The states under the locks, one per node.
    #[must_use]
    pub fn states(&self) -> &[S::State] {
        &self.states
    }

    /// The messages in transit to a node, in no particular order.
    #[must_use]
    pub fn in_transit(&self, node: NodeId) -> &[Envelope<E::Message>] {
        &self.inboxes[node.index()]
    }

    /// The messages of the node's last action that have not left yet.
    #[must_use]
    pub fn unsent(&self, node: NodeId) -> &[(Port, E::Message)] {
        self.outboxes.get(node.index()).map_or(&[], Vec::as_slice)
    }

    /// The nodes that can take a step, in an order that depends on the run's history only.
    #[must_use]
    pub fn active(&self) -> &[NodeId] {
        self.active.members()
    }

    /// The active nodes, in increasing order: for each word of 64 nodes that has active ones, its first node and one
    /// bit per active node. Cost: O(active + nodes / 64). If few are active it is O(active · log active), with the
    /// buffer `few`.
    #[inline]
    pub(crate) fn active_in_order<'w>(
        &'w self,
        few: &'w mut Vec<u32>,
    ) -> impl Iterator<Item = (NodeId, u64)> + 'w {
        self.active.in_order(few)
    }

    /// Whether the node can take a step.
    #[must_use]
    pub fn is_active(&self, node: NodeId) -> bool {
        self.active.contains(node)
    }

    /// Whether the node can act without a message: an action is enabled, or it wants to call Lock or Unlock.
    #[inline]
    #[must_use]
    pub fn acts_unasked(&self, node: NodeId) -> bool {
        self.active.acts_unasked(node)
    }

    /// The nodes concerned by the last step: the actor, receivers, the ends of an edge. A node may occur twice.
    pub fn touched(&self) -> impl Iterator<Item = NodeId> {
        self.scratch.touched()
    }

    /// The number of steps applied so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of messages sent so far.
    #[must_use]
    pub fn messages_sent(&self) -> u64 {
        self.sequence
    }

    /// The number of nodes that hold their lock set now.
    #[must_use]
    pub fn holders(&self) -> u32 {
        self.monitor.holders()
    }

    /// The number of nodes that are in the lock set of a holder now.
    #[must_use]
    pub fn held(&self) -> u32 {
        self.monitor.held()
    }

    /// The holder whose lock set contains the node, if any.
    #[must_use]
    pub fn holder_of(&self, node: NodeId) -> Option<NodeId> {
        self.monitor.holder_of(node)
    }

    /// The lock set that a waiting node must get if its Lock succeeds now: the requested ports without those whose edge
    /// has vanished since. Meaningless for nodes that do not wait; `None` if the algorithm promises no lock sets.
    #[must_use]
    pub fn persistent_lock_set(&self, node: NodeId) -> Option<PortsRef<'_>> {
        self.monitor.claimed(node)
    }

    /// The competitors that `member` serves before the neighbour on `port`, if the promise records them.
    pub(crate) fn kept_behind(&self, member: NodeId, port: Port) -> Option<PortsRef<'_>> {
        E::Promise::kept_behind(&self.exclusion, self.memory(member), port)
    }

    /// The number of nodes whose call to Lock or Unlock is not complete.
    #[must_use]
    pub fn outstanding(&self) -> u32 {
        let waiting = |memory: &&E::Memory| {
            matches!(self.exclusion.status(memory), Status::Waiting | Status::Releasing)
        };
        self.memories.iter().filter(waiting).count() as u32
    }

    /// The first promise of the lock layer that was broken, if any.
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        self.monitor.violation()
    }

    /// Whether a promise of the lock layer was broken, as a `Result`.
    ///
    /// # Errors
    ///
    /// The first [`Violation`].
    pub fn check(&self) -> Result<(), Violation> {
        self.violation().map_or(Ok(()), |violation| Err(violation.clone()))
    }

    /// A 128-bit digest of the configuration: graph, unread detectors, memories, messages in transit or not yet sent,
    /// and states. Messages count as multisets, or in their order if channels are first in, first out. Equal
    /// configurations have equal digests, on every platform.
    ///
    /// The digest is of a configuration, not of a run: it leaves out the age of messages and edges, the scheduler, and
    /// whether a promise was broken earlier ([`violation`](Self::violation)).
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest_while(|| true).expect("there is time for it")
    }

    /// The [`digest`](Self::digest), or `None` if `has_time` returns false. `has_time` is called about every hundred
    /// microseconds. Digesting millions of nodes or links takes a fraction of a second.
    pub fn digest_while(&self, mut has_time: impl FnMut() -> bool) -> Option<Digest> {
        let mut writer = DigestWriter::new();
        let mut next = 0;
        let mut proceeds = |writer: &DigestWriter| {
            if writer.bytes() < next {
                return true;
            }
            next = writer.bytes() + DIGESTED_AT_ONCE;
            has_time()
        };
        self.topology.hash_ports_and_size(&mut writer);
        for node in self.topology.nodes() {
            if !proceeds(&writer) {
                return None;
            }
            self.topology.hash_node(node, &mut writer);
        }
        // As hashing the whole vector does: the length, then each element.
        writer.write_usize(self.memories.len());
        for memory in &self.memories {
            if !proceeds(&writer) {
                return None;
            }
            memory.hash(&mut writer);
        }
        self.states.hash(&mut writer);
        let mut sorted = Vec::new();
        for first in (0..self.memories.len()).step_by(FETCHED_AT_ONCE) {
            let nodes = first..self.memories.len().min(first + FETCHED_AT_ONCE);
            self.fetch_messages(nodes.clone());
            for node in nodes.map(|node| NodeId(node as u32)) {
                if !proceeds(&writer) {
                    return None;
                }
                self.canonical_inbox(node, &mut sorted);
                sorted.hash(&mut writer);
                self.canonical_outbox(node, &mut sorted);
                sorted.hash(&mut writer);
            }
        }
        Some(writer.digest())
    }

    /// Prefetches the messages of some nodes. Their buffers are scattered in memory, and independent reads let
    /// the processor wait for all of them at the same time instead of one after another.
    fn fetch_messages(&self, nodes: Range<usize>) {
        let first = |node| {
            let node = NodeId(node as u32);
            let unsent = self.unsent(node).first().map_or(0, |(port, _)| u64::from(port.0));
            self.in_transit(node).first().map_or(0, Envelope::sequence) ^ unsent
        };
        std::hint::black_box(nodes.map(first).fold(0, |all, one| all ^ one));
    }

    /// The size of the world in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let memories = self.memories.capacity() * size_of::<E::Memory>()
            + self.memories.iter().map(|memory| self.exclusion.heap_bytes(memory)).sum::<usize>();
        let inboxes = self.inboxes.capacity() * size_of::<Vec<Envelope<E::Message>>>()
            + self.inboxes.iter().map(Vec::capacity).sum::<usize>() * size_of::<Envelope<E::Message>>();
        let outboxes = self.outboxes.capacity() * size_of::<Vec<(Port, E::Message)>>()
            + self.outboxes.iter().map(Vec::capacity).sum::<usize>() * size_of::<(Port, E::Message)>();
        let states = self.states.capacity() * size_of::<S::State>();
        memories
            + inboxes
            + outboxes
            + states
            + self.topology.bytes()
            + self.active.bytes()
            + self.monitor.bytes()
    }

    /// Writes to `into` the neighbours that a holder still holds; for a waiting node, the neighbours that it has
    /// requested.
    pub fn still_held(&self, node: NodeId, into: &mut Vec<(Port, NodeId)>) {
        into.clear();
        E::Promise::members(&self.exclusion, (node, self.memory(node)), &self.topology, into);
    }
}

/// Writes the configuration with the names of the paper: one line per node, with its messages in transit.
impl<E: Exclusion, S: CriticalSection> fmt::Debug for World<E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINES: usize = 64;
        for node in self.topology.nodes().take(LINES) {
            write!(f, "node {node}: {:?}", self.memory(node))?;
            if !self.topology.detector(node).is_empty() {
                write!(f, " D={}", self.topology.detector(node))?;
            }
            for envelope in self.in_transit(node) {
                write!(f, " <- {}@{}", envelope.message, envelope.port)?;
            }
            for (port, message) in self.unsent(node) {
                write!(f, " -> {message}@{port}")?;
            }
            writeln!(f)?;
        }
        let rest = self.topology.nodes().len().saturating_sub(LINES);
        if rest > 0 { writeln!(f, "... and {rest} more nodes") } else { Ok(()) }
    }
}
