//! Compass alignment by regions, under a common chirality (Feldmann, Padalkin, Scheideler, Dolev 2022, restated).
//!
//! A region is a maximal connected set of amoebots that give the same direction the label 1. The rounds heads, tails
//! and tell are those of [chirality agreement](super::CircuitChirality), where a beep on pin 0 arrives at pin `c - 1`.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | label, 3 times | bit b of the own label - 1 of each edge on pin 0 | the neighbour's bit on pin `c - 1` |
//! | foreign | with a foreign neighbour: beep in the region | silence: end |
//! | heads, tails | candidates toss | result |
//! | tell | unless the result is tails: beep towards foreign neighbours | which neighbours beeped |
//! | offset, 5 times | result tails: beep if a neighbour that beeped has offset k | the first k: the direction called 1 - k becomes label 1; resign |
//!
//! The offset of a neighbour is its label of the common edge, plus 3, minus the amoebot's own label of this edge,
//! modulo 6.

use acrasin_amoebot::Orientation;

use super::chirality::{Region, RegionToss};
use super::visit::turned;
use crate::circuit::{BeepPlan, CircuitView, Pin};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Agreement on which direction has label 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitCompass;

/// The rounds of compass alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompassRound {
    /// Neighbours exchange one bit of their labels: bit 0, 1 or 2.
    Label(u8),
    /// Regions determine whether they have neighbours in other regions.
    Foreign,
    /// Candidates toss coins; candidates with heads beep on the circuit of their region.
    Heads,
    /// Candidates with tails beep on the circuit of their region.
    Tails,
    /// Regions whose result is not tails beep to the neighbouring regions.
    Tell,
    /// Regions whose result is tails test an offset, 1 to 5, of the neighbours that beeped.
    Offset(u8),
}

acrasin_runtime::pack_variants!(CompassRound { Label(number), Foreign, Heads, Tails, Tell, Offset(number) });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompassMemory {
    /// The number by which labels are higher than those of the hardware, modulo 6.
    shift: u8,
    /// The orientation of the hardware. Only [`first`](Self::first) reads it, the algorithm does not.
    hardware: Orientation,
    region: Region,
    /// The neighbours' labels of the common edges, minus 1.
    received: [u8; 6],
    /// The labels at which a foreign neighbour beeped, as bits.
    told: u8,
    chosen: Option<u8>,
}

acrasin_runtime::pack_fields!(CompassMemory { shift, hardware, region, received, told, chosen });

impl CompassMemory {
    /// The direction that currently has label 1.
    #[must_use]
    pub fn first(&self) -> acrasin_amoebot::Direction {
        self.hardware.direction(turned(1, 6 - self.shift))
    }

    /// The current label of the edge with a hardware label, minus 1.
    fn label(&self, hardware: u8) -> u8 {
        turned(hardware, self.shift) - 1
    }

    /// The offset of the neighbour at the edge with a hardware label.
    fn offset(&self, hardware: u8) -> u8 {
        (self.received[usize::from(hardware - 1)] + 9 - self.label(hardware)) % 6
    }
}

impl RoundTable for CircuitCompass {
    type Memory = CompassMemory;
    type RoundName = CompassRound;

    fn start(&self, seat: &Seat) -> (CompassMemory, Option<CompassRound>) {
        let memory = CompassMemory {
            shift: 0,
            hardware: seat.orientation(),
            region: Region::new(),
            received: [0; 6],
            told: 0,
            chosen: None,
        };
        (memory, Some(CompassRound::Label(0)))
    }

    fn name(&self, round: CompassRound) -> &'static str {
        match round {
            CompassRound::Label(_) => "label",
            CompassRound::Foreign => "foreign",
            CompassRound::Heads => "heads",
            CompassRound::Tails => "tails",
            CompassRound::Tell => "tell",
            CompassRound::Offset(_) => "offset",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: CompassRound,
        seat: &Seat,
        memory: &mut CompassMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let beeps = match round {
            CompassRound::Label(bit) => {
                plan.reset();
                for label in seat.labels().filter(|label| memory.label(*label) >> bit & 1 == 1) {
                    plan.beep_pin(Pin::head(label, 0));
                }
                return;
            }
            CompassRound::Tell => {
                plan.reset();
                if memory.region.toss != RegionToss::Tails {
                    for label in memory.region.foreign(seat) {
                        plan.beep_pin(Pin::head(label, 0));
                    }
                }
                return;
            }
            CompassRound::Foreign => memory.region.foreign(seat).next().is_some(),
            CompassRound::Heads => memory.region.beeps_heads(coins),
            CompassRound::Tails => memory.region.beeps_tails(),
            CompassRound::Offset(offset) => {
                let has = |label: u8| memory.told >> (label - 1) & 1 == 1 && memory.offset(label) == offset;
                memory.region.toss == RegionToss::Tails && seat.labels().any(has)
            }
        };
        let set = memory.region.wire(plan);
        if beeps {
            plan.beep(set);
        }
    }

    fn receive(
        &self,
        round: CompassRound,
        seat: &Seat,
        memory: &mut CompassMemory,
        heard: &CircuitView<'_>,
    ) -> Option<CompassRound> {
        let last = seat.pins - 1;
        match round {
            CompassRound::Label(bit) => {
                for label in seat.labels() {
                    let received = &mut memory.received[usize::from(label - 1)];
                    *received &= !(1 << bit);
                    *received |= u8::from(heard.pin(Pin::head(label, last))) << bit;
                }
                if bit < 2 {
                    return Some(CompassRound::Label(bit + 1));
                }
                let inside = seat.labels().filter(|label| memory.offset(*label) == 0);
                memory.region.inside = inside.fold(0, |bits, label| bits | 1 << (label - 1));
                Some(CompassRound::Foreign)
            }
            CompassRound::Foreign => memory.region.is_heard(heard).then_some(CompassRound::Heads),
            CompassRound::Heads => {
                memory.region.hears_heads(memory.region.is_heard(heard));
                Some(CompassRound::Tails)
            }
            CompassRound::Tails => {
                memory.region.hears_tails(memory.region.is_heard(heard));
                Some(CompassRound::Tell)
            }
            CompassRound::Tell => {
                let tells = memory.region.foreign(seat).filter(|label| heard.pin(Pin::head(*label, last)));
                memory.told = tells.fold(0, |bits, label| bits | 1 << (label - 1));
                memory.chosen = None;
                Some(CompassRound::Offset(1))
            }
            CompassRound::Offset(offset) => {
                if memory.region.toss == RegionToss::Tails && memory.region.is_heard(heard) {
                    memory.chosen.get_or_insert(offset);
                }
                if offset < 5 {
                    return Some(CompassRound::Offset(offset + 1));
                }
                if let Some(chosen) = memory.chosen {
                    memory.shift = (memory.shift + chosen) % 6;
                    memory.region.is_candidate = false;
                }
                Some(CompassRound::Label(0))
            }
        }
    }

    fn states(&self, round: CompassRound, memories: &[CompassMemory]) -> Option<String> {
        match round {
            CompassRound::Label(_) => {
                Some(memories.iter().map(|memory| char::from(b'0' + memory.first().index())).collect())
            }
            CompassRound::Heads => {
                let bit = |memory: &CompassMemory| if memory.region.is_candidate { '1' } else { '0' };
                Some(memories.iter().map(bit).collect())
            }
            CompassRound::Tell => Some(memories.iter().map(|memory| memory.region.toss.letter()).collect()),
            _ => None,
        }
    }
}
