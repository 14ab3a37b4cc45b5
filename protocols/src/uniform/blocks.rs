//! Blocks of pairs: the next interactions on an array, drawn before any state is read.
//!
//! Pairs do not depend on states, so another thread of the pool can draw blocks while the evaluating thread works on
//! earlier blocks. This does not change the run, because the random streams determine each block.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};

use acrasin_engine::prefetch;

use super::draws::RandomDraws;
use super::meetings::{BLOCK, LANES, Meetings, draw_block};

/// The number of agents from which other threads draw blocks and skeletons of epochs in advance.
pub(super) const SHARED_FROM: usize = 1 << 18;

/// The number of blocks that a thread hands over together, as a group.
const GROUP: usize = 16;
/// The maximum number of waiting groups. A drawing thread that sleeps at this limit wakes up before the evaluating
/// thread has used all groups.
const WAITING: usize = 6;

/// The number of groups that the evaluating thread uses before the drawing thread has started.
const RESERVE: usize = 2;

/// The minimum number of remaining blocks for which another thread is started to draw them.
const WORTHWHILE: u64 = 4 * GROUP as u64;

/// The number of pairs in a cache line.
const LINE: usize = 8;

/// Whether other threads draw the blocks of a population of this size.
pub(super) fn are_shared(agents: usize) -> bool {
    agents >= SHARED_FROM && rayon::current_num_threads() > 1
}

type Streams = [RandomDraws; LANES];

/// A block that was drawn in advance.
#[derive(Clone, Debug)]
struct DrawnBlock {
    pairs: Vec<[u32; 2]>,
    /// The random streams before and after drawing this block.
    before: Streams,
    after: Streams,
}

/// The block in use, and the following ones.
#[derive(Debug)]
pub(super) struct Blocks {
    now: Vec<[u32; 2]>,
    used: usize,
    ready: VecDeque<DrawnBlock>,
    /// Used blocks, whose memory will be reused.
    spare: Vec<DrawnBlock>,
    /// The connection to a drawing thread. The lock makes the owner `Sync`, and no two threads compete for it. `None`
    /// if no thread draws blocks.
    feed: Option<Mutex<Feed>>,
}

impl Clone for Blocks {
    /// The clone draws the pairs again that were drawn in advance.
    fn clone(&self) -> Self {
        Self { now: self.now.clone(), used: self.used, ..Self::new() }
    }
}

/// The connection to a drawing thread.
#[derive(Debug)]
struct Feed {
    drawn: Receiver<Vec<DrawnBlock>>,
    used: Sender<Vec<DrawnBlock>>,
    /// Whether a thread has started to draw the following blocks.
    has_begun: Arc<AtomicBool>,
}

impl Blocks {
    pub(super) fn new() -> Self {
        let now = Vec::with_capacity(BLOCK);
        Self { now, used: 0, ready: VecDeque::new(), spare: Vec::new(), feed: None }
    }

    /// The pairs that were drawn and have not interacted yet.
    pub(super) fn pending(&self) -> &[[u32; 2]] {
        &self.now[self.used..]
    }

    /// Starts with these pairs, which were drawn elsewhere.
    pub(super) fn set_pending(&mut self, pairs: &[[u32; 2]]) {
        self.now.clear();
        self.now.extend_from_slice(pairs);
        self.used = 0;
    }

    /// Whether all drawn pairs have been used, so that [`refill`](Self::refill) must be called before the next one.
    #[inline]
    pub(super) fn begins(&self) -> bool {
        self.used == self.now.len()
    }

    /// The next pairs of the block, at most `most`.
    #[inline]
    pub(super) fn next(&mut self, most: u64) -> &[[u32; 2]] {
        let from = self.used;
        self.used += (self.now.len() - from).min(usize::try_from(most).unwrap_or(usize::MAX));
        &self.now[from..self.used]
    }

