//! Skeletons of the next epochs, drawn ahead: by other threads of the pool while this one evaluates the epochs before.
//!
//! Which epochs are drawn ahead, and where, changes nothing: each has its own stream. What turns out to be of no use,
//! since the next epoch has another length, is thrown away.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use rayon::Yield;

use super::skeleton::{Skeleton, Wanted};

/// So many used ones are left alone.
const LEFT: usize = 2;

/// Skeletons in the order of their epochs: those that are ready, and those that are ordered.
#[derive(Default, Debug)]
pub(super) struct Ahead {
    ready: VecDeque<Skeleton>,
    orders: VecDeque<Order>,
    /// Used ones, whose memory is used again: that of the oldest, which has left the cache of the thread that used it.
    spare: VecDeque<Skeleton>,
}

/// Epochs one after the other, all of the length of the first.
#[derive(Debug)]
struct Order {
    first: Wanted,
    count: usize,
    /// A receiver is of one thread at a time; it is only asked by the thread that owns it, so this never waits.
    drawn: Mutex<Receiver<Vec<Skeleton>>>,
}

/// A copy draws its own.
impl Clone for Ahead {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Ahead {
    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.spare.extend(self.ready.drain(..));
        self.orders.clear();
    }

    /// The number of skeletons that are ready or ordered.
    pub(super) fn len(&self) -> usize {
        self.ready.len() + self.orders.iter().map(|order| order.count).sum::<usize>()
    }

    /// The skeleton of the next epoch: drawn ahead, or now. If the first of all is another one, all are forgotten.
    pub(super) fn next(&mut self, wanted: Wanted) -> Skeleton {
        let first = self.ready.front().map(|skeleton| skeleton.wanted);
        if first.or(self.orders.front().map(|order| order.first)) != Some(wanted) {
            self.clear();
        }
        if self.ready.is_empty()
            && let Some(order) = self.orders.pop_front()
        {
            self.ready.extend(order.wait());
        }
        self.ready.pop_front().unwrap_or_else(|| {
            let mut skeleton = self.spare.pop_front().unwrap_or_default();
            skeleton.draw(wanted);
            skeleton
        })
    }

    /// Takes back what was used.
    pub(super) fn give_back(&mut self, skeleton: Skeleton) {
        self.spare.push_back(skeleton);
    }

    /// Orders so many more, from `first` on, which comes after all that there are.
    pub(super) fn order(&mut self, first: Wanted, count: usize) {
        let used = self.spare.len().saturating_sub(LEFT).min(count);
        let mut skeletons: Vec<_> = self.spare.drain(..used).collect();
        skeletons.resize_with(count, Skeleton::default);
        let (sender, drawn) = sync_channel(1);
        rayon::spawn(move || {
            for (number, skeleton) in (first.number..).zip(&mut skeletons) {
                skeleton.draw(Wanted { number, ..first });
            }
            // No thread waits for it any more if it is of no use.
            let _ = sender.send(skeletons);
        });
        self.orders.push_back(Order { first, count, drawn: Mutex::new(drawn) });
    }
}

impl Order {
    /// Draws it, or does other work of the pool, until it is drawn.
    fn wait(self) -> Vec<Skeleton> {
        let drawn = self.drawn.into_inner().expect("no other thread holds it");
        loop {
            match drawn.try_recv() {
                Ok(skeletons) => return skeletons,
                Err(TryRecvError::Disconnected) => unreachable!("an order is carried out"),
                Err(TryRecvError::Empty) => match rayon::yield_now() {
                    Some(Yield::Executed) => {}
                    Some(Yield::Idle) => std::thread::yield_now(),
                    // Not a thread of the pool: that has threads of its own for it.
                    None => return drawn.recv().expect("an order is carried out"),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::skeleton::{Skeleton, Wanted};
    use super::Ahead;

    fn drawn(wanted: Wanted) -> Skeleton {
        let mut skeleton = Skeleton::default();
        skeleton.draw(wanted);
        skeleton
    }

    /// Skeletons of the memory of others, drawn on several threads, are those that are drawn alone; those of another
    /// epoch, length or run are not taken for them.
    #[test]
    fn a_skeleton_is_the_one_that_is_wanted_wherever_it_was_drawn() {
        let first = Wanted { seed: 3, agents: 1_000_000, number: 5, interactions: 4000 };
        let run = || {
            let mut ahead = Ahead::default();
            ahead.give_back(drawn(Wanted { number: 77, interactions: 9000, ..first }));
            for number in [5, 9, 13, 17] {
                ahead.order(Wanted { number, ..first }, 4);
            }
            for number in 5..15 {
                let wanted = Wanted { number, ..first };
                let skeleton = ahead.next(wanted);
                assert!(skeleton == drawn(wanted), "{number}");
                assert!(skeleton != drawn(Wanted { seed: 4, ..wanted }), "{number}");
                assert_eq!(skeleton.pairs + skeleton.steps.len() as u64, 4000);
                ahead.give_back(skeleton);
            }
            assert_eq!(ahead.len(), 6);
            assert_eq!(ahead.clone().len(), 0);
            let shorter = Wanted { number: 15, interactions: 3999, ..first };
            assert!(ahead.next(shorter) == drawn(shorter));
            assert_eq!(ahead.len(), 0);
            // An order that comes after others were used up.
            ahead.order(first, 1);
            assert!(ahead.next(first) == drawn(first));
        };
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(run);
        }
        run();
    }
}
