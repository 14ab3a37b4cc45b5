//! The boundary test: determines which boundaries are outer and which are inner.
//!
//! A boundary of an amoebot is a maximal run of empty directions, up to three. For a run of `k` cells counter-clockwise
//! from label `s` the successor edge is `s - 1`, the predecessor edge `s + k`, and the turn `k - 2`. Lane `j` of a
//! boundary is pin `c - 1 - j` of the successor edge and pin `j` of the predecessor edge. So all boundaries have their
//! own circuits. The turns of the outer boundary sum to 6, those of an inner boundary to -6, that is to 1 and 4 modulo
//! 5.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | boundary | candidates toss; heads on lane 0, tails on lane 1 of their boundary | both: tails resign |
//! | global | the second set tosses; heads on global lane 0, tails on 1 | both: tails leave; else a repetition is done |
//! | pasc | the leader of each boundary, where it is cut, beeps on P | heard on S: active becomes passive |
//! | check | visits that just became passive beep globally | silence: result |
//! | sum high | visits that just became passive tell "here" and "is 4" to the predecessor | active: note it |
//! | sum low | the same with two bits of sums below 4 | active: add |
//! | result | leaders with sum 1 beep on lane 0 of their boundary, others globally | heard on the boundary: outer |
//!
//! The algorithm is Monte Carlo: with two leaders on a boundary the result may be wrong.

use super::visit::{LaneCrossing, Visit, turned};
use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// The boundary test: every amoebot learns which of its boundaries are parts of the outer boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundaryTest {
    /// The number of repetitions of the election of leaders, at least 1; often written as kappa.
    pub repetitions: u32,
}

/// The rounds of the boundary test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundaryRound {
    /// The candidates of each boundary toss coins.
    Boundary,
    /// The amoebots of the second set toss coins.
    Global,
    /// The next bit of every position is transmitted; every second active part becomes passive.
    Pasc,
    /// Parts that became passive in the last round beep on the global circuit; silence means that no bits are left.
    Check,
    /// Amoebots transmit which of the sums of turns are 4.
    SumHigh,
    /// Amoebots transmit the two bits of the sums of turns below 4.
    SumLow,
    /// The leader of each boundary reports whether the boundary is outer.
    Result,
}

acrasin_runtime::pack_variants!(BoundaryRound { Boundary, Global, Pasc, Check, SumHigh, SumLow, Result });

/// One boundary of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundaryPart {
    successor: u8,
    predecessor: u8,
    /// Whether this part may become the leader of its boundary; after the election, whether it is the leader.
    pub is_leader: bool,
    has_heads: bool,
    is_active: bool,
    is_fresh: bool,
    /// The sum of turns modulo 5 that this part has collected so far.
    pub sum: u8,
    hears_here: bool,
    lanes: [Option<PinSet>; 4],
    /// Whether this part belongs to the outer boundary; `None` before the end.
    pub is_outer: Option<bool>,
}

acrasin_runtime::pack_fields!(BoundaryPart {
    successor,
    predecessor,
    is_leader,
    has_heads,
    is_active,
    is_fresh,
    sum,
    hears_here,
    lanes,
    is_outer
});

/// The memory of an amoebot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundaryMemory {
    /// The amoebot's boundaries, sorted by the label of their first empty cell.
    pub parts: Vec<BoundaryPart>,
    is_auxiliary: bool,
    has_heads: bool,
    repetitions: u32,
    lanes: [Option<PinSet>; 2],
    /// Whether the structure has an inner boundary; `None` before the end.
    pub has_inner: Option<bool>,
}

acrasin_runtime::pack_fields!(BoundaryMemory {
    parts,
    is_auxiliary,
    has_heads,
    repetitions,
    lanes,
    has_inner
});

impl BoundaryPart {
    fn new(first: u8, cells: u8) -> Self {
        Self {
            successor: turned(first, 5),
            predecessor: turned(first, cells),
            is_leader: true,
            has_heads: false,
            is_active: true,
            is_fresh: false,
            sum: (cells + 3) % 5,
            hears_here: false,
            lanes: [None; 4],
            is_outer: None,
        }
    }

    /// The label of the boundary's first empty cell, counted from its successor edge.
    #[must_use]
    pub fn first_empty(&self) -> u8 {
        turned(self.successor, 1)
    }

    fn at_successor(&self, lane: u8, pins: u8) -> Pin {
        Pin::head(self.successor, pins - 1 - lane)
    }

    fn at_predecessor(&self, lane: u8) -> Pin {
        Pin::head(self.predecessor, lane)
    }

    fn lane(&self, lane: u8, pins: u8) -> [Pin; 2] {
        [self.at_successor(lane, pins), self.at_predecessor(lane)]
    }

