//! Counts by state, updated by the reports of critical sections.

use acrasin_engine::waves::PairTable;
use acrasin_protocols::locked::{Interactions, LockedInteraction, Way};
use acrasin_protocols::{Protocol as _, Table};
use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::pack::{Pack, PackError, Saved};
use acrasin_runtime::scheduler::Scheduler;
use acrasin_runtime::{CriticalSection, Demand, Event, LockOnly, Observer};
use acrasin_verify::locks::ExploredSection;

use crate::scheduler::AnyScheduler;

/// The number of agents in each state, and the number of their interactions.
#[derive(Clone, Debug)]
pub(super) struct StateCounts {
    counts: Vec<u64>,
    output_of: Vec<u16>,
    /// The number of agents with each output.
    outputs: Vec<u64>,
    outputs_present: usize,
    interactions: u64,
    /// The number of interactions that changed an agent.
    changes: u64,
    released: u64,
}

impl StateCounts {
    /// Counts without agents and states, for a run of locks alone.
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

    /// Checks that the counts are those of these agents.
    ///
    /// # Errors
    ///
    /// [`PackError`] if a state does not exist or a count differs.
    pub(super) fn check(&self, agents: &[u16]) -> Result<(), PackError> {
        let mut counts = vec![0; self.counts.len()];
        for &state in agents {
            *counts.get_mut(usize::from(state)).ok_or(PackError)? += 1;
        }
        if counts == self.counts { Ok(()) } else { Err(PackError) }
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

    /// The number of completed Unlocks.
    pub(super) fn released(&self) -> u64 {
        self.released
    }

    /// Adds completed Unlocks.
    pub(super) fn completed(&mut self, unlocks: u64) {
        self.released += unlocks;
    }

    /// Adds interactions and changes, and replaces the number of agents in each state.
    pub(super) fn recount(&mut self, interactions: u64, changes: u64, counts: &[u64]) {
        self.interactions += interactions;
        self.changes += changes;
        let states = self.counts.len();
        self.counts.copy_from_slice(&counts[..states]);
        self.outputs.fill(0);
        for (count, output) in self.counts.iter().zip(&self.output_of) {
            self.outputs[usize::from(*output)] += count;
        }
        self.outputs_present = self.outputs.iter().filter(|&&count| count > 0).count();
    }

    /// Adds the summed reports of other sections.
    pub(super) fn take(&mut self, moves: &CountDelta) {
        self.interactions += moves.interactions;
        self.changes += moves.changes;
        for (state, &change) in moves.by_state.iter().enumerate().filter(|&(_, &change)| change != 0) {
            for count in [&mut self.counts[state], &mut self.outputs[usize::from(self.output_of[state])]] {
                *count =
                    count.checked_add_signed(change).expect("no state is left more often than it is there");
            }
        }
        self.outputs_present = self.outputs.iter().filter(|&&count| count > 0).count();
    }
}

/// Saves the counters and the number of agents in each state.
impl Saved for StateCounts {
    fn save(&self, into: &mut Vec<u8>) {
        (self.interactions, self.changes, self.released).pack(into);
        self.counts.pack(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let (interactions, changes, released) = Pack::unpack(from)?;
        let counts = Vec::<u64>::unpack(from)?;
        let agents = |counts: &[u64]| counts.iter().map(|&count| u128::from(count)).sum::<u128>();
        if counts.len() != self.counts.len() || agents(&counts) != agents(&self.counts) {
            return Err(PackError);
        }
        (self.interactions, self.changes, self.released) = (0, 0, released);
        self.recount(interactions, changes, &counts);
        Ok(())
    }
}

/// A receiver of the reports of critical sections.
pub(super) trait CountSink {
    /// Adds `count` interactions; `changed` says whether they changed an agent.
    fn interacted(&mut self, count: u64, changed: bool);

    /// Moves an agent from the state `before` to the state `after`.
    fn moved(&mut self, before: u16, after: u16);
}

impl CountSink for StateCounts {
    fn interacted(&mut self, count: u64, changed: bool) {
        self.interactions += count;
        self.changes += u64::from(changed);
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

/// The summed reports of several sections, as differences of counts: they can be added in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CountDelta {
    interactions: u64,
    changes: u64,
    /// The change of each count. The list ends with the last changed state.
    by_state: Vec<i64>,
}

impl CountDelta {
    /// Adds the reports that `other` sums up.
    pub(super) fn append(&mut self, other: &Self) {
        self.interactions += other.interactions;
        self.changes += other.changes;
        self.reach(other.by_state.len());
        for (sum, change) in self.by_state.iter_mut().zip(&other.by_state) {
            *sum += change;
        }
    }

    fn reach(&mut self, states: usize) {
        if self.by_state.len() < states {
            self.by_state.resize(states, 0);
        }
    }
}

impl CountSink for CountDelta {
    #[inline]
    fn interacted(&mut self, count: u64, changed: bool) {
        self.interactions += count;
        self.changes += u64::from(changed);
    }

    #[inline]
    fn moved(&mut self, before: u16, after: u16) {
        if before != after {
            self.reach(usize::from(before.max(after)) + 1);
            self.by_state[usize::from(before)] -= 1;
            self.by_state[usize::from(after)] += 1;
        }
    }
}

/// A critical section whose outcomes can be counted.
pub(super) trait CountedSection: ExploredSection + CriticalSection<Outcome: Send> + 'static {
    /// Reports the outcome of one section.
    fn tell(outcome: &Self::Outcome, into: &mut impl CountSink);

