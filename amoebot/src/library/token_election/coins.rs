//! Leader election by coins: on every boundary all agents are candidates. Each candidate tosses coins against its
//! predecessor, until one candidate is left.
//!
//! Source: Derakhshandeh, Gmyr, Strothmann, Bazzi, Richa, Scheideler, "Leader election and shape formation with
//! self-organizing programmable matter", DNA 2015. The phases of the paper's algorithm were available: candidates
//! compare segments, toss coins and hand over candidacy, verify solitude by vectors, and test the boundary. The text
//! was not available; where the phases are the same, tokens and actions are those of [token-based election](super).
//!
//! | action | guard | operations |
//! |---|---|---|
//! | lead | a is new; no neighbours | leader |
//! | stand | a is new | a is a candidate, with a vector token in the direction of the next agent, and sends a probe with a fair coin |
//! | cancel | a vector token at b; a is not a candidate, and has no probe | it goes on to a, where it stops or cancels with its opposite |
//! | probe | b holds a probe; a is not a candidate, and has none; no vector token can move on from b | the probe moves on to a; it is no longer clear if a vector token is left at b; adds a's turn |
//! | verify | b holds a probe; a is a candidate that has answered the last one | the probe ends. If it is clear, no vector token is at b, and the number is a's own, a is alone, and leader if the turns are 1 modulo 5, on a hole if 4; if not, a has heard the coin |
//! | answer | a has heard a coin, and its probe has left | a is revoked if it heard heads and tossed tails; if not, tosses again and sends the next probe |
//!
//! A candidate compares its k-th coin with the k-th coin of its current predecessor, since a revoked candidate has
//! received as many probes as it has sent. A candidate with heads is never revoked in that comparison, so one candidate
//! remains. Of two candidates one is revoked with probability 1/4 per comparison.
//!
//! Deviations. The paper first compares the lengths of segments, and revokes the candidates of short segments. That
//! comparison saves coins; it is omitted, since coins alone suffice. A candidate of the paper can hand its candidacy
//! over to the end of its segment; here it stays. A revoked candidate passes tokens on at once. The boundary test is
//! that of the paper of 2017.

use crate::algorithm::packed_memory;
use acrasin_runtime::choice::Choices;

use super::agent::{AgentRole, CandidateState, TokenAgent, Vector};
use super::link::{AgentLink, DrawBelow};
use super::{Action, Memory, TokenElection, linked};
use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, View};
use crate::library::boundary::PrecedingAgent;
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::AmoebotPort;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::StartError;

/// The labels of the actions of this algorithm; [`Action::Flip`] is *stand*.
const ACTIONS: [Action; 6] =
    [Action::Lead, Action::Flip, Action::Cancel, Action::Probe, Action::Verify, Action::Answer];

/// Leader election by coins. Final: one leader, on the outer boundary, and one remaining candidate on each boundary.
/// This is reached with probability 1, and there are never two leaders. The cells may have holes. Chirality must be
/// common and the amoebots connected.
///
/// ```
/// use acrasin_amoebot::library::token_election::CoinElection;
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, TokenElection};
/// use acrasin_runtime::Seeded;
///
/// let ring: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
/// let mut execution = SequentialExecution::new(&CoinElection, CoinElection::start(&ring, &[])?);
/// assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(2015)));
/// assert_eq!(TokenElection::leaders(execution.system()).len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CoinElection;

/// The states of the predecessor and the acting agent after an action; `None` if the guard of the action does not hold.
fn after(link: &AgentLink, action: Action, draw: DrawBelow<'_>) -> Option<(TokenAgent, TokenAgent)> {
    if action == Action::Flip {
        let mut a = link.own;
        if a.role != AgentRole::Unflipped {
            return None;
        }
        a.vector = Vector::step(link.label);
        link.send_probe(&mut a, draw);
        return Some((link.before, a));
    }
    let (b, mut a) = link.after(action, draw)?;
    if a.role == AgentRole::Candidate(CandidateState::Revoked) {
        // There are no identifiers that need to pass.
        (a.is_passive, a.comparison) = (false, None);
    }
    Some((b, a))
}

/// The first agent of A for which the guard of the action holds; `None` if there is none.
fn agent_to_act(
    a: &View<'_, Memory>,
    action: Action,
) -> Option<(AmoebotPort, Option<(AgentLink, PrecedingAgent)>)> {
    linked(a, action, |link| after(link, action, &mut |_| 0).is_some())
}

impl Algorithm for CoinElection {
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
        let mut draw = super::outcomes(choices);
        super::executed(a, found, |link| after(link, action, &mut draw))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

impl CoinElection {
    /// The start configuration of [`TokenElection`]: all amoebots are contracted, and all agents are new.
    ///
    /// # Errors
    ///
    /// As for [`TokenElection::start`].
    pub fn start(cells: &[Cell], orientations: &[Orientation]) -> Result<System<Memory>, StartError> {
        TokenElection::start(cells, orientations)
    }
}

/// The catalogue entry of leader election by coins.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "CoinElection",
    title: "leader election by coins",
    summary: "amoebots: leader election by coins around the boundaries",
    parameters: &[],
    needs: Needs { common_chirality: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(CoinElection)),
};

/// Describes election by coins, with the states of token-based election.
impl Description for CoinElection {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        TokenElection.facts()
    }

    fn state(&self, memory: &Memory) -> usize {
        TokenElection.state(memory)
    }

    fn detail(&self, memory: &Memory) -> Detail {
        TokenElection.detail(memory)
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        TokenElection::is_finished(system)
    }
}
