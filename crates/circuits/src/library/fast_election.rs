//! Leader election on four lanes: one round per iteration.
//!
//! | round | sends | receives |
//! |---|---|---|
//! | toss | candidates beep on lane 0 (heads) or 1 (tails), the second set on lane 2 or 3 | where both faces were heard, tails leave |
//!
//! A repetition ends when heads and tails are both heard on neither pair of lanes. Then all amoebots are in the second
//! set again.

use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::round::{CoinToss, RoundTable, Seat};

/// Leader election on four lanes, which need 7 or more pins. At the end the leaders are the candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FastElection {
    /// The number of repetitions, at least 1.
    pub repetitions: u32,
}

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FastElectionMemory {
    /// Whether the amoebot may still become the leader.
    pub is_candidate: bool,
    is_auxiliary: bool,
    has_heads: [bool; 2],
    repetitions: u32,
    lanes: Option<[PinSet; 4]>,
}

acrasin_runtime::pack_fields!(FastElectionMemory {
    is_candidate,
    is_auxiliary,
    has_heads,
    repetitions,
    lanes
});

impl RoundTable for FastElection {
    type Memory = FastElectionMemory;
    type RoundName = ();

    fn start(&self, _seat: &Seat) -> (FastElectionMemory, Option<()>) {
        let memory = FastElectionMemory {
            is_candidate: true,
            is_auxiliary: true,
            has_heads: [false; 2],
            repetitions: 0,
            lanes: None,
        };
        (memory, Some(()))
    }

    fn name(&self, (): ()) -> &'static str {
        "toss"
    }

    fn demands(&self) -> Demands {
        Demands { pins: 7, frame: FrameDemand::Any }
    }

    #[inline]
    fn send(
        &self,
        (): (),
        _seat: &Seat,
        memory: &mut FastElectionMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let lanes = *memory.lanes.get_or_insert_with(|| {
            plan.reset();
            [0, 1, 2, 3].map(|lane| plan.lane(lane))
        });
        for (pair, tosses) in [memory.is_candidate, memory.is_auxiliary].into_iter().enumerate() {
            if tosses {
                memory.has_heads[pair] = coins.heads();
                plan.beep(lanes[2 * pair + usize::from(!memory.has_heads[pair])]);
            }
        }
    }

    #[inline]
    fn receive(
        &self,
        (): (),
        _seat: &Seat,
        memory: &mut FastElectionMemory,
        heard: &CircuitView<'_>,
    ) -> Option<()> {
        let both = [0, 2].map(|lane| heard.pin(Pin::head(1, lane)) && heard.pin(Pin::head(1, lane + 1)));
        let [heads, heads_auxiliary] = memory.has_heads;
        memory.is_candidate &= heads || !both[0];
        memory.is_auxiliary &= heads_auxiliary || !both[1];
        if !both[0] && !both[1] {
            memory.repetitions += 1;
            memory.is_auxiliary = true;
        }
        (memory.repetitions < self.repetitions.max(1)).then_some(())
    }

    fn classes(&self) -> &'static [&'static str] {
        &["candidate", "resigned"]
    }

    fn class(&self, memory: &FastElectionMemory, _is_running: bool) -> usize {
        usize::from(!memory.is_candidate)
    }

    fn states(&self, (): (), memories: &[FastElectionMemory]) -> Option<String> {
        let bits = |is: fn(&FastElectionMemory) -> bool| -> String {
            memories.iter().map(|memory| if is(memory) { '1' } else { '0' }).collect()
        };
        Some(format!("{} {}", bits(|memory| memory.is_candidate), bits(|memory| memory.is_auxiliary)))
    }
}
