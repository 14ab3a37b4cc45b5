//! Trains: rows that expand and contract, the pump, the worm and the crawl. Trains use movement halves only.
//!
//! | train | first half | second half |
//! |---|---|---|
//! | row | all expand east | all contract to the head |
//! | pump | movers expand east, south-east marked | contract to the head without the bonds (head, NW) and (tail, SE) |
//! | worm | movers expand east; only the west one keeps the bonds to the floor | contract to the head; only the east one's head keeps them |
//! | crawl | as worm, south-east marked above the lowest row | as worm and pump |

use acrasin_amoebot::End;

use crate::circuit::CircuitView;
use crate::demands::{Demands, FrameDemand};
use crate::joint::{JointAction, JointPlan};
use crate::round::{Halves, RoundTable, Seat};

/// The role of an amoebot in a train.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrainMember {
    /// Whether the amoebot moves.
    pub moves: bool,
    /// Whether the amoebot marks the bond to the south-east in the first half. In the second half it then releases the
    /// bonds of its head to the north-west and of its tail to the south-east.
    pub shears: bool,
    /// Whether the amoebot stands on the floor.
    pub on_floor: bool,
    /// Whether the amoebot keeps its bonds to the floor in the first half, as the west end does.
    pub holds_first: bool,
    /// Whether the amoebot keeps its bonds to the floor in the second half, as the east end does.
    pub holds_second: bool,
}

acrasin_runtime::pack_fields!(TrainMember { moves, shears, on_floor, holds_first, holds_second });

/// A train of given members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Train {
    /// The role of each amoebot, by number.
    pub members: Vec<TrainMember>,
    /// The number of times that both halves are executed.
    pub cycles: u32,
}

/// The two movement halves that a train repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrainStep {
    /// The movers expand east.
    Expand,
    /// The movers contract into their heads.
    Contract,
}

acrasin_runtime::pack_variants!(TrainStep { Expand, Contract });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainMemory {
    member: TrainMember,
    cycles: u32,
}

acrasin_runtime::pack_fields!(TrainMemory { member, cycles });

const E: u8 = 1;
const NW: u8 = 3;
const SW: u8 = 5;
const SE: u8 = 6;

impl Train {
    /// A row in which all amoebots move.
    #[must_use]
    pub fn row(amoebots: usize, cycles: u32) -> Self {
        let member = TrainMember { moves: true, ..TrainMember::default() };
        Self { members: vec![member; amoebots], cycles }
    }

    /// A block of amoebots in which one column moves.
    #[must_use]
    pub fn pump(amoebots: usize, movers: &[usize], cycles: u32) -> Self {
        let mut members = vec![TrainMember::default(); amoebots];
        for mover in movers {
            members[*mover] = TrainMember { moves: true, shears: true, ..TrainMember::default() };
        }
        Self { members, cycles }
    }

    /// Movers that walk east on a floor. `rows` are the movers row by row from the lowest one, each row from west to
    /// east; one row is a worm, several rows are a crawl.
    #[must_use]
    pub fn crawl(amoebots: usize, rows: &[Vec<usize>], cycles: u32) -> Self {
        let mut members = vec![TrainMember::default(); amoebots];
        for (height, row) in rows.iter().enumerate() {
            for (at, mover) in row.iter().enumerate() {
                let on_floor = height == 0;
                members[*mover] = TrainMember {
                    moves: true,
                    shears: !on_floor,
                    on_floor,
                    holds_first: on_floor && at == 0,
                    holds_second: on_floor && at + 1 == row.len(),
                };
            }
        }
        Self { members, cycles }
    }
}

impl RoundTable for Train {
    type Memory = TrainMemory;
    type RoundName = TrainStep;

    fn start(&self, seat: &Seat) -> (TrainMemory, Option<TrainStep>) {
        let member = self.members[seat.number as usize];
        (TrainMemory { member, cycles: self.cycles }, (self.cycles > 0).then_some(TrainStep::Expand))
    }

    fn name(&self, step: TrainStep) -> &'static str {
        match step {
            TrainStep::Expand => "expand",
            TrainStep::Contract => "contract",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 0, frame: FrameDemand::Common }
    }

    fn halves(&self, _step: TrainStep) -> Halves {
        Halves::Movement
    }

    fn plan(&self, step: TrainStep, seat: &Seat, memory: &mut TrainMemory) -> JointPlan {
        let to = |label: u8| seat.orientation().direction(label);
        let member = memory.member;
        if !member.moves {
            return JointPlan::STILL;
        }
        match step {
            TrainStep::Expand => {
                let mut plan = JointPlan::of(JointAction::Expand(to(E)));
                if member.shears {
                    plan = plan.marking(to(SE));
                }
                if member.on_floor && !member.holds_first {
                    plan = plan.releasing(End::Head, to(SW)).releasing(End::Head, to(SE));
                }
                plan
            }
            TrainStep::Contract => {
                let mut plan = JointPlan::of(JointAction::Contract { stay: End::Head });
                if member.shears {
                    plan = plan.releasing(End::Head, to(NW)).releasing(End::Tail, to(SE));
                }
                if member.on_floor {
                    plan = plan.releasing(End::Tail, to(SW)).releasing(End::Tail, to(SE));
                    if !member.holds_second {
                        plan = plan.releasing(End::Head, to(SW)).releasing(End::Head, to(SE));
                    }
                }
                plan
            }
        }
    }

    fn receive(
        &self,
        step: TrainStep,
        _seat: &Seat,
        memory: &mut TrainMemory,
        _heard: &CircuitView<'_>,
    ) -> Option<TrainStep> {
        match step {
            TrainStep::Expand => Some(TrainStep::Contract),
            TrainStep::Contract => {
                memory.cycles -= 1;
                (memory.cycles > 0).then_some(TrainStep::Expand)
            }
        }
    }
}
