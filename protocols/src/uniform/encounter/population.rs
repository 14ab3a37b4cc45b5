//! Populations whose interactions are simulated one by one.

use acrasin_process::{Advance, Condition, RunBound};
use acrasin_runtime::Digest;

use super::super::condition::Silent;
use super::super::draws::{RandomDraws, StreamPurpose};
use super::super::error::SizeError;
use super::super::rules::TransitionRules;
use super::super::saved::plan_digest;
use super::contact::{Contacts, Present};
use super::fault::{DueFault, Fault, FaultKind};
use super::meeting::{Arc, InitiatorEnd, Meeting, MeetingEdges};
use crate::table::Table;

/// The maximum number of agents. An agent takes two bytes, and eight more once there is a list of present agents.
pub(super) const MOST: usize = 1 << 31;

/// Agents that interact pair by pair, with faults. All pairs may interact, or only pairs along edges with weights or
/// directions, or only pairs in contacts that appear and disappear.
///
/// After each interaction the due faults happen, in the order in which they are written. A run is a function of table,
/// states, edges, faults and seed. Faults have their own random streams, so a fault that does not happen does not
/// change the run. Cost of an interaction: constant.
///
/// ```
/// use acrasin_protocols::uniform::{EncounterPopulation, Fault, FaultKind, RunBound, FaultTiming};
/// use acrasin_protocols::{Table, library::Fratricide};
///
/// let table = Table::compile(&Fratricide)?;
/// // A third of the agents crash after 50 interactions.
/// let fault = Fault { kind: FaultKind::Crash, when: FaultTiming::At(vec![50]), agents: 10 };
/// let mut population = EncounterPopulation::complete(&table, &[0; 30], vec![fault], 1)?;
/// population.run(None, &RunBound { interactions: 10_000, ..RunBound::NONE });
/// assert_eq!(population.counts().iter().sum::<u64>(), 20);
/// assert_eq!(population.hit(), [10]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EncounterPopulation {
    table: Table,
    pub(super) rules: TransitionRules,
    /// The digest of all arguments from which the population was created.
    pub(super) plan: Digest,
    pub(super) states: Vec<u16>,
    pub(super) is_there: Vec<bool>,
    /// The present agents, in arbitrary order.
    pub(super) live: Vec<u32>,
    /// The numbers of agents that left.
    pub(super) free: Vec<u32>,
    pub(super) meeting: Meeting,
    pub(super) faults: Vec<DueFault>,
    /// The number of interactions after which the next fault happens.
    pub(super) next_fault: u64,
    pub(super) pair_draws: RandomDraws,
    pub(super) outcome_draws: RandomDraws,
    pub(super) counts: Vec<u64>,
    pub(super) interactions: u64,
}

impl EncounterPopulation {
    /// Creates a population in which all agents can meet: pairs are uniformly random and ordered.
    ///
    /// # Errors
    ///
    /// Fewer than 2 agents, or more than 2^31.
    ///
    /// # Panics
    ///
    /// Panics if a state is not in the table, or if the list of states of a [`FaultKind::Corrupt`] is empty.
    pub fn complete(table: &Table, states: &[u16], faults: Vec<Fault>, seed: u64) -> Result<Self, SizeError> {
        Self::meeting(table, states, Meeting::All, faults, seed)
    }

    /// Creates a population whose agents meet along edges. Each edge is chosen with probability proportional to its
    /// weight.
    ///
    /// # Errors
    ///
    /// The errors of [`complete`](Self::complete); a sum of weights outside 1 to 2^63; an edge from an agent to itself
    /// or to an agent that does not exist.
    ///
    /// # Panics
    ///
    /// Panics as [`complete`](Self::complete), and if by a fault agents leave or join.
    pub fn on_edges(
        table: &Table,
        states: &[u16],
        (arcs, direction): (Vec<Arc>, InitiatorEnd),
        faults: Vec<Fault>,
        seed: u64,
    ) -> Result<Self, SizeError> {
        let edges = MeetingEdges::new(arcs, direction, states.len())?;
        Self::meeting(table, states, Meeting::Edges(edges), faults, seed)
    }

