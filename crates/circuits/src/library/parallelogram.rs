//! Determines in two rounds whether the structure is a parallelogram. A line counts as a parallelogram.
//!
//! The table is for the axis east and the next axis, north-east. For another first axis, turn its directions.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | corner | an amoebot with NE and W beeps to W, one with SW and E beeps to E | whether E or W beeped |
//! | wrong | global beep unless: NW exactly if W and NE; SE exactly if E and SW; E and NE only if E beeped; W and SW only if W beeped | silence: parallelogram |

use super::visit::turned;
use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// The test whether the structure is a parallelogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParallelogramTest {
    /// The label of the first axis, 1 to 6; the second axis is the next one counter-clockwise.
    pub axis: u8,
}

/// The rounds of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParallelogramRound {
    /// Far corners beep to their neighbours.
    Corner,
    /// Amoebots that see a violation beep on the global circuit.
    Wrong,
}

acrasin_runtime::pack_variants!(ParallelogramRound { Corner, Wrong });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ParallelogramMemory {
    is_told: [bool; 2],
    lane: Option<PinSet>,
    /// Whether the structure is a parallelogram; `None` before the end.
    pub is_parallelogram: Option<bool>,
}

acrasin_runtime::pack_fields!(ParallelogramMemory { is_told, lane, is_parallelogram });

impl RoundTable for ParallelogramTest {
    type Memory = ParallelogramMemory;
    type RoundName = ParallelogramRound;

    fn start(&self, _seat: &Seat) -> (ParallelogramMemory, Option<ParallelogramRound>) {
        (ParallelogramMemory::default(), Some(ParallelogramRound::Corner))
    }

    fn name(&self, round: ParallelogramRound) -> &'static str {
        match round {
            ParallelogramRound::Corner => "corner",
            ParallelogramRound::Wrong => "wrong",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Common }
    }

    fn send(
        &self,
        round: ParallelogramRound,
        seat: &Seat,
        memory: &mut ParallelogramMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let label = |by: u8| turned(self.axis, by);
        let [east, north_east, north_west, west, south_west, south_east] =
            [0, 1, 2, 3, 4, 5].map(|by| seat.has(label(by)));
        plan.reset();
        match round {
            ParallelogramRound::Corner => {
                if north_east && west {
                    plan.beep_pin(Pin::head(label(3), 0));
                }
                if south_west && east {
                    plan.beep_pin(Pin::head(label(0), 0));
                }
            }
            ParallelogramRound::Wrong => {
                let lane = plan.lane(0);
                memory.lane = Some(lane);
                let [east_told, west_told] = memory.is_told;
                let is_right = north_west == (west && north_east)
                    && south_east == (east && south_west)
                    && (east_told || !(east && north_east))
                    && (west_told || !(west && south_west));
                if !is_right {
                    plan.beep(lane);
                }
            }
        }
    }

    fn receive(
        &self,
        round: ParallelogramRound,
        seat: &Seat,
        memory: &mut ParallelogramMemory,
        heard: &CircuitView<'_>,
    ) -> Option<ParallelogramRound> {
        match round {
            ParallelogramRound::Corner => {
                memory.is_told = [0, 3].map(|by| heard.pin(Pin::head(turned(self.axis, by), seat.pins - 1)));
                Some(ParallelogramRound::Wrong)
            }
            ParallelogramRound::Wrong => {
                memory.is_parallelogram = Some(!memory.lane.is_some_and(|lane| heard.on(lane)));
                None
            }
        }
    }
}
