//! Binary consensus in one round.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | value | beep on the lane of the own value | 1 if lane 1 was heard |

use crate::circuit::{BeepPlan, CircuitView, Pin};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Consensus on one bit: the result is 1 if some amoebot starts with 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Consensus {
    /// The value of each amoebot at the start, in the order of their numbers.
    pub values: Vec<bool>,
}

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConsensusMemory {
    /// The value at the start.
    pub value: bool,
    /// The decision; `None` before the end.
    pub decision: Option<bool>,
}

acrasin_runtime::pack_fields!(ConsensusMemory { value, decision });

impl RoundTable for Consensus {
    type Memory = ConsensusMemory;
    type RoundName = ();

    fn start(&self, seat: &Seat) -> (ConsensusMemory, Option<()>) {
        let value = self.values.get(seat.number as usize).copied().unwrap_or(false);
        (ConsensusMemory { value, decision: None }, Some(()))
    }

    fn name(&self, (): ()) -> &'static str {
        "value"
    }

    fn demands(&self) -> Demands {
        Demands { pins: 3, frame: FrameDemand::Any }
    }

    fn send(
        &self,
        (): (),
        _seat: &Seat,
        memory: &mut ConsensusMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        plan.reset();
        let lanes = [0, 1].map(|lane| plan.lane(lane));
        plan.beep(lanes[usize::from(memory.value)]);
    }

    fn receive(
        &self,
        (): (),
        _seat: &Seat,
        memory: &mut ConsensusMemory,
        heard: &CircuitView<'_>,
    ) -> Option<()> {
        memory.decision = Some(heard.pin(Pin::head(1, 1)));
        None
    }
}
