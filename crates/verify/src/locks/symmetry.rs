//! Symmetry reduction: of all configurations that are equal up to renaming, stores only one.
//!
//! A *symmetry* renames nodes and ports so that the possible edges, the initial graph and the states of the nodes stay
//! the same. Nodes are anonymous and see their neighbours by port, so a symmetry maps runs to runs. An exploration
//! needs only one configuration of each orbit: the one whose packed bytes are smallest. The orbits of the stored
//! configurations together are exactly the reachable configurations, since the start is its own orbit.
//!
//! The reduction preserves every property of single configurations that does not distinguish nodes. It does not
//! preserve whether *one* node is locked out, since a cycle of orbits may permute the nodes at every turn.

use std::collections::BTreeSet;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{CandidateEdge, CriticalSection, Naming, NodeId, Pack, Port, World};

use super::reduction::ReductionError;

/// The maximum number of symmetries of an instance. Every reached configuration is packed once for each symmetry. With
/// more than 5040 (7!) symmetries the reduction would save memory but no time.
pub const SYMMETRIES_MAX: usize = 5_040;

/// The symmetries of an instance. They form a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symmetry {
    /// All symmetries except the identity.
    namings: Vec<Naming>,
}

impl Symmetry {
    /// Computes the symmetries of an initial world and of the edges that can exist at some time. Ports that no edge may
    /// use keep their order. The states must contain neither ports nor nodes.
    ///
    /// # Errors
    ///
    /// [`ReductionError`] if the algorithm cannot rename ports, or there are more than [`SYMMETRIES_MAX`].
    pub fn of<E, S>(start: &World<E, S>, candidates: &[CandidateEdge]) -> Result<Self, ReductionError>
    where
        E: Exclusion,
        E::Memory: Pack,
        E::Message: Pack,
        S: CriticalSection,
        S::State: Pack,
    {
        let mut packed = Vec::new();
        start.pack(candidates, &mut packed);
        let mut search = NamingSearch::new(start, candidates);
        search.nodes(0, &mut |naming| {
            let mut renamed = Vec::new();
            if !start.pack_renamed(candidates, &naming, &mut renamed) {
                return Err(ReductionError::NoOtherNames);
            }
            Ok(renamed == packed)
        })?;
        let mut namings = search.found;
        namings.retain(|naming| !naming.is_identity());
        Ok(Self { namings })
    }

    /// Takes these symmetries without a check. The caller must ensure that they are symmetries and closed under
    /// composition; otherwise the exploration misses configurations.
    #[must_use]
    pub fn from_namings(namings: Vec<Naming>) -> Self {
        Self { namings: namings.into_iter().filter(|naming| !naming.is_identity()).collect() }
    }

    /// The number of symmetries, including the identity.
    #[must_use]
    pub fn order(&self) -> usize {
        self.namings.len() + 1
    }

    /// All symmetries except the identity.
    #[must_use]
    pub fn namings(&self) -> &[Naming] {
        &self.namings
    }

    /// Replaces the packed configuration of `world`, from byte `start` on, by the smallest of its orbit. Returns the
    /// renaming used, or `None` for the identity.
    pub(super) fn least<E, S>(
        &self,
        world: &World<E, S>,
        candidates: &[CandidateEdge],
        (into, start): (&mut Vec<u8>, usize),
    ) -> Option<&Naming>
    where
        E: Exclusion,
        E::Memory: Pack,
        E::Message: Pack,
        S: CriticalSection,
        S::State: Pack,
    {
        let mut least = None;
        for naming in &self.namings {
            let end = into.len();
            let renamed = world.pack_renamed(candidates, naming, into);
            assert!(renamed, "an algorithm that renames the ports of one memory renames those of all");
            let (known, new) = into[start..].split_at(end - start);
            if new < known {
                into.drain(start..end);
                least = Some(naming);
            } else {
                into.truncate(end);
            }
        }
        least
    }
}

/// A backtracking search for all symmetries, which maps nodes first and then their ports.
struct NamingSearch {
    nodes: u32,
    ports: u16,
    states: Vec<Vec<u8>>,
    candidates: Vec<CandidateEdge>,
    known: BTreeSet<CandidateEdge>,
    /// The ports that edges may use, as (node, port).
    ends: Vec<(NodeId, Port)>,
    /// For each of these ports, the other end of its edge in the initial graph, if it has one.
    links: Vec<Option<(NodeId, Port)>>,
    /// The images of the nodes that are decided so far; `to_ports` has those of the ends.
    to_nodes: Vec<NodeId>,
    to_ports: Vec<Port>,
    found: Vec<Naming>,
}

