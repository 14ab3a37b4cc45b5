//! The order of the turns of a wave.

use super::neighbourhoods::wrap;
use super::permutation::{Permutation, WORDS};
use super::tiling::{TileRange, Tiling};
use crate::draw::{Draws, Purpose, Stream};

/// The number of words of a wave's stream before those of the permutations.
const HEADER: u64 = 2;
/// The index of the word that selects the first tile; the next one orders the phases.
const ORIGIN: u64 = 0;
const PHASES: u64 = 1;

/// A phase of a tiled wave. Within a phase, tiles are independent of each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WavePhase {
    /// The middle of every tile.
    Middles = 0,
    /// Both sides of every border between tiles.
    Borders = 1,
    /// The far nodes, one after another.
    Far = 2,
}

/// The order of all nodes in a wave without tiles: a keyed permutation.
pub(super) fn shuffled(draws: Draws, wave: u64, nodes: u32) -> Permutation {
    Permutation::new(draws.stream(Purpose::Order, wave), HEADER, nodes)
}

/// The order of a tiled wave: by phase, by tile, and by a keyed permutation of the tile's turns.
///
/// The first tile begins at a random unit and the phases come in random order. So all nodes are equally often near a
/// border, and equally often late in the order.
#[derive(Clone, Debug)]
pub(super) struct TiledOrder<'t> {
    pub(super) tiling: &'t Tiling,
    stream: Stream,
    nodes: u32,
    /// The first node of the first tile.
    first: u32,
    pub(super) phases: [WavePhase; 3],
    #[cfg(test)]
    pub(super) fault: Option<super::tests::WaveFault>,
}

impl<'t> TiledOrder<'t> {
    pub(super) fn new(tiling: &'t Tiling, draws: Draws, wave: u64) -> Self {
        use WavePhase::{Borders, Far, Middles};
        const ORDERS: [[WavePhase; 3]; 6] = [
            [Middles, Borders, Far],
            [Middles, Far, Borders],
            [Borders, Middles, Far],
            [Borders, Far, Middles],
            [Far, Middles, Borders],
            [Far, Borders, Middles],
        ];
        let stream = draws.stream(Purpose::Order, wave);
        let below = |word, bound: u32| {
            stream
                .below(word, std::num::NonZeroU32::new(bound).expect("tiles have units, phases have orders"))
        };
        Self {
            tiling,
            stream,
            nodes: tiling.unit * tiling.units,
            first: below(ORIGIN, tiling.units) * tiling.unit,
            phases: ORDERS[below(PHASES, ORDERS.len() as u32) as usize],
            #[cfg(test)]
            fault: None,
        }
    }

    /// The node at which the nodes of a phase start.
    pub(super) fn base(&self, phase: WavePhase) -> u32 {
        match phase {
            WavePhase::Middles | WavePhase::Far => self.first,
            WavePhase::Borders => {
                let back = 2 * self.tiling.reach * self.tiling.unit;
                wrap(self.first, (self.nodes - back) as usize, self.nodes)
            }
        }
    }

    /// The nodes that a tile of a phase holds, and the nodes that have their turns in the tile.
    pub(super) fn range_of(&self, phase: WavePhase, tile: u32) -> TileRange {
        let range = match phase {
            WavePhase::Middles => self.tiling.middle(tile),
            WavePhase::Borders => self.tiling.border(tile),
            WavePhase::Far => unreachable!("far nodes are in no tile"),
        };
        #[cfg(test)]
        let range = match self.fault {
            Some(fault) => fault.of_range(range, phase, tile, self.tiling),
            None => range,
        };
        range
    }

    /// The order of `len` turns of a tile of a phase.
    pub(super) fn permutation(&self, phase: WavePhase, tile: u32, len: u32) -> Permutation {
        let index = phase as u64 * u64::from(self.tiling.tiles) + u64::from(tile);
        Permutation::new(self.stream, HEADER + index * WORDS, len)
    }

    /// All nodes in the order of their turns. The order is computed sequentially from the tiling alone, for the oracle.
    pub(super) fn turns(&self) -> Vec<u32> {
        let mut turns = Vec::with_capacity(self.nodes as usize);
        for phase in self.phases {
            if phase == WavePhase::Far {
                let far = &self.tiling.far;
                let order = self.permutation(phase, 0, far.len() as u32);
                turns.extend(order.elements().map(|i| far[i as usize]));
                continue;
            }
            for tile in 0..self.tiling.tiles {
                let range = match phase {
                    WavePhase::Middles => self.tiling.middle(tile),
                    _ => self.tiling.border(tile),
                };
                let len = (range.turns.end - range.turns.start) as u32;
                let nodes = self.permutation(phase, tile, len);
                let nodes = nodes.elements().map(|turn| {
                    let place = u64::from(self.base(phase)) + range.turns.start + u64::from(turn);
                    (place % u64::from(self.nodes)) as u32
                });
                turns.extend(nodes.filter(|&node| !self.tiling.is_far(node)));
            }
        }
        turns
    }
}
