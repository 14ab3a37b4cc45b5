//! Counts by state, kept from what each critical section reports.

use acrasin_protocols::locked::{Interaction, Interactions};
use acrasin_protocols::{Protocol as _, Table};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{Demand, Event, LockOnly, Observer};
use acrasin_verify::locks::ExploredSection;

/// How many agents are in which state, and how often they have interacted.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    counts: Vec<u64>,
    output_of: Vec<u16>,
    /// Agents by output.
    outputs: Vec<u64>,
    outputs_present: usize,
    interactions: u64,
    /// Interactions that changed somebody.
    changes: u64,
    released: u64,
}

impl Tally {
    /// No agents, no states: a run of locks alone.
    pub(super) fn of_locks() -> Self {
        Self {
            counts: Vec::new(),
            output_of: Vec::new(),
            outputs: Vec::new(),
            outputs_present: 0,
            interactions: 0,
            changes: 0,
            released: 0,
        }
    }

    pub(super) fn new(table: &Table, states: &[u16]) -> Self {
        let mut tally = Self {
            counts: vec![0; usize::from(table.state_count())],
            output_of: table.states().map(|state| table.output(state)).collect(),
            outputs: vec![0; usize::from(table.output_count())],
            ..Self::of_locks()
        };
        for &state in states {
            tally.counts[usize::from(state)] += 1;
            tally.outputs[usize::from(tally.output_of[usize::from(state)])] += 1;
        }
        tally.outputs_present = tally.outputs.iter().filter(|&&count| count > 0).count();
        tally
    }

    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub(super) fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    pub(super) fn outputs_agree(&self) -> bool {
        self.outputs_present == 1
    }

    pub(super) fn interactions(&self) -> u64 {
        self.interactions
    }

    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Completed Unlocks.
    pub(super) fn released(&self) -> u64 {
        self.released
    }

    fn moved(&mut self, before: u16, after: u16) {
        if before == after {
            return;
        }
        self.counts[usize::from(before)] -= 1;
        self.counts[usize::from(after)] += 1;
        let (before, after) = (self.output_of[usize::from(before)], self.output_of[usize::from(after)]);
        if before != after {
            let left = &mut self.outputs[usize::from(before)];
            *left -= 1;
            self.outputs_present -= usize::from(*left == 0);
            let joined = &mut self.outputs[usize::from(after)];
            self.outputs_present += usize::from(*joined == 0);
            *joined += 1;
        }
    }
}

/// A critical section whose reports can be tallied.
pub(super) trait Tallied: ExploredSection + 'static {
    /// Takes in what one run of the section reports.
    fn tell(outcome: &Self::Outcome, tally: &mut Tally);

    /// The states as those of a protocol; none if no protocol runs.
    fn agents(states: &[Self::State]) -> &[u16];
}

impl Tallied for LockOnly {
    fn tell((): &(), _: &mut Tally) {}

    fn agents(_: &[Demand]) -> &[u16] {
        &[]
    }
}

impl Tallied for Interactions<Table> {
    fn tell(outcome: &Interaction<u16>, tally: &mut Tally) {
        tally.interactions += outcome.count();
        let mut changed = false;
        outcome.for_each_member(|before, after| {
            changed |= before != after;
            tally.moved(before, after);
        });
        tally.changes += u64::from(changed);
    }

    fn agents(states: &[u16]) -> &[u16] {
        states
    }
}

impl<S: Tallied> Observer<Local, S> for Tally {
    #[inline]
    fn event(&mut self, event: &Event<'_, Local, S>) {
        match event {
            Event::Entered { outcome, .. } => S::tell(outcome, self),
            Event::Released { .. } => self.released += 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_protocols::library::ExactMajority;

    #[test]
    fn counts_and_outputs_follow_every_move() {
        let table = Table::compile(&ExactMajority).unwrap();
        let [strong_a, strong_b, weak_a, weak_b] =
            ["A", "B", "a", "b"].map(|name| table.state(name).unwrap());
        let mut tally = Tally::new(&table, &[strong_a, strong_b, strong_a]);
        let meet = |tally: &mut Tally, before, after| {
            <Interactions<Table> as Tallied>::tell(&Interaction::Pair { before, after }, tally);
        };
        assert!(!tally.outputs_agree());
        meet(&mut tally, [strong_a, strong_b], [weak_a, weak_b]);
        assert_eq!((tally.counts(), tally.outputs_agree()), (&[1, 0, 1, 1][..], false));
        meet(&mut tally, [strong_a, weak_b], [strong_a, weak_a]);
        assert_eq!((tally.counts(), tally.outputs_agree()), (&[1, 0, 2, 0][..], true));
        meet(&mut tally, [strong_a, weak_a], [strong_a, weak_a]);
        assert_eq!((tally.interactions(), tally.changes()), (3, 2));
        <Interactions<Table> as Tallied>::tell(&Interaction::Nobody, &mut tally);
        assert_eq!(tally.interactions(), 3);
    }
}
