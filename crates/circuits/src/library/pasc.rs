//! Primary and secondary circuits (PASC) on a chain or rooted tree (Feldmann, Padalkin, Scheideler, Dolev 2022).
//!
//! | round | sends | receives |
//! |---|---|---|
//! | pasc | the root beeps on P | the next bit: heard on S; active and heard on S: becomes passive |
//! | check | on one circuit along the tree: active amoebots beep, except for the root | silence: end |
//!
//! Bits arrive from the lowest. The number of an amoebot counts the participants on the way from the root, itself
//! included, the root excluded.

use super::visit::LaneCrossing;
use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// PASC along a rooted tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pasc {
    /// The label of the edge to the parent of each amoebot; none at the root.
    pub parents: Vec<Option<u8>>,
    /// The labels of the edges to the children of each amoebot.
    pub children: Vec<Vec<u8>>,
    /// The amoebots that are counted; none for all.
    pub participants: Option<Vec<bool>>,
    /// The side at which active amoebots cross lanes.
    pub crossing: LaneCrossing,
}

/// The rounds of PASC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PascRound {
    /// The next bit.
    Pasc,
    /// Whether bits are left.
    Check,
}

acrasin_runtime::pack_variants!(PascRound { Pasc, Check });

/// The memory of an amoebot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PascMemory {
    parent: Option<u8>,
    children: Vec<u8>,
    /// Whether it still changes sets.
    pub is_active: bool,
    /// The bits of the number, lowest first.
    pub bits: Vec<bool>,
    /// Rounds in which both sets or none were heard: a wrong link or a loss.
    pub faults: u32,
    sets: Option<[PinSet; 2]>,
}

acrasin_runtime::pack_fields!(PascMemory { parent, children, is_active, bits, faults, sets });

impl PascMemory {
    /// The number, without bits above the 63rd.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.bits.iter().take(64).rev().fold(0, |value, &bit| value << 1 | u64::from(bit))
    }
}

impl Pasc {
    /// Pins on which lanes 0 and 1 arrive from the parent.
    fn arriving(label: u8, pins: u8) -> [Pin; 2] {
        [0, 1].map(|lane| Pin::head(label, pins - 1 - lane))
    }
}

impl RoundTable for Pasc {
    type Memory = PascMemory;
    type RoundName = PascRound;

    fn start(&self, seat: &Seat) -> (PascMemory, Option<PascRound>) {
        let number = seat.number as usize;
        let parent = self.parents[number];
        let takes_part = self.participants.as_ref().is_none_or(|participants| participants[number]);
        let memory = PascMemory {
            parent,
            children: self.children[number].clone(),
            is_active: takes_part || parent.is_none(),
            bits: Vec::new(),
            faults: 0,
            sets: None,
        };
        (memory, Some(PascRound::Pasc))
    }

    fn name(&self, round: PascRound) -> &'static str {
        match round {
            PascRound::Pasc => "pasc",
            PascRound::Check => "check",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 2, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: PascRound,
        seat: &Seat,
        memory: &mut PascMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        plan.reset();
        let arriving = memory.parent.map(|label| Self::arriving(label, seat.pins));
        let leaving = |lane: u8| memory.children.iter().map(move |&label| Pin::head(label, lane));
        match round {
            PascRound::Pasc => {
                let crosses = |at| usize::from(memory.is_active && self.crossing == at && arriving.is_some());
                let (at_parent, at_children) =
                    (crosses(LaneCrossing::Arriving), crosses(LaneCrossing::Leaving));
                let sets = [0, 1].map(|lane: usize| {
                    let parent = arriving.map(|pins| pins[lane ^ at_parent]);
                    plan.set(parent.into_iter().chain(leaving((lane ^ at_children) as u8)))
                });
                memory.sets = Some(sets);
                if arriving.is_none() {
                    plan.beep(sets[0]);
                }
            }
            PascRound::Check => {
                let both = arriving.into_iter().flatten().chain(leaving(0)).chain(leaving(1));
                let set = plan.set(both);
                memory.sets = Some([set; 2]);
                if memory.is_active && arriving.is_some() {
                    plan.beep(set);
                }
            }
        }
    }

    fn receive(
        &self,
        round: PascRound,
        _seat: &Seat,
        memory: &mut PascMemory,
        heard: &CircuitView<'_>,
    ) -> Option<PascRound> {
        let heard = memory.sets.map(|sets| sets.map(|set| heard.on(set)));
        let [primary, secondary] = heard.unwrap_or([false; 2]);
        match round {
            PascRound::Pasc => {
                memory.faults += u32::from(primary == secondary);
                memory.bits.push(secondary);
                memory.is_active &= !secondary || memory.parent.is_none();
                Some(PascRound::Check)
            }
            PascRound::Check => primary.then_some(PascRound::Pasc),
        }
    }

    fn states(&self, round: PascRound, memories: &[PascMemory]) -> Option<String> {
        let is_active = |memory: &PascMemory| if memory.is_active { '1' } else { '0' };
        (round == PascRound::Pasc).then(|| memories.iter().map(is_active).collect())
    }
}
