//! [`Exclusion`]: the trait, what goes in and out of an action, and what is promised in return: [`Promise`].

use std::fmt::{Debug, Display};
use std::hash::Hash;

use super::{Assumptions, Seat, Seating, Unmet, Violation};
use crate::choice::Choices;
use crate::node::NodeId;
use crate::port::{Port, PortNames, PortSet, PortsRef};
use crate::topology::{Link, Topology, Traffic};

/// A mutual-exclusion algorithm: the program that every node runs.
///
/// The simulator, the parallel engine and the checker call the same [`execute`](Self::execute).
pub trait Exclusion: Sized {
    /// All that a node has.
    type Memory: Clone + Eq + Hash + Debug;
    /// What travels over an edge.
    type Message: Copy + Ord + Hash + Debug + Display;
    /// The paper's labels.
    type Action: Copy + Eq + Hash + Debug + Display + Send;
    /// What it announces beyond granted and released: a trial, a late rejection, a loan.
    type Note: Copy + Eq + Debug + Send + Sync;
    /// What it gives to those who call Lock and Unlock: the monitor of its worlds.
    type Promise: Promise<Self>;

    /// What the algorithm needs of its surroundings.
    fn assumes(&self) -> Assumptions;

    /// Whether a graph, with what the nodes are given, is as [assumed](Self::assumes), and the algorithm can do what it
    /// promises there.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit.
    fn check_start(&self, topology: &Topology, seating: &Seating) -> Result<(), Unmet> {
        self.assumes().check_start(topology, seating)
    }

    /// What it gives in return.
    fn promises(&self) -> Guarantee {
        <Self::Promise as Promise<Self>>::GUARANTEE
    }

    /// The memory of a node that has not acted yet. The seat answers what [`assumes`](Self::assumes) declares, and no
    /// more.
    fn initial(&self, seat: Seat<'_>) -> Self::Memory;

    /// The enabled actions that need neither a message nor a call, in a fixed order.
    ///
    /// `disconnected` tells whether the node's detector has something to report.
    fn enabled(&self, memory: &Self::Memory, disconnected: bool, into: &mut Vec<Self::Action>);

    /// Whether [`enabled`](Self::enabled) lists anything: asked after every step, so worth being quick.
    fn any_enabled(&self, memory: &Self::Memory, disconnected: bool) -> bool {
        let mut actions = Vec::new();
        self.enabled(memory, disconnected, &mut actions);
        !actions.is_empty()
    }

    /// Whether [`enabled`](Self::enabled) lists this action: asked before it is executed.
    fn is_enabled(&self, memory: &Self::Memory, disconnected: bool, action: Self::Action) -> bool {
        let mut actions = Vec::new();
        self.enabled(memory, disconnected, &mut actions);
        actions.contains(&action)
    }

    /// The action that receives `message`.
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
        effects: &mut Effects<Self::Message, Self::Note>,
    );

    /// Where the node is between Lock and Unlock.
    fn status(&self, memory: &Self::Memory) -> Status;

    /// The bytes that a memory occupies outside its own size.
    fn heap_bytes(&self, memory: &Self::Memory) -> usize;

    /// Whether a section may touch the neighbours of its node, where the promise only counts who is inside: a yes is that
    /// neither a neighbour nor a node two edges away is inside at the same time.
    fn holds_neighbours(&self) -> bool {
        false
    }

    /// What a run told in words adds for a note; `None` if the name of the action says as much.
    fn remark(&self, _note: Self::Note) -> Option<&'static str> {
        None
    }

    /// Which messages on one port, received by one action, a fair schedule must tell apart: those of different classes.
    /// Below 32; of one class if at most one of them can wait there, or if it does not matter which goes first.
    fn fairness_class(&self, _message: Self::Message) -> u8 {
        0
    }

    /// The same with stamps as an exploration takes them; `None` if it has no stamps, or none of this manner.
    fn with_stamps(self, stamps: Stamps) -> Option<Self> {
        (stamps == Stamps::Counted).then_some(self)
    }

    /// How its stamps are taken.
    fn stamps(&self) -> Stamps {
        Stamps::Counted
    }

    /// Makes one configuration of those that differ only in numbers whose size does not matter: all memories, and the
    /// messages on their way. Called by explorations, unless stamps are counted.
    fn normalise(&self, _memories: &mut [Self::Memory], _messages: &mut [Transit<'_, Self::Message>]) {}

    /// The memory with other names for the node's ports. `None` if the algorithm cannot tell, or is not the same under
    /// all names: then configurations that differ in names only are all explored. Whoever returns `Some` promises that
    /// its actions, draws and messages do not depend on names, and that messages contain none.
    fn rename(&self, _memory: &Self::Memory, _ports: PortNames<'_>) -> Option<Self::Memory> {
        None
    }

    /// Whether receiving this message, at a node with this memory and an empty detector, is independent of everything
    /// else that can happen before: it sends nothing, draws nothing, changes nothing that another enabled action of the
    /// node reads or writes, enables others at most, and stays so whatever else happens while no edge vanishes and no
    /// call comes out of turn. An exploration may then take it first. Saying no is always right.
    fn commutes(&self, _memory: &Self::Memory, _port: Port, _message: Self::Message) -> bool {
        false
    }
}

/// A message on its way.
#[derive(Debug)]
pub struct Transit<'a, M> {
    /// Who has sent it.
    pub from: NodeId,
    /// Who is to get it.
    pub to: NodeId,
    /// The message.
    pub message: &'a mut M,
}

