//! [`RoundTable`]: an algorithm as a table of rounds.

use std::fmt::Debug;

use acrasin_amoebot::{End, Orientation};
use acrasin_runtime::Pack;

use crate::circuit::{BeepPlan, CircuitView};
use crate::demands::{Demands, FrameDemand};
use crate::joint::JointPlan;
use crate::round::coins::CoinToss;

/// The halves of a round that an algorithm uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halves {
    /// Only the movement half.
    Movement,
    /// Only the beep half.
    Beep,
    /// Both, the movement half first.
    Both,
}

/// The knowledge of an amoebot about its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// The number of the amoebot. Algorithms use it only to read their input.
    pub number: u32,
    /// The labels with a neighbouring amoebot, as bits: bit `label - 1` for the head, bit `label + 5` for the tail.
    pub(crate) neighbours: u16,
    /// The number of pins on each side of an edge.
    pub pins: u8,
    pub(crate) orientation: Orientation,
}

impl Seat {
    /// Whether an amoebot is adjacent to the head at this label, 1 to 6.
    #[must_use]
    pub fn has(&self, label: u8) -> bool {
        self.neighbours >> (label - 1) & 1 == 1
    }

    /// Whether an amoebot is adjacent to an end at this label, 1 to 6.
    #[must_use]
    pub fn has_at(&self, end: End, label: u8) -> bool {
        let first = if end == End::Head { 0 } else { 6 };
        self.neighbours >> (first + label - 1) & 1 == 1
    }

    /// The labels at the head with neighbours, in increasing order.
    pub fn labels(&self) -> impl Iterator<Item = u8> + '_ {
        (1..=6).filter(|label| self.has(*label))
    }

    /// The frame of the amoebot, which converts labels into the directions of a movement.
    #[must_use]
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }
}

/// An algorithm. It defines for each round the movement of an amoebot, the pin configuration and beeps that it sends,
/// and how it processes what it receives.
///
/// Every amoebot has its own round. In most algorithms all amoebots are in the same round, since each decision depends
/// on a circuit that all amoebots hear. Lost beeps can separate them.
pub trait RoundTable: Sync {
    /// The memory of an amoebot. Checkpoints and digests contain its packed form.
    type Memory: Clone + Debug + Pack + Send + Sync;
    /// The name of a round: a row of the table.
    type RoundName: Copy + PartialEq + Debug + Pack + Send + Sync;

    /// The initial memory of an amoebot, including its input, and its first round; `None` if it has nothing to do.
    fn start(&self, seat: &Seat) -> (Self::Memory, Option<Self::RoundName>);

    /// The name of a round, for display.
    fn name(&self, round: Self::RoundName) -> &'static str;

    /// The assumptions of the algorithm about the structure.
    fn demands(&self) -> Demands {
        Demands { pins: 1, frame: FrameDemand::Any }
    }

    /// The halves that a round uses.
    fn halves(&self, round: Self::RoundName) -> Halves {
        let _ = round;
        Halves::Beep
    }

    /// Plans the movement half of a round.
    fn plan(&self, round: Self::RoundName, seat: &Seat, memory: &mut Self::Memory) -> JointPlan {
        let _ = (round, seat, memory);
        JointPlan::STILL
    }

    /// Sets the pin configuration and beeps.
    fn send(
        &self,
        round: Self::RoundName,
        seat: &Seat,
        memory: &mut Self::Memory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let _ = (round, seat, memory, coins, plan);
    }

    /// Processes received beeps and messages, and returns the next round; `None` at the end. After a round without a
    /// beep half nothing is received.
    fn receive(
        &self,
        round: Self::RoundName,
        seat: &Seat,
        memory: &mut Self::Memory,
        heard: &CircuitView<'_>,
    ) -> Option<Self::RoundName>;

    /// The names of the classes in which amoebots are counted.
    fn classes(&self) -> &[&'static str] {
        &["running", "ended"]
    }

    /// The class of an amoebot by its memory and whether it has a next round.
    fn class(&self, memory: &Self::Memory, is_running: bool) -> usize {
        let _ = memory;
        usize::from(!is_running)
    }

    /// A memory in words, for display.
    fn words(&self, memory: &Self::Memory) -> String {
        format!("{memory:?}")
    }

    /// The states at the beginning of a round in the notation of conformance files; `None` if these files do not list
    /// states for the round.
    fn states(&self, round: Self::RoundName, memories: &[Self::Memory]) -> Option<String> {
        let _ = (round, memories);
        None
    }
}
