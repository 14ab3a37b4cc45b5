//! [`Ranks`]: processes that run one command together and exchange messages.

use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A process among several that run one command together, numbered from 0.
///
/// There are two kinds of messages, which do not mix:
///
/// - *Mail* is [sent](Self::send) at any time and [taken](Self::receive) when it has arrived.
/// - An [exchange](Self::exchange) is a step that ranks make together.
///
/// Messages from one rank to another keep their order. If a rank ends while another one waits for it, the
/// implementation ends the waiting rank as well: it never waits forever.
///
/// ```
/// use acrasin_process::{LocalRanks, Ranks};
///
/// let ranks = LocalRanks::group(3);
/// let sums: Vec<u64> = std::thread::scope(|scope| {
///     let sum = |ranks: LocalRanks| {
///         let mut values = [ranks.rank() as u64 + 1];
///         ranks.sum(&mut values);
///         values[0]
///     };
///     let threads: Vec<_> = ranks.into_iter().map(|ranks| scope.spawn(move || sum(ranks))).collect();
///     threads.into_iter().map(|thread| thread.join().expect("a sum")).collect()
/// });
/// assert_eq!(sums, [6, 6, 6]);
/// ```
pub trait Ranks: Send + Sync + fmt::Debug {
    /// The number of this process, below [`count`](Self::count).
    fn rank(&self) -> usize;

    /// The number of processes, at least 1.
    fn count(&self) -> usize;

    /// Sends mail, and may wait until the receiver takes it. Ranks that send to each other at the same time can wait
    /// forever, unless they also take mail on another thread.
    fn send(&self, to: usize, message: &[u8]);

    /// Takes mail that has arrived, with the rank of its sender; `None` if there is none.
    fn receive(&self) -> Option<(usize, Vec<u8>)>;

    /// Sends each message to its rank, and returns one message from each rank of `from`, in this order. Each rank is
    /// named at most once in either list, and the ranks named must make matching exchanges. A rank may name itself.
    fn exchange(&self, messages: &[(usize, Vec<u8>)], from: &[usize]) -> Vec<Vec<u8>>;

    /// Replaces each value by its sum over all ranks, modulo 2^64. All ranks must call this with equally many values.
    ///
    /// # Panics
    ///
    /// Panics if another rank has another number of values.
    fn sum(&self, values: &mut [u64]) {
        let bytes = |values: &[u64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let numbers = |message: &[u8]| -> Vec<u64> {
            let (words, rest) = message.as_chunks::<8>();
            assert!(rest.is_empty() && words.len() == values.len(), "a rank has another number of values");
            words.iter().map(|word| u64::from_le_bytes(*word)).collect()
        };
        let all: Vec<usize> = (0..self.count()).collect();
        if self.rank() > 0 {
            self.exchange(&[(0, bytes(values))], &[]);
            let sums = numbers(&self.exchange(&[], &[0])[0]);
            values.copy_from_slice(&sums);
            return;
        }
        let others = self.exchange(&[], &all[1..]);
        let others: Vec<Vec<u64>> = others.iter().map(|message| numbers(message)).collect();
        for other in others {
            for (value, more) in values.iter_mut().zip(other) {
                *value = value.wrapping_add(more);
            }
        }
        let sums: Vec<(usize, Vec<u8>)> = all[1..].iter().map(|&rank| (rank, bytes(values))).collect();
        self.exchange(&sums, &[]);
    }
}

/// Ranks that are threads of this process: for tests, and for programs without MPI.
#[derive(Debug)]
pub struct LocalRanks {
    rank: usize,
    mail: Mutex<Receiver<(usize, Vec<u8>)>>,
    post: Vec<Sender<(usize, Vec<u8>)>>,
    /// The messages of exchanges from each rank.
    arriving: Vec<Mutex<Receiver<Vec<u8>>>>,
    /// The messages of exchanges to each rank.
    leaving: Vec<Sender<Vec<u8>>>,
}

impl LocalRanks {
    /// Creates a group of `count` ranks, ordered by rank.
    ///
    /// # Panics
    ///
    /// Panics if `count` is 0.
    #[must_use]
    pub fn group(count: usize) -> Vec<Self> {
        assert!(count > 0, "a group has at least one rank");
        let (post, mail): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
        let mut arriving: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
        let mut leaving: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
        for from in &mut leaving {
            for to in &mut arriving {
                let (sender, receiver) = channel();
                from.push(sender);
                to.push(Mutex::new(receiver));
            }
        }
        mail.into_iter()
            .zip(arriving.into_iter().zip(leaving))
            .enumerate()
            .map(|(rank, (mail, (arriving, leaving)))| Self {
                rank,
                mail: Mutex::new(mail),
                post: post.clone(),
                arriving,
                leaving,
            })
            .collect()
    }

