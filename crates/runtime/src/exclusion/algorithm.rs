//! [`Exclusion`], the trait of lock algorithms; the inputs and effects of their actions; and [`Promise`], the trait of
//! their guarantees.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use super::{AssumptionError, Assumptions, InitialKnowledge, NodeInput, Violation};
use crate::choice::Choices;
use crate::node::NodeId;
use crate::port::{Port, PortNames, PortSet, PortsRef};
use crate::topology::{Link, Topology, Traffic};

/// A mutual-exclusion algorithm: the program that every node runs.
///
/// The simulator, the parallel engine and the checker call the same [`execute`](Self::execute).
pub trait Exclusion: Sized {
    /// The memory of a node.
    type Memory: Clone + Eq + Hash + Debug;
    /// A message between neighbours.
    type Message: Copy + Ord + Hash + Debug + Display;
    /// An action, named as in the paper.
    type Action: Copy + Eq + Hash + Debug + Display + Send;
    /// A note to observers about something other than a grant or release: for instance a trial, a late rejection, a
    /// loan.
    type Note: Copy + Eq + Debug + Send + Sync;
    /// The guarantee to callers of Lock and Unlock, as the monitor with which worlds check it.
    type Promise: Promise<Self>;

    /// The requirements of the algorithm on its surroundings.
    fn assumes(&self) -> Assumptions;

    /// Checks that the graph and the initial knowledge are as [assumed](Self::assumes), and that the algorithm can keep
    /// its promise from this start.
    ///
    /// # Errors
    ///
    /// The first assumption that does not hold.
    fn check_start(&self, topology: &Topology, knowledge: &InitialKnowledge) -> Result<(), AssumptionError> {
        self.assumes().check_start(topology, knowledge)
    }

    /// The name of the guarantee.
    fn promises(&self) -> Guarantee {
        <Self::Promise as Promise<Self>>::GUARANTEE
    }

    /// The memory of a node that has not acted yet. `input` contains only the knowledge that [`assumes`](Self::assumes)
    /// declares.
    fn initial(&self, input: NodeInput<'_>) -> Self::Memory;

    /// The enabled actions that need neither a message nor a call, in a fixed order.
    ///
    /// `disconnected` tells whether the node's detector has something to report.
    fn enabled(&self, memory: &Self::Memory, disconnected: bool, into: &mut Vec<Self::Action>);

    /// Whether [`enabled`](Self::enabled) lists anything. Worth overriding for speed, because this method runs after
    /// every step.
    fn any_enabled(&self, memory: &Self::Memory, disconnected: bool) -> bool {
        let mut actions = Vec::new();
        self.enabled(memory, disconnected, &mut actions);
        !actions.is_empty()
    }

    /// Whether [`enabled`](Self::enabled) lists this action. Called before each execution of an action.
    fn is_enabled(&self, memory: &Self::Memory, disconnected: bool, action: Self::Action) -> bool {
        let mut actions = Vec::new();
        self.enabled(memory, disconnected, &mut actions);
        actions.contains(&action)
    }

    /// The action that is enabled by the receipt of `message`.
    fn receives(&self, message: Self::Message) -> Self::Action;

    /// The action that a call starts.
    fn calls(&self, call: Call) -> Self::Action;

    /// Executes one action.
    ///
    /// # Panics
    ///
    /// May panic if the action needs a message and `input` has none.
    fn execute(
        &self,
        memory: &mut Self::Memory,
        action: Self::Action,
        input: Input<'_, Self::Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Self::Message, Self::Note>,
    );

    /// The lock status of the node.
    fn status(&self, memory: &Self::Memory) -> Status;

    /// Heap memory of a node's memory, in bytes.
    fn heap_bytes(&self, memory: &Self::Memory) -> usize;

    /// Whether a section may touch the neighbours of its node although the promise only counts nodes inside. Returning
    /// true claims that no two nodes within two edges of each other are inside at once.
    fn holds_neighbours(&self) -> bool {
        false
    }

    /// A remark on a note for the printed trace; `None` if the name of the action says enough.
    fn remark(&self, _note: Self::Note) -> Option<&'static str> {
        None
    }

