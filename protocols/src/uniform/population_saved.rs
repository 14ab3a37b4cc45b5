//! Saving a population to bytes, and restoring it.

use std::sync::Arc;

use crate::table::Table;

use super::array::Array;
use super::cost::{Costs, Mode};
use super::epoch::Evaluation;
use super::meetings::Meetings;
use super::population::{AgentStore, LastEpoch, Population};
use super::rules::TransitionRules;
use super::saved::{SavedError, SavedKind, SavedReader, Writer};
use super::small_array::{BLOCK, SmallArray};
use super::urn::UrnStream;

const MODES: [Mode; 5] = [Mode::Array, Mode::Epochs, Mode::ShuffledEpochs, Mode::Active, Mode::Urn];

impl Population {
    /// The complete state of the run: counts, agents in an array, random streams, and a computed epoch that is not yet
    /// visible. [`restore`](Self::restore) returns a population that continues exactly like this one. Equal states give
    /// equal bytes.
    ///
    /// Size: some hundred bytes, and 16 bytes per state. With an array, one or two bytes per agent are added.
    ///
    /// ```
    /// use acrasin_protocols::{Table, library::ApproximateMajority, uniform::Population};
    ///
    /// let table = Table::compile(&ApproximateMajority)?;
    /// let mut population = Population::new(&table, &[600_000, 400_000, 0], 1)?;
    /// population.run(123_456);
    /// let mut elsewhere = Population::restore(&table, &population.save())?;
    /// population.run(1_000_000);
    /// elsewhere.run(1_000_000);
    /// assert_eq!(population.counts(), elsewhere.counts());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(SavedKind::Population, self.rules.digest());
        let counts = self.settled_counts();
        writer.numbers(&counts);
        writer.numbers(&self.shown_counts);
        for number in
            [self.seed, self.computed, self.shown, self.decide_at, self.active_left.into(), self.epochs]
        {
            writer.number(number);
        }
        writer.byte(self.forced.map_or(0, |mode| 1 + number_of(mode)));
        writer.byte(number_of(self.mode));
        writer.lanes(&self.pair_draws);
        writer.stream(&self.outcome_draws);
        writer.stream(&self.skip_draws);
        writer.wide(self.urn_stream.state());
        writer.option(self.skip.next.filter(|_| self.mode == Mode::Active));
        // An epoch that is visible to its end is not observed again.
        let last = self.last.as_ref().filter(|_| self.shown < self.computed);
        writer.byte(last.is_some().into());
        if let Some(last) = last {
            writer.byte((last.evaluation == Evaluation::Shuffle).into());
            for number in [last.number, last.start, last.interactions] {
                writer.number(number);
            }
            writer.numbers(&last.before);
        }
        let states = self.rules.states();
        match &self.array {
            None => writer.byte(0),
            Some(AgentStore::Array(array)) => {
                writer.byte(1);
                let of_agents = (0..self.agents as usize).map(|agent| array.state(agent as u32).into());
                writer.indices(states, of_agents);
                writer.pairs(array.pending().iter().copied());
            }
            Some(AgentStore::Crowd(crowd)) => {
                let (of_agents, place) = crowd.parts();
                writer.byte(2);
                writer.indices(states, of_agents.iter().map(|&state| state.into()));
                writer.number(place.into());
            }
        }
        writer.finish()
    }

    /// Restores the population that [`save`](Self::save) wrote, with the same table.
    ///
    /// # Errors
    ///
    /// The bytes were not written by `save`, were changed, or belong to another version or table.
    pub fn restore(table: &Table, bytes: &[u8]) -> Result<Self, SavedError> {
        Self::restored(&Arc::new(TransitionRules::new(table)), bytes)
    }

    /// Like [`restore`](Self::restore), with the rules of the table.
    pub(super) fn restored(rules: &Arc<TransitionRules>, bytes: &[u8]) -> Result<Self, SavedError> {
        let mut reader = SavedReader::new(bytes, SavedKind::Population, rules.digest())?;
        let (counts, shown) = (reader.numbers()?, reader.numbers()?);
        let mut numbers = [0; 6];
        for number in &mut numbers {
            *number = reader.number()?;
        }
        let [seed, computed, shown_after, decide_at, active_left, epochs] = numbers;
        let impossible = SavedError::impossible;
        let mut population =
            Self::with_rules(Arc::clone(rules), &counts, seed).map_err(|_| impossible("counts"))?;
        if shown.len() != counts.len()
            || shown.iter().map(|&count| u128::from(count)).sum::<u128>() != u128::from(population.agents)
        {
            return Err(impossible("counts"));
        }
        population.shown_counts = shown;
        (population.computed, population.shown) = (computed, shown_after);
        (population.decide_at, population.epochs) = (decide_at, epochs);
        population.active_left = u32::try_from(active_left).map_err(|_| impossible("numbers"))?;
        let forced = reader.byte()?;
        population.forced = if forced == 0 { None } else { Some(mode(forced - 1)?) };
        population.mode = mode(reader.byte()?)?;
        let modes = [Some(population.mode), population.forced];
        SavedError::unless(modes.into_iter().flatten().all(|mode| population.allows(mode)), "modes")?;
        population.pair_draws = reader.lanes()?;
        population.outcome_draws = reader.stream()?;
        population.skip_draws = reader.stream()?;
        population.urn_stream = UrnStream::from_state(reader.wide()?).ok_or(impossible("random streams"))?;
        let next = reader.option()?;
        if population.mode == Mode::Active {
            population.skip.go_on(&counts, next);
            // A changing interaction needs a pair that can change.
            let can_change = population.skip.active(&counts) > 0;
            let is_possible = next.is_none_or(|at| at >= computed && (can_change || at == u64::MAX));
            SavedError::unless(is_possible, "numbers")?;
        } else {
            // Single steps and epochs cannot make more.
            SavedError::unless(next.is_none() && computed < 1 << 62, "numbers")?;
        }
        SavedError::unless(epochs <= computed, "numbers")?;
        if reader.flag()? {
            let evaluation = if reader.flag()? { Evaluation::Shuffle } else { Evaluation::Table };
            let [number, start, interactions] = [reader.number()?, reader.number()?, reader.number()?];
            let before = reader.numbers()?;
            if before.len() != counts.len()
                || before.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count))
                    != Some(population.agents)
            {
                return Err(impossible("counts"));
            }
            let length = Costs::new(population.agents, &before, rules).epoch(evaluation);
            let is_possible = start.checked_add(interactions) == Some(computed)
                && (start..computed).contains(&shown_after)
                && number.checked_add(1) == Some(epochs)
                && interactions == length;
            SavedError::unless(is_possible, "numbers")?;
            population.last =
                Some(LastEpoch { number, start, interactions, before, evaluation, inside: None });
        } else {
            SavedError::unless(shown_after == computed && population.shown_counts == counts, "numbers")?;
        }
        let line = reader.byte()?;
        let is_possible = match line {
            // An array is made when the next mode is chosen.
            0 => population.mode != Mode::Array || computed >= decide_at,
            1 => population.mode == Mode::Array,
            _ => line == 2 && population.mode == Mode::Array && SmallArray::fits(population.agents, rules),
        };
        SavedError::unless(is_possible, "modes")?;
        if line > 0 {
            let states = reader.states(rules.states())?;
            let mut found = vec![0; counts.len()];
            states.iter().for_each(|&state| found[usize::from(state)] += 1);
            if found != counts {
                return Err(impossible("states"));
            }
            population.array = Some(if line == 1 {
                let mut array = Array::meeting(&states, Meetings::All, rules);
                array.set_pending(&reader.pairs(population.agents)?);
                AgentStore::Array(array)
            } else {
                let states = states.into_iter().map(|state| state as u8).collect();
                let place = reader.index(BLOCK, "numbers")? as u16;
                AgentStore::Crowd(SmallArray::new(&counts, rules).with_parts(states, place))
            });
        }
        reader.finish()?;
        Ok(population)
    }
}

fn number_of(mode: Mode) -> u8 {
    MODES.iter().position(|&known| known == mode).expect("all modes") as u8
}

fn mode(number: u8) -> Result<Mode, SavedError> {
    MODES.get(usize::from(number)).copied().ok_or(SavedError::impossible("modes"))
}
