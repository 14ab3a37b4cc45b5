//! Waves in networks with locality: runs tiles in parallel, and in another phase their borders in parallel.

use super::journal::Journal;
use super::neighbourhoods::wrap;
use super::order::{TiledOrder, WavePhase};
use super::tiling::TileRange;
use super::turns::{TurnOffsets, TurnResults, TurnRunner};
use crate::RoundCancellation;
use crate::threads::both;

/// The states to which a tile has exclusive access: the states of consecutive nodes, where the first node of the
/// network follows the last.
enum TileStates<'s, S> {
    Whole(&'s mut [S]),
    Wrapped { end: &'s mut [S], start: &'s mut [S] },
}

/// Splits `states`, counted cyclically from `base`, into parts. `ranges` must be increasing and disjoint.
fn parts<'s, S>(
    states: &'s mut [S],
    base: u32,
    ranges: impl Iterator<Item = std::ops::Range<u64>>,
) -> Vec<TileStates<'s, S>> {
    fn take<'s, S>(from: &mut &'s mut [S], skipped: u64, len: u64) -> &'s mut [S] {
        let (taken, rest) = std::mem::take(from)[skipped as usize..].split_at_mut(len as usize);
        *from = rest;
        taken
    }
    let (mut head, mut tail) = states.split_at_mut(base as usize);
    let turn = tail.len() as u64;
    let mut at = 0;
    let mut cut = |range: std::ops::Range<u64>| {
        let skipped = range.start - at;
        at = range.end;
        if range.end <= turn {
            TileStates::Whole(take(&mut tail, skipped, range.end - range.start))
        } else if range.start >= turn {
            let skipped = skipped - tail.len() as u64;
            tail = &mut [];
            TileStates::Whole(take(&mut head, skipped, range.end - range.start))
        } else {
            let end = take(&mut tail, skipped, turn - range.start);
            TileStates::Wrapped { end, start: take(&mut head, 0, range.end - turn) }
        }
    };
    ranges.map(&mut cut).collect()
}

/// The maximum number of tiles that a thread takes at a time. While the thread runs one of these tiles, it prefetches
/// the states of the next.
const TOGETHER_MAX: usize = 4;
/// The minimum number of shares per thread, so that no thread waits long for another.
const SHARES_A_THREAD: usize = 4;

/// One tiled wave over one network.
pub(super) struct TiledWave<'w, R> {
    pub(super) order: TiledOrder<'w>,
    /// The code that runs the turns.
    pub(super) turns: R,
    /// The number of nodes of the network.
    pub(super) nodes: u32,
    /// The number of threads that share the tiles.
    pub(super) threads: usize,
    /// The cancellation, checked before each tile.
    pub(super) cancellation: &'w RoundCancellation<'w>,
}

impl<R: TurnRunner> TiledWave<'_, R> {
    pub(super) fn run<J: Journal<R::Outcome>>(&self, states: &mut [R::State]) -> TurnResults<J> {
        let mut entered = TurnResults { count: 0, journal: J::default() };
        for phase in self.order.phases {
            entered.append(match phase {
                WavePhase::Far => self.far(states),
                WavePhase::Middles | WavePhase::Borders => self.phase(phase, states),
            });
        }
        entered
    }

    fn far<J: Journal<R::Outcome>>(&self, states: &mut [R::State]) -> TurnResults<J> {
        let far = &self.order.tiling.far;
        if !self.cancellation.begins(far.len() as u64) {
            return TurnResults { count: 0, journal: J::default() };
        }
        let order = self.order.permutation(WavePhase::Far, 0, far.len() as u32);
        self.turns.listed(states, far, &order)
    }

    fn phase<J: Journal<R::Outcome>>(&self, phase: WavePhase, states: &mut [R::State]) -> TurnResults<J> {
        let tiles = self.order.tiling.tiles;
        let ranges = (0..tiles).map(|tile| self.order.range_of(phase, tile).held);
        let mut parts = parts(states, self.order.base(phase), ranges);
        self.some_tiles(phase, 0, &mut parts)
    }

    /// Runs the tiles from `first` on, in two halves in parallel.
    fn some_tiles<J: Journal<R::Outcome>>(
        &self,
        phase: WavePhase,
        first: u32,
        parts: &mut [TileStates<'_, R::State>],
    ) -> TurnResults<J> {
        let tiles = self.order.tiling.tiles as usize;
        let together = (tiles / (SHARES_A_THREAD * self.threads)).clamp(1, TOGETHER_MAX);
        if self.threads > 1 && parts.len() > together {
            let middle = parts.len() / 2;
            let (left, right) = parts.split_at_mut(middle);
            let (mut entered, later) = both(
                || self.some_tiles(phase, first, left),
                || self.some_tiles(phase, first + middle as u32, right),
            );
            entered.append(later);
            return entered;
        }
        let mut entered = TurnResults { count: 0, journal: J::default() };
        let mut rest = parts;
        let mut tile = first;
        while let Some((part, later)) = rest.split_first_mut() {
            let next: &[R::State] = match later.first() {
                Some(TileStates::Whole(states)) => states,
                _ => &[],
            };
            let range = self.order.range_of(phase, tile);
            if !self.cancellation.begins(range.turns.end - range.turns.start) {
                (rest, tile) = (later, tile + 1);
                continue;
            }
            entered.append(match part {
                TileStates::Whole(states) => self.tile(phase, tile, &range, states, next),
                TileStates::Wrapped { end, start } => {
                    // A tile across the end of the network is not one slice, so its states are copied to one and back.
                    let mut states: Vec<R::State> = end.iter().chain(start.iter()).cloned().collect();
                    let entered = self.tile(phase, tile, &range, &mut states, next);
                    for (place, state) in end.iter_mut().chain(start.iter_mut()).zip(states) {
                        *place = state;
                    }
                    entered
                }
            });
            (rest, tile) = (later, tile + 1);
        }
        entered
    }

    fn tile<J: Journal<R::Outcome>>(
        &self,
        phase: WavePhase,
        tile: u32,
        range: &TileRange,
        states: &mut [R::State],
        next: &[R::State],
    ) -> TurnResults<J> {
        let nodes = self.nodes;
        let base = wrap(self.order.base(phase), range.held.start as usize, nodes);
        let offsets = TurnOffsets { base, first: (range.turns.start - range.held.start) as usize, nodes };
        let permutation = self.order.permutation(phase, tile, (range.turns.end - range.turns.start) as u32);
        self.turns.consecutive(states, offsets, &permutation, next)
    }
}
