//! Division with remainder on a chain, by comparing and subtracting shifted copies of b.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | stop | joined; the top beeps if it has a one of b, or the mark of the place | beep: compare |
//! | up | split; the mark of the place on lane 0 and b on lane 1 move up by one bit | |
//! | compare | lane 0 split where a != b; the top beeps downwards unless it differs | the highest difference |
//! | order | it beeps on lane 0 if a >= b; the mark is sent downwards on lane 1 | whether to subtract |
//! | subtract | lane 0 joined where a = b; a = 0, b = 1 beeps; only if a >= b | a - b, the bit of the quotient |
//! | down | lane 0: the place beeps unless it is the lowest; lane 1: b moves down by one bit | silence: end |
//!
//! The source has four rounds per place; the shift up in two rounds is ours. The shift ends when b has a one at the
//! top, so the quotient bits above the highest one of a are zeros. Division by 0 gives a quotient of ones and the
//! remainder a.

use super::add::ChainOperation;
use super::chain::{ChainBit, NumberChain};
use super::compare::{is_highest, send_highest};
use crate::circuit::{BeepPlan, CircuitView};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Division with remainder of the two numbers of a chain: a by b.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// The chain and its numbers.
    pub chain: NumberChain,
}

/// The rounds of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DivisionRound {
    /// Determines whether b has been shifted up far enough.
    Stop,
    /// b moves up by one bit, and so does the mark of the place.
    Up,
    /// The highest bit in which a and b differ is found.
    Compare,
    /// Determines whether a is at least b.
    Order,
    /// Subtracts b from a, if a is at least b.
    Subtract,
    /// b moves down by one bit.
    Down,
}

acrasin_runtime::pack_variants!(DivisionRound { Stop, Up, Compare, Order, Subtract, Down });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivisionMemory {
    bit: ChainBit,
    /// The amoebot's bit of the quotient.
    pub quotient: bool,
    /// The amoebot's bit of the remainder; valid at the end.
    pub remainder: bool,
    /// Whether the quotient's current place is at this amoebot.
    is_place: bool,
    is_next_place: bool,
    is_highest: bool,
    subtracts: bool,
}

acrasin_runtime::pack_fields!(DivisionMemory {
    bit,
    quotient,
    remainder,
    is_place,
    is_next_place,
    is_highest,
    subtracts
});

impl RoundTable for Division {
    type Memory = DivisionMemory;
    type RoundName = DivisionRound;

    fn start(&self, seat: &Seat) -> (DivisionMemory, Option<DivisionRound>) {
        let bit = self.chain.bit(seat);
        let memory = DivisionMemory {
            bit,
            quotient: false,
            remainder: bit.a,
            is_place: bit.is_lowest(),
            is_next_place: false,
            is_highest: false,
            subtracts: false,
        };
        (memory, Some(DivisionRound::Stop))
    }

    fn name(&self, round: DivisionRound) -> &'static str {
        match round {
            DivisionRound::Stop => "stop",
            DivisionRound::Up => "up",
            DivisionRound::Compare => "compare",
            DivisionRound::Order => "order",
            DivisionRound::Subtract => "subtract",
            DivisionRound::Down => "down",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: DivisionRound,
        _seat: &Seat,
        memory: &mut DivisionMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let (a, b) = (memory.remainder, memory.bit.b);
        match round {
            DivisionRound::Stop => {
                memory.bit.wire([true, true], plan);
                if memory.bit.is_top() && (b || memory.is_place) {
                    memory.bit.beep_inward(0, plan);
                }
            }
            DivisionRound::Up => {
                memory.bit.wire([false, false], plan);
                for (lane, moves) in [memory.is_place, b].into_iter().enumerate() {
                    if moves {
                        memory.bit.beep_outward(lane, plan);
                    }
                }
            }
            DivisionRound::Compare => send_highest(&mut memory.bit, a != b, plan),
            DivisionRound::Order => {
                memory.bit.wire([true, false], plan);
                if memory.is_highest && a >= b {
                    memory.bit.beep_inward(0, plan);
                }
                // The neighbour below is the place after this one.
                if memory.is_place {
                    memory.bit.beep_inward(1, plan);
                }
            }
            DivisionRound::Subtract => {
                let (makes, passes) = ChainOperation::Subtract.makes_and_passes(a, b);
                memory.bit.wire([passes, false], plan);
                if memory.subtracts && makes {
                    memory.bit.beep_outward(0, plan);
                }
            }
            DivisionRound::Down => {
                memory.bit.wire([true, false], plan);
                // Silence on lane 0: the place is the lowest bit.
                if memory.is_place && !memory.bit.is_lowest() {
                    memory.bit.beep_inward(0, plan);
                }
                if b {
                    memory.bit.beep_inward(1, plan);
                }
            }
        }
    }

    fn receive(
        &self,
        round: DivisionRound,
        _seat: &Seat,
        memory: &mut DivisionMemory,
        heard: &CircuitView<'_>,
    ) -> Option<DivisionRound> {
        let (a, b) = (memory.remainder, memory.bit.b);
        let inward = [0, 1].map(|lane| memory.bit.hears_inward(lane, heard));
        match round {
            DivisionRound::Stop => Some(if inward[0] { DivisionRound::Compare } else { DivisionRound::Up }),
            DivisionRound::Up => {
                (memory.is_place, memory.bit.b) = (inward[0], inward[1]);
                Some(DivisionRound::Stop)
            }
            DivisionRound::Compare => {
                memory.is_highest = is_highest(&memory.bit, a != b, heard);
                Some(DivisionRound::Order)
            }
            DivisionRound::Order => {
                memory.subtracts = inward[0];
                memory.is_next_place = memory.bit.hears_outward(1, heard);
                Some(DivisionRound::Subtract)
            }
            DivisionRound::Subtract => {
                if memory.subtracts {
                    memory.remainder = a ^ b ^ inward[0];
                }
                memory.quotient |= memory.is_place && memory.subtracts;
                Some(DivisionRound::Down)
            }
            DivisionRound::Down => {
                memory.bit.b = memory.bit.hears_outward(1, heard);
                memory.is_place = memory.is_next_place;
                inward[0].then_some(DivisionRound::Compare)
            }
        }
    }
}
