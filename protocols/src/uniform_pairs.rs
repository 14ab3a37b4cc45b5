//! The sequential uniform scheduler, implemented as simply as possible: one interaction after another.
//!
//! This is the reference for all other schedulers of pairs. An interaction is a uniformly random ordered pair of
//! distinct agents (complete graph), or a uniformly random edge in a uniformly random direction (edge list).

use acrasin_catalogue::counted;
use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::node::NodeId;

use crate::protocol::Protocol;

/// The maximum number of agents and of edges, because a draw has 32 bits.
pub const MAX_LENGTH: usize = u32::MAX as usize;

/// The pairs that may interact.
#[derive(Clone, PartialEq, Eq, Debug)]
enum InteractionPairs {
    All,
    Edges(Vec<[NodeId; 2]>),
}

/// One interaction: its two agents, and their states before and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interaction<S> {
    /// The agent that was the initiator.
    pub initiator: NodeId,
    /// The agent that was the responder.
    pub responder: NodeId,
    /// The states of initiator and responder before the interaction.
    pub before: (S, S),
    /// The states of initiator and responder after the interaction.
    pub after: (S, S),
}

/// Errors of creating a population.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PopulationError {
    /// There are fewer than 2 agents, or more than [`MAX_LENGTH`].
    #[error("{} (accepted: 2 to {MAX_LENGTH})", counted(*.agents, "agent"))]
    WrongSize {
        /// The number of given agents.
        agents: usize,
    },
    /// There is no edge, or there are more than [`MAX_LENGTH`].
    #[error("{edges} edges (accepted: 1 to {MAX_LENGTH})")]
    WrongEdgeCount {
        /// The number of given edges.
        edges: usize,
    },
    /// An edge leads from an agent to itself, or to an agent that does not exist.
    #[error(
        "edge {index} joins {} and {} (accepted: two different agents from 0 to {})",
        .edge[0],
        .edge[1],
        .agents - 1
    )]
    BadEdge {
        /// The index of the edge, from 0.
        index: usize,
        /// The ends of the edge.
        edge: [NodeId; 2],
        /// The number of agents.
        agents: usize,
    },
}

/// A population under the sequential uniform scheduler.
///
/// ```
/// use acrasin_protocols::{UniformPairs, library::{ExactMajority, Opinion, OpinionToken}};
/// use acrasin_runtime::choice::Seeded;
///
/// let votes = [vec![OpinionToken::Strong(Opinion::A); 6], vec![OpinionToken::Strong(Opinion::B); 5]].concat();
/// let mut population = UniformPairs::complete(&ExactMajority, votes)?;
/// let mut choices = Seeded::new(1);
/// let agreed = population.run_until(100_000, &mut choices, |population| {
///     population.states().iter().all(|state| state.opinion() == Opinion::A)
/// });
/// assert!(agreed);
/// # Ok::<(), acrasin_protocols::uniform_pairs::PopulationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UniformPairs<'a, P: Protocol> {
    protocol: &'a P,
    states: Vec<P::State>,
    meetings: InteractionPairs,
    interactions: u64,
}

/// Draws a uniformly random ordered pair of distinct agents. Makes a choice for [`Decision::Activation`] and one for
/// [`Decision::Partner`]. There must be at least two agents.
#[inline]
pub(crate) fn ordered_pair(agents: u32, choices: &mut impl Choices) -> (NodeId, NodeId) {
    let bound = |length| NonZeroU32::new(length).expect("there are two agents");
    let initiator = choices.pick(bound(agents), Decision::Activation);
    let other = choices.pick(bound(agents - 1), Decision::Partner);
    // The responder is one of the others: those from the initiator on are shifted by one.
    (NodeId(initiator), NodeId(other + u32::from(other >= initiator)))
}

impl<'a, P: Protocol> UniformPairs<'a, P> {
    /// Creates agents with these states. Each agent can meet every other agent.
    ///
    /// # Errors
    ///
    /// Fewer than 2 agents, or too many.
    pub fn complete(protocol: &'a P, states: Vec<P::State>) -> Result<Self, PopulationError> {
        if !(2..=MAX_LENGTH).contains(&states.len()) {
            return Err(PopulationError::WrongSize { agents: states.len() });
        }
        Ok(Self { protocol, states, meetings: InteractionPairs::All, interactions: 0 })
    }