    /// The fairness class of a message, from 0 to 31. Messages that wait on one port, are received by the same action
    /// and have the same class count as one: weak fairness only guarantees that one of them is received eventually.
    /// Messages may share a class if at most one of them can wait on a port, or if their order does not matter.
    fn fairness_class(&self, _message: Self::Message) -> u8 {
        0
    }

    /// Sets how requests are stamped; `None` if the algorithm has no stamps or does not support this way of stamping.
    fn with_stamps(self, stamps: Stamps) -> Option<Self> {
        (stamps == Stamps::Counted).then_some(self)
    }

    /// The way in which this algorithm stamps requests.
    fn stamps(&self) -> Stamps {
        Stamps::Counted
    }

    /// Replaces a configuration (all memories, and the messages in transit) by a representative. Configurations that
    /// differ only in numbers whose size does not matter have the same representative. Explorations call this method
    /// unless stamps are [`Counted`](Stamps::Counted).
    fn normalise(&self, _memories: &mut [Self::Memory], _messages: &mut [Transit<'_, Self::Message>]) {}

    /// The memory after renaming the node's ports. `None` if the algorithm cannot rename them or depends on names. An
    /// exploration then also visits configurations that differ in names only.
    ///
    /// Returning `Some` promises that actions, draws and messages do not depend on names, and that messages
    /// contain none.
    fn rename(&self, _memory: &Self::Memory, _ports: PortNames<'_>) -> Option<Self::Memory> {
        None
    }

    /// Whether receiving this message is independent of all other steps that can happen before it. The node has this
    /// memory and an empty detector. An exploration may then execute the receipt first. Returning false is always
    /// correct.
    ///
    /// Independent means: the receipt sends and draws nothing. It may enable other actions, but changes nothing that
    /// another enabled action of the node reads or writes. This must stay true until an edge vanishes or the node
    /// ignores a call.
    fn commutes(&self, _memory: &Self::Memory, _port: Port, _message: Self::Message) -> bool {
        false
    }
}

/// A message in transit, which [`Exclusion::normalise`] may change.
#[derive(Debug)]
pub struct Transit<'a, M> {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// The message in transit.
    pub message: &'a mut M,
}

/// The way in which requests are stamped: as in a run, or so that an exploration can be finite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stamps {
    /// Lamport clocks: every request gets a new stamp.
    #[default]
    Counted,
    /// Lamport clocks. Configurations that differ only by the same shift of all clocks count as one. The explored graph
    /// is finite if clocks cannot drift apart, as on a complete graph.
    Normalised,
    /// A new stamp has any position among the stamps of live requests, after the earlier ones of the same process. This
    /// allows more orders than clocks do. The explored graph is finite on every topology.
    AnyOrder,
    /// Clocks that travel only with requests. Each number is replaced by its rank among all numbers of the
    /// configuration. Gaps between numbers are lost, so an explored run need not be a run with clocks. The explored
    /// graph is smaller than with [`Normalised`](Self::Normalised) if stamps are seldom equal. The graph is larger if
    /// stamps are often equal: ranks keep equal stamps equal, but `Normalised` orders old ones by identifier.
    Ranked,
}

/// A call of the lock layer's user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Call {
    /// The call to Lock.
    Lock,
    /// The call to Unlock.
    Unlock,
}

/// The snapshot that a node reads atomically at the start of an action.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a, M> {
    /// `N[u]`: port 0 and the ports that carry an edge. For a Lock on a chosen pair, only the ports of the pair.
    pub neighbourhood: &'a PortSet,
    /// `D(u)`: the ports whose edge has vanished since the last reading. Reading resets it.
    pub disconnected: &'a PortSet,
    /// The message received, with the port by which it came; `None` if the action receives no message.
    pub message: Option<(Port, M)>,
}