    /// Creates a population whose agents interact while in contact, in random direction.
    ///
    /// # Errors
    ///
    /// The errors of [`complete`](Self::complete). Or contacts are out of order, or a contact has two equal ends or an
    /// agent that does not exist. Or a rate is not a finite number above 0.
    ///
    /// # Panics
    ///
    /// Panics as [`on_edges`](Self::on_edges).
    pub fn on_contacts(
        table: &Table,
        states: &[u16],
        contacts: Contacts,
        faults: Vec<Fault>,
        seed: u64,
    ) -> Result<Self, SizeError> {
        let present = Present::new(contacts, states.len())?;
        Self::meeting(table, states, Meeting::Contacts(Box::new(present)), faults, seed)
    }

    fn meeting(
        table: &Table,
        states: &[u16],
        meeting: Meeting,
        faults: Vec<Fault>,
        seed: u64,
    ) -> Result<Self, SizeError> {
        let agents = states.len();
        if !(2..=MOST).contains(&agents) {
            return Err(SizeError::WrongSize { agents: agents as u128 });
        }
        for fault in &faults {
            let needs_complete_graph = matches!(fault.kind, FaultKind::Leave | FaultKind::Join { .. });
            assert!(!needs_complete_graph || matches!(meeting, Meeting::All), "churn on a graph");
            assert!(!matches!(&fault.kind, FaultKind::Corrupt { states } if states.is_empty()), "no states");
        }
        let mut counts = vec![0; usize::from(table.state_count())];
        for &state in states {
            counts[usize::from(state)] += 1;
        }
        let rules = TransitionRules::new(table);
        let plan = plan_digest(&(rules.digest(), states, &meeting, seed), &faults);
        let faults: Vec<DueFault> =
            faults.into_iter().zip(0..).map(|(fault, number)| DueFault::new(fault, number, seed)).collect();
        let mut population = Self {
            table: table.clone(),
            rules,
            plan,
            states: states.to_vec(),
            is_there: vec![true; agents],
            live: (0..agents as u32).collect(),
            free: Vec::new(),
            meeting,
            next_fault: next_of(&faults),
            faults,
            pair_draws: RandomDraws::new(seed, StreamPurpose::Pairs, 0),
            outcome_draws: RandomDraws::new(seed, StreamPurpose::Outcomes, 0),
            counts,
            interactions: 0,
        };
        if population.next_fault == 0 {
            population.happen();
        }
        Ok(population)
    }

