//! Tests of runs as processes: bounds on rounds, stop conditions, endings, digests.

use std::cell::Cell;

use acrasin_amoebot::algorithm::synchronous::SynchronousRun as _;
use acrasin_circuits::library::{Election, Train, TrainMember};
use acrasin_circuits::{CircuitProcess, CircuitRun, Coins};
use acrasin_process::{Advance, Condition, Ending, Process, RunBound};

use crate::structures::{cell, common};

fn election(seed: u64) -> CircuitProcess<Election> {
    let cells: Vec<_> = (0..30).map(|x| cell(x, 0)).collect();
    let run = CircuitRun::new(common(&cells, 1), Election { repetitions: 3 }, Coins::keyed(seed)).unwrap();
    CircuitProcess::new(run, "election")
}

#[test]
fn bounds_do_not_change_a_run() {
    let mut whole = election(4);
    assert_eq!(whole.advance(&RunBound::NONE, None), Advance::Quiescent);
    assert_eq!(*whole.counts(), [1, 29]);
    assert!(matches!(whole.ending(), Some(Ending::Reached(_))));
    let mut cut = election(4);
    for rounds in 1..whole.progress().rounds {
        assert_eq!(cut.advance(&RunBound { rounds, ..RunBound::NONE }, None), Advance::Advanced);
        assert_eq!(cut.progress().rounds, rounds);
        assert_ne!(cut.digest(), whole.digest());
    }
    assert_eq!(cut.advance(&RunBound::NONE, None), Advance::Quiescent);
    assert_eq!((cut.digest(), cut.progress()), (whole.digest(), whole.progress()));
    // The seed matters.
    let mut other = election(5);
    other.advance(&RunBound { rounds: 1, ..RunBound::NONE }, None);
    let mut same = election(4);
    same.advance(&RunBound { rounds: 1, ..RunBound::NONE }, None);
    assert_ne!(other.digest(), same.digest());
}

#[test]
fn a_digest_ends_with_its_time() {
    let mut run = election(4);
    run.advance(&RunBound { rounds: 3, ..RunBound::NONE }, None);
    let looks = Cell::new(0);
    let mut digests = Vec::new();
    for end in 0..5 {
        looks.set(0);
        digests.push(run.digest_while(&|| looks.replace(looks.get() + 1) < end));
    }
    // Bodies, memories, rounds, circuits.
    assert_eq!(digests, [None, None, None, None, Some(run.digest())]);
}

#[test]
fn a_condition_ends_a_run() {
    struct Few;
    impl Condition for Few {
        fn holds(&self, counts: &[u64]) -> bool {
            counts[0] <= 10
        }
    }
    let mut run = election(4);
    assert_eq!(run.advance(&RunBound::NONE, Some(&Few)), Advance::Held);
    assert!(run.counts()[0] <= 10 && run.ending().is_none());
}

#[test]
fn a_conflict_ends_a_run_and_undoes_its_round() {
    let cells = [cell(0, 0), cell(1, 0), cell(0, 1), cell(1, 1)];
    // One row expands, the other one stays, with all bonds between them.
    let mut train = Train::row(4, 1);
    train.members[2] = TrainMember::default();
    train.members[3] = TrainMember::default();
    let run = CircuitRun::new(common(&cells, 0), train, Coins::keyed(0)).unwrap();
    let mut run = CircuitProcess::new(run, "train");
    let before = run.digest();
    assert_eq!(run.advance(&RunBound::NONE, None), Advance::Violated);
    let Some(Ending::Violated(sentence)) = run.ending() else { panic!("{:?}", run.ending()) };
    assert!(sentence.starts_with("round 1: contradictory movements: amoebots 0"), "{sentence}");
    assert_eq!((run.digest(), run.progress().rounds), (before, 0));
}