    /// The position of this part on the chain from the leader towards successors.
    fn visit(&self, pins: u8) -> Visit {
        let arriving = [0, 1].map(|lane| self.at_predecessor(lane));
        Visit::between(
            (!self.is_leader).then_some(arriving),
            Some([0, 1].map(|lane| self.at_successor(lane, pins))),
        )
    }

    /// Whether the lanes are split at this part while sums are collected.
    fn is_cut(&self) -> bool {
        self.is_active || self.is_fresh
    }

    /// Forms the sets of lanes 0 and 1 at the successor, then at the predecessor. A lane that is joined has one set for
    /// both sides.
    fn wire_sums(&mut self, plan: &mut BeepPlan<'_>) {
        let pins = plan.pins();
        let (part, cut) = (*self, self.is_cut());
        for lane in 0..2 {
            let (near, far) = if cut {
                (plan.set([part.at_successor(lane, pins)]), plan.set([part.at_predecessor(lane)]))
            } else {
                let joined = plan.set(part.lane(lane, pins));
                let _ = plan.set([]);
                (joined, joined)
            };
            self.lanes[usize::from(lane)] = Some(near);
            self.lanes[2 + usize::from(lane)] = Some(far);
        }
    }

    fn beep(&self, lane: usize, plan: &mut BeepPlan<'_>) {
        if let Some(set) = self.lanes[lane] {
            plan.beep(set);
        }
    }

    fn hears(&self, lane: usize, heard: &CircuitView<'_>) -> bool {
        self.lanes[lane].is_some_and(|set| heard.on(set))
    }
}

/// The maximal runs of empty labels, sorted: the first label and the number of cells of each.
fn runs(seat: &Seat) -> Vec<(u8, u8)> {
    let starts = (1..=6).filter(|&label| !seat.has(label) && seat.has(turned(label, 5)));
    let cells = |first: u8| (0..6).take_while(|&by| !seat.has(turned(first, by))).count() as u8;
    starts.map(|first| (first, cells(first))).collect()
}

impl RoundTable for BoundaryTest {
    type Memory = BoundaryMemory;
    type RoundName = BoundaryRound;

    fn start(&self, seat: &Seat) -> (BoundaryMemory, Option<BoundaryRound>) {
        let parts = runs(seat).into_iter().map(|(first, cells)| BoundaryPart::new(first, cells)).collect();
        let mut memory = BoundaryMemory {
            parts,
            is_auxiliary: true,
            has_heads: false,
            repetitions: 0,
            lanes: [None; 2],
            has_inner: None,
        };
        if seat.labels().next().is_none() {
            // A single amoebot has the outer boundary only.
            memory.parts.push(BoundaryPart { is_outer: Some(true), sum: 1, ..BoundaryPart::new(1, 6) });
            memory.has_inner = Some(false);
            return (memory, None);
        }
        (memory, Some(BoundaryRound::Boundary))
    }

