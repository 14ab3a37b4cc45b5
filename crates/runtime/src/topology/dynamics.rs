//! Adversaries that change the graph while an algorithm runs.

use super::{Edge, Topology};
use crate::choice::{Choices, Decision, FixedProbability, pick_index, pick_with_probability};
use crate::node::NodeId;
use crate::pack::{Pack, PackError};

/// A change that an adversary requests. A new edge takes the lowest free port at each end; if an end has none, the edge
/// does not appear.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// An edge vanishes. Nothing happens if the nodes are not adjacent.
    Disconnect(Edge),
    /// An edge appears. Nothing happens if the nodes are adjacent already.
    Connect(Edge),
}

/// The time at which an adversary is asked for changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The number of complete rounds so far.
    pub rounds: u64,
    /// Whether a round begins now. Round-based schedules ask once per round, the others before every step.
    pub round_begins: bool,
}

/// An adversary over the graph. It is [`Send`], so that a run can move to another thread.
pub trait Dynamics: Send {
    /// Appends the changes that happen now, in the order in which they happen.
    fn changes(
        &mut self,
        topology: &Topology,
        moment: Moment,
        choices: &mut dyn Choices,
        into: &mut Vec<Change>,
    );

    /// The next round, from `rounds` on, in which the graph may change; `None` if it never changes again.
    fn next_change(&self, rounds: u64) -> Option<u64>;

    /// Appends the state on which later changes depend. Returns `false` if this adversary cannot be saved; its runs
    /// then have no checkpoints.
    fn save(&self, into: &mut Vec<u8>) -> bool {
        let _ = into;
        false
    }

    /// Loads the state that [`save`](Self::save) wrote, for a graph of `nodes` nodes.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state.
    fn load(&mut self, nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        let _ = (nodes, from);
        Err(PackError)
    }
}

/// Changes of the graph at given rounds, from recorded contacts or a mobility model.
#[derive(Clone, Debug)]
pub struct Timetable {
    /// The changes with their rounds, sorted by round.
    entries: Vec<(u64, Change)>,
    next: usize,
    end: u64,
}

impl Timetable {
    /// Creates a timetable. `entries` happen at the beginning of their rounds, in this order within a round; the
    /// recording ends at round `end`.
    #[must_use]
    pub fn new(mut entries: Vec<(u64, Change)>, end: u64) -> Self {
        entries.sort_by_key(|&(round, _)| round);
        Self { entries, next: 0, end }
    }

    /// The round in which the recording ends.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }
}

impl Dynamics for Timetable {
    fn changes(
        &mut self,
        _topology: &Topology,
        moment: Moment,
        _choices: &mut dyn Choices,
        into: &mut Vec<Change>,
    ) {
        let due = self.entries[self.next..].iter().take_while(|&&(round, _)| round <= moment.rounds);
        let before = into.len();
        into.extend(due.map(|&(_, change)| change));
        self.next += into.len() - before;
    }

    fn next_change(&self, rounds: u64) -> Option<u64> {
        let next = self.entries.get(self.next).map(|&(round, _)| round.max(rounds));
        next.or((rounds < self.end).then_some(self.end))
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.next.pack(into);
        true
    }

    fn load(&mut self, _nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        self.next.unpack_into(from)?;
        if self.next <= self.entries.len() { Ok(()) } else { Err(PackError) }
    }
}

/// Churn: in each round, every edge of the initial graph vanishes or returns with a given probability.
///
/// In schedules without their own rounds, a step counts as 1/n of a round: at most one edge, picked uniformly, flips
/// before a step. There, rates above nodes / edges are not possible, because they need more than one flip per step.
#[derive(Clone, Debug)]
pub struct Churn {
    edges: Vec<Edge>,
    rate: FixedProbability,
    /// Probability that some edge flips before a step, in step-by-step schedules.
    step_rate: FixedProbability,
    stepwise: bool,
}

impl Churn {
    /// Creates churn over the edges of `topology`, with `rate` flips per edge and round. `stepwise` is for schedules
    /// that ask before every step.
    #[must_use]
    pub fn new(topology: &Topology, rate: FixedProbability, stepwise: bool) -> Self {
        let edges = topology.edges();
        let expected = rate.get() * edges.len() as f64 / f64::from(topology.node_count().max(1));
        let step_rate = FixedProbability::new(expected.min(1.0)).expect("between 0 and 1");
        Self { edges, rate, step_rate, stepwise }
    }
}

