//! Token-based leader election: on every boundary candidates compare random identifiers until one is left. The last
//! candidate of the outer boundary is the leader.
//!
//! Source: Daymude, Gmyr, Richa, Scheideler, Strothmann, "Improved leader election for self-organizing programmable
//! matter", ALGOSENSORS 2017. The phases of the paper's algorithm were available: coins and segments, random
//! identifiers, comparison by tokens, solitude verification, and the boundary test. Solitude verification uses vector
//! tokens and the numbers of agents; the boundary test uses the sum of turns. The tokens and actions below are our own.
//!
//! An amoebot has up to three *agents*, one on each stretch of boundary (see
//! [`boundary`](crate::library::boundary)); the agents of a boundary form a ring. A candidate and the agents up
//! to the next candidate form a *segment*; their digits, from the candidate on, are its identifier. In the table
//! a is the acting agent and b its predecessor, which is changed too.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | lead | has not flipped; no neighbours | leader |
//! | flip | a has not flipped; or both a and b wait | a fair coin: a is a candidate with a random digit; or it waits |
//! | join | a waits; b has a segment | a is a member of that segment, with a random digit |
//! | emit | b holds a digit of its own segment; a has room | it moves on to a; into another segment as a guest |
//! | advance | b holds a guest; a has room; if a new segment begins at a, that of b is passive and has sent its own digits | the guest moves on to a, and ends a probe there |
//! | align | a new segment begins at a; b holds a guest; that of b is not passive, and has no comparison | b: back(equal) |
//! | compare | a is a member: back(order) and b holds a guest, or a's guest is the last of its identifier, or shorter | b: back(order of guest and digit at a, or else the order so far); or shorter |
//! | judge | a is a candidate: back or shorter | the guests are greater if they go on beyond a, less if shorter, or else as the digits say; greater: a is revoked, release; if not, discard, and after equal a is tied and sends its probe |
//! | sweep | b: discard or release | a member takes it on: its guest goes, or it is passive; the next candidate ends it |
//! | cancel | a vector token at b; a is not a candidate, and has no probe | it moves on to a, where it stops or cancels with its opposite |
//! | probe | b holds a probe; a is not a candidate, and empty; no vector token can move on from b | the probe moves on to a; it is no longer clear if a vector token is left at b; adds a's turn |
//! | verify | b holds a probe; a is a candidate without guests; if tied, it has answered the last probe | the probe ends. If a is tied: if the probe is clear, no vector token is at b, and the number is a's own, a is alone, and leader if the turns are 1 modulo 5, on a hole if 4; if not, a has heard the bit |
//! | answer | a is tied, has heard a bit, and its probe has left | revoked, release, if it heard 1 and drew 0; if not, sends the next probe |
//!
//! *Comparison.* An identifier travels as a train of tokens, its last digit first, and its candidate's own digit last
//! as the delimiter. When the train stops at the end of the next segment, its digits are at the agents of the digits
//! with which they are compared. The comparison runs from there back to the candidate. The longer identifier is
//! greater; between equally long identifiers the digits decide, that of the candidate first. A train with a smaller
//! identifier ends there; a train with a greater identifier revokes the candidate and passes. So the greatest
//! identifier is compared with all others. Its train ends at a candidate with the same identifier, mostly at its own
//! candidate.
//!
//! *Solitude.* The vector tokens of a segment always add up to the vector from its candidate to the next one. Vector
//! tokens never enter a candidate, and when a candidate is revoked, its segment becomes a part of the preceding one.
//! Vector tokens do not overtake a probe. So if a probe reaches a candidate and has passed no remaining vector token,
//! it is back at its amoebot. If its number is also that of the agent, it is back at its agent.
//!
//! *No candidate.* Agents whose coins decided against candidacy flip again until there is a candidate nearby, so every
//! boundary gets a candidate.
//!
//! *Ties.* All candidates with the greatest identifier are tied. Each sends one probe after the other, and receives one
//! from the preceding tied candidate for each that it sent. A bit of 0 yields to a bit of 1, so at least one tied
//! candidate remains. Candidates tied with a smaller identifier are revoked when a greater train arrives. The train
//! ends the probes that it reaches; none of these was sent by a candidate with the greatest identifier.
//!
//! Deviations. The paper promises one leader with high probability: there may be no candidate, and identifiers may be
//! equal. Here draws are repeated, so exactly one leader is elected with probability 1. The probe accumulates the
//! turns, so that the boundary test needs no further lap. There are three axes instead of two: agents have no common x
//! and y, and a rotation of labels permutes three axes. Amoebots other than the leader are not notified.
//!
//! Chirality must be common. No amoebot moves; an action writes to its own memory and to that of one neighbour.
//! If several agents of an amoebot can act, the one with the smallest port does.

mod agent;
mod coins;
mod link;

