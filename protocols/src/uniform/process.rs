//! Implements [`Process`] for the populations of this module.

use std::borrow::Cow;
use std::hash::Hasher as _;

use acrasin_process::{
    Advance, Condition, Ending, Expected, Measure, Process, Progress, Quiescence, RestoreError, RunBound,
};
use acrasin_runtime::Digest;

use super::saved::SavedError;
use super::{EncounterPopulation, GraphPopulation, MatchedGraph, MatchedPopulation, Population};

/// The number of agents whose states are hashed at once.
const PIECE: u64 = 1 << 12;

/// The progress of a population that interacts pair by pair.
pub(crate) fn progress(interactions: u64, rounds: u64) -> Progress {
    Progress { steps: interactions, interactions, rounds, ..Progress::START }
}

/// Converts the result of running until a condition.
pub(crate) fn advance(holds: bool) -> Advance {
    if holds { Advance::Held } else { Advance::Advanced }
}

/// The digest of the counts of all states, followed by the state of each agent in two bytes if agents are numbered.
pub(crate) fn digest(process: &impl Process) -> u128 {
    Digest::written(|hasher| {
        process.counts().iter().for_each(|&count| hasher.write_u64(count));
        // In pieces: one call per agent would cost more than its bytes.
        let numbered = process.numbered();
        for first in (0..numbered).step_by(PIECE as usize) {
            let piece = first..(first + PIECE).min(numbered);
            let bytes: Vec<u8> = piece.flat_map(|agent| process.state(agent).to_le_bytes()).collect();
            hasher.write(&bytes);
        }
    })
    .0
}

/// The restored run that replaces `current`; an error if the two have different plans.
fn restored<P>(
    current: &P,
    restored: Result<P, SavedError>,
    are_of_one_plan: impl Fn(&P, &P) -> bool,
) -> Result<P, RestoreError> {
    let restored = restored?;
    if !are_of_one_plan(&restored, current) {
        let sentence = "a checkpoint of another run (accepted: a checkpoint of the same plan and seed)";
        return Err(RestoreError::Refused(sentence.to_owned()));
    }
    Ok(restored)
}

impl Process for Population {
    fn progress(&self) -> Progress {
        progress(self.interactions(), 0)
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.counts())
    }

    fn stride(&self) -> u64 {
        self.stretch()
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        advance(self.run_stretch(condition, bound.interactions))
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.save())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        let saved = Self::restored(&self.rules, checkpoint);
        *self = restored(self, saved, |one, other| (one.seed, one.agents) == (other.seed, other.agents))?;
        Ok(())
    }

    fn digest(&self) -> u128 {
        digest(self)
    }
}

impl Process for GraphPopulation {
    fn progress(&self) -> Progress {
        progress(self.interactions(), 0)
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.counts())
    }

    /// The number of agents, at least 2^18: a call may have to count all agents again, so it should make at least as
    /// many interactions.
    fn stride(&self) -> u64 {
        self.numbered().max(1 << 18)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        match condition {
            Some(condition) => advance(self.run_until(condition, bound.interactions)),
            None => {
                self.run_to(bound.interactions);
                Advance::Advanced
            }
        }
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.is_silent())
    }

    fn edge_count(&self) -> Option<u64> {
        Some(self.edge_count())
    }

    fn numbered(&self) -> u64 {
        self.counts().iter().sum()
    }

    fn state(&self, agent: u64) -> u16 {
        self.state(agent as u32)
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.strips_of_ranks().is_none().then(|| self.save())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        let saved = Self::restore(&self.table, checkpoint);
        *self = restored(self, saved, Self::is_of_plan_of)?;
        Ok(())
    }

    fn digest(&self) -> u128 {
        let Some(strips) = self.strips_of_ranks() else { return digest(self) };
        // Only rank 0 gets the states of all agents.
        let pieces = (0..self.numbered()).step_by(PIECE as usize);
        let states = |first: u64| strips.gathered(first as u32..(first + PIECE).min(self.numbered()) as u32);
        let Digest(digest) = Digest::written(|hasher| {
            self.counts().iter().for_each(|&count| hasher.write_u64(count));
            for first in pieces {
                let bytes = states(first).into_iter().flat_map(|state| u16::from(state).to_le_bytes());
                hasher.write(&bytes.collect::<Vec<u8>>());
            }
        });
        let ranks = strips.ranks().expect("it is divided between ranks");
        let mut halves = if ranks.rank() == 0 { [digest as u64, (digest >> 64) as u64] } else { [0; 2] };
        ranks.sum(&mut halves);
        u128::from(halves[1]) << 64 | u128::from(halves[0])
    }
}

impl Process for EncounterPopulation {
    fn progress(&self) -> Progress {
        progress(self.interactions(), self.rounds())
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.counts())
    }

    fn unit(&self) -> Measure {
        if self.has_rounds() { Measure::Rounds } else { Measure::Interactions }
    }

    fn stride(&self) -> u64 {
        1 << 18
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        self.run(condition, bound)
    }

    fn obstacle(&self) -> Ending {
        Ending::Quiescent(Quiescence::NoEdge)
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.is_silent())
    }

    fn expected(&self) -> Expected {
        match (self.awaits_faults(), self.awaits_dates()) {
            (_, true) => Expected::DatedFaults,
            (true, false) => Expected::Faults,
            (false, false) => Expected::Nothing,
        }
    }

    fn numbered(&self) -> u64 {
        self.states().len() as u64
    }

    fn state(&self, agent: u64) -> u16 {
        self.states()[agent as usize]
    }

    fn affected(&self) -> Vec<u64> {
        self.hit()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.saved())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        Ok(self.continue_from(checkpoint)?)
    }

    fn digest(&self) -> u128 {
        digest(self)
    }
}

impl Process for MatchedPopulation {
    fn progress(&self) -> Progress {
        progress(self.interactions(), self.rounds())
    }

    fn effort(&self) -> u64 {
        self.steps().saturating_add(self.rounds())
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Rounds
    }

    fn stride(&self) -> u64 {
        64
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        advance(self.run_some(condition, bound.rounds))
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.saved())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        Ok(self.continue_from(checkpoint)?)
    }

    fn digest(&self) -> u128 {
        digest(self)
    }
}

impl Process for MatchedGraph {
    fn progress(&self) -> Progress {
        progress(self.interactions(), self.rounds())
    }

    fn effort(&self) -> u64 {
        self.looks().saturating_add(self.rounds())
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Rounds
    }

    fn stride(&self) -> u64 {
        ((1 << 18) / self.edge_count()).max(1)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        advance(self.run_some(condition, bound.rounds))
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.is_silent())
    }

    fn edge_count(&self) -> Option<u64> {
        Some(self.edge_count())
    }

    fn numbered(&self) -> u64 {
        self.states().len() as u64
    }

    fn state(&self, agent: u64) -> u16 {
        self.states()[agent as usize]
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.saved())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        Ok(self.continue_from(checkpoint)?)
    }

    fn digest(&self) -> u128 {
        digest(self)
    }
}
