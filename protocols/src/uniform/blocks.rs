//! Blocks of pairs: who interacts next on an array, drawn before anybody's state is looked at.
//!
//! What is drawn does not depend on states, so another thread of the pool may draw while this one lets the pairs before interact.
//! Which blocks are drawn ahead, and where, changes nothing: each is what the streams give at its place.

use std::collections::VecDeque;

use acrasin_engine::prefetch;

use super::array::{FAR, LANES, Meetings};
use super::draws::Draws;

/// Pairs that are drawn before any of them interacts: draws do not wait for states, nor states for each other.
pub(super) const BLOCK: usize = 1024;

/// From so many agents on blocks are drawn ahead, and how many at a time: a megabyte, half a millisecond of work.
const SHARED_FROM: usize = 1 << 18;
const BATCH: usize = 128;

/// Pairs of a cache line.
const LINE: usize = 8;

/// Whether blocks of so many agents are drawn by other threads.
pub(super) fn are_shared(agents: usize) -> bool {
    agents >= SHARED_FROM && rayon::current_num_threads() > 1
}

type Streams = [Draws; LANES];

/// A block that was drawn ahead.
#[derive(Clone, Debug)]
struct Drawn {
    pairs: Vec<[u32; 2]>,
    /// The streams before and after it.
    before: Streams,
    after: Streams,
}

/// The block that is used, and those that come after it.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    now: Vec<[u32; 2]>,
    used: usize,
    ready: VecDeque<Drawn>,
    /// Used ones, whose memory is used again.
    spare: Vec<Drawn>,
}

impl Blocks {
    pub(super) fn new() -> Self {
        Self { now: Vec::with_capacity(BLOCK), used: 0, ready: VecDeque::new(), spare: Vec::new() }
    }

    /// The pairs that were drawn and have not interacted yet.
    pub(super) fn pending(&self) -> &[[u32; 2]] {
        &self.now[self.used..]
    }

    /// Begins with these pairs, which were drawn elsewhere.
    pub(super) fn set_pending(&mut self, pairs: &[[u32; 2]]) {
        self.now.clear();
        self.now.extend_from_slice(pairs);
        self.used = 0;
    }

    /// How many pairs can interact until one has to be drawn.
    pub(super) fn at_hand(&self) -> u64 {
        (self.pending().len() + self.ready.len() * BLOCK) as u64
    }

    /// Whether the next pair is the first of a block, which is to be [filled](Self::refill).
    #[inline]
    pub(super) fn begins(&self) -> bool {
        self.used == self.now.len()
    }

    /// Some of the next pairs of the block, at most so many.
    #[inline]
    pub(super) fn next(&mut self, most: u64) -> &[[u32; 2]] {
        let from = self.used;
        self.used += (self.now.len() - from).min(usize::try_from(most).unwrap_or(usize::MAX));
        &self.now[from..self.used]
    }

    /// That many of the pairs which were given last have not interacted.
    pub(super) fn give_back(&mut self, pairs: usize) {
        self.used -= pairs;
    }

    /// The next block: drawn ahead, or now.
    #[inline(never)]
    pub(super) fn refill(&mut self, meetings: &Meetings, agents: u64, draws: &mut Streams) {
        self.used = 0;
        if let Some(mut drawn) = self.ready.pop_front() {
            if drawn.before == *draws {
                draws.clone_from(&drawn.after);
                std::mem::swap(&mut self.now, &mut drawn.pairs);
                self.spare.push(drawn);
                // They are in the cache of the thread that drew them.
                if let Some(next) = self.ready.front() {
                    (0..next.pairs.len()).step_by(LINE).for_each(|pair| prefetch(&next.pairs, pair));
                }
                return;
            }
            // The streams went on elsewhere.
            self.spare.push(drawn);
            self.spare.extend(self.ready.drain(..));
        }
        draw_block(meetings, agents, &mut self.now, draws);
    }

    /// Calls `evaluate`, which is to use what is at hand, while another thread draws the blocks after it.
    pub(super) fn with_more(
        &mut self,
        meetings: &Meetings,
        agents: u64,
        draws: &mut Streams,
        evaluate: impl FnOnce(&mut Self, &mut Streams),
    ) {
        if self.ready.front().is_some_and(|drawn| drawn.before != *draws) {
            self.spare.extend(self.ready.drain(..));
        }
        let start = self.ready.back().map_or_else(|| draws.clone(), |last| last.after.clone());
        let mut more = self.blank(BATCH);
        if self.ready.is_empty() {
            draw_all(&mut more, meetings, agents, &start);
        } else {
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| draw_all(&mut more, meetings, agents, &start));
                evaluate(self, draws);
            });
        }
        self.ready.extend(more);
    }

    fn blank(&mut self, count: usize) -> Vec<Drawn> {
        let streams: Streams = std::array::from_fn(|_| Draws::from_state(1).expect("an odd number"));
        let kept = self.spare.len().saturating_sub(count);
        let mut blank = self.spare.split_off(kept);
        blank.resize_with(count, || Drawn {
            pairs: Vec::with_capacity(BLOCK),
            before: streams.clone(),
            after: streams.clone(),
        });
        blank
    }
}

