//! Skeletons of the next epochs, which other threads of the pool draw in advance while the evaluating thread works on
//! earlier epochs.
//!
//! Drawing in advance does not change the run, because each epoch has its own random stream. A skeleton is discarded if
//! the next epoch needs another length.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use rayon::Yield;

use super::skeleton::{Skeleton, Wanted};

/// The number of the latest used skeletons whose memory is not reused yet.
const LEFT: usize = 2;

/// Skeletons in the order of their epochs: first the finished skeletons, then those that other threads are still
/// drawing.
#[derive(Default, Debug)]
pub(super) struct Ahead {
    ready: VecDeque<Skeleton>,
    orders: VecDeque<EpochOrder>,
    /// Used skeletons, whose memory will be reused. The oldest is reused first, since it has left the cache of the
    /// thread that used it.
    spare: VecDeque<Skeleton>,
}

/// A request for the skeletons of consecutive epochs; all epochs have the length of the first.
#[derive(Debug)]
struct EpochOrder {
    first: Wanted,
    count: usize,
    /// The receiver of the drawn skeletons. The lock makes the owner `Sync`; only the owning thread takes it, so it
    /// never waits.
    drawn: Mutex<Receiver<Vec<Skeleton>>>,
}

/// The clone starts without skeletons and draws its own.
impl Clone for Ahead {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Ahead {
    /// Discards all skeletons and requests.
    pub(super) fn clear(&mut self) {
        self.spare.extend(self.ready.drain(..));
        self.orders.clear();
    }

    /// The number of skeletons that are ready or requested.
    pub(super) fn len(&self) -> usize {
        self.ready.len() + self.orders.iter().map(|order| order.count).sum::<usize>()
    }

    /// The skeleton of the next epoch, drawn in advance or now. If the first stored skeleton is not the wanted one, all
    /// stored skeletons are discarded.
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

    /// Takes back a used skeleton, to reuse its memory.
    pub(super) fn give_back(&mut self, skeleton: Skeleton) {
        self.spare.push_back(skeleton);
    }

    /// Orders `count` more skeletons, starting with `first`, which must follow all skeletons that are ready or
    /// requested.
    pub(super) fn order(&mut self, first: Wanted, count: usize) {
        let used = self.spare.len().saturating_sub(LEFT).min(count);
        let mut skeletons: Vec<_> = self.spare.drain(..used).collect();
        skeletons.resize_with(count, Skeleton::default);
        let (sender, drawn) = sync_channel(1);
        rayon::spawn(move || {
            for (number, skeleton) in (first.number..).zip(&mut skeletons) {
                skeleton.draw(Wanted { number, ..first });
            }
            // The receiver is gone if the order was discarded.
            let _ = sender.send(skeletons);
        });
        self.orders.push_back(EpochOrder { first, count, drawn: Mutex::new(drawn) });
    }
}

impl EpochOrder {
    /// Waits until the skeletons are drawn. Meanwhile the thread does other work of the pool, possibly this drawing
    /// itself.
    fn wait(self) -> Vec<Skeleton> {
        let drawn = self.drawn.into_inner().expect("no other thread holds it");
        loop {
            match drawn.try_recv() {
                Ok(skeletons) => return skeletons,
                Err(TryRecvError::Disconnected) => unreachable!("an order is carried out"),
                Err(TryRecvError::Empty) => match rayon::yield_now() {
                    Some(Yield::Executed) => {}
                    Some(Yield::Idle) => std::thread::yield_now(),
                    // Not a thread of the pool: the pool's own threads draw it.
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

    /// A skeleton does not depend on reused memory or on the thread that draws it. A skeleton of another epoch, length
    /// or run is rejected.
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
