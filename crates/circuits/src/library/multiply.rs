//! Multiplication on a chain: a token walks over the bits of a, and b is added and shifted.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | highest | the highest one of a is found | |
//! | token | the holder tells its bit on lane 0 and "go on" on lane 1 | no "go on": end |
//! | add and shift | lane 0: b is added to c if the bit is one; lane 1, split: b moves up by one bit | c, b |
//! | next | lane 0, split: the holder passes the token on unless it has the highest one; lane 1: the top tells a carry | |

use super::add::ChainOperation;
use super::chain::{ChainBit, NumberChain};
use super::compare::{is_highest, send_highest};
use crate::circuit::{BeepPlan, CircuitView};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Multiplication of the two numbers of a chain, modulo 2^m for m bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Multiplication {
    /// The chain and its numbers.
    pub chain: NumberChain,
}

/// The rounds of a multiplication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MultiplicationRound {
    /// The highest one bit of a is found.
    Highest,
    /// The holder of the token reports its bit of a.
    Token,
    /// b is added to the product c if the bit is one, and b moves up by one bit.
    AddAndShift,
    /// The token moves to the next bit.
    Next,
}

acrasin_runtime::pack_variants!(MultiplicationRound { Highest, Token, AddAndShift, Next });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MultiplicationMemory {
    bit: ChainBit,
    /// The amoebot's bit of the product.
    pub result: bool,
    is_highest: bool,
    has_token: bool,
    adds: bool,
    carries: bool,
    /// At the top bit: whether a one bit of b has moved out of the chain.
    is_lost: bool,
    /// Whether the amoebot knows that the true product has more bits. The amoebot with the top bit always knows.
    pub overflow: bool,
}

acrasin_runtime::pack_fields!(MultiplicationMemory {
    bit,
    result,
    is_highest,
    has_token,
    adds,
    carries,
    is_lost,
    overflow
});

impl RoundTable for Multiplication {
    type Memory = MultiplicationMemory;
    type RoundName = MultiplicationRound;

    fn start(&self, seat: &Seat) -> (MultiplicationMemory, Option<MultiplicationRound>) {
        let bit = self.chain.bit(seat);
        let memory = MultiplicationMemory {
            bit,
            result: false,
            is_highest: false,
            has_token: bit.is_lowest(),
            adds: false,
            carries: false,
            is_lost: false,
            overflow: false,
        };
        (memory, Some(MultiplicationRound::Highest))
    }

    fn name(&self, round: MultiplicationRound) -> &'static str {
        match round {
            MultiplicationRound::Highest => "highest",
            MultiplicationRound::Token => "token",
            MultiplicationRound::AddAndShift => "add and shift",
            MultiplicationRound::Next => "next",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: MultiplicationRound,
        _seat: &Seat,
        memory: &mut MultiplicationMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        match round {
            MultiplicationRound::Highest => {
                let has_one = memory.bit.a;
                send_highest(&mut memory.bit, has_one, plan);
            }
            MultiplicationRound::Token => {
                memory.bit.wire([true, true], plan);
                if memory.has_token {
                    if memory.bit.a {
                        memory.bit.beep_inward(0, plan);
                    }
                    memory.bit.beep_inward(1, plan);
                }
            }
            MultiplicationRound::AddAndShift => {
                let (makes, passes) = ChainOperation::Add.makes_and_passes(memory.result, memory.bit.b);
                memory.bit.wire([passes, false], plan);
                if memory.adds && makes {
                    memory.bit.beep_outward(0, plan);
                }
                if memory.bit.b {
                    memory.bit.beep_outward(1, plan);
                }
            }
            MultiplicationRound::Next => {
                memory.bit.wire([false, true], plan);
                if memory.has_token && !memory.is_highest {
                    memory.bit.beep_outward(0, plan);
                }
                if memory.bit.is_top() && memory.carries {
                    memory.bit.beep_inward(1, plan);
                }
            }
        }
    }

    fn receive(
        &self,
        round: MultiplicationRound,
        _seat: &Seat,
        memory: &mut MultiplicationMemory,
        heard: &CircuitView<'_>,
    ) -> Option<MultiplicationRound> {
        let lanes = [0, 1].map(|lane| memory.bit.hears_inward(lane, heard));
        match round {
            MultiplicationRound::Highest => {
                memory.is_highest = is_highest(&memory.bit, memory.bit.a, heard);
                Some(MultiplicationRound::Token)
            }
            MultiplicationRound::Token => {
                memory.adds = lanes[0];
                lanes[1].then_some(MultiplicationRound::AddAndShift)
            }
            MultiplicationRound::AddAndShift => {
                let (makes, passes) = ChainOperation::Add.makes_and_passes(memory.result, memory.bit.b);
                memory.carries = memory.adds && (makes || (passes && lanes[0]));
                if memory.adds {
                    memory.result ^= memory.bit.b ^ lanes[0];
                }
                if memory.bit.is_top() {
                    memory.overflow |= memory.adds && memory.is_lost;
                    memory.is_lost |= memory.bit.b;
                }
                memory.bit.b = lanes[1];
                Some(MultiplicationRound::Next)
            }
            MultiplicationRound::Next => {
                memory.has_token = lanes[0];
                memory.overflow |= lanes[1];
                Some(MultiplicationRound::Token)
            }
        }
    }
}