/// Draws one block after the other.
fn draw_all(blocks: &mut [Drawn], meetings: &Meetings, agents: u64, start: &Streams) {
    let mut draws = start.clone();
    for block in blocks {
        block.before.clone_from(&draws);
        draw_block(meetings, agents, &mut block.pairs, &mut draws);
        block.after.clone_from(&draws);
    }
}

/// Draws a block of pairs, without a look at states.
fn draw_block(meetings: &Meetings, agents: u64, block: &mut Vec<[u32; 2]>, draws: &mut [Draws; LANES]) {
    match meetings {
        Meetings::Everybody => {
            // One word a pair: the upper part of its product with n is the initiator, that of what is left with
            // n - 1 the responder among the others; what is left then says whether the word is one of the few that
            // would make the law uneven.
            let n = agents;
            let uneven = n.wrapping_mul(n - 1).wrapping_neg() % n.wrapping_mul(n - 1);
            fill(block, draws, |draws| {
                loop {
                    let word = u128::from(draws.word()) * u128::from(n);
                    let rest = u128::from(word as u64) * u128::from(n - 1);
                    if rest as u64 >= uneven {
                        let (initiator, other) = ((word >> 64) as u32, (rest >> 64) as u32);
                        return [initiator, other + u32::from(other >= initiator)];
                    }
                }
            });
        }
        Meetings::Edges(edges) => {
            let edges = &edges[..];
            fill_edges(block, draws, edges.len() as u64);
            if std::mem::size_of_val(edges) >= FAR {
                for &[edge, _] in &*block {
                    prefetch(edges, edge as usize);
                }
            }
            find_ends(block, |edge| edges[edge as usize]);
        }
        Meetings::Torus(numbers) => {
            fill_edges(block, draws, numbers.shape().edge_count());
            find_ends(block, |edge| numbers.ends(edge));
        }
    }
}

/// Fills a block from all lanes in turn.
#[inline]
fn fill(block: &mut Vec<[u32; 2]>, draws: &mut [Draws; LANES], pair: impl Fn(&mut Draws) -> [u32; 2]) {
    block.clear();
    // Copies, so that all lanes stay in registers.
    let [mut first, mut second, mut third, mut fourth] = draws.clone();
    for _ in 0..BLOCK / LANES {
        block.extend_from_slice(&[pair(&mut first), pair(&mut second), pair(&mut third), pair(&mut fourth)]);
    }
    *draws = [first, second, third, fourth];
}

/// Fills a block with the numbers of edges, each with a direction.
#[inline]
fn fill_edges(block: &mut Vec<[u32; 2]>, draws: &mut [Draws; LANES], edges: u64) {
    // The last bit is the direction.
    fill(block, draws, |draws| {
        let drawn = draws.below(2 * edges);
        [(drawn >> 1) as u32, (drawn & 1) as u32]
    });
}

/// Puts the ends of edges in their places, which so do not wait for draws.
#[inline]
fn find_ends(block: &mut [[u32; 2]], ends: impl Fn(u32) -> [u32; 2]) {
    for pair in block {
        let [edge, direction] = *pair;
        let [u, v] = ends(edge);
        // Without a branch: nobody can foresee a direction.
        let other_way = (u ^ v) & direction.wrapping_neg();
        *pair = [u ^ other_way, v ^ other_way];
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::Purpose;
    use super::*;

    const AGENTS: u64 = 1_000_000;

    fn streams(seed: u64) -> Streams {
        std::array::from_fn(|lane| Draws::new(seed, Purpose::Pairs, lane as u64))
    }

    /// The next pairs one after another, `stride` at a time.
    fn pairs(blocks: &mut Blocks, draws: &mut Streams, stride: u64, number: usize) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        while pairs.len() < number {
            if blocks.begins() {
                blocks.refill(&Meetings::Everybody, AGENTS, draws);
            }
            pairs.extend_from_slice(blocks.next(stride));
        }
        pairs
    }

    /// Blocks that were drawn ahead are those that are drawn alone, and leave the streams where those do; after the streams went
    /// on elsewhere they are not taken.
    #[test]
    fn a_block_is_the_one_that_is_wanted_wherever_it_was_drawn() {
        let (mut alone, mut ahead) = (Blocks::new(), Blocks::new());
        let (mut left, mut right) = (streams(1), streams(1));
        for part in 0..3 {
            ahead.with_more(&Meetings::Everybody, AGENTS, &mut right, |blocks, draws| {
                assert_eq!(part > 0, blocks.at_hand() >= (BATCH * BLOCK) as u64);
                assert!(pairs(blocks, draws, 512, 4096) == pairs(&mut alone, &mut left, 512, 4096));
            });
            assert!(part == 0 || left == right);
        }
        assert!(ahead.at_hand() > 0);
        let (mut left, mut right) = (streams(2), streams(2));
        assert!(
            pairs(&mut ahead, &mut right, 1024, 2048) == pairs(&mut Blocks::new(), &mut left, 1024, 2048)
        );
        assert!(left == right && left != streams(2));
        assert_eq!(ahead.at_hand(), 0);
    }
}
