//! Token-based leader election: on every boundary candidates compare random identifiers until one is left, and the one that
//! finds itself on the outer boundary is the leader.
//!
//! Source: Daymude, Gmyr, Richa, Scheideler, Strothmann, "Improved leader election for self-organizing programmable matter",
//! ALGOSENSORS 2017, of which we had the phases: coins and segments, random identifiers, comparison by tokens, solitude
//! verification by vector tokens and the number of the agent, test of the boundary by the sum of turns. The tokens and
//! actions below are derived by us.
//!
//! An amoebot has up to three *agents*, one on each stretch of boundary (see [`boundary`](crate::library::boundary)); those of a
//! boundary form a ring. A candidate and the agents from there to the next candidate are a *segment*; their digits, from the
//! candidate on, are its identifier. In the table a is the acting agent, b the one before it; b is changed too.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | lead | has not flipped; no neighbours | leader |
//! | flip | a has not flipped; or both a and b wait | a fair coin: a is a candidate with a random digit; or it waits |
//! | join | a waits; b has a segment | a is a member of that segment, with a random digit |
//! | emit | b holds a digit of its own segment; a has room | it goes on to a; into another segment as a guest |
//! | advance | b holds a guest; a has room; if a new segment begins at a, that of b is passive and has sent its own digits | the guest goes on to a, and ends a probe there |
//! | align | a new segment begins at a; b holds a guest; that of b is not passive, and has no comparison | b: back(equal) |
//! | compare | a is a member: back(order) and b holds a guest, or a's guest is the last of its identifier, or shorter | b: back(order of guest and digit at a, or else the order so far); or shorter |
//! | judge | a is a candidate: back or shorter | the guests are greater if they go on beyond a, less if shorter, or else as the digits say; greater: a is revoked, release; if not, discard, and after equal a is tied and sends its probe |
//! | sweep | b: discard or release | a member takes it on: its guest goes, or it is passive; the next candidate ends it |
//! | cancel | a vector token at b; a is no candidate, and has no probe | it goes on to a, where it stops or cancels with its opposite |
//! | probe | b holds a probe; a is no candidate, and empty; no vector token can go on from b | the probe goes on to a; it is clear no more if a vector token is left at b; adds a's turn |
//! | verify | b holds a probe; a is a candidate without guests; if tied, it has answered the last probe | the probe ends. If a is tied: if the probe is clear, no vector token is at b, and the number is a's own, a is alone, and leader if the turns are 1 modulo 5, on a hole if 4; if not, a has heard the bit |
//! | answer | a is tied, has heard a bit, and its probe has left | revoked, release, if it heard 1 and drew 0; if not, sends the next probe |
//!
//! *Comparison.* An identifier travels as a train of tokens, its last digit ahead, its candidate's own digit as delimiter at
//! the end. So when it is stopped at the end of the next segment, digits come to stand where their counterparts are. The
//! comparison runs from there back to the candidate: the longer is greater, then the digits, the candidate's own first.
//! Lesser trains end there, greater ones revoke the candidate and pass. The greatest identifier so meets all others; it ends
//! at a candidate with the same one, mostly its own.
//!
//! *Solitude.* The vector tokens of a segment always add up to the way from its candidate to the next one: they never enter
//! a candidate, and when one is revoked the segments are joined. They do not overtake a probe. So a probe that came to a
//! candidate with no vector token left behind it has come back to its amoebot, and with the same number to its agent.
//!
//! *No candidate.* Agents whose coins said no flip again until there is a candidate nearby, so every boundary gets one.
//!
//! *Ties.* All candidates with the greatest identifier are tied. Each sends one probe after the other, and takes one from the
//! tied candidate before it for each that it sent. A bit of 0 gives way to a bit of 1, so they never all give way. Those that
//! are tied below the greatest are revoked when a greater train comes; it catches up with no probe that counts, and ends
//! those that it reaches.
//!
//! Deviations. The paper promises one leader with high probability: coins may name no candidate, identifiers may be equal.
//! Here another draw follows, and there is exactly one leader with probability 1.
//! The probe carries the turns along, so that the test of the boundary costs no further lap. Axes are three and not two: an
//! agent's x is another one's y, and a turn of labels permutes three axes. Whoever is no leader is not told.
//!
//! It needs common chirality. No amoebot moves; an action writes to its own memory and to that of one neighbour. Of several
//! agents of an amoebot that can act, the one with the smallest port does.