    /// Takes back the last `pairs` pairs of the previous call of [`next`](Self::next), which have not interacted.
    pub(super) fn give_back(&mut self, pairs: usize) {
        self.used -= pairs;
    }

    /// Moves to the next block, which was drawn in advance or is drawn now.
    #[inline(never)]
    pub(super) fn refill(&mut self, meetings: &Meetings, agents: u64, draws: &mut Streams) {
        self.used = 0;
        if self.ready.is_empty() {
            self.receive();
        }
        let Some(mut drawn) = self.ready.pop_front() else {
            return draw_block(meetings, agents, &mut self.now, draws);
        };
        if drawn.before != *draws {
            // The streams have advanced elsewhere, so the drawn blocks are invalid.
            self.spare.push(drawn);
            self.spare.extend(self.ready.drain(..));
            return draw_block(meetings, agents, &mut self.now, draws);
        }
        draws.clone_from(&drawn.after);
        std::mem::swap(&mut self.now, &mut drawn.pairs);
        self.spare.push(drawn);
        // The pairs are still in the cache of the thread that drew them.
        if let Some(next) = self.ready.front() {
            (0..next.pairs.len()).step_by(LINE).for_each(|pair| prefetch(&next.pairs, pair));
        }
    }

    /// Takes the blocks that another thread has drawn. Waits for that thread if it has started; otherwise prevents it
    /// from starting.
    fn receive(&mut self) {
        let Some(feed) = self.feed.as_mut().map(of_mutex) else { return };
        let used = self.spare.split_off(self.spare.len().saturating_sub(GROUP));
        // A thread that has finished needs no memory.
        let _ = feed.used.send(used);
        let drawn = match feed.drawn.try_recv() {
            Ok(drawn) => Some(drawn),
            Err(_) if !feed.has_begun.swap(true, Ordering::Relaxed) => None,
            Err(_) => feed.drawn.recv().ok(),
        };
        match drawn {
            Some(drawn) => self.ready.extend(drawn),
            None => self.feed = None,
        }
    }

    /// Calls `evaluate`, which makes this many interactions. Meanwhile another thread draws the blocks for these
    /// interactions, and some for the beginning of the next call.
    pub(super) fn fed(
        &mut self,
        interactions: u64,
        meetings: &Meetings,
        agents: u64,
        draws: &mut Streams,
        evaluate: impl FnOnce(&mut Self, &mut Streams),
    ) {
        let needed = interactions.saturating_sub(self.pending().len() as u64).div_ceil(BLOCK as u64);
        if needed < WORTHWHILE {
            return evaluate(self, draws);
        }
        if self.ready.front().is_none_or(|drawn| drawn.before != *draws) {
            self.spare.extend(self.ready.drain(..));
            let mut first = blank(std::mem::take(&mut self.spare), RESERVE * GROUP);
            draw_all(&mut first, meetings, agents, &mut draws.clone());
            self.ready.extend(first);
        }
        let mut streams = self.ready.back().expect("a reserve").after.clone();
        let groups =
            (needed - self.ready.len().min(needed as usize) as u64).div_ceil(GROUP as u64) + RESERVE as u64;
        let (to_here, drawn) = mpsc::sync_channel(WAITING);
        let (used, mut memory) = mpsc::channel();
        for _ in 0..self.spare.len() / GROUP {
            let _ = used.send(self.spare.split_off(self.spare.len() - GROUP));
        }
        let has_begun = Arc::new(AtomicBool::new(false));
        self.feed = Some(Mutex::new(Feed { drawn, used, has_begun: Arc::clone(&has_begun) }));
        let fed = Fed(self);
        let source = &mut memory;
        rayon::in_place_scope(move |scope| {
            scope.spawn(move |_| {
                if has_begun.swap(true, Ordering::Relaxed) {
                    return;
                }
                for _ in 0..groups {
                    let mut group = blank(source.try_recv().unwrap_or_default(), GROUP);
                    draw_all(&mut group, meetings, agents, &mut streams);
                    if to_here.send(group).is_err() {
                        return;
                    }
                }
            });
            evaluate(&mut *fed.0, draws);
            if let Some(mut feed) = fed.0.feed.take() {
                let feed = of_mutex(&mut feed);
                // A thread that has not begun no longer will. If it has, the rest of its groups starts the next call.
                if feed.has_begun.swap(true, Ordering::Relaxed) {
                    fed.0.ready.extend(feed.drawn.iter().flatten());
                }
            }
        });
        self.spare.extend(memory.try_iter().flatten());
    }
}

