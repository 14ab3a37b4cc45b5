//! Populations in which several agents interact at a time.

use std::borrow::Cow;

use acrasin_process::{Advance, Condition, Process, Progress, RestoreError, RunBound};
use acrasin_runtime::Digest;

use super::table::{SIZES, TupleTable};
use crate::uniform::SizeError;
use crate::uniform::draws::{RandomDraws, StreamPurpose};
use crate::uniform::process;
use crate::uniform::saved::{SavedError, SavedKind, SavedReader, Writer, plan_digest};

/// The maximum number of agents. An agent takes at most two bytes.
const MOST: u64 = 1 << 32;

/// Agents that interact in tuples of the table's size; each ordered tuple of distinct agents is equally likely.
///
/// A run is a function of table, counts and seed. It does not depend on where it is stopped. Cost of an interaction:
/// the size of the tuple.
#[derive(Clone, Debug)]
pub struct TuplePopulation {
    table: TupleTable,
    seed: u64,
    states: Vec<u16>,
    counts: Vec<u64>,
    draws: RandomDraws,
    interactions: u64,
}

impl TuplePopulation {
    /// Creates a population with `counts[s]` agents in state `s` of the table.
    ///
    /// # Errors
    ///
    /// The number of counts differs from the number of states. Or there are fewer agents than take part in an
    /// interaction, or more than 2^32.
    pub fn new(table: &TupleTable, counts: &[u64], seed: u64) -> Result<Self, SizeError> {
        let states = table.state_names().len();
        if counts.len() != states {
            return Err(SizeError::WrongLength { given: counts.len(), states });
        }
        let agents: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        if !(table.size() as u128..=MOST.into()).contains(&agents) {
            return Err(SizeError::WrongSize { agents });
        }
        let each = (0_u16..).zip(counts);
        Ok(Self {
            table: table.clone(),
            seed,
            states: each.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize)).collect(),
            counts: counts.to_vec(),
            draws: RandomDraws::new(seed, StreamPurpose::Tuples, 0),
            interactions: 0,
        })
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

    /// Advances to a total of `interactions`; does nothing if at least that many were already made.
    pub fn run_to(&mut self, interactions: u64) {
        while self.interactions < interactions {
            self.step();
        }
    }

    /// Advances until `condition` first holds, or to a total of `limit` interactions; returns whether it holds. The
    /// condition is evaluated at once and after every interaction that changes a state.
    pub fn run_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        let mut holds = condition.holds(&self.counts);
        while !holds && self.interactions < limit {
            holds = self.step() && condition.holds(&self.counts);
        }
        holds
    }

    /// Makes one interaction; returns whether it changed a state.
    fn step(&mut self) -> bool {
        let size = self.table.size();
        let (mut agents, mut before) = ([0_usize; *SIZES.end()], [0_u16; *SIZES.end()]);
        for place in 0..size {
            agents[place] = loop {
                let agent = self.draws.below(self.states.len() as u64) as usize;
                if !agents[..place].contains(&agent) {
                    break agent;
                }
            };
            before[place] = self.states[agents[place]];
        }
        self.interactions += 1;
        let Some(after) = self.table.outcome(&before[..size]) else { return false };
        for place in 0..size {
            self.counts[usize::from(before[place])] -= 1;
            self.counts[usize::from(after[place])] += 1;
            self.states[agents[place]] = after[place];
        }
        after != &before[..size]
    }
}

impl TuplePopulation {
    fn plan(&self) -> Digest {
        plan_digest(&(&self.table, self.states.len(), self.seed), &())
    }

    fn continue_from(&mut self, bytes: &[u8]) -> Result<(), SavedError> {
        let mut reader = SavedReader::new(bytes, SavedKind::Tuples, self.plan())?;
        let (interactions, draws) = (reader.counter()?, reader.stream()?);
        let states = reader.states(self.counts.len())?;
        SavedError::unless(states.len() == self.states.len(), "agents")?;
        reader.finish()?;
        self.counts.fill(0);
        states.iter().for_each(|&state| self.counts[usize::from(state)] += 1);
        (self.states, self.draws, self.interactions) = (states, draws, interactions);
        Ok(())
    }
}

impl Process for TuplePopulation {
    fn progress(&self) -> Progress {
        process::progress(self.interactions, 0)
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(&self.counts)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        match condition {
            Some(condition) => process::advance(self.run_until(condition, bound.interactions)),
            None => {
                self.run_to(bound.interactions);
                Advance::Advanced
            }
        }
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.table.silent().holds(&self.counts))
    }

    fn numbered(&self) -> u64 {
        self.states.len() as u64
    }

    fn state(&self, agent: u64) -> u16 {
        self.states[agent as usize]
    }

    /// The state of the run as bytes: one or two per agent.
    fn save(&self) -> Option<Vec<u8>> {
        let mut writer = Writer::new(SavedKind::Tuples, self.plan());
        writer.number(self.interactions);
        writer.stream(&self.draws);
        writer.indices(self.counts.len(), self.states.iter().map(|&state| state.into()));
        Some(writer.finish())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        Ok(self.continue_from(checkpoint)?)
    }

    fn digest(&self) -> u128 {
        process::digest(self)
    }
}
