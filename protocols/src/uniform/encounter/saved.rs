//! Saving a population with faults, weights or contacts to bytes, and restoring it.

use super::super::saved::{SavedError, SavedKind, SavedReader, Writer};
use super::meeting::Meeting;
use super::population::{EncounterPopulation, MOST, next_of};

impl EncounterPopulation {
    /// The complete state of the run as bytes. An agent takes one or two bytes, and four more after the first fault. An
    /// edge takes eight bytes, and eight more if weights differ.
    pub(in crate::uniform) fn saved(&self) -> Vec<u8> {
        let mut writer = Writer::new(SavedKind::Encounters, self.plan);
        writer.stream(&self.pair_draws);
        writer.stream(&self.outcome_draws);
        writer.number(self.interactions);
        writer.indices(self.rules.states(), self.states.iter().map(|&state| state.into()));
        // Before the first fault the list has all agents in their order.
        let is_in_order = (0..self.states.len()).eq(self.live.iter().map(|&agent| agent as usize));
        writer.byte(is_in_order.into());
        if !is_in_order {
            writer.indices(self.states.len(), self.live.iter().copied());
            writer.indices(self.states.len(), self.free.iter().copied());
        }
        self.faults.iter().for_each(|fault| fault.save(&mut writer));
        match &self.meeting {
            Meeting::All => {}
            Meeting::Edges(edges) => edges.save(&mut writer),
            Meeting::Contacts(present) => present.save(&mut writer),
        }
        writer.finish()
    }

    /// Continues from saved bytes of a run of this plan.
    pub(in crate::uniform) fn continue_from(&mut self, bytes: &[u8]) -> Result<(), SavedError> {
        let mut reader = SavedReader::new(bytes, SavedKind::Encounters, self.plan)?;
        let (pair_draws, outcome_draws) = (reader.stream()?, reader.stream()?);
        let interactions = reader.counter()?;
        let states = reader.states(self.rules.states())?;
        let agents = states.len();
        SavedError::unless((2..=MOST).contains(&agents), "agents")?;
        let (live, free) = if reader.flag()? {
            ((0..agents as u32).collect(), Vec::new())
        } else {
            (reader.indices(agents, "agents")?, reader.indices::<u32>(agents, "agents")?)
        };
        let mut is_there = vec![false; agents];
        for &agent in &live {
            let is_twice = std::mem::replace(&mut is_there[agent as usize], true);
            SavedError::unless(!is_twice, "agents")?;
        }
        let mut is_taken = is_there.clone();
        for &agent in &free {
            let is_twice = std::mem::replace(&mut is_taken[agent as usize], true);
            SavedError::unless(!is_twice, "agents")?;
        }
        SavedError::unless(live.len() >= 2, "agents")?;
        let faults = self.faults.iter().map(|fault| fault.restored(&mut reader, interactions));
        let faults = faults.collect::<Result<Vec<_>, _>>()?;
        let meeting = match &self.meeting {
            Meeting::All => Meeting::All,
            Meeting::Edges(edges) => Meeting::Edges(edges.restored(&mut reader, agents)?),
            Meeting::Contacts(present) => Meeting::Contacts(Box::new(present.restored(&mut reader, agents)?)),
        };
        reader.finish()?;
        let mut counts = vec![0; self.rules.states()];
        for &agent in &live {
            counts[usize::from(states[agent as usize])] += 1;
        }
        self.next_fault = next_of(&faults);
        (self.states, self.is_there, self.live, self.free) = (states, is_there, live, free);
        (self.meeting, self.faults, self.counts) = (meeting, faults, counts);
        (self.pair_draws, self.outcome_draws) = (pair_draws, outcome_draws);
        self.interactions = interactions;
        Ok(())
    }
}
