//! What happened in a run, in numbers.

use std::hash::{Hash, Hasher};

use acrasin_runtime::exclusion::Anomaly;
use acrasin_runtime::exclusion::local::Note;
use acrasin_runtime::{Event, LockOnly, Observer};

use crate::wrong::Wrong;

/// Counts of a run, or sums over runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Figures {
    /// Steps: actions, messages that leave, and changes of the graph.
    pub steps: u64,
    /// Actions executed, calls among them.
    pub actions: u64,
    /// Messages sent.
    pub messages: u64,
    /// Edges that appeared.
    pub connects: u64,
    /// Edges that vanished.
    pub disconnects: u64,
    /// Messages in transit that were lost with their edge.
    pub lost: u64,
    /// Messages that had not left when their edge vanished.
    pub discarded: u64,
    /// Calls to Lock that were not misuse.
    pub calls: u64,
    /// Locks granted.
    pub granted: u64,
    /// Unlocks completed.
    pub released: u64,
    /// Competition trials.
    pub trials: u64,
    /// Late first requests that were rejected.
    pub late_rejections: u64,
    /// Calls that the rules ignored.
    pub ignored_calls: u64,
    /// Steps after the last disturbance until all calls were served.
    pub drain_steps: u64,
    /// Turns of the scheduler in that time: steps, or rounds.
    pub drain_turns: u64,
    /// The largest `drain_steps` of a run.
    pub drain_steps_max: u64,
}

impl Figures {
    /// Changes of the graph.
    #[must_use]
    pub fn topology_changes(&self) -> u64 {
        self.connects + self.disconnects
    }

    /// Adds the figures of other runs.
    pub fn add(&mut self, other: &Self) {
        let max = self.drain_steps_max.max(other.drain_steps_max);
        for (sum, (_, addend)) in self.fields_mut().into_iter().zip(other.rows()) {
            *sum += addend;
        }
        self.drain_steps_max = max;
    }

    /// Name and value of every figure, for tables.
    #[must_use]
    pub fn rows(&self) -> [(&'static str, u64); 16] {
        [
            ("steps", self.steps),
            ("actions executed", self.actions),
            ("messages sent", self.messages),
            ("connections", self.connects),
            ("disconnections", self.disconnects),
            ("messages lost in transit", self.lost),
            ("messages discarded before they left", self.discarded),
            ("Lock calls", self.calls),
            ("Locks granted", self.granted),
            ("Unlocks completed", self.released),
            ("trials", self.trials),
            ("late requests rejected", self.late_rejections),
            ("calls ignored", self.ignored_calls),
            ("steps to drain", self.drain_steps),
            ("turns to drain", self.drain_turns),
            ("longest drain, steps", self.drain_steps_max),
        ]
    }

    fn fields_mut(&mut self) -> [&mut u64; 16] {
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
            &mut self.trials,
            &mut self.late_rejections,
            &mut self.ignored_calls,
            &mut self.drain_steps,
            &mut self.drain_turns,
            &mut self.drain_steps_max,
        ]
    }

    pub(super) fn digest_into(&self, hasher: &mut impl Hasher) {
        self.hash(hasher);
    }
}

impl Observer<Wrong, LockOnly> for Figures {
    #[inline]
    fn event(&mut self, event: &Event<'_, Wrong, LockOnly>) {
        match event {
            Event::Executed { .. } => self.actions += 1,
            Event::Sent { .. } => self.messages += 1,
            Event::Noted { note: Note::Trial, .. } => self.trials += 1,
            Event::Noted { note: Note::LateRejection, .. } => self.late_rejections += 1,
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

    #[test]
    fn sums_add_and_the_longest_drain_is_a_maximum() {
        let mut sum = Figures { steps: 3, drain_steps: 7, drain_steps_max: 7, ..Figures::default() };
        sum.add(&Figures { steps: 2, granted: 1, drain_steps: 5, drain_steps_max: 5, ..Figures::default() });
        let expected =
            Figures { steps: 5, granted: 1, drain_steps: 12, drain_steps_max: 7, ..Figures::default() };
        assert_eq!(sum, expected);
    }

    #[test]
    fn every_field_has_its_row() {
        let mut figures = Figures::default();
        for (value, field) in (1..).zip(figures.fields_mut()) {
            *field = value;
        }
        assert!(figures.rows().iter().map(|&(_, value)| value).eq(1..=16));
    }
}
