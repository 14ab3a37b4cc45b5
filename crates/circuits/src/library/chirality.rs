//! Chirality agreement by regions (Feldmann, Padalkin, Scheideler, Dolev 2022, restated).
//!
//! A region is a maximal connected set of amoebots with equal chirality. Its circuit consists of all pins on its inner
//! edges.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | frame | all beep on pin 0 of every edge | heard on the own pin `c - 1`: the neighbour has the same chirality |
//! | foreign | with a foreign neighbour: beep in the region | silence: end |
//! | heads | candidates toss; heads beep in the region | |
//! | tails | tails beep in the region | result heads, tails or both; both: candidates with tails resign |
//! | tell | unless the result is tails: beep on pin 0 towards foreign neighbours | whether a neighbour beeped |
//! | merge | result tails, and a neighbour beeped: beep in the region | heard: flip the own chirality, resign |
//!
//! Only regions with tails change, if they are next to a region without tails. So regions merge, and never exchange
//! their chiralities.

use acrasin_amoebot::Chirality;

use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Agreement of all amoebots on a chirality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitChirality;

/// The rounds of chirality agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CircuitChiralityRound {
    /// Amoebots determine which neighbours have the same chirality.
    Frame,
    /// Regions determine whether they have neighbours of the other chirality.
    Foreign,
    /// Candidates toss coins; candidates with heads beep on the circuit of their region.
    Heads,
    /// Candidates with tails beep on the circuit of their region.
    Tails,
    /// Regions whose result is not tails beep to the neighbouring regions.
    Tell,
    /// Regions whose result is tails flip if a neighbouring region beeped.
    Merge,
}

acrasin_runtime::pack_variants!(CircuitChiralityRound { Frame, Foreign, Heads, Tails, Tell, Merge });

/// The result of a region's coin tosses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegionToss {
    /// All candidates have heads.
    Heads,
    /// All candidates have tails.
    Tails,
    /// There were heads and tails, or no toss yet.
    #[default]
    Both,
}

acrasin_runtime::pack_variants!(RegionToss { Heads, Tails, Both });

impl RegionToss {
    /// The letter for this result in conformance files.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Heads => 'H',
            Self::Tails => 'T',
            Self::Both => 'F',
        }
    }
}

/// An amoebot's knowledge of its region, for agreements by regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region {
    pub(super) is_candidate: bool,
    /// The labels of edges to neighbours in the region, as bits: bit `label - 1`.
    pub(super) inside: u8,
    pub(super) set: Option<PinSet>,
    has_heads: bool,
    heard_heads: bool,
    pub(super) toss: RegionToss,
}

acrasin_runtime::pack_fields!(Region { is_candidate, inside, set, has_heads, heard_heads, toss });

impl Region {
    pub(super) fn new() -> Self {
        let (has_heads, heard_heads) = (false, false);
        Self { is_candidate: true, inside: 0, set: None, has_heads, heard_heads, toss: RegionToss::Both }
    }

    pub(super) fn is_inside(&self, label: u8) -> bool {
        self.inside >> (label - 1) & 1 == 1
    }

    /// The labels of edges to neighbours in other regions.
    pub(super) fn foreign<'a>(&'a self, seat: &'a Seat) -> impl Iterator<Item = u8> + 'a {
        seat.labels().filter(|label| !self.is_inside(*label))
    }

    /// Joins all pins on edges inside the region into one set.
    pub(super) fn wire(&mut self, plan: &mut BeepPlan<'_>) -> PinSet {
        plan.reset();
        let inside = (1..=6).filter(|label| self.is_inside(*label));
        let pins = plan.pins();
        let set = plan.set(inside.flat_map(|label| (0..pins).map(move |index| Pin::head(label, index))));
        self.set = Some(set);
        set
    }

    pub(super) fn is_heard(&self, heard: &CircuitView<'_>) -> bool {
        self.set.is_some_and(|set| heard.on(set))
    }

    pub(super) fn beeps_heads(&mut self, coins: &mut CoinToss<'_>) -> bool {
        self.has_heads = self.is_candidate && coins.heads();
        self.has_heads
    }

    pub(super) fn beeps_tails(&self) -> bool {
        self.is_candidate && !self.has_heads
    }

    pub(super) fn hears_heads(&mut self, heard: bool) {
        self.heard_heads = heard;
    }

    pub(super) fn hears_tails(&mut self, heard: bool) {
        self.toss = match (self.heard_heads, heard) {
            (true, false) => RegionToss::Heads,
            (false, true) => RegionToss::Tails,
            _ => RegionToss::Both,
        };
        if self.toss == RegionToss::Both && !self.has_heads {
            self.is_candidate = false;
        }
    }
}

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitChiralityMemory {
    /// Whether the amoebot counts its labels in the sense opposite to that of its hardware.
    pub is_flipped: bool,
    /// The chirality of the hardware. Only [`is_mirrored`](Self::is_mirrored) reads it, the algorithm does not.
    hardware: Chirality,
    region: Region,
    is_told: bool,
}

acrasin_runtime::pack_fields!(CircuitChiralityMemory { is_flipped, hardware, region, is_told });