mod agent;
mod coins;
mod link;

use std::num::NonZeroU32;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::{Choices, Decision};

pub use self::agent::{Agent, Comparison, Digit, Intake, Probe, Role, Standing, Vector};
pub use self::coins::{CoinElection, ENTRY as COINS};
use self::link::Link;
use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, Order, View};
use crate::library::boundary::{Before, Boundary, agent_before, agents_of};
use crate::library::entry::{Entry, Made, Needs};
use crate::model::body::Port;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// Digits go from 0 to this, less 1.
pub const BASE: u32 = 4;

/// The public memory: the agents, by the label of the port to the next one, as in [`boundary`](crate::library::boundary::Memory).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory(pub [Agent; 6]);

impl Memory {
    /// The agent at a port; one that does not exist has not flipped its coin.
    #[must_use]
    pub const fn agent(self, port: Port) -> Agent {
        self.0[port.label() as usize - 1]
    }

    const fn with(mut self, port: Port, agent: Agent) -> Self {
        self.0[port.label() as usize - 1] = agent;
        self
    }
}

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Alone, so the leader.
    Lead,
    /// Flips a coin: candidate or not.
    Flip,
    /// Becomes a member of the segment before it.
    Join,
    /// A digit of the own segment goes on.
    Emit,
    /// A digit of another segment goes on.
    Advance,
    /// Guests have come to the end of a segment.
    Align,
    /// Compares one guest with one digit.
    Compare,
    /// The candidate knows how the guests compare.
    Judge,
    /// The verdict goes through the segment.
    Sweep,
    /// Vector tokens go on, and cancel.
    Cancel,
    /// A probe goes on.
    Probe,
    /// A probe comes to a candidate.
    Verify,
    /// A tied candidate gives way, or asks again.
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

/// Token-based leader election. Final: one leader, on the outer boundary, and on each boundary no other candidate than one
/// with the greatest identifier. It is reached with probability 1; never are there two leaders. The cells may have holes.
/// Chirality must be common and the amoebots connected.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, TokenElection};
/// use acrasin_runtime::Seeded;
///
/// // Six amoebots round an empty cell: no amoebot on its boundary is elected.
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

    fn order(&self) -> Order {
        Order::Any
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
}

/// An agent, and its link to the agent before it with the place of that; no link for an amoebot alone.
type Found = (Port, Option<(Link, Before)>);

/// The first agent of A for which the guard holds.
fn agent_to_act(a: &View<'_, Memory>, action: Action) -> Option<Found> {
    linked(a, action, |link| link.after(action, &mut |_| 0).is_some())
}

