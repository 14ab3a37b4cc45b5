//! Skeletons of the next epochs, drawn ahead: on the other threads of the pool while this one evaluates the epochs before.
//!
//! Which epochs are drawn ahead, and where, changes nothing: each has its own stream. What turns out to be of no use, since the
//! next epoch has another length, is thrown away.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::skeleton::{Skeleton, Wanted};

/// Skeletons in the order of their epochs.
#[derive(Clone, Debug, Default)]
pub(super) struct Ahead {
    ready: VecDeque<Skeleton>,
    /// Used ones, whose memory is used again.
    spare: Vec<Skeleton>,
}

impl Ahead {
    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.spare.extend(self.ready.drain(..));
    }

    pub(super) fn len(&self) -> usize {
        self.ready.len()
    }

    /// Forgets all of them, unless the first is this one.
    pub(super) fn keep(&mut self, wanted: Wanted) {
        if self.ready.front().is_none_or(|skeleton| skeleton.wanted != wanted) {
            self.clear();
        }
    }

    /// The skeleton of the next epoch: drawn ahead, or now.
    pub(super) fn next(&mut self, wanted: Wanted) -> Skeleton {
        self.keep(wanted);
        if let Some(skeleton) = self.ready.pop_front() {
            return skeleton;
        }
        let mut skeleton = self.spare.pop().unwrap_or_default();
        skeleton.draw(wanted);
        skeleton
    }

    /// Takes back what was used.
    pub(super) fn give_back(&mut self, skeleton: Skeleton) {
        self.spare.push(skeleton);
    }

    /// So many to be drawn.
    pub(super) fn blank(&mut self, count: usize) -> Vec<Skeleton> {
        let kept = self.spare.len().saturating_sub(count);
        let mut blank = self.spare.split_off(kept);
        blank.resize_with(count, Skeleton::default);
        blank
    }

    /// Adds those of the epochs that come after the ones that are ready.
    pub(super) fn add(&mut self, skeletons: Vec<Skeleton>) {
        self.ready.extend(skeletons);
    }
}

/// Draws one epoch after the other from `first` on, all of its length, on the threads of the pool.
pub(super) fn draw_all(skeletons: &mut [Skeleton], first: Wanted) {
    skeletons.par_iter_mut().enumerate().for_each(|(place, skeleton)| {
        skeleton.draw(Wanted { number: first.number + place as u64, ..first });
    });
}

#[cfg(test)]
mod tests {
    use super::super::skeleton::{Skeleton, Wanted};
    use super::{Ahead, draw_all};

    fn drawn(wanted: Wanted) -> Skeleton {
        let mut skeleton = Skeleton::default();
        skeleton.draw(wanted);
        skeleton
    }

    /// Skeletons of the memory of others, drawn on several threads, are those that are drawn alone; those of another epoch, length
    /// or run are not taken for them.
    #[test]
    fn a_skeleton_is_the_one_that_is_wanted_wherever_it_was_drawn() {
        let first = Wanted { seed: 3, agents: 1_000_000, number: 5, interactions: 4000 };
        let mut ahead = Ahead::default();
        ahead.give_back(drawn(Wanted { number: 77, interactions: 9000, ..first }));
        let mut blank = ahead.blank(20);
        draw_all(&mut blank, first);
        ahead.add(blank);
        for number in 5..15 {
            let wanted = Wanted { number, ..first };
            let skeleton = ahead.next(wanted);
            assert!(skeleton == drawn(wanted), "{number}");
            assert!(skeleton != drawn(Wanted { seed: 4, ..wanted }), "{number}");
            assert_eq!(skeleton.pairs + skeleton.steps.len() as u64, 4000);
            ahead.give_back(skeleton);
        }
        assert_eq!(ahead.len(), 10);
        let shorter = Wanted { number: 15, interactions: 3999, ..first };
        assert!(ahead.next(shorter) == drawn(shorter));
        assert_eq!(ahead.len(), 0);
    }
}