    fn name(&self, round: BoundaryRound) -> &'static str {
        match round {
            BoundaryRound::Boundary => "boundary",
            BoundaryRound::Global => "global",
            BoundaryRound::Pasc => "pasc",
            BoundaryRound::Check => "check",
            BoundaryRound::SumHigh => "sum high",
            BoundaryRound::SumLow => "sum low",
            BoundaryRound::Result => "result",
        }
    }

    fn demands(&self) -> Demands {
        Demands { pins: 4, frame: FrameDemand::Chirality }
    }

    fn send(
        &self,
        round: BoundaryRound,
        seat: &Seat,
        memory: &mut BoundaryMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        plan.reset();
        match round {
            BoundaryRound::Boundary => {
                for part in &mut memory.parts {
                    let lanes = [0, 1].map(|lane| plan.set(part.lane(lane, seat.pins)));
                    part.lanes = [Some(lanes[0]), Some(lanes[1]), None, None];
                    if part.is_leader {
                        part.has_heads = coins.heads();
                        plan.beep(lanes[usize::from(!part.has_heads)]);
                    }
                }
            }
            BoundaryRound::Global => {
                let lanes = [0, 1].map(|lane| plan.lane(lane));
                memory.lanes = lanes.map(Some);
                if memory.is_auxiliary {
                    memory.has_heads = coins.heads();
                    plan.beep(lanes[usize::from(!memory.has_heads)]);
                }
            }
            BoundaryRound::Pasc => {
                for part in &mut memory.parts {
                    let mut visit = part.visit(seat.pins);
                    visit.wire(part.is_active, LaneCrossing::Arriving, plan);
                    part.lanes[1] = visit.secondary();
                }
            }
            BoundaryRound::Check => {
                let lane = plan.lane(0);
                memory.lanes[0] = Some(lane);
                if memory.parts.iter().any(|part| part.is_fresh) {
                    plan.beep(lane);
                }
            }
            BoundaryRound::SumHigh | BoundaryRound::SumLow => {
                for part in &mut memory.parts {
                    part.wire_sums(plan);
                    if !part.is_fresh {
                        continue;
                    }
                    // Lane 0 is "is 4", then bit 0; lane 1 is "here", then bit 1.
                    let lanes = match round {
                        BoundaryRound::SumHigh => [part.sum == 4, true],
                        _ => [part.sum < 4 && part.sum & 1 == 1, part.sum < 4 && part.sum & 2 == 2],
                    };
                    for (lane, beeps) in lanes.into_iter().enumerate() {
                        if beeps {
                            part.beep(2 + lane, plan);
                        }
                    }
                }
            }
            BoundaryRound::Result => {
                let middle = plan_middle(plan, seat.pins);
                memory.lanes[0] = Some(middle);
                for part in &mut memory.parts {
                    let set = plan.set(part.lane(0, seat.pins));
                    part.lanes[0] = Some(set);
                    if part.is_leader {
                        plan.beep(if part.sum == 1 { set } else { middle });
                    }
                }
            }
        }
    }

    fn receive(
        &self,
        round: BoundaryRound,
        _seat: &Seat,
        memory: &mut BoundaryMemory,
        heard: &CircuitView<'_>,
    ) -> Option<BoundaryRound> {
        let global =
            |memory: &BoundaryMemory, lane: usize| memory.lanes[lane].is_some_and(|set| heard.on(set));
        match round {
            BoundaryRound::Boundary => {
                for part in &mut memory.parts {
                    let both = part.hears(0, heard) && part.hears(1, heard);
                    part.is_leader &= part.has_heads || !both;
                }
                Some(BoundaryRound::Global)
            }
            BoundaryRound::Global => {
                if global(memory, 0) && global(memory, 1) {
                    memory.is_auxiliary &= memory.has_heads;
                    return Some(BoundaryRound::Boundary);
                }
                memory.repetitions += 1;
                memory.is_auxiliary = true;
                let done = memory.repetitions >= self.repetitions;
                Some(if done { BoundaryRound::Pasc } else { BoundaryRound::Boundary })
            }
            BoundaryRound::Pasc => {
                for part in &mut memory.parts {
                    part.is_fresh = part.is_active && !part.is_leader && part.hears(1, heard);
                    part.is_active &= !part.is_fresh;
                }
                Some(BoundaryRound::Check)
            }
            BoundaryRound::Check if global(memory, 0) => Some(BoundaryRound::SumHigh),
            BoundaryRound::Check => Some(BoundaryRound::Result),
            BoundaryRound::SumHigh => {
                for part in &mut memory.parts {
                    part.hears_here = part.is_active && part.hears(1, heard);
                    if part.hears_here && part.hears(0, heard) {
                        part.sum = (part.sum + 4) % 5;
                        part.hears_here = false;
                    }
                }
                Some(BoundaryRound::SumLow)
            }
            BoundaryRound::SumLow => {
                for part in &mut memory.parts {
                    if part.hears_here {
                        let sum = u8::from(part.hears(0, heard)) + 2 * u8::from(part.hears(1, heard));
                        part.sum = (part.sum + sum) % 5;
                    }
                    part.is_fresh = false;
                }
                Some(BoundaryRound::Pasc)
            }
            BoundaryRound::Result => {
                for part in &mut memory.parts {
                    part.is_outer = Some(part.hears(0, heard));
                }
                memory.has_inner = Some(global(memory, 0));
                None
            }
        }
    }

    fn states(&self, round: BoundaryRound, memories: &[BoundaryMemory]) -> Option<String> {
        let parts = |show: fn(&BoundaryPart) -> char| {
            let lists = memories.iter().map(|memory| memory.parts.iter().map(show).collect::<String>());
            Some(lists.collect::<Vec<_>>().join(","))
        };
        let bit = |is: bool| if is { '1' } else { '0' };
        match round {
            BoundaryRound::Boundary => parts(|part| if part.is_leader { '1' } else { '0' }),
            BoundaryRound::Global => Some(memories.iter().map(|memory| bit(memory.is_auxiliary)).collect()),
            BoundaryRound::Pasc => parts(|part| if part.is_active { '1' } else { '0' }),
            BoundaryRound::Result => parts(|part| char::from(b'0' + part.sum)),
            _ => None,
        }
    }
}

/// Forms the global set of all pins except the outermost ones of each edge.
fn plan_middle(plan: &mut BeepPlan<'_>, pins: u8) -> PinSet {
    plan.set((1..=6).flat_map(|label| (1..pins - 1).map(move |index| Pin::head(label, index))))
}
