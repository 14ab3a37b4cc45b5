//! Asynchronous rounds of concurrent runs, recounted by an observer.

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::run::concurrent::{Concurrent, Stepped, TryLocks};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{
    Algorithm, Cell, Hexagon, MaximalIndependentSet, System, View, enabled_actions, start,
};
use acrasin_runtime::choice::{Choices, Decision, pick_index};
use acrasin_runtime::{FixedProbability, Seeded};

fn blob(n: usize) -> Vec<Cell> {
    start::blob(Cell::ORIGIN, n, FixedProbability::new(0.8).unwrap(), &mut Seeded::new(2)).unwrap()
}

/// The amoebots for which a round waits. Each round begins with all amoebots.
struct Round {
    amoebots: usize,
    pending: BTreeSet<AmoebotId>,
    rounds: u64,
}

impl Round {
    fn of(amoebots: usize) -> Self {
        Self { amoebots, pending: Self::all_of(amoebots), rounds: 0 }
    }

    fn all_of(amoebots: usize) -> BTreeSet<AmoebotId> {
        (0..amoebots as u32).map(AmoebotId).collect()
    }

    fn end_if_none_is_left(&mut self) {
        if self.pending.is_empty() {
            self.rounds += 1;
            self.pending = Self::all_of(self.amoebots);
        }
    }
}

/// The numbers of rounds, as counted by the run and by this observer. The two numbers differ if the observer does not
/// wait for amoebots that lost their claims.
fn in_waves<A>(algorithm: &A, system: &System<A::Memory>, waits_for_losers: bool) -> (u64, u64)
where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
    A::Action: Send + Sync,
{
    let mut waves = Waves::new(algorithm, system.clone(), 7).with_log();
    let mut round = Round::of(system.len());
    let mut seen = 0;
    while !waves.has_terminated() {
        let before = waves.system();
        round.pending.retain(|id| enabled_actions(algorithm, View::new(before, *id)).next().is_some());
        waves.wave();
        for actor in waves.log().unwrap().actors().skip(seen) {
            round.pending.remove(&actor);
        }
        seen = waves.log().unwrap().len();
        if !waits_for_losers {
            round.pending.clear();
        }
        round.end_if_none_is_left();
    }
    (waves.counts().rounds, round.rounds)
}

#[test]
fn waves_end_a_round_once_every_amoebot_has_acted_or_rests() {
    let hexagon = Hexagon::start(&blob(80), 0, &[]).unwrap();
    let independent = MaximalIndependentSet::start(&blob(80), &[]).unwrap();
    let counted = [in_waves(&Hexagon, &hexagon, true), in_waves(&MaximalIndependentSet, &independent, true)];
    for (rounds, expected) in counted {
        assert_eq!(rounds, expected);
        assert!(rounds >= 2, "{rounds}");
    }
    let (rounds, wrong) = in_waves(&Hexagon, &hexagon, false);
    assert!(rounds < wrong, "every wave is a round then: {rounds} {wrong}");
}

/// Counts the rounds of a run with locks. A round waits only for amoebots that are busy at its start.
fn over_locks<A: Algorithm>(
    algorithm: &A,
    system: &System<A::Memory>,
    counts: fn(Stepped) -> bool,
) -> (u64, u64) {
    let mut run = Concurrent::new(algorithm, system.clone(), TryLocks::new(system.len()));
    let mut round = Round::of(system.len());
    let mut choices = Seeded::new(5);
    while !run.has_terminated() {
        let busy = run.busy().ids();
        let choices: &mut dyn Choices = &mut choices;
        let id = busy[pick_index(choices, busy.len(), Decision::Initial).unwrap()];
        if counts(run.step(id, choices)) {
            round.pending.remove(&id);
            if round.pending.is_empty() {
                round.rounds += 1;
                round.pending = run.busy().ids().iter().copied().collect();
            }
        }
    }
    (run.counts().rounds, round.rounds)
}

#[test]
fn locks_end_a_round_once_every_amoebot_has_written_or_rests() {
    let ends = |stepped| matches!(stepped, Stepped::Written | Stepped::Disabled);
    let tries = |stepped| matches!(stepped, Stepped::Written | Stepped::Disabled | Stepped::LockFailed);
    let hexagon = Hexagon::start(&blob(40), 0, &[]).unwrap();
    let (rounds, expected) = over_locks(&Hexagon, &hexagon, ends);
    assert_eq!(rounds, expected);
    assert!(rounds > 2);
    let independent = MaximalIndependentSet::start(&blob(40), &[]).unwrap();
    let (rounds, expected) = over_locks(&MaximalIndependentSet, &independent, ends);
    assert_eq!(rounds, expected);
    let (rounds, wrong) = over_locks(&Hexagon, &hexagon, tries);
    assert!(rounds < wrong, "an amoebot that tries is done then: {rounds} {wrong}");
}