impl CircuitChiralityMemory {
    /// Whether the chirality that the amoebot currently uses is mirrored.
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        (self.hardware == Chirality::Mirrored) != self.is_flipped
    }

    /// A pin in the frame that the amoebot currently uses. For a flipped amoebot the pins of an edge are counted from
    /// the other side.
    fn pin(&self, label: u8, index: u8, pins: u8) -> Pin {
        Pin::head(label, if self.is_flipped { pins - 1 - index } else { index })
    }
}

impl RoundTable for CircuitChirality {
    type Memory = CircuitChiralityMemory;
    type RoundName = CircuitChiralityRound;

    fn start(&self, seat: &Seat) -> (CircuitChiralityMemory, Option<CircuitChiralityRound>) {
        let memory = CircuitChiralityMemory {
            is_flipped: false,
            hardware: seat.orientation().chirality,
            region: Region::new(),
            is_told: false,
        };
        (memory, Some(CircuitChiralityRound::Frame))
    }

    fn name(&self, round: CircuitChiralityRound) -> &'static str {
        match round {
            CircuitChiralityRound::Frame => "frame",
            CircuitChiralityRound::Foreign => "foreign",
            CircuitChiralityRound::Heads => "heads",
            CircuitChiralityRound::Tails => "tails",
            CircuitChiralityRound::Tell => "tell",
            CircuitChiralityRound::Merge => "merge",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Any }
    }

    fn send(
        &self,
        round: CircuitChiralityRound,
        seat: &Seat,
        memory: &mut CircuitChiralityMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let pin = |memory: &CircuitChiralityMemory, label| memory.pin(label, 0, seat.pins);
        match round {
            CircuitChiralityRound::Frame => {
                plan.reset();
                for label in seat.labels() {
                    plan.beep_pin(pin(memory, label));
                }
            }
            CircuitChiralityRound::Foreign => {
                let set = memory.region.wire(plan);
                if memory.region.foreign(seat).next().is_some() {
                    plan.beep(set);
                }
            }
            CircuitChiralityRound::Heads => {
                let set = memory.region.wire(plan);
                if memory.region.beeps_heads(coins) {
                    plan.beep(set);
                }
            }
            CircuitChiralityRound::Tails => {
                let set = memory.region.wire(plan);
                if memory.region.beeps_tails() {
                    plan.beep(set);
                }
            }
            CircuitChiralityRound::Tell => {
                plan.reset();
                if memory.region.toss != RegionToss::Tails {
                    for label in memory.region.foreign(seat) {
                        plan.beep_pin(pin(memory, label));
                    }
                }
            }
            CircuitChiralityRound::Merge => {
                let set = memory.region.wire(plan);
                if memory.region.toss == RegionToss::Tails && memory.is_told {
                    plan.beep(set);
                }
            }
        }
    }

    fn receive(
        &self,
        round: CircuitChiralityRound,
        seat: &Seat,
        memory: &mut CircuitChiralityMemory,
        heard: &CircuitView<'_>,
    ) -> Option<CircuitChiralityRound> {
        match round {
            CircuitChiralityRound::Frame => {
                let same = |label: &u8| heard.pin(memory.pin(*label, seat.pins - 1, seat.pins));
                memory.region.inside =
                    seat.labels().filter(same).fold(0, |bits, label| bits | 1 << (label - 1));
                Some(CircuitChiralityRound::Foreign)
            }
            CircuitChiralityRound::Foreign => {
                memory.region.is_heard(heard).then_some(CircuitChiralityRound::Heads)
            }
            CircuitChiralityRound::Heads => {
                memory.region.hears_heads(memory.region.is_heard(heard));
                Some(CircuitChiralityRound::Tails)
            }
            CircuitChiralityRound::Tails => {
                memory.region.hears_tails(memory.region.is_heard(heard));
                Some(CircuitChiralityRound::Tell)
            }
            CircuitChiralityRound::Tell => {
                let tells = |label: u8| heard.pin(memory.pin(label, 0, seat.pins));
                memory.is_told = memory.region.foreign(seat).any(tells);
                Some(CircuitChiralityRound::Merge)
            }
            CircuitChiralityRound::Merge => {
                if memory.region.toss == RegionToss::Tails && memory.region.is_heard(heard) {
                    memory.is_flipped = !memory.is_flipped;
                    memory.region.is_candidate = false;
                }
                Some(CircuitChiralityRound::Frame)
            }
        }
    }

    fn states(&self, round: CircuitChiralityRound, memories: &[CircuitChiralityMemory]) -> Option<String> {
        let bit = |is: bool| if is { '1' } else { '0' };
        match round {
            CircuitChiralityRound::Frame => {
                Some(memories.iter().map(|memory| bit(memory.is_mirrored())).collect())
            }
            CircuitChiralityRound::Heads => {
                Some(memories.iter().map(|memory| bit(memory.region.is_candidate)).collect())
            }
            CircuitChiralityRound::Tell => {
                Some(memories.iter().map(|memory| memory.region.toss.letter()).collect())
            }
            _ => None,
        }
    }
}