/// The first agent of A whose link is so; to lead, one of an amoebot alone that has not flipped.
fn linked(a: &View<'_, Memory>, action: Action, mut is_so: impl FnMut(&Link) -> bool) -> Option<Found> {
    agents_of(*a).zip(1..).find_map(|(port, number)| {
        let own = a.own().agent(port);
        let Some(before) = agent_before(a, port) else {
            return (action == Action::Lead && own.role == Role::Unflipped).then_some((port, None));
        };
        let link = Link {
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

/// Numbers below a bound, each as likely as any other.
fn outcomes(choices: &mut dyn Choices) -> impl FnMut(u32) -> u8 {
    move |bound| {
        let bound = NonZeroU32::new(bound).expect("some are possible");
        choices.pick(bound, Decision::Outcome) as u8
    }
}

/// What the agent that was found does: it and the one before it are as `after` says, or it leads.
fn executed(
    a: &View<'_, Memory>,
    (port, link): Found,
    after: impl FnOnce(&Link) -> Option<(Agent, Agent)>,
) -> Result<Effects<Memory>, ActionError> {
    let own = *a.own();
    let Some((link, Before { neighbour, at, .. })) = link else {
        let leader = Agent { role: Role::Candidate(Standing::Leader), ..own.agent(port) };
        return Ok(Effects::none().write_own(own.with(port, leader)));
    };
    let (before, agent) = after(&link).expect("the guard holds");
    let theirs = *a.read(neighbour)?;
    let effects = Effects::none().write_own(own.with(port, agent));
    // Whoever draws for itself leaves the other's memory alone.
    Ok(if before == link.before { effects } else { effects.write(neighbour, theirs.with(at, before)) })
}

impl TokenElection {
    /// The start: every amoebot contracted, no agent has flipped its coin. Amoebot i is at cell i with orientation i;
    /// orientations that are missing are common. O(n).
    ///
    /// # Errors
    ///
    /// No cells, too many, one twice, cells that are not connected, or chirality that is not common.
    pub fn start(cells: &[Cell], orientations: &[Orientation]) -> Result<System<Memory>, StartError> {
        let start = Contracted::on(cells, orientations).connected().of_common_chirality();
        start.system(|_| Memory([Agent::NEW; 6]))
    }

    /// The agents of each boundary, by amoebot and port, each followed by the next one. O(n).
    #[must_use]
    pub fn boundaries(system: &System<Memory>) -> Vec<Vec<(AmoebotId, Port, Agent)>> {
        let with_agent = |(id, port): (AmoebotId, Port)| (id, port, system.memory(id).agent(port));
        let boundaries = Boundary::boundaries(system).into_iter();
        boundaries.map(|boundary| boundary.into_iter().rev().map(with_agent).collect()).collect()
    }

    /// Whether every boundary has one last candidate, which is the leader on the outer one and knows that it is not on others. O(n).
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        Boundary::boundaries(system).iter().all(|boundary| {
            let standings =
                boundary.iter().filter_map(|&(id, port)| match system.memory(id).agent(port).role {
                    Role::Candidate(standing @ (Standing::Leader | Standing::Inner)) => Some(standing),
                    _ => None,
                });
            let is_outer = Boundary::is_outer(system, boundary);
            standings.eq([if is_outer { Standing::Leader } else { Standing::Inner }])
        })
    }

    /// The amoebots with an agent that is a leader, in the order of identities: one at the end, none before.
    #[must_use]
    pub fn leaders(system: &System<Memory>) -> Vec<AmoebotId> {
        let leads = |agent: &Agent| agent.role == Role::Candidate(Standing::Leader);
        system.ids().filter(|id| system.memory(*id).0.iter().any(leads)).collect()
    }
}

/// As the catalogue has it.
pub const ENTRY: Entry = Entry {
    name: "TokenElection",
    title: "token-based leader election",
    summary: "amoebots: leader election by tokens round the boundaries",
    parameters: &[],
    needs: Needs { common_chirality: true, ..Needs::NOTHING },
    read: |_| Ok(Made::algorithm(TokenElection)),
};

/// An amoebot has an agent for each gap in its neighbourhood; its state is that of the agent that is furthest.
impl Description for TokenElection {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn moves(&self) -> bool {
        false
    }

    fn states(&self) -> &'static [&'static str] {
        &["undecided", "follows", "revoked", "candidate", "alone round a hole", "leader"]
    }

    fn state(&self, memory: &Memory) -> usize {
        let of = |agent: &Agent| match agent.role {
            Role::Unflipped | Role::Waiting => 0,
            Role::Member => 1,
            Role::Candidate(Standing::Revoked) => 2,
            Role::Candidate(Standing::Comparing | Standing::Tied { .. }) => 3,
            Role::Candidate(Standing::Inner) => 4,
            Role::Candidate(Standing::Leader) => 5,
        };
        memory.0.iter().map(of).max().unwrap_or(0)
    }

    fn detail(&self, memory: &Memory) -> Detail {
        let of = |agent: &Agent| {
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

    fn may_cycle(&self) -> bool {
        true
    }
}