fn flip(topology: &Topology, edge: Edge) -> Change {
    if topology.adjacent(edge.a, edge.b) { Change::Disconnect(edge) } else { Change::Connect(edge) }
}

impl Dynamics for Churn {
    fn changes(
        &mut self,
        topology: &Topology,
        moment: Moment,
        choices: &mut dyn Choices,
        into: &mut Vec<Change>,
    ) {
        if self.stepwise {
            if pick_with_probability(choices, self.step_rate, Decision::Topology)
                && let Some(index) = pick_index(choices, self.edges.len(), Decision::Topology)
            {
                into.push(flip(topology, self.edges[index]));
            }
        } else if moment.round_begins {
            for &edge in &self.edges {
                if pick_with_probability(choices, self.rate, Decision::Topology) {
                    into.push(flip(topology, edge));
                }
            }
        }
    }

    fn next_change(&self, rounds: u64) -> Option<u64> {
        (self.rate > FixedProbability::ZERO && !self.edges.is_empty()).then_some(rounds)
    }

    fn save(&self, _into: &mut Vec<u8>) -> bool {
        true
    }

    fn load(&mut self, _nodes: u32, _from: &mut &[u8]) -> Result<(), PackError> {
        Ok(())
    }
}

/// Removes a random set of links one by one, one per round, and restores them in another random order. Then it waits,
/// and starts again with other links. Named after the fault pattern of FoundationDB's simulator.
#[derive(Clone, Debug)]
pub struct Swizzle {
    links: u32,
    period: u64,
    cut: Vec<Edge>,
    restore: Vec<Edge>,
    next_start: u64,
    no_links: bool,
}

impl Swizzle {
    /// Removes `links` links each time. A new set starts at least `period` rounds after the start of the last one.
    #[must_use]
    pub fn new(links: u32, period: u64) -> Self {
        Self { links, period, cut: Vec::new(), restore: Vec::new(), next_start: 0, no_links: false }
    }
}

fn shuffle(edges: &mut [Edge], choices: &mut dyn Choices) {
    for last in (1..edges.len()).rev() {
        let other = pick_index(choices, last + 1, Decision::Topology).expect("last + 1 > 0");
        edges.swap(last, other);
    }
}

impl Dynamics for Swizzle {
    fn changes(
        &mut self,
        topology: &Topology,
        moment: Moment,
        choices: &mut dyn Choices,
        into: &mut Vec<Change>,
    ) {
        if !moment.round_begins {
            return;
        }
        if self.cut.is_empty() && self.restore.is_empty() && moment.rounds >= self.next_start {
            self.next_start = moment.rounds.saturating_add(self.period);
            self.cut = topology.edges();
            self.no_links = self.cut.is_empty();
            shuffle(&mut self.cut, choices);
            self.cut.truncate(self.links as usize);
            self.restore = self.cut.clone();
            shuffle(&mut self.restore, choices);
        }
        if let Some(edge) = self.cut.pop() {
            into.push(Change::Disconnect(edge));
        } else if let Some(edge) = self.restore.pop() {
            into.push(Change::Connect(edge));
        }
    }

    fn next_change(&self, rounds: u64) -> Option<u64> {
        // A graph without edges at the last look has none to cut. Other adversaries may add edges; they are
        // asked too.
        if self.links == 0 || self.no_links || self.next_start == u64::MAX {
            None
        } else if self.cut.is_empty() && self.restore.is_empty() {
            Some(rounds.max(self.next_start))
        } else {
            Some(rounds)
        }
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.cut.pack(into);
        self.restore.pack(into);
        (self.next_start, self.no_links).pack(into);
        true
    }

    fn load(&mut self, nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        self.cut.unpack_into(from)?;
        self.restore.unpack_into(from)?;
        (self.next_start, self.no_links) = Pack::unpack(from)?;
        let is_edge = |edge: &Edge| edge.a < edge.b && edge.b.0 < nodes;
        if self.cut.iter().chain(&self.restore).all(is_edge) { Ok(()) } else { Err(PackError) }
    }
}

/// The edge between two nodes, given in either order.
#[must_use]
pub fn edge(a: NodeId, b: NodeId) -> Edge {
    Edge { a: a.min(b), b: a.max(b) }
}
