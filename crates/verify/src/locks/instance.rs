//! [`Instance`]: what of the lock layer is explored.

use std::fmt;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{
    CandidateEdge, CriticalSection, LockSetRule, NodeId, Pack, Port, Setup, Timing, Topology, TopologyError,
    World,
};

/// An algorithm that can be explored: all that it has packs into bytes.
pub trait Explored:
    Exclusion<Memory: Pack + Send + Sync, Message: Pack + Send + Sync, Action: Pack + Send + Sync>
    + Clone
    + Send
    + Sync
{
}

impl<E> Explored for E where
    E: Exclusion<Memory: Pack + Send + Sync, Message: Pack + Send + Sync, Action: Pack + Send + Sync>
        + Clone
        + Send
        + Sync
{
}

/// A critical section that can be explored: its states pack into bytes.
pub trait ExploredSection: CriticalSection<State: Pack + Send + Sync> + Clone + Send + Sync {}

impl<S> ExploredSection for S where S: CriticalSection<State: Pack + Send + Sync> + Clone + Send + Sync {}

/// Nodes of an instance, at most: a label has a bit for each, twice. Exploration ends long before.
pub const INSTANCE_NODES_MAX: u32 = 16;

/// Ports of a node of an instance, at most: a duty has eight bits for one.
pub const INSTANCE_PORTS_MAX: u16 = 254;

/// How often the adversary may change the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// So many times.
    Times(u32),
    /// Again and again.
    Unlimited,
}

impl Budget {
    /// Nothing of the kind happens.
    pub const NONE: Self = Self::Times(0);

    pub(super) fn limit(self) -> Option<u32> {
        match self {
            Self::Times(times) => Some(times),
            Self::Unlimited => None,
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(f, "{times}"),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

/// Which edges the adversary may bring into being.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rewiring {
    /// Those of the graph at the start, on the ports they had: edges flap.
    #[default]
    SameEdges,
    /// Any two nodes that are not adjacent, on any ports that are open.
    AnyEdges,
}

/// An instance of the lock layer: a graph with a state for each node, an algorithm, and what the adversary may do.
#[derive(Clone, Debug)]
pub struct Instance<E, S: CriticalSection> {
    /// The lock algorithm with its rules.
    pub exclusion: E,
    /// What runs under the locks; also says who calls Lock.
    pub section: S,
    /// How many nodes.
    pub nodes: u32,
    /// Δ.
    pub ports: u16,
    /// The edges at the start. Each node numbers its ports 1, 2, ... in the order in which its edges are listed.
    pub edges: Vec<(u32, u32)>,
    /// One state a node.
    pub states: Vec<S::State>,
    /// What a Lock asks for.
    pub lock_set: LockSetRule,
    /// When messages leave.
    pub timing: Timing,
    /// How often an edge may vanish.
    pub disconnections: Budget,
    /// How often an edge may appear.
    pub connections: Budget,
    /// Which edges may appear.
    pub rewiring: Rewiring,
    /// Whether the nodes also call Lock and Unlock when it is not their turn: calls that the rules ignore.
    pub misuse: bool,
}

impl<E, S: CriticalSection> Instance<E, S> {
    /// A graph that rests, a state for each of its nodes, as many ports as the largest degree; Locks of the whole
    /// neighbourhood, messages that leave at once, no call out of turn.
    #[must_use]
    pub fn new(exclusion: E, section: S, edges: &[(u32, u32)], states: Vec<S::State>) -> Self {
        let nodes = states.len() as u32;
        let degree = |node| edges.iter().filter(|edge| edge.0 == node || edge.1 == node).count() as u16;
        Self {
            exclusion,
            section,
            nodes,
            ports: (0..nodes).map(degree).max().unwrap_or(0).max(1),
            edges: edges.to_vec(),
            states,
            lock_set: LockSetRule::default(),
            timing: Timing::AtOnce,
            disconnections: Budget::NONE,
            connections: Budget::NONE,
            rewiring: Rewiring::SameEdges,
            misuse: false,
        }
    }

    /// The same instance with another algorithm.
    #[must_use]
    pub fn with_exclusion<F>(self, exclusion: F) -> Instance<F, S> {
        Instance {
            exclusion,
            section: self.section,
            nodes: self.nodes,
            ports: self.ports,
            edges: self.edges,
            states: self.states,
            lock_set: self.lock_set,
            timing: self.timing,
            disconnections: self.disconnections,
            connections: self.connections,
            rewiring: self.rewiring,
            misuse: self.misuse,
        }
    }
}

impl<E: Exclusion + Clone, S: CriticalSection + Clone> Instance<E, S> {
    /// The world at the start, for an algorithm that assumes no more than a graph.
    ///
    /// # Errors
    ///
    /// [`TopologyError`] if the edges do not make a graph with these nodes and ports.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state a node, and if the algorithm assumes more.
    pub fn world(&self) -> Result<World<E, S>, TopologyError> {
        self.setup().map(World::new)
    }

    /// What the world at the start is made of.
    pub(super) fn setup(&self) -> Result<Setup<E, S>, TopologyError> {
        Ok(Setup {
            exclusion: self.exclusion.clone(),
            section: self.section.clone(),
            topology: Topology::from_edges(self.nodes, self.ports, &self.edges)?,
            states: self.states.clone(),
            lock_set: self.lock_set,
            timing: self.timing,
        })
    }

    /// Every edge that may ever exist.
    pub(super) fn candidates(&self, start: &Topology) -> Vec<CandidateEdge> {
        let mut candidates = Vec::new();
        for a in start.nodes() {
            for (port, link) in start.links(a).filter(|(_, link)| link.peer > a) {
                candidates.push(CandidateEdge { a: (a, port.into()), b: (link.peer, link.peer_port.into()) });
            }
        }
        if self.rewiring == Rewiring::AnyEdges && self.connections != Budget::NONE {
            for (a, b) in start.nodes().flat_map(|a| (a.0 + 1..self.nodes).map(move |b| (a, NodeId(b)))) {
                for (a_port, b_port) in (1..=self.ports).flat_map(|a| (1..=self.ports).map(move |b| (a, b))) {
                    candidates.push(CandidateEdge { a: (a, Port(a_port)), b: (b, Port(b_port)) });
                }
            }
            candidates.sort_unstable();
            candidates.dedup();
        }
        candidates
    }
}
