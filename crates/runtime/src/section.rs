//! Critical sections: what a node does while it holds its lock set.

use std::fmt;
use std::hash::Hash;

use crate::choice::Choices;
use crate::node::NodeId;
use crate::pack::{Pack, PackError};
use crate::port::Port;

/// The code that runs under the locks: a pairwise interaction, a group interaction, an amoebot's action, or
/// nothing.
pub trait CriticalSection {
    /// The state of a node, in addition to the memory of the lock algorithm.
    type State: Clone + Eq + Hash + fmt::Debug;
    /// The result of a section, which observers receive.
    type Outcome;

    /// Whether an idle node in state `own` with `degree` neighbours calls Lock.
    fn wants(&self, own: &Self::State, degree: u16) -> bool;

    /// Whether a holder calls Unlock by itself. If not, the user of the world applies
    /// [`Step::Unlock`](crate::Step::Unlock).
    fn unlocks(&self, _own: &Self::State) -> bool {
        true
    }

    /// Runs the section while the lock set is held, in isolation from all other sections.
    fn enter(&self, held: &mut Locked<'_, Self::State>, choices: &mut dyn Choices) -> Self::Outcome;
}

/// Exclusive access to the states of a lock set, by port: the node's own state and those of the locked
/// neighbours that are still connected. It borrows the states, so it cannot outlive the lock set.
pub struct Locked<'a, S> {
    states: &'a mut [S],
    node: NodeId,
    neighbours: &'a [(Port, NodeId)],
}

/// Error: the neighbour is not in the lock set, because its edge has vanished or it was never a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departed {
    /// The requested port.
    pub port: Port,
}

impl fmt::Display for Departed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the neighbour on port {} is not in the lock set: it has left, or was never locked",
            self.port
        )
    }
}

impl std::error::Error for Departed {}

impl<'a, S> Locked<'a, S> {
    /// Creates access to the state of `node` and those of `neighbours`, which the caller has locked. For drivers that
    /// run sections.
    ///
    /// `neighbours` are distinct, sorted by port, and do not contain `node`; all are indices into `states`. Otherwise
    /// the methods may miss neighbours or panic.
    #[must_use]
    pub fn new(states: &'a mut [S], node: NodeId, neighbours: &'a [(Port, NodeId)]) -> Self {
        Self { states, node, neighbours }
    }

    /// The state of the node itself.
    #[must_use]
    pub fn own(&self) -> &S {
        &self.states[self.node.index()]
    }

    /// Mutable access to the state of the node itself.
    pub fn own_mut(&mut self) -> &mut S {
        &mut self.states[self.node.index()]
    }

    /// The number of locked neighbours.
    #[must_use]
    pub fn neighbour_count(&self) -> usize {
        self.neighbours.len()
    }

    /// The ports of the locked neighbours, in increasing order.
    pub fn ports(&self) -> impl ExactSizeIterator<Item = Port> + '_ {
        self.neighbours.iter().map(|&(port, _)| port)
    }

    fn find(&self, port: Port) -> Result<NodeId, Departed> {
        let found = self.neighbours.binary_search_by_key(&port, |&(port, _)| port);
        found.map(|i| self.neighbours[i].1).map_err(|_| Departed { port })
    }

    /// The state of a locked neighbour.
    ///
    /// # Errors
    ///
    /// [`Departed`] if the neighbour is not, or no longer, in the lock set.
    pub fn neighbour(&self, port: Port) -> Result<&S, Departed> {
        self.find(port).map(|node| &self.states[node.index()])
    }

    /// Mutable access to the state of a locked neighbour.
    ///
    /// # Errors
    ///
    /// [`Departed`] if the neighbour is not, or no longer, in the lock set.
    pub fn neighbour_mut(&mut self, port: Port) -> Result<&mut S, Departed> {
        self.find(port).map(|node| &mut self.states[node.index()])
    }

    /// Mutable access to the node's own state and that of a locked neighbour, in this order.
    ///
    /// # Errors
    ///
    /// [`Departed`] if the neighbour is not, or no longer, in the lock set.
    pub fn pair_mut(&mut self, port: Port) -> Result<(&mut S, &mut S), Departed> {
        let (own, other) = (self.node.index(), self.find(port)?.index());
        let [own, other] =
            self.states.get_disjoint_mut([own, other]).expect("a node is not its own neighbour");
        Ok((own, other))
    }
}

impl<S: fmt::Debug> fmt::Debug for Locked<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let neighbours = self.neighbours.iter().map(|(port, node)| (port, &self.states[node.index()]));
        write!(f, "own {:?}, locked neighbours ", self.own())?;
        f.debug_map().entries(neighbours).finish()
    }
}

/// The section of a pure lock workload: it only counts down the node's [`Demand`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LockOnly;

/// The number of times that a node still calls Lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Demand {
    /// The node calls Lock this many more times.
    Times(u32),
    /// The node calls Lock again and again, without end.
    Forever,
    /// The node is inside at the start and at the end, and leaves and returns this many more times.
    Outings(u32),
}

impl CriticalSection for LockOnly {
    type State = Demand;
    type Outcome = ();

    fn wants(&self, own: &Demand, _degree: u16) -> bool {
        *own != Demand::Times(0)
    }

    fn unlocks(&self, own: &Demand) -> bool {
        *own != Demand::Outings(0)
    }

    fn enter(&self, held: &mut Locked<'_, Demand>, _choices: &mut dyn Choices) {
        if let Demand::Times(left) | Demand::Outings(left) = held.own_mut() {
            *left = left.saturating_sub(1);
        }
    }
}

impl Pack for Demand {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        match self {
            Self::Forever => 0_u64.pack(into),
            Self::Times(left) => (u64::from(*left) + 1).pack(into),
            Self::Outings(left) => (OUTINGS + u64::from(*left)).pack(into),
        }
    }
    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        match u64::unpack(from)? {
            0 => Ok(Self::Forever),
            number @ 1..OUTINGS => Ok(Self::Times((number - 1) as u32)),
            number => u32::try_from(number - OUTINGS).map(Self::Outings).map_err(|_| PackError),
        }
    }
}

/// First code of [`Demand::Outings`], after all codes of [`Demand::Times`].
const OUTINGS: u64 = (1 << 32) + 1;