    /// The number of interactions so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.interactions
    }

    /// Whether the edges are contacts, which have rounds.
    pub(in crate::uniform) fn has_rounds(&self) -> bool {
        matches!(self.meeting, Meeting::Contacts(_))
    }

    /// The number of complete rounds of the contacts; 0 without contacts.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        match &self.meeting {
            Meeting::Contacts(present) => present.round(),
            Meeting::All | Meeting::Edges(_) => 0,
        }
    }

    /// The number of agents in each state.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The state of each agent; for an agent that left, its last state.
    #[must_use]
    pub fn states(&self) -> &[u16] {
        &self.states
    }

    /// The number of agents that each fault has affected.
    #[must_use]
    pub fn hit(&self) -> Vec<u64> {
        self.faults.iter().map(|due| due.hit).collect()
    }

    /// Whether a fault can still happen.
    #[must_use]
    pub fn awaits_faults(&self) -> bool {
        self.next_fault < u64::MAX
    }

    /// Whether a fault at a fixed time is still ahead. No condition is evaluated before the last of them.
    #[must_use]
    pub fn awaits_dates(&self) -> bool {
        self.faults.iter().any(DueFault::has_date)
    }

    /// Whether no interaction between present agents, along a present edge of weight above 0, changes a state. Cost:
    /// O(edges).
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let is_null = |[u, v]: [u32; 2]| {
            let [a, b] = [u, v].map(|agent| self.states[agent as usize]);
            !self.is_there[u as usize] || !self.is_there[v as usize] || self.table.pair_is_null(a, b)
        };
        match &self.meeting {
            Meeting::All => Silent::new(&self.table).holds(&self.counts),
            Meeting::Edges(edges) if edges.direction() == InitiatorEnd::FirstInitiates => {
                edges.arcs().iter().filter(|arc| arc.weight > 0).all(|arc| {
                    let [a, b] = arc.ends.map(|agent| self.states[agent as usize]);
                    let is_there = arc.ends.iter().all(|&agent| self.is_there[agent as usize]);
                    !is_there || self.table.is_null(a, b)
                })
            }
            Meeting::Edges(edges) => {
                edges.arcs().iter().filter(|arc| arc.weight > 0).all(|arc| is_null(arc.ends))
            }
            Meeting::Contacts(present) if present.is_over() => true,
            // Later contacts can join any two agents.
            Meeting::Contacts(_) => Silent::new(&self.table).holds(&self.counts),
        }
    }

    /// Advances until `condition` holds, or to a bound of interactions or of complete rounds of contacts. The condition
    /// is evaluated at once and after every interaction that changes a count, but only once all faults at fixed times
    /// have happened. Returns [`Advance::Quiescent`] if no edge is left or all contacts have ended.
    pub fn run(&mut self, condition: Option<&dyn Condition>, bound: &RunBound) -> Advance {
        let mut asked = condition.filter(|_| !self.awaits_dates());
        if asked.is_some_and(|condition| condition.holds(&self.counts)) {
            return Advance::Held;
        }
        while self.interactions < bound.interactions {
            let Self { meeting, is_there, live, pair_draws, .. } = self;
            let pair = match meeting {
                Meeting::All => {
                    let agents = live.len() as u64;
                    let (i, j) = (pair_draws.below(agents), pair_draws.below(agents - 1));
                    Some([live[i as usize], live[(j + u64::from(j >= i)) as usize]])
                }
                Meeting::Edges(edges) => edges.draw(is_there, pair_draws),
                Meeting::Contacts(present) => present.draw(is_there, bound.rounds, pair_draws),
            };
            let Some([i, j]) = pair else {
                return match &self.meeting {
                    Meeting::Contacts(present) if !present.is_over() => Advance::Advanced,
                    _ => Advance::Quiescent,
                };
            };
            let before = [self.states[i as usize], self.states[j as usize]];
            let after = self.rules.interact(before[0], before[1], &mut self.outcome_draws);
            self.interactions += 1;
            let mut has_changed = after != before;
            if has_changed {
                self.set(i, after[0]);
                self.set(j, after[1]);
            }
            if self.next_fault <= self.interactions {
                self.happen();
                has_changed = true;
                asked = condition.filter(|_| !self.awaits_dates());
            }
            if has_changed && asked.is_some_and(|condition| condition.holds(&self.counts)) {
                return Advance::Held;
            }
        }
        Advance::Advanced
    }

    fn set(&mut self, agent: u32, state: u16) {
        let before = std::mem::replace(&mut self.states[agent as usize], state);
        self.counts[usize::from(before)] -= 1;
        self.counts[usize::from(state)] += 1;
    }

    /// Performs the faults and changes that are due after the last interaction.
    fn happen(&mut self) {
        for number in 0..self.faults.len() {
            while self.faults[number].next == Some(self.interactions) {
                self.strike(number);
                let from = self.interactions + 1;
                self.faults[number].advance(from);
            }
        }
        self.next_fault = next_of(&self.faults);
    }

    fn strike(&mut self, number: usize) {
        let DueFault { fault, mut draws, .. } = self.faults[number].clone();
        let mut hit = 0;
        match &fault.kind {
            FaultKind::Crash | FaultKind::Leave => {
                while hit < fault.agents && self.live.len() > 2 {
                    let place = draws.below(self.live.len() as u64) as usize;
                    let agent = self.live.swap_remove(place);
                    self.counts[usize::from(self.states[agent as usize])] -= 1;
                    self.is_there[agent as usize] = false;
                    if fault.kind == FaultKind::Leave {
                        self.free.push(agent);
                    }
                    hit += 1;
                }
            }
            FaultKind::Join { state } => {
                while hit < fault.agents && self.live.len() < MOST {
                    let agent = self.free.pop().unwrap_or_else(|| {
                        self.states.push(*state);
                        self.is_there.push(true);
                        (self.states.len() - 1) as u32
                    });
                    self.states[agent as usize] = *state;
                    self.is_there[agent as usize] = true;
                    self.live.push(agent);
                    self.counts[usize::from(*state)] += 1;
                    hit += 1;
                }
            }
            FaultKind::Corrupt { states } => {
                hit = fault.agents.min(self.live.len() as u64);
                // A prefix of a random permutation (Fisher and Yates).
                for place in 0..hit as usize {
                    let other = place + draws.below((self.live.len() - place) as u64) as usize;
                    self.live.swap(place, other);
                    let state = states[draws.below(states.len() as u64) as usize];
                    self.set(self.live[place], state);
                }
            }
        }
        self.faults[number].draws = draws;
        self.faults[number].hit += hit;
    }
}

/// The number of interactions after which the next fault happens.
pub(super) fn next_of(faults: &[DueFault]) -> u64 {
    faults.iter().filter_map(|due| due.next).min().unwrap_or(u64::MAX)
}
