//! [`SwarmFigures`]: counts of events in runs.

use std::hash::Hasher;

use acrasin_runtime::exclusion::{AlgorithmLabels, Anomaly, NOTES_MAX};
use acrasin_runtime::{Event, LockOnly, Observer};

/// Counts of one run, or sums over several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SwarmFigures {
    /// The number of steps: actions, departing messages, and changes of the graph.
    pub steps: u64,
    /// The number of actions executed, including calls.
    pub actions: u64,
    /// The number of messages sent.
    pub messages: u64,
    /// The number of edges that appeared.
    pub connects: u64,
    /// The number of edges that vanished.
    pub disconnects: u64,
    /// The number of messages in transit that were lost with their edge.
    pub lost: u64,
    /// The number of messages that were discarded because their edge vanished before they had left.
    pub discarded: u64,
    /// The number of calls to Lock that were not misuse.
    pub calls: u64,
    /// The number of Lock calls that succeeded.
    pub granted: u64,
    /// The number of Unlock calls that completed.
    pub released: u64,
    /// The number of notes of each kind that the algorithm emits, indexed as in [`AlgorithmLabels::NOTES`]. For local
    /// mutual exclusion: competition trials, and late first requests that were rejected.
    pub notes: [u64; NOTES_MAX],
    /// The number of calls that the rules ignored.
    pub ignored_calls: u64,
    /// The number of steps after the last disturbance until all calls were served.
    pub drain_steps: u64,
    /// The number of scheduler turns after the last disturbance until all calls were served. A turn is a step or a
    /// round, depending on the scheduler.
    pub drain_turns: u64,
    /// The largest `drain_steps` of one run.
    pub drain_steps_max: u64,
}

impl SwarmFigures {
    /// The number of changes of the graph.
    #[must_use]
    pub fn topology_changes(&self) -> u64 {
        self.connects + self.disconnects
    }

    /// Adds the figures of `other`.
    pub fn add(&mut self, other: &Self) {
        let max = self.drain_steps_max.max(other.drain_steps_max);
        let mut other = *other;
        for (sum, addend) in self.fields_mut().into_iter().zip(other.fields_mut()) {
            *sum += *addend;
        }
        for (sum, addend) in self.notes.iter_mut().zip(other.notes) {
            *sum += addend;
        }
        self.drain_steps_max = max;
    }

    /// Names and values of all figures, for tables. Notes have the names that the algorithm gives them.
    #[must_use]
    pub fn rows<E: AlgorithmLabels>(&self) -> Vec<(&'static str, u64)> {
        let mut figures = *self;
        let values = figures.fields_mut().map(|value| *value);
        let mut rows: Vec<(&'static str, u64)> = NAMES.into_iter().zip(values).collect();
        let notes = E::NOTES.iter().map(|words| words.over_runs).zip(self.notes);
        rows.splice(NOTES_AT..NOTES_AT, notes);
        rows
    }

    /// All fields except `notes`, in the order of [`NAMES`].
    fn fields_mut(&mut self) -> [&mut u64; NAMES.len()] {
        [
            &mut self.steps,
            &mut self.actions,
            &mut self.messages,
            &mut self.connects,
            &mut self.disconnects,
            &mut self.lost,
            &mut self.discarded,
            &mut self.calls,
            &mut self.granted,
            &mut self.released,
            &mut self.ignored_calls,
            &mut self.drain_steps,
            &mut self.drain_turns,
            &mut self.drain_steps_max,
        ]
    }

    pub(super) fn digest_into<E: AlgorithmLabels>(&self, hasher: &mut impl Hasher) {
        self.rows::<E>().into_iter().for_each(|(_, value)| hasher.write_u64(value));
    }
}

/// The index of the first row of `notes` among all rows.
const NOTES_AT: usize = 10;

const NAMES: [&str; 14] = [
    "steps",
    "actions executed",
    "messages sent",
    "connections",
    "disconnections",
    "messages lost in transit",
    "messages discarded before they left",
    "Lock calls",
    "Locks granted",
    "Unlocks completed",
    "calls ignored",
    "steps to drain",
    "turns to drain",
    "longest drain, steps",
];

impl<E: AlgorithmLabels> Observer<E, LockOnly> for SwarmFigures {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, LockOnly>) {
        match event {
            Event::Executed { .. } => self.actions += 1,
            Event::Sent { .. } => self.messages += 1,
            Event::Noted { note, .. } => self.notes[E::note(*note)] += 1,
            Event::Granted { .. } => self.granted += 1,
            Event::Released { .. } => self.released += 1,
            Event::Connected { .. } => self.connects += 1,
            Event::Disconnected { lost, unsent, .. } => {
                self.disconnects += 1;
                self.lost += u64::from(*lost);
                self.discarded += u64::from(*unsent);
            }
            Event::Anomaly { anomaly: Anomaly::IgnoredCall, .. } => self.ignored_calls += 1,
            Event::Anomaly { .. } | Event::Entered { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_runtime::exclusion::local::Local;

    #[test]
    fn sums_add_and_the_longest_drain_is_a_maximum() {
        let mut sum =
            SwarmFigures { steps: 3, drain_steps: 7, drain_steps_max: 7, ..SwarmFigures::default() };
        sum.add(&SwarmFigures {
            steps: 2,
            granted: 1,
            drain_steps: 5,
            drain_steps_max: 5,
            ..SwarmFigures::default()
        });
        let expected = SwarmFigures {
            steps: 5,
            granted: 1,
            drain_steps: 12,
            drain_steps_max: 7,
            ..SwarmFigures::default()
        };
        assert_eq!(sum, expected);
    }

    #[test]
    fn every_field_has_its_row() {
        let mut figures = SwarmFigures { notes: [11, 12, 0, 0], ..SwarmFigures::default() };
        for (value, field) in (1..=10).chain(13..).zip(figures.fields_mut()) {
            *field = value;
        }
        let rows = figures.rows::<Local>();
        assert!(rows.iter().map(|&(_, value)| value).eq(1..=16));
        assert_eq!([rows[10].0, rows[11].0], ["trials", "late requests rejected"]);
    }
}
