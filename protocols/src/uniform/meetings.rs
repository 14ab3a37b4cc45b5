//! [`Meetings`]: the pairs that may interact, and draws of pairs, which do not depend on states.

use std::sync::Arc;

use acrasin_engine::{Pages, prefetch};

use super::draws::RandomDraws;
use super::torus_shape::EdgeNumbers;

/// The number of pairs that are drawn before any of them interacts. Draws then need not wait for states, and reads of
/// states need not wait for each other.
pub(super) const BLOCK: usize = 1024;

/// The number of random streams from which a block is drawn in turn, so that a draw need not wait for the previous one.
pub(super) const LANES: usize = 4;

/// The size of the states in bytes from which the cache lines of a block are prefetched before its first pair is
/// evaluated.
pub(super) const FAR: usize = 1 << 20;

/// The pairs of agents that may interact.
#[derive(Clone, Debug)]
pub(super) enum Meetings {
    /// All pairs of agents.
    All,
    /// The ends of a uniformly random edge, in a uniformly random direction. Populations on one graph share its edges.
    Edges(Arc<Pages<[u32; 2]>>),
    /// The edges of a torus, computed from their numbers.
    Torus(EdgeNumbers),
}

impl Meetings {
    /// Meetings along these edges. The list is moved in pieces, so that it is never stored twice as a whole.
    pub(super) fn along(mut edges: Vec<[u32; 2]>) -> Self {
        /// The number of edges of a piece: 32 MiB.
        const PIECE: usize = 1 << 22;
        let mut pages = Pages::zeroed(edges.len());
        while !edges.is_empty() {
            let from = (edges.len() - 1) / PIECE * PIECE;
            pages[from..edges.len()].copy_from_slice(&edges[from..]);
            edges.truncate(from);
            edges.shrink_to_fit();
        }
        Self::Edges(Arc::new(pages))
    }
}

/// Draws a block of pairs without reading states.
pub(super) fn draw_block(
    meetings: &Meetings,
    agents: u64,
    block: &mut Vec<[u32; 2]>,
    draws: &mut [RandomDraws; LANES],
) {
    match meetings {
        Meetings::All => {
            // One word per pair. The upper part of its product with n is the initiator. The lower part times n - 1
            // gives the responder among the others in the same way. The rest decides whether the word is one of the few
            // that would make the law uneven.
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

/// Fills a block from all random streams in turn.
#[inline]
fn fill(
    block: &mut Vec<[u32; 2]>,
    draws: &mut [RandomDraws; LANES],
    pair: impl Fn(&mut RandomDraws) -> [u32; 2],
) {
    block.clear();
    // Copies, so that all lanes stay in registers.
    let [mut first, mut second, mut third, mut fourth] = draws.clone();
    for _ in 0..BLOCK / LANES {
        block.extend_from_slice(&[pair(&mut first), pair(&mut second), pair(&mut third), pair(&mut fourth)]);
    }
    *draws = [first, second, third, fourth];
}

/// Fills a block with edge numbers, each with a direction.
#[inline]
fn fill_edges(block: &mut Vec<[u32; 2]>, draws: &mut [RandomDraws; LANES], edges: u64) {
    // The last bit is the direction.
    fill(block, draws, |draws| {
        let drawn = draws.below(2 * edges);
        [(drawn >> 1) as u32, (drawn & 1) as u32]
    });
}

/// Replaces edge numbers by the ends of the edges, in a separate pass, so that reads of edges need not wait for draws.
#[inline]
fn find_ends(block: &mut [[u32; 2]], ends: impl Fn(u32) -> [u32; 2]) {
    for pair in block {
        let [edge, direction] = *pair;
        let [u, v] = ends(edge);
        // Without a branch, since a random direction cannot be predicted.
        let other_way = (u ^ v) & direction.wrapping_neg();
        *pair = [u ^ other_way, v ^ other_way];
    }
}
