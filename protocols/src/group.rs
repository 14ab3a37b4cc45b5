//! The interaction of all members of a locked set at once.

use acrasin_runtime::choice::{Choices, Decision, pick_index};

/// The joint interaction of a locked set, in a form that a table can store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum GroupRule {
    /// The holder of the lock meets every other member once, as initiator, in uniformly random order.
    #[default]
    EachOnce,
    /// Every agent takes the highest state, in the order of the states.
    Maximum,
    /// States are loads, given by their numbers: the members share the sum of their loads as equally as whole numbers
    /// allow. The members that take one unit more are drawn uniformly.
    Mean,
}

impl GroupRule {
    /// All rules, each with its name.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::EachOnce, "EachOnce"), (Self::Maximum, "Maximum"), (Self::Mean, "Mean")];
}

/// Every agent takes the largest state. Makes no choice.
pub fn take_maximum<S: Copy + Ord>(own: &mut S, others: &mut [S]) {
    let largest = others.iter().copied().fold(*own, S::max);
    *own = largest;
    others.fill(largest);
}

/// The members share the sum of their loads: each takes the mean rounded down, and the members of a uniformly random
/// subset take one unit of the remainder each. The sum is conserved.
///
/// Makes at most one choice for [`Decision::Order`] per member; none if the mean is a whole number.
///
/// # Panics
///
/// Panics if the number of members does not fit in 32 bits.
pub fn share_equally(own: &mut u16, others: &mut [u16], choices: &mut dyn Choices) {
    let members = others.len() + 1;
    let sum = others.iter().fold(usize::from(*own), |sum, &load| sum + usize::from(load));
    let floor = u16::try_from(sum / members).expect("a mean is at most the largest load");
    let mut extra = sum % members;
    let all = std::iter::once(own).chain(others.iter_mut());
    for (seen, load) in all.enumerate() {
        // Selection sampling (Knuth, volume 2, 3.4.2 S): uniform over the subsets of the wanted size.
        let left = members - seen;
        let takes_one = extra > 0
            && (extra == left
                || pick_index(choices, left, Decision::Order).is_some_and(|place| place < extra));
        extra -= usize::from(takes_one);
        *load = floor + u16::from(takes_one);
    }
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::choice::{Recorded, Scripted, Seeded};

    use super::*;
    use crate::protocol::Protocol;

    /// A protocol that records meetings: the responder's state is appended as a digit to the state of the initiator.
    struct Diary;

    impl Protocol for Diary {
        type State = u32;
        type Output = u32;
        fn transition(&self, initiator: u32, responder: u32) -> (u32, u32) {
            (initiator * 10 + responder, responder)
        }
        fn output(&self, state: u32) -> u32 {
            state
        }
    }

    /// A generator that prefers small numbers.
    struct Low(Seeded);

    impl Choices for Low {
        fn pick(&mut self, bound: std::num::NonZeroU32, why: Decision) -> u32 {
            self.0.pick(bound, why).min(self.0.pick(bound, why))
        }
    }

    /// Whether all counts are within 4.5 standard deviations of `expected` = trials * probability.
    fn all_near(counts: &[u32], expected: f64, probability: f64) -> bool {
        let deviation = (expected * (1.0 - probability)).sqrt();
        counts.iter().all(|&count| (f64::from(count) - expected).abs() < 4.5 * deviation)
    }

    fn counts_of_orders(choices: &mut dyn Choices) -> Vec<u32> {
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut own = 0;
            Diary.group(&mut own, &mut [1, 2, 3], choices);
            *seen.entry(own).or_insert(0) += 1;
        }
        assert_eq!(seen.keys().copied().collect::<Vec<_>>(), [123, 132, 213, 231, 312, 321]);
        seen.into_values().collect()
    }

    #[test]
    fn each_member_is_met_once_in_every_order_equally_often() {
        assert!(all_near(&counts_of_orders(&mut Seeded::new(3)), 1000.0, 1.0 / 6.0));
        assert!(!all_near(&counts_of_orders(&mut Low(Seeded::new(3))), 1000.0, 1.0 / 6.0));
    }

    #[test]
    fn the_order_follows_the_choices() {
        for (script, expected) in [([0, 0], 123), ([2, 0], 321), ([1, 1], 231)] {
            let mut own = 0;
            let mut choices = Scripted::new(&script);
            Diary.group(&mut own, &mut [1, 2, 3], &mut choices);
            assert_eq!((own, choices.fault()), (expected, None));
        }
    }

    #[test]
    fn a_group_of_one_chooses_nothing() {
        let mut choices = Recorded::new(Seeded::new(1));
        let mut own = 7;
        Diary.group(&mut own, &mut [], &mut choices);
        share_equally(&mut 7, &mut [], &mut choices);
        assert_eq!(own, 7);
        assert_eq!(choices.picks().len(), 0);
    }

    fn counts_of_extras(choices: &mut dyn Choices) -> Vec<u32> {
        let mut extra_at = vec![0; 4];
        for _ in 0..4000 {
            let (mut own, mut others) = (10, [0, 3, 1]);
            share_equally(&mut own, &mut others, choices);
            let all = [own, others[0], others[1], others[2]];
            assert_eq!(all.iter().sum::<u16>(), 14);
            for (place, load) in all.into_iter().enumerate() {
                assert!((3..=4).contains(&load));
                extra_at[place] += u32::from(load == 4);
            }
        }
        extra_at
    }

    #[test]
    fn sharing_keeps_the_sum_and_is_fair() {
        assert!(all_near(&counts_of_extras(&mut Seeded::new(11)), 2000.0, 0.5));
        assert!(!all_near(&counts_of_extras(&mut Low(Seeded::new(11))), 2000.0, 0.5));
    }

    #[test]
    fn the_largest_loads_do_not_overflow() {
        let (mut own, mut others) = (u16::MAX, [u16::MAX; 1000]);
        share_equally(&mut own, &mut others, &mut Seeded::new(1));
        assert!(others.iter().all(|&load| load == u16::MAX) && own == u16::MAX);
    }

    #[test]
    fn the_maximum_reaches_every_agent() {
        let (mut own, mut others) = (2_u16, [0, 5, 1]);
        take_maximum(&mut own, &mut others);
        assert_eq!((own, others), (5, [5, 5, 5]));
    }
}