impl NamingSearch {
    fn new<E, S>(start: &World<E, S>, candidates: &[CandidateEdge]) -> Self
    where
        E: Exclusion,
        S: CriticalSection,
        S::State: Pack,
    {
        let topology = start.topology();
        let states = start.states().iter().map(|state| {
            let mut packed = Vec::new();
            state.pack(&mut packed);
            packed
        });
        let ends: BTreeSet<(NodeId, Port)> = candidates.iter().flat_map(|edge| [edge.a, edge.b]).collect();
        let ends: Vec<_> = ends.into_iter().collect();
        let link = |&(node, port): &(NodeId, Port)| {
            topology.link(node, port).map(|link| (link.peer, Port::from(link.peer_port)))
        };
        Self {
            nodes: topology.node_count(),
            ports: topology.ports(),
            states: states.collect(),
            candidates: candidates.to_vec(),
            known: candidates.iter().copied().collect(),
            links: ends.iter().map(link).collect(),
            ends,
            to_nodes: Vec::new(),
            to_ports: Vec::new(),
            found: Vec::new(),
        }
    }

    fn nodes(
        &mut self,
        next: u32,
        accept: &mut dyn FnMut(Naming) -> Result<bool, ReductionError>,
    ) -> Result<(), ReductionError> {
        if next == self.nodes {
            return self.ports(accept);
        }
        for to in (0..self.nodes).map(NodeId) {
            if self.node_fits(NodeId(next), to) {
                self.to_nodes.push(to);
                self.nodes(next + 1, accept)?;
                self.to_nodes.pop();
            }
        }
        Ok(())
    }

    fn node_fits(&self, node: NodeId, to: NodeId) -> bool {
        let between = |a: NodeId, b: NodeId| {
            let joins = |edge: &&CandidateEdge| [(a, b), (b, a)].contains(&(edge.a.0, edge.b.0));
            self.candidates.iter().filter(joins).count()
        };
        let used = |node| self.ends.iter().filter(|end| end.0 == node).count();
        !self.to_nodes.contains(&to)
            && self.states[node.index()] == self.states[to.index()]
            && used(node) == used(to)
            && self
                .to_nodes
                .iter()
                .zip(0..)
                .all(|(&to_other, other)| between(node, NodeId(other)) == between(to, to_other))
    }

    fn ports(
        &mut self,
        accept: &mut dyn FnMut(Naming) -> Result<bool, ReductionError>,
    ) -> Result<(), ReductionError> {
        let Some(&(node, _)) = self.ends.get(self.to_ports.len()) else {
            let naming = self.naming();
            if accept(naming.clone())? {
                if self.found.len() == SYMMETRIES_MAX {
                    return Err(ReductionError::TooManySymmetries { limit: SYMMETRIES_MAX });
                }
                self.found.push(naming);
            }
            return Ok(());
        };
        let to = self.to_nodes[node.index()];
        for place in 0..self.ends.len() {
            if self.ends[place].0 == to && self.end_fits(place) {
                self.to_ports.push(self.ends[place].1);
                self.ports(accept)?;
                self.to_ports.pop();
            }
        }
        Ok(())
    }

    /// The image of an end, a (node, port); `None` if it is not decided yet.
    fn image(&self, end: (NodeId, Port)) -> Option<(NodeId, Port)> {
        let place = self.ends.binary_search(&end).ok()?;
        self.to_ports.get(place).map(|&port| (self.to_nodes[end.0.index()], port))
    }

    /// Whether the next undecided end may be mapped to the end `ends[place]`.
    fn end_fits(&self, place: usize) -> bool {
        let (next, to) = (self.to_ports.len(), self.ends[place]);
        let (from, link) = (self.ends[next], self.links[next]);
        let taken = self.ends[..next].iter().any(|&end| self.image(end) == Some(to));
        let linked = match (link, self.links[place]) {
            (None, None) => true,
            (Some(peer), Some(to_peer)) => {
                self.to_nodes[peer.0.index()] == to_peer.0
                    && self.image(peer).is_none_or(|image| image == to_peer)
            }
            _ => false,
        };
        let edges = || {
            self.candidates.iter().filter(|edge| edge.a == from || edge.b == from).all(|edge| {
                let other = if edge.a == from { edge.b } else { edge.a };
                self.image(other).is_none_or(|image| {
                    let (a, b) = (image.min(to), image.max(to));
                    self.known.contains(&CandidateEdge { a, b })
                })
            })
        };
        !taken && linked && edges()
    }

    fn naming(&self) -> Naming {
        let ports = (0..self.nodes).map(|node| {
            let of = |node: NodeId| self.ends.iter().filter(move |end| end.0 == node).map(|end| end.1);
            let (used, to_used): (Vec<Port>, Vec<Port>) =
                (of(NodeId(node)).collect(), of(self.to_nodes[node as usize]).collect());
            let mut spare = (1..=self.ports).map(Port).filter(|port| !to_used.contains(port));
            let to = (1..=self.ports).map(|port| match used.binary_search(&Port(port)) {
                Ok(_) => self.image((NodeId(node), Port(port))).expect("every end goes somewhere").1,
                Err(_) => spare.next().expect("as many ports here as there"),
            });
            std::iter::once(Port::SELF).chain(to).collect()
        });
        Naming::new(self.to_nodes.clone(), ports.collect()).expect("nothing is taken twice")
    }
}
