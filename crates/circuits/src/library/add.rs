//! Addition and subtraction on a chain: one round for the result, and one round for the overflow.
//!
//! | round | add | subtract |
//! |---|---|---|
//! | carry, borrow | lane 0 joined where a != b; a = b = 1 beeps outwards | joined where a = b; a = 0, b = 1 beeps |
//! | overflow | all joined; the top beeps if it carries | the same: a < b |
//!
//! The result is a xor b xor c, where c is 1 if a beep was received from the lower bit.

use super::chain::{ChainBit, NumberChain};
use crate::circuit::{BeepPlan, CircuitView};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// The operation on the numbers of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainOperation {
    /// a + b modulo 2^m.
    Add,
    /// a - b modulo 2^m.
    Subtract,
}

/// Addition or subtraction of the two numbers of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addition {
    /// The chain and its numbers.
    pub chain: NumberChain,
    /// Whether to add or subtract.
    pub operation: ChainOperation,
}

/// The rounds of an addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdditionRound {
    /// Carries or borrows travel along the chain.
    Carry,
    /// The amoebot with the top bit reports whether there is an overflow.
    Overflow,
}

acrasin_runtime::pack_variants!(AdditionRound { Carry, Overflow });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdditionMemory {
    bit: ChainBit,
    /// The amoebot's bit of the result.
    pub result: bool,
    carries: bool,
    /// Whether the exact result has more bits than the chain, or is negative.
    pub overflow: bool,
}

acrasin_runtime::pack_fields!(AdditionMemory { bit, result, carries, overflow });

impl ChainOperation {
    /// Whether an amoebot with these bits generates a carry or borrow, and whether it passes one on.
    pub(super) fn makes_and_passes(self, a: bool, b: bool) -> (bool, bool) {
        match self {
            Self::Add => (a && b, a != b),
            Self::Subtract => (!a && b, a == b),
        }
    }
}

impl RoundTable for Addition {
    type Memory = AdditionMemory;
    type RoundName = AdditionRound;

    fn start(&self, seat: &Seat) -> (AdditionMemory, Option<AdditionRound>) {
        let bit = self.chain.bit(seat);
        (AdditionMemory { bit, result: false, carries: false, overflow: false }, Some(AdditionRound::Carry))
    }

    fn name(&self, round: AdditionRound) -> &'static str {
        match (round, self.operation) {
            (AdditionRound::Carry, ChainOperation::Add) => "carry",
            (AdditionRound::Carry, ChainOperation::Subtract) => "borrow",
            (AdditionRound::Overflow, _) => "overflow",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: AdditionRound,
        _seat: &Seat,
        memory: &mut AdditionMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        match round {
            AdditionRound::Carry => {
                let (makes, passes) = self.operation.makes_and_passes(memory.bit.a, memory.bit.b);
                memory.bit.wire([passes, false], plan);
                if makes {
                    memory.bit.beep_outward(0, plan);
                }
            }
            AdditionRound::Overflow => {
                memory.bit.wire([true, true], plan);
                if memory.bit.is_top() && memory.carries {
                    memory.bit.beep_inward(0, plan);
                }
            }
        }
    }

    fn receive(
        &self,
        round: AdditionRound,
        _seat: &Seat,
        memory: &mut AdditionMemory,
        heard: &CircuitView<'_>,
    ) -> Option<AdditionRound> {
        let heard = memory.bit.hears_inward(0, heard);
        match round {
            AdditionRound::Carry => {
                let (makes, passes) = self.operation.makes_and_passes(memory.bit.a, memory.bit.b);
                memory.result = memory.bit.a ^ memory.bit.b ^ heard;
                memory.carries = makes || (passes && heard);
                Some(AdditionRound::Overflow)
            }
            AdditionRound::Overflow => {
                memory.overflow = heard;
                None
            }
        }
    }
}
