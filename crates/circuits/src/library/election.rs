//! Leader election by coins on one global circuit (Feldmann, Padalkin, Scheideler, Dolev 2022).
//!
//! | round | sends | receives |
//! |---|---|---|
//! | heads | each tosser tosses; heads beep | whether heads were heard |
//! | tails | tossers with tails beep | both heard: tossers with tails leave |
//!
//! Phase 1 repeats this for the candidates until all of them show the same face. Phase 2 consists of `repetitions`
//! repetitions. In each, the candidates and a second set, at first all amoebots, toss until all tosses of the second
//! set show the same face. At least one candidate always remains, and with high probability exactly one.

use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::round::{CoinToss, RoundTable, Seat};

/// Leader election. At the end the leaders are the candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Election {
    /// The number of repetitions of phase 2, often written as kappa.
    pub repetitions: u32,
}

/// The amoebots that toss in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tossers {
    /// The candidates in phase 1.
    FirstCandidates,
    /// The candidates in phase 2.
    Candidates,
    /// The second set in phase 2.
    Auxiliary,
}

acrasin_runtime::pack_variants!(Tossers { FirstCandidates, Candidates, Auxiliary });

/// The rounds of the election.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElectionRound {
    /// The tossers toss coins; those with heads beep.
    Heads(Tossers),
    /// Tossers with tails beep.
    Tails(Tossers),
}

acrasin_runtime::pack_variants!(ElectionRound { Heads(tossers), Tails(tossers) });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElectionMemory {
    /// Whether the amoebot may still become the leader.
    pub is_candidate: bool,
    pub(super) is_auxiliary: bool,
    has_heads: bool,
    heard_heads: bool,
    repetitions: u32,
    lane: Option<PinSet>,
}

acrasin_runtime::pack_fields!(ElectionMemory {
    is_candidate,
    is_auxiliary,
    has_heads,
    heard_heads,
    repetitions,
    lane
});

impl ElectionMemory {
    pub(super) fn new(is_candidate: bool) -> Self {
        let (is_auxiliary, has_heads, heard_heads) = (true, false, false);
        Self { is_candidate, is_auxiliary, has_heads, heard_heads, repetitions: 0, lane: None }
    }

    pub(super) const FIRST: ElectionRound = ElectionRound::Heads(Tossers::FirstCandidates);

    #[inline]
    pub(super) fn tosses(&self, tossers: Tossers) -> bool {
        match tossers {
            Tossers::FirstCandidates | Tossers::Candidates => self.is_candidate,
            Tossers::Auxiliary => self.is_auxiliary,
        }
    }

    /// Whether the amoebot beeps in a round. Tosses a coin if the round needs one.
    #[inline]
    pub(super) fn beeps(&mut self, round: ElectionRound, coins: &mut CoinToss<'_>) -> bool {
        match round {
            ElectionRound::Heads(tossers) => {
                let tosses = self.tosses(tossers);
                self.has_heads = tosses && coins.heads();
                self.has_heads
            }
            ElectionRound::Tails(tossers) => self.tosses(tossers) && !self.has_heads,
        }
    }

    /// Processes whether a beep was heard; returns the next round, or `None` at the end.
    #[inline]
    pub(super) fn hears(
        &mut self,
        round: ElectionRound,
        heard: bool,
        repetitions: u32,
    ) -> Option<ElectionRound> {
        let tossers = match round {
            ElectionRound::Heads(tossers) => {
                self.heard_heads = heard;
                return Some(ElectionRound::Tails(tossers));
            }
            ElectionRound::Tails(tossers) => tossers,
        };
        let both = self.heard_heads && heard;
        if both && !self.has_heads {
            match tossers {
                Tossers::FirstCandidates | Tossers::Candidates => self.is_candidate = false,
                Tossers::Auxiliary => self.is_auxiliary = false,
            }
        }
        match tossers {
            Tossers::FirstCandidates if both => return Some(ElectionRound::Heads(tossers)),
            Tossers::Candidates => return Some(ElectionRound::Heads(Tossers::Auxiliary)),
            Tossers::Auxiliary if both => return Some(ElectionRound::Heads(Tossers::Candidates)),
            Tossers::Auxiliary => self.repetitions += 1,
            Tossers::FirstCandidates => {}
        }
        self.is_auxiliary = true;
        (self.repetitions < repetitions).then_some(ElectionRound::Heads(Tossers::Candidates))
    }

    /// The tossers, in the notation of conformance files.
    pub(super) fn states<'a>(
        round: ElectionRound,
        memories: impl Iterator<Item = &'a Self>,
    ) -> Option<String> {
        match round {
            ElectionRound::Heads(tossers) => {
                Some(memories.map(|memory| if memory.tosses(tossers) { '1' } else { '0' }).collect())
            }
            ElectionRound::Tails(_) => None,
        }
    }
}

impl ElectionRound {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Heads(_) => "heads",
            Self::Tails(_) => "tails",
        }
    }
}

impl RoundTable for Election {
    type Memory = ElectionMemory;
    type RoundName = ElectionRound;

    fn start(&self, _seat: &Seat) -> (ElectionMemory, Option<ElectionRound>) {
        (ElectionMemory::new(true), Some(ElectionMemory::FIRST))
    }

    fn name(&self, round: ElectionRound) -> &'static str {
        round.name()
    }

    #[inline]
    fn send(
        &self,
        round: ElectionRound,
        _seat: &Seat,
        memory: &mut ElectionMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let lane = *memory.lane.get_or_insert_with(|| {
            plan.reset();
            plan.lane(0)
        });
        if memory.beeps(round, coins) {
            plan.beep(lane);
        }
    }

    #[inline]
    fn receive(
        &self,
        round: ElectionRound,
        _seat: &Seat,
        memory: &mut ElectionMemory,
        heard: &CircuitView<'_>,
    ) -> Option<ElectionRound> {
        memory.hears(round, heard.pin(Pin::head(1, 0)), self.repetitions)
    }

    fn classes(&self) -> &'static [&'static str] {
        &["candidate", "resigned"]
    }

    fn class(&self, memory: &ElectionMemory, _is_running: bool) -> usize {
        usize::from(!memory.is_candidate)
    }

    fn states(&self, round: ElectionRound, memories: &[ElectionMemory]) -> Option<String> {
        ElectionMemory::states(round, memories.iter())
    }
}
