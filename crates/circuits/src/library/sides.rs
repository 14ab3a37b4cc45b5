//! Determines the line through an amoebot along an axis, and the half-planes above and below it, by a tour of any
//! spanning tree.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | up | PASC on the tour; visits that were entered upwards take part | a bit of their number so far |
//! | down | the same for visits that were entered downwards | a bit |
//! | check | amoebots with an active visit beep globally | silence: end |
//!
//! At every visit the numbers of steps upwards and downwards differ by the height above the root. So the amoebot is on
//! the line if they are equal; otherwise the last bit that differs decides.

use std::cmp::Ordering;

use super::visit::{LaneCrossing, Tour};
use crate::circuit::{BeepPlan, CircuitView, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// The test for the line and the half-planes of a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SidesTest {
    /// The labels of the tree edges of each amoebot, in increasing order.
    pub edges: Vec<Vec<u8>>,
    /// The root of the tour, which is on the line.
    pub root: u32,
    /// The label of the axis, 1 to 6; *above* is the counter-clockwise side of the axis.
    pub axis: u8,
}

/// The rounds of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SidesRound {
    /// Transmits the next bit of the number of steps upwards.
    Up,
    /// Transmits the next bit of the number of steps downwards.
    Down,
    /// Amoebots with an active visit beep: silence means that no bits are left.
    Check,
}

acrasin_runtime::pack_variants!(SidesRound { Up, Down, Check });

/// The memory of an amoebot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SidesMemory {
    tour: Tour,
    is_up: Vec<bool>,
    is_down: Vec<bool>,
    up_bit: bool,
    lane: Option<PinSet>,
    /// The position of the amoebot relative to the line: greater is above, equal on the line, less below.
    pub side: Ordering,
}

acrasin_runtime::pack_fields!(SidesMemory { tour, is_up, is_down, up_bit, lane, side });

impl SidesMemory {
    pub(super) fn new(tour: Tour, axis: u8) -> Self {
        // A visit that arrives from a label was entered in the opposite direction.
        let entered = |by: [u8; 2]| {
            let participates =
                move |from: Option<u8>| from.is_some_and(|label| by.contains(&((label + 3 + 6 - axis) % 6)));
            tour.visits.iter().map(move |visit| participates(visit.from)).collect::<Vec<bool>>()
        };
        let (is_up, is_down) = (entered([1, 2]), entered([4, 5]));
        Self { tour, is_up, is_down, up_bit: false, lane: None, side: Ordering::Equal }
    }

    pub(super) fn send(&mut self, round: SidesRound, plan: &mut BeepPlan<'_>) {
        plan.reset();
        let is_active = match round {
            SidesRound::Up => &self.is_up,
            SidesRound::Down => &self.is_down,
            SidesRound::Check => {
                let lane = plan.lane(0);
                self.lane = Some(lane);
                if self.is_up.contains(&true) || self.is_down.contains(&true) {
                    plan.beep(lane);
                }
                return;
            }
        };
        for (visit, is_active) in self.tour.visits.iter_mut().zip(is_active) {
            visit.wire(*is_active, LaneCrossing::Arriving, plan);
        }
    }

    /// Processes received beeps; returns the next round, or `None` at the end.
    pub(super) fn receive(&mut self, round: SidesRound, heard: &CircuitView<'_>) -> Option<SidesRound> {
        let is_active = match round {
            SidesRound::Up => &mut self.is_up,
            SidesRound::Down => &mut self.is_down,
            SidesRound::Check => {
                return self.lane.is_some_and(|lane| heard.on(lane)).then_some(SidesRound::Up);
            }
        };
        for (visit, is_active) in self.tour.visits.iter().zip(is_active) {
            *is_active &= !visit.bit(heard);
        }
        let first = self.tour.visits.first().is_some_and(|visit| visit.bit(heard));
        if round == SidesRound::Up {
            self.up_bit = first;
            return Some(SidesRound::Down);
        }
        self.side = self.up_bit.cmp(&first).then(self.side);
        Some(SidesRound::Check)
    }
}

impl SidesRound {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Check => "check",
        }
    }
}

impl RoundTable for SidesTest {
    type Memory = SidesMemory;
    type RoundName = SidesRound;

    fn start(&self, seat: &Seat) -> (SidesMemory, Option<SidesRound>) {
        let edges = &self.edges[seat.number as usize];
        let tour = Tour::at(edges, seat.number == self.root, seat.pins);
        (SidesMemory::new(tour, self.axis), Some(SidesRound::Up))
    }

    fn name(&self, round: SidesRound) -> &'static str {
        round.name()
    }

    fn demands(&self) -> Demands {
        Demands { pins: 4, frame: FrameDemand::Common }
    }

    fn send(
        &self,
        round: SidesRound,
        _seat: &Seat,
        memory: &mut SidesMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        memory.send(round, plan);
    }

    fn receive(
        &self,
        round: SidesRound,
        _seat: &Seat,
        memory: &mut SidesMemory,
        heard: &CircuitView<'_>,
    ) -> Option<SidesRound> {
        memory.receive(round, heard)
    }
}
