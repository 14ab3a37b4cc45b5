//! A line of 4^k amoebots folds into a rhombus with sides of 2^k amoebots, in 4 k + 2 rounds.
//!
//! A fold turns `w` columns (east) and `h` rows (north-east) into `w / 2` by `2 h`. Columns 0, 2, .. have role A, the
//! others role B.
//!
//! | round | movement of A | movement of B | beeps |
//! |---|---|---|---|
//! | parity | | | PASC once on every row from its west end: heard on S is role B; a third set joins NW-SE, where the corner without W and NE beeps |
//! | square | | | the corner without E, SW, SE beeps globally if it heard that; heard: end |
//! | first | Expand(NE); keep E and W, marked, NE, SW | keep E, W | |
//! | second | Pull(stay tail, E) | Push(W) | |
//! | third, parity | keep NE, SW | Contract(stay head); keep head NE, SW, W, tail E | as parity |

use acrasin_amoebot::{Direction, End};

use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::joint::{JointAction, JointPlan};
use crate::round::{CoinToss, Halves, RoundTable, Seat};

/// The fold of a line into a rhombus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineToRhombus;

/// The rounds of the algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RhombusRound {
    /// Determines the roles A and B at the start.
    Parity,
    /// Determines whether the sides are equal; if so, the run ends.
    Square,
    /// Amoebots with role A expand.
    First,
    /// Amoebots with role B take over the head nodes of those with role A.
    Second,
    /// Amoebots with role B contract; then the roles are determined again.
    ThirdAndParity,
}

acrasin_runtime::pack_variants!(RhombusRound { Parity, Square, First, Second, ThirdAndParity });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RhombusMemory {
    /// Whether the amoebot has role B.
    pub is_odd: bool,
    hears_corner: bool,
    sets: Option<[PinSet; 2]>,
}

acrasin_runtime::pack_fields!(RhombusMemory { is_odd, hears_corner, sets });

const E: u8 = 1;
const NE: u8 = 2;
const NW: u8 = 3;
const W: u8 = 4;
const SW: u8 = 5;
const SE: u8 = 6;

impl RoundTable for LineToRhombus {
    type Memory = RhombusMemory;
    type RoundName = RhombusRound;

    fn start(&self, _seat: &Seat) -> (RhombusMemory, Option<RhombusRound>) {
        (RhombusMemory::default(), Some(RhombusRound::Parity))
    }

    fn name(&self, round: RhombusRound) -> &'static str {
        match round {
            RhombusRound::Parity | RhombusRound::ThirdAndParity => "parity",
            RhombusRound::Square => "square",
            RhombusRound::First => "first",
            RhombusRound::Second => "second",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 3, frame: FrameDemand::Common }
    }

    fn halves(&self, round: RhombusRound) -> Halves {
        match round {
            RhombusRound::Parity | RhombusRound::Square => Halves::Beep,
            RhombusRound::First | RhombusRound::Second => Halves::Movement,
            RhombusRound::ThirdAndParity => Halves::Both,
        }
    }

    fn plan(&self, round: RhombusRound, seat: &Seat, memory: &mut RhombusMemory) -> JointPlan {
        let to = |label: u8| seat.orientation().direction(label);
        let at_head = |labels: &[u8]| -> Vec<(End, Direction)> {
            labels.iter().map(|label| (End::Head, to(*label))).collect()
        };
        match (round, memory.is_odd) {
            (RhombusRound::First, false) => JointPlan::of(JointAction::Expand(to(NE)))
                .keeping(at_head(&[E, W, NE, SW]))
                .marking(to(E))
                .marking(to(W)),
            (RhombusRound::First, true) => JointPlan::STILL.keeping(at_head(&[E, W])),
            (RhombusRound::Second, false) => {
                JointPlan::of(JointAction::Pull { stay: End::Tail, direction: to(E) })
            }
            (RhombusRound::Second, true) => JointPlan::of(JointAction::Push(to(W))),
            (RhombusRound::ThirdAndParity, false) => JointPlan::STILL.keeping(at_head(&[NE, SW])),
            (RhombusRound::ThirdAndParity, true) => {
                let mut kept = at_head(&[NE, SW, W]);
                kept.push((End::Tail, to(E)));
                JointPlan::of(JointAction::Contract { stay: End::Head }).keeping(kept)
            }
            (RhombusRound::Parity | RhombusRound::Square, _) => JointPlan::STILL,
        }
    }

    fn send(
        &self,
        round: RhombusRound,
        seat: &Seat,
        memory: &mut RhombusMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        plan.reset();
        if round == RhombusRound::Square {
            let lane = plan.lane(0);
            memory.sets = Some([lane; 2]);
            if memory.hears_corner && ![E, SW, SE].into_iter().any(|label| seat.has(label)) {
                plan.beep(lane);
            }
            return;
        }
        let east = |lane: u8| Pin::head(E, lane);
        let west = |lane: u8| Pin::head(W, seat.pins - 1 - lane);
        let secondary = if seat.has(W) {
            // All amoebots take part, so lanes cross.
            let _ = plan.set([east(0), west(1)]);
            plan.set([east(1), west(0)])
        } else {
            plan.beep_pin(east(0));
            plan.set_of(east(1))
        };
        let diagonal = plan.set(
            [NW, SE].into_iter().flat_map(|label| (0..seat.pins).map(move |index| Pin::head(label, index))),
        );
        memory.sets = Some([secondary, diagonal]);
        if !seat.has(W) && !seat.has(NE) {
            plan.beep(diagonal);
        }
    }

    fn receive(
        &self,
        round: RhombusRound,
        _seat: &Seat,
        memory: &mut RhombusMemory,
        heard: &CircuitView<'_>,
    ) -> Option<RhombusRound> {
        let [first, second] = memory.sets.map_or([false; 2], |sets| sets.map(|set| heard.on(set)));
        match round {
            RhombusRound::Parity | RhombusRound::ThirdAndParity => {
                (memory.is_odd, memory.hears_corner) = (first, second);
                Some(RhombusRound::Square)
            }
            RhombusRound::Square if first => None,
            RhombusRound::Square => Some(RhombusRound::First),
            RhombusRound::First => Some(RhombusRound::Second),
            RhombusRound::Second => Some(RhombusRound::ThirdAndParity),
        }
    }
}