/// How the stamps of requests are taken: as a run does, or as an exploration can that is to end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stamps {
    /// By Lamport's clocks: with every request there are new ones.
    #[default]
    Counted,
    /// By the clocks, and of configurations that differ by how far all clocks are one is kept: finite where clocks cannot
    /// drift apart, as on a complete graph.
    Normalised,
    /// In any order among those under way, after those of the same process: more than clocks can do, and finite on every
    /// graph.
    AnyOrder,
    /// By clocks that travel with requests alone, and of all numbers in a configuration only the order counts: smaller graphs
    /// than [`Normalised`](Self::Normalised) where stamps seldom meet, larger ones where equal numbers stay equal. Two numbers
    /// that lie apart come together, so that runs need not be those of clocks.
    Ranked,
}

/// A call of the lock layer's user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Call {
    /// Lock.
    Lock,
    /// Unlock.
    Unlock,
}

/// What a node reads at the start of an action, as one indivisible snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a, M> {
    /// `N[u]`: port 0 and the ports that carry an edge. For Lock on a chosen pair: the pair.
    pub neighbourhood: &'a PortSet,
    /// `D(u)`, just read and reset.
    pub disconnected: &'a PortSet,
    /// The message received, with the port by which it came.
    pub message: Option<(Port, M)>,
}

/// What an action sends and announces. The buffers are reused from action to action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects<M, N> {
    /// Messages with the ports they leave by, in sending order. Each is bound to the edge instance that the port
    /// carried when the action started.
    pub sends: Vec<(Port, M)>,
    /// The lock set that a completed Lock returns; the node alone where the promise knows no lock sets.
    pub granted: Option<PortSet>,
    /// Whether an Unlock is complete.
    pub released: bool,
    /// What the algorithm announces besides, each once, in the order of the announcements.
    pub notes: Vec<N>,
    /// A call that the rules ignored, or a message that the algorithm's invariants exclude.
    pub anomaly: Option<Anomaly>,
}

/// Something that a correct surrounding never causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Anomaly {
    /// Lock while not idle, or Unlock while not locked: ignored by the rules.
    IgnoredCall,
    /// A release-lock that does not come from the lock's owner.
    ForeignRelease,
    /// A grant that comes back from a process that has none.
    NoSuchGrant,
    /// The leader is to raise a request, and there is none that it may.
    NothingToRaise,
    /// A request, or a token on its way out, between nodes without a physical link.
    OffLink,
}

impl<M, N> Effects<M, N> {
    /// No effects.
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

    /// Whether there is something besides messages.
    #[inline]
    #[must_use]
    pub fn has_announcements(&self) -> bool {
        !self.notes.is_empty() || self.granted.is_some() || self.released || self.anomaly.is_some()
    }

    /// Forgets everything and keeps the buffers.
    #[inline]
    pub fn clear(&mut self) {
        self.sends.clear();
        self.notes.clear();
        (self.granted, self.anomaly) = (None, None);
        self.released = false;
    }
}

impl<M, N> Default for Effects<M, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Where a node is between Lock and Unlock.
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

    /// For a world at its start, in which no node has acted.
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
    fn claimed(&self, _node: NodeId) -> Option<PortsRef<'_>> {
        None
    }
    /// The port whose owner has locked the node, where the promise knows of such.
    fn lock(_exclusion: &E, _memory: &E::Memory) -> Option<Port> {
        None
    }
    /// The ports of the lock set, as far as the node knows, where the promise knows of such.
    fn lock_set<'m>(_exclusion: &E, _memory: &'m E::Memory) -> Option<PortsRef<'m>> {
        None
    }
    /// Behind whom a member keeps the owner of a port waiting: see [`LockSets::kept_behind`](crate::exclusion::LockSets::kept_behind).
    fn kept_behind<'m>(_exclusion: &E, _memory: &'m E::Memory, _port: Port) -> Option<PortsRef<'m>> {
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
    /// A message is on its way, or about to be: over this link, with this traffic towards the node, or from the node to itself.
    fn sent(
        &mut self,
        _exclusion: &E,
        _by: (NodeId, Port),
        _over: Option<(Link, Traffic)>,
        _message: E::Message,
        _topology: &mut Topology,
    ) {
    }
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

    /// Begins a configuration that is restored: no node holds anything, nothing is in transit, nothing is broken.
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
