//! The amoebots that are farthest in a direction, by elections and half-planes.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | heads, tails | [election](super::Election) among the remaining candidates | a leader |
//! | up, down, check | [half-planes](super::SidesTest) of the leader | above, on the line, below |
//! | above | the remaining candidates above beep globally | heard: only they remain; silence: the candidates on the line are the maxima |

use std::cmp::Ordering;

use super::election::{ElectionMemory, ElectionRound};
use super::sides::{SidesMemory, SidesRound};
use super::visit::Tour;
use crate::circuit::{BeepPlan, CircuitView, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Global maxima above an axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalMaxima {
    /// The labels of the tree edges of each amoebot, in increasing order.
    pub edges: Vec<Vec<u8>>,
    /// The label of the axis, 1 to 6; maxima are farthest on the counter-clockwise side of the axis.
    pub axis: u8,
    /// The number of repetitions of phase 2 of each election.
    pub repetitions: u32,
}

/// The rounds of the algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MaximaRound {
    /// A round of the election of a leader.
    Election(ElectionRound),
    /// A round that determines the half-planes of the leader.
    Sides(SidesRound),
    /// The remaining candidates above the line through the leader beep.
    Above,
}

acrasin_runtime::pack_variants!(MaximaRound { Election(round), Sides(round), Above });

/// The memory of an amoebot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MaximaMemory {
    edges: Vec<u8>,
    /// Whether the amoebot may still be a maximum; at the end, whether it is one.
    pub is_left: bool,
    election: ElectionMemory,
    sides: SidesMemory,
    lane: Option<PinSet>,
    /// The number of elections begun so far.
    pub phases: u32,
}

acrasin_runtime::pack_fields!(MaximaMemory { edges, is_left, election, sides, lane, phases });

impl RoundTable for GlobalMaxima {
    type Memory = MaximaMemory;
    type RoundName = MaximaRound;

    fn start(&self, seat: &Seat) -> (MaximaMemory, Option<MaximaRound>) {
        let edges = self.edges[seat.number as usize].clone();
        let memory = MaximaMemory {
            edges,
            is_left: true,
            election: ElectionMemory::new(true),
            sides: SidesMemory::new(Tour::default(), self.axis),
            lane: None,
            phases: 1,
        };
        (memory, Some(MaximaRound::Election(ElectionMemory::FIRST)))
    }

    fn name(&self, round: MaximaRound) -> &'static str {
        match round {
            MaximaRound::Election(round) => round.name(),
            MaximaRound::Sides(round) => round.name(),
            MaximaRound::Above => "above",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 4, frame: FrameDemand::Common }
    }

    fn send(
        &self,
        round: MaximaRound,
        _seat: &Seat,
        memory: &mut MaximaMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let beeps = match round {
            MaximaRound::Sides(round) => return memory.sides.send(round, plan),
            MaximaRound::Election(round) => memory.election.beeps(round, coins),
            MaximaRound::Above => memory.is_left && memory.sides.side == Ordering::Greater,
        };
        plan.reset();
        let lane = plan.lane(0);
        memory.lane = Some(lane);
        if beeps {
            plan.beep(lane);
        }
    }

    fn receive(
        &self,
        round: MaximaRound,
        seat: &Seat,
        memory: &mut MaximaMemory,
        heard: &CircuitView<'_>,
    ) -> Option<MaximaRound> {
        let global = memory.lane.is_some_and(|lane| heard.on(lane));
        match round {
            MaximaRound::Election(round) => {
                let next = memory.election.hears(round, global, self.repetitions);
                Some(next.map_or_else(
                    || {
                        let tour = Tour::at(&memory.edges, memory.election.is_candidate, seat.pins);
                        memory.sides = SidesMemory::new(tour, self.axis);
                        MaximaRound::Sides(SidesRound::Up)
                    },
                    MaximaRound::Election,
                ))
            }
            MaximaRound::Sides(round) => {
                Some(memory.sides.receive(round, heard).map_or(MaximaRound::Above, MaximaRound::Sides))
            }
            MaximaRound::Above => {
                let side = if global { Ordering::Greater } else { Ordering::Equal };
                memory.is_left &= memory.sides.side == side;
                if !global {
                    return None;
                }
                memory.election = ElectionMemory::new(memory.is_left);
                memory.phases += 1;
                Some(MaximaRound::Election(ElectionMemory::FIRST))
            }
        }
    }

    fn classes(&self) -> &'static [&'static str] {
        &["left", "resigned"]
    }

    fn class(&self, memory: &MaximaMemory, _is_running: bool) -> usize {
        usize::from(!memory.is_left)
    }

    fn states(&self, round: MaximaRound, memories: &[MaximaMemory]) -> Option<String> {
        match round {
            MaximaRound::Election(round) => {
                ElectionMemory::states(round, memories.iter().map(|memory| &memory.election))
            }
            _ => None,
        }
    }
}