/// Messages and announcements of an action. The buffers are reused from action to action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionEffects<M, N> {
    /// Messages with the ports by which they leave, in sending order. Each is bound to the edge instance that
    /// the port carried when the action started.
    pub sends: Vec<(Port, M)>,
    /// The lock set that a completed Lock returns; only the node itself if the promise has no lock sets. `None` if no
    /// Lock completes.
    pub granted: Option<PortSet>,
    /// Whether the action completes an Unlock.
    pub released: bool,
    /// The notes of the action, without repetition, in the order of their announcement.
    pub notes: Vec<N>,
    /// The anomaly of the action, if any: an ignored call, or a message that the algorithm's invariants exclude.
    pub anomaly: Option<Anomaly>,
}

/// An event that never occurs if the callers, the other nodes and the links are correct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Anomaly {
    /// A call of Lock by a node that is not idle, or of Unlock by a node that holds no lock set. The rules ignore the
    /// call.
    IgnoredCall,
    /// A release-lock message that does not come from the lock's owner.
    ForeignRelease,
    /// A process returned a grant that it does not have.
    NoSuchGrant,
    /// The leader must raise a request, but no request may be raised.
    NothingToRaise,
    /// A request, or a token that is passed on, was sent to a node without a physical link.
    OffLink,
}

impl<M, N> ActionEffects<M, N> {
    /// Creates an empty list of effects.
    #[must_use]
    pub const fn new() -> Self {
        Self { sends: Vec::new(), granted: None, released: false, notes: Vec::new(), anomaly: None }
    }

    /// Announces a note, unless the same action has announced it before.
    #[inline]
    pub fn announce(&mut self, note: N)
    where
        N: PartialEq,
    {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Whether there are effects besides messages.
    #[inline]
    #[must_use]
    pub fn has_announcements(&self) -> bool {
        !self.notes.is_empty() || self.granted.is_some() || self.released || self.anomaly.is_some()
    }

    /// Removes all effects and keeps the buffers.
    #[inline]
    pub fn clear(&mut self) {
        self.sends.clear();
        self.notes.clear();
        (self.granted, self.anomaly) = (None, None);
        self.released = false;
    }
}

impl<M, N> Default for ActionEffects<M, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// The lock status of a node: idle, waiting, holding or releasing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// No Lock outstanding: Lock may be called.
    Idle,
    /// Lock was called and has not succeeded yet.
    Waiting,
    /// Lock succeeded: the node holds its lock set. Unlock may be called.
    Holding,
    /// Unlock was called and is not complete.
    Releasing,
}

/// The name of a promise. It selects the properties that are checked and the wording of results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Guarantee {
    /// Each lock set consists of the caller and its persistent neighbours (or the neighbour that it chose). Lock sets
    /// are disjoint, and an edge carries at most two messages, one for the Lock of each end.
    DisjointLockSets,
    /// At most one node is in its critical section.
    OneAtATime,
    /// At least l and at most k nodes of each closed neighbourhood are in their critical sections.
    AtLeastAtMost,
}

/// A promise, implemented as a monitor that checks it after every step of a world.
///
/// The world calls the methods in the order of the events. A promise ignores events that it does not need.
/// `node` is the node that acts.
pub trait Promise<E: Exclusion>: Clone + Debug + Send + Sync {
    /// The name of the promise.
    const GUARANTEE: Guarantee;
    /// Whether the holder of each node cannot be derived from the memories. If so, configurations contain the holders.
    const REMEMBERS_HOLDERS: bool = false;

    /// Creates the monitor of a world at its start, before any node has acted.
    fn new(topology: &Topology, knowledge: &InitialKnowledge) -> Self;

    /// The first violation of the promise, if any.
    fn violation(&self) -> Option<&Violation>;
    /// The number of nodes that hold their lock set now.
    fn holders(&self) -> u32;
    /// The number of nodes that are now in the lock set of a holder.
    fn held(&self) -> u32;
    /// The holder of a node now, if any.
    fn holder_of(&self, node: NodeId) -> Option<NodeId>;
    /// Appends the neighbours that the section of a holder may access, by the holder's ports in increasing
    /// order.
    fn members(
        exclusion: &E,
        holder: (NodeId, &E::Memory),
        topology: &Topology,
        into: &mut Vec<(Port, NodeId)>,
    );

