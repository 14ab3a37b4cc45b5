//! The highest one bit of a number, and the order of two numbers on a chain.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | compare | split at ones (of a xor b); the top beeps downwards unless it has a one | an amoebot that hears the beep and has a one, or is the lowest, is the highest |
//! | order | the highest beeps on lane 0 (>), lane 1 (<), or both (=) | the order |

use super::chain::{ChainBit, NumberChain};
use crate::circuit::{BeepPlan, CircuitView};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// The comparison of the two numbers of a chain, or only the search for the highest one bit of a xor b.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainComparison {
    /// The chain and its numbers.
    pub chain: NumberChain,
    /// Whether to end after the highest one bit is found. With b = 0 this is the highest one bit of a.
    pub highest_only: bool,
}

/// The rounds of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainComparisonRound {
    /// The highest one bit is found.
    Highest,
    /// The amoebot with the highest one bit reports the order.
    Order,
}

acrasin_runtime::pack_variants!(ChainComparisonRound { Highest, Order });

/// The order of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainOrder {
    /// a < b
    Less,
    /// a = b
    Equal,
    /// a > b
    Greater,
}

acrasin_runtime::pack_variants!(ChainOrder { Less, Equal, Greater });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChainComparisonMemory {
    bit: ChainBit,
    /// Whether the amoebot has the highest one bit, or has the lowest bit and there is no one bit.
    pub is_highest: bool,
    /// The order; `None` before the end.
    pub order: Option<ChainOrder>,
}

acrasin_runtime::pack_fields!(ChainComparisonMemory { bit, is_highest, order });

/// Sends in the round that finds the highest one bit on lane 0.
pub(super) fn send_highest(bit: &mut ChainBit, has_one: bool, plan: &mut BeepPlan<'_>) {
    bit.wire([!has_one, false], plan);
    if bit.is_top() && !has_one {
        bit.beep_inward(0, plan);
    }
}

/// Whether the amoebot has the highest one bit, or has the lowest bit and there is no one bit.
pub(super) fn is_highest(bit: &ChainBit, has_one: bool, heard: &CircuitView<'_>) -> bool {
    if bit.is_top() && has_one {
        return true;
    }
    (has_one || bit.is_lowest()) && bit.hears_outward(0, heard)
}

impl RoundTable for ChainComparison {
    type Memory = ChainComparisonMemory;
    type RoundName = ChainComparisonRound;

    fn start(&self, seat: &Seat) -> (ChainComparisonMemory, Option<ChainComparisonRound>) {
        let bit = self.chain.bit(seat);
        (ChainComparisonMemory { bit, is_highest: false, order: None }, Some(ChainComparisonRound::Highest))
    }

    fn name(&self, round: ChainComparisonRound) -> &'static str {
        match round {
            ChainComparisonRound::Highest if self.highest_only => "highest",
            ChainComparisonRound::Highest => "compare",
            ChainComparisonRound::Order => "order",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: ChainComparisonRound,
        _seat: &Seat,
        memory: &mut ChainComparisonMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let (a, b) = (memory.bit.a, memory.bit.b);
        match round {
            ChainComparisonRound::Highest => send_highest(&mut memory.bit, a != b, plan),
            ChainComparisonRound::Order => {
                memory.bit.wire([true, true], plan);
                if memory.is_highest {
                    if a >= b {
                        memory.bit.beep_inward(0, plan);
                    }
                    if a <= b {
                        memory.bit.beep_inward(1, plan);
                    }
                }
            }
        }
    }

    fn receive(
        &self,
        round: ChainComparisonRound,
        _seat: &Seat,
        memory: &mut ChainComparisonMemory,
        heard: &CircuitView<'_>,
    ) -> Option<ChainComparisonRound> {
        match round {
            ChainComparisonRound::Highest => {
                memory.is_highest = is_highest(&memory.bit, memory.bit.a != memory.bit.b, heard);
                (!self.highest_only).then_some(ChainComparisonRound::Order)
            }
            ChainComparisonRound::Order => {
                let lanes = [0, 1].map(|lane| memory.bit.hears_inward(lane, heard));
                memory.order = match lanes {
                    [true, true] => Some(ChainOrder::Equal),
                    [true, false] => Some(ChainOrder::Greater),
                    [false, true] => Some(ChainOrder::Less),
                    [false, false] => None,
                };
                None
            }
        }
    }
}