    /// Creates agents with these states. Two agents may meet if they share an edge. An edge that is listed twice is
    /// chosen twice as often.
    ///
    /// # Errors
    ///
    /// Fewer than 2 agents or too many; no edges or too many; an edge from an agent to itself or to an agent that does
    /// not exist.
    pub fn on_edges(
        protocol: &'a P,
        states: Vec<P::State>,
        edges: Vec<[NodeId; 2]>,
    ) -> Result<Self, PopulationError> {
        let mut population = Self::complete(protocol, states)?;
        if !(1..=MAX_LENGTH).contains(&edges.len()) {
            return Err(PopulationError::WrongEdgeCount { edges: edges.len() });
        }
        let agents = population.states.len();
        for (index, &edge) in edges.iter().enumerate() {
            if edge[0] == edge[1] || edge.iter().any(|node| node.index() >= agents) {
                return Err(PopulationError::BadEdge { index, edge, agents });
            }
        }
        population.meetings = InteractionPairs::Edges(edges);
        Ok(population)
    }

    /// Continues the population under another protocol with the same states. Cost: none.
    ///
    /// For a protocol that is borrowed or created for a part of the run only.
    #[must_use]
    pub fn with_protocol<Q: Protocol<State = P::State>>(self, protocol: &Q) -> UniformPairs<'_, Q> {
        let Self { states, meetings, interactions, .. } = self;
        UniformPairs { protocol, states, meetings, interactions }
    }

    /// The state of each agent.
    #[must_use]
    pub fn states(&self) -> &[P::State] {
        &self.states
    }

    /// The edges along which agents meet; `None` if every agent may meet every other.
    #[must_use]
    pub fn edges(&self) -> Option<&[[NodeId; 2]]> {
        match &self.meetings {
            InteractionPairs::All => None,
            InteractionPairs::Edges(edges) => Some(edges),
        }
    }

    /// Consumes the population and returns its edges; `None` if every agent may meet every other.
    #[must_use]
    pub fn into_edges(self) -> Option<Vec<[NodeId; 2]>> {
        match self.meetings {
            InteractionPairs::All => None,
            InteractionPairs::Edges(edges) => Some(edges),
        }
    }

    /// The number of interactions so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.interactions
    }

    /// Continues from these states, as if this number of interactions had been made. The number of states must be
    /// unchanged.
    pub(crate) fn continue_from(&mut self, states: Vec<P::State>, interactions: u64) {
        debug_assert_eq!(states.len(), self.states.len(), "the number of agents does not change");
        (self.states, self.interactions) = (states, interactions);
    }

    /// Makes one interaction.
    ///
    /// Two choices determine the pair: the initiator or the edge ([`Decision::Activation`]), then the responder or the
    /// direction ([`Decision::Partner`]). A randomised protocol makes a further choice for its outcome.
    pub fn step(&mut self, choices: &mut impl Choices) -> Interaction<P::State> {
        let (initiator, responder) = self.meeting(choices);
        let before = (self.states[initiator.index()], self.states[responder.index()]);
        let after = self.protocol.interact(before.0, before.1, choices);
        self.states[initiator.index()] = after.0;
        self.states[responder.index()] = after.1;
        self.interactions += 1;
        Interaction { initiator, responder, before, after }
    }

    fn meeting(&self, choices: &mut impl Choices) -> (NodeId, NodeId) {
        // The lengths were checked: populations have 2 agents or more, edge lists 1 edge or more.
        let bound = |length: usize| NonZeroU32::new(length as u32).expect("lengths are checked");
        match &self.meetings {
            InteractionPairs::All => ordered_pair(self.states.len() as u32, choices),
            InteractionPairs::Edges(edges) => {
                let [u, v] = edges[choices.pick(bound(edges.len()), Decision::Activation) as usize];
                if choices.pick(bound(2), Decision::Partner) == 0 { (u, v) } else { (v, u) }
            }
        }
    }

    /// Makes this number of interactions.
    pub fn run(&mut self, interactions: u64, choices: &mut impl Choices) {
        for _ in 0..interactions {
            self.step(choices);
        }
    }

    /// Advances until `goal` holds, by at most `most` interactions; returns whether it holds at the end. `goal` is
    /// evaluated at the start and after each interaction that changes a state.
    pub fn run_until(&mut self, most: u64, choices: &mut impl Choices, goal: impl Fn(&Self) -> bool) -> bool {
        let mut holds = goal(self);
        for _ in 0..most {
            if holds {
                break;
            }
            let interaction = self.step(choices);
            if interaction.before != interaction.after {
                holds = goal(self);
            }
        }
        holds
    }
}
