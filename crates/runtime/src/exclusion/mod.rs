//! Mutual-exclusion algorithms as pure state machines.
//!
//! [`Exclusion`] is the one trait. An implementation owns no clock, thread, file or generator, and never sees a node's
//! identity: one node's memory, one action, the ports alive now, the detector's report and at most one message go in;
//! new memory, sends by port, and possibly "granted" or "released" come out.
//!
//! | folder | algorithm | promise |
//! |---|---|---|
//! | [`local`] | Daymude, Richa, Scheideler 2022 | disjoint lock sets |

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::choice::Choices;
use crate::port::{Port, PortSet};
use crate::world::PortNames;

pub mod local;

/// A mutual-exclusion algorithm: the program that every node runs.
///
/// The simulator, the parallel engine and the checker call the same [`execute`](Self::execute).
pub trait Exclusion {
    /// All that a node has: O(Δ) bits.
    type Memory: Clone + Eq + Hash + Debug;
    /// What travels over an edge: constant size (O(log K) bits where priorities are drawn from K).
    type Message: Copy + Ord + Hash + Debug + Display;
    /// The paper's labels.
    type Action: Copy + Eq + Hash + Debug + Display;

    /// What the algorithm needs of its surroundings.
    fn assumes(&self) -> Assumptions;
    /// What it gives in return.
    fn promises(&self) -> Guarantee;
    /// The memory of a node that has not acted yet.
    fn initial(&self) -> Self::Memory;

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

    /// The action that receives `message`.
    fn receives(&self, message: Self::Message) -> Self::Action;
    /// The action that a call to Lock starts.
    fn locks(&self) -> Self::Action;
    /// The action that a call to Unlock starts.
    fn unlocks(&self) -> Self::Action;

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
        effects: &mut Effects<Self::Message>,
    );

    /// Where the node is between Lock and Unlock.
    fn status(&self, memory: &Self::Memory) -> Status;
    /// The ports of the lock set, as far as the node knows: meaningful while it is [`Status::Holding`].
    fn lock_set<'m>(&self, memory: &'m Self::Memory) -> &'m PortSet;
    /// The port whose owner has locked this node, if any.
    fn locked_by(&self, memory: &Self::Memory) -> Option<Port>;
    /// On whose behalf a message travels.
    fn role(&self, message: Self::Message) -> Role;
    /// The bytes that a memory occupies outside its own size.
    fn heap_bytes(&self, memory: &Self::Memory) -> usize;

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

/// What an algorithm needs of its surroundings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// Nodes need no identifiers.
    pub anonymous: bool,
    /// The graph may change while the algorithm runs.
    pub dynamic: bool,
    /// Messages of one direction of an edge may overtake each other.
    pub unordered_channels: bool,
}

/// What an algorithm promises to those who call Lock and Unlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Guarantee {
    /// Each lock set is the caller with its persistent neighbours (or with the one it chose), and lock sets are
    /// disjoint.
    DisjointLockSets {
        /// Messages in transit on one edge, in both directions together.
        messages_per_edge: u8,
    },
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

/// What an action sends and announces. The buffer is reused from action to action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects<M> {
    /// Messages with the ports they leave by, in sending order. Each is bound to the edge instance that the port
    /// carried when the action started.
    pub sends: Vec<(Port, M)>,
    /// The lock set that a completed Lock returns.
    pub granted: Option<PortSet>,
    /// Whether an Unlock is complete.
    pub released: bool,
    /// Whether a competition trial began.
    pub trial: bool,
    /// Whether a late first request was rejected (repair R1).
    pub late_rejection: bool,
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
}

impl<M> Effects<M> {
    /// No effects.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sends: Vec::new(),
            granted: None,
            released: false,
            trial: false,
            late_rejection: false,
            anomaly: None,
        }
    }

    /// Forgets everything and keeps the buffer.
    #[inline]
    pub fn clear(&mut self) {
        self.sends.clear();
        (self.granted, self.anomaly) = (None, None);
        (self.released, self.trial, self.late_rejection) = (false, false, false);
    }
}

impl<M> Default for Effects<M> {
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

/// On whose behalf a message travels over an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// From a node that runs its own Lock or Unlock to a member of its lock set.
    Initiator,
    /// The reply of a member.
    Participant,
}