/// A guard that stops the drawing thread on drop, also if the evaluating thread panics.
struct Fed<'a>(&'a mut Blocks);

impl Drop for Fed<'_> {
    fn drop(&mut self) {
        self.0.feed = None;
    }
}

fn of_mutex(feed: &mut Mutex<Feed>) -> &mut Feed {
    feed.get_mut().expect("no thread has panicked with the lock")
}

/// Returns `count` blocks to be drawn. Reuses the blocks in `memory` first.
fn blank(mut memory: Vec<DrawnBlock>, count: usize) -> Vec<DrawnBlock> {
    let streams: Streams = std::array::from_fn(|_| RandomDraws::from_state(1).expect("an odd number"));
    memory.resize_with(count, || DrawnBlock {
        pairs: Vec::with_capacity(BLOCK),
        before: streams.clone(),
        after: streams.clone(),
    });
    memory
}

/// Draws consecutive blocks, each with the streams before and after it.
fn draw_all(blocks: &mut [DrawnBlock], meetings: &Meetings, agents: u64, draws: &mut Streams) {
    for block in blocks {
        block.before.clone_from(draws);
        draw_block(meetings, agents, &mut block.pairs, draws);
        block.after.clone_from(draws);
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::StreamPurpose;
    use super::*;

    const AGENTS: u64 = 1_000_000;

    fn streams(seed: u64) -> Streams {
        std::array::from_fn(|lane| RandomDraws::new(seed, StreamPurpose::Pairs, lane as u64))
    }

    /// The next pairs one after another, `stride` at a time.
    fn pairs(blocks: &mut Blocks, draws: &mut Streams, stride: u64, number: usize) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        while pairs.len() < number {
            if blocks.begins() {
                blocks.refill(&Meetings::All, AGENTS, draws);
            }
            pairs.extend_from_slice(blocks.next(stride));
        }
        pairs
    }

    /// Blocks that were drawn in advance equal those drawn alone and leave the streams in the same state, with or
    /// without a second thread. They are discarded if the streams have advanced elsewhere.
    #[test]
    fn a_block_is_the_one_that_is_wanted_wherever_it_was_drawn() {
        let on_threads = |threads: usize| {
            let (mut alone, mut ahead) = (Blocks::new(), Blocks::new());
            let (mut left, mut right) = (streams(1), streams(1));
            for part in [WORTHWHILE, 1, 7 * WORTHWHILE, WORTHWHILE + 1] {
                let number = part as usize * BLOCK;
                ahead.fed(number as u64, &Meetings::All, AGENTS, &mut right, |blocks, draws| {
                    let theirs = pairs(blocks, draws, 512, number);
                    assert!(theirs == pairs(&mut alone, &mut left, 512, number), "{threads} threads");
                });
                assert!(left == right);
            }
            let kept = ahead.ready.len();
            let (mut left, mut right) = (streams(2), streams(2));
            let elsewhere = pairs(&mut ahead, &mut right, 1024, 2048);
            assert!(elsewhere == pairs(&mut Blocks::new(), &mut left, 1024, 2048));
            assert!(left == right && left != streams(2));
            (kept, ahead.ready.len())
        };
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (kept, left) = pool.install(|| on_threads(threads));
            // Alone there is nothing left to begin with, or what another thread drew.
            assert!(kept <= (RESERVE + 1) * GROUP && left == 0, "{threads} threads: {kept} and {left}");
        }
    }
}
