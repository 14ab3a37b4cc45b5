//! Faulty variants of waves, and the checks that detect them.

use super::order::WavePhase;
use super::tiling::{TileRange, Tiling};
use super::workload::{SpreadTask, random_cells};
use super::{Cost, TaskWaves, WaveScheme, replay};
use crate::draw::Draws;
use crate::network::{Lattice, LatticeKind};

/// A deliberate fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WaveFault {
    /// The nodes at one border have no turn.
    MissingBorder,
    /// The nodes of the row next to one border have two turns: in the tile and at the border.
    RowTwice,
    /// The middle of one tile begins one row too early.
    WideMiddle,
    /// In a batch, the node that is later in the order wins.
    LaterWins,
    /// Competitions ignore the last neighbour of each node.
    BlindRounds,
}

impl WaveFault {
    pub(super) fn of_range(
        self,
        mut range: TileRange,
        phase: WavePhase,
        tile: u32,
        tiling: &Tiling,
    ) -> TileRange {
        let unit = u64::from(tiling.unit);
        match (self, phase, tile) {
            (Self::MissingBorder, WavePhase::Borders, 1) => range.turns.end = range.turns.start,
            (Self::RowTwice, WavePhase::Borders, 1) => {
                range.held.start -= unit;
                range.turns.start -= unit;
            }
            (Self::WideMiddle, WavePhase::Middles, 1) => range.turns.start -= unit,
            _ => {}
        }
        range
    }

    pub(super) fn positions(
        fault: Option<Self>,
        positions: impl DoubleEndedIterator<Item = u32> + 'static,
    ) -> Box<dyn Iterator<Item = u32>> {
        if fault == Some(Self::LaterWins) { Box::new(positions.rev()) } else { Box::new(positions) }
    }
}

const DRAWS: u64 = 9;

/// Whether ten waves with this fault end in the states of the oracle.
fn equals_the_oracle(scheme: WaveScheme, fault: Option<WaveFault>, checks: bool) -> bool {
    let torus = Lattice::new(LatticeKind::Square, 31, 40).unwrap();
    let mut states: Vec<u64> = random_cells(Draws::new(DRAWS), 31 * 40);
    let mut expected = states.clone();
    let mut waves = TaskWaves::new(torus, Draws::new(DRAWS))
        .with_tiles_of(31 * 8)
        .with_scheme(scheme)
        .unwrap()
        .with_cost(Cost::Expensive)
        .with_pool_from(0)
        .with_checks(checks);
    waves.fault = fault;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for wave in 0..10 {
        pool.install(|| waves.run(wave, &SpreadTask::new(), &mut states));
        let turns = waves.turns(wave);
        replay::<_, _, ()>(&torus, waves.draws(), wave, &turns, &SpreadTask::new(), &mut expected);
    }
    states == expected
}

#[test]
fn the_oracle_notices_wrong_orders() {
    for scheme in [WaveScheme::Tiles, WaveScheme::PerNode, WaveScheme::Hashed] {
        assert!(equals_the_oracle(scheme, None, true), "{scheme:?}");
        assert!(equals_the_oracle(scheme, None, false), "{scheme:?}");
    }
    assert!(!equals_the_oracle(WaveScheme::Tiles, Some(WaveFault::MissingBorder), false));
    assert!(!equals_the_oracle(WaveScheme::Tiles, Some(WaveFault::RowTwice), false));
    assert!(!equals_the_oracle(WaveScheme::PerNode, Some(WaveFault::LaterWins), false));
    assert!(!equals_the_oracle(WaveScheme::Hashed, Some(WaveFault::LaterWins), false));
}

#[test]
#[should_panic(expected = "has no turn")]
fn the_check_notices_a_border_without_turns() {
    equals_the_oracle(WaveScheme::Tiles, Some(WaveFault::MissingBorder), true);
}

#[test]
#[should_panic(expected = "has its turn twice")]
fn the_check_notices_a_row_that_has_its_turn_twice() {
    equals_the_oracle(WaveScheme::Tiles, Some(WaveFault::RowTwice), true);
}

#[test]
#[should_panic(expected = "enter at the same time, and both hold")]
fn the_check_notices_tiles_that_overlap() {
    equals_the_oracle(WaveScheme::Tiles, Some(WaveFault::WideMiddle), true);
}

#[test]
#[should_panic(expected = "enter at the same time, and both hold")]
fn the_check_notices_rounds_that_overlap() {
    equals_the_oracle(WaveScheme::PerNode, Some(WaveFault::BlindRounds), true);
}

#[test]
#[should_panic(expected = "does not have 31 others on each side")]
fn without_the_check_a_tile_that_overlaps_cannot_reach_what_it_has_not() {
    equals_the_oracle(WaveScheme::Tiles, Some(WaveFault::WideMiddle), false);
}
