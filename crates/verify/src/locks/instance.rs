//! [`Instance`]: a small instance of the lock layer, to be explored.

use std::fmt;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{
    CandidateEdge, CriticalSection, LockSetRule, NodeId, Pack, Port, Setup, Timing, Topology, TopologyError,
    World,
};

/// An algorithm that can be explored: its memory, messages and actions pack into bytes.
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

/// The maximum number of nodes of an instance: a label has two bits per node. Explorations run out of memory with far
/// fewer nodes.
pub const INSTANCE_NODES_MAX: u32 = 16;

/// The maximum number of ports of a node: a duty has eight bits for the port.
pub const INSTANCE_PORTS_MAX: u16 = 254;

/// A limit on the graph changes of one kind that the adversary may make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// At most this many times.
    Times(u32),
    /// Any number of times.
    Unlimited,
}

impl Budget {
    /// The adversary may not change the graph.
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

/// The edges that the adversary may add.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rewiring {
    /// Only edges of the initial graph, on their original ports: edges vanish and return.
    #[default]
    SameEdges,
    /// An edge between any two non-adjacent nodes, on any open ports.
    AnyEdges,
}

/// An instance of the lock layer: graph, node states, algorithm, and the powers of the adversary.
#[derive(Clone, Debug)]
pub struct Instance<E, S: CriticalSection> {
    /// The lock algorithm with its rules.
    pub exclusion: E,
    /// The critical section, which also decides which nodes call Lock.
    pub section: S,
    /// The number of nodes.
    pub nodes: u32,
    /// The number of ports of each node, Δ.
    pub ports: u16,
    /// The initial edges. Each node numbers its ports 1, 2, ... in the order of its edges.
    pub edges: Vec<(u32, u32)>,
    /// The initial state of each node for the critical section.
    pub states: Vec<S::State>,
    /// The lock set that a Lock asks for.
    pub lock_set: LockSetRule,
    /// Whether the messages of an action leave at once or one by one.
    pub timing: Timing,
    /// The number of times that an edge may vanish.
    pub disconnections: Budget,
    /// The number of times that an edge may appear.
    pub connections: Budget,
    /// The edges that may appear: only edges of the initial graph, or any.
    pub rewiring: Rewiring,
    /// Whether nodes also make calls that the rules ignore: Lock while not idle, and Unlock while not holding.
    pub misuse: bool,
}

impl<E, S: CriticalSection> Instance<E, S> {
    /// An instance whose graph does not change, with as many ports as the largest degree. Locks ask for the whole
    /// neighbourhood, messages leave at once, and nodes make no calls that the rules ignore.
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

    /// Replaces the lock algorithm.
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
    /// The initial world, for an algorithm that needs no initial knowledge beyond the graph.
    ///
    /// # Errors
    ///
    /// [`TopologyError`] if the edges are not a graph with these nodes and ports.
    ///
    /// # Panics
    ///
    /// Panics if the number of states differs from the number of nodes, or if the algorithm has further assumptions.
    pub fn world(&self) -> Result<World<E, S>, TopologyError> {
        self.setup().map(World::new)
    }

    /// The parts from which the initial world is built.
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

    /// All edges that can exist at some time: those of the initial graph, and those that the adversary may add.
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
