//! Primary and secondary circuits (PASC) on a chain or rooted tree (Feldmann, Padalkin, Scheideler, Dolev 2022).
//!
//! | round | sends | receives |
//! |---|---|---|
//! | pasc | the root beeps on P | the next bit: heard on S; active and heard on S: becomes passive |
//! | check | on one circuit along the tree: active amoebots beep, except for the root | silence: end |
//!
//! Bits arrive lowest first. The number of an amoebot counts the participants on the path from the root, including
//! itself but not the root.

use acrasin_runtime::{Pack, PackError};

use super::visit::LaneCrossing;
use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// PASC along a rooted tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pasc {
    /// The label of the edge to the parent of each amoebot; `None` at the root.
    pub parents: Vec<Option<u8>>,
    /// The labels of the edges to the children of each amoebot.
    pub children: Vec<Vec<u8>>,
    /// Whether each amoebot is counted; `None` if all amoebots are counted.
    pub participants: Option<Vec<bool>>,
    /// The side at which active amoebots cross lanes.
    pub crossing: LaneCrossing,
}

/// The rounds of PASC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PascRound {
    /// Transmits the next bit of every number.
    Pasc,
    /// Active amoebots beep: silence means that no bits are left.
    Check,
}

acrasin_runtime::pack_variants!(PascRound { Pasc, Check });

/// At most 6 labels of edges, in the order in which they were given. They fit in a word, so a round of 10^6 amoebots
/// reads little memory.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct LabelList(u32);

impl LabelList {
    fn new(labels: &[u8]) -> Self {
        assert!(labels.len() <= 6 && labels.iter().all(|label| (1..=6).contains(label)), "labels are 1 to 6");
        Self(labels.iter().rev().fold(0, |list, label| list << 4 | u32::from(*label)))
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let label = (rest & 15) as u8;
            rest >>= 4;
            (label != 0).then_some(label)
        })
    }
}

impl std::fmt::Debug for LabelList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Packs the labels as a list.
impl Pack for LabelList {
    fn pack(&self, into: &mut Vec<u8>) {
        self.iter().collect::<Vec<u8>>().pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let labels = Vec::<u8>::unpack(from)?;
        let fits = labels.len() <= 6 && labels.iter().all(|label| (1..=6).contains(label));
        if fits { Ok(Self::new(&labels)) } else { Err(PackError) }
    }
}

/// The bits of a number, lowest first, at most [`PascBits::MAX`]. Correct numbers always fit. With wrong links PASC
/// does not end; further bits are then dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PascBits(u64);

impl PascBits {
    /// The maximum number of bits.
    pub const MAX: usize = 63;

    /// The value without bits. In the stored word, a one above the highest bit marks the length.
    const EMPTY: Self = Self(1);

    #[inline]
    fn push(&mut self, bit: bool) {
        let length = self.len();
        if length < Self::MAX {
            self.0 = self.0 & !(1 << length) | u64::from(bit) << length | 1 << (length + 1);
        }
    }

    /// The number of bits.
    #[must_use]
    #[inline]
    pub fn len(self) -> usize {
        self.0.ilog2() as usize
    }

    /// Whether there are no bits.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The bits, lowest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = bool> + ExactSizeIterator {
        (0..self.len()).map(move |place| self.0 >> place & 1 == 1)
    }
}

impl std::fmt::Debug for PascBits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Packs the bits as a list.
impl Pack for PascBits {
    fn pack(&self, into: &mut Vec<u8>) {
        (self.len() as u64).pack(into);
        self.iter().for_each(|bit| bit.pack(into));
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let length = u64::unpack(from)?;
        if length > Self::MAX as u64 {
            return Err(PackError);
        }
        let mut bits = Self::EMPTY;
        for _ in 0..length {
            bits.push(bool::unpack(from)?);
        }
        Ok(bits)
    }
}

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PascMemory {
    parent: Option<u8>,
    children: LabelList,
    /// Whether the amoebot is active: it crosses the lanes.
    pub is_active: bool,
    /// The bits of the number, lowest first.
    pub bits: PascBits,
    /// The number of rounds in which a beep was heard on both sets or on neither, because of a wrong link or a loss.
    pub faults: u32,
    sets: Option<[PinSet; 2]>,
}

acrasin_runtime::pack_fields!(PascMemory { parent, children, is_active, bits, faults, sets });

impl PascMemory {
    /// The number as an integer.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.bits.0 & !(1 << self.bits.len())
    }
}

impl Pasc {
    /// The pins on which lanes 0 and 1 arrive from the parent.
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
        let is_active = self.participants.as_ref().is_none_or(|participants| participants[number]);
        let memory = PascMemory {
            parent,
            children: LabelList::new(&self.children[number]),
            is_active,
            bits: PascBits::EMPTY,
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

    #[inline]
    fn send(
        &self,
        round: PascRound,
        seat: &Seat,
        memory: &mut PascMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let (children, parent, pins) = (memory.children, memory.parent, seat.pins);
        let leaving = |lane: u8| children.iter().map(move |label| Pin::head(label, lane));
        let arriving = || parent.map(|label| Self::arriving(label, pins));
        // Children are at most six labels of four bits.
        let key = |variant: u32| children.0 << 4 | u32::from(parent.unwrap_or(0)) | variant << 28;
        match round {
            PascRound::Pasc => {
                let is_crossed = memory.is_active && parent.is_some();
                let sets = plan.form(key(u32::from(is_crossed)), |plan| {
                    let crosses = |at| usize::from(is_crossed && self.crossing == at);
                    let (at_parent, at_children) =
                        (crosses(LaneCrossing::Arriving), crosses(LaneCrossing::Leaving));
                    [0, 1].map(|lane: usize| {
                        let parent = arriving().map(|pins| pins[lane ^ at_parent]);
                        plan.set(parent.into_iter().chain(leaving((lane ^ at_children) as u8)))
                    })
                });
                memory.sets = Some(sets);
                if parent.is_none() {
                    plan.beep(sets[0]);
                }
            }
            PascRound::Check => {
                let [set, _] = plan.form(key(2), |plan| {
                    let both = arriving().into_iter().flatten().chain(leaving(0)).chain(leaving(1));
                    [plan.set(both); 2]
                });
                memory.sets = Some([set; 2]);
                if memory.is_active && parent.is_some() {
                    plan.beep(set);
                }
            }
        }
    }

    #[inline]
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
