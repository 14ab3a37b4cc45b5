//! The changes of the topology, step by step.

use std::num::NonZeroU32;

use super::ContactTrace;

/// The changes of the topology of a trace in steps of a fixed length.
///
/// Step `k`, from 1 to [`steps`](Self::steps), is the interval `(begin + (k - 1) · length, begin + k · length]`. Two
/// nodes are adjacent in a step if they are in contact at any time during it, so that even short contacts count. Before
/// the first step and after the last no nodes are adjacent. A change at step `k` is a difference between steps `k - 1`
/// and `k`. Contacts that last until the end of the trace end at step `steps + 1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContactSchedule {
    steps: u64,
    length: NonZeroU32,
    begin: i64,
    /// The steps with changes, increasing, each with the indices of its first end and its first beginning. A sentinel
    /// follows the last one.
    changes: Vec<(u64, u32, u32)>,
    ends: Vec<(u32, u32)>,
    begins: Vec<(u32, u32)>,
}

/// The changes at one step. Apply the ends first, then the beginnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepChanges<'s> {
    /// The step at whose start the changes happen.
    pub step: u64,
    /// Pairs that were adjacent in the previous step and no longer are, smaller node first, increasing.
    pub ends: &'s [(u32, u32)],
    /// Pairs that are adjacent now and were not in the previous step, smaller node first, increasing.
    pub begins: &'s [(u32, u32)],
}

impl ContactSchedule {
    /// Creates the schedule of a trace in steps of `length` seconds. O(contacts log contacts).
    #[must_use]
    pub fn new(trace: &ContactTrace, length: NonZeroU32) -> Self {
        let seconds = u64::from(length.get());
        let since_begin = |time: i64| time.abs_diff(trace.begin());
        let mut active: Vec<(u32, u32, u64, u64)> = trace
            .contacts()
            .iter()
            .map(|contact| {
                let first = since_begin(contact.start) / seconds + 1;
                (contact.a, contact.b, first, since_begin(contact.end).div_ceil(seconds))
            })
            .collect();
        active.sort_unstable();
        // Contacts of a pair less than a step apart are one adjacency.
        active.dedup_by(|next, kept| {
            let joined = (next.0, next.1) == (kept.0, kept.1) && next.2 <= kept.3 + 1;
            if joined {
                kept.3 = kept.3.max(next.3);
            }
            joined
        });
        let mut begins: Vec<(u64, u32, u32)> = active.iter().map(|&(a, b, first, _)| (first, a, b)).collect();
        let mut ends: Vec<(u64, u32, u32)> = active.iter().map(|&(a, b, _, last)| (last + 1, a, b)).collect();
        begins.sort_unstable();
        ends.sort_unstable();
        let mut changed: Vec<u64> = begins.iter().chain(&ends).map(|&(step, ..)| step).collect();
        changed.sort_unstable();
        changed.dedup();
        let (mut first_end, mut first_begin) = (0, 0);
        let mut changes = Vec::with_capacity(changed.len() + 1);
        for step in changed {
            changes.push((step, first_end as u32, first_begin as u32));
            first_end += ends[first_end..].iter().take_while(|end| end.0 == step).count();
            first_begin += begins[first_begin..].iter().take_while(|begin| begin.0 == step).count();
        }
        changes.push((u64::MAX, ends.len() as u32, begins.len() as u32));
        let pairs = |list: Vec<(u64, u32, u32)>| list.into_iter().map(|(_, a, b)| (a, b)).collect();
        let steps = since_begin(trace.end()).div_ceil(seconds);
        Self { steps, length, begin: trace.begin(), changes, ends: pairs(ends), begins: pairs(begins) }
    }

    /// The number of steps, at least 1.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The time at the end of a step, in seconds.
    ///
    /// # Panics
    ///
    /// Panics if the step is above `steps + 1`.
    #[must_use]
    pub fn time(&self, step: u64) -> i64 {
        assert!(step <= self.steps + 1, "step {step} of {}", self.steps);
        self.begin + (step * u64::from(self.length.get())) as i64
    }