    /// The only rank of a group of one.
    #[must_use]
    pub fn alone() -> Arc<dyn Ranks> {
        Arc::new(Self::group(1).remove(0))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ranks for LocalRanks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.post.len()
    }

    /// Panics if the receiver has ended.
    fn send(&self, to: usize, message: &[u8]) {
        let sent = self.post[to].send((self.rank, message.to_vec()));
        assert!(sent.is_ok(), "rank {to} has ended");
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        // Never disconnected: each rank keeps a sender to itself.
        locked(&self.mail).try_recv().ok()
    }

    /// Panics if one of the ranks has ended.
    fn exchange(&self, messages: &[(usize, Vec<u8>)], from: &[usize]) -> Vec<Vec<u8>> {
        for (to, message) in messages {
            let sent = self.leaving[*to].send(message.clone());
            assert!(sent.is_ok(), "rank {to} has ended");
        }
        let taken = from.iter().map(|&rank| locked(&self.arriving[rank]).recv());
        taken
            .zip(from)
            .map(|(message, rank)| message.unwrap_or_else(|_| panic!("rank {rank} has ended")))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs one function on each rank of a group, and returns the results by rank.
    fn on_each<R: Send>(count: usize, run: impl Fn(LocalRanks) -> R + Sync) -> Vec<std::thread::Result<R>> {
        std::thread::scope(|scope| {
            let run = &run;
            let ranks = LocalRanks::group(count).into_iter();
            let threads: Vec<_> = ranks.map(|ranks| scope.spawn(move || run(ranks))).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        })
    }

    #[test]
    fn exchanges_are_matched_by_sender_and_order() {
        let ran = on_each(3, |ranks| {
            let (rank, next, last) = (ranks.rank(), (ranks.rank() + 1) % 3, (ranks.rank() + 2) % 3);
            (0..5_u8)
                .map(|step| {
                    let messages = [(next, vec![step, rank as u8]), (rank, vec![9])];
                    ranks.exchange(&messages, &[rank, last])
                })
                .collect::<Vec<_>>()
        });
        for (rank, found) in ran.into_iter().enumerate() {
            let last = (rank as u8 + 2) % 3;
            let expected: Vec<_> = (0..5_u8).map(|step| vec![vec![9], vec![step, last]]).collect();
            assert_eq!(found.unwrap(), expected);
        }
    }

    #[test]
    fn sums_are_those_of_all_ranks_and_wrap() {
        for count in [1, 2, 5] {
            let ran = on_each(count, |ranks| {
                let mut values = [ranks.rank() as u64, u64::MAX, 7];
                ranks.sum(&mut values);
                values
            });
            let n = count as u64;
            let expected = [n * (n - 1) / 2, 0_u64.wrapping_sub(n), 7 * n];
            assert!(ran.into_iter().all(|values| values.unwrap() == expected), "{count}");
        }
    }

    #[test]
    fn mail_keeps_its_order_and_does_not_mix_with_exchanges() {
        let ran = on_each(2, |ranks| {
            if ranks.rank() == 1 {
                ranks.send(0, b"one");
                ranks.exchange(&[(0, b"step".to_vec())], &[]);
                ranks.send(0, b"two");
                return vec![];
            }
            let step = ranks.exchange(&[], &[1]).remove(0);
            let mut found = vec![(9, step)];
            while found.len() < 3 {
                found.extend(ranks.receive());
                std::thread::yield_now();
            }
            found
        });
        let found = ran.into_iter().next().unwrap().unwrap();
        assert_eq!(found, [(9, b"step".to_vec()), (1, b"one".to_vec()), (1, b"two".to_vec())]);
    }

    /// If a rank ends, the ranks that wait for it end too.
    #[test]
    fn a_wait_for_a_rank_that_has_ended_ends() {
        let ran = on_each(2, |ranks| {
            if ranks.rank() == 0 {
                ranks.exchange(&[], &[1]);
            }
        });
        assert!(ran[0].is_err() && ran[1].is_ok());
        let ran = on_each(2, |ranks| ranks.sum(&mut vec![0; 1 + ranks.rank()]));
        assert!(ran.iter().any(Result::is_err), "different numbers of values");
    }
}