    /// The lock set that the node's Lock must return if it succeeds; `None` if the promise does not define one.
    fn claimed(&self, _node: NodeId) -> Option<PortsRef<'_>> {
        None
    }
    /// The port of the neighbour that has locked the node; `None` if there is none or the promise has no such locks.
    fn lock(_exclusion: &E, _memory: &E::Memory) -> Option<Port> {
        None
    }
    /// The ports of the lock set according to the node's memory; `None` if the promise has no lock sets.
    fn lock_set<'m>(_exclusion: &E, _memory: &'m E::Memory) -> Option<PortsRef<'m>> {
        None
    }
    /// The competitors that a member serves before the neighbour on `port`, by
    /// [`LockSets::kept_behind`](crate::exclusion::LockSets::kept_behind); `None` if the promise has no lock sets.
    fn kept_behind<'m>(_exclusion: &E, _memory: &'m E::Memory, _port: Port) -> Option<PortsRef<'m>> {
        None
    }

    /// Called when an idle node has called Lock for these ports.
    fn lock_called(&mut self, _node: NodeId, _claimed: &PortSet) {}
    /// Called after the node has executed an action. `lock_before` is the node's lock before the action; `None` if the
    /// edge to the lock's owner has vanished.
    fn acted(
        &mut self,
        _exclusion: &E,
        _acted: (NodeId, &E::Memory),
        _lock_before: Option<Port>,
        _topology: &Topology,
    ) {
    }
    /// Called when the node's Lock has returned these ports. `lock` reads the [lock](Self::lock) of a node.
    fn granted(
        &mut self,
        node: NodeId,
        returned: &PortSet,
        topology: &Topology,
        lock: impl Fn(NodeId) -> Option<Port>,
    );
    /// Called before the node's section accesses a member.
    fn entering(&mut self, _node: NodeId, _port: Port, _member: NodeId) {}
    /// Called when the node's section is over and the node begins to release these members.
    fn releasing(&mut self, node: NodeId, members: &[(Port, NodeId)]);
    /// Called when the node's action reported an anomaly.
    fn met(&mut self, _node: NodeId, _anomaly: Anomaly) {}
    /// Called when a node sends a message by a port. `_over` is the link in the opposite direction, with the messages
    /// towards the sender; `None` for a message to itself.
    fn sent(
        &mut self,
        _exclusion: &E,
        _by: (NodeId, Port),
        _over: Option<(Link, Traffic)>,
        _message: E::Message,
        _topology: &mut Topology,
    ) {
    }
    /// Called when a node receives a message by a port.
    fn received(
        &mut self,
        _exclusion: &E,
        _by: (NodeId, Port),
        _message: E::Message,
        _topology: &mut Topology,
    ) {
    }
    /// Called for both ends of an edge that has vanished. It connected a port of the node to `other`.
    fn edge_ended(&mut self, _node: NodeId, _port: Port, _other: NodeId) {}

    /// Resets the monitor before a configuration is restored: no node is inside or holds others, no message is in
    /// transit, and the promise is not broken.
    fn restore(&mut self);
    /// Restores the lock set that the Lock of a waiting node must return; empty for other nodes.
    fn restore_claimed(&mut self, _node: NodeId, _claimed: PortSet) {}
    /// Restores a message that is in transit to a port of a node, or has not left yet.
    fn restore_message(
        &mut self,
        _exclusion: &E,
        _to: (NodeId, Port),
        _message: E::Message,
        _topology: &mut Topology,
    ) {
    }
    /// Restores the holder of a node, if holders are [remembered](Self::REMEMBERS_HOLDERS).
    fn restore_holder(&mut self, _member: NodeId, _holder: NodeId) {}
    /// Restores the lock status of a node.
    fn restore_status(&mut self, node: NodeId, status: Status, topology: &Topology);

    /// Copies the data about one node from the monitor of another world of the same plan.
    fn assume_node(&mut self, _node: NodeId, _other: &Self) {}
    /// Copies the data that do not belong to single nodes from the monitor of another world.
    fn assume_rest(&mut self, other: &Self);

    /// Heap memory of the monitor, in bytes.
    fn bytes(&self) -> usize;
}