    /// The changes at a step; empty for steps outside the schedule. O(log steps).
    #[must_use]
    pub fn at(&self, step: u64) -> StepChanges<'_> {
        let known = &self.changes[..self.changes.len() - 1];
        match known.binary_search_by_key(&step, |change| change.0) {
            Ok(at) => self.nth(at),
            Err(_) => StepChanges { step, ends: &[], begins: &[] },
        }
    }

    /// The steps with changes, in order. O(changes) in total.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = StepChanges<'_>> {
        (0..self.changes.len() - 1).map(|at| self.nth(at))
    }

    /// The number of times a pair becomes adjacent.
    #[must_use]
    pub fn begins(&self) -> usize {
        self.begins.len()
    }

    fn nth(&self, at: usize) -> StepChanges<'_> {
        let ((step, end, begin), (_, next_end, next_begin)) = (self.changes[at], self.changes[at + 1]);
        StepChanges {
            step,
            ends: &self.ends[end as usize..next_end as usize],
            begins: &self.begins[begin as usize..next_begin as usize],
        }
    }
}

impl ContactTrace {
    /// The changes of the topology in steps of the trace's resolution.
    #[must_use]
    pub fn schedule(&self) -> ContactSchedule {
        ContactSchedule::new(self, self.resolution())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::trace::{TraceOptions, intervals};

    fn seconds(length: u32) -> NonZeroU32 {
        NonZeroU32::new(length).unwrap()
    }

    #[test]
    fn a_short_contact_is_not_lost_and_ends_come_before_beginnings() {
        let options = TraceOptions::strict(seconds(10));
        let trace = intervals::parse("0 10 0 1\n11 12 0 2\n14 19 0 2\n20 25 0 1\n", "f", &options).unwrap();
        let schedule = trace.schedule();
        let list: Vec<StepChanges<'_>> = schedule.iter().collect();
        assert_eq!(
            list,
            [
                StepChanges { step: 1, ends: &[], begins: &[(0, 1)] },
                StepChanges { step: 2, ends: &[(0, 1)], begins: &[(0, 2)] },
                StepChanges { step: 3, ends: &[(0, 2)], begins: &[(0, 1)] },
                StepChanges { step: 4, ends: &[(0, 1)], begins: &[] },
            ]
        );
        assert_eq!((schedule.steps(), schedule.begins()), (3, 3));
        assert_eq!((schedule.time(0), schedule.time(3)), (0, 30));
        assert!(schedule.at(0).begins.is_empty() && schedule.at(u64::MAX).ends.is_empty());
    }

    proptest! {
        /// Applying the changes gives, for every step, the pairs in contact at some second of it.
        #[test]
        fn applying_the_changes_gives_the_contacts_of_each_step(
            lines in prop::collection::vec((-20i64..60, 1i64..15, 0u32..5, 0u32..5), 1..40),
            length in 1u32..12,
        ) {
            let text: String = lines
                .iter()
                .filter(|(_, _, a, b)| a != b)
                .map(|(start, lasts, a, b)| format!("{start} {} n{a} n{b}\n", start + lasts))
                .collect();
            prop_assume!(!text.is_empty());
            let options =
                TraceOptions { sort: true, merge: true, ..TraceOptions::strict(seconds(length)) };
            let trace = intervals::parse(&text, "f", &options).unwrap();
            let schedule = trace.schedule();
            let mut adjacent = BTreeSet::new();
            for step in 1..=schedule.steps() + 1 {
                let changes = schedule.at(step);
                for pair in changes.ends {
                    prop_assert!(adjacent.remove(pair));
                }
                for pair in changes.begins {
                    prop_assert!(adjacent.insert(*pair));
                }
                let (from, to) = (schedule.time(step - 1), schedule.time(step));
                let expected: BTreeSet<(u32, u32)> = trace
                    .contacts()
                    .iter()
                    .filter(|contact| (from + 1..=to).any(|t| contact.start < t && t <= contact.end))
                    .map(|contact| (contact.a, contact.b))
                    .collect();
                prop_assert_eq!(&adjacent, &expected);
            }
            prop_assert!(adjacent.is_empty());
        }
    }
}