use crate::algorithm::packed_memory;
use std::num::NonZeroU32;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::{Choices, Decision};

pub use self::agent::{
    AgentRole, CandidateState, ComparisonToken, Digit, Intake, SolitudeProbe, TokenAgent, Vector,
};
pub use self::coins::{CoinElection, ENTRY as COINS};
use self::link::AgentLink;
use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, View};
use crate::library::boundary::{Boundary, PrecedingAgent, agent_before, agents_of};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::AmoebotPort;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// The base of the digits: they are 0 to `BASE` - 1.
pub const BASE: u32 = 4;

/// The public memory: the agents, indexed by the label of the port to the next agent, as in
/// [`boundary`](crate::library::boundary::Memory).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory(pub [TokenAgent; 6]);

acrasin_runtime::pack_fields!(Memory { 0 });

impl Memory {
    /// The agent at a port. Without an agent there, the result has not flipped its coin.
    #[must_use]
    pub const fn agent(self, port: AmoebotPort) -> TokenAgent {
        self.0[port.label() as usize - 1]
    }

    const fn with(mut self, port: AmoebotPort, agent: TokenAgent) -> Self {
        self.0[port.label() as usize - 1] = agent;
        self
    }
}

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// An amoebot without neighbours becomes the leader.
    Lead,
    /// Flips a coin to decide whether the agent is a candidate.
    Flip,
    /// Becomes a member of the preceding segment.
    Join,
    /// A digit of the predecessor's own segment moves on.
    Emit,
    /// A digit of a guest identifier moves on.
    Advance,
    /// A guest identifier has reached the end of a segment, and its comparison begins.
    Align,
    /// Compares one guest with one digit.
    Compare,
    /// The candidate learns the result of the comparison.
    Judge,
    /// The decision about the guests passes through the segment.
    Sweep,
    /// Vector tokens move on, and opposite ones cancel.
    Cancel,
    /// A probe moves on to the next agent.
    Probe,
    /// A probe reaches a candidate.
    Verify,
    /// A tied candidate yields, or sends its next probe.
    Answer,
}

const ACTIONS: [Action; 13] = [
    Action::Lead,
    Action::Flip,
    Action::Join,
    Action::Emit,
    Action::Advance,
    Action::Align,
    Action::Compare,
    Action::Judge,
    Action::Sweep,
    Action::Cancel,
    Action::Probe,
    Action::Verify,
    Action::Answer,
];

/// Token-based leader election. Final: one leader, on the outer boundary, and on each boundary one remaining candidate
/// with the greatest identifier. This is reached with probability 1, and there are never two leaders. The cells may
/// have holes. Chirality must be common and the amoebots connected.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, TokenElection};
/// use acrasin_runtime::Seeded;
///
/// // Six amoebots around an empty cell: no amoebot is elected on the boundary of the hole.
/// let ring: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
/// let mut execution = SequentialExecution::new(&TokenElection, TokenElection::start(&ring, &[])?);
/// assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(2017)));
/// assert!(TokenElection::is_finished(execution.system()));
/// assert_eq!(TokenElection::leaders(execution.system()).len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TokenElection;

impl Algorithm for TokenElection {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &ACTIONS
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        agent_to_act(a, action).is_some()
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let found = agent_to_act(a, action).ok_or(ActionError::Undefined("no agent can act"))?;
        let mut draw = outcomes(choices);
        executed(a, found, |link| link.after(action, &mut draw))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

/// An agent, with its link to the predecessor and the predecessor's position; no link for a single amoebot.
type FoundAgent = (AmoebotPort, Option<(AgentLink, PrecedingAgent)>);

/// The first agent of A for which the guard of the action holds; `None` if there is none.
fn agent_to_act(a: &View<'_, Memory>, action: Action) -> Option<FoundAgent> {
    linked(a, action, |link| link.after(action, &mut |_| 0).is_some())
}

/// The first agent of A whose link satisfies the predicate. For *lead*, the agent of a single amoebot, if it has not
/// flipped.
fn linked(
    a: &View<'_, Memory>,
    action: Action,
    mut is_so: impl FnMut(&AgentLink) -> bool,
) -> Option<FoundAgent> {
    agents_of(*a).zip(1..).find_map(|(port, number)| {
        let own = a.own().agent(port);
        let Some(before) = agent_before(a, port) else {
            return (action == Action::Lead && own.role == AgentRole::Unflipped).then_some((port, None));
        };
        let link = AgentLink {
            before: a.read(before.neighbour).expect("the gap ends at a neighbour").agent(before.at),
            own,
            label: port.label(),
            shift: (before.at.label() + 6 - before.back.label()) % 6,
            turn: before.turn,
            number,
        };
        is_so(&link).then_some((port, Some((link, before))))
    })
}

/// Draws numbers below a bound, uniformly.
fn outcomes(choices: &mut dyn Choices) -> impl FnMut(u32) -> u8 {
    move |bound| {
        let bound = NonZeroU32::new(bound).expect("some are possible");
        choices.pick(bound, Decision::Outcome) as u8
    }
}

/// The effects of the found agent: the agent and its predecessor get the states that `after` returns, or the agent
/// becomes the leader.
fn executed(
    a: &View<'_, Memory>,
    (port, link): FoundAgent,
    after: impl FnOnce(&AgentLink) -> Option<(TokenAgent, TokenAgent)>,
) -> Result<Effects<Memory>, ActionError> {
    let own = *a.own();
    let Some((link, PrecedingAgent { neighbour, at, .. })) = link else {
        let leader = TokenAgent { role: AgentRole::Candidate(CandidateState::Leader), ..own.agent(port) };
        return Ok(Effects::none().write_own(own.with(port, leader)));
    };
    let (before, agent) = after(&link).expect("the guard holds");
    let theirs = *a.read(neighbour)?;
    let effects = Effects::none().write_own(own.with(port, agent));
    // Unless the predecessor changes, its memory is not written.
    Ok(if before == link.before { effects } else { effects.write(neighbour, theirs.with(at, before)) })
}

impl TokenElection {
    /// The start configuration: all amoebots are contracted, and no agent has flipped its coin. Amoebot i is on cell i
    /// and has orientation i; without an entry it has the common orientation. O(n).
    ///
    /// # Errors
    ///
    /// There are no cells, too many, or a duplicate; the cells are not connected; or the chirality is mixed.
    pub fn start(cells: &[Cell], orientations: &[Orientation]) -> Result<System<Memory>, StartError> {
        let start = Contracted::new(cells, orientations).connected().with_common_chirality();
        start.system(|_| Memory([TokenAgent::NEW; 6]))
    }

