//! A population on a graph under the uniform scheduler: an array of states, interactions one by one.

use std::sync::Arc;

use acrasin_engine::Pages;
use acrasin_process::{Condition, Ranks};
use rayon::slice::ParallelSliceMut as _;

use crate::table::Table;

use super::array::Array;
use super::blocks::SHARED_FROM;
use super::condition::calm;
use super::draws::{RandomDraws, StreamPurpose};
use super::error::SizeError;
use super::meetings::{LANES, Meetings};
use super::population::{SINGLE, WATCHED};
use super::rules::TransitionRules;
use super::strips::{StripShape, Strips};
use super::torus_shape::{EdgeNumbers, TorusShape};

/// The number of agents from which a ring or torus is run in strips. A smaller population fits in the cache of one
/// core.
const STRIPS_FROM: u64 = 1 << 22;

/// The number of agents of a strip if there are at least [`STRIPS`] strips: twice as many as fit in the second-level
/// cache of a core. Strips of half that size would wait less for memory, but interactions across seams would be twice
/// as frequent, which costs more.
const STRIP: u32 = 1 << 21;
const STRIPS: u64 = 16;

/// The number of agents of a strip if there are fewer than [`STRIPS`] strips.
const SMALL_STRIP: u32 = 1 << 20;

/// In a run with one interaction per this number of agents, counting cells costs as much as counting all agents at the
/// end.
const COUNT_SHARE: u64 = 4;

/// Agents that interact along the edges of a graph: the two ends of a uniformly random edge interact, in a uniformly
/// random direction.
///
/// A run is a function of table, states, edges and seed. It does not depend on where it is stopped. Memory: one or two
/// bytes per agent, eight per listed edge.
///
/// ```
/// use acrasin_protocols::{Table, library::GraphMajority, uniform::{Agreed, GraphPopulation}};
///
/// let table = Table::compile(&GraphMajority)?;
/// let ring = (0..9).map(|agent| [agent, (agent + 1) % 9]).collect();
/// let mut population = GraphPopulation::new(&table, &[0, 0, 1, 0, 1, 1, 0, 0, 1], ring, 1)?;
/// assert!(population.run_until(&Agreed::new(&table), 1 << 20));
/// assert_eq!(population.counts()[1] + population.counts()[3], 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphPopulation {
    pub(super) table: Table,
    pub(super) seed: u64,
    pub(super) rules: TransitionRules,
    pub(super) agents: GraphAgents,
    pub(super) pair_draws: [RandomDraws; LANES],
    pub(super) outcome_draws: RandomDraws,
    pub(super) counts: Vec<u64>,
    pub(super) interactions: u64,
}

/// Edges in the layout that a population on a graph uses: eight bytes each.
#[derive(Clone, Debug)]
pub struct EdgeList(Pages<[u32; 2]>);

impl EdgeList {
    /// Collects edges, unchecked: [`GraphPopulation::in_order`] checks them.
    pub fn from_edges(edges: impl ExactSizeIterator<Item = [u32; 2]>) -> Self {
        let mut list = Pages::zeroed(edges.len());
        for (place, edge) in list.iter_mut().zip(edges) {
            *place = edge;
        }
        Self(list)
    }
}

/// The agents in one of two layouts.
#[derive(Clone, Debug)]
pub(super) enum GraphAgents {
    Array(Box<Array>),
    Strips(Box<Strips>),
}

/// Whether there is an edge, and each edge is between two of `agents` agents.
fn are_sound(edges: &[[u32; 2]], agents: usize) -> bool {
    let is_sound = |[u, v]: &[u32; 2]| u != v && (*u as usize) < agents && (*v as usize) < agents;
    !edges.is_empty() && edges.iter().all(is_sound)
}

impl GraphPopulation {
    /// Creates a population with these states (numbers of the table) on the graph with these edges. An edge that is
    /// listed twice is chosen twice as often.
    ///
    /// # Errors
    ///
    /// Fewer than 2 agents, or more than 2^32; no edge, or an edge from an agent to itself or to an agent that does not
    /// exist.
    ///
    /// # Panics
    ///
    /// Panics if a state is not in the table.
    pub fn new(table: &Table, states: &[u16], edges: Vec<[u32; 2]>, seed: u64) -> Result<Self, SizeError> {
        let agents = states.len() as u128;
        if !(2..=1 << 32).contains(&agents) {
            return Err(SizeError::WrongSize { agents });
        }
        if !are_sound(&edges, states.len()) {
            return Err(SizeError::WrongEdges);
        }
        Ok(Self::meeting(table, states, Meetings::along(edges), seed))
    }

