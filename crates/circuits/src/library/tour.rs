//! The Euler tour along a tree, by PASC over its visits (Padalkin, Scheideler, Warner 2022).
//!
//! | round | sends | receives |
//! |---|---|---|
//! | tour | the first visit beeps on P | a bit of the number of each visit; active and heard on S: becomes passive |
//! | check | amoebots with an active visit beep globally, the first visit excepted | silence: end |
//!
//! For each tree edge an amoebot compares the number of the visit that leaves along the edge with that of the visit
//! that arrives along it. If the number of the leaving visit is not lower, the neighbour is the parent.

use std::cmp::Ordering;

use super::visit::{LaneCrossing, Tour};
use crate::circuit::{BeepPlan, CircuitView, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Roots a given tree at an amoebot: every other amoebot learns its parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootedTour {
    /// The labels of the tree edges of each amoebot, in increasing order.
    pub edges: Vec<Vec<u8>>,
    /// The number of the amoebot that becomes the root.
    pub root: u32,
}

/// The rounds of a tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TourRound {
    /// Transmits the next bit of the number of every visit.
    Tour,
    /// Amoebots with an active visit beep: silence means that no bits are left.
    Check,
}

acrasin_runtime::pack_variants!(TourRound { Tour, Check });

/// The numbers of an amoebot's visits in the tour, as far as their bits have arrived.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TourNumbers {
    pub(super) tour: Tour,
    pub(super) is_active: Vec<bool>,
    /// For each label: the number of the visit that leaves, compared with that of the visit that arrives.
    orders: [Option<Ordering>; 6],
    lane: Option<PinSet>,
}

acrasin_runtime::pack_fields!(TourNumbers { tour, is_active, orders, lane });

impl TourNumbers {
    pub(super) fn new(tour: Tour) -> Self {
        let is_active = vec![true; tour.visits.len()];
        let mut orders = [None; 6];
        for label in tour.visits.iter().filter_map(|visit| visit.to.or(visit.from)) {
            orders[usize::from(label - 1)] = Some(Ordering::Equal);
        }
        Self { tour, is_active, orders, lane: None }
    }

    /// Sends in the round *tour*.
    pub(super) fn send_tour(&mut self, plan: &mut BeepPlan<'_>) {
        plan.reset();
        for (visit, is_active) in self.tour.visits.iter_mut().zip(&self.is_active) {
            visit.wire(*is_active, LaneCrossing::Arriving, plan);
        }
    }

    /// Receives a bit of every number.
    pub(super) fn receive_tour(&mut self, heard: &CircuitView<'_>) {
        let bits: Vec<bool> = self.tour.visits.iter().map(|visit| visit.bit(heard)).collect();
        for label in 1..=6_u8 {
            let Some(order) = &mut self.orders[usize::from(label - 1)] else { continue };
            let sides = (self.tour.leaving_at(label), self.tour.arriving_at(label));
            if let (Some(leaving), Some(arriving)) = sides {
                // Later bits are higher ones.
                *order = bits[leaving].cmp(&bits[arriving]).then(*order);
            }
        }
        for ((visit, is_active), bit) in self.tour.visits.iter().zip(&mut self.is_active).zip(bits) {
            *is_active &= !bit || visit.is_first();
        }
    }

    /// Sends in the round *check*.
    pub(super) fn send_check(&mut self, plan: &mut BeepPlan<'_>) {
        plan.reset();
        let lane = plan.lane(0);
        self.lane = Some(lane);
        let counts = self.tour.visits.iter().zip(&self.is_active);
        if counts.into_iter().any(|(visit, is_active)| *is_active && !visit.is_first()) {
            plan.beep(lane);
        }
    }

    /// Whether a beep in the round *check* tells that bits are left.
    pub(super) fn receive_check(&self, heard: &CircuitView<'_>) -> bool {
        self.lane.is_some_and(|lane| heard.on(lane))
    }

    /// The label of the edge to the parent; `None` at the root.
    pub(super) fn parent(&self) -> Option<u8> {
        let is_parent = |label: &u8| {
            let order = self.orders[usize::from(label - 1)];
            order.is_some_and(|order| order != Ordering::Less)
                && self.tour.leaving_at(*label).is_some()
                && self.tour.arriving_at(*label).is_some()
        };
        (1..=6).find(is_parent)
    }

    pub(super) fn state(&self) -> String {
        self.is_active.iter().map(|is_active| if *is_active { '1' } else { '0' }).collect()
    }
}

/// The memory of an amoebot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootedTourMemory {
    numbers: TourNumbers,
    /// The label of the edge to the parent; `None` before the end and at the root.
    pub parent: Option<u8>,
}

acrasin_runtime::pack_fields!(RootedTourMemory { numbers, parent });

impl RoundTable for RootedTour {
    type Memory = RootedTourMemory;
    type RoundName = TourRound;

    fn start(&self, seat: &Seat) -> (RootedTourMemory, Option<TourRound>) {
        let edges = &self.edges[seat.number as usize];
        let tour = Tour::at(edges, seat.number == self.root, seat.pins);
        (RootedTourMemory { numbers: TourNumbers::new(tour), parent: None }, Some(TourRound::Tour))
    }

    fn name(&self, round: TourRound) -> &'static str {
        match round {
            TourRound::Tour => "tour",
            TourRound::Check => "check",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 4, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: TourRound,
        _seat: &Seat,
        memory: &mut RootedTourMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        match round {
            TourRound::Tour => memory.numbers.send_tour(plan),
            TourRound::Check => memory.numbers.send_check(plan),
        }
    }

    fn receive(
        &self,
        round: TourRound,
        _seat: &Seat,
        memory: &mut RootedTourMemory,
        heard: &CircuitView<'_>,
    ) -> Option<TourRound> {
        match round {
            TourRound::Tour => {
                memory.numbers.receive_tour(heard);
                Some(TourRound::Check)
            }
            TourRound::Check if memory.numbers.receive_check(heard) => Some(TourRound::Tour),
            TourRound::Check => {
                memory.parent = memory.numbers.parent();
                None
            }
        }
    }

    fn states(&self, round: TourRound, memories: &[RootedTourMemory]) -> Option<String> {
        (round == TourRound::Tour)
            .then(|| memories.iter().map(|memory| memory.numbers.state()).collect::<Vec<_>>().join(","))
    }
}