    /// Creates the scheduler for this section.
    fn scheduler(scheduler: &dyn AnyScheduler) -> Box<dyn Scheduler<Local, Self>>;

    /// The agents' states in a list of node states; empty if no protocol runs.
    fn agents(states: &[Self::State]) -> &[u16];

    /// Mutable access to the agents' states in a list of node states.
    fn agents_mut(states: &mut [Self::State]) -> &mut [u16];

    /// The section as a table of pairs. The table exists if an agent locks its neighbourhood and interacts with a
    /// uniformly random neighbour, and no outcome is random. Otherwise `None`.
    fn pairs(&self) -> Option<PairTable>;
}

impl CountedSection for LockOnly {
    fn tell((): &(), _: &mut impl CountSink) {}

    fn scheduler(scheduler: &dyn AnyScheduler) -> Box<dyn Scheduler<Local, Self>> {
        scheduler.of_locks()
    }

    fn agents(_: &[Demand]) -> &[u16] {
        &[]
    }

    fn agents_mut(_: &mut [Demand]) -> &mut [u16] {
        &mut []
    }

    fn pairs(&self) -> Option<PairTable> {
        None
    }
}

impl CountedSection for Interactions<Table> {
    fn tell(outcome: &LockedInteraction<u16>, into: &mut impl CountSink) {
        let mut changed = false;
        outcome.for_each_member(|before, after| {
            changed |= before != after;
            into.moved(before, after);
        });
        into.interacted(outcome.count(), changed);
    }

    fn scheduler(scheduler: &dyn AnyScheduler) -> Box<dyn Scheduler<Local, Self>> {
        scheduler.of_interactions()
    }

    fn agents(states: &[u16]) -> &[u16] {
        states
    }

    fn agents_mut(states: &mut [u16]) -> &mut [u16] {
        states
    }

    fn pairs(&self) -> Option<PairTable> {
        let table = self.protocol();
        let count = table.state_count();
        let is_drawn = |own| table.states().any(|other| table.is_randomised(own, other));
        let fits =
            count <= PairTable::STATES_MAX && self.way() != Way::Group && !table.states().any(is_drawn);
        fits.then(|| PairTable::new(count, |own, other| table.transition(own, other))).flatten()
    }
}

impl<E: Exclusion, S: CountedSection> Observer<E, S> for StateCounts {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
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
        let mut tally = StateCounts::new(&table, &[strong_a, strong_b, strong_a]);
        let meet = |tally: &mut StateCounts, before, after| {
            <Interactions<Table> as CountedSection>::tell(&LockedInteraction::Pair { before, after }, tally);
        };
        assert!(!tally.outputs_agree());
        meet(&mut tally, [strong_a, strong_b], [weak_a, weak_b]);
        assert_eq!((tally.counts(), tally.outputs_agree()), (&[1, 0, 1, 1][..], false));
        meet(&mut tally, [strong_a, weak_b], [strong_a, weak_a]);
        assert_eq!((tally.counts(), tally.outputs_agree()), (&[1, 0, 2, 0][..], true));
        meet(&mut tally, [strong_a, weak_a], [strong_a, weak_a]);
        assert_eq!((tally.interactions(), tally.changes()), (3, 2));
        <Interactions<Table> as CountedSection>::tell(&LockedInteraction::NoPartner, &mut tally);
        assert_eq!(tally.interactions(), 3);
    }

    #[test]
    fn sums_of_parts_are_the_tally_of_the_whole() {
        let table = Table::compile(&ExactMajority).unwrap();
        let [strong_a, strong_b, weak_a, weak_b] =
            ["A", "B", "a", "b"].map(|name| table.state(name).unwrap());
        let start = StateCounts::new(&table, &[strong_a, strong_b, strong_a]);
        // The state that the second report leaves is the state that the first one enters.
        let reports = [
            LockedInteraction::Pair { before: [strong_a, strong_b], after: [weak_a, weak_b] },
            LockedInteraction::Pair { before: [strong_a, weak_b], after: [strong_a, weak_a] },
            LockedInteraction::NoPartner,
            LockedInteraction::Group { members: vec![(strong_a, strong_a), (weak_a, weak_a)] },
        ];
        let mut whole = start.clone();
        let mut parts = [CountDelta::default(), CountDelta::default()];
        for (place, report) in reports.iter().enumerate() {
            <Interactions<Table> as CountedSection>::tell(report, &mut whole);
            <Interactions<Table> as CountedSection>::tell(report, &mut parts[place.min(1)]);
        }
        let [mut first, second] = parts;
        first.append(&second);
        let mut taken = start.clone();
        taken.take(&first);
        taken.completed(5);
        assert_eq!((taken.counts(), taken.outputs()), (whole.counts(), whole.outputs()));
        assert_eq!((taken.interactions(), taken.changes(), taken.released()), (3, 2, 5));
        assert!(taken.outputs_agree() && !start.outputs_agree());
        let mut recounted = start.clone();
        recounted.recount(3, 2, whole.counts());
        assert_eq!((recounted.counts(), recounted.outputs()), (whole.counts(), whole.outputs()));
        assert_eq!(recounted.outputs_agree(), whole.outputs_agree());
        assert_eq!((recounted.interactions(), recounted.changes()), (3, 2));
        taken.take(&CountDelta::default());
        assert_eq!((taken.counts(), taken.interactions()), (whole.counts(), 3));
    }
}