    /// The agents of each boundary, by amoebot and port, each followed by the next one. O(n).
    #[must_use]
    pub fn boundaries(system: &System<Memory>) -> Vec<Vec<(AmoebotId, AmoebotPort, TokenAgent)>> {
        let with_agent = |(id, port): (AmoebotId, AmoebotPort)| (id, port, system.memory(id).agent(port));
        let boundaries = Boundary::boundaries(system).into_iter();
        boundaries.map(|boundary| boundary.into_iter().rev().map(with_agent).collect()).collect()
    }

    /// Whether every boundary has one last candidate that knows its result: on the outer boundary that it is the
    /// leader, on other boundaries that it is not. O(n).
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        Boundary::boundaries(system).iter().all(|boundary| {
            let standings =
                boundary.iter().filter_map(|&(id, port)| match system.memory(id).agent(port).role {
                    AgentRole::Candidate(standing @ (CandidateState::Leader | CandidateState::Inner)) => {
                        Some(standing)
                    }
                    _ => None,
                });
            let is_outer = Boundary::is_outer(system, boundary);
            standings.eq([if is_outer { CandidateState::Leader } else { CandidateState::Inner }])
        })
    }

    /// The amoebots with a leading agent, in the order of identities: one in a final configuration, at most one before.
    #[must_use]
    pub fn leaders(system: &System<Memory>) -> Vec<AmoebotId> {
        let leads = |agent: &TokenAgent| agent.role == AgentRole::Candidate(CandidateState::Leader);
        system.ids().filter(|id| system.memory(*id).0.iter().any(leads)).collect()
    }
}

/// The catalogue entry of token-based leader election.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "TokenElection",
    title: "token-based leader election",
    summary: "amoebots: leader election by tokens around the boundaries",
    parameters: &[],
    needs: Needs { common_chirality: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(TokenElection)),
};

/// Describes token-based election. The state of an amoebot is that of its most advanced agent.
impl Description for TokenElection {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["undecided", "follows", "revoked", "candidate", "alone around a hole", "leader"],
            is_static: true,
            may_cycle: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        let of = |agent: &TokenAgent| match agent.role {
            AgentRole::Unflipped | AgentRole::Waiting => 0,
            AgentRole::Member => 1,
            AgentRole::Candidate(CandidateState::Revoked) => 2,
            AgentRole::Candidate(CandidateState::Comparing | CandidateState::Tied { .. }) => 3,
            AgentRole::Candidate(CandidateState::Inner) => 4,
            AgentRole::Candidate(CandidateState::Leader) => 5,
        };
        memory.0.iter().map(of).max().unwrap_or(0)
    }

    fn detail(&self, memory: &Memory) -> Detail {
        let of = |agent: &TokenAgent| {
            let held = [
                agent.own.is_some(),
                agent.guest.is_some(),
                agent.comparison.is_some(),
                agent.probe.is_some(),
                agent.vector != Vector::ZERO,
            ];
            held.into_iter().map(u8::from).sum::<u8>()
        };
        Detail { tokens: memory.0.iter().map(of).sum(), ..Detail::default() }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