    /// Creates a population on the edges in canonical order: each edge with its smaller number first, and the edges
    /// sorted. So the run is a function of the graph, and does not depend on the order and directions of the list. If
    /// the edges are in this order, the run equals that of [`new`](Self::new).
    ///
    /// Cost: O(edges), or O(edges log edges) on the threads of the current pool if they are not in order. The list is
    /// not copied.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use acrasin_protocols::{Table, library::GraphMajority, uniform::{EdgeList, GraphPopulation}};
    ///
    /// let table = Table::compile(&GraphMajority)?;
    /// let on = |edges: [[u32; 2]; 3]| {
    ///     GraphPopulation::in_order(&table, &[0, 1, 0, 1], EdgeList::from_edges(edges.into_iter()), 1)
    /// };
    /// let (mut one, mut other) = (on([[0, 1], [1, 2], [2, 3]])?, on([[3, 2], [1, 0], [1, 2]])?);
    /// one.run_to(100);
    /// other.run_to(100);
    /// assert_eq!(one.save(), other.save());
    /// assert!(one.edges().eq([[0, 1], [1, 2], [2, 3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_order(
        table: &Table,
        states: &[u16],
        EdgeList(mut edges): EdgeList,
        seed: u64,
    ) -> Result<Self, SizeError> {
        let agents = states.len() as u128;
        if !(2..=1 << 32).contains(&agents) {
            return Err(SizeError::WrongSize { agents });
        }
        if !are_sound(&edges, states.len()) {
            return Err(SizeError::WrongEdges);
        }
        for edge in edges.iter_mut() {
            *edge = [edge[0].min(edge[1]), edge[0].max(edge[1])];
        }
        if !edges.is_sorted() {
            edges.par_sort_unstable_by_key(|&[u, v]| u64::from(u) << 32 | u64::from(v));
        }
        Ok(Self::meeting(table, states, Meetings::Edges(Arc::new(edges)), seed))
    }

    /// Creates a population on the same graph, in these states and with this seed, before its first interaction. Listed
    /// edges are shared, not copied.
    ///
    /// # Errors
    ///
    /// The number of states differs from the number of nodes.
    ///
    /// # Panics
    ///
    /// Panics if a state is not in the table.
    pub fn restarted(&self, states: &[u16], seed: u64) -> Result<Self, SizeError> {
        if states.len() as u64 != self.counts.iter().sum::<u64>() {
            return Err(SizeError::WrongSize { agents: states.len() as u128 });
        }
        match &self.agents {
            GraphAgents::Strips(strips) => {
                Self::in_strips(&self.table, states, strips.shape().torus(), seed, strips.ranks().cloned())
            }
            GraphAgents::Array(array) => {
                Ok(Self::meeting(&self.table, states, array.meetings().clone(), seed))
            }
        }
    }

    /// Creates a population on a ring or torus, without a list of edges.
    ///
    /// From 2^22 agents on, if the rules are deterministic and have at most 128 states, the threads of the current pool
    /// share the work. The run does not depend on their number. It differs from the run on a list of the same edges,
    /// but has the same distribution.
    ///
    /// # Errors
    ///
    /// The number of states differs from the number of nodes; a side is below 3, or there are more nodes than
    /// [`TorusShape::NODES_MAX`].
    ///
    /// # Panics
    ///
    /// Panics if a state is not in the table.
    pub fn on_torus(table: &Table, states: &[u16], shape: TorusShape, seed: u64) -> Result<Self, SizeError> {
        Self::in_strips(table, states, shape, seed, None)
    }

    /// The part of one rank in a population [on a ring or torus](Self::on_torus) that all `ranks` run together. All
    /// ranks create the population with the same arguments, and then make the same calls. On every rank, the results of
    /// the calls are those of a single process.
    ///
    /// A population without [strips](Self::has_strips) is not divided: each rank runs the whole population. Otherwise a
    /// rank stores only the states of its own agents: [`state`](Self::state) panics for other agents, and
    /// [`save`](Self::save) panics.
    ///
    /// # Errors
    ///
    /// As [`on_torus`](Self::on_torus).
    ///
    /// # Panics
    ///
    /// Panics if a state is not in the table. Later calls panic if the ranks were created with different arguments.
    pub fn on_torus_of_ranks(
        table: &Table,
        states: &[u16],
        shape: TorusShape,
        seed: u64,
        ranks: Arc<dyn Ranks>,
    ) -> Result<Self, SizeError> {
        Self::in_strips(table, states, shape, seed, Some(ranks))
    }

    fn in_strips(
        table: &Table,
        states: &[u16],
        shape: TorusShape,
        seed: u64,
        ranks: Option<Arc<dyn Ranks>>,
    ) -> Result<Self, SizeError> {
        if states.len() as u64 != shape.nodes() {
            return Err(SizeError::WrongSize { agents: states.len() as u128 });
        }
        if !shape.is_sound() {
            return Err(SizeError::WrongEdges);
        }
        let rules = TransitionRules::new(table);
        if Self::has_strips(table, shape) {
            let size = if shape.nodes() < STRIPS * u64::from(STRIP) { SMALL_STRIP } else { STRIP };
            let strips = Strips::new(states, StripShape::new(shape, size), &rules, seed, ranks);
            return Ok(Self::of(table, states, rules, GraphAgents::Strips(Box::new(strips)), seed));
        }
        Ok(Self::meeting(table, states, Meetings::Torus(EdgeNumbers::new(shape)), seed))
    }

    /// The strips of this population, if it is divided between ranks.
    pub(super) fn strips_of_ranks(&self) -> Option<&Strips> {
        match &self.agents {
            GraphAgents::Strips(strips) if strips.ranks().is_some() => Some(strips),
            _ => None,
        }
    }

    /// Whether a population on this ring or torus is run in strips, which all threads of the current pool share.
    #[must_use]
    pub fn has_strips(table: &Table, shape: TorusShape) -> bool {
        shape.nodes() >= STRIPS_FROM && Strips::can_have(&TransitionRules::new(table))
    }

    /// Whether a run of this many agents on a graph uses several threads. Without [strips](Self::has_strips), a second
    /// thread draws the pairs.
    #[must_use]
    pub fn uses_threads(agents: u64) -> bool {
        agents >= SHARED_FROM as u64
    }

    fn meeting(table: &Table, states: &[u16], meetings: Meetings, seed: u64) -> Self {
        let rules = TransitionRules::new(table);
        let array = Array::meeting(states, meetings, &rules);
        Self::of(table, states, rules, GraphAgents::Array(Box::new(array)), seed)
    }

    fn of(table: &Table, states: &[u16], rules: TransitionRules, agents: GraphAgents, seed: u64) -> Self {
        let mut counts = vec![0; usize::from(table.state_count())];
        for &state in states {
            counts[usize::from(state)] += 1;
        }
        Self {
            table: table.clone(),
            seed,
            rules,
            agents,
            pair_draws: std::array::from_fn(|lane| RandomDraws::new(seed, StreamPurpose::Pairs, lane as u64)),
            outcome_draws: RandomDraws::new(seed, StreamPurpose::Outcomes, 0),
            counts,
            interactions: 0,
        }
    }

    /// The number of interactions so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.interactions
    }

    /// The number of agents in each state.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of edges.
    #[must_use]
    pub fn edge_count(&self) -> u64 {
        match &self.agents {
            GraphAgents::Strips(strips) => strips.shape().torus().edge_count(),
            GraphAgents::Array(array) => match array.meetings() {
                Meetings::All => 0,
                Meetings::Edges(edges) => edges.len() as u64,
                Meetings::Torus(numbers) => numbers.shape().edge_count(),
            },
        }
    }

    /// The edges by number, also of a ring or torus.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
        let ends: Box<dyn Fn(u32) -> [u32; 2] + '_> = match &self.agents {
            GraphAgents::Strips(strips) => {
                let numbers = EdgeNumbers::new(strips.shape().torus());
                Box::new(move |edge| numbers.ends(edge))
            }
            GraphAgents::Array(array) => match array.meetings() {
                Meetings::All => unreachable!("the complete graph is a `Population`"),
                Meetings::Edges(edges) => Box::new(|edge| edges[edge as usize]),
                Meetings::Torus(numbers) => Box::new(|edge| numbers.ends(edge)),
            },
        };
        (0..self.edge_count() as u32).map(ends)
    }

    /// The state of an agent.
    #[must_use]
    pub fn state(&self, agent: u32) -> u16 {
        match &self.agents {
            GraphAgents::Strips(strips) => strips.state(agent),
            GraphAgents::Array(array) => array.state(agent),
        }
    }

    /// Whether no interaction along an edge can change a state. Cost: one step per edge, up to the first edge along
    /// which a state can change.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        if let Some(strips) = self.strips_of_ranks() {
            return strips.is_silent_on_ranks(|a, b| self.table.pair_is_null(a.into(), b.into()));
        }
        let is_null = |[u, v]: [u32; 2]| self.table.pair_is_null(self.state(u), self.state(v));
        let on_torus =
            |numbers: EdgeNumbers| (0..self.edge_count()).all(|edge| is_null(numbers.ends(edge as u32)));
        match &self.agents {
            GraphAgents::Strips(strips) => on_torus(EdgeNumbers::new(strips.shape().torus())),
            GraphAgents::Array(array) => match array.meetings() {
                Meetings::All => unreachable!("the complete graph is a `Population`"),
                Meetings::Edges(edges) => edges.iter().copied().all(is_null),
                Meetings::Torus(numbers) => on_torus(*numbers),
            },
        }
    }

    /// Advances to a total of `interactions`; does nothing if at least that many were already made.
    pub fn run_to(&mut self, interactions: u64) {
        let more = interactions.saturating_sub(self.interactions);
        let Self { agents, rules, counts, pair_draws, outcome_draws, .. } = self;
        match agents {
            GraphAgents::Array(array)
                if array.counts_cells() && more < counts.iter().sum::<u64>() / COUNT_SHARE =>
            {
                array.run_counted(more, counts, rules, pair_draws, outcome_draws);
            }
            GraphAgents::Array(array) => {
                array.run(more, rules, pair_draws, outcome_draws);
                counts.fill(0);
                array.count(counts);
            }
            GraphAgents::Strips(strips) => strips.run_counted(more, counts),
        }
        self.interactions += more;
    }

    /// Advances until `condition` first holds, or to a total of `limit` interactions; returns whether it holds. The
    /// condition is evaluated at once and after every interaction that changes a count.
    pub fn run_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        let mut holds = condition.holds(&self.counts);
        while !holds && self.interactions < limit {
            let left = limit - self.interactions;
            let Self { agents, rules, counts, pair_draws, outcome_draws, interactions, .. } = self;
            let (done, asks) = match agents {
                GraphAgents::Strips(strips) => match strips.calm(condition, counts, left) {
                    0 => strips.run_asked(WATCHED.min(left), counts, condition),
                    calm => {
                        strips.run_counted(calm, counts);
                        (calm, false)
                    }
                },
                GraphAgents::Array(array) => match calm(condition, counts, left) {
                    0 if condition.is_of_last_agents() && rules.is_deterministic() => {
                        array.run_watched(WATCHED.min(left), counts, pair_draws)
                    }
                    0 => {
                        let (mut done, mut asks) = (0, false);
                        while done < SINGLE.min(left) && !asks {
                            let [before, after] = array.step(rules, pair_draws, outcome_draws);
                            done += 1;
                            // An exchange of states changes no count.
                            if before != after && before != [after[1], after[0]] {
                                for (left, joined) in before.into_iter().zip(after) {
                                    counts[usize::from(left)] -= 1;
                                    counts[usize::from(joined)] += 1;
                                }
                                asks = condition.holds(counts);
                            }
                        }
                        (done, asks)
                    }
                    calm => {
                        array.run_counted(calm, counts, rules, pair_draws, outcome_draws);
                        (calm, false)
                    }
                },
            };
            *interactions += done;
            holds = asks && condition.holds(counts);
        }
        holds
    }
}
